"""The techniques that people use; each function finds the places where its technique helps.

A function writes its conclusions into the study. With `one` it stops at the first place. For a
contradiction it sets `failed` and `place`.
"""

from __future__ import annotations

from plywise.core.game import Record
from plywise.jit import rule
from plywise.puzzles.slither.grid import CROSS, LINE, UNKNOWN, completes
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
def fail(s: Record, place: int) -> None:
    """Note a contradiction at a place."""
    s.failed = 1
    s.place = place


@rule
def helped(s: Record, before: int, place: int) -> bool:
    """Note the place if there are more conclusions than before; True if there are."""
    if s.found == before:
        return False
    s.place = place
    return True


@rule
def draw(s: Record, line: int, state: int) -> None:
    """Conclude the state of a line, if it is on the board and not known."""
    if line >= 0 and s.value[line] == UNKNOWN:
        conclude(s, line, state)


@rule
def draw_corner(t: Record, s: Record, corner: int, state: int) -> None:
    """Conclude the state of both lines of a corner, where it is not known."""
    draw(s, t.corner_lines[corner, 0], state)
    draw(s, t.corner_lines[corner, 1], state)


@rule
def count_corner(t: Record, s: Record, corner: int, state: int) -> int:
    """Count the lines of a corner in a state; those beyond the edge are crosses."""
    count = 0
    for k in range(2):
        line = t.corner_lines[corner, k]
        count += (CROSS if line < 0 else s.value[line]) == state
    return count


@rule
def count_dot(t: Record, s: Record, dot: int, state: int) -> int:
    """Count the lines at a dot that are in a state."""
    count = 0
    for k in range(4):
        line = t.dot_lines[dot, k]
        count += line >= 0 and s.value[line] == state
    return count


@rule
def count_cell(t: Record, s: Record, cell: int, state: int) -> int:
    """Count the lines around a cell that are in a state."""
    count = 0
    for k in range(4):
        count += s.value[t.cell_lines[cell, k]] == state
    return count


@rule
def find_clues(t: Record, clues: Record, s: Record, one: bool) -> None:
    """Find clues that already have all their lines, or need every line that is left."""
    for cell in range(t.cells - 1):
        clue = clues[cell]
        if clue < 0:
            continue
        drawn = count_cell(t, s, cell, LINE)
        crossed = count_cell(t, s, cell, CROSS)
        if drawn > clue or crossed > 4 - clue:
            fail(s, cell)
            return
        if drawn + crossed < 4 and (drawn == clue or crossed == 4 - clue):
            for k in range(4):
                draw(s, t.cell_lines[cell, k], CROSS if drawn == clue else LINE)
            s.place = cell
            if one:
                return


@rule
def find_dots(t: Record, clues: Record, s: Record, one: bool) -> None:
    """Find dots with two lines, with one line that can go only one way, or with a dead end."""
    for dot in range(t.dots):
        drawn = count_dot(t, s, dot, LINE)
        unknown = count_dot(t, s, dot, UNKNOWN)
        if drawn > 2 or (drawn == 1 and unknown == 0):
            fail(s, dot)
            return
        if (drawn == 2 and unknown > 0) or (drawn < 2 and unknown == 1):
            for k in range(4):
                draw(s, t.dot_lines[dot, k], LINE if drawn == 1 else CROSS)
            s.place = dot
            if one:
                return


@rule
def find_corners(t: Record, clues: Record, s: Record, one: bool) -> None:
    """Find a 1 or a 3 with a dead corner: no other line can reach it, as in a board corner."""
    for corner in range(4 * t.dots):
        clue = clues[t.corner_cell[corner]]
        if (clue == 1 or clue == 3) and count_corner(t, s, corner ^ 3, CROSS) == 2:
            before = s.found
            draw_corner(t, s, corner, LINE if clue == 3 else CROSS)
            if helped(s, before, corner) and one:
                return


@rule
def find_adjacent_threes(t: Record, clues: Record, s: Record, one: bool) -> None:
    """Find two 3s side by side: three parallel lines, and the middle one does not extend."""
    for line in range(t.lines):
        a, b = t.line_cells[line, 0], t.line_cells[line, 1]
        if clues[a] != 3 or clues[b] != 3:
            continue
        if fits_alone(t, clues, s, a, b):
            continue  # the loop around the two may be the whole solution
        before = s.found
        draw(s, line, LINE)
        for k in range(4):
            if t.cell_lines[a, k] == line:
                draw(s, t.cell_lines[a, k ^ 1], LINE)
            if t.cell_lines[b, k] == line:
                draw(s, t.cell_lines[b, k ^ 1], LINE)
        for end in range(2):
            dot = t.line_dots[line, end]
            for k in range(4):
                if t.dot_lines[dot, k] == line:
                    draw(s, t.dot_lines[dot, k ^ 1], CROSS)
        if helped(s, before, line) and one:
            return


