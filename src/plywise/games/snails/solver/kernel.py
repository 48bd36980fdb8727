"""The search of the Snails solver: yes or no, with the clock handled once and for all.

**The question.** "Does player 0 end with a lead of at least `goal`?" with goal 1 (a win) or 0 (a
draw or a win). If so, player 0 succeeds, else player 1 does. Two answers give the outcome.

**The clock.** 20 plies in a row without a claim end the game, so the value of a position depends on
the plies so far without one. Let the clock of a position be the plies that are left. It is part of
the position: nothing else about the path matters. But it need not be in the key of the table,
because of this:

*One of the two players succeeds if the clock runs out and the cells stay as they are. Call the
other one the chaser. If the chaser succeeds with a clock of c, they succeed with every longer
clock.*

Proof, by induction on the number of empty cells, then on the clock. With a clock of 0 the chaser
does not succeed, so there is nothing to show. Take a position where they succeed with c > 0, and
any d > c. The moves are the same with both clocks. A claim sets the clock to 20 in both cases, so
it leads to the very same position, and is good for the same player. A slide leads to the same cells
with clocks of c - 1 and d - 1; the cells are as before, so the chaser is the same, and by induction
what is good for the chaser with c - 1 is good with d - 1. So if the chaser is to move, a good move
with c is good with d; if the opponent is to move, all moves are good for the chaser with d as they
are with c. Skipped turns, and ends of the game for other reasons, do not depend on the clock. End
of proof.

So one number says everything about a position: the shortest clock with which the chaser succeeds,
if any. The table has bounds on it, `fails` < number <= `wins`. They are found like this:

- The chaser has a good move: number <= 1 if it is a claim, <= 1 + the child's `wins` for a slide.
- No move of the chaser is good: number > the least of the children's `fails` + 1 over slides;
  claims are bad with every clock. Without slides that is every clock.
- The opponent has a good move: with every clock if it is a claim, else number > `fails` + 1.
- No move of the opponent is good: number <= the largest of 1 + `wins` over slides, and 1.

Answers without search, see `look`: a player who cannot catch up even with all cells in reach fails
with any clock; a player who wins a race (race.py) succeeds if the clock allows the race.

**The search** is depth-first proof-number search. The proof number of a node is the work left until
player 0 is proved to succeed, the disproof number the same for player 1. A node of player 0 takes
the least proof number of its children and the sum of their disproof numbers, a node of player 1 the
opposite. The loop always works where the least is left to do, and comes back up when a number has
grown so much that another child looks better. A new node gets its numbers from an estimate in
cells: each cell ahead halves one and doubles the other. The numbers only guide the search; what is
proved does not depend on them.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from plywise.core.game import Record
from plywise.games.snails.board import DOWN, LEFT, QUIET, RIGHT, UP
from plywise.games.snails.solver.board import (
    MOST_MOVES,
    VIEWS,
    lead_of,
    nearer,
    reach,
    spread_out,
)
from plywise.games.snails.solver.race import race
from plywise.games.snails.solver.table import NO_CLOCK, recall, remember, write_key
from plywise.jit import kernel, rule
from plywise.jit.bits import ONE, ZERO, popcount
from plywise.jit.machine import thread_nanoseconds

CHECK_EVERY = 1024  #: nodes between two checks of the flags
OPEN = -1  #: not yet known which player succeeds
NO_MOVE = -1

# The estimate, in parts of a cell. Found by counting nodes on boards from 5 x 6 to 7 x 8.
CELL = 120.0  #: for a cell ahead
NEARER = 30.0  #: for each cell reached before the opponent
REACH = 12.0  #: for each cell in reach
UNIT = 256  #: proof and disproof number of an even position
LEAST = 12  #: of a new node
ENDLESS = (1 << 32) - 1  #: more than any number; sums are capped one below

#: One question about one position. An unfinished task can be given to the search again.
Task = np.dtype(
    (
        np.record,
        [
            ("goal", "i8"),
            ("depth", "i8"),  # the current depth of the search
            ("entering", "i8"),
            ("winner", "i8"),
            ("move", "i8"),  # a move with which the mover succeeds, or NO_MOVE
            ("nodes", "i8"),
            ("filled", "i8"),  # places taken in the table
            ("nanoseconds", "i8"),  # of the thread
        ],
    )
)


@rule
def chaser_of(lead: int, goal: int) -> int:
    """The player who fails if the cells stay as they are."""
    return 1 if lead >= goal else 0


@rule
def write_root(b: Record, table: Any, node: Record, goal: int) -> None:
    """Fill in a root node, which is searched in any case."""
    spread_out(b, node, 0)
    spread_out(b, node, 1)
    node.chaser = chaser_of(lead_of(node), goal)
    node.most_proof = ENDLESS
    node.most_disproof = ENDLESS
    write_key(b, node, goal)
    recall(table, node)


@rule
def number(cells: float) -> int:
    """The number of a new node for a player who is so many cells behind."""
    return max(LEAST, int(UNIT * 2.0 ** min(20.0, cells)))


@rule
def look(b: Record, table: Any, node: Record, goal: int) -> None:
    """Find which player succeeds, if that is obvious or in the table."""
    lead = lead_of(node)
    node.chaser = chaser_of(lead, goal)
    node.winner = OPEN
    # Step 1: the chaser needs more cells than they can reach, or has no time.
    missing = lead - goal + 1 if node.chaser == 1 else goal - lead
    if popcount(node.reach[node.chaser]) < missing:
        node.winner = 1 - node.chaser
        node.bound = QUIET
        return
    if node.clock == 0:
        node.winner = 1 - node.chaser
        node.bound = 0
        return
    # Step 2: the table.
    write_key(b, node, goal)
    numbered = recall(table, node)
    if node.clock >= node.wins:
        node.winner = node.chaser
        node.bound = node.wins
        return
    if node.clock <= node.fails:
        node.winner = 1 - node.chaser
        node.bound = node.fails
        return
    if numbered:
        return
    # Step 3: a race of either player. The opponent gets at most what is in reach without the
    # cells of the race.
    for turn in range(2):
        player = node.turn if turn == 0 else 1 - node.turn
        if node.reach[player] != ZERO:
            won, needs = race(b, node, player)
            other = 1 - player
            short = goal - lead if player == 0 else lead - goal + 1
            if won != ZERO and popcount(won) >= short:
                rest = reach(b, node.own[other], node.free & ~won, node.at[other])
                if popcount(won) - popcount(rest) >= short:
                    node.winner = player
                    node.bound = needs if player == node.chaser else QUIET
                    return
    # Step 4: not known. Estimate the work left.
    ahead = CELL * (lead - goal + 0.5) + NEARER * nearer(node)
    ahead += REACH * (popcount(node.reach[0]) - popcount(node.reach[1]))
    node.proof = number(-ahead / CELL)
    node.disproof = number(ahead / CELL)


@rule
def make_child(b: Record, nodes: Any, node: Record, to: int, direction: int) -> bool:
    """Make nodes[to] the position after a move, with its layers; False if it is not legal."""
    me = node.turn
    cell = b.step[direction, node.at[me]]
    if cell < 0:
        return False
    bit = ONE << np.uint64(cell)
    claims = node.free & bit != ZERO
    if not claims and node.own[me] & bit == ZERO:
        return False
    nodes[to] = node
    child = nodes[to]
    child.move = direction
    if claims:
        child.own[me] |= bit
        child.free &= ~bit
        for view in range(VIEWS):
            child.trail[view, me] |= ONE << np.uint64(b.image[view, cell])
        child.clock = QUIET
        child.claim = 1
    else:
        following = b.step[direction, cell]
        while following >= 0 and node.own[me] >> np.uint64(following) & ONE != ZERO:
            cell = following
            following = b.step[direction, cell]
        child.clock = node.clock - 1
        child.claim = 0
    child.at[me] = cell
    spread_out(b, child, me)
    if claims:  # else nothing has changed for the opponent
        spread_out(b, child, 1 - me)
    skipped = child.reach[1 - me] == ZERO and child.reach[me] != ZERO
    child.turn = me if skipped else 1 - me
    return True


@rule
def take(node: Record, child: Record) -> bool:
    """Take a child's answer into account; True if it settles the node.

    As long as the node is not settled, `bound` is that of "no move of the mover is good".
    """
    me = node.turn
    longer = QUIET if child.claim == 1 else min(QUIET, child.bound + 1)
    needs = 1 if child.claim == 1 else child.bound + 1
    if child.winner == me:
        node.winner = me
        node.bound = needs if me == node.chaser else longer
        return True
    if me == node.chaser:
        node.bound = min(node.bound, longer)
    else:
        node.bound = max(node.bound, needs)
    return False


@kernel
def solving() -> Any:
    """The search: one question, in a loop with a stack of its own."""

    def solve(
        b: Record,
        table: Any,
        nodes: Any,
        path: Any,
        task: Record,
        halt: Any,
        stop: Any,
        budget: int,
        room: int,
    ) -> None:
        """Work until the answer is known, `budget` nodes are seen or `room` places are taken.

        The node at depth d is nodes[4 d + path[d]], its children are from nodes[4 d + 4] on.
        """
        clock = thread_nanoseconds()
        depth = task.depth
        entering = task.entering == 1
        count = task.nodes
        last = count + budget
        look_up = min(last, count + CHECK_EVERY)
        filled = task.filled
        goal = task.goal
        if depth == 0 and entering:
            write_root(b, table, nodes[path[0]], goal)
        while depth >= 0:
            node = nodes[MOST_MOVES * depth + path[depth]]
            first = MOST_MOVES * (depth + 1)
            settled = False
            if entering:
                if count >= look_up:
                    look_up = min(last, count + CHECK_EVERY)
                    if halt[0] != 0 or stop[0] != 0 or count >= last or filled >= room:
                        break
                # Step 1: all children, and what is known about them at once.
                node.nodes = count
                node.winner = OPEN
                node.bound = QUIET if node.turn == node.chaser else 1
                node.children = 0
                for direction in (UP, RIGHT, DOWN, LEFT):
                    if make_child(b, nodes, node, first + node.children, direction):
                        child = nodes[first + node.children]
                        look(b, table, child, goal)
                        count += 1
                        node.children += 1
                        if child.winner != OPEN and take(node, child):
                            settled = True
                            path[depth + 1] = node.children - 1
                            break
                entering = False
            elif nodes[first + path[depth + 1]].winner != OPEN:
                # Step 2: a child has been answered.
                settled = take(node, nodes[first + path[depth + 1]])

            # Step 3: the numbers of the node from those of its children. The mover needs one
            # child: `least` is the number of that kind, `total` the sum of the other.
            if not settled:
                least, second, total, others = ENDLESS, ENDLESS, 0, 0
                for index in range(node.children):
                    child = nodes[first + index]
                    if child.winner == OPEN:
                        mine, theirs = child.proof, child.disproof
                        if node.turn == 1:
                            mine, theirs = theirs, mine
                        total += theirs
                        if mine < least:
                            second = least
                            least, others = mine, theirs
                            path[depth + 1] = index
                        elif mine < second:
                            second = mine
                if least < ENDLESS:
                    total = min(total, ENDLESS - 1)
                    most, most_total = node.most_proof, node.most_disproof
                    if node.turn == 1:
                        most, most_total = most_total, most
                    if least >= most or total >= most_total:
                        # Step 4: something else is better now.
                        node.proof, node.disproof = least, total
                        if node.turn == 1:
                            node.proof, node.disproof = total, least
                        filled += remember(table, node, node.clock, count - node.nodes)
                        depth -= 1
                        continue
                    # Step 5: down to the best child, until it looks clearly worse than the
                    # second (by a quarter, lest it switch too often), or a limit is reached.
                    most = min(most, second + second // 4 + 1)
                    most_total = most_total - total + others
                    child = nodes[first + path[depth + 1]]
                    child.most_proof, child.most_disproof = most, most_total
                    if node.turn == 1:
                        child.most_proof, child.most_disproof = most_total, most
                    depth += 1
                    entering = True
                    continue
                node.winner = 1 - node.turn

            # Step 6: this position is answered; store it.
            if node.winner == node.chaser:
                node.wins = min(node.wins, node.bound)
            else:
                node.fails = max(node.fails, node.bound)
            if depth == 0 and settled:
                task.move = nodes[first + path[depth + 1]].move
            node.proof = node.disproof = 0
            filled += remember(table, node, NO_CLOCK, count - node.nodes)
            depth -= 1

        if depth < 0:
            task.winner = nodes[path[0]].winner
        task.depth = depth
        task.entering = 1 if entering else 0
        task.nodes = count
        task.filled = filled
        task.nanoseconds += thread_nanoseconds() - clock

    return solve
