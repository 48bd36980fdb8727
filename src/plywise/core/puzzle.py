"""A type of puzzle: its places, the marks they can hold, and the functions its author provides.

A puzzle has *places*: the lines between its dots, or its cells. Each is empty or holds one of the
*marks* of its type: a line or a cross, a 0 or a 1. A drawing is one byte per place, 0 for empty
and k for the k-th mark. The terminal, the page, saved files, undo and checks need nothing else;
only the author's functions know what the clues mean.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal, NamedTuple

from plywise.core import services
from plywise.core.palette import INK, Palettes, check_palette
from plywise.core.scene import Point, Role, Scene, Shape
from plywise.core.spec import Parameter, Unchanging, Value
from plywise.errors import InvalidMove, SpecError

#: A puzzle in its author's own representation: immutable, comparable and hashable.
Puzzle = Any
States = bytes  #: a drawing: the state of every place
Status = Literal["unique", "several", "none", "unknown"]  #: how many solutions there are
Kind = Literal["mistake", "step", "solved", "no solution"]  #: what a hint is about
Circle = tuple[float, float, float]  #: x, y and radius in board units

ROOM = 0.75  #: how far a hint's circle extends beyond the places it surrounds
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


class Made(NamedTuple):
    """A new puzzle, and how hard it is."""

    puzzle: Puzzle
    grade: str | None = None


@dataclass(frozen=True)
class Marks:
    """What to highlight in a picture. Cells and dots have the puzzle's own numbers."""

    new: frozenset[int] = frozenset()  #: places that have just been found
    because: frozenset[int] = frozenset()  #: places they follow from
    wrong: frozenset[int] = frozenset()  #: places that are a mistake
    cells: frozenset[int] = frozenset()  #: the cells concerned
    dots: frozenset[int] = frozenset()  #: the dots concerned
    done: frozenset[int] = frozenset()  #: cells whose clue is complete
    broken: frozenset[int] = frozenset()  #: cells whose clue can no longer be met
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

    kind: Kind
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
class Explained:
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


Task = tuple[str, Callable[[], Any]]  #: its name, and the function to call


@dataclass(frozen=True)
class PuzzleType(Unchanging):
    """A type of puzzle as its author defines it. The fields up to `draw` are required.

    Attributes:
        name: what it is called on the command line.
        marks: what can be drawn in a place.
        default: the default puzzle, as text.
        read: (text) -> the puzzle and its drawing, from any format; InvalidPosition if it is wrong.
        identify: (puzzle) -> the puzzle in one word that `read` understands; it begins with
            `NAME/`.
        places: the name of each place, as written in moves.
        fault: (puzzle, states) -> why this is not a solution, in a sentence; None if it is one.
        solve: (puzzle, seconds or None) -> how many solutions there are, and one of them.
        scene: (puzzle, states, marks) -> its picture; the targets are the places, in order.
        draw: (puzzle, place, state) -> the shapes of a mark at its place.
        title: by default its name with a capital letter.
        summary: in one line.
        palette: the colours of its scenes.
        rules: one sentence each.
        notation: how places are named in moves, in a sentence.
        formats: which texts `read` understands, in a sentence.
        done: what to say about a solution, such as `The loop is right`.
        size: rows and columns.
        facts: more about it, such as `12 clues`.
        read_place: (puzzle, text) -> a place, or InvalidMove; by default the text is looked up in
            `places`.
        rows: (puzzle, states, marks, unicode) -> lines for a terminal; by default the Scene is
            drawn.
        step: (puzzle, name, key) -> the name of the place that an arrow key or Tab moves to; a
            place can have several names.
        middle: (puzzle, place) -> the middle of the cell it belongs to, for the keys w, a, s and d.
        sample: the moves that solve the default puzzle, for pictures.
        sides: (puzzle, states) -> the cells whose colour, 0 or 1, is known.
        sides_words: what the colours mean, such as `inside and outside`.
        progress: (puzzle, states) -> complete clues and broken rules, as marks; it solves nothing.
        clue_shape: (puzzle, cell) -> the id of the clue of a cell in its scene, for `progress`.
        place_words: (puzzle, place, state) -> a mark by where it is, such as `the line above the
            3 in row 2`; by default its name.
        check: (puzzle, states) -> what is wrong with the marks so far.
        hint: (puzzle, states, seconds or None) -> a hint.
        explain: (puzzle, seconds or None) -> the solution step by step.
        writers: formats by their names; each writes (puzzle, states) as text.
        guide: a file with the rules and pictures; see `plywise.core.guide`.
        parameters: of new puzzles.
        generate: (seed, seconds or None, **parameters) -> a new puzzle; SpecError if there is
            none.
        daily: the parameters of the puzzles of a day, by the names of their sizes.
        warm: calls that make everything compile.
    """

    name: str
    marks: tuple[Mark, ...]
    default: str
    read: Callable[[str], tuple[Puzzle, States]]
    identify: Callable[[Puzzle], str]
    places: Callable[[Puzzle], Sequence[str]]
    fault: Callable[[Puzzle, States], str | None]
    solve: Callable[[Puzzle, float | None], Verdict]
    scene: Callable[[Puzzle, States, Marks], Scene]
    draw: Callable[[Puzzle, int, int], Sequence[Shape]]

    title: str = ""
    summary: str = ""
    palette: Palettes = INK
    rules: tuple[str, ...] = ()
    notation: str = ""
    formats: str = ""
    done: str = "Solved"
    size: Callable[[Puzzle], tuple[int, int]] | None = None
    facts: Callable[[Puzzle], str] | None = None
    read_place: Callable[[Puzzle, str], int] | None = None
    rows: Callable[[Puzzle, States, Marks, bool], Iterator[list[Span]]] | None = None
    step: Callable[[Puzzle, str, str], str] | None = None
    middle: Callable[[Puzzle, int], Point] | None = None
    sample: str = ""

    sides: Callable[[Puzzle, States], Mapping[int, int]] | None = None
    sides_words: str = ""
    progress: Callable[[Puzzle, States], Marks] | None = None
    clue_shape: Callable[[Puzzle, int], str] | None = None
    place_words: Callable[[Puzzle, int, int], str] | None = None
    check: Callable[[Puzzle, States], Check] | None = None
    hint: Callable[[Puzzle, States, float | None], PuzzleHint] | None = None
    explain: Callable[[Puzzle, float | None], Iterator[Explained]] | None = None
    writers: Mapping[str, Callable[[Puzzle, States], str]] = field(default_factory=dict, hash=False)
    guide: Path | None = None
    parameters: tuple[Parameter, ...] = ()
    generate: Callable[..., Made] | None = None
    daily: Mapping[str, Mapping[str, Value]] = field(default_factory=dict, hash=False)
    warm: Callable[[], Iterator[Task]] | None = None

    def __post_init__(self) -> None:
        check_palette(self.palette, self.name)
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
        return services.puzzles().reference(self)

    def heading(self, puzzle: Puzzle) -> str:
        """Return the title with the size."""
        if self.size is None:
            return self.title or self.name
        rows, cols = self.size(puzzle)
        return f"{self.title or self.name} {rows} x {cols}"

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

    def moves_of(self, puzzle: Puzzle, states: States) -> list[str]:
        """Return the moves that make all these marks, from an empty board."""
        return [
            self.move_text(puzzle, place, states[place])
            for place in self.order(puzzle, states)
            if states[place]
        ]

    def order(self, puzzle: Puzzle, states: States) -> Sequence[int]:
        """Return all places in the order in which their marks are listed: that of their numbers.

        A puzzle with a better order, such as along a path, overrides this.
        """
        return range(len(states))

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
