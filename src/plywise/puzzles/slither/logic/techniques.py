"""The techniques that people use; each function finds the places where its technique helps.

A function writes its conclusions into the study and returns how many there are. With `one` it stops
at the first place. For a contradiction it sets `failed` and `place`.
"""

from __future__ import annotations

from plywise.core.game import Record
from plywise.jit import rule
from plywise.puzzles.slither.grid import CROSS, LINE, UNKNOWN
from plywise.puzzles.slither.logic.study import (
    conclude,
    fits_alone,
    label_of,
    parity_of,
    work_out_pairs,
    work_out_paths,
    work_out_sides,
)


@rule
def fail(s: Record, place: int) -> int:
    """Note a contradiction at a place."""
    s.failed = 1
    s.place = place
    return s.found


@rule
def find_clues(t: Record, clues: Record, s: Record, one: bool) -> int:
    """Find clues that already have all their lines, or need every line that is left."""
    for cell in range(t.cells - 1):
        clue = clues[cell]
        if clue < 0:
            continue
        drawn = 0
        crossed = 0
        for k in range(4):
            state = s.value[t.cell_lines[cell, k]]
            drawn += state == LINE
            crossed += state == CROSS
        if drawn > clue or crossed > 4 - clue:
            return fail(s, cell)
        if drawn + crossed < 4 and (drawn == clue or crossed == 4 - clue):
            for k in range(4):
                line = t.cell_lines[cell, k]
                if s.value[line] == UNKNOWN:
                    conclude(s, line, CROSS if drawn == clue else LINE)
            s.place = cell
            if one:
                break
    return s.found


@rule
def find_dots(t: Record, clues: Record, s: Record, one: bool) -> int:
    """Find dots with two lines, with one line that can go only one way, or with a dead end."""
    for dot in range(t.dots):
        drawn = 0
        unknown = 0
        for k in range(4):
            line = t.dot_lines[dot, k]
            if line >= 0:
                drawn += s.value[line] == LINE
                unknown += s.value[line] == UNKNOWN
        if drawn > 2 or (drawn == 1 and unknown == 0):
            return fail(s, dot)
        if (drawn == 2 and unknown > 0) or (drawn < 2 and unknown == 1):
            for k in range(4):
                line = t.dot_lines[dot, k]
                if line >= 0 and s.value[line] == UNKNOWN:
                    conclude(s, line, LINE if drawn == 1 else CROSS)
            s.place = dot
            if one:
                break
    return s.found


@rule
def _draw(s: Record, line: int, state: int) -> None:
    if line >= 0 and s.value[line] == UNKNOWN:
        conclude(s, line, state)


@rule
def find_corners(t: Record, clues: Record, s: Record, one: bool) -> int:
    """Find a 1 or a 3 with a dead corner: no other line can reach it, as in a board corner."""
    for corner in range(4 * t.dots):
        clue = clues[t.corner_cell[corner]]
        if clue == 1 or clue == 3:
            dead = True
            for k in range(2):
                line = t.corner_lines[corner ^ 3, k]
                dead = dead and (line < 0 or s.value[line] == CROSS)
            if dead:
                before = s.found
                for k in range(2):
                    _draw(s, t.corner_lines[corner, k], LINE if clue == 3 else CROSS)
                if s.found > before:
                    s.place = corner
                    if one:
                        break
    return s.found


@rule
def find_adjacent_threes(t: Record, clues: Record, s: Record, one: bool) -> int:
    """Find two 3s side by side: three parallel lines, and the middle one does not extend."""
    for line in range(t.lines):
        a, b = t.line_cells[line, 0], t.line_cells[line, 1]
        if clues[a] != 3 or clues[b] != 3:
            continue
        if fits_alone(t, clues, s, a, b):
            continue  # the loop around the two may be the whole solution
        before = s.found
        _draw(s, line, LINE)
        for k in range(4):
            if t.cell_lines[a, k] == line:
                _draw(s, t.cell_lines[a, k ^ 1], LINE)
            if t.cell_lines[b, k] == line:
                _draw(s, t.cell_lines[b, k ^ 1], LINE)
        for end in range(2):
            dot = t.line_dots[line, end]
            for k in range(4):
                if t.dot_lines[dot, k] == line:
                    _draw(s, t.dot_lines[dot, k ^ 1], CROSS)
        if s.found > before:
            s.place = line
            if one:
                break
    return s.found


@rule
def find_diagonal_threes(t: Record, clues: Record, s: Record, one: bool) -> int:
    """Find two 3s that touch at a dot: their lines away from the dot are drawn."""
    for dot in range(t.dots):
        for k in range(2):
            first, last = 4 * dot + k, 4 * dot + (k ^ 3)
            if clues[t.corner_cell[first]] == 3 and clues[t.corner_cell[last]] == 3:
                before = s.found
                for corner in (first, last):
                    mate = t.corner_mate[corner]
                    _draw(s, t.corner_lines[mate, 0], LINE)
                    _draw(s, t.corner_lines[mate, 1], LINE)
                if s.found > before:
                    s.place = dot
                    if one:
                        return s.found
    return s.found


