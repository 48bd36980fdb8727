"""The steps that every alpha-beta over an explicit stack has in common.

A node is a frame: its window, the best value so far, the next child to search. A kernel contains
the loop and whatever is special about it; the shared steps are here. Scores and frames are those of
`alphabeta_kernel`.
"""

from __future__ import annotations

from typing import Any

from plywise.core.game import Record
from plywise.engines.kernels.transpositions import (
    EXACT,
    LOWER,
    PROVED,
    UPPER,
    bound_in,
    depth_in,
    keep,
    pack,
    value_in,
)
from plywise.engines.scale import UNIT
from plywise.jit import rule
from plywise.jit.bits import natural

MATE = 1_000_000
WON = MATE - 10_000  #: any higher score is a forced win; estimates stay below
INFINITE = MATE + 1

#: The ranks of the table's move and of killer moves, above all others.
FIRST_RANK, KILLER_RANK = 1 << 40, 1 << 30
HISTORY_LIMIT = 1 << 14


@rule
def outside(
    f: Record, d: int, least: int, most: int, points: bool, drawn: int, decided: int
) -> tuple[bool, int]:
    """Return whether the margins still possible are outside the window, and the node's value.

    If they are not, they narrow the window. See the fields of a task for `decided`.
    """
    if points:
        low, high = UNIT * least, UNIT * most
    elif decided > 0 and d > 0 and least > 0:
        low = high = MATE - decided - d
    elif decided > 0 and d > 0 and most < 0:
        low = high = decided + d - MATE
    else:
        low = drawn if least >= 0 else d + 1 - MATE
        high = drawn if most <= 0 else MATE - d - 1
    if d > 0 and (low >= f.beta or high <= f.alpha or low == high):
        return True, low if low >= f.beta else high
    f.beta = min(f.beta, high)
    return False, 0


@rule
def without(out: Record, count: int, barred: Record) -> int:
    """Remove the barred moves from a list; return how many are left."""
    left = 0
    for i in range(count):
        if barred[out[i]] == 0:
            out[left] = out[i]
            left += 1
    return left


@rule
def answered(f: Record, known: Any, d: int) -> tuple[bool, int, bool]:
    """Return whether a table entry cuts off a null-window node, its value, and if it is certain.

    A forced win is valid at any depth.
    """
    value = value_in(known)
    if value > WON:
        value -= d
    elif value < -WON:
        value += d
    bound = bound_in(known)
    deep = depth_in(known) >= min(f.depth, PROVED - 1)
    certain = depth_in(known) == PROVED
    if bound & LOWER and value >= f.beta and (deep or value > WON):
        return True, value, certain or value > WON
    if bound & UPPER and value <= f.alpha and (deep or value < -WON):
        return True, value, certain or value < -WON
    return False, value, certain


@rule
def take(f: Record, d: int, move: int, value: int, certain: bool, pv: Record) -> None:
    """Update the node with a child's value; if that raises alpha, update the PV, too."""
    if not certain:
        f.certain = 0
    if value > f.best:
        f.best = value
        f.move = move
        if value > f.alpha:
            f.alpha = value
            if f.beta - f.floor > 1:
                length = pv[d + 1, 0]
                pv[d, 0] = length + 1
                pv[d, 1] = move
                for i in range(length):
                    pv[d, i + 2] = pv[d + 1, i + 1]


@rule
def credit(f: Record, d: int, lists: Record, history: Record) -> None:
    """Update the history heuristic: the last move caused a cutoff, those before it did not."""
    reward = min(f.depth * f.depth, 400)
    turn = natural(f.turn)
    for i in range(f.next):
        tried = natural(lists[d, i])
        old = history[turn, tried]
        gain = reward if i == f.next - 1 else -reward
        history[turn, tried] = old + gain - old * reward // HISTORY_LIMIT


@rule
def remember_killer(killers: Record, d: int, move: int) -> None:
    """Keep the last two moves that caused a cutoff at this ply."""
    if killers[d, 0] != move:
        killers[d, 1] = killers[d, 0]
        killers[d, 0] = move


@rule
def settled(f: Record, certain: bool) -> tuple[int, bool]:
    """Return which bound the best value of a finished node is, and whether it is certain."""
    if f.best >= f.beta:
        return LOWER, certain or f.best > WON
    bound = EXACT if f.best > f.floor else UPPER
    return bound, f.certain == 1 or (bound == UPPER and f.best < -WON)


@rule
def store(table: Record, f: Record, d: int, bound: int, certain: bool, era: int) -> None:
    """Store a finished node in the table."""
    value = f.best
    if value > WON:
        value += d
    elif value < -WON:
        value -= d
    sure = PROVED if certain else min(max(f.depth, 0), PROVED - 1)
    keep(table, f.key, pack(value, f.move, sure, bound, era))


@rule
def favourite(f: Record, d: int, lists: Record, killers: Record) -> int:
    """Return the index of the table's move or else a killer among the remaining; -1: of neither."""
    top = -1
    best = 0
    for i in range(natural(f.next), f.count):
        rank = favour(f, d, lists[d, i], killers)
        if rank > best:
            best = rank
            top = i
    return top


@rule
def favour(f: Record, d: int, move: int, killers: Record) -> int:
    """Return the rank of the table's move or a killer move; 0 for all others."""
    if move == f.hint:
        return FIRST_RANK
    if move == killers[d, 0]:
        return KILLER_RANK + 1
    return KILLER_RANK if move == killers[d, 1] else 0


@rule
def highest(f: Record, d: int, ranks: Record) -> int:
    """Return the index of the highest-ranked remaining move."""
    top: int = natural(f.next)
    for i in range(top + 1, f.count):
        if ranks[d, i] > ranks[d, top]:
            top = i
    return top


@rule
def bring_forward(f: Record, d: int, top: int, lists: Record, ranks: Record) -> None:
    """Swap the move to try next with the first of the remaining moves."""
    first = natural(f.next)
    move = lists[d, top]
    lists[d, top] = lists[d, first]
    lists[d, first] = move
    ranks[d, top] = ranks[d, first]


@rule
def aim(f: Record, child: Record, same: bool, depth: int) -> None:
    """Set the window and the depth of a child; `same`: does the same player move there?

    A scout search only shows that the child is not better than the best so far.
    """
    limit = f.alpha + 1 if f.scout == 1 else f.beta
    child.alpha = f.alpha if same else -limit
    child.beta = limit if same else -f.alpha
    child.depth = depth
