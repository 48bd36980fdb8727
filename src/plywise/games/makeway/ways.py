"""What people are told about a board: paths, threats, useful lines, and who is sure to connect.

What the last part says about a player holds unless the opponent joins the big dots first: in the
switching game the opponent can only cut.
"""

from __future__ import annotations

from collections.abc import Collection

from plywise.core.game import Record
from plywise.games.makeway import rules
from plywise.games.makeway.board import is_free
from plywise.games.makeway.forests import nodes_of
from plywise.games.makeway.graph import neighbours, reached
from plywise.jit.bits import has


def free_lines(b: Record, s: Record) -> list[int]:
    """The lines that belong to nobody."""
    return [line for line in range(int(b.lines)) if is_free(s, line)]


def own_lines(b: Record, s: Record, player: int) -> list[int]:
    """The lines of a player."""
    return [line for line in range(int(b.lines)) if has(s.own[player], line)]


def threats(b: Record, s: Record, player: int) -> list[int]:
    """The free lines with which a player would win at once."""
    if s.winner:
        return []
    return [line for line in free_lines(b, s) if rules.joins(b, s, player, line)]


def path(b: Record, lines: Collection[int]) -> list[int]:
    """The dots of a shortest path from the start to the end; empty if there is none."""
    end = int(b.dots) - 1
    before = {0: 0}
    waiting = [0]
    while waiting and end not in before:
        dot = waiting.pop(0)
        for slot in range(int(b.first[dot]), int(b.first[dot + 1])):
            near = int(b.near[slot])
            if near not in before and int(b.by[slot]) in lines:
                before[near] = dot
                waiting.append(near)
    if end not in before:
        return []
    way = [end]
    while way[-1] != 0:
        way.append(before[way[-1]])
    return way[::-1]


def useful(b: Record, s: Record, player: int) -> set[int]:
    """The free lines on some path from the start to the end that is still open to a player.

    A line is on one unless all its ways to the big dots go through one and the same dot.
    """
    dots = int(b.dots)
    ends = b.ends[: int(b.lines)].tolist()
    found = set(free_lines(b, s))
    beside = neighbours(dots, [ends[line] for line in (*found, *own_lines(b, s, player))])
    for dot in range(dots):
        cut = 1 << dot
        near = reached(beside, 1 | 1 << dots - 1, without=cut) | cut
        found = {line for line in found if all(near >> end & 1 for end in ends[line])}
    return found


# ---- who is sure to connect ----------------------------------------------------------------------


def slacks(b: Record, s: Record) -> tuple[int, int]:
    """Both players' slack: 0, sure to connect; 1, connects by moving first; 2, can be cut off."""
    first, second = nodes_of(b, s)[0].slack
    return int(first), int(second)


def trees_of(b: Record, s: Record, player: int) -> tuple[list[int], list[int]] | None:
    """Two trees of free lines that join the big dots for a player, whoever moves; or None.

    They have no line in common, and with the player's own lines they span the same dots.
    """
    node = nodes_of(b, s)[0]
    if node.slack[player] > 0:
        return None
    core = int(node.core[player])

    def inside(line: int) -> bool:
        return all(core >> int(node.part[player, dot]) & 1 for dot in b.ends[line])

    first, second = (
        [line for line in range(int(b.lines)) if has(forest, line) and inside(line)]
        for forest in node.forest[player]
    )
    return first, second
