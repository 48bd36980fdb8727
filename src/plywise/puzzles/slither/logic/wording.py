"""Explain steps in words: what each technique saw, and which lines, cells and dots it used.

A writer gets a step without words, the place that its technique found, the record of the study, and
the cells whose side was known before. It returns the step with its words and marks.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np

from plywise.puzzles.slither.grid import CROSS, LINE, UNKNOWN, Puzzle
from plywise.puzzles.slither.logic import study as origins
from plywise.puzzles.slither.logic.study import IN
from plywise.puzzles.slither.places import place_words

if TYPE_CHECKING:
    from plywise.puzzles.slither.logic.steps import Step

Record = Any
_COUNTS = ("no line", "one line", "two lines", "three lines", "four lines")
_CROSSES = ("never crosses the loop", "crosses the loop once", "crosses the loop twice")
_ENTERED = {1: "has no other line", 3: "needs both lines at the opposite corner"}
_CORNERS = ("up or left", "up or right", "down or left", "down or right")


def _in_state(step: Step, lines: Iterable[Any], *wanted: int) -> frozenset[int]:
    """Those of the lines that were in one of these states before the step."""
    states = step.before.states
    return frozenset(int(line) for line in lines if line >= 0 and states[line] in wanted)


def _known(step: Step, lines: Iterable[Any] | None = None) -> frozenset[int]:
    """Those of the lines that were known before the step; by default of all."""
    return _in_state(step, range(len(step.before.states)) if lines is None else lines, LINE, CROSS)


def _count(step: Step, lines: Iterable[Any], state: int) -> int:
    return sum(line >= 0 and step.before.states[line] == state for line in lines)


# ---- simple techniques ---------------------------------------------------------------------


def write_clue(step: Step, cell: int, record: Record, sides: Mapping[int, int]) -> Step:
    """Explain counting lines around a clue."""
    puzzle = step.before.puzzle
    lines = puzzle.layout.cell_lines[cell]
    clue, drawn = puzzle.clues[cell], _count(step, lines, LINE)
    room = 4 - _count(step, lines, CROSS)
    where = f"The {clue} in {puzzle.cell_name(cell)}"
    state = LINE if drawn >= clue else CROSS
    if step.failed and drawn > clue:
        words = f"{where} already has {_COUNTS[drawn]}."
    elif step.failed:
        state = CROSS
        words = f"{where} has room for {'only ' if room else ''}{_COUNTS[room]}."
    elif drawn < clue:
        words = f"{where} needs every line that is left."
    elif clue == 0:
        words = f"{where} has no lines around it."
    else:
        words = f"{where} already has its {_COUNTS[clue]}."
    used = _in_state(step, lines, state)
    return replace(step, words=words, because=used, cells=frozenset([cell]))


def write_dot(step: Step, dot: int, record: Record, sides: Mapping[int, int]) -> Step:
    """Explain two lines or none at a dot."""
    puzzle = step.before.puzzle
    lines = puzzle.layout.dot_lines[dot]
    drawn, where = _count(step, lines, LINE), puzzle.dot_name(dot)
    if drawn > 2:
        words = f"Three lines meet at {where}."
    elif step.failed:
        words = f"The line at {where} is a dead end."
    elif drawn == 2:
        words = f"Two lines already meet at {where}."
    elif drawn == 1:
        words = f"The line at {where} can only go one way."
    else:
        words = f"A line to {where} would be a dead end."
    used = _in_state(step, lines, LINE) if drawn >= 2 else _known(step, lines)
    return replace(step, words=words, because=used, dots=frozenset([dot]))


def write_corner(step: Step, corner: int, record: Record, sides: Mapping[int, int]) -> Step:
    """Explain a clue with a dead corner."""
    puzzle, layout = step.before.puzzle, step.before.puzzle.layout
    cell, dot = int(layout.corner_cell[corner]), corner // 4
    clue = puzzle.clues[cell]
    what = "must use both lines" if clue == 3 else "cannot use either line"
    words = f"The {clue} in {puzzle.cell_name(cell)} {what} at its dead corner."
    used = _known(step, layout.corner_lines[corner ^ 3])
    return replace(step, words=words, because=used, cells=frozenset([cell]), dots=frozenset([dot]))


def write_adjacent(step: Step, line: int, record: Record, sides: Mapping[int, int]) -> Step:
    """Explain two 3s side by side."""
    puzzle = step.before.puzzle
    one, two = (int(cell) for cell in puzzle.layout.line_cells[line])
    row, col = one // puzzle.cols + 1, one % puzzle.cols + 1
    where = f"row {row}, columns {col} and {col + 1}"
    if two // puzzle.cols + 1 != row:
        where = f"column {col}, rows {row} and {row + 1}"
    words = f"The 3s in {where} always have three parallel lines."
    return replace(step, words=words, cells=frozenset([one, two]))


def write_diagonal(step: Step, dot: int, record: Record, sides: Mapping[int, int]) -> Step:
    """Explain two 3s corner to corner."""
    puzzle, layout = step.before.puzzle, step.before.puzzle.layout
    for k in range(2):
        cells = [int(layout.corner_cell[4 * dot + k]), int(layout.corner_cell[4 * dot + (k ^ 3)])]
        if all(cell < len(puzzle.clues) and puzzle.clues[cell] == 3 for cell in cells):
            break
    words = f"Each 3 at {puzzle.dot_name(dot)} has only one line there."
    return replace(step, words=words, cells=frozenset(cells), dots=frozenset([dot]))


def write_loop(step: Step, line: int, record: Record, sides: Mapping[int, int]) -> Step:
    """Explain a loop that would close too early."""
    puzzle, layout = step.before.puzzle, step.before.puzzle.layout
    states = step.before.states
    dot, goal = (int(end) for end in layout.line_dots[line])
    path: list[int] = []
    while dot != goal:
        for near in layout.dot_lines[dot]:
            if near >= 0 and states[near] == LINE and int(near) not in path[-1:]:
                path.append(int(near))
                dot = int(layout.line_dots[near].sum()) - dot
                break
    name = place_words(puzzle, line, LINE)
    words = f"T{name[1:]} would close a loop of {len(path) + 1} lines too early."
    used = set(path)
    if other := [k for k, state in enumerate(states) if state == LINE and k not in used]:
        used.add(other[0])
    return replace(step, words=words, because=frozenset(used))


def write_entry(step: Step, corner: int, record: Record, sides: Mapping[int, int]) -> Step:
    """Explain a line that comes to the corner of a clue."""
    puzzle, layout = step.before.puzzle, step.before.puzzle.layout
    cell, dot = int(layout.corner_cell[corner]), corner // 4
    clue = puzzle.clues[cell]
    words = (
        f"The line at {puzzle.dot_name(dot)} goes on along the {clue} in "
        f"{puzzle.cell_name(cell)}, which {_ENTERED[clue]}."
    )
    used = _known(step, layout.corner_lines[corner ^ 3])
    return replace(step, words=words, because=used, cells=frozenset([cell]), dots=frozenset([dot]))


# ---- pairs ---------------------------------------------------------------------------------


def _gather(
    step: Step, fact: int, record: Record, found: dict[int, int], used: set[int], cells: set[int]
) -> None:
    """Collect a fact about a pair after all the facts it follows from, with their origins."""
    if fact in found:
        return
    layout = step.before.puzzle.layout
    corner, origin = fact >> 1, int(record.origin[fact])
    parents = [int(parent) for parent in record.parent[fact]]
    if origin == origins.FROM_LINE and parents[0] >= 0:
        used.add(parents[0])
    if origin in (origins.FROM_CLUE, origins.FROM_OPPOSITE, origins.FROM_MATE):
        cells.add(int(layout.corner_cell[corner]))
    if origin == origins.FROM_OPPOSITE:
        used |= _known(step, layout.corner_lines[layout.corner_mate[corner]])
    if origin in (origins.FROM_DOT, origins.FROM_BOTH, origins.FROM_MATE):
        for parent in parents:
            if parent >= 0:
                _gather(step, parent, record, found, used, cells)
    found[fact] = origin


def _pair_reason(puzzle: Puzzle, fact: int, found: Mapping[int, int]) -> list[str]:
    """Explain a fact in sentences: the clues it starts from, then the diagonal they act along."""

    def place(fact: int) -> str:
        row, col = divmod(fact // 8, puzzle.cols + 1)
        return f"{_CORNERS[fact // 2 % 4]} from dot {row + 1}, {col + 1}"

    def cell_of(fact: int) -> int:
        return int(puzzle.layout.corner_cell[fact >> 1])

    start = [f for f in found if found[f] in (origins.FROM_CLUE, origins.FROM_OPPOSITE)]
    exact = len(start) == 2 and start[0] >> 1 == start[1] >> 1
    sentences = []
    for root in start[:1] if exact else start:
        count = "allows at most one" if root & 1 else "needs at least one"
        count = "has exactly one" if exact else count
        clue = f"The {puzzle.clues[cell_of(root)]} in {puzzle.cell_name(cell_of(root))}"
        sentences.append(f"{clue} {count} line {place(root)}.")
    if fact in start:
        return sentences
    few = "at most one" if fact & 1 else "at least one"
    twos = {cell_of(f) for f in found if found[f] == origins.FROM_MATE}
    if twos:
        way = f"Across the 2 in {puzzle.cell_name(min(twos))}"
        way = way if len(twos) == 1 else "Along the diagonal of 2s"
        sentences.append(f"{way}, {few} line goes {place(fact)}.")
    elif start:
        sentences.append(f"So {few} line goes {place(fact)}.")
    else:
        here, across = _CORNERS[fact // 2 % 4], place(fact ^ 6)
        sentences.append(f"A line goes {across}, so {few} goes {here}.")
    return sentences


def write_pair(step: Step, corner: int, record: Record, sides: Mapping[int, int]) -> Step:
    """Explain two lines at a corner."""
    puzzle, layout = step.before.puzzle, step.before.puzzle.layout
    found: dict[int, int] = {}
    used: set[int] = set()
    cells: set[int] = set()
    pair = layout.corner_lines[corner]
    crossed = sum(line < 0 or step.before.states[line] == CROSS for line in pair)
    drawn = _count(step, pair, LINE)
    new = {line for line, _ in step.new}
    some, few = (bool(record.pair[2 * corner + k]) for k in range(2))
    if step.failed:
        fact = 2 * corner if some and crossed == 2 else 2 * corner + 1
        used |= _known(step, pair)
        ending = f"But {'neither can be' if crossed == 2 else 'both are'} drawn."
    elif any(int(line) in new for line in pair):
        used |= _known(step, pair)
        if some and crossed == 1 and drawn == 0:
            fact, ending = 2 * corner, "Only one of the two is possible."
        elif few and drawn == 1:
            fact, ending = 2 * corner + 1, "One of the two is already drawn."
        else:
            used |= _known(step, layout.corner_lines[corner ^ 3])
            fact = 2 * corner if some else 2 * corner + 1
            what = "both are" if some else "neither is"
            ending = f"No line comes from across the dot, so {what} drawn."
    else:
        clue = puzzle.clues[int(layout.corner_cell[corner])]
        cells.add(int(layout.corner_cell[corner]))
        fact = 2 * corner if clue == 1 else 2 * corner + 1
        what = "crossed out" if clue == 1 else "drawn"
        ending = f"So the other two lines of the {clue} are {what}."
    _gather(step, fact, record, found, used, cells)
    words = " ".join([*_pair_reason(puzzle, fact, found), ending])
    return replace(
        step,
        words=words,
        because=frozenset(used),
        cells=frozenset(cells),
        dots=frozenset([corner // 4]),
    )


# ---- sides ---------------------------------------------------------------------------------


def _way_around(
    step: Step, start: int, goal: int, avoid: int, sides: Mapping[int, int]
) -> tuple[list[int], list[int]]:
    """Find the shortest way between two cells over known lines.

    Returns those lines, and the cells on the way whose side was known before; neither if there is
    no way.
    """
    layout = step.before.puzzle.layout
    states = step.before.states
    outside = int(layout.cells) - 1
    rim = np.flatnonzero((layout.line_cells[: len(states)] == outside).any(axis=1))
    came: dict[int, tuple[int, int]] = {start: (-1, -1)}
    waiting = deque([start])
    while waiting and goal not in came:
        cell = waiting.popleft()
        for line in rim if cell == outside else layout.cell_lines[cell]:
            line = int(line)
            if line != avoid and states[line] != UNKNOWN:
                near = int(layout.line_cells[line].sum()) - cell
                if near not in came:
                    came[near] = cell, line
                    waiting.append(near)
        jumps = list(sides) if cell == outside else [outside] if cell in sides else []
        for near in jumps:
            if near not in came:
                came[near] = cell, -1
                waiting.append(near)
    if goal not in came:
        return [], []
    lines, cells, cell = [], [], goal
    while cell != start:
        above, line = came[cell]
        if line >= 0:
            lines.append(line)
        else:
            cells += [c for c in (cell, above) if c != outside]
        cell = above
    return lines, cells


def write_side(step: Step, line: int, record: Record, sides: Mapping[int, int]) -> Step:
    """Explain inside and outside."""
    puzzle = step.before.puzzle
    if line >= puzzle.lines:  # a contradiction about a cell
        cell = line - puzzle.lines
        words = f"{puzzle.cell_name(cell).capitalize()} would be both inside and outside."
        return replace(step, words=words, cells=frozenset([cell]))
    one, two = (int(cell) for cell in puzzle.layout.line_cells[line])
    used, known = _way_around(step, one, two, line, sides)
    cells = frozenset(cell for cell in (one, two, *known) if cell < len(puzzle.clues))
    if step.failed:
        words = f"{puzzle.cell_name(one).capitalize()} would be both inside and outside."
        return replace(step, words=words, because=frozenset([*used, line]), cells=cells)
    pair = f"{puzzle.cell_name(one)} and {puzzle.cell_name(two)}"
    if known:
        where = "the same side" if step.new[0][1] == CROSS else "different sides"
        words = f"{pair.capitalize()} are on {where} of the loop."
    else:
        crossings = _count(step, used, LINE)
        crosses = _CROSSES[crossings] if crossings <= 2 else f"crosses the loop {crossings} times"
        words = f"A known route between {pair} {crosses}."
    return replace(step, words=words, because=frozenset(used), cells=cells)


def write_connection(step: Step, cell: int, record: Record, sides: Mapping[int, int]) -> Step:
    """Explain inside and outside that stay connected."""
    puzzle = step.before.puzzle
    known = _known(step)
    if step.failed or not step.sides:
        words = "The inside or the outside of the loop would not be connected."
        return replace(step, words=words, because=known)
    where, side = step.sides[0]
    name = "inside" if side == IN else "outside"
    words = f"Without {puzzle.cell_name(where)}, part of the {name} would be cut off."
    return replace(step, words=words, because=known, cells=frozenset([where]))


def write_either(step: Step, cell: int, record: Record, sides: Mapping[int, int]) -> Step:
    """Explain a cell that one side needs, whichever side another cell is on."""
    puzzle = step.before.puzzle
    known = _known(step)
    name = puzzle.cell_name(cell)
    if step.failed or not step.sides:
        words = f"The {puzzle.clues[cell]} in {name} would be out of reach of one side of the loop."
        return replace(step, words=words, because=known, cells=frozenset([cell]))
    where, side = step.sides[0]
    kind, other = ("inside", "outside") if side == IN else ("outside", "inside")
    if where == cell:
        words = f"The {other} of the loop cannot reach {name}."
    elif int(record.ways):
        words = (
            f"Part of the {kind} is at the {puzzle.clues[cell]} in {name}. "
            f"Without {puzzle.cell_name(where)} it would be cut off."
        )
    else:
        words = (
            f"Whether {name} is inside or outside, without {puzzle.cell_name(where)} "
            f"part of the {kind} would be cut off."
        )
    return replace(step, words=words, because=known, cells=frozenset([where, cell]))


# ---- case analysis -------------------------------------------------------------------------


def write_cases(
    side: int, step: Step, corner: int, record: Record, sides: Mapping[int, int]
) -> Step:
    """Explain a case analysis of a window of side x side cells."""
    puzzle = step.before.puzzle
    row, col = divmod(corner, puzzle.cols)
    high, wide = min(side, puzzle.rows), min(side, puzzle.cols)
    cells = frozenset(
        r * puzzle.cols + c for r in range(row, row + high) for c in range(col, col + wide)
    )
    name = puzzle.cell_name(corner)
    where = name if len(cells) == 1 else f"the {high} x {wide} block at {name}"
    known = _known(step)
    if step.failed:
        words = f"There is no way to draw the lines of {where}."
        return replace(step, words=words, because=known, cells=cells)
    ways = int(record.ways)
    words = f"There is only one way to draw the lines of {where}."
    if ways > 1:
        count = "Both" if ways == 2 else f"All {ways}"
        words = f"{count} ways to draw the lines of {where} agree here."
    return replace(step, words=words, because=known, cells=cells)
