"""What every alpha-beta over an explicit stack does in the same way.

A node is a frame: its window, the best so far, the child to look at next. A kernel keeps the loop
and what is special about it; the steps that are not are here. Scores are as in `alphabeta_kernel`,
where the frame is described.
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

MATE = 1_000_000
WON = MATE - 10_000  #: any score beyond is a forced win; estimates stay below
INFINITE = MATE + 1

#: The ranks of the table's move and of killers, above all others.
FIRST_RANK, KILLER_RANK = 1 << 40, 1 << 30
HISTORY_LIMIT = 1 << 14


@rule
def outside(
    f: Record, d: int, least: int, most: int, points: bool, drawn: int, decided: int
) -> tuple[bool, int]:
    """Do the margins that can still come lie outside the window? If so, what the node counts.

    Otherwise they narrow the window. See the fields of a task for `decided`.
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
    """Take the moves that are barred out of a list; how many are left."""
    left = 0
    for i in range(count):
        if barred[out[i]] == 0:
            out[left] = out[i]
            left += 1
    return left


@rule
def answered(f: Record, known: Any, d: int) -> tuple[bool, int, bool]:
    """Does what the table has settle a node with a narrow window? Its value, and is it certain?

    A forced win is one at any depth.
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
    """Count the value of a child in; where it raises alpha, it goes on the path."""
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
    """The last move was too good to be allowed: it gains in history, those before it lose."""
    reward = min(f.depth * f.depth, 400)
    for i in range(f.next):
        tried = lists[d, i]
        old = history[f.turn, tried]
        gain = reward if i == f.next - 1 else -reward
        history[f.turn, tried] = old + gain - old * reward // HISTORY_LIMIT


@rule
def remember_killer(killers: Record, d: int, move: int) -> None:
    """Of the moves that were too good at this ply, the last two are kept."""
    if killers[d, 0] != move:
        killers[d, 1] = killers[d, 0]
        killers[d, 0] = move


@rule
def settled(f: Record, certain: bool) -> tuple[int, bool]:
    """A node that is left: what its best value is a bound of, and is it certain?"""
    if f.best >= f.beta:
        return LOWER, certain or f.best > WON
    bound = EXACT if f.best > f.floor else UPPER
    return bound, f.certain == 1 or (bound == UPPER and f.best < -WON)


@rule
def store(table: Record, f: Record, d: int, bound: int, certain: bool, era: int) -> None:
    """Put a node that is left into the table."""
    value = f.best
    if value > WON:
        value += d
    elif value < -WON:
        value -= d
    sure = PROVED if certain else min(max(f.depth, 0), PROVED - 1)
    keep(table, f.key, pack(value, f.move, sure, bound, era))


@rule
def highest(f: Record, d: int, ranks: Record) -> int:
    """The place of the move that ranks highest among those left."""
    top: int = f.next
    for i in range(f.next + 1, f.count):
        if ranks[d, i] > ranks[d, top]:
            top = i
    return top


@rule
def bring_forward(f: Record, d: int, top: int, lists: Record, ranks: Record) -> None:
    """Swap the move that is tried next with the first of those left."""
    move = lists[d, top]
    lists[d, top] = lists[d, f.next]
    lists[d, f.next] = move
    ranks[d, top] = ranks[d, f.next]


@rule
def aim(f: Record, child: Record, same: bool, depth: int) -> None:
    """The window and the depth of a child; `same`: is the same player to move there?

    A scout is only to show that the child is no better than the best so far.
    """
    limit = f.alpha + 1 if f.scout == 1 else f.beta
    child.alpha = f.alpha if same else -limit
    child.beta = limit if same else -f.alpha
    child.depth = depth
