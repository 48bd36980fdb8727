"""The rules of Andantino, updated with every stone. A move is a cell."""

from __future__ import annotations

from typing import Any

from plywise.core.game import Record
from plywise.games.andantino.board import (
    EMPTY,
    FIVE,
    IMAGES,
    NONE,
    OFF,
    OUT,
    REACH,
    WORDS,
    first_of,
    run_starts,
    toggled,
)
from plywise.jit import rule
from plywise.jit.bits import ZERO, exclude, has, include, index_of, list_bits, lowest

LINE, RING_CLOSED, WALKED_IN = 1, 2, 4  #: what a stone did, see `place`
#: The value of a window of five with n stones of one player and none of the other.
ONE_STONE, TWO_STONES, THREE_STONES, FOUR_STONES = 1, 4, 16, 50


@rule
def setup(b: Record, s: Record) -> None:
    """Set up an empty board: the first stone goes to the middle."""
    s.five[:], s.pocket[:], s.joint[:] = ZERO, ZERO, ZERO
    s.count[:], s.hug[:] = 0, 0
    s.keys[:] = ZERO
    s.mark[:] = OFF
    s.mark[: b.cells] = EMPTY
    s.chain[:], s.around[:] = 0, 0
    s.box[0] = s.box[2] = b.side
    s.box[1] = s.box[3] = -b.side
    s.filled = 0
    s.turn = 0
    s.won = 0
    s.legal[:] = ZERO
    include(s.legal, b.middle)


@rule
def moves(b: Record, s: Record, out: Record) -> int:
    """List the empty cells that touch two stones; the first two moves have rules of their own."""
    n = 0
    for word in range(WORDS):
        n = list_bits(s.legal[word], 64 * word, out, n)
    return n


@rule
def play(b: Record, s: Record, move: int) -> None:
    """Place a stone; the mover's line counts first, then their ring, then the opponent's ring."""
    me = s.turn
    done = place(b, s, me, move)
    if done & (LINE | RING_CLOSED) != 0:
        s.won = me + 1
    elif done & WALKED_IN != 0:
        s.won = 2 - me
    s.turn = 1 - me


@rule
def place(b: Record, s: Record, player: int, cell: int) -> int:
    """Place a stone on an empty cell. Returns what it did: LINE, RING_CLOSED, WALKED_IN."""
    # Step 1: the stone itself.
    s.mark[cell] = player + 1
    s.filled += 1
    for image in range(IMAGES):
        s.keys[image] ^= b.hash[player, cell, image]
    s.box[0] = min(s.box[0], b.q[cell])
    s.box[1] = max(s.box[1], b.q[cell])
    s.box[2] = min(s.box[2], b.r[cell])
    s.box[3] = max(s.box[3], b.r[cell])
    # Step 2: legal cells. The second stone goes next to the first, all others next to two.
    enough = 2 if s.filled > 1 else 1
    if s.filled <= 2:
        for word in range(WORDS):
            s.legal[word] = ZERO
    exclude(s.legal, cell)
    exclude(s.five[1 - player], cell)  # the player's own five ends the game
    s.hug[1 - player, b.bits[s.around[1 - player, cell]]] += 1
    for d in range(6):
        beside = b.step[cell, d]
        mine = s.around[player, beside] | (1 << ((d + 3) % 6))
        s.around[player, beside] = mine
        if b.runs[mine] >= 2:
            include(s.joint[player], beside)
        else:
            exclude(s.joint[player], beside)
        if s.mark[beside] == 2 - player:
            s.hug[player, b.bits[mine]] += 1
            s.hug[player, b.bits[mine] - 1] -= 1
        stones = b.bits[s.around[0, beside] | s.around[1, beside]]
        if s.mark[beside] == EMPTY and stones >= enough:
            include(s.legal, beside)
    # Step 3: lines, rings, and the opponent's pockets.
    done = 0
    if extend_lines(b, s, player, cell):
        done |= LINE
    if joins_itself(b, s, player, cell) and surrounds(b, s, player, cell, True):
        done |= RING_CLOSED
    join(b, s, player, cell)
    if has(s.pocket[1 - player], cell):
        done |= WALKED_IN
    return done


@rule
def marks_along(b: Record, s: Record, player: int, cell: int, axis: int) -> tuple[int, int, int]:
    """The own marks around a cell on an axis, the opponent's, and the cells off the board, as bits.

    Bit REACH is the cell itself.
    """
    own = 0
    other = 0
    off = 0
    for i in range(2 * REACH + 1):
        found = s.mark[b.line[cell, axis, i]]
        if found == player + 1:
            own |= 1 << i
        elif found == 2 - player:
            other |= 1 << i
        elif found == OFF:
            off |= 1 << i
    return own, other, off


@rule
def extend_lines(b: Record, s: Record, player: int, cell: int) -> bool:
    """Update the counts of windows of five through a new stone; True if one of them is full."""
    full = False
    for axis in range(3):
        own, other, off = marks_along(b, s, player, cell, axis)
        for i in range(REACH + 1):
            if (off >> i) & 31 != 0:
                continue
            owned = b.bits[(own >> i) & 31]
            held = b.bits[(other >> i) & 31]
            if held == 0:
                s.count[player, owned] += 1
                if owned > 1:
                    s.count[player, owned - 1] -= 1
                if owned == FIVE:
                    full = True
                elif owned == FIVE - 1:
                    gap = b.bits[(~(own >> i) & 31) - 1]
                    include(s.five[player], b.line[cell, axis, i + gap])
            elif owned == 1:
                s.count[1 - player, held] -= 1
    return full


