"""The moves that matter to the solver, and their order by the resistance between the big dots.

The lines are an electrical network. A player's own lines have resistance 0, a free line has 1, and
the opponent's do not conduct. One inverted matrix per player gives the resistance after every
possible claim (Kirchhoff; changing one line is a rank-one update). Shannon's machine of 1951 for
the switching game used such a network.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from plywise.core.game import Record
from plywise.games.makeway import rules
from plywise.games.makeway.board import WORDS, is_free
from plywise.games.makeway.forests import list_restoring
from plywise.games.makeway.solver.threats import (
    PASS,
    begin_plan,
    copy_lines,
    join_plan,
    list_answers,
    plan_by_threats,
    wins_by_threats,
    wins_in_two,
)
from plywise.jit import rule
from plywise.jit.bits import ONE, ZERO, has, include, wide

# ---- the network ---------------------------------------------------------------------------------


LEAK = 1e-5  #: conductance from every part to ground, so that the matrix is invertible
MOST = 100.0  #: the resistance when nearly or fully cut off
LEAST = 0.02
EPSILON = 1e-9


@rule
def measure_network(b: Record, s: Record, player: int, place: Record, g: Record) -> None:
    """Invert the matrix of a player's network; `g` has a row for each dot, `place` is scratch.

    Dots that own lines join are one part, and have equal rows.
    """
    # Step 1: the matrix of the parts.
    n = 0
    for dot in range(b.dots):
        if s.part[player, dot] == dot:
            place[dot] = n
            n += 1
    for row in range(n):
        for col in range(n):
            g[row, col] = 0.0
        g[row, row] = LEAK
    for line in range(b.lines):
        if is_free(s, line):
            row = place[s.part[player, b.ends[line, 0]]]
            col = place[s.part[player, b.ends[line, 1]]]
            if row != col:
                g[row, row] += 1.0
                g[col, col] += 1.0
                g[row, col] -= 1.0
                g[col, row] -= 1.0
    # Step 2: invert it.
    for k in range(n):
        pivot = 1.0 / g[k, k]
        g[k, k] = pivot
        for col in range(n):
            if col != k:
                g[k, col] *= pivot
        for row in range(n):
            if row != k:
                factor = g[row, k]
                for col in range(n):
                    if col != k:
                        g[row, col] -= factor * g[k, col]
                g[row, k] = -factor * pivot
    # Step 3: spread it over the dots. A part's row is never beyond its lowest dot, so going down
    # overwrites nothing that is still needed.
    for row in range(b.dots - 1, -1, -1):
        for col in range(b.dots - 1, -1, -1):
            g[row, col] = g[place[s.part[player, row]], place[s.part[player, col]]]


@rule
def change_network(b: Record, g: Record, out: Record, line: int, own: bool) -> None:
    """Update a network after a claim, by its owner or by the opponent; `out` is another matrix."""
    low, high = b.ends[line, 0], b.ends[line, 1]
    across = g[low, low] + g[high, high] - 2.0 * g[low, high]
    factor = 0.0  # both ends are in the same part already
    if across > EPSILON:
        factor = -1.0 / across if own else 1.0 / max(1.0 - across, EPSILON)
    for row in range(b.dots):
        scaled = factor * (g[row, low] - g[row, high])
        for col in range(b.dots):
            out[row, col] = g[row, col] + scaled * (g[low, col] - g[high, col])


@rule
def resistance(b: Record, g: Record) -> Any:
    """The resistance between the big dots."""
    end = b.dots - 1
    return within(g[0, 0] + g[end, end] - 2.0 * g[0, end])


@rule
def within(value: float) -> float:
    """Clamp a resistance so that it has a logarithm."""
    return min(MOST, max(LEAST, value))


@rule
def weigh_lines(b: Record, s: Record, g: Record, player: int, sign: float, worth: Record) -> None:
    """Add to the worth of every free line what its claim by the mover does for a player.

    That is `sign` times the fall in the logarithm of the player's resistance; `g` is the network.
    """
    end = b.dots - 1
    whole = g[0, 0] + g[end, end] - 2.0 * g[0, end]
    before = math.log(within(whole))
    for line in range(b.lines):
        low, high = b.ends[line, 0], b.ends[line, 1]
        if not is_free(s, line) or s.part[player, low] == s.part[player, high]:
            continue
        tension = g[0, low] - g[end, low] - g[0, high] + g[end, high]
        across = g[low, low] + g[high, high] - 2.0 * g[low, high]
        if s.turn == player:
            after = whole - tension * tension / max(across, EPSILON)
        else:
            after = whole + tension * tension / max(1.0 - across, EPSILON)
        worth[line] += sign * (before - math.log(within(after)))


@rule
def strongest_lines(b: Record, s: Record, g: Record, worth: Record, out: Record) -> int:
    """List the few free lines that would lower a resistance most, the best first."""
    end = b.dots - 1
    count = 0
    for line in range(b.lines):
        low, high = b.ends[line, 0], b.ends[line, 1]
        across = g[low, low] + g[high, high] - 2.0 * g[low, high]
        if not is_free(s, line) or across < EPSILON:
            continue
        tension = g[0, low] - g[end, low] - g[0, high] + g[end, high]
        worth[line] = tension * tension / across
        at = count
        while at > 0 and worth[out[at - 1]] < worth[line]:
            if at < out.size:
                out[at] = out[at - 1]
            at -= 1
        if at < out.size:
            out[at] = line
            count = min(count + 1, out.size)
    return count


# ---- moves ---------------------------------------------------------------------------------------


@rule
def list_useful(b: Record, s: Record, out: Record) -> int:
    """List the free lines that join two parts for either player."""
    count = 0
    for line in range(b.lines):
        if is_free(s, line):
            low, high = b.ends[line, 0], b.ends[line, 1]
            if s.part[0, low] != s.part[0, high] or s.part[1, low] != s.part[1, high]:
                out[count] = line
                count += 1
    return count


@rule
def list_attacks(
    b: Record,
    s: Record,
    nets: Record,
    attacker: int,
    hint: int,
    out: Record,
    spare: Record,
    scratch: Record,
) -> int:
    """List the attacker's moves that matter.

    `hint` is a move that was good for the defender in a similar position, or -1.
    """
    if s.slack[attacker] == 1:
        spare[0] = s
        listed = list_restoring(b, spare[0], attacker, out, scratch.place)
    else:
        listed = list_useful(b, s, out)
    other = 1 - attacker
    way = rules.distance(b, s, other)
    count = 0
    # If the opponent would win by threats now, that must be answered.
    if way <= 2 and wins_by_threats(b, s, other, scratch) >= 0:
        list_answers(b, s, other, scratch)
        low, high = scratch.must[0], scratch.must[1]
        for index in range(listed):
            line = out[index]
            if (low if line < 64 else high) >> np.uint64(line & 63) & ONE != ZERO:
                copy_lines(b, s, scratch.after)
                rules.claim(b, scratch.after, attacker, line)
                if wins_by_threats(b, scratch.after, other, scratch) < 0:
                    out[count] = line
                    count += 1
        return count
    # The same if one more move would do it, perhaps the one that worked elsewhere.
    if way <= 3:
        tries = strongest_lines(b, s, nets[other], scratch.worth, scratch.strongest)
        if hint >= 0 and is_free(s, hint):
            scratch.strongest[tries - 1] = hint
        for index in range(tries):
            if wins_in_two(b, s, other, scratch.strongest[index], scratch):
                count = 0
                for at in range(listed):
                    if has(scratch.early, out[at]):
                        out[count] = out[at]
                        count += 1
                listed = count
    return listed


@rule
def rule_out(
    b: Record, s: Record, nets: Record, attacker: int, hint: int, work: Record, scratch: Record
) -> None:
    """Keep the replies that may stop a sequence of threats, now or after one more move.

    `hint` is a move that was good for the attacker in a similar position, or -1.
    """
    way = rules.distance(b, s, attacker)
    if way <= 2:
        refute_by_threats(b, s, attacker, work, scratch)
    elif way == 3:
        tries = strongest_lines(b, s, nets[attacker], scratch.worth, scratch.strongest)
        if hint >= 0 and is_free(s, hint):
            scratch.strongest[tries - 1] = hint
        for index in range(tries):
            first = scratch.strongest[index]
            later = scratch.later
            copy_lines(b, s, scratch.after)
            rules.claim(b, scratch.after, attacker, first)
            begin_plan(later)
            refute_by_threats(b, scratch.after, attacker, later, scratch)
            left = ZERO
            for word in range(WORDS):
                left |= later.open[word] & b.full[word] & ~(s.own[0, word] | s.own[1, word])
            if left == ZERO:
                include(later.claims, first)
                join_plan(b, s, attacker, work, later, PASS, scratch)


@rule
def refute_by_threats(b: Record, s: Record, attacker: int, work: Record, scratch: Record) -> None:
    """Rule out the replies after which the attacker wins by threats; all are open."""
    plan = scratch.plan
    if wins_by_threats(b, s, attacker, scratch) < 0:
        return
    plan_by_threats(b, attacker, scratch, plan)
    join_plan(b, s, attacker, work, plan, PASS, scratch)
    for line in range(b.lines):
        if has(work.open, line) and is_free(s, line):
            copy_lines(b, s, scratch.reply)
            rules.claim(b, scratch.reply, 1 - attacker, line)
            if wins_by_threats(b, scratch.reply, attacker, scratch) >= 0:
                plan_by_threats(b, attacker, scratch, plan)
                join_plan(b, s, attacker, work, plan, wide(line), scratch)


@rule
def rank_moves(
    b: Record, s: Record, nets: Record, attacker: int, count: int, out: Record, scratch: Record
) -> Any:
    """Sort moves, the mover's best first; returns the attacker's hope before the move.

    Hope is the logarithm of the opponent's resistance divided by the own one; `scratch.worth` is
    how much each move adds to it.
    """
    for index in range(count):
        scratch.worth[out[index]] = 0.0
    weigh_lines(b, s, nets[attacker], attacker, 1.0, scratch.worth)
    weigh_lines(b, s, nets[1 - attacker], 1 - attacker, -1.0, scratch.worth)
    sign = 1.0 if s.turn == attacker else -1.0
    for index in range(1, count):
        line = out[index]
        at = index
        while at > 0 and sign * scratch.worth[out[at - 1]] < sign * scratch.worth[line]:
            out[at] = out[at - 1]
            at -= 1
        out[at] = line
    return math.log(resistance(b, nets[1 - attacker])) - math.log(resistance(b, nets[attacker]))
