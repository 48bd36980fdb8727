"""Case analysis of a small window: every way to draw its lines, and what all of them share.

A way is left out if it breaks a clue, a dot, a known fact about a pair or the known sides of cells
outside the window, or if it closes a loop too early.
"""

from __future__ import annotations

import numpy as np

from plywise.core.game import Record
from plywise.jit import rule
from plywise.jit.bits import spread
from plywise.puzzles.slither.grid import CROSS, LINE, UNKNOWN, join
from plywise.puzzles.slither.logic.study import (
    WINDOW,
    conclude,
    label_of,
    parity_of,
    work_out_pairs,
    work_out_paths,
    work_out_sides,
)
from plywise.puzzles.slither.logic.techniques import count_cell, count_dot, fail

MOST_STEPS = 4000  #: a longer case analysis is given up as too long for a person


@rule
def find_in_windows(t: Record, clues: Record, s: Record, side: int) -> None:
    """Analyse every window of side x side cells, smaller if the board is smaller."""
    if not work_out_sides(t, s):
        s.failed = 1
        return
    work_out_pairs(t, clues, s)
    work_out_paths(t, s)
    high = min(side, s.rows)
    wide = min(side, s.cols)
    for row in range(s.rows - high + 1):
        for col in range(s.cols - wide + 1):
            # Step 1: collect the lines of the window; skip it if there is nothing to find.
            size = 0
            unknown = 0
            known = 0
            for r in range(row, row + high):
                for c in range(col, col + wide):
                    known += clues[r * s.cols + c] >= 0
                    for k in range(4):
                        line = t.cell_lines[r * s.cols + c, k]
                        new = True
                        for j in range(size):
                            new = new and s.window[j] != line
                        if new:
                            s.window[size] = line
                            s.before[size] = s.value[line]
                            s.seen[size] = 0
                            unknown += s.value[line] == UNKNOWN
                            size += 1
            if unknown == 0 or (known == 0 and unknown == size):
                continue
            # Step 2: try all ways and find what they share, unless this was done before.
            corner = row * s.cols + col
            number_labels(t, s, size)
            key = window_key(t, s, row, col, high, wide, size)
            if s.looked[side, corner] == key:
                continue
            done = try_all_ways(t, clues, s, size)
            for k in range(size):
                s.value[s.window[k]] = s.before[k]
            if done and s.ways == 0:
                fail(s, corner)
                return
            before = s.found
            for k in range(size):
                if done and s.before[k] == UNKNOWN and s.seen[k] != 3:
                    conclude(s, s.window[k], s.seen[k])
            if s.found > before:
                s.place = corner
                return  # sides, pairs and paths are out of date now
            s.looked[side, corner] = key


@rule
def window_key(
    t: Record, s: Record, row: int, col: int, high: int, wide: int, size: int
) -> np.uint64:
    """A hash of everything that the case analysis depends on."""
    key = np.uint64(0)
    for k in range(size):
        word = int(s.value[s.window[k]]) | int(s.bend[k]) << 2
        word |= int(s.ends[k, 0]) << 3 | int(s.ends[k, 1]) << 9
        key = spread(key ^ np.uint64(word))
    inside = 0  # the number of lines in paths with both ends in the window
    for r in range(row, row + high + 1):
        for c in range(col, col + wide + 1):
            dot = r * (s.cols + 1) + c
            word = 0
            for k in range(4):
                line = t.dot_lines[dot, k]
                word = 4 * word + (int(s.value[line]) if line >= 0 else CROSS)
            for k in range(8):
                word = 2 * word + int(s.pair[8 * dot + k])
            other = int(s.other[dot])
            down, right = other // (s.cols + 1) - row, other % (s.cols + 1) - col
            if 0 <= down <= high and 0 <= right <= wide:
                word = 16 * word + 4 * down + right + 1
                if other > dot:
                    inside += s.length[dot]
            key = spread(key ^ np.uint64(word))
    # The number of drawn lines matters only if a closed loop could be the whole solution.
    return spread(key ^ np.uint64(1 + s.drawn)) if inside == s.drawn else key


@rule
def number_labels(t: Record, s: Record, size: int) -> None:
    """Renumber the labels next to the lines of the window from 0."""
    count = 0
    for k in range(size):
        line = s.window[k]
        for end in range(2):
            cell = t.line_cells[line, end]
            label = label_of(s, cell)
            at = 0
            while at < count and s.small[at] != label:
                at += 1
            if at == count:
                s.small[count] = label
                count += 1
            s.ends[k, end] = at
        s.bend[k] = parity_of(s, t.line_cells[line, 0]) ^ parity_of(s, t.line_cells[line, 1])