@rule
def find_early_loops(t: Record, clues: Record, s: Record, one: bool) -> int:
    """Find a line that would close a loop before the puzzle is solved."""
    work_out_paths(t, s)
    for line in range(t.lines):
        first, last = t.line_dots[line, 0], t.line_dots[line, 1]
        if s.value[line] != UNKNOWN or s.other[first] != last or s.length[first] == 0:
            continue
        if s.length[first] == s.drawn:
            s.value[line] = LINE
            complete = True
            for cell in range(t.cells - 1):
                clue = clues[cell]
                if clue >= 0:
                    for k in range(4):
                        clue -= s.value[t.cell_lines[cell, k]] == LINE
                    complete = complete and clue == 0
            s.value[line] = UNKNOWN
            if complete:
                continue
        conclude(s, line, CROSS)
        s.place = line
        if one:
            break
    return s.found


@rule
def find_entries(t: Record, clues: Record, s: Record, one: bool) -> int:
    """Find a line that comes to the corner of a 1 or a 3 and has to go on along its cell."""
    for corner in range(4 * t.dots):
        clue = clues[t.corner_cell[corner]]
        if clue != 1 and clue != 3:
            continue
        drawn = 0
        crossed = 0
        for k in range(2):
            line = t.corner_lines[corner ^ 3, k]
            if line < 0 or s.value[line] == CROSS:
                crossed += 1
            elif s.value[line] == LINE:
                drawn += 1
        # A 3 has a line at each corner. At a 1 the line must have no other way.
        if drawn == 1 and (clue == 3 or crossed == 1):
            before = s.found
            mate = t.corner_mate[corner]
            for k in range(2):
                _draw(s, t.corner_lines[mate, k], LINE if clue == 3 else CROSS)
                if clue == 3:
                    _draw(s, t.corner_lines[corner ^ 3, k], CROSS)
            if s.found > before:
                s.place = corner
                if one:
                    break
    return s.found


@rule
def find_pairs(t: Record, clues: Record, s: Record, one: bool) -> int:
    """Use what is known about the two lines of a corner: at least one, or at most one, is drawn."""
    work_out_pairs(t, clues, s)
    for corner in range(4 * t.dots):
        first, last = t.corner_lines[corner, 0], t.corner_lines[corner, 1]
        some, few = s.pair[2 * corner] != 0, s.pair[2 * corner + 1] != 0
        if not (some or few):
            continue
        before = s.found
        crossed = 0
        drawn = 0
        for k in range(2):
            line = t.corner_lines[corner, k]
            if line < 0 or s.value[line] == CROSS:
                crossed += 1
            elif s.value[line] == LINE:
                drawn += 1
        if (some and crossed == 2) or (few and drawn == 2):
            return fail(s, corner)
        # 1. One of the two is known.
        if some and crossed == 1 and drawn == 0:
            _draw(s, first, LINE)
            _draw(s, last, LINE)
        if few and drawn == 1 and crossed == 0:
            _draw(s, first, CROSS)
            _draw(s, last, CROSS)
        # 2. No line comes from across the dot: both are drawn, or neither.
        if s.found == before and drawn + crossed < 2:
            nothing = True
            for k in range(2):
                line = t.corner_lines[corner ^ 3, k]
                nothing = nothing and (line < 0 or s.value[line] == CROSS)
            if nothing and (some or few):
                _draw(s, first, LINE if some else CROSS)
                _draw(s, last, LINE if some else CROSS)
        # 3. The opposite corner of a 1 or a 3 gets the rest.
        clue = clues[t.corner_cell[corner]]
        if s.found == before and ((clue == 1 and some) or (clue == 3 and few)):
            mate = t.corner_mate[corner]
            for k in range(2):
                _draw(s, t.corner_lines[mate, k], CROSS if clue == 1 else LINE)
        if s.found > before:
            s.place = corner
            if one:
                break
    return s.found


@rule
def find_sides(t: Record, clues: Record, s: Record, one: bool) -> int:
    """Find a line between two cells known to be on the same or on different sides."""
    if not work_out_sides(t, s):
        s.failed = 1
        return s.found
    for line in range(t.lines):
        if s.value[line] == UNKNOWN:
            a, b = t.line_cells[line, 0], t.line_cells[line, 1]
            if label_of(s, a) == label_of(s, b):
                conclude(s, line, LINE if parity_of(s, a) != parity_of(s, b) else CROSS)
                s.place = line
                if one:
                    break
    return s.found
