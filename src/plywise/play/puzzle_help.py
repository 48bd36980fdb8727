"""Help with a puzzle that is being solved: what its type says, or what its solution shows."""

from __future__ import annotations

from plywise.core.puzzle import (
    Check,
    Circle,
    Marks,
    Puzzle,
    PuzzleHint,
    PuzzleType,
    States,
    around,
)
from plywise.core.scene import Scene

ROOM = 0.75  #: how far the circle of a hint reaches round what it is about


def check(kind: PuzzleType, puzzle: Puzzle, states: States) -> Check:
    """Is everything right so far?"""
    if kind.check is not None:
        return kind.check(puzzle, states)
    if kind.fault(puzzle, states) is None:
        return Check(f"{kind.done}.")
    wrong, problem = _mistakes(kind, puzzle, states, None)
    if problem:
        return Check(problem)
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
    wrong, problem = _mistakes(kind, puzzle, states, seconds)
    if problem:
        return PuzzleHint("no solution", (problem,))
    solution = kind.solve(puzzle, seconds).solution
    assert solution is not None
    names = kind.places(puzzle)
    if wrong:
        place = wrong[0]
        steps = (
            "There is a mistake.",
            f"It is {names[place]}: {kind.marks[states[place] - 1].words} is wrong there.",
        )
        marks = Marks(wrong=frozenset([place]))
        return PuzzleHint("mistake", steps, ((place, 0),), marks)
    place = next(k for k, state in enumerate(solution) if state and states[k] != state)
    steps = (
        f"Look at {names[place]}.",
        f"{names[place]} is {kind.marks[solution[place] - 1].words}.",
    )
    return PuzzleHint("step", steps, ((place, solution[place]),), Marks(new=frozenset([place])))


def area(scene: Scene, found: PuzzleHint) -> Circle | None:
    """Where a hint says to look: as it says, or round the places that it marks."""
    if found.area is not None:
        return found.area
    places = found.marks.wrong or found.marks.new
    return around([scene.targets[place].at for place in places], ROOM)


def _mistakes(
    kind: PuzzleType, puzzle: Puzzle, states: States, seconds: float | None
) -> tuple[tuple[int, ...], str]:
    """What is not as in the only solution, or why nobody can say."""
    found = kind.solve(puzzle, seconds)
    if found.status != "unique":
        return (), PROBLEMS[found.status]
    assert found.solution is not None
    true = found.solution
    return tuple(k for k, state in enumerate(states) if state not in (0, true[k])), ""


#: Why a puzzle cannot be judged.
PROBLEMS = {
    "several": "This puzzle has several solutions: nobody can say which line is right.",
    "none": "This puzzle has no solution.",
    "unknown": "This puzzle is too hard to be judged here.",
}
