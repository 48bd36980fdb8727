"""Help with a drawing: what breaks a rule, the first mistake, the next step, the whole solution."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator, Mapping
from dataclasses import replace

from plywise.core.puzzle import Check, ExplainedStep, Marks, PuzzleHint, States
from plywise.kit.words import listing
from plywise.puzzles.slither.grid import CROSS, LINE, NO_CLUE, UNKNOWN, Drawing, Puzzle
from plywise.puzzles.slither.logic.steps import Step, explain
from plywise.puzzles.slither.logic.study import IN
from plywise.puzzles.slither.places import place_words
from plywise.puzzles.slither.scene import circle_round, clue_id, highlights
from plywise.puzzles.slither.solver.engine import Result, find_one, solve

MOST = 5  #: mistakes that are named
MOST_BECAUSE = 60  #: lines that are marked as reasons; of more, none is


def check(puzzle: Puzzle, states: States) -> Check:
    """Check whether everything drawn so far is right."""
    drawing = Drawing(puzzle, states)
    if drawing.solved:
        return Check("The loop is right.")
    result = solve(puzzle)
    if result.status == "none":
        return Check("The puzzle has no solution.")
    wrong = _mistakes(drawing, result)
    if wrong:
        names = [place_words(puzzle, line, states[line]) for line in wrong[:MOST]]
        names += [f"{len(wrong) - MOST} more"] if len(wrong) > MOST else []
        what = "There is a mistake" if len(wrong) == 1 else f"There are {len(wrong)} mistakes"
        return Check(f"{what}: {listing(names)}.", wrong)
    return Check("Everything is right so far.")


def progress(puzzle: Puzzle, states: States) -> Marks:
    """Return what is complete, what breaks a rule and which side is known, without solving.

    A 0 is complete when its four lines are crossed out.
    """
    drawing, layout = Drawing(puzzle, states), puzzle.layout
    done, broken, wrong = set[str](), set[str](), set[int]()
    for cell, around in enumerate(layout.cell_lines[: len(puzzle.clues)].tolist()):
        clue = puzzle.clues[cell]
        near = [states[line] for line in around]
        lines, crosses = near.count(LINE), near.count(CROSS)
        if clue == NO_CLUE:
            continue
        if lines > clue or crosses > 4 - clue:
            broken.add(clue_id(puzzle, cell))
        elif lines == clue and (clue > 0 or crosses == 4):
            done.add(clue_id(puzzle, cell))
    for around in layout.dot_lines[: layout.dots].tolist():
        there = [line for line in around if line >= 0]
        drawn = [line for line in there if states[line] == LINE]
        if len(drawn) > 2 or (len(drawn) == 1 and all(states[line] for line in there)):
            wrong.update(drawn)
    if not drawing.solved:
        wrong.update(*drawing.loops)
    return Marks(
        done=frozenset(done),
        broken=frozenset(broken),
        wrong=frozenset(wrong),
        sides=drawing.sides,
    )


def hint(puzzle: Puzzle, states: States, seconds: float | None) -> PuzzleHint:
    """Return the first mistake, or else the next step: where to look, the technique, the move.

    The search for chains ends at the time limit.
    """
    drawing = Drawing(puzzle, states)
    if drawing.solved:
        return PuzzleHint("solved", ("The loop is complete.",))
    result = solve(puzzle)
    if result.status == "none":
        return PuzzleHint("no solution", ("The puzzle has no solution.",))
    wrong = _mistakes(drawing, result)
    if wrong:
        return _mistake(drawing, wrong[0])
    step = next(explain(puzzle, drawing, time_limit=seconds), None)
    if step is None:
        return PuzzleHint("no solution", ("The rest can be drawn in more than one way.",))
    told = (_where(step), f"{step.technique.title}.", f"{step.words} So {step.conclusion}.")
    changes = tuple(sorted(step.new))
    return PuzzleHint("step", told, changes, step.marks, circle_round(puzzle, step.marks))


def _mistakes(drawing: Drawing, result: Result) -> tuple[int, ...]:
    """Lines that differ from the only solution; with several, the first that fits none of them."""
    if result.status != "unique":
        first = _first_that_fails(drawing)
        return () if first is None else (first,)
    assert result.solution is not None
    true = result.solution.states
    return tuple(k for k, state in enumerate(drawing.states) if state not in (UNKNOWN, true[k]))


def _first_that_fails(drawing: Drawing) -> int | None:
    """The first line after which no solution is left; None if the drawing fits a solution."""
    if find_one(drawing.puzzle, drawing) is not None:
        return None
    known = [line for line, state in enumerate(drawing.states) if state != UNKNOWN]

    def fails(last: int) -> bool:
        kept = ((line, drawing.states[line]) for line in known[: last + 1])
        return find_one(drawing.puzzle, Drawing.empty(drawing.puzzle).change(kept)) is None

    return known[bisect_left(range(len(known) - 1), True, key=fails)]


def _mistake(drawing: Drawing, line: int) -> PuzzleHint:
    puzzle = drawing.puzzle
    drawn = drawing.states[line] == LINE
    name = place_words(puzzle, line, drawing.states[line])
    cells = puzzle.cells_beside(line)
    what = "is not part of the loop" if drawn else "should be a line of the loop"
    told = (
        f"There is a mistake next to {puzzle.cell_name(cells[0])}.",
        f"A line is {'drawn' if drawn else 'crossed out'} that should not be.",
        f"{name[0].upper()}{name[1:]} {what}.",
    )
    marks = Marks(wrong=frozenset([line]), cells=frozenset(cells))
    return PuzzleHint("mistake", told, ((line, 0),), marks, circle_round(puzzle, marks))


def _where(step: Step) -> str:
    puzzle = step.before.puzzle
    if step.dots and not step.cells:
        return f"Look at {puzzle.dot_name(min(step.dots))}."
    line = step.new[0][0] if step.new else 0
    cell = min(step.cells) if step.cells else puzzle.cells_beside(line)[0]
    return f"Look at {puzzle.cell_name(cell)}."


# ---- the solution as a film --------------------------------------------------------------------


def film(puzzle: Puzzle, seconds: float | None) -> Iterator[ExplainedStep]:
    """Explain the solution step by step; what is tried out for a conclusion comes before it."""
    for step in explain(puzzle, time_limit=seconds):
        changes: dict[int, int] = {}
        touched: set[int] = set()  # lines of the trial before
        for number, trial in enumerate(step.trials, 1):
            changes |= {line: step.before.states[line] for line in touched}
            changes |= dict(trial.assumed)
            touched = {line for line, _ in trial.assumed}
            sides = {cell: 0 if side == IN else 1 for cell, side in trial.sides}
            for inner in trial.steps:
                lead = "If so: " if step.chain else f"Way {number}: "
                frame = _picture(inner, lead, tuple(changes.items()), sides)
                yield replace(frame, because=frame.because | touched - frame.found)
                touched |= {line for line, _ in inner.new}
                changes = {}
        changes |= {line: step.before.states[line] for line in touched}
        yield _picture(step, "", tuple(changes.items()), {})


def _picture(
    step: Step, before: str, changes: tuple[tuple[int, int], ...], sides: Mapping[int, int]
) -> ExplainedStep:
    marks = replace(step.marks, sides={**sides, **step.marks.sides})
    conclusion = f"So {step.conclusion}." if step.conclusion else ""
    return ExplainedStep(
        before + step.technique.title,
        tuple(filter(None, (step.words, conclusion))),
        (*changes, *step.new),
        marks.new,
        step.because if len(step.because) <= MOST_BECAUSE else frozenset(),
        highlights(step.before.puzzle, marks),
    )
