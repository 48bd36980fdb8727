"""The loop of `alphabeta`: principal-variation search over an explicit stack.

A score is what the side to move expects. A win in n plies is MATE - n, so nearer wins count
more; in a game of points a finished game counts its margin times UNIT. Beside each value the
loop carries whether it is *certain*: no estimate had a part in it, so that no deeper search can
change it. That is how draws and margins are proved.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from plywise.core.game import Record, Verb
from plywise.engines.scale import UNIT
from plywise.engines.table import (
    EXACT,
    LOWER,
    NOTHING,
    PROVED,
    UPPER,
    bound_in,
    depth_in,
    find,
    keep,
    move_in,
    pack,
    value_in,
)
from plywise.jit import kernel
from plywise.jit.hashing import spread

MATE = 1_000_000
WON = MATE - 10_000  #: any score beyond is a forced win; estimates stay below
INFINITE = MATE + 1

#: What `counts` holds afterwards (it comes in with the node budget).
NODES, ABORTED, CERTAIN = 0, 1, 2

#: How moves are tried: the table's, the killers', then by promise and history.
FIRST_RANK, KILLER_RANK = 1 << 40, 1 << 30
PROMISE_WEIGHT = 256

DEFERRED = 1 << 50  #: taken from the rank of a move that another thread is busy with
SHARE = 4  #: plies to go from which on threads keep out of each other's way

LOOK_UP = 2  #: plies to go from which on the table is used: a lower tree costs less than a look
HISTORY_LIMIT = 1 << 14

Frame = np.dtype(
    (
        np.record,
        [
            ("key", "u8"),
            ("alpha", "i8"),
            ("beta", "i8"),
            ("floor", "i8"),  # alpha as it was on entry
            ("best", "i8"),
            ("move", "i4"),  # the best one
            ("depth", "i4"),  # plies to go, on entry
            ("extra", "i4"),  # 1 if its only move is forced and costs no depth
            ("turn", "i4"),
            ("count", "i4"),
            ("next", "i4"),  # the child to look at next
            ("scout", "i4"),  # is the child searched only to show that it is no better?
            ("certain", "i4"),  # were all children so far?
            ("claim", "i8"),  # where the child searched now is noted in `busy`, or -1
        ],
    )
)


@kernel
def alphabeta_kernel(
    moves: Verb,
    play: Verb,
    turn: Verb,
    over: Verb,
    margin: Verb,
    key: Verb,
    evaluate: Verb,
    bounds: Verb,
    forced: Verb,
    promise: Verb,
) -> Verb:
    """Search `states[0]` to a depth within a window; `pv[0]` is the best path: length, moves."""

    def alphabeta(
        board: Record,
        states: Record,
        frames: Record,
        out: Record,
        lists: Record,
        ranks: Record,
        pv: Record,
        killers: Record,
        history: Record,
        table: Record,
        era: int,
        depth: int,
        alpha: int,
        beta: int,
        points: bool,
        counts: Record,
        stop: Record,
        halt: Record,
        beaten: Record,
        busy: Record,
    ) -> int:
        b = board[0]
        budget = counts[NODES]
        nodes = 0
        value = 0
        certain = True
        d = 0
        frames[0].alpha = alpha
        frames[0].beta = beta
        frames[0].depth = depth
        entering = True
        while True:
            f = frames[d]
            if entering:
                # Step 1: a new node; give up if told to.
                if nodes == budget or (nodes & 1023 == 0 and stop[0] | halt[0] | beaten[0] != 0):
                    counts[ABORTED] = 1
                    break
                nodes += 1
                s = states[d]
                f.turn = turn(b, s)
                pv[d, 0] = 0
                leaf = True
                certain = True
                known = NOTHING
                if over(b, s):
                    # Step 2: the result of a finished game.
                    result = margin(b, s) if f.turn == 0 else -margin(b, s)
                    if points:
                        value = UNIT * result
                    else:
                        value = MATE - d if result > 0 else d - MATE if result < 0 else 0
                else:
                    # Step 3: leave if what can still happen lies outside the window.
                    low, high = bounds(b, s)
                    if f.turn == 1:
                        low, high = -high, -low
                    if points:
                        low = UNIT * low
                        high = UNIT * high
                    else:
                        low = 0 if low >= 0 else d + 1 - MATE
                        high = 0 if high <= 0 else MATE - d - 1
                    if d > 0 and (low >= f.beta or high <= f.alpha or low == high):
                        value = low if low >= f.beta else high
                    else:
                        leaf = False
                        f.beta = min(f.beta, high)
                        # Step 4: ask the table, except on the principal variation, which
                        # is to be walked to its end. A forced win is one at any depth.
                        if f.depth >= LOOK_UP:
                            f.key = spread(key(b, s))
                            known = find(table, f.key, era)
                        if known != NOTHING and d > 0 and f.beta - f.alpha == 1:
                            value = value_in(known)
                            if value > WON:
                                value -= d
                            elif value < -WON:
                                value += d
                            bound = bound_in(known)
                            deep = depth_in(known) >= min(f.depth, PROVED - 1)
                            certain = depth_in(known) == PROVED
                            if bound & LOWER and value >= f.beta and (deep or value > WON):
                                leaf = True
                                certain |= value > WON
                            elif bound & UPPER and value <= f.alpha and (deep or value < -WON):
                                leaf = True
                                certain |= value < -WON
                    if not leaf:
                        # Step 5: the moves; a forced reply costs no depth, so that the
                        # horizon never cuts through a sequence of threats.
                        f.count = forced(b, s, out)
                        f.extra = 1 if f.count == 1 else 0
                        if f.depth + f.extra == 0:
                            leaf = True
                            certain = False
                            value = min(WON - 1, max(1 - WON, evaluate(b, s)))
                        elif f.count == 0:
                            f.count = moves(b, s, out)
                if leaf:
                    if d == 0:
                        counts[CERTAIN] = certain
                        break
                    d -= 1
                    entering = False
                    continue
                # Step 6: rank the moves.
                f.floor = f.alpha
                f.best = -INFINITE
                f.move = out[0]
                f.next = 0
                f.certain = 1
                for i in range(f.count):
                    move = out[i]
                    lists[d, i] = move
                    rank: Any = np.int64(PROMISE_WEIGHT * promise(b, s, move))
                    rank += history[f.turn, move]
                    if move == killers[d, 0]:
                        rank = KILLER_RANK + 1
                    elif move == killers[d, 1]:
                        rank = KILLER_RANK
                    if known != NOTHING and move == move_in(known):
                        rank = FIRST_RANK
                    ranks[d, i] = rank
            else:
                # Step 7: a child came back.
                child = frames[d + 1]
                if child.turn != f.turn:
                    value = -value
                if f.scout == 1 and f.alpha < value < f.beta:
                    f.scout = 0
                    child.alpha = f.alpha if child.turn == f.turn else -f.beta
                    child.beta = f.beta if child.turn == f.turn else -f.alpha
                    child.depth = f.depth + f.extra - 1
                    d += 1
                    entering = True
                    continue
                if f.claim >= 0:
                    busy[f.claim] = 0
                move = lists[d, f.next - 1]
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
                # Step 8: leave if this is more than the other side will allow,
                if f.best >= f.beta:
                    bound = LOWER
                    certain = certain or f.best > WON
                    if f.count > 1:
                        reward = min(f.depth * f.depth, 400)
                        for i in range(f.next):
                            tried = lists[d, i]
                            old = history[f.turn, tried]
                            gain = reward if i == f.next - 1 else -reward
                            history[f.turn, tried] = old + gain - old * reward // HISTORY_LIMIT
                        if killers[d, 0] != move:
                            killers[d, 1] = killers[d, 0]
                            killers[d, 0] = move
                    f.next = f.count
                elif f.next == f.count:
                    bound = EXACT if f.best > f.floor else UPPER
                    certain = f.certain == 1 or (bound == UPPER and f.best < -WON)
                # ... or if that was the last move.
                if f.next == f.count:
                    value = f.best
                    stored = value
                    if value > WON:
                        stored += d
                    elif value < -WON:
                        stored -= d
                    sure = PROVED if certain else min(f.depth, PROVED - 1)
                    if f.depth >= LOOK_UP:
                        keep(table, f.key, pack(stored, f.move, sure, bound, era))
                    if d == 0:
                        counts[CERTAIN] = certain
                        break
                    d -= 1
                    continue
            # Step 9: descend into the best move left; all but the first only to be refuted.
            # What another thread is at is left for later, when its result is in the table.
            f.claim = -1
            while True:
                top = f.next
                for i in range(f.next + 1, f.count):
                    if ranks[d, i] > ranks[d, top]:
                        top = i
                move = lists[d, top]
                if busy.size == 0 or f.depth < SHARE:
                    break
                child_key = spread(f.key ^ np.uint64(move + 1))
                claim = np.int64(child_key & np.uint64(busy.size - 1))
                if f.next > 0 and busy[claim] == child_key and ranks[d, top] > -DEFERRED // 2:
                    ranks[d, top] -= DEFERRED
                    continue
                if busy[claim] == 0:
                    f.claim = claim
                    busy[claim] = child_key
                break
            lists[d, top] = lists[d, f.next]
            lists[d, f.next] = move
            ranks[d, top] = ranks[d, f.next]
            f.scout = 1 if f.next > 0 and f.beta - f.alpha > 1 else 0
            f.next += 1
            states[d + 1] = states[d]
            play(b, states[d + 1], move)
            child = frames[d + 1]
            limit = f.alpha + 1 if f.scout == 1 else f.beta
            same = turn(b, states[d + 1]) == f.turn
            child.alpha = f.alpha if same else -limit
            child.beta = limit if same else -f.alpha
            child.depth = f.depth + f.extra - 1
            d += 1
            entering = True
        counts[NODES] = nodes
        return value

    return alphabeta
