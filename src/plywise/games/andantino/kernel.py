"""The loop of the solver: does one player force a win within a given number of plies?

Each node is a plain yes or no, so answers stay valid: the table says within how many plies a win is
proved, and within how many there is none. The attacker tries all moves, wins by threats alone
first; the defender only those that matter.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from plywise.core.game import Record, Verb
from plywise.engines.kernels.stack import FIRST_RANK, bring_forward, highest
from plywise.games.andantino.board import WORDS
from plywise.games.andantino.rules import key, over, play, winning
from plywise.games.andantino.search import (
    can_threaten,
    is_calm,
    list_threats,
    moves,
    outlook,
    threat_win,
)
from plywise.jit import kernel, rule
from plywise.jit.bits import ZERO, has, random_words, spread

YES, NO, OPEN = 1, 0, -1  #: answers; OPEN: interrupted
NEVER = 511  #: no win is proved
LOOK_UP = 3  #: with at least so many plies to go, the table is used
THREATS = 5  #: ... and threats are tried first
THREAT_NODES = 60  #: nodes of such a try
ATTACKER = random_words(2, seed=19)  #: separates the entries for the two players' wins
BLACK, WHITE = ATTACKER[0], ATTACKER[1]

_NINE = np.uint64(511)
_MOVE, _BARRED = np.uint64(9), np.uint64(18)

Frame = np.dtype(
    (
        np.record,
        [
            ("key", "u8"),
            ("left", "i4"),  # plies to go
            ("attacks", "i4"),  # is it the attacker's turn?
            ("move", "i4"),  # the move that answers the question
            ("count", "i4"),
            ("next", "i4"),
        ],
    )
)


@rule
def must_walk_in(s: Record, player: int) -> bool:
    """True if every legal cell is in a pocket of the opponent's, so that any move loses."""
    for word in range(WORDS):
        if s.legal[word] & ~s.pocket[1 - player, word] != ZERO:
            return False
    return True


@rule
def pack(win: int, move: int, barred: int) -> Any:
    """Pack an entry: a win within `win` plies by `move`; none within `barred` plies."""
    return np.uint64(win) | (np.uint64(move) << _MOVE) | (np.uint64(barred) << _BARRED)


@rule
def win_in(data: Any) -> Any:
    """Within how many plies a win is proved, or NEVER."""
    return np.int64(data & _NINE)


@rule
def move_in(data: Any) -> Any:
    """The move that wins, or the best try."""
    return np.int64((data >> _MOVE) & _NINE)


@rule
def barred_in(data: Any) -> Any:
    """Within how many plies there is no win."""
    return np.int64((data >> _BARRED) & _NINE)


