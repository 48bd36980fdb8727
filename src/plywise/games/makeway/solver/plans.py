"""What a proved win rests on: a plan, and which replies could stop it.

A plan says that the attacker wins by claiming only lines of one set (`claims`), while the defender
can be forced to take some of them (`forced`) and gets at most `moves` free choices before the
attacker has joined the big dots or the defender is cut off.

Suppose the defender had one more line. The plan still works, unless that line is in `claims`, or
the defender could join the big dots by a path over it with at most `moves` further lines besides
the forced ones. So when a plan wins even if the defender passes, all other replies lose like the
pass, and every losing reply brings a plan that may rule out more.
"""

from __future__ import annotations

from plywise.core.game import Record
from plywise.games.makeway import rules
from plywise.games.makeway.board import WORDS, bit_of, is_free
from plywise.games.makeway.oracle.forests import measure_far, way_through
from plywise.games.makeway.solver.threats import bridges, copy_lines, gap_after
from plywise.jit import rule
from plywise.jit.bits import ZERO, exclude, has, include

PASS = -1  #: a move that claims nothing

BLOCKING, MOVING = 0, 1  #: the mover must block; any move


@rule
def clear_plan(plan: Record) -> None:
    """Empty a plan: no lines, no moves."""
    for word in range(WORDS):
        plan.claims[word] = plan.forced[word] = ZERO
    plan.moves = 0


@rule
def plan_by_threats(b: Record, player: int, desk: Record, plan: Record) -> None:
    """The plan of the last sequence of threats found."""
    clear_plan(plan)
    for d in range(desk.depth):
        number = desk.next[d] - 1
        include(plan.claims, desk.pairs[d, number, 0])
        include(plan.claims, desk.pairs[d, number, 1])
        include(plan.forced, desk.pairs[d, number, 1])
    t = desk.lines[desk.depth]
    move = desk.pairs[desk.depth, 0, 0]
    include(plan.claims, move)
    if rules.joins(b, t, player, move):
        plan.moves = 1 if desk.depth > 0 else 0
        return
    # The last move leaves two lines that join; more are not needed.
    plan.moves = 1
    part, goal = gap_after(b, t, player, move)
    left = 2
    for line in range(b.lines):
        if left > 0 and line != move and bridges(b, t, player, line, part, goal):
            include(plan.claims, line)
            left -= 1


@rule
def add_trees(b: Record, t: Record, player: int, parts: int, plan: Record) -> None:
    """Add the lines of the two trees that span some parts."""
    for line in range(b.lines):
        if has(t.forest[player, 0], line) or has(t.forest[player, 1], line):
            low = bit_of(t.part[player, b.ends[line, 0]])
            high = bit_of(t.part[player, b.ends[line, 1]])
            if parts & low != ZERO and parts & high != ZERO:
                include(plan.claims, line)


@rule
def copy_plan(plan: Record, other: Record) -> None:
    """Write a plan over another."""
    for word in range(WORDS):
        other.claims[word] = plan.claims[word]
        other.forced[word] = plan.forced[word]
    other.moves = plan.moves


@rule
def begin_plan(work: Record) -> None:
    """Start a plan: every reply is open, and nothing is known."""
    clear_plan(work)
    work.child = 0
    for word in range(WORDS):
        work.open[word] = ~ZERO


@rule
def force_plan(work: Record, plan: Record, block: int) -> None:
    """Extend a plan: the defender must block first."""
    for word in range(WORDS):
        work.claims[word] |= plan.claims[word]
        work.forced[word] |= plan.forced[word]
        work.open[word] = ZERO
    include(work.claims, block)
    include(work.forced, block)
    work.moves = max(1, plan.moves)


@rule
def join_plan(
    b: Record, s: Record, attacker: int, work: Record, plan: Record, reply: int, desk: Record
) -> None:
    """Merge the plan against a reply, and rule out the other replies that it beats."""
    defender = 1 - attacker
    for word in range(WORDS):
        work.claims[word] |= plan.claims[word]
        work.forced[word] |= plan.forced[word]
    work.moves = max(work.moves, plan.moves + 1)
    t = desk.upset
    copy_lines(b, s, t)
    for line in range(b.lines):
        if has(plan.forced, line) and is_free(t, line):
            rules.claim(b, t, defender, line)
    most = plan.moves + 1
    measure_far(b, t, defender, most, desk.far)
    for line in range(b.lines):
        if not has(work.open, line) or has(plan.claims, line):
            continue
        if is_free(t, line) and way_through(b, t, defender, line, desk.far) <= most:
            continue
        exclude(work.open, line)
    if reply != PASS:
        exclude(work.open, reply)
