"""A puzzle being solved. Every change is a move, so undo, saves and replays come for free.

A move adds a mark to a place, or removes it if it is there: `2 1 t` draws a line, `x 2 1 t` a
cross. As text, which is what a file holds:

    plywise puzzle 1
    puzzle   slither/5/5/h7023722b8178cg
    seconds  12.5

    2 1 t
    x 2 1 l
    undone
    1 1 t
    end

The word before the first `/` is the type of puzzle. When the computer solves the puzzle, all its
moves together are one line, so that they are taken back together:

    solved in 0.000912 s: 1 1 t, 1 2 t
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import NamedTuple

from plywise import puzzles
from plywise.core.puzzle import Puzzle, PuzzleType, States
from plywise.errors import InvalidPosition, PlywiseError, SpecError

HEADER = "plywise puzzle 1"
_SOLVED = "solved in "  #: how the line with the computer's moves begins


class Solved(NamedTuple):
    """What the computer did in one step: its moves, and the seconds it took to find them."""

    seconds: float
    moves: tuple[str, ...]

    def __str__(self) -> str:
        return f"{_SOLVED}{self.seconds:.6f} s: {', '.join(self.moves)}"

    @classmethod
    def parse(cls, text: str) -> Solved | None:
        """Read what `str` has written; None if it is something else, such as a move."""
        if not text.startswith(_SOLVED):
            return None
        seconds, _, moves = text.removeprefix(_SOLVED).partition(" s:")
        return cls(_seconds(seconds), tuple(move.strip() for move in moves.split(",")))


@dataclass(frozen=True)
class Attempt:
    """The moves so far, those taken back, and the time spent.

    One of the moves may be `solved in ...`, with all moves of the computer: see `Solved`.
    """

    kind: PuzzleType
    puzzle: Puzzle
    moves: tuple[str, ...] = ()
    undone: tuple[str, ...] = ()  #: the next move to redo comes first
    seconds: float = 0.0

    @classmethod
    def of(cls, kind: PuzzleType, puzzle: Puzzle, states: States) -> Attempt:
        """Start an attempt with marks that are drawn already."""
        return cls(kind, puzzle, tuple(kind.moves_of(puzzle, states)))

    @cached_property
    def states(self) -> States:
        """The marks that all moves together have drawn."""
        states = bytearray(len(self.kind.places(self.puzzle)))
        for move in self.single_moves:
            place, state = self.kind.read_move(self.puzzle, move)
            states[place] = 0 if states[place] == state else state
        return bytes(states)

    @property
    def single_moves(self) -> list[str]:
        """The moves one by one, the computer's among them."""
        return [move for text in self.moves for move in _parts(text)]

    @cached_property
    def solved(self) -> bool:
        """True if the puzzle is solved, by whomever."""
        return self.kind.fault(self.puzzle, self.states) is None

    @cached_property
    def by_computer(self) -> Solved | None:
        """What the computer did, if it had a part in the marks that are drawn."""
        found = (Solved.parse(move) for move in reversed(self.moves))
        return next((each for each in found if each is not None), None)

    def solve(self, solution: States, seconds: float) -> Attempt:
        """Return the attempt with the computer's solution drawn, in one step."""
        if self.solved:
            raise SpecError("the puzzle is already solved")
        order = self.kind.order(self.puzzle, solution)
        changes = [(place, solution[place]) for place in order]
        moves = self.kind.moves_between(self.puzzle, self.states, changes)
        return replace(self, moves=(*self.moves, str(Solved(seconds, tuple(moves)))), undone=())

    def play(self, text: str) -> Attempt:
        """Return the attempt after one more move; InvalidMove if the text is not a move."""
        move = self.kind.move_text(self.puzzle, *self.kind.read_move(self.puzzle, text))
        return replace(self, moves=(*self.moves, move), undone=())

    def change(self, changes: Sequence[tuple[int, int]]) -> Attempt:
        """Return the attempt after the moves that make these changes: (place, new state)."""
        attempt = self
        for move in self.kind.moves_between(self.puzzle, self.states, changes):
            attempt = attempt.play(move)
        return attempt

    def undo(self) -> Attempt:
        """Return the attempt with the last move taken back."""
        if not self.moves:
            raise SpecError("there is nothing to take back")
        return replace(self, moves=self.moves[:-1], undone=(self.moves[-1], *self.undone))

    def redo(self) -> Attempt:
        """Return the attempt with the move taken back last played again."""
        if not self.undone:
            raise SpecError("there is nothing to redo")
        return replace(self, moves=(*self.moves, self.undone[0]), undone=self.undone[1:])

    def to_text(self) -> str:
        """Return the text that `from_text` reads."""
        lines = [
            HEADER,
            f"puzzle   {self.kind.identify(self.puzzle)}",
            f"seconds  {self.seconds:.1f}",
            "",
            *self.moves,
            *(("undone", *self.undone) if self.undone else ()),
            "end",
        ]
        return "\n".join(lines) + "\n"

    @classmethod
    def from_text(cls, text: str, name: str = "the text") -> Attempt:
        """Read an attempt and check each move; InvalidPosition says what is wrong."""
        lines = [line.strip() for line in text.splitlines()]
        found: Attempt | None = None
        seconds = 0.0
        lists: tuple[list[str], list[str]] = ([], [])
        into = 0
        for number, line in enumerate(lines, 1):
            word, _, rest = line.partition(" ")
            try:
                if number == 1:
                    if line != HEADER:
                        raise SpecError(f"expected {HEADER!r}")
                elif word == "puzzle":
                    if found is not None:
                        raise SpecError("there is already a 'puzzle' line")
                    kind = puzzles.find(rest.strip().partition("/")[0])
                    found = cls(kind, kind.read(rest.strip())[0])
                elif word == "seconds":
                    seconds = _seconds(rest.strip())
                elif line == "undone":
                    into = 1
                elif line == "end":
                    break
                elif line:
                    if found is None:
                        raise SpecError("expected 'puzzle' before the first move")
                    lists[into].append(_checked(replace(found, moves=()), line))
            except PlywiseError as error:
                raise InvalidPosition(f"{name}, line {number}: {error}") from None
        else:
            raise InvalidPosition(f"{name}, line {len(lines) + 1}: expected 'end'")
        if found is None:
            raise InvalidPosition(f"{name}: expected a 'puzzle' line")
        return replace(found, moves=tuple(lists[0]), undone=tuple(lists[1]), seconds=seconds)


def _parts(text: str) -> tuple[str, ...]:
    """Return the moves in one line of an attempt: one, or all those of the computer."""
    solved = Solved.parse(text)
    return (text,) if solved is None else solved.moves


def _checked(start: Attempt, line: str) -> str:
    """Return a line of moves as we write it; InvalidMove if one of them is not a move."""
    moves = [start.play(move).moves[0] for move in _parts(line)]
    solved = Solved.parse(line)
    return moves[0] if solved is None else str(solved._replace(moves=tuple(moves)))


def _seconds(text: str) -> float:
    try:
        seconds = float(text)
    except ValueError:
        seconds = -1.0
    if not 0 <= seconds < 1e9:
        raise SpecError(f"{text!r} is not a time: expected seconds, such as 12.5")
    return seconds