@rule
def slot_of(table: Record, wanted: Any) -> Any:
    """Where a key is in its bucket of two, or where it should go."""
    at = np.int64(wanted & np.uint64(table.shape[0] // 2 - 1)) * 2
    if table[at, 0] == wanted or table[at, 0] == np.uint64(0):
        return at
    if table[at + 1, 0] == wanted:
        return at + 1
    deep, other = barred_in(table[at, 1]), barred_in(table[at + 1, 1])
    return at if deep <= other else at + 1


@kernel
def solver_kernel() -> Verb:
    """Ask about `states[0]`: does `attacker` win within `plies`? `counts` is the node budget."""

    def solver(
        board: Record,
        states: Record,
        frames: Record,
        lists: Record,
        ranks: Record,
        table: Record,
        attacker: int,
        plies: int,
        counts: Record,
        stop: Record,
        halt: Record,
    ) -> int:
        b = board[0]
        side = BLACK if attacker == 0 else WHITE
        budget = counts[0]
        nodes = 0
        polled = 0
        answer = NO
        d = 0
        frames[0].left = plies
        entering = True
        while True:
            f = frames[d]
            if entering:
                # Step 1: a new node; stop if asked to.
                polled += 1
                if nodes >= budget or (polled & 255 == 0 and stop[0] | halt[0] != 0):
                    answer = OPEN
                    break
                nodes += 1
                s = states[d]
                me = s.turn
                f.attacks = 1 if me == attacker else 0
                f.move = -1
                known = np.uint64(0)
                forced = -1
                settled = True
                if over(b, s):
                    answer = YES if s.won == attacker + 1 else NO
                else:
                    # Step 2: cells that win at once decide it, or leave one move.
                    settled = False
                    number, cell = winning(b, s, me)
                    if number > 0:
                        settled = True
                        answer = YES if f.attacks == 1 else NO
                        f.move = cell
                    elif f.left <= 1:
                        settled = True
                        answer = YES if f.attacks == 0 and must_walk_in(s, me) else NO
                    else:
                        number, cell = winning(b, s, 1 - me)
                        if number > 0:
                            forced = cell
                            if number == 2 or has(s.pocket[1 - me], cell):
                                settled = True
                                answer = NO if f.attacks == 1 else YES
                                f.move = cell
                # Step 3: at the end only threats matter, unless something can be activated.
                calm = not settled and forced < 0 and f.left <= 3 and is_calm(b, s, attacker)
                if calm and f.attacks == 0:
                    settled = True
                    answer = NO
                # Step 4: look in the table, then try threats alone.
                if not settled and f.left >= LOOK_UP:
                    f.key = spread(key(b, s) ^ side)
                    at = slot_of(table, f.key)
                    if table[at, 0] == f.key:
                        known = table[at, 1]
                        f.move = move_in(known)
                        # Not at the root: the entry, and so its move, may belong to an image.
                        if d > 0 and win_in(known) <= f.left:
                            settled = True
                            answer = YES
                        elif d > 0 and barred_in(known) >= f.left:
                            settled = True
                            answer = NO
                    if not settled and forced < 0 and f.attacks == 1 and f.left >= THREATS:
                        room = min((f.left - 1) // 2, (states.size - d - 4) // 2)
                        if can_threaten(s) and room > 0:
                            length, cell, work = threat_win(
                                b, states, d, lists, ranks, room, THREAT_NODES
                            )
                            nodes += work
                            if length > 0:
                                settled = True
                                answer = YES
                                f.move = cell
                                table[at, 0] = f.key
                                barred = 0 if known == np.uint64(0) else barred_in(known)
                                table[at, 1] = pack(length, cell, barred)
                # Step 5: the moves and their ranks.
                f.next = 0
                f.count = 1
                lists[d, 0] = forced
                if not settled and forced < 0:
                    f.count = list_threats(b, s, me, lists[d]) if calm else moves(b, s, lists[d])
                    if f.count == 0:
                        settled = True
                        answer = NO
                    for i in range(f.count):
                        move = lists[d, i]
                        rank: Any = np.int64(outlook(b, s, move))
                        ranks[d, i] = FIRST_RANK if move == f.move else rank
                if settled:
                    if d == 0:
                        break
                    d -= 1
                    entering = False
                    continue
            else:
                # Step 6: a child returned. One good move is enough, or one bad answer.
                enough = YES if f.attacks == 1 else NO
                if answer == enough or f.next == f.count:
                    f.move = lists[d, f.next - 1]
                    if f.left >= LOOK_UP:
                        at = slot_of(table, f.key)
                        win, barred = NEVER, 0
                        if table[at, 0] == f.key:
                            win, barred = win_in(table[at, 1]), barred_in(table[at, 1])
                        if answer == YES:
                            win = min(win, f.left)
                        else:
                            barred = max(barred, f.left)
                            if win != NEVER:  # a longer win is known, and its move
                                f.move = move_in(table[at, 1])
                        table[at, 0] = f.key
                        table[at, 1] = pack(win, f.move, barred)
                    if d == 0:
                        break
                    d -= 1
                    continue
            # Step 7: descend into the best move left.
            top = highest(f, d, ranks)
            move = lists[d, top]
            bring_forward(f, d, top, lists, ranks)
            f.next += 1
            states[d + 1] = states[d]
            play(b, states[d + 1], move)
            frames[d + 1].left = f.left - 1
            d += 1
            entering = True
        counts[0] = nodes
        return answer

    return solver
