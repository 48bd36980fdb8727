"""A puzzle that somebody is solving. Every change is a move, so undo, saves and replays come free.

`2 1 t` draws the top line of the cell in row 2, column 1, or takes it away if it is drawn;
`x 2 1 t` does the same with a cross. As a text, which is what a file holds:

    plywise puzzle 1
    puzzle   slither/5/5/h7023722b8178cg
    seconds  12.5

    2 1 t
    x 2 1 l
    undone
    1 1 t
    end
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from functools import cached_property

from plywise.errors import InvalidPosition, PlywiseError, SpecError
from plywise.puzzles.slither.formats import read, write
from plywise.puzzles.slither.grid import CROSS, LINE, UNKNOWN, Drawing, Puzzle

HEADER = "plywise puzzle 1"


@dataclass(frozen=True)
class Attempt:
    """The moves so far, those that were taken back, and the time they took."""

    puzzle: Puzzle
    moves: tuple[str, ...] = ()
    undone: tuple[str, ...] = ()  #: the next one to be played again comes first
    seconds: float = 0.0

    @classmethod
    def of(cls, drawing: Drawing) -> Attempt:
        """One that begins with what is drawn."""
        puzzle = drawing.puzzle
        known = [(line, state) for line, state in enumerate(drawing.states) if state != UNKNOWN]
        names = (_name(puzzle, line, state) for line, state in known)
        return cls(puzzle, tuple(names))

    @cached_property
    def drawing(self) -> Drawing:
        """What all moves together have drawn."""
        states = bytearray(self.puzzle.lines)
        for move in self.moves:
            line, state = read_move(self.puzzle, move)
            states[line] = UNKNOWN if states[line] == state else state
        return Drawing(self.puzzle, bytes(states))

    @property
    def solved(self) -> bool:
        """Is the loop right?"""
        return self.drawing.solved

    def play(self, text: str) -> Attempt:
        """One move more; InvalidMove if it is none."""
        line, state = read_move(self.puzzle, text)
        return replace(self, moves=(*self.moves, _name(self.puzzle, line, state)), undone=())

    def undo(self) -> Attempt:
        """The last move taken back."""
        if not self.moves:
            raise SpecError("there is nothing to take back")
        return replace(self, moves=self.moves[:-1], undone=(self.moves[-1], *self.undone))

    def redo(self) -> Attempt:
        """What was taken back last, played again."""
        if not self.undone:
            raise SpecError("there is nothing to play again")
        return replace(self, moves=(*self.moves, self.undone[0]), undone=self.undone[1:])

    def to_text(self) -> str:
        """The text that `from_text` reads."""
        lines = [
            HEADER,
            f"puzzle   {puzzle_id(self.puzzle)}",
            f"seconds  {self.seconds:.1f}",
            "",
            *self.moves,
            *(("undone", *self.undone) if self.undone else ()),
            "end",
        ]
        return "\n".join(lines) + "\n"

    @classmethod
    def from_text(cls, text: str, name: str = "the text") -> Attempt:
        """An attempt, with each of its moves looked at; InvalidPosition says what is wrong."""
        lines = [line.strip() for line in text.splitlines()]
        puzzle: Puzzle | None = None
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
                    puzzle = read(rest.strip())
                elif word == "seconds":
                    seconds = _seconds(rest.strip())
                elif line == "undone":
                    into = 1
                elif line == "end":
                    break
                elif line:
                    if puzzle is None:
                        raise SpecError("expected 'puzzle' before the first move")
                    lists[into].append(_name(puzzle, *read_move(puzzle, line)))
            except PlywiseError as error:
                raise InvalidPosition(f"{name}, line {number}: {error}") from None
        else:
            raise InvalidPosition(f"{name}, line {len(lines) + 1}: expected 'end'")
        if puzzle is None:
            raise InvalidPosition(f"{name}: expected a line with 'puzzle' in it")
        return cls(puzzle, tuple(lists[0]), tuple(lists[1]), seconds)


def puzzle_id(puzzle: Puzzle) -> str:
    """A puzzle in one word, as addresses and files have it: `slither/5/5/h7023722b8178cg`."""
    return write(puzzle, "puzzlink").strip().partition("?")[2]


def read_move(puzzle: Puzzle, text: str) -> tuple[int, int]:
    """The line that a move is about, and what it makes of it: LINE, or CROSS after an `x`."""
    bare = text.strip()
    crossed = bare[:1] in ("x", "X")
    return puzzle.read_move(bare[1:] if crossed else bare), CROSS if crossed else LINE


def moves_between(before: Drawing, changes: Iterable[tuple[int, int]]) -> list[str]:
    """The moves that make these changes: lines, and what they shall be."""
    found = []
    for line, state in changes:
        if before.states[line] != state:
            found.append(_name(before.puzzle, line, state or before.states[line]))
    return found


def _name(puzzle: Puzzle, line: int, state: int) -> str:
    return f"{'x ' if state == CROSS else ''}{puzzle.move_name(line)}"


def _seconds(text: str) -> float:
    try:
        seconds = float(text)
    except ValueError:
        seconds = -1.0
    if not 0 <= seconds < 1e9:
        raise SpecError(f"{text!r} is no time: expected seconds, as 12.5")
    return seconds
