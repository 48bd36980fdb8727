"""The mistakes of a game as exercises: one move was clearly best, and another one was played."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from plywise.core.analysis import Limits
from plywise.core.engine import Engine
from plywise.core.position import Position
from plywise.play.exercises.exercise import Moves
from plywise.play.hints import CLEAR
from plywise.play.review import Grade, rank, review

SHOWN = 3  #: moves of a refutation
RIGHT = (Grade.BEST, Grade.GOOD)  #: grades of moves that are not practised


@dataclass(frozen=True)
class Mistake:
    """The position before a mistake, and what was better."""

    position: Position
    played: str
    line: Moves  #: the best move, and best play after it
    refutations: Mapping[str, Moves]  #: best play after every other move
    comment: str

    @property
    def answer(self) -> str:
        """The best move."""
        return self.line[0]

    def refutation(self, move: str) -> Moves:
        """Return best play after another move."""
        return self.refutations.get(move, ())


def mistakes(
    position: Position,
    engine: Engine,
    limits: Limits,
    on_position: Callable[[int], None] | None = None,
) -> list[Mistake]:
    """Review the game that led to a position, and look at each mistake again.

    Mistakes where several moves were about as good are left out: there is nothing to find.
    """
    found = []
    for judged in review(position, engine, limits, on_position=on_position).moves:
        if judged.grade in RIGHT:
            continue
        before = position.history[judged.ply - 1]
        best, *others = sorted(
            engine.search(before, limits, lines=True).lines, key=rank, reverse=True
        )
        if not others or best.move == judged.move or best.value - others[0].value < CLEAR:
            continue
        refutations = {line.move: line.pv[1 : 1 + SHOWN] for line in others}
        line = best.pv[: 1 + SHOWN] or (best.move,)
        found.append(Mistake(before, judged.move, line, refutations, judged.comment))
    return found
