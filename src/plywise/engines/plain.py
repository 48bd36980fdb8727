"""Alpha-beta as one short function that is easy to read.

No table, no move ordering, no clock, and nothing compiled: it is slow, but obviously correct. The
tests compare `alphabeta` and `solve` with it. `plywise.engine("textbook", game)` is the same search
at native speed, with a tree to draw.
"""

from __future__ import annotations

import math

from plywise.core.position import Position
from plywise.engines.scale import UNIT

WIN = 1_000_000  #: the value of a won game, plus one for each ply left to search


def alphabeta(
    position: Position, depth: int, alpha: float = -math.inf, beta: float = math.inf
) -> tuple[float, str | None]:
    """Return the value for the side to move at this depth, and a best move.

    A value between `alpha` and `beta` is exact; one outside them is only a bound.

    >>> import plywise
    >>> alphabeta(plywise.game("tictactoe").position("a1 b2 a2 c1"), depth=2)
    (1000001, 'a3')
    """
    game = position.game
    if (margin := position.own_margin) is not None:  # the game is over
        won = (margin > 0) - (margin < 0)
        return (UNIT * margin if game.points else won * (WIN + depth)), None
    if depth == 0:
        evaluate = game.rules.evaluate
        return (0 if evaluate is None else int(evaluate(game.board, position.state))), None
    best, best_move = -math.inf, None
    for move in position.legal:
        child = position.play(move)
        if child.turn == position.turn:  # the same player moves again
            value = alphabeta(child, depth - 1, alpha, beta)[0]
        else:
            value = -alphabeta(child, depth - 1, -beta, -alpha)[0]
        if value > best:
            best, best_move = value, move
        alpha = max(alpha, best)
        if alpha >= beta:  # the opponent has a better alternative earlier
            break
    return best, best_move
