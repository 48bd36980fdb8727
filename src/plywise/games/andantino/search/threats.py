"""Threat-space search: wins in which every move of the attacker threatens to win at once.

A threat leaves one answer, so these trees are narrow and deep. A threat is a cell that would make
five or close a ring; it may be new, or an old one that a stone next to it has just made legal.
"""

from __future__ import annotations

from plywise.core.game import Record
from plywise.games.andantino.board import EMPTY, FIVE, OFF, REACH, RING, WORDS, run_starts
from plywise.games.andantino.rules import group_of, joins_itself, play, winning
from plywise.jit import rule
from plywise.jit.bits import ZERO, has, index_of, lowest, wide
from plywise.jit.machine import copy_own


@rule
def may_threaten(b: Record, s: Record, player: int, cell: int) -> bool:
    """True if a stone here may leave this player a winning cell; False is certain."""
    # Step 1: a cell that makes five becomes legal.
    mine, theirs = player + 1, 2 - player
    for d in range(6):
        beside = b.step[cell, d]
        if s.mark[beside] == EMPTY and has(s.five[player], beside):
            return True
    # Step 2: it is the fourth stone in a window of five.
    if s.count[player, FIVE - 2] > 0:
        for axis in range(3):
            own = 0
            other = 0
            for i in range(2 * REACH + 1):
                found = s.mark[b.line[cell, axis, i]]
                if found == mine:
                    own |= 1 << i
                elif found in (theirs, OFF):
                    other |= 1 << i
            for i in range(REACH + 1):
                if (other >> i) & 31 == 0 and b.bits[(own >> i) & 31] >= FIVE - 2:
                    return True
    # Step 3: its group needs one more stone for a ring.
    size = 1
    starts = run_starts(s.around[player, cell])
    for d in range(6):
        if (starts >> d) & 1 != 0:
            size -= s.chain[group_of(s, b.step[cell, d])]
    return size >= RING - 1


@rule
def is_calm(b: Record, s: Record, player: int) -> bool:
    """True if only a threat of this player's own can give them a winning cell.

    There is no cell that makes five, legal or not, no pocket, and no group that one stone would
    join to itself: nothing that a stone next to it or inside it could activate.
    """
    for word in range(WORDS):
        if s.five[player, word] | s.pocket[player, word] != ZERO:
            return False
    for word in range(WORDS):
        rest = s.joint[player, word]
        while rest != ZERO:
            bit = lowest(rest)
            rest ^= bit
            cell = 64 * word + index_of(bit)
            if s.mark[cell] == EMPTY and joins_itself(b, s, player, cell):
                return False
    return True


@rule
def list_threats(b: Record, s: Record, player: int, out: Record) -> int:
    """List a player's legal moves that may threaten and are not in the opponent's pocket."""
    n = 0
    for word in range(WORDS):
        rest = s.legal[word] & ~s.pocket[1 - player, word]
        while rest != ZERO:
            bit = lowest(rest)
            rest ^= bit
            cell = 64 * word + index_of(bit)
            if may_threaten(b, s, player, cell):
                out[n] = cell
                n += 1
    return n


@rule
def threat_win(
    b: Record,
    states: Record,
    at: int,
    lists: Record,
    places: Record,
    levels: int,
    budget: int,
) -> tuple[int, int, int]:
    """Search for a win by threats alone in `states[at]`: (plies or 0, first move, nodes).

    Neither side has a winning cell there. Level k of the search is at
    `states[at + 2 k]`, its moves are in row `at + 2 k` of `lists`, and `places` counts through
    them; the rows above `at` are scratch.
    """
    me = wide(states[at].turn)
    nodes = 0
    here = at
    last = at + 2 * levels
    places[here, 0] = list_threats(b, states[here], me, lists[here])
    places[here, 1] = 0
    while True:
        if places[here, 1] == places[here, 0]:
            if here == at:
                return 0, -1, nodes
            here -= 2
            continue
        move = wide(lists[here, places[here, 1]])
        places[here, 1] += 1
        if nodes >= budget:
            return 0, -1, nodes
        # Step 1: the threat. Two cells, or one where the answer would lose, are a win.
        nodes += 1
        after = states[here + 1]
        copy_own(after, states[here])
        play(b, after, move)
        number, cell = winning(b, after, me)
        if number == 0:
            continue
        theirs, _ = winning(b, after, 1 - me)
        if theirs > 0:
            continue
        if number == 2 or has(after.pocket[me], cell):
            return here - at + 3, lists[at, places[at, 1] - 1], nodes
        # Step 2: the answer. It may open a winning cell, or be a threat itself.
        answered = states[here + 2]
        copy_own(answered, after)
        play(b, answered, cell)
        number, _ = winning(b, answered, me)
        if number > 0:
            return here - at + 3, lists[at, places[at, 1] - 1], nodes
        if here + 2 >= last:
            continue
        theirs, cell = winning(b, answered, 1 - me)
        if theirs == 2:
            continue
        here += 2
        places[here, 1] = 0
        if theirs == 0:
            places[here, 0] = list_threats(b, answered, me, lists[here])
        else:
            lists[here, 0] = cell
            places[here, 0] = 0 if has(answered.pocket[1 - me], cell) else 1
