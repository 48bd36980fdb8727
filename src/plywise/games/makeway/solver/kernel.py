"""The loop of the solver: proof-number search guided by the switching game.

One question, as in `plywise.engines.kernels.proof`: can the attacker force a win? The differences:

- A position is judged on entry: by the attacker's slack, by the mover's sequences of threats, and
  by which player is faster when the attacker has two trees.
- Moves that cannot keep the attacker's slack at 0 are skipped.
- New positions get their numbers from the network's resistance, so that moves that look strong are
  tried first, without playing them.
- The defender's replies are mostly similar, so their proof numbers are not added up: the largest
  counts, and a part of the others ("weak" proof numbers).
- A proved win is kept with its plan, which rules out other replies; see threats.py.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from plywise.core.game import Record, Verb
from plywise.engines.kernels.proof import (
    ABORTED,
    BEST,
    ENDLESS,
    NODES,
    UNKNOWN,
    disproof_in,
    note,
    numbers,
    proof_in,
    question,
    slot_of,
)
from plywise.games.makeway import rules
from plywise.games.makeway.board import is_free
from plywise.games.makeway.forests import follow, list_restoring, small_core
from plywise.games.makeway.graph import LINES
from plywise.games.makeway.solver.moves import (
    change_network,
    list_attacks,
    list_useful,
    measure_network,
    rank_moves,
    rule_out,
)
from plywise.games.makeway.solver.threats import (
    BLOCKING,
    MOVING,
    add_trees,
    begin_plan,
    clear_plan,
    copy_plan,
    force_plan,
    join_plan,
    plan_by_threats,
    wins_by_threats,
)
from plywise.jit import kernel, rule
from plywise.jit.bits import has, include, popcount, wide

YES, NO, OPEN = 1, -1, 0

GUESS = 30.0  #: both numbers of a position that looks even
STEEP = 6.0  #: how fast they diverge with the logarithm of the resistances
LARGEST = 10_000.0
TEMPO = 0.75  #: how much of the best move's worth a reply takes back
HOP = 4  #: a child is left when it looks worse than the second by this part of its number
REPLIES, ATTACKS = 8, 16  #: the parts of all numbers but the largest that are added to it


@rule
def judge(
    b: Record,
    s: Record,
    attacker: int,
    known: bool,
    spare: Record,
    scratch: Record,
    best: Record,
    plan: Record,
) -> int:
    """YES if the attacker wins, NO if not, or OPEN; best[0]: the mover's move, or -1.

    `known`: it was judged before, and was open. `plan`: how the attacker wins, if so.
    """
    me, defender = wide(s.turn), 1 - attacker
    best[0] = -1
    clear_plan(plan)
    # Step 1: the game is over, or the switching game says no.
    if s.winner != 0:
        return YES if s.winner == attacker + 1 else NO
    if s.slack[attacker] > (1 if me == attacker else 0):
        return NO
    # Step 2: the opponent is cut off.
    if s.cut[defender] == 1:
        spare[0] = s
        if s.slack[attacker] == 1:
            list_restoring(b, spare[0], attacker, best, scratch.place)
            spare[0] = s
            follow(b, spare[0], attacker, best[0])
            include(plan.claims, best[0])
        add_trees(b, spare[0], attacker, spare[0].core[attacker], plan)
        return YES
    # Step 3: the mover's sequences of threats.
    mine = rules.distance(b, s, me)
    if mine <= 2 and not known:
        best[0] = wins_by_threats(b, s, me, scratch)
        if best[0] >= 0:
            if me != attacker:
                return NO
            plan_by_threats(b, me, scratch, plan)
            return YES
    # Step 4: the opponent has two threats at once.
    other = rules.distance(b, s, 1 - me)
    if other == 1:
        count = 0
        for line in range(b.lines):
            if is_free(s, line) and rules.joins(b, s, 1 - me, line):
                best[0] = line
                count += 1
                if count <= 2:
                    include(plan.claims, line)
        if count > 1:
            plan.moves = 1
            return NO if me == attacker else YES
        return OPEN
    # Step 5: which player is faster, if one has two trees.
    if known:
        return OPEN
    if s.slack[attacker] == 0:
        most = other + 1 if me == attacker else mine
        spare[0] = s
        if small_core(b, s, attacker, most, spare[0], scratch.far):
            parts = spare[0].reached[0]
            add_trees(b, spare[0], attacker, parts, plan)
            plan.moves = popcount(parts) - (2 if me == attacker else 1)
            return YES
    most = mine if me == attacker else other + 1
    spare[0] = s
    if small_core(b, s, defender, most, spare[0], scratch.far):
        return NO
    return OPEN


@rule
def guess(hope: float) -> Any:
    """Estimate a proof number: it falls as hope grows."""
    return np.int64(max(1.0, min(LARGEST, GUESS * math.exp(-STEEP * hope))))


@kernel
def proving(key: Verb) -> Verb:
    """Search `states[0]` until it is settled; returns its proof and disproof number."""

    def prove(
        board: Record,
        states: Record,
        spare: Record,
        scratches: Record,
        nets: Record,
        works: Record,
        frames: Record,
        lists: Record,
        keys: Record,
        guesses: Record,
        killers: Record,
        table: Record,
        plans: Record,
        generation: int,
        attacker: int,
        counts: Record,
        stop: Record,
        halt: Record,
    ) -> tuple[int, int]:
        b = board[0]
        scratch = scratches[0]
        budget = counts[NODES]
        nodes = 0
        d = 0
        only = np.zeros(LINES, np.int64)
        frames[0].key = question(key(b, states[0]), attacker)
        frames[0].most_proof = ENDLESS
        frames[0].most_disproof = ENDLESS
        counts[BEST] = -1
        for player in range(2):
            measure_network(b, states[0], player, scratch.place, nets[0, player])
        entering = True
        proof, disproof = 1, 1
        while True:
            f, work, s = frames[d], works[d], states[d]
            fresh = False
            if entering:
                # Step 1: a new node; stop if asked to.
                if nodes >= budget or stop[0] | halt[0] != 0:
                    counts[ABORTED] = 1
                    break
                nodes += 1
                f.attacks = 1 if s.turn == attacker else 0
                f.entered_at = nodes
                # Step 2: judge it, or list the attacker's moves.
                data = numbers(table, f.key, generation)
                known = data != UNKNOWN and proof_in(data) > 0 and disproof_in(data) > 0
                verdict = judge(b, s, attacker, known, spare, scratch, only, work)
                f.count = 0
                if verdict == OPEN:
                    fresh = True
                    work.stage = MOVING
                    if only[0] >= 0:
                        lists[d, 0] = only[0]
                        f.count = 1
                        work.stage = BLOCKING
                    if work.stage == MOVING and f.attacks == 1:
                        hint = killers[d + 1, 0]
                        f.count = list_attacks(
                            b, s, nets[d], attacker, hint, lists[d], spare, scratch
                        )
                        if f.count == 0:  # no move helps
                            verdict = NO
                if verdict != OPEN:
                    proof, disproof = (0, ENDLESS) if verdict == YES else (ENDLESS, 0)
                    slot = note(table, f.key, proof, disproof, 1, generation)
                    if verdict == YES:
                        copy_plan(work, plans[slot >> 1])
                    if d == 0:
                        counts[BEST] = only[0]
                        break
                    d -= 1
                    entering = False
                    continue
                begin_plan(work)
                entering = False
            # Step 3: the replies that could stop the attacker's plan.
            if fresh and f.attacks == 0 and work.stage == MOVING:
                begin_plan(work)
                rule_out(b, s, nets[d], attacker, killers[d + 1, 1], work, scratch)
                count = list_useful(b, s, lists[d])
                for i in range(count):
                    if has(work.open, lists[d, i]):
                        lists[d, f.count] = lists[d, i]
                        f.count += 1
            # Step 4: new moves, with their estimates.
            if fresh:
                hope = rank_moves(b, s, nets[d], attacker, wide(f.count), lists[d], scratch)
                tempo = TEMPO * scratch.worth[lists[d, 0]] if f.attacks == 1 else 0.0
                for i in range(f.count):
                    line = lists[d, i]
                    after = s.key ^ b.hash[s.turn, line]
                    if s.turn == 0:
                        after ^= b.mover
                    keys[d, i] = question(after, attacker)
                    promise = hope + scratch.worth[line] - tempo
                    guesses[d, i, 0] = guess(promise)
                    guesses[d, i, 1] = guess(-promise)
                    if line == killers[d, f.attacks]:
                        guesses[d, i, 1 - f.attacks] = 1
            # Step 5: plans against losing replies rule out others.
            if f.attacks == 0:
                for i in range(0 if fresh else work.child, f.count if fresh else work.child + 1):
                    line = lists[d, i]
                    if has(work.open, line):
                        slot = slot_of(table, keys[d, i], generation)
                        if slot >= 0 and proof_in(table[slot + 1]) == 0:
                            if work.stage == BLOCKING:
                                force_plan(work, plans[slot >> 1], line)
                            else:
                                join_plan(b, s, attacker, work, plans[slot >> 1], line, scratch)
            # Step 6: the numbers of the node from those of its children. The attacker needs
            # one child proved, the defender one disproved: `lead` is the number of that kind.
            best, open_children = 0, 0
            lead: Any = ENDLESS
            second: Any = ENDLESS
            most_other: Any = 0
            sum_other: Any = 0
            lead_other: Any = 0
            for i in range(f.count):
                if f.attacks == 0 and not has(work.open, lists[d, i]):
                    continue
                data = numbers(table, keys[d, i], generation)
                if data == UNKNOWN:
                    p, q = np.int64(guesses[d, i, 0]), np.int64(guesses[d, i, 1])
                else:
                    p, q = proof_in(data), disproof_in(data)
                mine, theirs = (p, q) if f.attacks == 1 else (q, p)
                most_other = max(most_other, theirs)
                sum_other += theirs
                if theirs > 0:
                    open_children += 1
                if mine < lead:
                    second = lead
                    lead, lead_other, best = mine, theirs, i
                elif mine < second:
                    second = mine
            total = most_other
            if 0 < total < ENDLESS:
                rest = (sum_other - most_other) // (REPLIES if f.attacks == 0 else ATTACKS)
                total = min(total + rest, ENDLESS - 1)
            proof, disproof = (lead, total) if f.attacks == 1 else (total, lead)
            # Step 7: store and leave when a threshold is reached.
            if proof >= f.most_proof or disproof >= f.most_disproof:
                if proof == 0 and f.attacks == 1:
                    slot = slot_of(table, keys[d, best], generation)
                    copy_plan(plans[slot >> 1], work)
                    include(work.claims, lists[d, best])
                slot = note(table, f.key, proof, disproof, nodes - f.entered_at, generation)
                if proof == 0:
                    copy_plan(work, plans[slot >> 1])
                if lead == 0:
                    killers[d, f.attacks] = lists[d, best]
                if d == 0:
                    counts[BEST] = lists[0, best]
                    break
                d -= 1
                continue
            # Step 8: descend into the best child until it looks clearly worse than the second
            # (by a quarter, so that the search does not switch too often), or a limit is reached.
            work.child = best
            states[d + 1] = states[d]
            follow(b, states[d + 1], attacker, wide(lists[d, best]))
            for player in range(2):
                change_network(
                    b, nets[d, player], nets[d + 1, player], lists[d, best], player == s.turn
                )
            child_frame = frames[d + 1]
            child_frame.key = keys[d, best]
            lead_limit = f.most_proof if f.attacks == 1 else f.most_disproof
            total_limit = f.most_disproof if f.attacks == 1 else f.most_proof
            lead_limit = min(lead_limit, second + second // HOP + 1)
            if total_limit < ENDLESS:
                total_limit = max(total_limit - (total - most_other), lead_other + 1)
            child_frame.most_proof = lead_limit if f.attacks == 1 else total_limit
            child_frame.most_disproof = total_limit if f.attacks == 1 else lead_limit
            d += 1
            entering = True
        if counts[ABORTED] == 1 and frames[0].count > 0:
            counts[BEST] = lists[0, 0]
        counts[NODES] = nodes
        return proof, disproof

    return prove


@kernel
def ranking(moves: Verb, forced: Verb) -> Verb:
    """Rank every move, the best by the network first, with the mover's hope after it."""

    def rank(
        board: Record, nodes: Record, scratches: Record, nets: Record, out: Record, hopes: Record
    ) -> int:
        b, s, scratch = board[0], nodes[0], scratches[0]
        urgent = forced(b, s, out)
        first = out[0]
        count = moves(b, s, out)
        for player in range(2):
            measure_network(b, s, player, scratch.place, nets[player])
        hope = rank_moves(b, s, nets, wide(s.turn), count, out, scratch)
        if urgent > 0:
            for index in range(count):
                if out[index] == first:
                    out[index] = out[0]
                    out[0] = first
        for index in range(count):
            hopes[index] = hope + scratch.worth[out[index]]
        return count

    return rank
