"""The paper's own search for distances, with all that is wrong with it.

The paper calls it A*. From the snail it goes to the neighbour nearest to the goal, by the distance
in a straight line, and on from there, never back to where it was. It gives up after 20 steps or in
a dead end, and tries other neighbours at the first step only. This follows the code of the
appendix, so that the paper's agents can be judged as the programs they were:

    sorting       the neighbours are sorted by distance, but their directions are not. If the
                  chosen neighbour is the end of a slide, the snail also slides along the direction
                  of another one, in the same step.
    claiming      cells stepped on become trail, so later slides may use them.
    backwards     if no way is found, the search is run from the goal to the snail.
    a mix-up      if the opponent is found backwards only, its steps are taken for the agent's own,
                  and the cell does not count.
    territory     cells that only one snail seems to reach become its trail, others walls, while
                  the remaining cells are still being counted, column by column.

`distance.py` has exact distances.
"""

from __future__ import annotations

from plywise.core.game import Record
from plywise.games.snails.words.three import NONE, Words, cells_of, only, union, without
from plywise.jit import rule
from plywise.jit.bits import has, wide

LIMIT = 20  #: the search gives up with more steps than this
NOWHERE = 1 << 20  #: an entry of the open list that is not there: farther than any cell
STOP = 256  #: an entry is STOP times the squared distance to the goal, plus the cell

Four = tuple[int, int, int, int]


@rule
def search(b: Record, trail: Words, free: Words, start: int, goal: int) -> int:
    """Steps from a snail to a free cell; 0 if none are found. `trail` is without the snail."""
    for choice in range(4):
        steps = follow(b, trail, free, start, goal, choice)
        if steps > 0:
            return steps
    return 0


@rule
def search_back(b: Record, trail: Words, free: Words, start: int, goal: int) -> int:
    """Steps from the goal to the snail: what the paper tries if there is no way to the goal."""
    return search(b, trail, union(free, only(start)), goal, start)


@rule
def follow(b: Record, trail: Words, free: Words, start: int, goal: int, choice: int) -> int:
    """Steps to the goal with this choice at the first step, the nearest at all others; or 0."""
    here, closed = start, NONE
    for steps in range(LIMIT + 1):
        # Step 1: list the neighbours that are not closed, with their directions.
        opened: Four = (NOWHERE, NOWHERE, NOWHERE, NOWHERE)
        directions: Four = (0, 0, 0, 0)
        count = 0
        for direction in range(4):
            cell = wide(b.step[direction, here])
            if cell < 0 or not (has(free, cell) or has(trail, cell)):
                continue
            stop = slide(b, trail, cell, direction)
            if has(closed, stop):
                continue
            if cell == goal:
                return steps + 1
            if has(closed, cell):
                continue
            opened = put(opened, count, STOP * squared(b, stop, goal) + stop)
            directions = put(directions, count, direction)
            count += 1
        # Step 2: sort them, but not their directions; choose one.
        chosen = choice if steps == 0 else 0
        if chosen >= count:
            return 0
        stop = exchanged(opened)[chosen] % STOP
        stop = slide(b, trail, stop, directions[chosen])
        # Step 3: go there. The cell that the snail leaves is closed, and part of its trail.
        closed = union(closed, only(here))
        trail = without(union(trail, only(here)), only(stop))
        here = stop
    return 0


@rule
def slide(b: Record, trail: Words, cell: int, direction: int) -> int:
    """The end of the run of trail from this cell on; the cell itself if it is not trail."""
    if not has(trail, cell):
        return cell
    following = wide(b.step[direction, cell])
    while following >= 0 and has(trail, following):
        cell = following
        following = wide(b.step[direction, cell])
    return cell


@rule
def squared(b: Record, cell: int, goal: int) -> int:
    """The square of the distance in a straight line, which sorts as the distance does."""
    across, up = cell % b.cols - goal % b.cols, cell // b.cols - goal // b.cols
    return across * across + up * up


@rule
def exchanged(entries: Four) -> Four:
    """Sort by distance as the paper does; cells at the same distance may change places."""
    e0, e1, e2, e3 = entries
    e0, e1 = in_order(e0, e1)
    e0, e2 = in_order(e0, e2)
    e0, e3 = in_order(e0, e3)
    e1, e2 = in_order(e1, e2)
    e1, e3 = in_order(e1, e3)
    e2, e3 = in_order(e2, e3)
    return e0, e1, e2, e3


@rule
def in_order(one: int, other: int) -> tuple[int, int]:
    """Exchange two entries if the first is farther away."""
    if one // STOP > other // STOP:
        return other, one
    return one, other


@rule
def put(entries: Four, place: int, entry: int) -> Four:
    """The four entries with one of them replaced."""
    e0, e1, e2, e3 = entries
    return (
        entry if place == 0 else e0,
        entry if place == 1 else e1,
        entry if place == 2 else e2,
        entry if place == 3 else e3,
    )


@rule
def trail_of(s: Record, player: int) -> Words:
    """A player's trail without the snail."""
    return without(cells_of(s.own[player]), only(wide(s.at[player])))


@rule
def in_time(b: Record, s: Record, player: int) -> int:
    """Count the empty cells that a player reaches in no more steps, as the paper's program does."""
    here, there = wide(s.at[player]), wide(s.at[1 - player])
    mine, theirs, empty = trail_of(s, player), trail_of(s, 1 - player), cells_of(s.free)
    found = 0
    for col in range(b.cols):
        for row in range(b.rows - 1, -1, -1):
            cell = wide(row * b.cols + col)
            if not has(s.free, cell):
                continue
            # Step 1: the steps of both, each forwards or else backwards.
            my_steps = search(b, mine, empty, here, cell)
            if my_steps == 0:
                my_steps = search_back(b, mine, empty, here, cell)
            reached = my_steps > 0
            steps = search(b, theirs, empty, there, cell)
            taken = steps > 0
            if not taken:
                my_steps = search_back(b, theirs, empty, there, cell)
                taken = my_steps > 0
            if reached and my_steps <= steps:
                found += 1
            # Step 2: cells that only one reaches, or neither, are not free any more.
            if not (reached and taken):
                empty = without(empty, only(cell))
            if reached and not taken:
                mine = union(mine, only(cell))
            if taken and not reached:
                theirs = union(theirs, only(cell))
    return found