@rule
def try_all_ways(t: Record, clues: Record, s: Record, size: int) -> bool:
    """Try all ways, depth first; False if that takes too long or they share nothing."""
    s.ways = 0
    steps = 0
    at = 0
    forward = True
    while at >= 0:
        line = s.window[at] if at < size else -1
        if forward:
            if at == size:
                # A complete way.
                if sides_agree(s, size) and no_early_loop(t, s, size):
                    s.ways += 1
                    shared = False
                    for k in range(size):
                        s.seen[k] |= s.value[s.window[k]]
                        shared = shared or (s.before[k] == UNKNOWN and s.seen[k] != 3)
                    if not shared:
                        return False
                at -= 1
                forward = False
                continue
            if s.before[at] == UNKNOWN:
                s.value[line] = LINE
        elif s.before[at] != UNKNOWN or s.value[line] == CROSS:
            s.value[line] = s.before[at]
            at -= 1
            continue
        else:
            s.value[line] = CROSS
        steps += 1
        if steps > MOST_STEPS:
            return False
        forward = possible(t, clues, s, line)
        if forward:
            at += 1
    return True


@rule
def possible(t: Record, clues: Record, s: Record, line: int) -> bool:
    """True if the dots, clues and pairs next to a line can still be right."""
    for end in range(2):
        dot = t.line_dots[line, end]
        drawn = count_dot(t, s, dot, LINE)
        if drawn > 2 or (drawn == 1 and count_dot(t, s, dot, UNKNOWN) == 0):
            return False
        for k in range(4):
            corner = 4 * dot + k
            one, two = t.corner_lines[corner, 0], t.corner_lines[corner, 1]
            if one >= 0 and two >= 0:
                if s.pair[2 * corner] and s.value[one] == CROSS and s.value[two] == CROSS:
                    return False
                if s.pair[2 * corner + 1] and s.value[one] == LINE and s.value[two] == LINE:
                    return False
        cell = t.line_cells[line, end]
        clue = clues[cell]
        if clue >= 0:
            drawn = count_cell(t, s, cell, LINE)
            if drawn > clue or drawn + count_cell(t, s, cell, UNKNOWN) < clue:
                return False
    return True


@rule
def sides_agree(s: Record, size: int) -> bool:
    """True if the lines of the window agree with the sides known outside it."""
    for k in range(2 * WINDOW):
        s.tie[k] = k
        s.twist[k] = 0
    for k in range(size):
        unlike = (1 if s.value[s.window[k]] == LINE else 0) ^ s.bend[k]
        one, two = s.ends[k, 0], s.ends[k, 1]
        while s.tie[one] != one:
            unlike ^= s.twist[one]
            one = s.tie[one]
        while s.tie[two] != two:
            unlike ^= s.twist[two]
            two = s.tie[two]
        if one == two:
            if unlike != 0:
                return False
        else:
            s.tie[one] = two
            s.twist[one] = unlike
    return True


@rule
def no_early_loop(t: Record, s: Record, size: int) -> bool:
    """True if the new lines close no loop, or one that contains every drawn line."""
    added = 0
    for k in range(size):
        added += s.before[k] == UNKNOWN and s.value[s.window[k]] == LINE
    joined = 0
    good = True
    for k in range(size):
        line = s.window[k]
        if s.before[k] != UNKNOWN or s.value[line] != LINE:
            continue
        one, two = t.line_dots[line, 0], t.line_dots[line, 1]
        first, last = s.other[one], s.other[two]
        if first == two:
            good = s.length[first] + 1 == s.drawn + added
            break
        s.undo[joined, 0] = line
        s.undo[joined, 1] = first
        s.undo[joined, 2] = s.length[first]
        s.undo[joined, 3] = s.length[last]
        joined += 1
        join(s, first, last)
    while joined > 0:
        joined -= 1
        line, first = s.undo[joined, 0], s.undo[joined, 1]
        last = s.other[first]
        s.length[first] = s.undo[joined, 2]
        s.length[last] = s.undo[joined, 3]
        s.other[first] = t.line_dots[line, 0]
        s.other[last] = t.line_dots[line, 1]
    return good
