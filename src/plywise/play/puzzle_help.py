"""Help with a puzzle being solved: from its type, or from its solution."""

from __future__ import annotations

import random
import time
from collections.abc import Mapping
from dataclasses import dataclass
from zlib import crc32

from plywise.core.puzzle import (
    Check,
    Circle,
    Marks,
    NewPuzzle,
    Puzzle,
    PuzzleHint,
    PuzzleType,
    States,
    Status,
    around,
)
from plywise.core.scene import Scene
from plywise.core.spec import Spec, Value, bind
from plywise.errors import SpecError
from plywise.play.attempt import Attempt

SEEDS = 10**6  #: random seeds of new puzzles are below this


@dataclass(frozen=True)
class SolverResult:
    """What the computer found: how many solutions there are, and one of them."""

    status: Status
    solution: States | None  #: without the marks that it does not need
    seconds: float  #: how long the solver took

    @property
    def words(self) -> str:
        """The result in a sentence."""
        if self.solution is None:
            return _UNSOLVED[self.status].format(time=duration(self.seconds))
        return f"{_SOLVED[self.status]}, found in {duration(self.seconds)}."

    def lines(self, kind: PuzzleType, puzzle: Puzzle) -> list[str]:
        """Return the result and the moves of the solution, a line each."""
        if self.solution is None:
            return [self.words]
        return [self.words, f"moves: {', '.join(kind.moves_of(puzzle, self.solution))}"]


_SOLVED = {
    "unique": "The only solution",
    "several": "One of several solutions",
    "unknown": "A solution, perhaps not the only one",
}
_UNSOLVED = {
    "none": "This puzzle has no solution.",
    "unknown": "No solution was found in {time}: this puzzle takes longer.",
}


def solve(kind: PuzzleType, puzzle: Puzzle, seconds: float | None = None) -> SolverResult:
    """Let the computer solve a puzzle within a time limit."""
    begun = time.monotonic()
    found = kind.solve(puzzle, seconds)
    took = time.monotonic() - begun if found.seconds is None else found.seconds
    solution = None if found.solution is None else kind.needed(puzzle, found.solution)
    return SolverResult(found.status, solution, took)


def duration(seconds: float) -> str:
    """Format a time, in milliseconds if it is short.

    >>> duration(0.00123), duration(2.5)
    ('1.2 ms', '2.5 s')
    """
    return f"{1000 * seconds:.1f} ms" if seconds < 1 else f"{seconds:.1f} s"


def check(kind: PuzzleType, puzzle: Puzzle, states: States, seconds: float | None = None) -> Check:
    """Check whether everything is right so far."""
    if kind.check is not None:
        return kind.check(puzzle, states)
    if kind.fault(puzzle, states) is None:
        return Check(f"{kind.done}.")
    found = kind.solve(puzzle, seconds)
    if found.status != "unique" or found.solution is None:
        return Check(PROBLEMS[found.status])
    wrong = _mistakes(states, found.solution)
    if not wrong:
        return Check("Everything is right so far.")
    names = ", ".join(kind.words_of(puzzle, place, states[place]) for place in wrong)
    what = "There is a mistake" if len(wrong) == 1 else f"There are {len(wrong)} mistakes"
    return Check(f"{what}: {names}.", wrong)


def hint(
    kind: PuzzleType, puzzle: Puzzle, states: States, seconds: float | None = None
) -> PuzzleHint:
    """Point out the first mistake, or the next step; without hints of its own, just a place."""
    if kind.hint is not None:
        return kind.hint(puzzle, states, seconds)
    if kind.fault(puzzle, states) is None:
        return PuzzleHint("solved", (f"{kind.done}.",))
    found = kind.solve(puzzle, seconds)
    if found.status != "unique" or found.solution is None:
        return PuzzleHint("no solution", (PROBLEMS[found.status],))
    names, true = kind.places(puzzle), found.solution
    wrong = _mistakes(states, true)
    if wrong:
        place = wrong[0]
        mark = kind.marks[states[place] - 1].words
        steps = ("There is a mistake.", f"Look at {names[place]}: {mark} is wrong there.")
        return PuzzleHint("mistake", steps, ((place, 0),), Marks(wrong=frozenset([place])))
    place = next(k for k, state in enumerate(true) if state and states[k] != state)
    steps = (f"Look at {names[place]}.", f"{names[place]} is {kind.marks[true[place] - 1].words}.")
    return PuzzleHint("step", steps, ((place, true[place]),), Marks(new=frozenset([place])))


def area(scene: Scene, found: PuzzleHint) -> Circle | None:
    """Return the area a hint points to: its own, or one around the places it marks."""
    if found.area is not None:
        return found.area
    places = found.marks.wrong or found.marks.new
    return around([scene.targets[place].at for place in places])


def make(
    kind: PuzzleType, params: Mapping[str, Value], seed: int | None, seconds: float | None
) -> tuple[NewPuzzle, int]:
    """Generate a puzzle with these parameters; return it with its seed, random by default."""
    if kind.generate is None:
        raise SpecError(f"{kind.name} cannot generate puzzles")
    bound = bind(Spec.of(kind.name, params), kind.parameters, kind.name)
    number = random.SystemRandom().randrange(SEEDS) if seed is None else seed
    return kind.generate(number, seconds, **bound), number


def of_the_day(kind: PuzzleType, date: str, size: str, seconds: float | None) -> NewPuzzle:
    """Generate the puzzle of a date, such as 2026-05-17, in a size of `kind.daily`.

    Its seed is made from the date, the size and the type, so it is the same for everybody.
    """
    seed = crc32(f"{kind.name} {size} {date}".encode()) % SEEDS
    return make(kind, kind.daily[size], seed, seconds)[0]


def rewind(attempt: Attempt, seconds: float | None = None) -> tuple[Attempt, Check]:
    """Undo moves until none of the marks is wrong; return the attempt and its last check."""
    while True:
        kind, puzzle, states = attempt.kind, attempt.puzzle, attempt.states
        found = check(kind, puzzle, states, seconds)
        wrong = [(place, states[place]) for place in found.wrong]
        if not wrong or not attempt.moves:
            return attempt, found
        while attempt.moves and any(attempt.states[place] == state for place, state in wrong):
            attempt = attempt.undo()


def _mistakes(states: States, solution: States) -> tuple[int, ...]:
    """Return the marked places that differ from the only solution."""
    return tuple(k for k, state in enumerate(states) if state not in (0, solution[k]))


#: Why a puzzle cannot be checked.
PROBLEMS = {
    "several": "This puzzle has several solutions, so your marks cannot be checked.",
    "none": "This puzzle has no solution.",
    "unknown": "This puzzle is too hard to check here.",
}
