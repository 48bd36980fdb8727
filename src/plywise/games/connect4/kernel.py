"""The search of the Connect-4 solver: null windows, and a loop with a stack of its own.

The search finds a score by asking "is it more than alpha?". A position on the stack holds the
discs of the side to move; nobody can win at once there, because the search never leaves the side
to move a line to complete.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from plywise.core.game import Record
from plywise.games.connect4.book import look_up
from plywise.games.connect4.bounds import NO_BOUND, image_of
from plywise.games.connect4.table import (
    NO_MOVE,
    NOTHING,
    bucket_of,
    find,
    high_in,
    low_in,
    move_in,
    pack,
)
from plywise.jit import kernel
from plywise.jit.bits import ONE, ZERO, index_of, lowest, popcount
from plywise.jit.machine import fetch_ahead, thread_nanoseconds

CHECK_EVERY = 1024  #: nodes between two checks of the flags
RANK = 1024  #: ranks of moves: the score times this, plus how central the column is
BASE = RANK << 6  #: makes every rank positive
KNOWN = RANK << 10  #: for the move from the table

#: A position to solve; the score lies between low and high, which are equal in the end.
#: An unfinished task can be given to the search again.
Task = np.dtype(
    (
        np.record,
        [
            ("own", "u8"),  # the discs of the side to move
            ("mask", "u8"),  # all discs
            ("low", "i8"),
            ("high", "i8"),
            ("move", "i8"),  # a column that reaches `low`; NO_MOVE at first
            ("nodes", "i8"),
            ("nanoseconds", "i8"),  # of the thread
            ("done", "i8"),
        ],
    )
)

#: A position being searched. A key is the mover's discs plus all discs; the mirror image has its
#: key here, and the opponent's discs plus all discs, from which the keys of its successors follow.
Frame = np.dtype(
    (
        np.record,
        [
            ("own", "u8"),
            ("mask", "u8"),
            ("mirrored", "u8"),
            ("next_mirrored", "u8"),
            ("alpha", "i8"),
            ("moves", "u8"),  # the cells worth playing
            ("sign", "i8"),  # -1: after forced moves the other side is to move
            ("low", "i8"),
            ("high", "i8"),
            ("best", "i8"),
            ("column", "i8"),  # the move being searched
            ("nodes", "i8"),  # the count when it was pushed
            ("rank", "i8", (32,)),  # of every column; -1 for none
        ],
    )
)
DEPTH = 64  #: frames of a stack
LANES = 32  #: words of scratch space, one for each column


@kernel
def solving(
    chain: Any,
    no_line: Any,
    claim: Any,
    threat: Any,
    double: Any,
    children: Any,
    probe: Any,
    mirror: Any,
    order: Any,
    keep: Any,
    question: Any,
    completing: Any,
    lines: Any,
    claim_bound: Any,
    threat_bound: Any,
    claims_after: Any,
    threats_after: Any,
) -> Any:
    """solve(board, table, book, frames, made, tasks, halt, stop, budget) -> nodes; fills tasks in.

    Every parameter of the factory is a technique: a rule, or `yes` or `no`; the last six depend on
    how many discs in a line win. `book` has the pages with every quiet position of at least
    `book.left` empty cells.
    """

    def solve(
        board: Record,
        table: Any,
        book: Any,
        frames: Any,
        made: Any,
        tasks: Any,
        halt: Any,
        stop: Any,
        budget: int,
    ) -> int:
        b = board[0]
        nodes = 0
        clock = thread_nanoseconds()
        pause = min(budget, CHECK_EVERY)
        for index in range(tasks.size):
            task = tasks[index]
            if task.done:
                continue
            begun = nodes

            # Step 1: an obvious first move.
            own, mask = task.own, task.mask
            sign = 1
            left = b.size - popcount(mask)
            playable = (mask + b.floor) & b.cells
            theirs = completing(b, own ^ mask) & (b.cells ^ mask)
            forced = theirs & playable
            safe = playable & ~(theirs >> ONE)
            wins = completing(b, own) & playable
            low, high = max(task.low, -(left // 2)), min(task.high, (left - 1) // 2)
            if wins != ZERO:
                low = high = (left + 1) // 2
                task.move = b.column_of[index_of(lowest(wins))]
            elif left <= 1:
                low = high = 0
                task.move = b.column_of[index_of(playable)] if left == 1 else NO_MOVE
            elif forced != ZERO:
                task.move = b.column_of[index_of(lowest(forced))]
                if forced & (forced - ONE) != ZERO or forced & safe == ZERO:
                    low = high = -(left // 2)
                else:
                    own, mask, sign = own ^ mask, mask | forced, -1
                    low, high = -high, -low
            elif safe == ZERO:
                low = high = -(left // 2)
                task.move = b.column_of[index_of(lowest(playable))]
            else:
                low = max(low, -((left - 2) // 2))
                if task.move == NO_MOVE:
                    task.move = b.column_of[index_of(lowest(safe))]

            key = own + mask
            mirrored, next_mirrored = image_of(b, key), image_of(b, (own ^ mask) + mask)
            if sign > 0 and left >= book.left and low < high:
                known = look_up(book, key, mirrored)
                if known != NO_BOUND:  # the score is known; a move that reaches it is not
                    low, high = max(low, known - 1), min(high, known)
            while low < high and pause > 0:
                # Step 2: the next question goes onto the stack.
                alpha = question(low, high)
                depth = 0
                frame = frames[0]
                frame.own, frame.mask = own, mask
                frame.mirrored, frame.next_mirrored = mirrored, next_mirrored
                frame.alpha = alpha
                value = 0
                entering = True
                while depth >= 0:
                    frame = frames[depth]
                    if entering:
                        nodes += 1
                        if nodes >= pause:
                            if nodes >= budget or halt[0] | stop[0] != 0:
                                pause = 0
                                break
                            pause = min(budget, nodes + CHECK_EVERY)
                        mine, discs = frame.own, frame.mask
                        image, image_after = frame.mirrored, frame.next_mirrored
                        bar = frame.alpha
                        flip = 1
                        left = b.size - popcount(discs)
                        lost = False

                        # Step 3: block the opponent's line; forced moves take no new node.
                        while True:
                            other = mine ^ discs
                            empty = b.cells ^ discs
                            playable = (discs + b.floor) & b.cells
                            theirs = completing(b, other) & empty
                            forced = theirs & playable
                            if forced == ZERO:
                                break
                            lost = forced & (forced - ONE) | (forced << ONE) & theirs != ZERO
                            if lost or not chain():
                                break
                            bit = b.mirror[index_of(forced)]
                            mine = other
                            discs |= forced
                            image, image_after = image_after + bit, image + bit + bit
                            bar = -bar - 1
                            flip = -flip
                            left -= 1
                        here, after = mine + discs, other + discs
                        safe = playable & ~(theirs >> ONE)
                        if forced != ZERO:
                            safe &= forced

                        # Step 4: bounds on the score, until the question is answered.
                        least, most = -((left - 2) // 2), (left - 1) // 2
                        hint = NO_MOVE
                        root = depth == 0 and sign > 0
                        looking = True
                        while looking:
                            looking = False
                            if left <= 1:
                                least = most = 0
                                break
                            if lost or safe == ZERO:
                                least = most = -(left // 2)
                                break
                            if left == 2:
                                least = most = 0
                                break
                            if left >= book.left and not root:
                                known = look_up(book, here, image)
                                if known != NO_BOUND:
                                    least = most = known
                            if least > bar or most <= bar:
                                break
                            if no_line():
                                if bar >= 0:
                                    if lines(b, mine | empty) == ZERO:
                                        most = 0
                                        break
                                elif lines(b, other | empty) == ZERO:
                                    least = 0
                                    break
                            if left & 1:
                                if threat():
                                    most = min(most, threat_bound(b, mine, empty, playable, theirs))
                            elif claim():
                                bound = claim_bound(b, mine, other, empty, playable, theirs)
                                most = min(most, bound)
                            if most <= bar:
                                break

                            # Step 5: the transposition table.
                            flipped = mirror() and image < here
                            word = find(table, image if flipped else here)
                            if word != NOTHING:
                                most = min(most, high_in(word))
                                if not root:
                                    least = max(least, low_in(word))
                                if least > bar or most <= bar:
                                    break
                                hint = move_in(word)
                                if flipped and hint != NO_MOVE:
                                    hint = b.cols - 1 - hint
                            if probe():
                                rest = safe
                                while rest != ZERO:
                                    move = lowest(rest)
                                    rest ^= move
                                    there = after + move
                                    if mirror():
                                        bit = b.mirror[index_of(move)]
                                        there = min(there, image_after + bit)
                                    fetch_ahead(table, bucket_of(there))

                            # Step 6: for every move: the threats it makes, its rank, and whether it
                            # wins with the next disc: by two threats, or because all cells
                            # left for the opponent are below a threat.
                            wins = ZERO
                            near = playable << ONE
                            for column in range(b.lanes):
                                move = safe & b.column[column]
                                threats = completing(b, mine | move) & (empty ^ move)
                                open_cells = ((playable ^ move) | (move << ONE)) & b.cells
                                now = threats & open_cells
                                twice = popcount(now) > 1 or (now << ONE) & threats != ZERO
                                stuck = open_cells & ~(threats >> ONE) == ZERO
                                wins |= move if twice or stuck else ZERO
                                rank = order(threats, near & ~move, now, bar) * RANK
                                rank += b.central[column] + BASE
                                frame.rank[column] = rank if move != ZERO else -1
                                made[column] = threats
                            if double():
                                if wins != ZERO:
                                    least = most = (left - 1) // 2
                                    hint = b.column_of[index_of(lowest(wins))]
                                    break
                                most = min(most, (left - 3) // 2)
                                if most <= bar:
                                    break

                            # Step 7: what is already known about the positions after the moves.
                            refuted = -NO_BOUND
                            if not root:
                                if children() and bar < b.rows // 2:
                                    if left & 1:
                                        bound = claims_after(
                                            b, mine, other, empty, playable, safe, made
                                        )
                                    else:
                                        bound = threats_after(
                                            b, mine, other, empty, playable, safe, made
                                        )
                                    least = max(least, -bound)
                                    if least > bar:
                                        break
                                if probe():
                                    rest = safe
                                    while rest != ZERO:
                                        move = lowest(rest)
                                        rest ^= move
                                        there = after + move
                                        if mirror():
                                            bit = b.mirror[index_of(move)]
                                            there = min(there, image_after + bit)
                                        word = find(table, there)
                                        if word != NOTHING:
                                            least = max(least, -high_in(word))
                                            if -low_in(word) <= bar:  # not good enough
                                                refuted = max(refuted, -low_in(word))
                                                frame.rank[b.column_of[index_of(move)]] = -1
                                    if least > bar:
                                        break

                            # Step 8: search the moves.
                            if hint != NO_MOVE and frame.rank[hint] >= 0:
                                frame.rank[hint] += KNOWN
                            frame.own, frame.mask, frame.moves = mine, discs, safe
                            frame.mirrored, frame.next_mirrored = image, image_after
                            frame.alpha, frame.sign = bar, flip
                            frame.low, frame.high = least, most
                            frame.best, frame.nodes = refuted, nodes
                            entering = False
                        if entering:  # answered
                            if root and least > bar and hint != NO_MOVE:
                                task.move = hint
                            value = flip * (least if least > bar else most)
                            entering = False
                            depth -= 1
                            continue
                    else:
                        # Step 9: a move has been searched.
                        frame.best = max(frame.best, -value)

                    # Step 10: the best of the remaining moves.
                    rank = -1
                    if frame.best <= frame.alpha:
                        for column in range(b.lanes):
                            rank = max(rank, frame.rank[column])
                    if rank >= 0:
                        column = rank & 31
                        frame.column = column
                        frame.rank[column] = -1
                        move = frame.moves & b.column[column]
                        bit = b.mirror[index_of(move)]
                        depth += 1
                        child = frames[depth]
                        child.own, child.mask = frame.own ^ frame.mask, frame.mask | move
                        child.mirrored = frame.next_mirrored + bit
                        child.next_mirrored = frame.mirrored + bit + bit
                        child.alpha = -frame.alpha - 1
                        entering = True
                        continue

                    # Step 11: this position is answered; store it.
                    where = frame.own + frame.mask
                    flipped = mirror() and frame.mirrored < where
                    where = frame.mirrored if flipped else where
                    column = NO_MOVE
                    if frame.best > frame.alpha:
                        frame.low = max(frame.low, frame.best)
                        value = frame.sign * frame.low
                        column = frame.column
                        if depth == 0 and sign > 0:
                            task.move = column
                        if flipped:
                            column = b.cols - 1 - column
                    else:
                        frame.high = min(frame.high, frame.best)
                        value = frame.sign * frame.high
                    word = pack(where, frame.low, frame.high, column, nodes - frame.nodes)
                    keep(table, where, word)
                    depth -= 1

                # Step 12: the answer to the question.
                if pause > 0:
                    if value > alpha:
                        low = value
                    else:
                        high = value

            task.low, task.high = (low, high) if sign > 0 else (-high, -low)
            task.nodes += nodes - begun
            task.done = low >= high
            now_is = thread_nanoseconds()
            task.nanoseconds += now_is - clock
            clock = now_is
            if pause == 0:
                break
        return nodes

    return solve
