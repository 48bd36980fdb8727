"""The moves that matter to the solver, and their order."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from plywise.core.game import Record
from plywise.games.makeway import rules
from plywise.games.makeway.board import WORDS, is_free
from plywise.games.makeway.oracle.forests import list_restoring
from plywise.games.makeway.solver.flow import resistance, strongest_lines, weigh_lines
from plywise.games.makeway.solver.plans import PASS, begin_plan, join_plan, plan_by_threats
from plywise.games.makeway.solver.threats import (
    copy_lines,
    list_answers,
    wins_by_threats,
    wins_in_two,
)
from plywise.jit import rule
from plywise.jit.bits import ONE, ZERO, has, include, wide


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
    desk: Record,
) -> int:
    """List the attacker's moves that matter.

    `hint` is a move that was good for the defender in a similar position, or -1.
    """
    if s.slack[attacker] == 1:
        spare[0] = s
        listed = list_restoring(b, spare[0], attacker, out, desk.place)
    else:
        listed = list_useful(b, s, out)
    other = 1 - attacker
    way = rules.distance(b, s, other)
    count = 0
    # If the opponent would win by threats now, that must be answered.
    if way <= 2 and wins_by_threats(b, s, other, desk) >= 0:
        list_answers(b, s, other, desk)
        low, high = desk.must[0], desk.must[1]
        for index in range(listed):
            line = out[index]
            if (low if line < 64 else high) >> np.uint64(line & 63) & ONE != ZERO:
                copy_lines(b, s, desk.after)
                rules.claim(b, desk.after, attacker, line)
                if wins_by_threats(b, desk.after, other, desk) < 0:
                    out[count] = line
                    count += 1
        return count
    # The same if one more move would do it, perhaps the one that worked elsewhere.
    if way <= 3:
        tries = strongest_lines(b, s, nets[other], desk.worth, desk.strongest)
        if hint >= 0 and is_free(s, hint):
            desk.strongest[tries - 1] = hint
        for index in range(tries):
            if wins_in_two(b, s, other, desk.strongest[index], desk):
                count = 0
                for at in range(listed):
                    if has(desk.early, out[at]):
                        out[count] = out[at]
                        count += 1
                listed = count
    return listed


@rule
def rule_out(
    b: Record, s: Record, nets: Record, attacker: int, hint: int, work: Record, desk: Record
) -> None:
    """Keep the replies that may stop a sequence of threats, now or after one more move.

    `hint` is a move that was good for the attacker in a similar position, or -1.
    """
    way = rules.distance(b, s, attacker)
    if way <= 2:
        refute_by_threats(b, s, attacker, work, desk)
    elif way == 3:
        tries = strongest_lines(b, s, nets[attacker], desk.worth, desk.strongest)
        if hint >= 0 and is_free(s, hint):
            desk.strongest[tries - 1] = hint
        for index in range(tries):
            first = desk.strongest[index]
            later = desk.later
            copy_lines(b, s, desk.after)
            rules.claim(b, desk.after, attacker, first)
            begin_plan(later)
            refute_by_threats(b, desk.after, attacker, later, desk)
            left = ZERO
            for word in range(WORDS):
                left |= later.open[word] & b.full[word] & ~(s.own[0, word] | s.own[1, word])
            if left == ZERO:
                include(later.claims, first)
                join_plan(b, s, attacker, work, later, PASS, desk)


@rule
def refute_by_threats(b: Record, s: Record, attacker: int, work: Record, desk: Record) -> None:
    """Rule out the replies after which the attacker wins by threats; all are open."""
    plan = desk.plan
    if wins_by_threats(b, s, attacker, desk) < 0:
        return
    plan_by_threats(b, attacker, desk, plan)
    join_plan(b, s, attacker, work, plan, PASS, desk)
    for line in range(b.lines):
        if has(work.open, line) and is_free(s, line):
            copy_lines(b, s, desk.reply)
            rules.claim(b, desk.reply, 1 - attacker, line)
            if wins_by_threats(b, desk.reply, attacker, desk) >= 0:
                plan_by_threats(b, attacker, desk, plan)
                join_plan(b, s, attacker, work, plan, wide(line), desk)


@rule
def rank_moves(
    b: Record, s: Record, nets: Record, attacker: int, count: int, out: Record, desk: Record
) -> Any:
    """Sort moves, the mover's best first; returns the attacker's hope before the move.

    Hope is the logarithm of the opponent's resistance divided by the own one; `desk.worth` is how
    much each move adds to it.
    """
    for index in range(count):
        desk.worth[out[index]] = 0.0
    weigh_lines(b, s, nets[attacker], attacker, 1.0, desk.worth)
    weigh_lines(b, s, nets[1 - attacker], 1 - attacker, -1.0, desk.worth)
    sign = 1.0 if s.turn == attacker else -1.0
    for index in range(1, count):
        line = out[index]
        at = index
        while at > 0 and sign * desk.worth[out[at - 1]] < sign * desk.worth[line]:
            out[at] = out[at - 1]
            at -= 1
        out[at] = line
    return math.log(resistance(b, nets[1 - attacker])) - math.log(resistance(b, nets[attacker]))
