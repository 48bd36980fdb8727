"""The loop of the expert: principal-variation search that knows lines, rings and threats.

It has the arguments of the alpha-beta that knows no game, so the same Python face drives it. What
it knows: a cell that wins is played, a cell where the other would win is answered there at no cost
in depth, two such cells are a loss, and at the horizon threats are followed to their end.
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
    credit,
    highest,
    remember_killer,
    settled,
    store,
    take,
)
from plywise.engines.transpositions import LOWER, NOTHING, PROVED, find, keep, move_in, pack
from plywise.games.andantino.board import EMPTY, FIVE, REACH, WORDS, has
from plywise.games.andantino.rules import key, over, play, winning
from plywise.games.andantino.threats import threat_win
from plywise.jit import kernel, rule
from plywise.jit.bits import ZERO, index_of, lowest
from plywise.jit.hashing import spread

PROMISE_WEIGHT = 64
LATE, VERY_LATE = 3, 7  #: moves after these are first searched one or two plies less deep
DEEP = 3  #: ... where there are so many plies to go
LEVELS = 8  #: threats in a row that are followed at the horizon
LOOK = 40  #: ... and how many in all
EARLY = 2  #: plies to go from which on threats are tried before all other moves
EARLY_LOOK = 60  #: ... and how many in all


@rule
def list_moves(s: Record, out: Record) -> int:
    """The legal moves that do not walk into a ring; all of them if there is no other."""
    n = 0
    for safe in range(2):
        for word in range(WORDS):
            rest = s.legal[word]
            if safe == 0:
                rest &= ~s.pocket[1 - s.turn, word]
            while rest != ZERO:
                bit = lowest(rest)
                rest ^= bit
                out[n] = 64 * word + index_of(bit)
                n += 1
        if n > 0:
            return n
    return n


@rule
def outlook(b: Record, s: Record, cell: int) -> int:
    """How much a cell matters: windows through it that are still open to one side."""
    total = 0
    for axis in range(3):
        own = 0
        other = 0
        closed = 0
        for i in range(2 * REACH + 1):
            found = s.mark[b.line[cell, axis, i]]
            if found == s.turn + 1:
                own |= 1 << i
            elif found == 2 - s.turn:
                other |= 1 << i
            elif found != EMPTY:
                closed |= 1 << i
        for i in range(REACH + 1):
            if (closed >> i) & 31 == 0:
                mine = b.bits[(own >> i) & 31]
                theirs = b.bits[(other >> i) & 31]
                if theirs == 0:
                    total += 5 * mine * mine
                elif mine == 0:
                    total += 4 * theirs * theirs
    ring = b.bits[s.around[s.turn, cell]] + b.bits[s.around[1 - s.turn, cell]]
    return total + 2 * ring


@rule
def can_threaten(s: Record) -> bool:
    """Is there anything at all from which the side to move could make a threat?"""
    me = s.turn
    if s.count[me, FIVE - 2] > 0 or s.hug[me, 4] + s.hug[me, 5] > 0:
        return True
    for word in range(WORDS):
        if s.five[me, word] != ZERO:
            return True
    return False


@kernel
def search_kernel(judge: Verb) -> Verb:
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
        polled = 0
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
                polled += 1
                if nodes >= budget or (polled & 255 == 0 and stop[0] | halt[0] | beaten[0] != 0):
                    counts[ABORTED] = 1
                    break
                nodes += 1
                s = states[d]
                me = s.turn
                f.turn = me
                pv[d, 0] = 0
                leaf = True
                certain = True
                known = NOTHING
                f.extra = 0
                forced = -1
                number = 0
                if over(b, s):
                    # Step 2: he walked into a ring, or the board is full.
                    value = 0 if s.won == 0 else MATE - d if s.won == me + 1 else d - MATE
                else:
                    leaf = False
                    # Step 3: cells that win at once, for the mover and for the other.
                    number, cell = winning(b, s, me)
                    if number > 0:
                        forced = cell
                        if d > 0:
                            leaf = True
                            value = MATE - d - 1
                            pv[d, 0] = 1
                            pv[d, 1] = cell
                    else:
                        number, cell = winning(b, s, 1 - me)
                        if number > 0 and not has(s.pocket[1 - me], cell):
                            forced = cell
                            f.extra = 1
                            if number == 2 and d > 0:
                                leaf = True
                                value = d + 2 - MATE
                                pv[d, 0] = 1
                                pv[d, 1] = cell
                    # Step 4: no more than the nearest mate can come of it.
                    if not leaf and d > 0:
                        f.beta = min(f.beta, MATE - d - 1)
                        if f.alpha >= f.beta:
                            leaf = True
                            value = f.beta
                    if not leaf and f.depth + f.extra <= 0:
                        # Step 5: the horizon. Threats are followed, then the rest is judged.
                        leaf = True
                        certain = False
                        value = min(WON - 1, max(1 - WON, judge(b, s)))
                        room = (states.size - d - 4) // 2
                        if value < f.beta and room > 0 and can_threaten(s):
                            plies, move, work = threat_win(
                                b, states, d, lists, ranks, min(LEVELS, room), LOOK
                            )
                            nodes += work
                            if plies > 0:
                                certain = True
                                value = MATE - d - plies
                                pv[d, 0] = 1
                                pv[d, 1] = move
                    if not leaf:
                        # Step 6: ask the table.
                        f.key = spread(key(b, s))
                        known = find(table, f.key, era)
                        if known != NOTHING and d > 0 and f.beta - f.alpha == 1:
                            leaf, value, certain = answered(f, known, d)
                    # Step 7: wins by threats alone, before any other move is tried.
                    if not leaf and forced < 0 and d > 0 and f.depth >= EARLY:
                        room = (states.size - d - 4) // 2
                        if room > 0 and can_threaten(s):
                            plies, move, work = threat_win(
                                b, states, d, lists, ranks, min(LEVELS, room), EARLY_LOOK
                            )
                            nodes += work
                            if plies > 0:
                                leaf = True
                                certain = True
                                value = MATE - d - plies
                                pv[d, 0] = 1
                                pv[d, 1] = move
                                keep(table, f.key, pack(value + d, move, PROVED, LOWER, era))
                if leaf:
                    if d == 0:
                        counts[CERTAIN] = certain
                        break
                    d -= 1
                    entering = False
                    continue
                # Step 8: the moves and their ranks.
                f.floor = f.alpha
                f.best = -INFINITE
                f.next = 0
                f.certain = 1
                f.count = 1
                lists[d, 0] = forced
                if forced < 0:
                    f.count = list_moves(s, lists[d])
                for i in range(f.count):
                    move = lists[d, i]
                    rank: Any = np.int64(0)
                    if f.count > 1:
                        rank += PROMISE_WEIGHT * outlook(b, s, move) + history[me, move]
                    if move == killers[d, 0]:
                        rank = KILLER_RANK + 1
                    elif move == killers[d, 1]:
                        rank = KILLER_RANK
                    if known != NOTHING and move == move_in(known):
                        rank = FIRST_RANK
                    ranks[d, i] = rank
                f.move = lists[d, 0]
            else:
                # Step 9: a child came back.
                child = frames[d + 1]
                value = -value
                if f.claim > 0 and value > f.alpha:  # better than thought: look again, deeper
                    f.claim = 0
                    aim(f, child, False, f.depth + f.extra - 1)
                    d += 1
                    entering = True
                    continue
                if f.scout == 1 and f.alpha < value < f.beta:
                    f.scout = 0
                    aim(f, child, False, f.depth + f.extra - 1)
                    d += 1
                    entering = True
                    continue
                move = lists[d, f.next - 1]
                take(f, d, move, value, certain, pv)
                # Step 10: leave if this is more than the other side will allow,
                if f.best >= f.beta:
                    if f.count > 1:
                        credit(f, d, lists, history)
                        remember_killer(killers, d, move)
                    f.next = f.count
                # ... or if that was the last move.
                if f.next == f.count:
                    value = f.best
                    bound, certain = settled(f, certain)
                    store(table, f, d, bound, certain, era)
                    if d == 0:
                        counts[CERTAIN] = certain
                        break
                    d -= 1
                    continue
            # Step 11: descend into the best move left; all but the first only to be refuted.
            top = highest(f, d, ranks)
            move = lists[d, top]
            bring_forward(f, d, top, lists, ranks)
            f.scout = 1 if f.next > 0 and f.beta - f.alpha > 1 else 0
            f.next += 1
            f.claim = 0  # how much less deep it is searched
            if f.next > LATE and f.depth >= DEEP:
                f.claim = 1 if f.next <= VERY_LATE else 2
            states[d + 1] = states[d]
            play(b, states[d + 1], move)
            child = frames[d + 1]
            aim(f, child, False, f.depth + f.extra - 1 - f.claim)
            d += 1
            entering = True
        counts[NODES] = nodes
        return value

    return search
