"""Two forests without a common line, which decide the switching game, updated with every move.

In the switching game one side, Short, joins the big dots and the other, Cut, only takes lines
away. A player of Make Way is Short in the graph where their own lines are contracted (the dots that
they join are one *part*) and the opponent's are deleted. Two forests are packed into that graph,
with as many lines as possible. Then an imaginary line straight from the start to the end is added,
and another one. How many of the two fit is the player's *slack*:

    0   none: some set of dots with both big dots is spanned by two trees without a common
        line. Short wins even if Cut begins (Lehman 1964).
    1   Whoever begins wins.
    2   Cut wins even if Short begins.

Room for a line is made by moving others from forest to forest: a line that closes a cycle in one
forest pushes a line of that cycle into the other, and so on (matroid partition, Edmonds 1965). Both
forests are rooted at an end of the new line, so that a search visits each line once (Roskind and
Tarjan 1985). A search that fails has found a *clump*: parts that two trees span already. No line
within a clump fits later on, and clumps that share a part are merged.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from plywise.core.game import Record
from plywise.games.makeway import rules
from plywise.games.makeway.board import WORDS, Board, State, bit_of, is_free
from plywise.games.makeway.graph import DOTS, LINES
from plywise.jit import kernel, rule
from plywise.jit.bits import ONE, ZERO, has, index_of, lowest, popcount, wide

STRAIGHT = LINES  #: the number of an imaginary line from start to end
AGAIN = LINES + 1  #: ... and of an imaginary line anywhere, which is tested but not added
NOT_MOVED = 255

#: The state of a search: that of the rules, the forests of both players, and scratch space.
Node = np.dtype(
    (
        np.record,
        [
            *State.descr,
            ("forest", "u8", (2, 2, WORDS)),  # [player, which]: lines
            ("slack", "i1", (2,)),  # [player]
            ("core", "u8", (2,)),  # [player]: the parts that two trees span, if the slack is 0
            ("thought", "i1", (2,)),  # [which]: is the straight line in it?
            ("again", "i1", (2,)),  # the parts that the line AGAIN joins
            ("above", "i1", (2, DOTS)),  # [which, part]: the part it hangs from, or -1
            ("by_line", "u1", (2, DOTS)),  # ... and the line it hangs by
            ("mover_of", "u1", (LINES + 2,)),  # which line pushed this one over
            ("queue", "u1", (LINES + 2,)),
            ("reached", "u8", (2,)),  # [which]: parts whose lines up to the root are in the queue
            ("clump", "i1", (DOTS,)),  # [part]: the lowest part of its clump
            ("first_dot", "i1", (DOTS,)),  # [part]: its dots, as a linked list
            ("next_dot", "i1", (DOTS,)),
        ],
    )
)


@rule
def set_up_forests(b: Record, s: Record) -> None:
    """Pack the forests of both players from scratch."""
    for player in range(2):
        clear_forests(s, player)
        chain_parts(b, s, player)
        fill_forests(b, s, player, LINES)
        measure_slack(b, s, player)


@rule
def clear_forests(s: Record, player: int) -> None:
    """Take every line out of a player's forests."""
    s.thought[0] = s.thought[1] = 0
    for which in range(2):
        for word in range(WORDS):
            s.forest[player, which, word] = ZERO


@rule
def before_claim(b: Record, s: Record, player: int, line: int) -> Any:
    """Remove from a player's forests what their claim contracts; return how many lines.

    The line itself is contracted. If it would close a cycle, one line of the cycle is removed.
    """
    low, high = rules.parts_of(b, s, player, line)
    if low == high:
        return 0
    chain_parts(b, s, player)
    lost = 0
    for which in range(2):
        if has(s.forest[player, which], line):
            take_out(s, player, which, line)
            lost += 1
        else:
            hang(b, s, player, which, low)
            if s.above[which, high] >= 0:
                take_out(s, player, which, s.by_line[which, high])
                lost += 1
    return lost


@rule
def after_claim(b: Record, s: Record, player: int, lost: int) -> None:
    """Refill the mover's forests: all lines that were removed except one may be replaced."""
    if lost > 0:
        chain_parts(b, s, player)
        fill_forests(b, s, player, lost - 1)
        measure_slack(b, s, player)


@rule
def after_loss(b: Record, s: Record, player: int, line: int) -> None:
    """Refill a player's forests after the opponent claimed a line: one line may replace it."""
    for which in range(2):
        if has(s.forest[player, which], line):
            take_out(s, player, which, line)
            chain_parts(b, s, player)
            fill_forests(b, s, player, 1)
            measure_slack(b, s, player)


@rule
def chain_parts(b: Record, s: Record, player: int) -> None:
    """List the dots of every part of a player, and reset the clumps."""
    for dot in range(b.dots):
        s.first_dot[dot] = -1
        s.clump[dot] = dot
    for dot in range(b.dots - 1, -1, -1):
        part = s.part[player, dot]
        s.next_dot[dot] = s.first_dot[part]
        s.first_dot[part] = dot