@rule
def group_of(s: Record, stone: int) -> int:
    """The last stone of a stone's chain, which identifies its group."""
    while s.chain[stone] >= 0:
        stone = s.chain[stone]
    return stone


@rule
def join(b: Record, s: Record, player: int, cell: int) -> None:
    """Join a new stone and the groups next to it into one group."""
    starts = run_starts(s.around[player, cell])
    top = cell
    s.chain[cell] = -1
    for d in range(6):
        if (starts >> d) & 1 != 0:
            group = group_of(s, b.step[cell, d])
            if group != top and s.chain[group] <= s.chain[top]:
                s.chain[group] += s.chain[top]
                s.chain[top] = group
                top = group
            elif group != top:
                s.chain[top] += s.chain[group]
                s.chain[group] = top


@rule
def joins_itself(b: Record, s: Record, player: int, cell: int) -> bool:
    """True if a stone here would join two ends of one group; only then can it close a ring."""
    starts = run_starts(s.around[player, cell])
    if starts & (starts - 1) == 0:
        return False
    first = second = -1
    for d in range(6):
        if (starts >> d) & 1 != 0:
            group = group_of(s, b.step[cell, d])
            if group in (first, second):
                return True
            second = first
            first = group
    return False


@rule
def surrounds(b: Record, s: Record, player: int, cell: int, keep: bool) -> bool:
    """True if a stone here, which joins a group to itself, closes a ring around an enemy stone.

    With `keep`, the empty cells of all closed regions become pockets. Each region next to the stone
    is flood-filled in a loop until it turns out to be open.
    """
    mine = player + 1
    gaps = run_starts(~s.around[player, cell] & 63)
    caught = False
    for d in range(6):
        start = b.step[cell, d]
        if (gaps >> d) & 1 == 0 or start == OUT:
            continue
        region = toggled(NONE, start)
        waiting = region
        stones = s.mark[start] != EMPTY
        closed = True
        here = start
        while closed and here >= 0:
            waiting = toggled(waiting, here)
            for way in range(6):
                beside = b.step[here, way]
                if beside == OUT or is_outside(b, s, beside):
                    closed = False
                    break
                if s.mark[beside] != mine and beside != cell and not has(region, beside):
                    region = toggled(region, beside)
                    waiting = toggled(waiting, beside)
                    stones |= s.mark[beside] != EMPTY
            here = first_of(waiting)
        if closed:
            caught |= stones
            if keep:
                for word in range(WORDS):
                    s.pocket[player, word] |= region[word]
    return caught


@rule
def is_outside(b: Record, s: Record, cell: int) -> bool:
    """True if a cell is outside the box of all stones, so its way to the rim is free."""
    q, r = b.q[cell], b.r[cell]
    return q < s.box[0] or q > s.box[1] or r < s.box[2] or r > s.box[3]


@rule
def winning(b: Record, s: Record, player: int) -> tuple[int, int]:
    """How many cells would win at once for a player (at most two), and one of them."""
    number = 0
    found = -1
    for word in range(WORDS):
        line = s.legal[word] & s.five[player, word]
        rest = line | (s.legal[word] & s.joint[player, word])
        while rest != ZERO:
            bit = lowest(rest)
            rest ^= bit
            cell = 64 * word + index_of(bit)
            if bit & line != ZERO or closes(b, s, player, cell):
                number += 1
                found = cell
                if number == 2:
                    return number, found
    return number, found


@rule
def closes(b: Record, s: Record, player: int, cell: int) -> bool:
    """True if a stone here would close a ring around an enemy stone."""
    return joins_itself(b, s, player, cell) and surrounds(b, s, player, cell, False)


@rule
def over(b: Record, s: Record) -> bool:
    """True after a line or a ring, or if the board is full."""
    return s.won != 0 or s.filled == b.cells


@rule
def margin(b: Record, s: Record) -> int:
    """1 if black has won, -1 if white, 0 on a full board."""
    return 0 if s.won == 0 else 1 if s.won == 1 else -1


@rule
def key(b: Record, s: Record) -> Any:
    """The smallest hash of the position and its eleven images."""
    least = s.keys[0]
    for image in range(1, IMAGES):
        least = min(least, s.keys[image])
    return least ^ b.tempo if s.turn == 1 else least


@rule
def evaluate(b: Record, s: Record) -> int:
    """Score windows of five with stones of only one player, by their number."""
    score = (
        ONE_STONE * (s.count[0, 1] - s.count[1, 1])
        + TWO_STONES * (s.count[0, 2] - s.count[1, 2])
        + THREE_STONES * (s.count[0, 3] - s.count[1, 3])
        + FOUR_STONES * (s.count[0, 4] - s.count[1, 4])
    )
    return score if s.turn == 0 else -score


@rule
def forced(b: Record, s: Record, out: Record) -> int:
    """List a winning cell, else a cell where the opponent would win.

    If that cell is in the opponent's pocket, every other move loses too, one ply later.
    """
    number, cell = winning(b, s, s.turn)
    if number == 0:
        number, cell = winning(b, s, 1 - s.turn)
        if number == 0 or has(s.pocket[1 - s.turn], cell):
            return 0
    out[0] = cell
    return 1


@rule
def promise(b: Record, s: Record, move: int) -> int:
    """Cells next to many stones first; own stones count more."""
    own, other = s.around[s.turn, move], s.around[1 - s.turn, move]
    return 2 * b.bits[own] + b.bits[other]
