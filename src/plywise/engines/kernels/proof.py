"""The loop of `proof`: depth-first proof-number search (df-pn) over an explicit stack.

It answers one question: can the attacker force a win? A node's proof number is how many leaves must
still be proved for a yes, its disproof number how many must be disproved for a no; the loop always
works on the most promising leaf, and comes back up only when a threshold says that another leaf is
better now. Both numbers are kept in a table, so that the search can be interrupted and resumed.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from plywise.core.game import Record, Verb
from plywise.jit import kernel, rule
from plywise.jit.bits import spread

ENDLESS = (1 << 24) - 1  #: infinity: the opposite is proved

#: The indices of `counts`; on entry, the first holds the node budget.
NODES, ABORTED, BEST = 0, 1, 2

#: entry: proof number 24 bits | disproof number 24 | log of the work 8 | generation 8
_NUMBER = np.uint64(ENDLESS)
_DISPROOF, _WORK, _GENERATION = np.uint64(24), np.uint64(48), np.uint64(56)
SLOTS = 4
UNKNOWN = np.uint64(1) | (np.uint64(1) << _DISPROOF)  #: 1 and 1, for a new position
_SECOND = np.uint64(0xA5F1523D7C4B9E86)  #: an arbitrary word, for the second player as attacker

Frame = np.dtype(
    (
        np.record,
        [
            ("key", "u8"),
            ("attacks", "i4"),  # does the attacker move here?
            ("count", "i4"),
            ("most_proof", "i8"),  # leave when the proof number reaches this,
            ("most_disproof", "i8"),  # or the disproof number this
            ("entered_at", "i8"),  # node count on entry
        ],
    )
)


@rule
def question(key: Any, attacker: int) -> Any:
    """Return a key for a position and an attacker: the two questions share the table."""
    return spread(key) ^ (_SECOND if attacker == 1 else np.uint64(0))


@rule
def bucket_of(table: Any, key: Any) -> Any:
    """Return the start of a key's bucket."""
    return np.int64(key & np.uint64(table.size // (2 * SLOTS) - 1)) * 2 * SLOTS


@rule
def slot_of(table: Any, key: Any, generation: int) -> Any:
    """Return the index of a key's entry, or -1."""
    at = bucket_of(table, key)
    for slot in range(at, at + 2 * SLOTS, 2):
        data = table[slot + 1]
        if table[slot] ^ data == key and data >> _GENERATION == np.uint64(generation):
            return slot
    return -1


@rule
def numbers(table: Any, key: Any, generation: int) -> Any:
    """Return the numbers of a key; UNKNOWN for a new position."""
    slot = slot_of(table, key, generation)
    return table[slot + 1] if slot >= 0 else UNKNOWN


@rule
def pair(proof: int, disproof: int) -> Any:
    """Pack both numbers in one word."""
    return np.uint64(proof) | (np.uint64(disproof) << _DISPROOF)


@rule
def proof_in(data: Any) -> Any:
    """Return the proof number of an entry."""
    return np.int64(data & _NUMBER)


@rule
def disproof_in(data: Any) -> Any:
    """Return the disproof number of an entry."""
    return np.int64((data >> _DISPROOF) & _NUMBER)


@rule
def note(table: Any, key: Any, proof: int, disproof: int, work: int, generation: int) -> Any:
    """Store numbers over the old ones or the entry with the least work; return its index."""
    at = bucket_of(table, key)
    effort = np.uint64(0)
    while work > 1 and effort < np.uint64(255):
        work >>= 1
        effort += np.uint64(1)
    chosen: Any = at
    least = np.uint64(257)
    for slot in range(at, at + 2 * SLOTS, 2):
        data = table[slot + 1]
        if table[slot] ^ data == key:
            chosen = slot
            break
        spent = ((data >> _WORK) & np.uint64(0xFF)) + np.uint64(1)
        if data == np.uint64(0) or data >> _GENERATION != np.uint64(generation):
            spent = np.uint64(0)  # empty, or of an earlier search
        if spent < least:
            least = spent
            chosen = slot
    data = pair(proof, disproof)
    data |= (effort << _WORK) | (np.uint64(generation) << _GENERATION)
    table[chosen] = key ^ data
    table[chosen + 1] = data
    return chosen


@kernel
def proof_kernel(
    moves: Verb,
    play: Verb,
    turn: Verb,
    over: Verb,
    margin: Verb,
    key: Verb,
    bounds: Verb,
    forced: Verb,
) -> Verb:
    """Search `states[0]` until it is settled; returns its proof and disproof numbers."""

    def proof(
        board: Record,
        states: Record,
        frames: Record,
        lists: Record,
        keys: Record,
        fixed: Record,
        fresh: Record,
        table: Record,
        generation: int,
        attacker: int,
        counts: Record,
        stop: Record,
        halt: Record,
    ) -> tuple[int, int]:
        b = board[0]
        budget = counts[NODES]
        nodes = 0
        d = 0
        frames[0].key = question(key(b, states[0]), attacker)
        frames[0].most_proof = ENDLESS
        frames[0].most_disproof = ENDLESS
        entering = True
        proof, disproof = 1, 1
        while True:
            f = frames[d]
            if entering:
                # Step 1: a new node; abort if told to.
                if nodes >= budget or stop[0] | halt[0] != 0:
                    counts[ABORTED] = 1
                    break
                s = states[d]
                f.attacks = 1 if turn(b, s) == attacker else 0
                f.entered_at = nodes
                f.count = forced(b, s, lists[d])
                if f.count == 0:
                    f.count = moves(b, s, lists[d])
                # Step 2: visit each child once: the rules settle it, or its key is stored.
                for i in range(f.count):
                    nodes += 1
                    states[d + 1] = states[d]
                    child = states[d + 1]
                    play(b, child, lists[d, i])
                    fixed[d, i] = 0
                    if over(b, child):
                        result = margin(b, child) if attacker == 0 else -margin(b, child)
                        fixed[d, i] = 1 if result > 0 else -1
                    else:
                        low, high = bounds(b, child)
                        if attacker == 1:
                            low, high = -high, -low
                        if low > 0:
                            fixed[d, i] = 1
                        elif high <= 0:
                            fixed[d, i] = -1
                    keys[d, i] = question(key(b, child), attacker)
                    # A new position starts with the number of its moves, not with 1 and 1.
                    fresh[d, i] = UNKNOWN
                    if fixed[d, i] == 0 and numbers(table, keys[d, i], generation) == UNKNOWN:
                        ways = forced(b, child, lists[d + 1])
                        if ways == 0:
                            ways = moves(b, child, lists[d + 1])
                        mine = turn(b, child) == attacker
                        fresh[d, i] = pair(1, ways) if mine else pair(ways, 1)
                entering = False
            # Step 3: the numbers of the node from those of its children. The attacker needs
            # one child proved, the defender one disproved: `lead` is the number of that kind.
            best = 0
            lead, second, total, lead_other = ENDLESS, ENDLESS, 0, 0
            for i in range(f.count):
                if fixed[d, i] == 1:
                    p, q = 0, ENDLESS
                elif fixed[d, i] == -1:
                    p, q = ENDLESS, 0
                else:
                    data = numbers(table, keys[d, i], generation)
                    data = fresh[d, i] if data == UNKNOWN else data
                    p, q = proof_in(data), disproof_in(data)
                mine, theirs = (p, q) if f.attacks == 1 else (q, p)
                if theirs == ENDLESS:
                    total = ENDLESS
                elif total < ENDLESS:  # a sum alone never counts as settled
                    total = min(total + theirs, ENDLESS - 1)
                if mine < lead:
                    second = lead
                    lead, lead_other, best = mine, theirs, i
                elif mine < second:
                    second = mine
            proof, disproof = (lead, total) if f.attacks == 1 else (total, lead)
            # Step 4: store and leave when a threshold is reached.
            if proof >= f.most_proof or disproof >= f.most_disproof:
                note(table, f.key, proof, disproof, nodes - f.entered_at, generation)
                if d == 0:
                    counts[BEST] = lists[0, best]
                    break
                d -= 1
                continue
            # Step 5: descend into the best child until it is clearly worse than the second (by
            # a quarter, so that the search does not jump back and forth), or the total is reached.
            states[d + 1] = states[d]
            play(b, states[d + 1], lists[d, best])
            child_frame = frames[d + 1]
            child_frame.key = keys[d, best]
            lead_limit = f.most_proof if f.attacks == 1 else f.most_disproof
            total_limit = f.most_disproof if f.attacks == 1 else f.most_proof
            lead_limit = min(lead_limit, second + second // 4 + 1)
            if total_limit < ENDLESS:
                total_limit = total_limit - total + lead_other
            child_frame.most_proof = lead_limit if f.attacks == 1 else total_limit
            child_frame.most_disproof = total_limit if f.attacks == 1 else lead_limit
            d += 1
            entering = True
        counts[NODES] = nodes
        return proof, disproof

    return proof
