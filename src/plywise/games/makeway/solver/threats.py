"""Winning by threats: a move that threatens to join with one more line, the only block, and so on.

A player is two lines from joining if some part is next to both the start's part (S) and the end's
part (T). If it has one line to each side, claiming one forces the opponent to claim the second, and
the attack continues with a larger S or T. If it has two lines to one side, the attack has won. An
attacker who has to block can continue only if the block is itself a threat.

What a proved win rests on is a plan. It says that the attacker wins by claiming only lines of one
set (`claims`), while the defender can be forced to take some of them (`forced`) and gets at most
`moves` free choices before the attacker has joined the big dots or the defender is cut off.

Suppose the defender had one more line. The plan still works, unless that line is in `claims`, or
the defender could join the big dots by a path over it with at most `moves` further lines besides
the forced ones. So when a plan wins even if the defender passes, all other replies lose like the
pass, and every losing reply brings a plan that may rule out more.
"""

from __future__ import annotations

import numpy as np

from plywise.core.game import Record
from plywise.games.makeway import rules
from plywise.games.makeway.board import WORDS, State, bit_of, is_free
from plywise.games.makeway.forests import measure_far, way_through
from plywise.games.makeway.graph import DOTS, LINES
from plywise.jit import rule
from plywise.jit.bits import ONE, ZERO, exclude, has, include

MOST = 300  #: most positions in one search
DEEP = 24  #: most threats in a row
WON = -1  #: instead of a number of threats: the first move listed wins

_PLAN = [
    ("claims", "u8", (WORDS,)),
    ("forced", "u8", (WORDS,)),
    ("moves", "i4"),
]
#: What a win rests on, see above.
WinPlan = np.dtype((np.record, _PLAN))

#: The plan so far in a position in which the defender moves.
Work = np.dtype(
    (
        np.record,
        [
            *_PLAN,
            ("open", "u8", (WORDS,)),  # the replies that are not ruled out yet
            ("stage", "i4"),  # BLOCKING or MOVING
            ("child", "i4"),  # the last reply searched
        ],
    )
)

#: Scratch space for the searches of one thread.
Scratch = np.dtype(
    (
        np.record,
        [
            ("lines", State, (DEEP + 1,)),  # the positions of a sequence of threats
            ("after", State),  # positions to look ahead from
            ("reply", State),
            ("upset", State),
            ("plan", WinPlan),
            ("later", Work),
            ("pairs", "i4", (DEEP + 1, 2 * DOTS, 2)),  # [depth, number]: threat and block
            ("count", "i4", (DEEP + 1,)),
            ("next", "i4", (DEEP + 1,)),
            ("depth", "i4"),  # how many threats come before the last move
            ("must", "u8", (WORDS,)),  # lines, one of which must be claimed now
            ("early", "u8", (WORDS,)),  # ... and against a sequence that needs one more move
            ("ways", "i4", (2, DOTS)),  # [S or T, part]: how many free lines lead there
            ("way", "i4", (2, DOTS)),  # ... and one of them
            ("far", "i4", (2, DOTS)),  # [S or T, part]: how many lines away
            ("place", "i4", (DOTS,)),  # [part]: its row in the matrix
            ("worth", "f8", (LINES,)),
            ("strongest", "i4", (4,)),  # lines
        ],
    )
)


@rule
def wins_by_threats(b: Record, s: Record, player: int, scratch: Record) -> int:
    """The first move of a winning sequence of threats for the side to move; -1 if none is found."""
    copy_lines(b, s, scratch.lines[0])
    seen = 0
    d = 0
    entering = True
    while True:
        if entering:
            seen += 1
            if seen > MOST:
                return -1
            count = list_threats(b, scratch.lines[d], player, scratch, scratch.pairs[d])
            if count == WON:
                scratch.depth = d
                return scratch.pairs[0, 0 if d == 0 else scratch.next[0] - 1, 0]
            scratch.count[d] = count
            scratch.next[d] = 0
        if scratch.next[d] == scratch.count[d] or d == DEEP:
            if d == 0:
                return -1
            d -= 1
            entering = False
            continue
        number = scratch.next[d]
        scratch.next[d] += 1
        copy_lines(b, scratch.lines[d], scratch.lines[d + 1])
        rules.claim(b, scratch.lines[d + 1], player, scratch.pairs[d, number, 0])
        rules.claim(b, scratch.lines[d + 1], 1 - player, scratch.pairs[d, number, 1])
        d += 1
        entering = True


@rule
def gap_after(b: Record, t: Record, player: int, move: int) -> tuple[int, int]:
    """After a move at a big dot's part: the part it adds, and the part still to join."""
    end = t.part[player, b.dots - 1]
    low, high = rules.parts_of(b, t, player, move)
    if low == 0 or high == 0:
        return low + high, end
    return high if low == end else low, 0


