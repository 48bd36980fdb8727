"""What people are told about a board: paths, threats, useful lines, and who is sure to connect.

What the last part says about a player holds unless the opponent joins the big dots first: in the
switching game the opponent can only cut.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator

from plywise.core.game import Record
from plywise.core.position import Position
from plywise.games.makeway import rules
from plywise.games.makeway.board import is_free
from plywise.games.makeway.forests import nodes_of
from plywise.jit.bits import has


def free_lines(b: Record, s: Record) -> list[int]:
    """The lines that belong to nobody."""
    return [line for line in range(int(b.lines)) if is_free(s, line)]


def own_lines(b: Record, s: Record, player: int) -> list[int]:
    """The lines of a player."""
    return [line for line in range(int(b.lines)) if has(s.own[player], line)]


def open_lines(b: Record, s: Record, player: int) -> list[int]:
    """The lines a player could still join the big dots with: own and free ones."""
    return [line for line in range(int(b.lines)) if not has(s.own[1 - player], line)]


def threats(b: Record, s: Record, player: int) -> list[int]:
    """The free lines with which a player would win at once."""
    if s.winner:
        return []
    return [line for line in free_lines(b, s) if rules.joins(b, s, player, line)]


def neighbours(b: Record, dot: int, lines: Collection[int]) -> Iterator[tuple[int, int]]:
    """The dots beside a dot along some of the lines, each with its line."""
    for slot in range(int(b.first[dot]), int(b.first[dot + 1])):
        if int(b.by[slot]) in lines:
            yield int(b.near[slot]), int(b.by[slot])


def path(b: Record, lines: Collection[int]) -> list[int]:
    """The dots of a shortest path from the start to the end; empty if there is none."""
    end = int(b.dots) - 1
    before = {0: 0}
    waiting = [0]
    while waiting and end not in before:
        dot = waiting.pop(0)
        for near, _ in neighbours(b, dot, lines):
            if near not in before:
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

    With an extra line from the end back to the start, they are the lines that share a cycle with it
    (its biconnected component). The depth-first walk starts with that line; whatever cannot get
    back above a dot except through it is left out.
    """
    usable = set(open_lines(b, s, player))
    end = int(b.dots) - 1
    depth, low = {0: 0, end: 1}, {0: 0, end: 0}
    stack = [(end, -1, neighbours(b, end, usable))]
    gathered: list[int] = []  # lines below the last dots, in the order they are met
    marks = [0]
    while stack:
        dot, by, rest = stack[-1]
        step = next(rest, None)
        if step is None:
            stack.pop()
            start = marks.pop()
            if stack:
                parent = stack[-1][0]
                if low[dot] >= depth[parent]:
                    del gathered[start:]
                else:
                    gathered.append(by)
                    low[parent] = min(low[parent], low[dot])
            continue
        near, line = step
        if line == by:
            continue
        if near not in depth:
            depth[near] = low[near] = depth[dot] + 1
            stack.append((near, line, neighbours(b, near, usable)))
            marks.append(len(gathered))
        elif depth[near] < depth[dot]:
            gathered.append(line)
            low[dot] = min(low[dot], depth[near])
    return {line for line in gathered if is_free(s, line)}


# ---- who is sure to connect ----------------------------------------------------------------------


def standing(position: Position, player: int) -> int:
    """A player's slack: 0, sure to connect; 1, connects by moving first; 2, can be cut off."""
    return slacks(position.game.board, position.state)[player]


def slacks(b: Record, s: Record) -> tuple[int, int]:
    """The slack of both players."""
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

    def tree(which: int) -> list[int]:
        words = [int(word) for word in node.forest[player, which]]
        lines = (line for line in range(int(b.lines)) if words[line >> 6] >> (line & 63) & 1)
        return [line for line in lines if inside(line)]

    return tree(0), tree(1)
