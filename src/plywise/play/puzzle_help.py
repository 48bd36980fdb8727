"""Help with a puzzle that is being solved: what its type says, or what its solution shows."""

from __future__ import annotations

import random
from collections.abc import Mapping

from plywise.core.puzzle import (
    Check,
    Circle,
    Made,
    Marks,
    Puzzle,
    PuzzleHint,
    PuzzleType,
    States,
    around,
)
from plywise.core.scene import Scene
from plywise.core.spec import Spec, Value, bind
from plywise.errors import SpecError

SEEDS = 10**6  #: a random seed for a new puzzle is below this


def check(kind: PuzzleType, puzzle: Puzzle, states: States, seconds: float | None = None) -> Check:
    """Is everything right so far?"""
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
    names = ", ".join(kind.places(puzzle)[place] for place in wrong)
    what = "There is a mistake" if len(wrong) == 1 else f"There are {len(wrong)} mistakes"
    return Check(f"{what}: {names}.", wrong)


def hint(
    kind: PuzzleType, puzzle: Puzzle, states: States, seconds: float | None = None
) -> PuzzleHint:
    """The first mistake, or else the next step; a type without hints of its own shows a place."""
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
        steps = ("There is a mistake.", f"It is {names[place]}: {mark} is wrong there.")
        return PuzzleHint("mistake", steps, ((place, 0),), Marks(wrong=frozenset([place])))
    place = next(k for k, state in enumerate(true) if state and states[k] != state)
    steps = (f"Look at {names[place]}.", f"{names[place]} is {kind.marks[true[place] - 1].words}.")
    return PuzzleHint("step", steps, ((place, true[place]),), Marks(new=frozenset([place])))


def area(scene: Scene, found: PuzzleHint) -> Circle | None:
    """Where a hint says to look: as it says, or round the places that it marks."""
    if found.area is not None:
        return found.area
    places = found.marks.wrong or found.marks.new
    return around([scene.targets[place].at for place in places])


def make(
    kind: PuzzleType, params: Mapping[str, Value], seed: int | None, seconds: float | None
) -> tuple[Made, int]:
    """A new puzzle with these parameters, and its random seed; one is drawn if there is none."""
    if kind.generate is None:
        raise SpecError(f"{kind.name} makes no new puzzles")
    bound = bind(Spec.of(kind.name, params), kind.parameters, kind.name)
    number = random.SystemRandom().randrange(SEEDS) if seed is None else seed
    return kind.generate(number, seconds, **bound), number


def _mistakes(states: States, solution: States) -> tuple[int, ...]:
    """What is not as in the only solution."""
    return tuple(k for k, state in enumerate(states) if state not in (0, solution[k]))


#: Why a puzzle cannot be judged.
PROBLEMS = {
    "several": "This puzzle has several solutions: nobody can say which marks are right.",
    "none": "This puzzle has no solution.",
    "unknown": "This puzzle is too hard to be judged here.",
}
