"""The loop of `mcts`: UCT over a pool of nodes, with bounds on the result of every node."""

from __future__ import annotations

import math

import numpy as np

from plywise.core.game import Record, Verb
from plywise.core.position import Position
from plywise.jit import defaults, kernel, rule
from plywise.jit.bits import below

ROOT = 0
UNSEEN = 1e9  #: the `doubt` of an unvisited node: it is tried before all others
NO_CHILDREN = 0  #: the `children` of a node that is not expanded

FEW = 1024  #: visits below which roots and logarithms, which take long, come from a table

#: The indices of `counts`, which is kept from one call of the kernel to the next.
USED, PLAYOUTS, DEEPEST, FULL, COUNTS = range(5)


#: A node of a tree; node 0 is the root. All of a node is together in memory, as one line of the
#: processor's cache often holds it. The children of a node are consecutive, starting at `first`.
#: Results and bounds are always for player 0, because players do not always alternate.
Node = np.dtype(
    (
        np.record,
        [
            ("average", "f8"),  # the mean reward of the playouts through this node
            ("doubt", "f8"),  # 1 / sqrt(visits), or UNSEEN
            ("visits", "i8"),  # how many playouts there were
            ("low", "i4"),  # the lowest margin still possible ...
            ("high", "i4"),  # ... and the highest; proved where both are the same
            ("move", "i4"),  # the move that leads here
            ("first", "i4"),  # the first child
            ("children", "i4"),  # how many children, or NO_CHILDREN
            ("mover", "i4"),  # the player to move, 0 or 1; set on the first visit
        ],
    )
)

Pool = np.ndarray[tuple[int], np.dtype[np.record]]


def new_pool(nodes: int) -> Pool:
    """Make a pool for `nodes` nodes. Memory that no search reaches is never touched."""
    return np.empty(nodes, Node)


def plant(pool: Pool, position: Position) -> None:
    """Write the root and its children: all legal moves, since any of them may need a line.

    The root starts without bounds: they would give its value, but not the best move.
    """
    codes, most = position.legal_codes, position.game.max_margin
    pool["mover"][ROOT] = position.turn
    pool["first"][ROOT] = ROOT + 1
    pool["children"][ROOT] = len(codes)
    children = slice(ROOT + 1, ROOT + 1 + len(codes))
    pool["move"][children] = codes
    pool["children"][children] = NO_CHILDREN
    tree = slice(ROOT, children.stop)
    pool["low"][tree], pool["high"][tree] = -most, most
    pool["visits"][tree], pool["average"][tree], pool["doubt"][tree] = 0, 0.0, UNSEEN


@rule
def growth(visits: int) -> float:
    """The factor by which confidence bounds grow with the visits of a node."""
    return math.sqrt(math.log(visits + 1.0))


GROWTH = np.array([growth(visits) for visits in range(FEW)])
DOUBTS = np.array([UNSEEN, *(1.0 / math.sqrt(visits) for visits in range(1, FEW))])


@rule
def reward(margin: int, per_point: float) -> float:
    """Map a margin to [-1, 1]: half for the win, half for its share of the largest margin.

    If the largest margin is 1, this is the margin. `per_point` is 1 / the largest margin.
    """
    sign = 1.0 if margin > 0 else -1.0 if margin < 0 else 0.0
    return 0.5 * (sign + margin * per_point)


