"""A puzzle: the places on it, what they may hold, and everything that people get along with it.

A puzzle has *places*: the lines between its dots, or its cells. Each holds nothing or one of the
*marks* that its type has: a line or a cross, a 0 or a 1. What is drawn is a byte for each place, 0
for nothing and k for the k-th mark. That is all that the terminal, the page, saved files, undo and
checks need to know; what the clues mean is the business of the author's functions.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal, NamedTuple

from plywise.core.palette import INK, Palettes
from plywise.core.scene import Point, Role, Scene, Shape
from plywise.core.spec import Parameter
from plywise.errors import InvalidMove, SpecError

#: A puzzle as its author keeps it: a value that can be compared and hashed, and never changes.
Puzzle = Any
States = bytes  #: what is drawn
Status = Literal["unique", "several", "none", "unknown"]  #: how many solutions there are
Kind = Literal["mistake", "step", "solved", "no solution"]  #: what a hint is about
Circle = tuple[float, float, float]  #: x, y and radius in board units

ROOM = 0.75  #: how far the circle of a hint reaches round what it is about
MOST_MARKS = 9  #: what is drawn is sent as one digit for each place
RESERVED = ("seed", "seconds", "json")  #: what no parameter of new puzzles is called


@dataclass(frozen=True)
class Mark:
    """What a place may hold."""

    words: str  #: as `a line`
    letter: str = ""  #: stands before a move that makes it, as the `x` of `x 2 1 t`
    many: str = ""  #: several of them, if their number is worth telling: `lines`


class Verdict(NamedTuple):
    """How many solutions a puzzle has, and one of them."""

    status: Status
    solution: States | None = None


class Made(NamedTuple):
    """A new puzzle, and how hard it is."""

    puzzle: Puzzle
    grade: str | None = None


@dataclass(frozen=True)
class Marks:
    """What a picture points at beside what is drawn. Cells and dots are as the puzzle counts."""

    new: frozenset[int] = frozenset()  #: places that have just been found
    because: frozenset[int] = frozenset()  #: places they follow from
    wrong: frozenset[int] = frozenset()  #: places that are a mistake
    cells: frozenset[int] = frozenset()  #: cells it is about
    dots: frozenset[int] = frozenset()  #: dots it is about
    sides: Mapping[int, int] = field(default_factory=dict)  #: cells in one of two colours


NO_MARKS = Marks()


@dataclass(frozen=True)
class Check:
    """What is to be said of a drawing, and the places that are mistakes."""

    words: str
    wrong: tuple[int, ...] = ()


@dataclass(frozen=True)
class PuzzleHint:
    """A mistake, or the next step, told more and more closely."""

    kind: Kind
    steps: tuple[str, ...]  #: as where to look, by which technique, the move
    changes: tuple[tuple[int, int], ...] = ()  #: places, and what they should hold
    marks: Marks = NO_MARKS
    area: Circle | None = None  #: where to look

    def shown(self, states: States) -> States:
        """What is drawn, with the next step added; a mistake is shown as it is."""
        after = bytearray(states)
        for place, state in self.changes if self.kind == "step" else ():
            after[place] = state
        return bytes(after)


@dataclass(frozen=True)
class Span:
    """A few letters of a board in a terminal; roles and owners as in a Scene."""

    text: str
    role: Role | None = None
    owner: int | None = None
    ground: tuple[Role, int | None] | None = None  #: the role and owner of what is behind it
    place: int | None = None  #: which place it is, if it is one
    circled: bool = False


Task = tuple[str, Callable[[], Any]]  #: what it is called, and the work
#: Solves a puzzle within some seconds: how long it took, and did it finish?
Way = Callable[[Puzzle, float], tuple[float, bool]]


@dataclass(frozen=True)
class PuzzleReport:
    """What `plywise report` measures: several ways to solve puzzles of growing size."""

    title: str
    claim: str  #: what somebody wrote about it
    sizes: tuple[int, ...]
    make: Callable[[int, int], Puzzle]  #: (size, random seed)
    ways: Callable[[], Mapping[str, Way]]  #: the last is ours, which comes into every plot
    #: the title of each plot, and the ways in it by the labels of their curves
    plots: Mapping[str, Mapping[str, str]]
    ours: str = "plywise"  #: the label of ours


@dataclass(frozen=True)
class PuzzleType:
    """A puzzle as its author writes it down. Only the first block is needed."""

    name: str
    marks: tuple[Mark, ...]
    default: str  #: the usual puzzle, as a text
    #: (text) -> a puzzle and what is drawn on it, in any format; InvalidPosition says what is wrong
    read: Callable[[str], tuple[Puzzle, States]]
    #: (puzzle) -> the puzzle in one word that `read` understands; it begins with `NAME/`
    identify: Callable[[Puzzle], str]
    places: Callable[[Puzzle], Sequence[str]]  #: the name of each place, as moves have it
    #: (puzzle, states) -> why this is no solution, in a sentence; None if it is one
    fault: Callable[[Puzzle, States], str | None]
    #: (puzzle, seconds or None) -> how many solutions there are, and one
    solve: Callable[[Puzzle, float | None], Verdict]
    #: (puzzle, states, marks) -> what it looks like; its targets are the places, in their order
    scene: Callable[[Puzzle, States, Marks], Scene]
    #: (puzzle, place, state) -> how a mark is drawn in its place
    draw: Callable[[Puzzle, int, int], Sequence[Shape]]

    title: str = ""
    summary: str = ""  #: in one line
    palette: Palettes = INK  #: the colours of its scenes
    rules: tuple[str, ...] = ()  #: a sentence each
    formats: str = ""  #: which texts `read` understands, in a sentence
    done: str = "Solved"  #: what to say of a solution, as `The loop is right`
    size: Callable[[Puzzle], tuple[int, int]] | None = None  #: rows and columns
    facts: Callable[[Puzzle], str] | None = None  #: what else is said of it, as `12 clues`
    #: (puzzle, text) -> a place; InvalidMove if it is none. Otherwise it is looked up
    read_place: Callable[[Puzzle, str], int] | None = None
    #: (puzzle, states, marks, unicode) -> lines for a terminal; otherwise the Scene is drawn
    rows: Callable[[Puzzle, States, Marks, bool], Iterator[list[Span]]] | None = None
    #: (puzzle, name, key) -> the name of the place to which an arrow key or Tab leads from there;
    #: one place may have several names
    step: Callable[[Puzzle, str, str], str] | None = None
    #: (puzzle, place) -> the middle of the cell it belongs to, for the keys w, a, s and d
    middle: Callable[[Puzzle, int], Point] | None = None
    sample: str = ""  #: the moves that solve the usual puzzle, for pictures

    #: (puzzle, states) -> cells that are known to belong to one of two colours
    sides: Callable[[Puzzle, States], Mapping[int, int]] | None = None
    sides_words: str = ""  #: what the colours mean, as `inside and outside`
    check: Callable[[Puzzle, States], Check] | None = None
    #: (puzzle, states, seconds or None) -> help
    hint: Callable[[Puzzle, States, float | None], PuzzleHint] | None = None
    parameters: tuple[Parameter, ...] = ()  #: of new puzzles
    #: (seed, seconds or None, **parameters) -> a new puzzle; SpecError if there is no such one
    generate: Callable[..., Made] | None = None
    warm: Callable[[], Iterator[Task]] | None = None  #: work that makes everything compile
    report: PuzzleReport | None = None

    def __post_init__(self) -> None:
        if not 1 <= len(self.marks) <= MOST_MARKS:
            raise SpecError(f"{self.name} has {len(self.marks)} marks: 1 to {MOST_MARKS} will do")
        for parameter in self.parameters:
            if parameter.name in RESERVED:
                raise SpecError(
                    f"{self.name} has a parameter {parameter.name!r}: that name is taken"
                )

    def heading(self, puzzle: Puzzle) -> str:
        """The title with the size."""
        if self.size is None:
            return self.title or self.name
        rows, cols = self.size(puzzle)
        return f"{self.title or self.name} {rows} x {cols}"

    def count(self, states: States) -> str:
        """How much is drawn, as `12 lines`."""
        for state, mark in enumerate(self.marks, 1):
            if mark.many:
                return f"{states.count(state)} {mark.many}"
        return f"{sum(map(bool, states))} of {len(states)}"

    def place(self, puzzle: Puzzle, text: str) -> int:
        """The place that a text names; InvalidMove if there is none."""
        if self.read_place is not None:
            return self.read_place(puzzle, text)
        names = list(self.places(puzzle))
        known = {name.lower(): place for place, name in enumerate(names)}
        if text.strip().lower() in known:
            return known[text.strip().lower()]
        example = f": write one as {names[0]!r}" if names else ""
        raise InvalidMove(f"{text.strip()!r} is no place of this puzzle{example}", text)

    def read_move(self, puzzle: Puzzle, text: str) -> tuple[int, int]:
        """The place that a move is about, and the mark that it makes or takes away."""
        bare = text.strip()
        lettered = [(mark.letter, state) for state, mark in enumerate(self.marks, 1) if mark.letter]
        for letter, state in sorted(lettered, key=lambda pair: -len(pair[0])):
            if bare.lower().startswith(letter.lower()):
                rest = bare[len(letter) :]
                if rest[:1].isspace() or not self._is_place(puzzle, bare):
                    return self.place(puzzle, rest), state
        plain = next((k for k, mark in enumerate(self.marks, 1) if not mark.letter), None)
        if plain is None:
            letters = " or ".join(repr(mark.letter) for mark in self.marks)
            raise InvalidMove(f"{bare!r} is no move: write {letters} before the place", text)
        return self.place(puzzle, bare), plain

    def _is_place(self, puzzle: Puzzle, text: str) -> bool:
        try:
            self.place(puzzle, text)
        except InvalidMove:
            return False
        return True

    def move_text(self, puzzle: Puzzle, place: int, state: int) -> str:
        """The move that makes or takes away a mark."""
        letter = self.marks[state - 1].letter
        return f"{letter} {self.places(puzzle)[place]}".strip()

    def moves_between(
        self, puzzle: Puzzle, states: States, changes: Sequence[tuple[int, int]]
    ) -> list[str]:
        """The moves that make these changes: places, and what they shall hold."""
        return [
            self.move_text(puzzle, place, state or states[place])
            for place, state in changes
            if states[place] != state
        ]


def around(points: Sequence[Point], room: float = ROOM) -> Circle | None:
    """A circle round some points, with room for what is there."""
    if not points:
        return None
    xs, ys = [x for x, _ in points], [y for _, y in points]
    x, y = (min(xs) + max(xs)) / 2, (min(ys) + max(ys)) / 2
    return x, y, room + max(max(xs) - x, max(ys) - y)