@rule
def find_diagonal_threes(t: Record, clues: Record, s: Record, one: bool) -> None:
    """Find two 3s that touch at a dot: their lines away from the dot are drawn."""
    for dot in range(t.dots):
        for k in range(2):
            first, last = 4 * dot + k, 4 * dot + (k ^ 3)
            if clues[t.corner_cell[first]] == 3 and clues[t.corner_cell[last]] == 3:
                before = s.found
                draw_corner(t, s, t.corner_mate[first], LINE)
                draw_corner(t, s, t.corner_mate[last], LINE)
                if helped(s, before, dot) and one:
                    return


@rule
def find_early_loops(t: Record, clues: Record, s: Record, one: bool) -> None:
    """Find a line that would close a loop before the puzzle is solved."""
    work_out_paths(t, s)
    for line in range(t.lines):
        first, last = t.line_dots[line, 0], t.line_dots[line, 1]
        if s.value[line] != UNKNOWN or s.other[first] != last or s.length[first] == 0:
            continue
        if s.length[first] == s.drawn and completes(t, clues, s.value, line):
            continue
        conclude(s, line, CROSS)
        s.place = line
        if one:
            return


@rule
def find_entries(t: Record, clues: Record, s: Record, one: bool) -> None:
    """Find a line that comes to the corner of a 1 or a 3 and has to go on along its cell."""
    for corner in range(4 * t.dots):
        clue = clues[t.corner_cell[corner]]
        if clue != 1 and clue != 3:
            continue
        across = corner ^ 3
        if count_corner(t, s, across, LINE) != 1:
            continue
        before = s.found
        mate = t.corner_mate[corner]
        # A 3 has a line at each corner. At a 1 the line must have no other way.
        if clue == 3:
            for k in range(2):
                draw(s, t.corner_lines[mate, k], LINE)
                draw(s, t.corner_lines[across, k], CROSS)
        elif count_corner(t, s, across, CROSS) == 1:
            draw_corner(t, s, mate, CROSS)
        if helped(s, before, corner) and one:
            return


@rule
def find_pairs(t: Record, clues: Record, s: Record, one: bool) -> None:
    """Use what is known about the two lines of a corner: at least one, or at most one, is drawn."""
    work_out_pairs(t, clues, s)
    for corner in range(4 * t.dots):
        some, few = s.pair[2 * corner] != 0, s.pair[2 * corner + 1] != 0
        if not (some or few):
            continue
        before = s.found
        crossed = count_corner(t, s, corner, CROSS)
        drawn = count_corner(t, s, corner, LINE)
        if (some and crossed == 2) or (few and drawn == 2):
            fail(s, corner)
            return
        # 1. One of the two is known.
        if some and crossed == 1 and drawn == 0:
            draw_corner(t, s, corner, LINE)
        if few and drawn == 1 and crossed == 0:
            draw_corner(t, s, corner, CROSS)
        # 2. No line comes from across the dot: both are drawn, or neither.
        alone = count_corner(t, s, corner ^ 3, CROSS) == 2
        if s.found == before and drawn + crossed < 2 and alone:
            draw_corner(t, s, corner, LINE if some else CROSS)
        # 3. The opposite corner of a 1 or a 3 gets the rest.
        clue = clues[t.corner_cell[corner]]
        if s.found == before and ((clue == 1 and some) or (clue == 3 and few)):
            draw_corner(t, s, t.corner_mate[corner], CROSS if clue == 1 else LINE)
        if helped(s, before, corner) and one:
            return


@rule
def find_sides(t: Record, clues: Record, s: Record, one: bool) -> None:
    """Find a line between two cells known to be on the same or on different sides."""
    if not work_out_sides(t, s):
        s.failed = 1
        return
    for line in range(t.lines):
        if s.value[line] == UNKNOWN:
            a, b = t.line_cells[line, 0], t.line_cells[line, 1]
            if label_of(s, a) == label_of(s, b):
                conclude(s, line, LINE if parity_of(s, a) != parity_of(s, b) else CROSS)
                s.place = line
                if one:
                    return
