"""The search of the Connect-4 solver: null windows, a loop with a stack of its own."""

from __future__ import annotations

from typing import Any

import numpy as np

from plywise.core.game import Record
from plywise.games.connect4.solver_bounds import (
    NO_BOUND,
    answered_score,
    claim_bound,
    completing,
    from_here_up,
    lines,
    threat_bound,
)
from plywise.games.connect4.solver_table import (
    NO_MOVE,
    NOTHING,
    bucket_of,
    find,
    high_in,
    keep,
    low_in,
    move_in,
    pack,
)
from plywise.jit import kernel, rule
from plywise.jit.bits import ONE, ZERO, index_of, popcount

import os
E_W=int(os.environ.get('E_W',2))
E_B=int(os.environ.get('E_B',1))
E_T=int(os.environ.get('E_T',3))
E_T2=int(os.environ.get('E_T2',3))
E_IN=int(os.environ.get('E_IN',-1))
E_HI=int(os.environ.get('E_HI',1))
E_LO=int(os.environ.get('E_LO',1))
E_MID=int(os.environ.get('E_MID',0))
E_F=int(os.environ.get('E_F',5))
E_LIM=int(os.environ.get('E_LIM',8))
E_POST=int(os.environ.get('E_POST',0))
E_UP=int(os.environ.get('E_UP',8))
E_DN=int(os.environ.get('E_DN',8))
CHECK_EVERY = 1023  #: nodes between two looks at the flags, less one: a power of two

from numba.extending import intrinsic
from numba.core import types, cgutils
from llvmlite import ir


@intrinsic
def prefetch(typingctx, arr, idx):
    sig = types.void(arr, idx)

    def codegen(context, builder, signature, args):
        from numba.np.arrayobj import make_array

        a = make_array(signature.args[0])(context, builder, args[0])
        ptr = builder.gep(a.data, [args[1]])
        i8p = builder.bitcast(ptr, ir.IntType(8).as_pointer())
        i32 = ir.IntType(32)
        fn = cgutils.get_or_insert_function(
            builder.module,
            ir.FunctionType(ir.VoidType(), [ir.IntType(8).as_pointer(), i32, i32, i32]),
            "llvm.prefetch.p0",
        )
        builder.call(fn, [i8p, i32(0), i32(3), i32(1)])
        return context.get_dummy_value()

    return sig, codegen


Task = np.dtype(
    (
        np.record,
        [
            ("own", "u8"),
            ("mask", "u8"),
            ("low", "i8"),  # in: what is asked lies in this range; out: so does the score
            ("high", "i8"),
            ("move", "i8"),
            ("nodes", "i8"),
            ("done", "i8"),
        ],
    )
)

Frame = np.dtype(
    (
        np.record,
        [
            ("own", "u8"),
            ("mask", "u8"),
            ("safe", "u8"),
            ("key", "u8"),  # own + all discs
            ("next_key", "u8"),  # the other's + all discs
            ("mirrored", "u8"),  # the same two in the mirror
            ("next_mirrored", "u8"),
            ("plies", "i8"),
            ("alpha", "i8"),
            ("sign", "i8"),
            ("low", "i8"),
            ("high", "i8"),
            ("best", "i8"),
            ("move", "i8"),
            ("nodes", "i8"),
            ("rank", "i8", (32,)),
        ],
    )
)
SCRATCH = 64


@rule
def yes() -> bool:
    return True


@rule
def no() -> bool:
    return False


