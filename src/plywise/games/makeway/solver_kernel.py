"""The loop of the solver: proof-number search with the switching game as its guide.

One question, as in `plywise.engines.proof_kernel`: can the attacker force a win? What differs:

- A position is judged when it is entered: by the attacker's slack, by rows of threats of the
  mover, and by who is faster when the attacker has two trees.
- Moves that cannot keep the attacker's slack at 0 are not looked at.
- New positions start with numbers from the network's resistance, so that moves that look strong
  are tried first, and without being played.
- The defender's replies mostly lead to the same few ideas, so their proof numbers are not added
  up: the largest counts, and 1 for each other reply ("weak" proof numbers).
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from plywise.core.game import Record, Verb
from plywise.engines.proof_kernel import (
    ABORTED,
    BEST,
    ENDLESS,
    NODES,
    disproof_in,
    note,
    numbers,
    proof_in,
    question,
)
from plywise.games.makeway import rules
from plywise.games.makeway.board import has, is_free
from plywise.games.makeway.network import follow
from plywise.games.makeway.network_flow import (
    measure_network,
    resistance,
    strongest_lines,
    weigh_lines,
)
from plywise.games.makeway.oracle_forests import list_restoring, small_core
from plywise.games.makeway.threats import (
    copy_lines,
    list_answers,
    wins_by_threats,
    wins_in_two,
)
from plywise.jit import kernel, rule
from plywise.jit.bits import ONE, ZERO

YES, NO, OPEN = 1, -1, 0

GUESS = 8.0  #: both numbers of a position that looks even
STEEP = 8.0  #: how fast they part with the logarithm of the resistances
LARGEST = 400.0
HOP = 4  #: a child is left when it looks worse than the second by this part of its number
CROWD = 8  #: so many open replies count as one more than the hardest of them
UNKNOWN = np.uint64(1) | (np.uint64(1) << np.uint64(24))  #: what `numbers` says of a new position


@rule
def judge(
    b: Record, s: Record, attacker: int, known: bool, spare: Record, desk: Record, best: Record
) -> int:
    """YES if the attacker wins, NO if he cannot, OPEN; best[0]: the mover's move, or -1.

    `known`: it has been judged before, and was open.
    """
    me, defender = s.turn, 1 - attacker
    best[0] = -1
    # Step 1: it is over, or the switching game says no.
    if s.winner != 0:
        return YES if s.winner == attacker + 1 else NO
    if s.slack[attacker] > (1 if me == attacker else 0):
        return NO
    # Step 2: nobody is in his way.
    if s.cut[defender] == 1:
        return YES
    # Step 3: rows of threats of the mover.
    mine = rules.distance(b, s, me)
    if mine <= 2 and not known:
        best[0] = wins_by_threats(b, s, me, desk)
        if best[0] >= 0:
            return YES if me == attacker else NO
    # Step 4: two threats at once of the other.
    other = rules.distance(b, s, 1 - me)
    if other == 1:
        count = 0
        for line in range(b.lines):
            if is_free(s, line) and rules.joins(b, s, 1 - me, line):
                best[0] = line
                count += 1
        if count > 1:
            return NO if me == attacker else YES
        return OPEN
    # Step 5: who is faster, if one of them has two trees.
    if known:
        return OPEN
    if s.slack[attacker] == 0:
        most = other + 1 if me == attacker else mine
        spare[0] = s
        if small_core(b, s, attacker, most, spare[0], desk.far):
            return YES
    most = mine if me == attacker else other + 1
    spare[0] = s
    if small_core(b, s, defender, most, spare[0], desk.far):
        return NO
    return OPEN


@rule
def list_moves(
    b: Record,
    s: Record,
    attacker: int,
    only: int,
    hint: int,
    out: Record,
    spare: Record,
    desk: Record,
) -> int:
    """The moves that matter to the question; `only` is a block, or -1.

    `hint` is a move that was good for the other in a like position, or -1.
    """
    if only >= 0:
        out[0] = only
        return 1
    if s.turn == attacker and s.slack[attacker] == 1:
        spare[0] = s
        listed = list_restoring(b, spare[0], attacker, out, desk.place)
    else:
        listed = 0
        for line in range(b.lines):
            if is_free(s, line):
                low, high = b.ends[line, 0], b.ends[line, 1]
                if s.part[0, low] != s.part[0, high] or s.part[1, low] != s.part[1, high]:
                    out[listed] = line
                    listed += 1
    other = 1 - s.turn
    way = rules.distance(b, s, other)
    count = 0
    # If the other would win by threats now, something must be done about it.
    if way <= 2 and wins_by_threats(b, s, other, desk) >= 0:
        list_answers(b, s, other, desk)
        low, high = desk.must[0], desk.must[1]
        for index in range(listed):
            line = out[index]
            if (low if line < 64 else high) >> np.uint64(line & 63) & ONE != ZERO:
                copy_lines(b, s, desk.after)
                rules.claim(b, desk.after, s.turn, line)
                if wins_by_threats(b, desk.after, other, desk) < 0:
                    out[count] = line
                    count += 1
        return count
    # The same if he would by one move more, perhaps by the one that was right elsewhere.
    if way <= 3:
        tries = strongest_lines(b, s, other, desk, desk.strongest)
        if hint >= 0 and is_free(s, hint):
            desk.strongest[tries - 1] = hint
        for index in range(tries):
            if wins_in_two(b, s, other, desk.strongest[index], desk):
                count = 0
                for at in range(listed):
                    if has(desk.early, out[at]):
                        out[count] = out[at]
                        count += 1
                listed = count
    return listed


@rule
def rank_moves(b: Record, s: Record, attacker: int, count: int, out: Record, desk: Record) -> Any:
    """Sort moves, the mover's best first; the attacker's hope before the move.

    The networks are measured. Hope is the logarithm of the other's resistance over one's own;
    `desk.worth` is how much each move adds to it.
    """
    for index in range(count):
        desk.worth[out[index]] = 0.0
    weigh_lines(b, s, attacker, 1.0, desk)
    weigh_lines(b, s, 1 - attacker, -1.0, desk)
    sign = 1.0 if s.turn == attacker else -1.0
    for index in range(1, count):
        line = out[index]
        at = index
        while at > 0 and sign * desk.worth[out[at - 1]] < sign * desk.worth[line]:
            out[at] = out[at - 1]
            at -= 1
        out[at] = line
    mine = math.log(resistance(b, s, attacker, desk))
    return math.log(resistance(b, s, 1 - attacker, desk)) - mine


@rule
def guess(hope: float) -> Any:
    """The number of a position whose other number grows with hope."""
    return np.int64(max(1.0, min(LARGEST, GUESS * math.exp(-STEEP * hope))))


@kernel
def proving(key: Verb) -> Verb:
    """Work on `states[0]` until it is settled; returns its proof and disproof number."""

    def prove(
        board: Record,
        states: Record,
        spare: Record,
        desks: Record,
        frames: Record,
        lists: Record,
        keys: Record,
        guesses: Record,
        killers: Record,
        table: Record,
        generation: int,
        attacker: int,
        counts: Record,
        stop: Record,
        halt: Record,
    ) -> tuple[int, int]:
        b = board[0]
        desk = desks[0]
        budget = counts[NODES]
        nodes = 0
        d = 0
        only = np.zeros(1, np.int64)
        frames[0].key = question(key(b, states[0]), attacker)
        frames[0].most_proof = ENDLESS
        frames[0].most_disproof = ENDLESS
        counts[BEST] = -1
        entering = True
        proof, disproof = 1, 1
        while True:
            f = frames[d]
            if entering:
                # Step 1: a new node; give up if told to.
                if nodes >= budget or stop[0] | halt[0] != 0:
                    counts[ABORTED] = 1
                    break
                nodes += 1
                s = states[d]
                f.attacks = 1 if s.turn == attacker else 0
                f.entered_at = nodes
                # Step 2: judge it, or list its moves with what they promise.
                known = numbers(table, f.key, generation) != UNKNOWN
                verdict = judge(b, s, attacker, known, spare, desk, only)
                f.count = 0
                if verdict == OPEN:
                    measure_network(b, s, 0, desk)
                    measure_network(b, s, 1, desk)
                    hint = killers[d + 1, 1 - f.attacks]
                    f.count = list_moves(b, s, attacker, only[0], hint, lists[d], spare, desk)
                    if f.count == 0:  # nothing helps the mover
                        verdict = NO if f.attacks == 1 else YES
                if verdict != OPEN:
                    proof, disproof = (0, ENDLESS) if verdict == YES else (ENDLESS, 0)
                    note(table, f.key, proof, disproof, 1, generation)
                    if d == 0:
                        counts[BEST] = only[0]
                        break
                    d -= 1
                    entering = False
                    continue
                hope = rank_moves(b, s, attacker, f.count, lists[d], desk)
                for i in range(f.count):
                    line = lists[d, i]
                    after = s.key ^ b.hash[s.turn, line]
                    if s.turn == 0:
                        after ^= b.mover
                    keys[d, i] = question(after, attacker)
                    guesses[d, i, 0] = guess(hope + desk.worth[line])
                    guesses[d, i, 1] = guess(-hope - desk.worth[line])
                    if line == killers[d, f.attacks]:
                        guesses[d, i, 1 - f.attacks] = 1
                entering = False
            # Step 3: the numbers of the node from those of its children. The attacker needs
            # one child proved, the defender one disproved: `lead` is the number of that kind.
            best, open_children = 0, 0
            lead: Any = ENDLESS
            second: Any = ENDLESS
            most_other: Any = 0
            lead_other: Any = 0
            for i in range(f.count):
                data = numbers(table, keys[d, i], generation)
                if data == UNKNOWN:
                    p, q = np.int64(guesses[d, i, 0]), np.int64(guesses[d, i, 1])
                else:
                    p, q = proof_in(data), disproof_in(data)
                mine, theirs = (p, q) if f.attacks == 1 else (q, p)
                most_other = max(most_other, theirs)
                if theirs > 0:
                    open_children += 1
                if mine < lead:
                    second = lead
                    lead, lead_other, best = mine, theirs, i
                elif mine < second:
                    second = mine
            total = most_other
            if 0 < total < ENDLESS:  # the largest counts, and 1 for each of the others
                total = min(total + (open_children - 1) // CROWD, ENDLESS - 1)
            proof, disproof = (lead, total) if f.attacks == 1 else (total, lead)
            # Step 4: store and leave when a threshold is reached.
            if proof >= f.most_proof or disproof >= f.most_disproof:
                note(table, f.key, proof, disproof, nodes - f.entered_at, generation)
                if lead == 0:
                    killers[d, f.attacks] = lists[d, best]
                if d == 0:
                    counts[BEST] = lists[0, best]
                    break
                d -= 1
                continue
            # Step 5: descend into the best child until it looks clearly worse than the second
            # (a quarter more, so that the search does not hop to and fro), or enough in all.
            states[d + 1] = states[d]
            follow(b, states[d + 1], attacker, lists[d, best])
            child_frame = frames[d + 1]
            child_frame.key = keys[d, best]
            lead_limit = f.most_proof if f.attacks == 1 else f.most_disproof
            total_limit = f.most_disproof if f.attacks == 1 else f.most_proof
            lead_limit = min(lead_limit, second + second // HOP + 1)
            if total_limit < ENDLESS:
                total_limit = max(total_limit - (open_children - 1) // CROWD, lead_other + 1)
            child_frame.most_proof = lead_limit if f.attacks == 1 else total_limit
            child_frame.most_disproof = total_limit if f.attacks == 1 else lead_limit
            d += 1
            entering = True
        if counts[ABORTED] == 1 and counts[BEST] < 0 and frames[0].count > 0:
            counts[BEST] = lists[0, 0]
        counts[NODES] = nodes
        return proof, disproof

    return prove


@kernel
def ranking(moves: Verb, forced: Verb) -> Verb:
    """Every move of a position, the best by the network first, and the mover's hope after it."""

    def rank(board: Record, nodes: Record, desks: Record, out: Record, hopes: Record) -> int:
        b, s, desk = board[0], nodes[0], desks[0]
        urgent = forced(b, s, out)
        first = out[0]
        count = moves(b, s, out)
        measure_network(b, s, 0, desk)
        measure_network(b, s, 1, desk)
        hope = rank_moves(b, s, s.turn, count, out, desk)
        if urgent > 0:
            for index in range(count):
                if out[index] == first:
                    out[index] = out[0]
                    out[0] = first
        for index in range(count):
            hopes[index] = hope + desk.worth[out[index]]
        return count

    return rank
