"""How many moves a snail is from an empty cell: A* over moves, complete.

A move is a step to an empty neighbour or a slide over the snail's own trail as it is now. Every
move costs one, and goes along a row or along a column. So the heuristic is the sum of

    along the row     the columns to enter that hold none of the own trail (a slide enters none of
                      these), but at least one if the goal is in another column
    along the column  the same with rows

It is admissible, and one move never lowers it by more than one (it is consistent), so a cell has
its true distance when it is closed. It also limits f = moves so far + heuristic: a child has the f
of its parent, or one or two more. So three sets of cells are the whole open list.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from plywise.core.game import Record
from plywise.games.snails.words.three import NONE, first_of, only, some, union, without
from plywise.jit import rule
from plywise.jit.bits import ONE, ZERO, has, index_of, lowest, popcount

FAR = 1 << 14  #: the distance of an unreachable cell


@rule
def bare_lines(b: Record, s: Record, player: int) -> tuple[Any, Any]:
    """The rows and the columns without any of a player's trail, as bits."""
    rows, cols = ZERO, ZERO
    for word in range(3):
        rest = s.own[player, word]
        while rest != ZERO:
            bit = lowest(rest)
            rest ^= bit
            cell = 64 * word + index_of(bit)
            rows |= ONE << np.uint64(cell // b.cols)
            cols |= ONE << np.uint64(cell % b.cols)
    return ~rows, ~cols


@rule
def at_least(b: Record, bare_rows: Any, bare_cols: Any, cell: int, goal: int) -> int:
    """The heuristic: a lower bound on the moves from a cell to the goal."""
    across = along(bare_cols, cell % b.cols, goal % b.cols)
    return across + along(bare_rows, cell // b.cols, goal // b.cols)


@rule
def along(bare: Any, start: int, end: int) -> int:
    """Moves needed along one axis: the bare lines to enter, at least one if there is a distance."""
    if start == end:
        return 0
    # The lines from the one after the start to the end.
    low = min(start + 1, end)
    high = max(start - 1, end)
    between = (ONE << np.uint64(high + 1)) - (ONE << np.uint64(low))
    return max(1, popcount(bare & between))


@rule
def stop_after(b: Record, s: Record, player: int, cell: int, direction: int) -> int:
    """Where one move in a direction leads from any cell, or -1."""
    cell = b.step[direction, cell]
    if cell < 0 or has(s.free, cell):
        return cell
    if not has(s.own[player], cell):
        return -1
    following = b.step[direction, cell]
    while following >= 0 and has(s.own[player], following):
        cell = following
        following = b.step[direction, cell]
    return cell


@rule
def distance(b: Record, s: Record, player: int, goal: int, bare_rows: Any, bare_cols: Any) -> int:
    """The fewest moves from a snail to an empty cell; FAR if it cannot reach it."""
    start = s.at[player]
    f = at_least(b, bare_rows, bare_cols, start, goal)
    closed = NONE
    opened = only(start)  # with this f
    one_more, two_more = NONE, NONE  # ... with f + 1, and with f + 2
    while True:
        # Step 1: take a cell with the least f; skip cells that were closed meanwhile.
        opened = without(opened, closed)
        if not some(opened):
            if not some(union(one_more, two_more)):
                return FAR
            opened, one_more, two_more = one_more, two_more, NONE
            f += 1
            continue
        cell = first_of(opened)
        if cell == goal:
            return f
        # Step 2: close it. Its moves so far are f less the heuristic.
        closed = union(closed, only(cell))
        moves = f - at_least(b, bare_rows, bare_cols, cell, goal)
        # Step 3: open the cells one move away.
        for direction in range(4):
            stop = stop_after(b, s, player, cell, direction)
            if stop < 0 or has(closed, stop):
                continue
            more = moves + 1 + at_least(b, bare_rows, bare_cols, stop, goal) - f
            if more == 0:
                opened = union(opened, only(stop))
            elif more == 1:
                one_more = union(one_more, only(stop))
            else:
                two_more = union(two_more, only(stop))


@rule
def in_time(b: Record, s: Record, player: int) -> int:
    """Count the empty cells that a player reaches in no more moves than the opponent."""
    my_rows, my_cols = bare_lines(b, s, player)
    other_rows, other_cols = bare_lines(b, s, 1 - player)
    found = 0
    for word in range(3):
        rest = s.free[word]
        while rest != ZERO:
            bit = lowest(rest)
            rest ^= bit
            cell = 64 * word + index_of(bit)
            mine = distance(b, s, player, cell, my_rows, my_cols)
            if mine == FAR:
                continue
            # If the opponent certainly needs as many, that search is skipped.
            other = at_least(b, other_rows, other_cols, s.at[1 - player], cell)
            if mine > other:
                other = distance(b, s, 1 - player, cell, other_rows, other_cols)
            if mine <= other:
                found += 1
    return found
