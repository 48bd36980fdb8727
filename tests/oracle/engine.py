"""An engine and a solver that know the truth of `minimax.py`, and may keep some to themselves.

They test what is built on searches (hints, reviews, grades, exercises) without any search of ours.
"""

from __future__ import annotations

import random
from collections.abc import Collection
from typing import Any

from plywise import Analysis, Line, Position
from plywise.core.analysis import outcome_of
from tests.oracle.minimax import Known, margin_of, minimax, sign, wish


class Oracle:
    """Scores every move: a share of them by the truth, and the others by a bad guess.

    It never knows about a move that is `hidden` in its position.
    """

    name = "oracle"

    def __init__(
        self,
        known: Known,
        share: float = 1.0,
        seed: int = 0,
        hidden: Collection[tuple[Position, str]] = (),
    ) -> None:
        self.known = known
        self.share = share
        self.hidden = hidden
        self.rng = random.Random(seed)

    def search(self, position: Position, *_: Any, **__: Any) -> Analysis:
        every = tuple(self.line(position, move) for move in position.legal)
        best = max(every, key=lambda line: (line.value, line.score))
        proved = best.outcome == "win" or all(line.outcome for line in every)
        outcome, kind = (best.outcome, best.score_kind) if proved else (None, "estimate")
        found = best.value, best.score, kind, outcome, best.plies_to_end if proved else None
        return Analysis(best.move, *found, best.pv, every)

    def line(self, position: Position, move: str) -> Line:
        """Return what it says of a move."""
        after = position.play(move)
        if self.rng.random() >= self.share or (position, move) in self.hidden:
            guess = self.rng.uniform(-0.9, 0.9)
            return Line(move, guess, 50 * guess, pv=(move,))
        margin = margin_of(after, self.known) * (1 if after.mover == position.mover else -1)
        pv = (move, *best_play(after, self.known))
        plies = len(pv) if margin and not position.game.points else None
        return Line(move, float(sign(margin)), margin, outcome_of(margin), plies, pv, "points")

    def solve(self, position: Position, *_: Any) -> Analysis:
        """Return the exact result, or none where it does not know."""
        if position not in self.known:
            return Analysis(position.legal[0], 0.0, 0.0)
        return self.search(position)


def best_play(position: Position, known: Known) -> tuple[str, ...]:
    """Return the moves to the end of the game if both play their best."""
    moves: list[str] = []
    while not position.over:
        every = [(wish(minimax(position.play(move), known), position.to_move), move)
                 for move in position.legal]  # fmt: skip
        moves.append(max(every, key=lambda each: each[0])[1])
        position = position.play(moves[-1])
    return tuple(moves)
