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
from plywise.engines.stack import (
    ABORTED,
    CERTAIN,
    FIRST_RANK,
    INFINITE,
    KILLER_RANK,
    MATE,
    NODES,
    WON,
    aim,
    answered,
    bring_forward,
    credit,
    highest,
    remember_killer,
    settled,
    store,
    take,
)
from plywise.engines.transpositions import NOTHING, find, move_in
from plywise.jit import kernel
from plywise.jit.hashing import spread

#: How moves are tried: the table's, the killers', then by promise and history.
PROMISE_WEIGHT = 256

DEFERRED = 1 << 50  #: taken from the rank of a move that another thread is busy with
SHARE = 4  #: plies to go from which on threads keep out of each other's way

LOOK_UP = 2  #: plies to go from which on the table is used: a lower tree costs less than a look

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
                            leaf, value, certain = answered(f, known, d)
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
                    aim(f, child, child.turn == f.turn, f.depth + f.extra - 1)
                    d += 1
                    entering = True
                    continue
                if f.claim >= 0:
                    busy[f.claim] = 0
                move = lists[d, f.next - 1]
                take(f, d, move, value, certain, pv)
                # Step 8: leave if this is more than the other side will allow,
                if f.best >= f.beta:
                    if f.count > 1:
                        credit(f, d, lists, history)
                        remember_killer(killers, d, move)
                    f.next = f.count
                # ... or if that was the last move.
                if f.next == f.count:
                    value = f.best
                    bound, certain = settled(f, certain)
                    if f.depth >= LOOK_UP:
                        store(table, f, d, bound, certain, era)
                    if d == 0:
                        counts[CERTAIN] = certain
                        break
                    d -= 1
                    continue
            # Step 9: descend into the best move left; all but the first only to be refuted.
            # What another thread is at is left for later, when its result is in the table.
            f.claim = -1
            while True:
                top = highest(f, d, ranks)
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
            bring_forward(f, d, top, lists, ranks)
            f.scout = 1 if f.next > 0 and f.beta - f.alpha > 1 else 0
            f.next += 1
            states[d + 1] = states[d]
            play(b, states[d + 1], move)
            child = frames[d + 1]
            same = turn(b, states[d + 1]) == f.turn
            aim(f, child, same, f.depth + f.extra - 1)
            d += 1
            entering = True
        counts[NODES] = nodes
        return value

    return alphabeta