@rule
def first_middle(low: int, high: int) -> int:
    """The window to try: far scores first, as they are cheap to rule out; then the sign."""
    middle = low + (high - low) // 2
    if low >= -E_LIM and high <= E_LIM:
        if low <= 0 and high > 0:
            return 0
        if low > 0 and high <= E_UP:
            return low
        if high <= 0 and low >= -E_DN:
            return high - 1
        return middle
    if middle <= 0 and -(-low // 2) < middle:
        return -(-low // 2)
    if middle >= 0 and high // 2 > middle:
        return high // 2
    return middle


@rule
def claims(b, mine, other, empty, playable, safe, scratch):
    """The least the other gets after one of the moves if it is answered from then on."""
    good = ZERO
    for c in range(b.lanes):
        m = safe & b.column[c]
        w = scratch[c]
        after = ((playable ^ m) | (m << ONE)) & b.board
        closed = from_here_up(b, w & b.upper & ~after)
        reach = other | ((empty ^ m) & (b.lower | after) & ~closed)
        bad = lines(b, reach) | (w & after)
        good |= m if bad == ZERO else ZERO
    best = NO_BOUND
    while good != ZERO:
        m = good & (~good + ONE)
        good ^= m
        w = completing(b, mine | m) & (empty ^ m)
        after = ((playable ^ m) | (m << ONE)) & b.board
        best = min(best, answered_score(b, mine | m, empty ^ m, after, w))
    return best


@rule
def threats(b, mine, other, empty, playable, safe, scratch):
    """The least the other gets after one of the moves if it meets a threat in a lower cell."""
    good = ZERO
    for c in range(b.lanes):
        m = safe & b.column[c]
        w = scratch[c]
        after = (playable ^ m) | (m << ONE)
        good |= m if (w & after == ZERO and w & b.lower & ~after != ZERO) else ZERO
    best = NO_BOUND
    while good != ZERO:
        m = good & (~good + ONE)
        good ^= m
        w = completing(b, mine | m) & (empty ^ m)
        after = ((playable ^ m) | (m << ONE)) & b.board
        best = min(best, threat_bound(b, other, empty ^ m, after, w))
    return best


@kernel
def make_solve(
    claim: Any, threat: Any, no_line: Any, double: Any, probe: Any, static_children: Any, static_threats: Any,
    mirrors: Any, chain: Any,
) -> Any:
    """solve(shape, table, frames, scratch, tasks, halt, stop)"""

    def solve(b, table, frames, scratch, tasks, halt, stop):  # type: ignore[no-untyped-def]
        total = 0
        for t in range(tasks.size):
            task = tasks[t]
            own, mask = task.own, task.mask
            plies = popcount(mask)
            playable = (mask + b.floor) & b.board
            before = total
            if completing(b, own) & playable != ZERO:
                task.low = task.high = (b.cells + 1 - plies) // 2
                win = completing(b, own) & playable
                task.move = index_of(win & (~win + ONE)) // (b.rows + 1)
                task.done = 1
                continue
            low = max(task.low, -((b.cells - plies) // 2))
            high = min(task.high, (b.cells - 1 - plies) // 2)
            key = own + mask
            mirrored = ZERO
            other_mirrored = ZERO
            rest = mask
            while rest != ZERO:
                bit = rest & (~rest + ONE)
                rest ^= bit
                image = b.mirror[index_of(bit)]
                other_mirrored += image
                mirrored += image
                if own & bit != ZERO:
                    mirrored += image
                else:
                    other_mirrored += image
            stopped = False
            while low < high and not stopped:
                middle = first_middle(low, high)
                d = 0
                frame = frames[0]
                frame.own = own
                frame.mask = mask
                frame.key = key
                frame.next_key = (own ^ mask) + mask
                frame.mirrored = mirrored
                frame.next_mirrored = other_mirrored
                frame.plies = plies
                frame.alpha = middle
                value = 0
                entering = True
                while True:
                    frame = frames[d]
                    if entering:
                        total += 1
                        if total & CHECK_EVERY == 0 and (halt[0] | stop[0]) != 0:
                            stopped = True
                            break
                        # Step 1: play what is forced.
                        mine, discs, n, alpha, sign = (
                            frame.own, frame.mask, frame.plies, frame.alpha, 1,
                        )
                        this, nxt = frame.key, frame.next_key
                        mthis, mnxt = frame.mirrored, frame.next_mirrored
                        resolved = False
                        while True:
                            other = mine ^ discs
                            playable = (discs + b.floor) & b.board
                            theirs = completing(b, other) & (b.board ^ discs)
                            forced = playable & theirs
                            if forced == ZERO:
                                break
                            if forced & (forced - ONE) != ZERO or (forced << ONE) & theirs != ZERO:
                                value = -sign * ((b.cells - n) // 2)
                                resolved = True
                                break
                            if not chain():
                                break
                            image = b.mirror[index_of(forced)]
                            discs |= forced
                            mine = other
                            this, nxt = nxt + forced, this + forced + forced
                            mthis, mnxt = mnxt + image, mthis + image + image
                            n += 1
                            alpha = -alpha - 1
                            sign = -sign
                        if resolved:
                            entering = False
                            d -= 1
                            if d < 0:
                                break
                            continue
                        safe = playable & ~(theirs >> ONE)
                        if not chain() and forced != ZERO:
                            safe = forced
                        left = b.cells - n
                        # Step 2: bounds.
                        low_here = -((left - 2) // 2)
                        high_here = (left - 1) // 2
                        if left <= 1:
                            low_here = high_here = 0
                        elif safe == ZERO:
                            low_here = high_here = -(left // 2)
                        elif left == 2:
                            low_here = high_here = 0
                        empty = b.board ^ discs
                        if low_here <= alpha and high_here > alpha:
                            if no_line():
                                if alpha >= 0:
                                    if lines(b, mine | empty) == ZERO:
                                        high_here = 0
                                elif lines(b, other | empty) == ZERO:
                                    low_here = 0
                            if low_here <= alpha and high_here > alpha:
                                if left & 1:
                                    if threat():
                                        high_here = min(
                                            high_here,
                                            threat_bound(b, mine, empty, playable, theirs),
                                        )
                                elif claim():
                                    high_here = min(
                                        high_here,
                                        claim_bound(b, mine, other, empty, playable, theirs),
                                    )
                        # Step 3: table
                        known = NO_MOVE
                        if low_here <= alpha and high_here > alpha:
                            flipped = mirrors() and mthis < this
                            word = find(table, mthis if flipped else this)
                            if word != NOTHING:
                                low_here = max(low_here, low_in(word))
                                high_here = min(high_here, high_in(word))
                                known = move_in(word)
                                if flipped and known != NO_MOVE:
                                    known = b.cols - 1 - known
                        if probe() and low_here <= alpha and high_here > alpha:
                            for c in range(b.cols):
                                m = safe & b.column[c]
                                straight = nxt + m
                                if mirrors():
                                    straight = min(straight, mnxt + b.mirror[index_of(m) & 63])
                                prefetch(table, bucket_of(straight))
                        # Step 4: look at all moves
                        if low_here <= alpha and high_here > alpha:
                            win = ZERO
                            above = playable << ONE
                            urge = E_IN if -E_T <= alpha <= E_T2 else (E_MID if -E_F <= alpha <= E_F else (E_HI if alpha > 0 else E_LO))
                            for c in range(b.lanes):
                                m = safe & b.column[c]
                                w = completing(b, mine | m) & (empty ^ m)
                                after = ((playable ^ m) | (m << ONE)) & b.board
                                now = w & after
                                win |= m if after & ~(w >> ONE) == ZERO else ZERO
                                win |= (now & (now - ONE)) | ((now << ONE) & w)
                                score = E_W * popcount(w) + E_B * popcount(w & above & ~m) + urge * popcount(now)
                                scratch[c] = w
                                rank = score * 1024 + b.central[c]
                                frame.rank[c] = rank + (100<<10) if m != ZERO else -1
                            if double():
                                if win != ZERO:
                                    low_here = high_here
                                else:
                                    high_here = min(high_here, (left - 3) // 2)
                            if low_here > alpha or high_here <= alpha:
                                pass
                            elif static_children() and left & 1 and alpha < b.rows // 2:
                                low_here = max(
                                    low_here,
                                    -claims(b, mine, other, empty, playable, safe, scratch),
                                )
                            elif static_threats() and left & 1 == 0 and alpha < b.rows // 2:
                                low_here = max(
                                    low_here,
                                    -threats(b, mine, other, empty, playable, safe, scratch),
                                )
                        if low_here > alpha:
                            value = sign * low_here
                        elif high_here <= alpha:
                            value = sign * high_here
                        else:
                            if known != NO_MOVE:
                                frame.rank[known] += 1 << 20
                            if probe():
                                for c in range(b.cols):
                                    m = safe & b.column[c]
                                    if m == ZERO:
                                        continue
                                    straight = nxt + m
                                    if mirrors():
                                        straight = min(straight, mnxt + b.mirror[index_of(m)])
                                    word = find(table, straight)
                                    if word != NOTHING and -high_in(word) > alpha:
                                        low_here = max(low_here, -high_in(word))
                                        
                            if low_here > alpha:
                                value = sign * low_here
                            else:
                                frame.own, frame.mask, frame.safe = mine, discs, safe
                                frame.key, frame.next_key = this, nxt
                                frame.mirrored, frame.next_mirrored = mthis, mnxt
                                frame.plies, frame.alpha, frame.sign = n, alpha, sign
                                frame.low, frame.high = low_here, high_here
                                frame.best, frame.move, frame.nodes = -NO_BOUND, NO_MOVE, total
                                entering = False
                                value = NO_BOUND
                        if entering:
                            entering = False
                            d -= 1
                            if d < 0:
                                break
                            continue
                    else:
                        # Step 5: a child is back
                        value = -value
                        if value > frame.best:
                            frame.best = value
                    # Step 6: next child
                    finished = frame.best > frame.alpha
                    if not finished:
                        best_rank = -1
                        for c in range(b.lanes):
                            best_rank = max(best_rank, frame.rank[c])
                        column = best_rank & 31
                        if best_rank < 0:
                            finished = True
                        else:
                            frame.rank[column] = -1
                            m = frame.safe & b.column[column]
                            image = b.mirror[index_of(m)]
                            frame.move = column
                            d += 1
                            child = frames[d]
                            child.own = frame.own ^ frame.mask
                            child.mask = frame.mask | m
                            child.key = frame.next_key + m
                            child.next_key = frame.key + m + m
                            child.mirrored = frame.next_mirrored + image
                            child.next_mirrored = frame.mirrored + image + image
                            child.plies = frame.plies + 1
                            child.alpha = -frame.alpha - 1
                            entering = True
                    if finished:
                        move = NO_MOVE
                        if frame.best > frame.alpha:
                            value = max(frame.low, frame.best)
                            frame.low = value
                            move = frame.move
                        else:
                            value = min(frame.high, frame.best)
                            frame.high = value
                        flipped = mirrors() and frame.mirrored < frame.key
                        if d == 0 and move != NO_MOVE:
                            task.move = move
                        if flipped and move != NO_MOVE:
                            move = b.cols - 1 - move
                        where = frame.mirrored if flipped else frame.key
                        keep(
                            table, where,
                            pack(where, frame.low, frame.high, move, total - frame.nodes),
                        )
                        value = frame.sign * value
                        d -= 1
                        if d < 0:
                            break
                if stopped:
                    break
                if value > middle:
                    low = value
                else:
                    high = value
            task.low = low
            task.high = high
            task.nodes = total - before
            task.done = 0 if stopped else 1
            if stopped:
                break
        return total

    return solve
