"""The loop of `mcts`: UCT over a pool of nodes, with bounds on the result of every node."""

from __future__ import annotations

import math
from typing import Any, NamedTuple

import numpy as np

from plywise.core.game import Record, Verb
from plywise.core.position import Position
from plywise.jit import kernel, rule
from plywise.jit.rng import below

ROOT = 0
UNSEEN = 1e9  #: the `doubt` of an unvisited node: it is tried before all others
NO_CHILDREN = 0  #: the `children` of a node that is not expanded

FEW = 1024  #: visits below which roots and logarithms, which take long, come from a table

#: The indices of `counts`, which is kept from one call of the kernel to the next.
USED, PLAYOUTS, DEEPEST, FULL, COUNTS = range(5)


class Pool(NamedTuple):
    """The nodes of a tree, one array per property; node 0 is the root.

    The children of a node are consecutive, starting at `first`. Results and bounds are always for
    player 0, because players do not always alternate.
    """

    move: np.ndarray[Any, Any]  # [nodes] the move that leads here
    mover: np.ndarray[Any, Any]  # [nodes] the player to move, 0 or 1; set on the first visit
    first: np.ndarray[Any, Any]  # [nodes] the first child
    children: np.ndarray[Any, Any]  # [nodes] how many children, or NO_CHILDREN
    visits: np.ndarray[Any, Any]  # [nodes] playouts through this node
    mean: np.ndarray[Any, Any]  # [nodes] their mean reward
    doubt: np.ndarray[Any, Any]  # [nodes] 1 / sqrt(visits), or UNSEEN
    low: np.ndarray[Any, Any]  # [nodes] the lowest margin still possible ...
    high: np.ndarray[Any, Any]  # [nodes] ... and the highest; proved where both are the same


_KINDS = ("i4", "i1", "i4", "i4", "i8", "f8", "f8", "i4", "i4")  # in the order of the fields
NODE_BYTES = sum(np.dtype(kind).itemsize for kind in _KINDS)


def new_pool(nodes: int) -> Pool:
    """Make a pool for `nodes` nodes. Memory that no search reaches is never touched."""
    return Pool(*(np.empty(nodes, kind) for kind in _KINDS))


def plant(pool: Pool, position: Position) -> None:
    """Write the root and its children: all legal moves, since any of them may need a line.

    The root starts without bounds: they would give its value, but not the best move.
    """
    codes, most = position.legal_codes, position.game.type.max_margin
    pool.mover[ROOT] = position.turn
    pool.first[ROOT] = ROOT + 1
    pool.children[ROOT] = len(codes)
    children = slice(ROOT + 1, ROOT + 1 + len(codes))
    pool.move[children] = codes
    pool.children[children] = NO_CHILDREN
    tree = slice(ROOT, children.stop)
    pool.low[tree], pool.high[tree] = -most, most
    pool.visits[tree], pool.mean[tree], pool.doubt[tree] = 0, 0.0, UNSEEN


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
) -> Verb:
    """Run UCT from a planted root, or resume the last call, up to `until` playouts.

    `states` holds the root and one scratch state; `path` has room for the longest game. With
    `every` it continues until every move of the root is proved.
    """

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
        move, mover, first, count = pool.move, pool.mover, pool.first, pool.children
        visits, mean, doubt, low, high = pool.visits, pool.mean, pool.doubt, pool.low, pool.high
        per_point = 1.0 / most
        while counts[PLAYOUTS] < until and stop[0] | halt[0] == 0:
            if low[ROOT] == high[ROOT] and not every:
                break
            # Step 1: walk down by the upper confidence bound to a node without children. A
            # leaf is expanded when it is reached for the second time.
            states[1] = states[0]
            node = ROOT
            path[0] = ROOT
            depth = 0
            while True:
                if count[node] == NO_CHILDREN:
                    if visits[node] == 0 or counts[FULL] != 0:
                        break
                    found = forced(b, s, out)
                    if found == 0:
                        found = moves(b, s, out)
                    start = counts[USED]
                    if start + found > move.size:
                        counts[FULL] = 1
                        break
                    for i in range(found):
                        child = start + i
                        move[child] = out[i]
                        count[child] = NO_CHILDREN
                        visits[child] = 0
                        mean[child] = 0.0
                        doubt[child] = UNSEEN
                        low[child] = -most
                        high[child] = most
                    first[node] = start
                    count[node] = found
                    counts[USED] = start + found
                chosen = -1
                best = -math.inf
                sign = 1.0 if mover[node] == 0 else -1.0
                number = visits[node]
                spread = exploration * (GROWTH[number] if number < FEW else growth(number))
                for child in range(first[node], first[node] + count[node]):
                    # Skip moves that cannot beat a guaranteed result.
                    if every and node == ROOT:
                        if low[child] == high[child]:
                            continue
                    elif mover[node] == 0:
                        if high[child] <= low[node]:
                            continue
                    elif low[child] >= high[node]:
                        continue
                    hope = sign * mean[child] + spread * doubt[child]
                    if hope > best:
                        best = hope
                        chosen = child
                if chosen < 0:
                    break
                play(b, s, move[chosen])
                depth += 1
                path[depth] = chosen
                node = chosen
            if node == ROOT:
                break  # every move is proved
            counts[DEEPEST] = max(counts[DEEPEST], depth)
            # Step 2: on the first visit, set the result of a finished game, or the bounds.
            changed = False
            if visits[node] == 0:
                changed = True
                if over(b, s):
                    low[node] = margin(b, s)
                    high[node] = low[node]
                else:
                    mover[node] = turn(b, s)
                    lowest, highest = bounds(b, s)
                    low[node] = max(-most, lowest)
                    high[node] = min(most, highest)
            # Step 3: play at random to the end, but obey forced moves: that costs a third of
            # the speed in Connect-4, but still finds more best moves in the same time.
            while not over(b, s):
                found = forced(b, s, out)
                if found == 0:
                    found = moves(b, s, out)
                play(b, s, out[below(rng, found)])
            result = reward(margin(b, s), per_point)
            # Step 4: back up the bounds as far as they change, and the result to the root,
            # clamped to the bounds of each node on the way.
            for i in range(depth, -1, -1):
                node = path[i]
                if changed and count[node] != NO_CHILDREN:
                    lowest = low[first[node]]
                    highest = high[first[node]]
                    for child in range(first[node] + 1, first[node] + count[node]):
                        if mover[node] == 0:
                            lowest = max(lowest, low[child])
                            highest = max(highest, high[child])
                        else:
                            lowest = min(lowest, low[child])
                            highest = min(highest, high[child])
                    changed = lowest > low[node] or highest < high[node]
                    low[node] = max(low[node], lowest)
                    high[node] = min(high[node], highest)
                if low[node] > -most:
                    result = max(result, reward(low[node], per_point))
                if high[node] < most:
                    result = min(result, reward(high[node], per_point))
                number = visits[node] + 1
                visits[node] = number
                mean[node] += (result - mean[node]) / number
                doubt[node] = DOUBTS[number] if number < FEW else 1.0 / math.sqrt(number)
            counts[PLAYOUTS] += 1

    return mcts