@rule
def bridges(b: Record, t: Record, player: int, line: int, part: int, goal: int) -> bool:
    """True for a free line between two parts."""
    low, high = rules.parts_of(b, t, player, line)
    return is_free(t, line) and ((low == part and high == goal) or (low == goal and high == part))


@rule
def list_answers(b: Record, s: Record, player: int, scratch: Record) -> None:
    """Fill `scratch.must`: what the opponent may claim against the last sequence of threats found.

    That is one of its lines, or a line that makes a threat of their own in the meantime.
    """
    other = 1 - player
    for word in range(WORDS):
        scratch.must[word] = ZERO
    for d in range(scratch.depth + 1):
        t = scratch.lines[d]
        # Step 1: lines that bring the opponent within one line of joining.
        way = rules.distance(b, t, other)
        if way <= 2:
            end = t.part[other, b.dots - 1]
            for line in range(b.lines):
                if is_free(t, line):
                    low, high = rules.parts_of(b, t, other, line)
                    near = low == 0 or high == 0 or low == end or high == end
                    if way == 1 or (low != high and near):
                        include(scratch.must, line)
        # Step 2: the threat and its block; the last move with all the lines it leaves.
        number = scratch.next[d] - 1 if d < scratch.depth else 0
        move = scratch.pairs[d, number, 0]
        include(scratch.must, move)
        if d < scratch.depth:
            include(scratch.must, scratch.pairs[d, number, 1])
            continue
        part, goal = gap_after(b, t, player, move)
        for line in range(b.lines):
            if bridges(b, t, player, line, part, goal):
                include(scratch.must, line)


@rule
def wins_in_two(b: Record, s: Record, player: int, first: int, scratch: Record) -> bool:
    """True if, after a pass, this move and then a sequence of threats would win for a player.

    If so, `scratch.early` is what the opponent may claim now: `first`, a line of that sequence, a
    line of one of the sequences against the answers to it, or a line that together with such an
    answer makes a threat in the meantime.
    """
    copy_lines(b, s, scratch.after)
    rules.claim(b, scratch.after, player, first)
    if wins_by_threats(b, scratch.after, player, scratch) < 0:
        return False
    list_answers(b, scratch.after, player, scratch)
    answers_low, answers_high = scratch.must[0], scratch.must[1]
    include(scratch.must, first)
    for d in range(scratch.depth + 1):
        # Two lines of the opponent's threaten if they are on a path of three lines. On a path of
        # two they would have to touch its ends, and those lines are among the answers.
        t = scratch.lines[d]
        measure_far(b, t, 1 - player, 3, scratch.far)
        if scratch.far[0, t.part[1 - player, b.dots - 1]] == 3:
            for line in range(b.lines):
                if is_free(t, line) and way_through(b, t, 1 - player, line, scratch.far) == 3:
                    include(scratch.must, line)
    for word in range(WORDS):
        scratch.early[word] = scratch.must[word]
    for line in range(b.lines):
        bit = ONE << np.uint64(line & 63)
        if (answers_low if line < 64 else answers_high) & bit == ZERO:
            continue
        copy_lines(b, scratch.after, scratch.reply)
        rules.claim(b, scratch.reply, 1 - player, line)
        if wins_by_threats(b, scratch.reply, player, scratch) < 0:
            return False
        list_answers(b, scratch.reply, player, scratch)
        for word in range(WORDS):
            scratch.early[word] |= scratch.must[word]
    return True


@rule
def copy_lines(b: Record, s: Record, t: Record) -> None:
    """Copy the owners of all lines from one position to another."""
    for player in range(2):
        for word in range(WORDS):
            t.own[player, word] = s.own[player, word]
        for dot in range(b.dots):
            t.part[player, dot] = s.part[player, dot]