@kernel
def mcts_kernel(
    moves: Verb,
    play: Verb,
    turn: Verb,
    over: Verb,
    margin: Verb,
    bounds: Verb,
    forced: Verb,
    outlook: Verb,
) -> Verb:
    """Run UCT from a planted root, or resume the last call, up to `until` playouts.

    `states` holds the root and one scratch state; `path` has room for the longest game. With
    `every` it continues until every move of the root is proved.
    """
    foresees = outlook is not defaults.outlook

    def mcts(
        board: Record,
        states: Record,
        pool: Pool,
        path: Record,
        out: Record,
        rng: Record,
        counts: Record,
        until: int,
        exploration: float,
        most: int,
        every: bool,
        stop: Record,
        halt: Record,
    ) -> None:
        b = board[0]
        s = states[1]
        per_point = 1.0 / most
        while counts[PLAYOUTS] < until and stop[0] | halt[0] == 0:
            if pool[ROOT].low == pool[ROOT].high and not every:
                break
            # Step 1: walk down by the upper confidence bound to a node without children. A
            # leaf is expanded when it is reached for the second time.
            states[1] = states[0]
            at = ROOT
            path[0] = ROOT
            depth = 0
            while True:
                node = pool[at]
                if node.children == NO_CHILDREN:
                    if node.visits == 0 or counts[FULL] != 0:
                        break
                    found = forced(b, s, out)
                    if found == 0:
                        found = moves(b, s, out)
                    start = counts[USED]
                    if start + found > pool.size:
                        counts[FULL] = 1
                        break
                    for i in range(found):
                        child = pool[start + i]
                        child.move = out[i]
                        child.children = NO_CHILDREN
                        child.visits = 0
                        child.average = 0.0
                        child.doubt = UNSEEN
                        child.low = -most
                        child.high = most
                    node.first = start
                    node.children = found
                    counts[USED] = start + found
                chosen = -1
                best = -math.inf
                first = node.mover == 0
                sign = 1.0 if first else -1.0
                number = node.visits
                spread = exploration * (GROWTH[number] if number < FEW else growth(number))
                for i in range(node.first, node.first + node.children):
                    child = pool[i]
                    # Skip moves that cannot beat a guaranteed result.
                    if every and at == ROOT:
                        if child.low == child.high:
                            continue
                    elif first:
                        if child.high <= node.low:
                            continue
                    elif child.low >= node.high:
                        continue
                    hope = sign * child.average + spread * child.doubt
                    if hope > best:
                        best = hope
                        chosen = i
                if chosen < 0:
                    break
                play(b, s, pool[chosen].move)
                depth += 1
                path[depth] = chosen
                at = chosen
            if at == ROOT:
                break  # every move is proved
            counts[DEEPEST] = max(counts[DEEPEST], depth)
            # Step 2: on the first visit, set the result of a finished game, or the bounds.
            changed = False
            leaf = pool[at]
            if leaf.visits == 0:
                changed = True
                if over(b, s):
                    leaf.low = margin(b, s)
                    leaf.high = leaf.low
                else:
                    leaf.mover = turn(b, s)
                    lowest, highest = bounds(b, s)
                    leaf.low = max(-most, lowest)
                    leaf.high = min(most, highest)
            # Step 3: play at random to the end, but obey forced moves: that costs a third of
            # the speed in Connect-4, but still finds more best moves in the same time. A game that
            # has an outlook needs no playout.
            if foresees and not over(b, s):
                result = outlook(b, s)
            else:
                while not over(b, s):
                    found = forced(b, s, out)
                    if found == 0:
                        found = moves(b, s, out)
                    play(b, s, out[below(rng, found)])
                result = reward(margin(b, s), per_point)
            # Step 4: back up the bounds as far as they change, and the result to the root,
            # clamped to the bounds of each node on the way.
            for step in range(depth, -1, -1):
                node = pool[path[step]]
                if changed and node.children != NO_CHILDREN:
                    lowest = pool[node.first].low
                    highest = pool[node.first].high
                    for i in range(node.first + 1, node.first + node.children):
                        child = pool[i]
                        if node.mover == 0:
                            lowest = max(lowest, child.low)
                            highest = max(highest, child.high)
                        else:
                            lowest = min(lowest, child.low)
                            highest = min(highest, child.high)
                    changed = lowest > node.low or highest < node.high
                    node.low = max(node.low, lowest)
                    node.high = min(node.high, highest)
                if node.low > -most:
                    result = max(result, reward(node.low, per_point))
                if node.high < most:
                    result = min(result, reward(node.high, per_point))
                number = node.visits + 1
                node.visits = number
                node.average += (result - node.average) / number
                node.doubt = DOUBTS[number] if number < FEW else 1.0 / math.sqrt(number)
            counts[PLAYOUTS] += 1

    return mcts
