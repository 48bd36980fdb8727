"""The search of the Snails expert: principal-variation search over an explicit stack.

It is the loop of `alphabeta` with what this game allows: every node is assessed, so a result that
nobody can change any more ends the line at once; a snail with one move only costs no depth; late
slides are looked at less deeply first; and who would be well off without a move is not searched
deeply.

A score is what the side to move expects. A finished game won in n plies counts MATE - n; one that
is won for certain, but goes on, AHEAD less. Beside each value the loop carries whether it is
*certain*: no estimate had a part in it. A draw counts `draw` for who is to move at the root, so
that it can be held for less than a position that looks level. `taste` is what it likes a snail to
stand on, cell by cell. `avoid` has the moves, as bits, that are not to be played at the root.

The table's key has the plies without a claim, so nothing in it depends on the way there; and it
has what a draw counts.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from plywise.core.game import Record, Verb
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
    highest,
    remember_killer,
    settled,
    store,
    take,
)
from plywise.engines.transpositions import NOTHING, find, move_in
from plywise.jit import kernel, rule
from plywise.jit.bits import ZERO
from plywise.jit.hashing import spread

AHEAD = 5_000  #: a game that is certainly won counts as one that ends after so many plies

LOOK_UP = 1  #: plies to go from which on the table is used
REDUCE = 3  #: plies to go from which on late slides are looked at less deeply first
IDLE = 3  #: plies to go from which on doing nothing is tried, and what it costs of them

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
            ("extra", "i4"),  # 1 if there is one move only, which costs no depth
            ("turn", "i4"),
            ("count", "i4"),
            ("next", "i4"),  # the child to look at next
            ("scout", "i4"),  # is the child searched only to show that it is no better?
            ("less", "i4"),  # plies that the child is looked at less deeply
            ("certain", "i4"),  # were all children so far?
            ("idle", "i4"),  # 1 while the other shows what it can do with two moves in a row
        ],
    )
)


@rule
def without(out: Record, count: int, avoid: int) -> int:
    """Take the moves to avoid out of a list; how many are left."""
    left = 0
    for i in range(count):
        if avoid >> out[i] & 1 == 0:
            out[left] = out[i]
            left += 1
    return left


@kernel
def expert_kernel(
    moves: Verb,
    play: Verb,
    turn: Verb,
    over: Verb,
    margin: Verb,
    key: Verb,
    promise: Verb,
    assess: Verb,
) -> Verb:
    """Search `states[0]` to a depth within a window; `pv[0]` is the best path: length, moves."""

    def search(
        board: Record,
        states: Record,
        frames: Record,
        out: Record,
        lists: Record,
        ranks: Record,
        pv: Record,
        killers: Record,
        table: Record,
        era: int,
        depth: int,
        alpha: int,
        beta: int,
        draw: int,
        taste: Record,
        avoid: int,
        counts: Record,
        stop: Record,
        halt: Record,
    ) -> int:
        b = board[0]
        root = turn(b, states[0])
        salt = np.uint64(2 * draw + root) if draw != 0 else ZERO
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
                if nodes == budget or (nodes & 255 == 0 and stop[0] | halt[0] != 0):
                    counts[ABORTED] = 1
                    break
                nodes += 1
                s = states[d]
                f.turn = turn(b, s)
                pv[d, 0] = 0
                leaf = False
                certain = True
                known = NOTHING
                drawn = draw if f.turn == root else -draw
                if over(b, s):
                    # Step 2: the result of a finished game.
                    result = margin(b, s) if f.turn == 0 else -margin(b, s)
                    value = MATE - d if result > 0 else d - MATE if result < 0 else drawn
                    leaf = True
                elif f.depth >= LOOK_UP:
                    # Step 3: ask the table, except on the principal variation, which is to be
                    # walked to its end. A forced win is one at any depth.
                    f.key = spread(key(b, s) ^ salt)
                    known = find(table, f.key, era)
                    if known != NOTHING and d > 0 and f.beta - f.alpha == 1:
                        leaf, value, certain = answered(f, known, d)
                if not leaf:
                    # Step 4: assess it. Leave if what can still happen lies outside the window.
                    estimate, least, most = assess(b, s)
                    sooner = MATE - AHEAD - d
                    low = sooner if least > 0 else drawn if least == 0 else d + 1 - MATE
                    high = -sooner if most < 0 else drawn if most == 0 else MATE - d - 1
                    certain = True
                    if d > 0 and (low >= f.beta or high <= f.alpha or least == most):
                        value = low if low >= f.beta or least == most else high
                        leaf = True
                    else:
                        # Step 5: the moves. Where there is only one, it costs no depth.
                        f.count = moves(b, s, out)
                        if d == 0 and avoid != 0:
                            f.count = without(out, f.count, avoid)
                        f.extra = 1 if f.count == 1 else 0
                        if f.depth + f.extra <= 0:
                            leaf = True
                            certain = False
                            value = estimate + taste[s.at[f.turn]] - taste[s.at[1 - f.turn]]
                            value = min(WON - 1, max(1 - WON, value))
                if leaf:
                    if d == 0:
                        counts[CERTAIN] = certain
                        break
                    d -= 1
                    entering = False
                    continue
                # Step 6: rank the moves.
                f.idle = 0
                f.floor = f.alpha
                f.best = -INFINITE
                f.move = out[0]
                f.next = 0
                f.certain = 1
                for i in range(f.count):
                    move = out[i]
                    lists[d, i] = move
                    rank: Any = np.int64(promise(b, s, move))
                    if move == killers[d, 0]:
                        rank += KILLER_RANK + 1
                    elif move == killers[d, 1]:
                        rank += KILLER_RANK
                    if known != NOTHING and move == move_in(known):
                        rank = FIRST_RANK
                    ranks[d, i] = rank
                # Step 7: who stands well enough even if he did nothing, needs no deep search. The
                # other moves instead, less deeply. What comes of it is an estimate in any case,
                # so this is not for searches that may see the end.
                if (
                    IDLE <= f.depth <= s.left
                    and d > 0
                    and frames[d - 1].idle == 0
                    and f.beta - f.alpha == 1
                    and estimate >= f.beta
                    and abs(f.beta) < WON
                    and s.stuck[1 - f.turn] == 0
                ):
                    f.idle = 1
                    states[d + 1] = states[d]
                    states[d + 1].turn = 1 - f.turn
                    child = frames[d + 1]
                    child.alpha = -f.beta
                    child.beta = 1 - f.beta
                    child.depth = f.depth - IDLE
                    d += 1
                    continue
            elif f.idle == 1:
                f.idle = 0
                if -value >= f.beta:
                    value = f.beta
                    certain = False
                    d -= 1
                    continue
            else:
                # Step 8: a child came back. If it is better than it was to be, search it again:
                # to its full depth, then with the whole window.
                child = frames[d + 1]
                if child.turn != f.turn:
                    value = -value
                if value > f.alpha and (f.less > 0 or (f.scout == 1 and value < f.beta)):
                    if f.less > 0:
                        f.less = 0
                    else:
                        f.scout = 0
                    aim(f, child, child.turn == f.turn, f.depth + f.extra - 1)
                    d += 1
                    entering = True
                    continue
                move = lists[d, f.next - 1]
                take(f, d, move, value, certain, pv)
                # Step 9: leave if this is more than the other side will allow,
                if f.best >= f.beta:
                    if f.count > 1:
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
            # Step 10: descend into the best move left; all but the first only to be refuted.
            top = highest(f, d, ranks)
            move, rank = lists[d, top], ranks[d, top]
            bring_forward(f, d, top, lists, ranks)
            f.scout = 1 if f.next > 0 and f.beta - f.alpha > 1 else 0
            f.less = 1 if d > 0 and f.next > 0 and f.depth >= REDUCE and rank == 0 else 0
            f.next += 1
            states[d + 1] = states[d]
            play(b, states[d + 1], move)
            child = frames[d + 1]
            same = turn(b, states[d + 1]) == f.turn
            aim(f, child, same, f.depth + f.extra - 1 - f.less)
            d += 1
            entering = True
        counts[NODES] = nodes
        return value

    return search
