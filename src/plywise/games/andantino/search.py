"""What the expert and the solver share: an evaluation, wins by threats, hooks of alpha-beta.

A winning cell is played, a cell where the opponent would win is blocked at no cost in depth, two
such cells are a loss, and at the horizon threats are followed to their end. A threat leaves one
answer, so the trees of threats are narrow and deep. A threat is a cell that would make five or
close a ring; it may be new, or an old one that a stone next to it has just made legal.
"""

from __future__ import annotations

from plywise.core.game import Record
from plywise.games.andantino.board import EMPTY, FIVE, REACH, RING, WORDS, run_starts
from plywise.games.andantino.rules import group_of, joins_itself, marks_along, play, winning
from plywise.jit import rule
from plywise.jit.bits import ZERO, has, index_of, list_bits, lowest, wide
from plywise.jit.machine import copy_own

# ---- a quiet position ----------------------------------------------------------------------------


#: For the side to move and for the opponent: windows of five with only 2, 3 and 4 own stones (the
#: fifth cell of a four is not legal yet, or the position would not be quiet); the opponent's
#: stones with 3 and with 4 or 5 own ones around them. From self-play, see docs/games/andantino.md.
OWN = (6, 23, 50, 11, 22)
OTHER = (4, 19, 64, 10, 22)


@rule
def side_score(s: Record, player: int, weights: tuple[int, int, int, int, int]) -> int:
    """The score of one side."""
    count, hug = s.count[player], s.hug[player]
    return (
        weights[0] * count[2]
        + weights[1] * count[3]
        + weights[2] * count[4]
        + weights[3] * hug[3]
        + weights[4] * (hug[4] + hug[5])
    )


@rule
def judge(b: Record, s: Record) -> int:
    """An estimate for the side to move."""
    return side_score(s, s.turn, OWN) - side_score(s, 1 - s.turn, OTHER)


# ---- wins by threats -----------------------------------------------------------------------------


@rule
def may_threaten(b: Record, s: Record, player: int, cell: int) -> bool:
    """True if a stone here may leave this player a winning cell; False is certain."""
    # Step 1: a cell that makes five becomes legal.
    for d in range(6):
        beside = b.step[cell, d]
        if s.mark[beside] == EMPTY and has(s.five[player], beside):
            return True
    # Step 2: it is the fourth stone in a window of five.
    if s.count[player, FIVE - 2] > 0:
        for axis in range(3):
            own, other, off = marks_along(b, s, player, cell, axis)
            for i in range(REACH + 1):
                if ((other | off) >> i) & 31 == 0 and b.bits[(own >> i) & 31] >= FIVE - 2:
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


# ---- the hooks of alpha-beta ---------------------------------------------------------------------


#: Moves after these are first searched one or two plies less deeply (late-move reduction).
LATE, VERY_LATE = 3, 7
DEEP = 3  #: ... with at least this many plies to go
LEVELS = 8  #: threats in a row that are followed
HORIZON_NODES = 40  #: nodes for this at the horizon
EARLY = 2  #: with at least so many plies to go, threats are tried before other moves
EARLY_NODES = 60  #: nodes for this


@rule
def moves(b: Record, s: Record, out: Record) -> int:
    """List the legal moves outside the opponent's rings; all moves if there are none."""
    n = 0
    for safe in range(2):
        for word in range(WORDS):
            rest = s.legal[word]
            if safe == 0:
                rest &= ~s.pocket[1 - s.turn, word]
            n = list_bits(rest, 64 * word, out, n)
        if n > 0:
            return n
    return n


@rule
def outlook(b: Record, s: Record, cell: int) -> int:
    """Rate a cell by the windows through it that are still open to one side."""
    total = 0
    for axis in range(3):
        own, other, off = marks_along(b, s, s.turn, cell, axis)
        for i in range(REACH + 1):
            if (off >> i) & 31 == 0:
                mine = b.bits[(own >> i) & 31]
                theirs = b.bits[(other >> i) & 31]
                if theirs == 0:
                    total += 5 * mine * mine
                elif mine == 0:
                    total += 4 * theirs * theirs
    ring = b.bits[s.around[s.turn, cell]] + b.bits[s.around[1 - s.turn, cell]]
    return total + 2 * ring


@rule
def can_threaten(s: Record) -> bool:
    """True if there is anything from which the side to move could make a threat."""
    me = s.turn
    if s.count[me, FIVE - 2] > 0 or s.hug[me, 4] + s.hug[me, 5] > 0:
        return True
    for word in range(WORDS):
        if s.five[me, word] != ZERO:
            return True
    return False


@rule
def promise(b: Record, s: Record, move: int) -> int:
    """Moves that matter more come first."""
    return outlook(b, s, move) >> 2


@rule
def tactics(b: Record, s: Record, out: Record) -> tuple[int, int]:
    """Find a cell that wins at once; else the one cell that stops the opponent from winning."""
    me = wide(s.turn)
    number, cell = winning(b, s, me)
    if number > 0:
        out[0] = cell
        return 1, 1
    number, cell = winning(b, s, 1 - me)
    if number == 0 or has(s.pocket[1 - me], cell):
        return 0, 0
    out[0] = cell
    return -2 if number == 2 else 0, 1


@rule
def threats(
    b: Record, states: Record, at: int, lists: Record, ranks: Record, depth: int
) -> tuple[int, int, int]:
    """Look for a win by threats alone, at the horizon and early where there is time."""
    room = (states.size - at - 4) // 2
    if 0 < depth < EARLY or room <= 0 or not can_threaten(states[at]):
        return 0, -1, 0
    most = HORIZON_NODES if depth <= 0 else EARLY_NODES
    return threat_win(b, states, at, lists, ranks, min(LEVELS, room), most)


@rule
def reduction(b: Record, s: Record, move: int, tried: int, depth: int) -> int:
    """How much less deeply a late move is searched; the first moves are not reduced."""
    if tried < LATE or depth < DEEP:
        return 0
    return 1 if tried < VERY_LATE else 2
