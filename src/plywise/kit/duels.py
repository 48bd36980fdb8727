"""Games between agents on many openings, for the tables of a report."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterable

from plywise import engines
from plywise.core.analysis import Limits
from plywise.core.game import Game
from plywise.core.position import Position
from plywise.engines.driver import NO_LIMITS
from plywise.errors import Unsupported
from plywise.kit.intervals import Share

_TRIES = 1000  #: random openings tried before a game counts as too short for them

#: (the position before, the position after, is it the first agent's move?)
OnMove = Callable[[Position, Position, bool], None]


def random_opening(game: Game, plies: int, rng: random.Random) -> Position:
    """Return a position after `plies` random plies in which the game is not over."""
    for _ in range(_TRIES if plies < game.max_plies else 0):
        position = game.start()
        while len(position.moves) < plies and not position.over:
            position = position.play_code(rng.choice(position.legal_codes))
        if not position.over:
            return position
    raise Unsupported(f"no game of {game.spec} lasts longer than {plies} random moves: use fewer")


def openings(game: Game, count: int, plies: int, seed: int = 1) -> list[Position]:
    """Return `count` random openings, the same ones for the same seed."""
    return [
        random_opening(game, plies, random.Random(f"{seed} {number}")) for number in range(count)
    ]


def duel(
    one: str,
    two: str,
    starts: Iterable[Position],
    *,
    limits: Limits = NO_LIMITS,
    on_move: OnMove | None = None,
) -> Share:
    """Play two games from each start, one from each side: the points of the first agent.

    `limits` hold for every move of both. Agents are made afresh for each game; `{}` in a spec
    stands for the number of the start, as in `random:seed={}`.
    """
    points, games = 0.0, 0
    for number, start in enumerate(starts):
        for side in range(2):  # the first agent's
            agents = [engines.make(spec.format(number), start.game) for spec in (one, two)]
            position = start
            while not position.over:
                mine = position.turn == side
                best = agents[0 if mine else 1].search(position, limits).best
                assert best is not None, "a game that is not over has a move"
                after = position.play(best)
                if on_move is not None:
                    on_move(position, after, mine)
                position = after
            points += 0.5 if position.winner == 0 else float(position.winner == side + 1)
            games += 1
    return Share(points, games)
