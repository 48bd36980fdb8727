"""A type of puzzle: its places, the marks they can hold, and the functions its author provides.

A puzzle has *places*: the lines between its dots, or its cells. Each is empty or holds one of the
*marks* of its type: a line or a cross, a 0 or a 1. A drawing is one byte per place, 0 for empty
and k for the k-th mark. The terminal, the page, saved files, undo and checks need nothing else;
only the author's functions know what the clues mean.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Hashable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path
from typing import Any, Literal, NamedTuple

import plywise
from plywise.core.scene import Line, Point, Role, Scene, Shape
from plywise.core.spec import Immutable, Parameter, Value
from plywise.errors import InvalidMove, SpecError

#: A puzzle in its author's own representation: immutable, comparable and hashable.
Puzzle = Any
States = bytes  #: a drawing: the state of every place
Status = Literal["unique", "several", "none", "unknown"]  #: how many solutions there are
HintKind = Literal["mistake", "step", "solved", "no solution"]  #: what a hint is about
Circle = tuple[float, float, float]  #: x, y and radius in board units

ROOM = 0.75  #: how far a hint's circle extends beyond the places it surrounds
EMPTY = 16  #: empty boards of which the shapes are kept
MOST_MARKS = 9  #: a drawing is sent as one digit per place
RESERVED = ("seed", "seconds", "json")  #: names that parameters of new puzzles cannot have


@dataclass(frozen=True)
class Mark:
    """A mark that a place can hold."""

    words: str  #: such as `a line`
    letter: str = ""  #: written before a move that makes it, such as the `x` of `x 2 1 t`
    many: str = ""  #: the plural, if their number is worth showing: `lines`


class Verdict(NamedTuple):
    """How many solutions a puzzle has, and one of them."""

    status: Status
    solution: States | None = None
    seconds: float | None = None  #: how long the solver took, if it says so


class Size(NamedTuple):
    """How large a puzzle is."""

    rows: int
    cols: int
    clues: int | None = None  #: None if they are not counted


class NewPuzzle(NamedTuple):
    """A new puzzle, and how hard it is."""

    puzzle: Puzzle
    grade: str | None = None


@dataclass(frozen=True)
class Marks:
    """What to highlight in a picture.

    Cells and dots have the puzzle's own numbers; a clue has the id of its shape in the Scene.
    """

    new: frozenset[int] = frozenset()  #: places that have just been found
    because: frozenset[int] = frozenset()  #: places they follow from
    wrong: frozenset[int] = frozenset()  #: places that are a mistake
    cells: frozenset[int] = frozenset()  #: the cells concerned
    dots: frozenset[int] = frozenset()  #: the dots concerned
    done: frozenset[str] = frozenset()  #: the ids of clues that are complete
    broken: frozenset[str] = frozenset()  #: the ids of clues that can no longer be met
    sides: Mapping[int, int] = field(default_factory=dict)  #: cells coloured 0 or 1


NO_MARKS = Marks()


@dataclass(frozen=True)
class Check:
    """The result of checking a drawing: a sentence, and the places that are mistakes."""

    words: str
    wrong: tuple[int, ...] = ()


@dataclass(frozen=True)
class PuzzleHint:
    """A mistake or the next step, explained in more and more detail."""

    kind: HintKind
    steps: tuple[str, ...]  #: such as where to look, the technique, the move
    changes: tuple[tuple[int, int], ...] = ()  #: places, and what they should hold
    marks: Marks = NO_MARKS
    area: Circle | None = None  #: where to look

    def shown(self, states: States) -> States:
        """Return the drawing with the next step added; a mistake is left as it is."""
        after = bytearray(states)
        for place, state in self.changes if self.kind == "step" else ():
            after[place] = state
        return bytes(after)


@dataclass(frozen=True)
class ExplainedStep:
    """A step of an explained solution, as a picture of a film."""

    title: str  #: such as the name of the technique
    words: tuple[str, ...]  #: why, and what follows
    changes: tuple[tuple[int, int], ...]  #: places that differ from the step before; what they hold
    found: frozenset[int] = frozenset()  #: the places it is about
    because: frozenset[int] = frozenset()  #: the places they follow from
    shapes: tuple[Shape, ...] = ()  #: what to highlight below the puzzle, such as cells


@dataclass(frozen=True)
class Span:
    """A piece of text in a terminal board; roles and owners as in a Scene."""

    text: str
    role: Role | None = None
    owner: int | None = None
    ground: tuple[Role, int | None] | None = None  #: role and owner of the background
    place: int | None = None  #: the place it shows, if any
    circled: bool = False


@dataclass(frozen=True, kw_only=True)
class PuzzleType(Immutable):
    """A type of puzzle as its author defines it. Fields without a default are required.

    More is found beside the definition: `guide.md` has the rules with pictures, see
    `plywise.views.guide`; `formats.py` what a puzzle can be shared as, and `warmup.py` what to
    compile, see `plywise.puzzles`.

    Attributes:
        name: one word, as in `plywise NAME play`; with a capital letter it is the title.
        summary: the puzzle in one line.
        rules: what a solution must keep, one sentence each.
        done: what to say about a solution, such as `The loop is right`.

        default: the default puzzle, as text, with nothing drawn.
        formats: which texts `read` understands, in a sentence.
        read: (text) -> the puzzle and its drawing, from any format; InvalidPosition if it is wrong.
        identify: (puzzle) -> the puzzle in one word that `read` understands; it begins with
            `NAME/`.
        size: (puzzle) -> its rows and columns, and its clues if they are worth counting. A server
            refuses a puzzle with too many cells; without `size` it takes any.

        marks: what can be drawn in a place, in the order of clicks.
        places: (puzzle) -> the name of each place, as written in moves.
        notation: how places are named, in a sentence.
        read_place: (puzzle, text) -> a place, or InvalidMove; by default the text is looked up in
            `places`.
        place_words: (puzzle, place, state) -> a mark by where it is, such as `the line above the
            3 in row 2`; by default its name.

        fault: (puzzle, states) -> why this is not a solution, in a sentence; None if it is one.
        solve: (puzzle, seconds or None) -> how many solutions there are, and one of them. It
            stops when the time is up.

        scene: (puzzle, states, marks) -> its picture. The targets are the places, in order. A mark
            has shapes of its own, whose ids an empty board does not have; they do not depend on
            other places, and are centred on the target of theirs.
        middle: (puzzle, place) -> the middle of a cell of which the place is a side: half a unit
            away. Arrow keys then move from cell to cell, and Tab around one.
        rows: (puzzle, states, marks, unicode) -> lines for a terminal; by default the Scene is
            drawn.

        progress: (puzzle, states) -> complete clues, broken rules and coloured cells, as marks; it
            solves nothing, and is called after every move.
        sides: what the colours of cells mean, such as `inside and outside`, if `progress` has some.
        check: (puzzle, states) -> what is wrong with the marks so far; by default what differs from
            the only solution.
        hint: (puzzle, states, seconds or None) -> the first mistake, or the next step; by default
            without a reason.
        explain: (puzzle, seconds or None) -> the solution step by step.

        parameters: of new puzzles.
        generate: (seed, seconds or None, **parameters) -> a new puzzle with one solution, the same
            for the same arguments; SpecError if there is none.
        daily: the parameters of the puzzles of a day, by the names of their sizes.
    """

    name: str
    summary: str = ""
    rules: tuple[str, ...] = ()
    done: str = "Solved"

    # As text
    default: str
    formats: str = ""
    read: Callable[[str], tuple[Puzzle, States]]
    identify: Callable[[Puzzle], str]
    size: Callable[[Puzzle], Size] | None = None

    # What can be drawn
    marks: tuple[Mark, ...]
    places: Callable[[Puzzle], Sequence[str]]
    notation: str = ""
    read_place: Callable[[Puzzle, str], int] | None = None
    place_words: Callable[[Puzzle, int, int], str] | None = None

    # What is right
    fault: Callable[[Puzzle, States], str | None]
    solve: Callable[[Puzzle, float | None], Verdict]

    # What it looks like
    scene: Callable[[Puzzle, States, Marks], Scene]
    middle: Callable[[Puzzle, int], Point] | None = None
    rows: Callable[[Puzzle, States, Marks, bool], Iterator[list[Span]]] | None = None

    # Help
    progress: Callable[[Puzzle, States], Marks] | None = None
    sides: str = ""
    check: Callable[[Puzzle, States], Check] | None = None
    hint: Callable[[Puzzle, States, float | None], PuzzleHint] | None = None
    explain: Callable[[Puzzle, float | None], Iterator[ExplainedStep]] | None = None

    # New puzzles
    parameters: tuple[Parameter, ...] = ()
    generate: Callable[..., NewPuzzle] | None = None
    daily: Mapping[str, Mapping[str, Value]] = field(default_factory=dict, hash=False)

    def __post_init__(self) -> None:
        if not 1 <= len(self.marks) <= MOST_MARKS:
            raise SpecError(
                f"{self.name} has {len(self.marks)} marks: a puzzle can have 1 to {MOST_MARKS}"
            )
        for parameter in self.parameters:
            if parameter.name in RESERVED:
                raise SpecError(
                    f"{self.name} has a parameter {parameter.name!r}: that name is reserved"
                )

    def __reduce__(self) -> tuple[Any, ...]:
        """Pickle where it is found: it is made of functions, and pickles hold no code."""
        return plywise.puzzles.reference(self)

    @property
    def title(self) -> str:
        """The name with a capital letter."""
        return self.name.replace("_", " ").capitalize()

    @property
    def folder(self) -> Path | None:
        """The folder of the definition; None for one that is in no file."""
        try:
            file = Path(inspect.getfile(self.fault))
        except TypeError:
            return None
        return file.parent if file.is_file() else None

    @property
    def guide(self) -> Path | None:
        """The file with the rules and pictures, if there is one beside the definition."""
        file = None if self.folder is None else self.folder / "guide.md"
        return file if file is not None and file.is_file() else None

    def heading(self, puzzle: Puzzle) -> str:
        """Return the title with the size."""
        if self.size is None:
            return self.title
        rows, cols, _ = self.size(puzzle)
        return f"{self.title} {rows} x {cols}"

    def facts(self, puzzle: Puzzle) -> str:
        """Say how many clues there are, such as `12 clues`; empty if they are not counted."""
        clues = None if self.size is None else self.size(puzzle).clues
        return "" if clues is None else "1 clue" if clues == 1 else f"{clues} clues"

    def count(self, states: States) -> str:
        """Say how much is drawn, such as `12 lines`."""
        for state, mark in enumerate(self.marks, 1):
            if mark.many:
                count = states.count(state)
                return f"1 {mark.words.partition(' ')[2]}" if count == 1 else f"{count} {mark.many}"
        return f"{sum(map(bool, states))} of {len(states)}"

    def needed(self, puzzle: Puzzle, solution: States) -> States:
        """Return a solution without the marks that only help to find it, such as crosses."""
        for state in range(1, len(self.marks) + 1):
            without = bytes(0 if each == state else each for each in solution)
            if self.fault(puzzle, without) is None:
                solution = without
        return solution

    def drawn(self, puzzle: Puzzle, states: States) -> dict[int, tuple[Shape, ...]]:
        """Return the shapes of every mark, by its place: what it adds to the empty board."""
        known, places = _empty(self, puzzle, len(states))
        found: dict[int, tuple[Shape, ...]] = {}
        for shape in self.scene(puzzle, states, NO_MARKS).shapes:
            if shape.id not in known:
                place = places.get(_rounded(shape.centre))
                if place is None:
                    raise SpecError(
                        f"{self.name}: the shape {shape.id!r} of a mark is not in the middle of "
                        "the target of its place"
                    )
                found[place] = (*found.get(place, ()), shape)
        return found

    def order(self, puzzle: Puzzle, states: States) -> Sequence[int]:
        """Return all places in the order in which their marks are listed.

        Marks that are a straight line come first, as one draws them: each next to the one before
        it, where they go on. All others are in the order of their numbers.
        """
        ends = {
            place: (_rounded(shapes[0].start), _rounded(shapes[0].end))
            for place, shapes in sorted(self.drawn(puzzle, states).items())
            if len(shapes) == 1 and isinstance(shapes[0], Line)
        }
        path = followed(ends)
        return (*path, *(place for place in range(len(states)) if place not in ends))

    def moves_of(self, puzzle: Puzzle, states: States) -> list[str]:
        """Return the moves that make all these marks, from an empty board."""
        marks = [(place, states[place]) for place in self.order(puzzle, states)]
        return self.moves_between(puzzle, bytes(len(states)), marks)

    def place(self, puzzle: Puzzle, text: str) -> int:
        """Return the place that a text names, or raise InvalidMove."""
        if self.read_place is not None:
            return self.read_place(puzzle, text)
        names = list(self.places(puzzle))
        known = {name.lower(): place for place, name in enumerate(names)}
        if text.strip().lower() in known:
            return known[text.strip().lower()]
        example = f": write, for example, {names[0]!r}" if names else ""
        raise InvalidMove(f"{text.strip()!r} is not a place of this puzzle{example}", text)

    def read_move(self, puzzle: Puzzle, text: str) -> tuple[int, int]:
        """Return the place of a move, and the mark that the move makes or removes."""
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
            raise InvalidMove(f"{bare!r} is not a move: write {letters} before the place", text)
        return self.place(puzzle, bare), plain

    def _is_place(self, puzzle: Puzzle, text: str) -> bool:
        try:
            self.place(puzzle, text)
        except InvalidMove:
            return False
        return True

    def words_of(self, puzzle: Puzzle, place: int, state: int) -> str:
        """Return words for a mark by where it is."""
        if self.place_words is not None:
            return self.place_words(puzzle, place, state)
        return str(self.places(puzzle)[place])

    def move_text(self, puzzle: Puzzle, place: int, state: int) -> str:
        """Return the move that makes or removes a mark."""
        letter = self.marks[state - 1].letter
        return f"{letter} {self.places(puzzle)[place]}".strip()

    def moves_between(
        self, puzzle: Puzzle, states: States, changes: Sequence[tuple[int, int]]
    ) -> list[str]:
        """Return the moves that make these changes: places, and what they should hold."""
        return [
            self.move_text(puzzle, place, state or states[place])
            for place, state in changes
            if states[place] != state
        ]


def around(points: Sequence[Point], room: float = ROOM) -> Circle | None:
    """Return a circle around some points, with a margin of `room`."""
    if not points:
        return None
    xs, ys = [x for x, _ in points], [y for _, y in points]
    x, y = (min(xs) + max(xs)) / 2, (min(ys) + max(ys)) / 2
    return x, y, room + max(max(xs) - x, max(ys) - y)


def followed(ends: Mapping[int, tuple[Hashable, Hashable]]) -> tuple[int, ...]:
    """Return lines in such an order that each is next to the one before it, where they go on.

    Open paths come first, from one end to the other. A loop is followed from the first point of
    its first line.

    Args:
        ends: the two points that each line joins.
    """
    meeting: dict[Hashable, list[int]] = {}
    for line, points in ends.items():
        for point in points:
            meeting.setdefault(point, []).append(line)
    loose = [point for point, lines in meeting.items() if len(lines) == 1]
    path: dict[int, None] = {}  # in the order in which they are followed
    for point in (*loose, *(start for start, _ in ends.values())):
        here = point
        while onwards := [line for line in meeting[here] if line not in path]:
            path[onwards[0]] = None
            start, end = ends[onwards[0]]
            here = end if here == start else start
    return tuple(path)


@lru_cache(EMPTY)
def _empty(
    kind: PuzzleType, puzzle: Puzzle, count: int
) -> tuple[frozenset[str], Mapping[Point, int]]:
    """Return the ids of the shapes of an empty board, and the places by their points."""
    scene = kind.scene(puzzle, bytes(count), NO_MARKS)
    places = {_rounded(target.at): place for place, target in enumerate(scene.targets)}
    return frozenset(shape.id for shape in scene.shapes), places


def _rounded(point: Point) -> Point:
    """Make two ways to compute the same point equal."""
    return round(point[0], 3), round(point[1], 3)