@rule
def list_threats(b: Record, t: Record, player: int, scratch: Record, out: Record) -> int:
    """List threats with their blocks; WON if the first move of the list wins."""
    other = 1 - player
    end = t.part[player, b.dots - 1]
    for part in range(b.dots):
        scratch.ways[0, part] = scratch.ways[1, part] = 0
    block, blocks = -1, 0
    # Step 1: lines that join now, for either player, and lines to S and to T.
    for line in range(b.lines):
        if not is_free(t, line):
            continue
        low, high = rules.parts_of(b, t, player, line)
        if low != high:
            if (low == 0 and high == end) or (low == end and high == 0):
                out[0, 0] = line
                return WON
            if low == 0 or high == 0:
                scratch.ways[0, low + high] += 1
                scratch.way[0, low + high] = line
            elif low == end or high == end:
                part = high if low == end else low
                scratch.ways[1, part] += 1
                scratch.way[1, part] = line
        if rules.joins(b, t, other, line):
            block = line
            blocks += 1
    if blocks > 1:
        return 0
    # Step 2: a block that is a threat.
    if blocks == 1:
        low, high = rules.parts_of(b, t, player, block)
        side, part = -1, 0
        if low == 0 or high == 0:
            side, part = 0, low + high
        elif low == end or high == end:
            side, part = 1, high if low == end else low
        if low == high or side < 0 or scratch.ways[1 - side, part] == 0:
            return 0
        out[0, 0], out[0, 1] = block, scratch.way[1 - side, part]
        return WON if scratch.ways[1 - side, part] > 1 else 1
    # Step 3: any threat.
    count = 0
    for part in range(b.dots):
        for side in range(2):
            if scratch.ways[side, part] > 0 and scratch.ways[1 - side, part] > 0:
                out[count, 0] = scratch.way[side, part]
                out[count, 1] = scratch.way[1 - side, part]
                if scratch.ways[1 - side, part] > 1:
                    out[0, 0] = out[count, 0]
                    return WON
                count += 1
    return count


# ---- plans ---------------------------------------------------------------------------------------


PASS = -1  #: a move that claims nothing

BLOCKING, MOVING = 0, 1  #: the mover must block; any move


@rule
def clear_plan(plan: Record) -> None:
    """Empty a plan: no lines, no moves."""
    for word in range(WORDS):
        plan.claims[word] = plan.forced[word] = ZERO
    plan.moves = 0


@rule
def plan_by_threats(b: Record, player: int, scratch: Record, plan: Record) -> None:
    """The plan of the last sequence of threats found."""
    clear_plan(plan)
    for d in range(scratch.depth):
        number = scratch.next[d] - 1
        include(plan.claims, scratch.pairs[d, number, 0])
        include(plan.claims, scratch.pairs[d, number, 1])
        include(plan.forced, scratch.pairs[d, number, 1])
    t = scratch.lines[scratch.depth]
    move = scratch.pairs[scratch.depth, 0, 0]
    include(plan.claims, move)
    if rules.joins(b, t, player, move):
        plan.moves = 1 if scratch.depth > 0 else 0
        return
    # The last move leaves two lines that join; more are not needed.
    plan.moves = 1
    part, goal = gap_after(b, t, player, move)
    left = 2
    for line in range(b.lines):
        if left > 0 and line != move and bridges(b, t, player, line, part, goal):
            include(plan.claims, line)
            left -= 1


@rule
def add_trees(b: Record, t: Record, player: int, parts: int, plan: Record) -> None:
    """Add the lines of the two trees that span some parts."""
    for line in range(b.lines):
        if has(t.forest[player, 0], line) or has(t.forest[player, 1], line):
            low = bit_of(t.part[player, b.ends[line, 0]])
            high = bit_of(t.part[player, b.ends[line, 1]])
            if parts & low != ZERO and parts & high != ZERO:
                include(plan.claims, line)


@rule
def copy_plan(plan: Record, other: Record) -> None:
    """Write a plan over another."""
    for word in range(WORDS):
        other.claims[word] = plan.claims[word]
        other.forced[word] = plan.forced[word]
    other.moves = plan.moves


@rule
def begin_plan(work: Record) -> None:
    """Start a plan: every reply is open, and nothing is known."""
    clear_plan(work)
    work.child = 0
    for word in range(WORDS):
        work.open[word] = ~ZERO


@rule
def force_plan(work: Record, plan: Record, block: int) -> None:
    """Extend a plan: the defender must block first."""
    for word in range(WORDS):
        work.claims[word] |= plan.claims[word]
        work.forced[word] |= plan.forced[word]
        work.open[word] = ZERO
    include(work.claims, block)
    include(work.forced, block)
    work.moves = max(1, plan.moves)


@rule
def join_plan(
    b: Record, s: Record, attacker: int, work: Record, plan: Record, reply: int, scratch: Record
) -> None:
    """Merge the plan against a reply, and rule out the other replies that it beats."""
    defender = 1 - attacker
    for word in range(WORDS):
        work.claims[word] |= plan.claims[word]
        work.forced[word] |= plan.forced[word]
    work.moves = max(work.moves, plan.moves + 1)
    t = scratch.upset
    copy_lines(b, s, t)
    for line in range(b.lines):
        if has(plan.forced, line) and is_free(t, line):
            rules.claim(b, t, defender, line)
    most = plan.moves + 1
    measure_far(b, t, defender, most, scratch.far)
    for line in range(b.lines):
        if not has(work.open, line) or has(plan.claims, line):
            continue
        if is_free(t, line) and way_through(b, t, defender, line, scratch.far) <= most:
            continue
        exclude(work.open, line)
    if reply != PASS:
        exclude(work.open, reply)