@rule
def fill_forests(b: Record, s: Record, player: int, most: int) -> None:
    """Add free lines until `most` have been added or none fits."""
    s.thought[0] = s.thought[1] = 0
    for word in range(WORDS):
        rest = b.full[word] & ~(s.own[0, word] | s.own[1, word])
        rest &= ~(s.forest[player, 0, word] | s.forest[player, 1, word])
        while rest != ZERO and most > 0:
            bit = lowest(rest)
            rest ^= bit
            line = 64 * word + index_of(bit)
            low, high = rules.parts_of(b, s, player, line)
            if s.clump[low] != s.clump[high] and find_room(b, s, player, line):
                most -= 1


@rule
def measure_slack(b: Record, s: Record, player: int) -> None:
    """How many lines straight from start to end fit, at most two; the forests are full."""
    s.thought[0] = s.thought[1] = 0
    s.slack[player] = 0
    s.core[player] = ONE
    if s.part[player, b.dots - 1] != 0:
        if find_room(b, s, player, STRAIGHT):
            s.again[0], s.again[1] = 0, s.part[player, b.dots - 1]
            s.slack[player] = 2 if find_room(b, s, player, AGAIN) else 1
        else:
            s.core[player] = s.reached[0]
    s.thought[0] = s.thought[1] = 0  # without them the forests are as before


@rule
def find_room(b: Record, s: Record, player: int, line: int) -> bool:
    """Add a line to the two forests, moving others between them; False if there is no room.

    For AGAIN nothing is added or moved.
    """
    # Step 1: root both forests at one end.
    root = 0
    if line < LINES:
        root = s.part[player, b.ends[line, 0]]
    elif line == AGAIN:
        root = s.again[0]
    for which in range(2):
        hang(b, s, player, which, root)
        s.reached[which] = bit_of(root)
    for other in range(b.lines):
        s.mover_of[other] = NOT_MOVED
    s.mover_of[STRAIGHT] = s.mover_of[AGAIN] = NOT_MOVED
    # Step 2: the queue of lines that would have to move for this one.
    s.queue[0] = s.mover_of[line] = line
    count, at = 1, 0
    while at < count:
        moved = s.queue[at]
        at += 1
        low, high = 0, s.part[player, b.dots - 1]
        if moved < LINES:
            low, high = rules.parts_of(b, s, player, moved)
        elif moved == AGAIN:
            low, high = s.again[0], s.again[1]
        for which in range(2):
            if is_in(s, player, which, moved):
                continue
            # Step 3: if it joins two trees, there is room.
            if s.above[which, low] < 0 or s.above[which, high] < 0:
                if line != AGAIN:
                    move_lines(s, player, line, moved, which)
                return True
            # Step 4: else the cycle: from the end not reached up to the reached part.
            part = high if s.reached[which] & bit_of(low) != ZERO else low
            begin = count
            while s.reached[which] & bit_of(part) == ZERO:
                s.reached[which] |= bit_of(part)
                driven = s.by_line[which, part]
                if s.mover_of[driven] == NOT_MOVED:
                    s.mover_of[driven] = moved
                    s.queue[count] = driven
                    count += 1
                part = s.above[which, part]
            # The line next to the reached part goes first, so that it is always reached.
            last = count - 1
            while begin < last:
                s.queue[begin], s.queue[last] = s.queue[last], s.queue[begin]
                begin += 1
                last -= 1
    # Step 5: no room. The parts reached are a clump, with all clumps that they touch.
    clumps = ZERO
    lowest_part = b.dots
    for part in range(b.dots):
        if s.reached[0] & bit_of(part) != ZERO:
            clumps |= bit_of(s.clump[part])
            lowest_part = min(lowest_part, s.clump[part])
    for part in range(b.dots):
        if clumps & bit_of(s.clump[part]) != ZERO:
            s.clump[part] = lowest_part
    return False


@rule
def hang(b: Record, s: Record, player: int, which: int, root: int) -> None:
    """Set the parent of every part of the root's tree, and the line to it."""
    for part in range(b.dots):
        s.above[which, part] = -1
    s.above[which, root] = root
    end = s.part[player, b.dots - 1]
    s.queue[0] = root
    count, at = 1, 0
    while at < count:
        part = s.queue[at]
        at += 1
        dot = s.first_dot[part]
        while dot >= 0:
            for word in range(WORDS):
                rest = b.at[dot, word] & s.forest[player, which, word]
                while rest != ZERO:
                    bit = lowest(rest)
                    rest ^= bit
                    line = 64 * word + index_of(bit)
                    beside = s.part[player, b.ends[line, 0]]
                    if beside == part:
                        beside = s.part[player, b.ends[line, 1]]
                    if s.above[which, beside] < 0:
                        s.above[which, beside] = part
                        s.by_line[which, beside] = line
                        s.queue[count] = beside
                        count += 1
            dot = s.next_dot[dot]
        if s.thought[which] == 1 and (part == 0 or part == end):
            beside = end if part == 0 else 0
            if s.above[which, beside] < 0:
                s.above[which, beside] = part
                s.by_line[which, beside] = STRAIGHT
                s.queue[count] = beside
                count += 1


