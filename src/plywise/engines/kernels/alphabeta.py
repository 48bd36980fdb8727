"""The loop of `alphabeta`: principal-variation search over an explicit stack.

It is the only alpha-beta in the package. A game's knowledge comes in through its verbs (see
`Rules`); a verb that a game does not have is left out when the loop is compiled, and costs nothing.

A score is for the side to move. A win in n plies is MATE - n, so faster wins score higher; in a
game of points a finished game scores its margin times UNIT. With each value the loop tracks whether
it is *certain*: it depends on no estimate, so that no deeper search can change it. That is how
draws and margins are proved.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from plywise.core.game import Record, Verb
from plywise.engines.kernels.stack import (
    INFINITE,
    KILLER_RANK,
    MATE,
    WON,
    aim,
    answered,
    bring_forward,
    credit,
    favour,
    favourite,
    highest,
    outside,
    remember_killer,
    settled,
    store,
    take,
    without,
)
from plywise.engines.kernels.transpositions import (
    LOWER,
    NOTHING,
    PROVED,
    bucket,
    find,
    keep,
    move_in,
    pack,
)
from plywise.engines.scale import UNIT
from plywise.jit import defaults, kernel
from plywise.jit.bits import ZERO, natural, spread
from plywise.jit.machine import fetch_ahead

#: Move ordering: the table's move, the killer moves, then by promise and history.
PROMISE_WEIGHT = 256

DEFERRED = 1 << 50  #: subtracted from the rank of a move that another thread is searching
SHARE = 4  #: the least remaining depth at which threads avoid each other's moves

LOOK_UP = 2  #: the least remaining depth at which the table is worth a look-up
DEEPEST = 1 << 20  #: plies that no game reaches
NULL = 3  #: the least remaining depth for a null move, and the depth it costs

Frame = np.dtype(
    (
        np.record,
        [
            ("key", "u8"),
            ("alpha", "i8"),
            ("beta", "i8"),
            ("floor", "i8"),  # alpha on entry
            ("best", "i8"),
            ("move", "i4"),  # the best one
            ("depth", "i4"),  # remaining depth, on entry
            ("extra", "i4"),  # 1 if its only move is forced and costs no depth
            ("turn", "i4"),
            ("count", "i4"),
            ("next", "i4"),  # the next child to search
            ("hint", "i4"),  # the table's move, or -1
            ("ranked", "i4"),  # are the moves from `next` on ranked?
            ("scout", "i4"),  # is the child searched with a null window?
            ("less", "i4"),  # the reduction of the child, in plies
            ("null", "i4"),  # is the child that of a null move?
            ("certain", "i4"),  # were all children so far certain?
            ("claim", "i8"),  # the slot of the current child in `busy`, or -1
        ],
    )
)

#: The input and output of one call.
Task = np.dtype(
    (
        np.record,
        [
            ("depth", "i8"),
            ("alpha", "i8"),
            ("beta", "i8"),
            ("budget", "i8"),  # nodes
            ("points", "?"),  # is it a game of points?
            ("era", "i8"),  # of the table
            ("look_up", "i8"),  # the least remaining depth at which the table is used
            ("draw", "i8"),  # the value of a draw for the side to move at the root
            # A decided game that is not over is scored as if it ended after this many plies.
            # 0: it is searched to its end, for the exact number.
            ("decided", "i8"),
            ("value", "i8"),
            ("certain", "?"),
            ("aborted", "?"),
            ("nodes", "i8"),
        ],
    )
)


class Stack(NamedTuple):
    """The working memory of one thread; one row per ply."""

    states: Record
    frames: Record
    lists: Record  #: moves, in the order tried
    ranks: Record
    pv: Record  #: the principal variation from each ply: its length, its moves
    killers: Record
    history: Record


class Common(NamedTuple):
    """The memory that all threads of one search share."""

    table: Record
    busy: Record  #: the children that threads are searching; empty if there is one thread
    barred: Record  #: moves to avoid at the root; empty if there are none
    stop: Record
    halt: Record
    beaten: Record  #: another thread has the answer


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
    assess: Verb,
    forced: Verb,
    tactics: Verb,
    threats: Verb,
    promise: Verb,
    reduction: Verb,
    null_move: Verb,
) -> Verb:
    """Search `stack.states[0]` as the task says; `stack.pv[0]` is the principal variation."""
    assesses = assess is not defaults.assess
    sees = tactics is not defaults.tactics
    threatens = threats is not defaults.threats
    reduces = reduction is not defaults.reduction
    passes = null_move is not defaults.null_move

    def alphabeta(board: Record, stack: Stack, common: Common, tasks: Record) -> None:
        b = board[0]
        task = tasks[0]
        states, frames, lists = stack.states, stack.frames, stack.lists
        ranks, pv, killers, history = stack.ranks, stack.pv, stack.killers, stack.history
        table, busy = common.table, common.busy
        stop, halt, beaten = common.stop, common.halt, common.beaten
        alone = busy.size == 0
        points, era, look_up, decided = task.points, task.era, task.look_up, task.decided
        root, draw = turn(b, states[0]), task.draw
        salt = np.uint64(2 * draw + root) if draw != 0 else ZERO
        budget = task.budget
        nodes = 0
        polls = 0
        value = 0
        estimate = 0
        certain = True
        task.aborted = False
        d = 0
        frames[0].alpha = task.alpha
        frames[0].beta = task.beta
        frames[0].depth = task.depth
        frames[0].key = spread(key(b, states[0]) ^ salt)
        entering = True
        while 0 <= d < DEEPEST:  # always, but now the compiler knows it, see `natural`
            f = frames[d]
            if entering:
                # Step 1: a new node; abort if told to.
                if nodes >= budget or (polls & 255 == 0 and stop[0] | halt[0] | beaten[0] != 0):
                    task.aborted = True
                    break
                nodes += 1
                polls = polls + 1 if threatens else nodes  # threats may count many nodes at once
                s = states[d]
                out = lists[d]  # the moves that rules find
                f.turn = turn(b, s)
                pv[d, 0] = 0
                leaf = False
                certain = True
                known = NOTHING
                drawn = draw if f.turn == root else -draw
                if over(b, s):
                    # Step 2: the result of a finished game.
                    leaf = True
                    result = margin(b, s) if f.turn == 0 else -margin(b, s)
                    if points:
                        value = UNIT * result
                    else:
                        value = MATE - d if result > 0 else d - MATE if result < 0 else drawn
                elif not assesses:
                    # Step 3: leave if all results still possible are outside the window.
                    least, most = bounds(b, s)
                    if f.turn == 1:
                        least, most = -most, -least
                    leaf, value = outside(f, d, least, most, points, drawn, decided)
                if sees and not leaf:
                    # Step 4: wins, losses and forced moves that the game detects.
                    plies, f.count = tactics(b, s, out)
                    if plies != 0 and d > 0:
                        leaf = True
                        value = MATE - d - plies if plies > 0 else d - plies - MATE
                        pv[d, 0] = 1
                        pv[d, 1] = out[0]
                # Null moves are extra plies, so the stack may be full before the game is over.
                full = passes and d + 2 >= frames.size
                goes_on = f.depth > 0 or (sees and f.count == 1)
                looks_up = goes_on and f.depth >= look_up and not full
                if not leaf and looks_up:
                    # Step 5: look up the table, except on the principal variation, which must
                    # be searched to its end. A forced win is valid at any depth.
                    known = find(table, f.key, era)
                    if known != NOTHING and d > 0 and f.beta - f.alpha == 1:
                        leaf, value, certain = answered(f, known, d)
                if assesses and not leaf:
                    # Step 6: the same as step 3, if it costs more than a table look-up.
                    certain = True
                    estimate, least, most = assess(b, s)
                    leaf, value = outside(f, d, least, most, points, drawn, decided)
                looks = d > 0 and not leaf
                if not leaf:
                    # Step 7: a forced reply costs no depth, so that the horizon never cuts
                    # through a sequence of threats.
                    if not sees:
                        f.count = forced(b, s, out)
                    if d == 0 and common.barred.size > 0:
                        f.count = 0  # the forced move may be barred
                    f.extra = 1 if f.count == 1 else 0
                    if full or f.depth + f.extra <= 0:
                        # Step 8: the horizon: take the estimate.
                        leaf = True
                        certain = False
                        value = estimate if assesses else evaluate(b, s)
                        value = min(WON - 1, max(1 - WON, value))
                        looks = value < f.beta
                if threatens and looks and f.count == 0:
                    # Step 9: a win by threats alone makes all other moves unnecessary.
                    plies, move, work = threats(b, states, d, lists, ranks, f.depth)
                    nodes += work
                    if plies > 0:
                        leaf = True
                        certain = True
                        value = MATE - d - plies
                        pv[d, 0] = 1
                        pv[d, 1] = move
                        if looks_up:
                            keep(table, f.key, pack(value + d, move, PROVED, LOWER, era))
                if leaf:
                    if d == 0:
                        break
                    d -= 1
                    entering = False
                    continue
                # Step 10: generate the moves.
                if f.count == 0:
                    f.count = moves(b, s, out)
                if d == 0 and common.barred.size > 0:
                    f.count = without(out, f.count, common.barred)
                f.floor = f.alpha
                f.best = -INFINITE
                f.move = out[0]
                f.next = 0
                f.certain = 1
                if passes:
                    f.null = 0
                f.ranked = 0
                f.hint = move_in(known) if known != NOTHING else -1
                # Step 11: the null move. If passing would already be good enough, the node is
                # searched less deeply. The result is an estimate.
                if (
                    passes
                    and f.depth >= NULL
                    and d > 0
                    and frames[d - 1].null == 0
                    and f.beta - f.alpha == 1
                    and abs(f.beta) < WON
                ):
                    if not assesses:
                        estimate = evaluate(b, s)
                    if estimate >= f.beta:
                        states[d + 1] = s
                        if null_move(b, states[d + 1], f.depth):
                            f.null = 1
                            child = frames[d + 1]
                            child.alpha = -f.beta
                            child.beta = 1 - f.beta
                            child.depth = f.depth - NULL
                            child.key = spread(key(b, states[d + 1]) ^ salt)
                            d += 1
                            continue
            elif passes and f.null == 1:
                f.null = 0
                if -value >= f.beta:
                    value = f.beta
                    certain = False
                    d -= 1
                    continue
            else:
                # Step 12: a child came back. If it is better than expected, search it again:
                # first to full depth, then with the full window.
                child = frames[d + 1]
                if child.turn != f.turn:
                    value = -value
                reduced = reduces and f.less > 0
                if value > f.alpha and (reduced or (f.scout == 1 and value < f.beta)):
                    if reduced:
                        f.less = 0
                    else:
                        f.scout = 0
                    aim(f, child, child.turn == f.turn, f.depth + f.extra - 1)
                    if reduced:  # so far it may have been too shallow for the table
                        child.key = spread(key(b, states[d + 1]) ^ salt)
                    d += 1
                    entering = True
                    continue
                if f.claim >= 0:
                    busy[f.claim] = 0
                move = lists[d, f.next - 1]
                take(f, d, move, value, certain, pv)
                # Step 13: leave on a beta cutoff,
                if f.best >= f.beta:
                    if f.count > 1:
                        credit(f, d, lists, history)
                        remember_killer(killers, d, move)
                    f.next = f.count
                # ... or if that was the last move.
                if f.next == f.count:
                    value = f.best
                    bound, certain = settled(f, certain)
                    # A result without the barred moves is not valid for the position.
                    if f.depth >= look_up and (d > 0 or common.barred.size == 0):
                        store(table, f, d, bound, certain, era)
                    if d == 0:
                        break
                    d -= 1
                    continue
            # Step 14: descend into the best remaining move: first the table's move and the killers,
            # which often make it needless to rank the others. Moves that another thread is
            # searching are tried later, when their result is in the table.
            f.claim = -1
            top = -1
            if f.ranked == 0 and alone:
                top = favourite(f, d, lists, killers)
            quiet = top < 0
            if quiet and f.ranked == 0:
                f.ranked = 1
                for i in range(natural(f.next), f.count):
                    move = natural(lists[d, i])
                    rank: Any = np.int64(0) if alone else favour(f, d, move, killers)
                    if rank == 0 and f.count > f.next + 1:
                        rank += PROMISE_WEIGHT * promise(b, states[d], move)
                        rank += history[natural(f.turn), move]
                    ranks[d, i] = rank
            while quiet:
                top = highest(f, d, ranks)
                quiet = ranks[d, top] < KILLER_RANK
                if alone or f.depth < SHARE:
                    break
                child_key = spread(f.key ^ np.uint64(lists[d, top] + 1))
                claim = np.int64(child_key & np.uint64(busy.size - 1))
                if f.next > 0 and busy[claim] == child_key and ranks[d, top] > -DEFERRED // 2:
                    ranks[d, top] -= DEFERRED
                    quiet = True
                    continue
                if busy[claim] == 0:
                    f.claim = claim
                    busy[claim] = child_key
                break
            # All moves but the first get a null window, and a late-move reduction if the game has
            # one.
            top = natural(top)
            move = natural(lists[d, top])
            less = 0
            if reduces and quiet and f.next > 0:
                less = max(0, min(f.depth - 1, reduction(b, states[d], move, f.next, f.depth)))
            bring_forward(f, d, top, lists, ranks)
            f.scout = 1 if f.next > 0 and f.beta - f.alpha > 1 else 0
            if reduces:
                f.less = less
            f.next += 1
            states[d + 1] = states[d]
            play(b, states[d + 1], move)
            child = frames[d + 1]
            same = turn(b, states[d + 1]) == f.turn
            aim(f, child, same, f.depth + f.extra - 1 - less)
            if child.depth >= look_up:  # its entry is on the way while the child is looked at
                child.key = spread(key(b, states[d + 1]) ^ salt)
                fetch_ahead(table, bucket(table, child.key))
            d += 1
            entering = True
        task.nodes = nodes
        task.value = value
        task.certain = certain and not task.aborted

    return alphabeta
