"""What the expert's alpha-beta knows about lines, rings and threats, as verbs of the search loop.

A winning cell is played, a cell where the opponent would win is blocked at no cost in depth, two
such cells are a loss, and at the horizon threats are followed to their end.
"""

from __future__ import annotations

from plywise.core.game import Record
from plywise.games.andantino.board import EMPTY, FIVE, REACH, WORDS
from plywise.games.andantino.rules import winning
from plywise.games.andantino.search.threats import threat_win
from plywise.jit import rule
from plywise.jit.bits import ZERO, has, list_bits, wide

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
        own = 0
        other = 0
        closed = 0
        for i in range(2 * REACH + 1):
            found = s.mark[b.line[cell, axis, i]]
            if found == s.turn + 1:
                own |= 1 << i
            elif found == 2 - s.turn:
                other |= 1 << i
            elif found != EMPTY:
                closed |= 1 << i
        for i in range(REACH + 1):
            if (closed >> i) & 31 == 0:
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
