"""The truth about small positions: plain recursive minimax, which imports nothing but positions.

It asks a position whose turn it is, what is legal, what a move leads to and how the game ended. It
is the measure of every search, so it has nothing that a search has: no windows, no estimates, no
signs that change from ply to ply. It only remembers what it has worked out.
"""

from __future__ import annotations

from typing import NamedTuple

from plywise import Position


class Truth(NamedTuple):
    """What best play comes to."""

    margin: int  #: by how much player 1 wins
    plies: int  #: to the end, where wins are quick and losses slow; means nothing with points


Known = dict[Position, Truth]


class TooLarge(Exception):
    """More positions can come than were allowed."""


def minimax(position: Position, known: Known | None = None, most: int | None = None) -> Truth:
    """Return the truth about a position; `known` gets that about all that can come of it.

    TooLarge, if these and the line that is looked at are more than `most`.
    """
    known = {} if known is None else known
    if position in known:
        return known[position]
    if most is not None and len(known) >= most:
        raise TooLarge
    if position.over:
        assert position.margin is not None
        truth = Truth(position.margin, 0)
    else:
        left = None if most is None else most - 1
        after = [minimax(position.play(move), known, left) for move in position.legal]
        best = max(after, key=lambda each: wish(each, position.to_move))
        truth = Truth(best.margin, best.plies + 1)
    known[position] = truth
    return truth


def wish(truth: Truth, player: int | None) -> tuple[int, int]:
    """Return how much a player likes this: a large margin, then a quick win or a slow loss."""
    margin = truth.margin if player == 1 else -truth.margin
    return margin, -truth.plies if margin > 0 else truth.plies


def margin_of(position: Position, known: Known | None = None) -> int:
    """Return by how much the side to move wins."""
    truth = minimax(position, known)
    return truth.margin if position.mover == 1 else -truth.margin


def margins(position: Position, known: Known | None = None) -> dict[str, int]:
    """Return by how much the side to move wins with each of its moves."""
    known = {} if known is None else known
    sign = 1 if position.mover == 1 else -1
    return {move: sign * minimax(position.play(move), known).margin for move in position.legal}


def sign(margin: float) -> int:
    """Return 1 for a win, 0 for a draw and -1 for a loss."""
    return (margin > 0) - (margin < 0)
