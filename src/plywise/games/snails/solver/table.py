"""The transposition table of the Snails solver: four words for each position and question.

The first two words are the trails of the side to move and of the opponent. The third is

     63   29 28 24 23 19 18  14 13   12     11    6 5   0
    | work  | clock | wins | fails | goal | turn | other | mover |

`mover` and `other` are where the snails are, `goal` is the question (see kernel.py), `turn` is used
only where the board must not be rotated. That is the whole position except the clock, so no two
positions share a key. The clock is not part of it: with `fails` plies left or fewer the chaser
fails, with `wins` or more they succeed; in between nothing is known. For one clock in between the
fourth word has the proof and the disproof number, 32 bits each.

A bucket has four positions. A new one replaces the one that took the least work.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from plywise.core.game import Record
from plywise.games.snails.board import QUIET
from plywise.jit import kernel, rule
from plywise.jit.bits import ONE, ZERO, spread

WORDS = 4  #: of an entry
BUCKET = 4  #: entries
NEVER = QUIET + 1  #: longer than any clock
MOST_WORK = (1 << 35) - 1
NO_CLOCK = 0  #: no numbers are kept

_OTHER, _TURN, _GOAL = np.uint64(6), np.uint64(12), np.uint64(13)
_FAILS, _WINS, _CLOCK, _WORK = (np.uint64(bit) for bit in (14, 19, 24, 29))
_KEY = np.uint64((1 << 14) - 1)
_FIVE_BITS = np.uint64(31)
_HALF, _NUMBER = np.uint64(32), np.uint64(0xFFFFFFFF)


def new_table(bits: int) -> np.ndarray[Any, np.dtype[np.uint64]]:
    """Make an empty table of 2 ** `bits` buckets."""
    return np.zeros((1 << bits) * BUCKET * WORDS, np.uint64)


def most_bits(megabytes: float) -> int:
    """The size of the largest table that fits into this memory."""
    return max(0, int(megabytes * 1e6 / (BUCKET * WORDS * 8)).bit_length() - 1)


@rule
def write_key(b: Record, node: Record, goal: int) -> None:
    """Write the key of a node: the smallest of its views in which the mover is player 0."""
    me = node.turn
    wanted = goal if me == 0 else 1 - goal
    first = 2 * me * b.turns
    for view in range(first, first + b.mirrors):
        mine = node.trail[view, me]
        others = node.trail[view, 1 - me]
        third = np.uint64(b.image[view, node.at[me]])
        third |= np.uint64(b.image[view, node.at[1 - me]]) << _OTHER
        third |= np.uint64(me * (1 - b.turns)) << _TURN
        third |= np.uint64(wanted) << _GOAL
        less = mine < node.key[0] or (
            mine == node.key[0]
            and (others < node.key[1] or (others == node.key[1] and third < node.key[2]))
        )
        if view == first or less:
            node.key[0] = mine
            node.key[1] = others
            node.key[2] = third


@rule
def bucket_of(table: Any, first: Any, second: Any, third: Any) -> Any:
    """Where the bucket of a key starts."""
    mixed = spread(first ^ spread(second ^ spread(third & _KEY)))
    buckets = np.uint64(table.size // (BUCKET * WORDS))
    return np.int64(mixed & (buckets - ONE)) * (BUCKET * WORDS)


@rule
def recall(table: Any, node: Record) -> bool:
    """Copy a node's entry from the table; True if it includes proof numbers."""
    node.fails = 0
    node.wins = NEVER
    at = bucket_of(table, node.key[0], node.key[1], node.key[2])
    for place in range(at, at + BUCKET * WORDS, WORDS):
        if table[place] == node.key[0] and table[place + 1] == node.key[1]:
            third = table[place + 2]
            if third & _KEY == node.key[2]:
                node.fails = np.int64((third >> _FAILS) & _FIVE_BITS)
                node.wins = np.int64((third >> _WINS) & _FIVE_BITS)
                node.proof = np.int64(table[place + 3] & _NUMBER)
                node.disproof = np.int64(table[place + 3] >> _HALF)
                return np.int64((third >> _CLOCK) & _FIVE_BITS) == node.clock
    return False


@rule
def keep(table: Any, first: Any, second: Any, third: Any, fourth: Any) -> int:
    """Store an entry in the table; 1 if it took an empty place."""
    at = bucket_of(table, first, second, third)
    chosen = at
    least = ~ZERO
    for place in range(at, at + BUCKET * WORDS, WORDS):
        if table[place] == ZERO:
            chosen = place
            break
        work = table[place + 2] >> _WORK
        same = table[place] == first and table[place + 1] == second
        if same and (table[place + 2] ^ third) & _KEY == ZERO:
            chosen = place
            third += min(work, np.uint64(MOST_WORK) - (third >> _WORK)) << _WORK
            break
        if work < least:
            least = work
            chosen = place
    fresh = 1 if table[chosen] == ZERO else 0
    table[chosen] = first
    table[chosen + 1] = second
    table[chosen + 2] = third
    table[chosen + 3] = fourth
    return fresh


@rule
def remember(table: Any, node: Record, clock: int, work: int) -> int:
    """Store a node, with its numbers for one clock; 1 if it took an empty place."""
    third = node.key[2] | (np.uint64(node.fails) << _FAILS) | (np.uint64(node.wins) << _WINS)
    third |= np.uint64(clock) << _CLOCK
    third |= np.uint64(min(work, MOST_WORK)) << _WORK
    fourth = np.uint64(node.proof) | (np.uint64(node.disproof) << _HALF)
    return keep(table, node.key[0], node.key[1], third, fourth)


@kernel
def moving() -> Any:
    """Move all entries into another table; return how many there are."""

    def move(table: Any, larger: Any) -> int:
        count = 0
        for place in range(0, table.size, WORDS):
            if table[place] != ZERO:
                first, second = table[place], table[place + 1]
                count += keep(larger, first, second, table[place + 2], table[place + 3])
        return count

    return move