@rule
def move_lines(s: Record, player: int, line: int, moved: int, which: int) -> None:
    """Move the last line of a chain where it fits, and each earlier one to the freed place."""
    while True:
        if is_in(s, player, 1 - which, moved):
            take_out(s, player, 1 - which, moved)
        if moved < LINES:
            s.forest[player, which, moved >> 6] |= ONE << np.uint64(moved & 63)
        else:
            s.thought[which] = 1
        if moved == line:
            break
        moved = s.mover_of[moved]
        which = 1 - which


@rule
def is_in(s: Record, player: int, which: int, line: int) -> bool:
    """True if a line is in a forest; AGAIN never is."""
    if line < LINES:
        return has(s.forest[player, which], line)
    return line == STRAIGHT and s.thought[which] == 1


@rule
def take_out(s: Record, player: int, which: int, line: int) -> None:
    """Remove a line from a forest."""
    if line < LINES:
        s.forest[player, which, line >> 6] &= ~(ONE << np.uint64(line & 63))
    else:
        s.thought[which] = 0


@rule
def measure_far(b: Record, s: Record, player: int, most: int, far: Record) -> None:
    """How many free lines every part of a player is from the start and from the end.

    Parts that are farther than `most` count as DOTS away.
    """
    for side in range(2):
        for part in range(b.dots):
            far[side, part] = DOTS
        far[side, 0 if side == 0 else s.part[player, b.dots - 1]] = 0
        level = 0
        grown = True
        while grown and level < most:
            grown = False
            for line in range(b.lines):
                if is_free(s, line):
                    low, high = rules.parts_of(b, s, player, line)
                    if far[side, low] == level and far[side, high] > level + 1:
                        far[side, high] = level + 1
                        grown = True
                    elif far[side, high] == level and far[side, low] > level + 1:
                        far[side, low] = level + 1
                        grown = True
            level += 1


@rule
def way_through(b: Record, s: Record, player: int, line: int, far: Record) -> Any:
    """The length of the shortest path over a free line, from `measure_far`."""
    low, high = rules.parts_of(b, s, player, line)
    return min(far[0, low] + far[1, high], far[0, high] + far[1, low]) + 1


@rule
def small_core(b: Record, s: Record, player: int, most: int, spare: Record, far: Record) -> bool:
    """True if two trees span at most so many parts with both big dots; it may miss some.

    `spare` is a copy of `s`, whose forests are packed with the lines of the shortest paths first.
    """
    # Step 1: how far every part is from the start and from the end.
    end = s.part[player, b.dots - 1]
    measure_far(b, s, player, most, far)
    # Step 2: pack lines of longer and longer paths, until no straight line fits.
    clear_forests(spare, player)
    chain_parts(b, spare, player)
    for length in range(far[0, end], most):
        for line in range(b.lines):
            if is_free(s, line) and way_through(b, s, player, line, far) == length:
                low, high = rules.parts_of(b, s, player, line)
                if spare.clump[low] != spare.clump[high]:
                    find_room(b, spare, player, wide(line))
        if find_room(b, spare, player, STRAIGHT):
            spare.thought[0] = spare.thought[1] = 0
        else:
            return popcount(spare.reached[0]) <= most
    return False


@rule
def list_restoring(b: Record, s: Record, player: int, out: Record, before: Record) -> int:
    """List the lines whose claim takes a slack from 1 to 0; changes `s`, `before` is scratch.

    Claiming a line is as good as having it twice. So these are the lines that would fit a second
    time, but no longer do once the straight line has been added.
    """
    chain_parts(b, s, player)
    s.thought[0] = s.thought[1] = 0
    count = 0
    for straight in range(2):
        if straight == 1:
            for part in range(b.dots):
                before[part] = s.clump[part]
            find_room(b, s, player, STRAIGHT)
        for line in range(b.lines):
            if not is_free(s, line):
                continue
            low, high = rules.parts_of(b, s, player, line)
            if low == high or (straight == 1 and before[low] == before[high]):
                continue
            if s.clump[low] != s.clump[high]:
                s.again[0], s.again[1] = low, high
                if find_room(b, s, player, AGAIN):
                    continue
            if straight == 1:
                out[count] = line
                count += 1
    return count


# ---- a position with its forests -----------------------------------------------------------------


@rule
def follow(b: Record, s: Record, player: int, move: int) -> None:
    """Claim a free line for the mover, and update one player's forests."""
    if s.turn == player:
        lost = before_claim(b, s, player, move)
        rules.play(b, s, move)
        after_claim(b, s, player, lost)
    else:
        rules.play(b, s, move)
        after_loss(b, s, player, move)


@kernel
def setting_up(set_up_forests: Any) -> Any:
    """Pack the forests of some nodes."""

    def set_up(boards: Record, nodes: Record) -> None:
        for index in range(nodes.size):
            set_up_forests(boards[0], nodes[index])

    return set_up


def nodes_of(b: Record, s: Record) -> Any:
    """An array of one node: the position with its forests."""
    boards, nodes = np.zeros(1, Board), np.zeros(1, Node)
    boards[0] = b
    for name in State.names or ():
        nodes[0][name] = s[name]
    setting_up.build(set_up_forests=set_up_forests)(boards, nodes)
    return nodes
