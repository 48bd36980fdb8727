"""The loop of `minimax` and `textbook`: one function, with `cut` as the only difference."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from plywise.core.game import Record, Verb
from plywise.jit import kernel, rule

LIMIT = 1e18  #: the alpha and beta of the root: no score is larger

Frame = np.dtype(
    (
        np.record,
        [
            ("alpha", "f8"),  # the best the maximizer is sure of on this path
            ("beta", "f8"),  # the best the minimizer is sure of
            ("value", "f8"),
            ("count", "i4"),
            ("next", "i4"),  # the next child to search
            ("maximizes", "i4"),
            ("node", "i4"),  # its index in the recorded tree, or -1
        ],
    )
)
#: A recorded node. `state` is one of the four below.
Node = np.dtype(
    (
        np.record,
        [
            ("parent", "i4"),
            ("move", "i4"),
            ("state", "i4"),
            ("maximizes", "i4"),
            ("alpha", "f8"),  # the window it was entered with
            ("beta", "f8"),
            ("value", "f8"),
        ],
    )
)
INNER, HORIZON, FINISHED, PRUNED = 0, 1, 2, 3

#: The indices of `counts`: nodes, recorded nodes, leaves at the horizon, aborted?
NODES, RECORDED, HORIZONS, ABORTED = 0, 1, 2, 3


@dataclass(frozen=True)
class Tree:
    """A recorded search tree: `nodes` in search order, the root first."""

    nodes: np.ndarray[Any, Any]
    complete: bool  #: False if the search had more nodes than there was room for

    def children(self, node: int) -> list[int]:
        """Return the children of a node in search order, the pruned ones last."""
        return [int(child) for child in np.flatnonzero(self.nodes["parent"] == node)]


@rule
def never(alpha: float, beta: float) -> bool:
    """Never cut off (minimax)."""
    return False


@rule
def meet(alpha: float, beta: float) -> bool:
    """Cut off when the remaining moves cannot change the decision above (alpha-beta)."""
    return alpha >= beta


@kernel
def textbook_kernel(
    moves: Verb,
    play: Verb,
    turn: Verb,
    over: Verb,
    margin: Verb,
    promise: Verb,
    heuristic: Verb,
    cut: Verb,
) -> Verb:
    """Search over an explicit stack; returns the value of the root for `root_player`.

    `counts[NODES]` is the node budget on entry; on return `counts` has the values listed above.
    """

    def textbook(
        board: Record,
        states: Record,
        frames: Record,
        lists: Record,
        depth: int,
        win: float,
        points: bool,
        ordered: bool,
        base: int,
        root_player: int,
        pv: Record,
        tree: Record,
        counts: Record,
        stop: Record,
        halt: Record,
    ) -> float:
        b = board[0]
        budget = counts[NODES]
        nodes = 0
        recorded = 0
        horizon = 0
        value = 0.0
        d = 0
        frames[0].alpha = -LIMIT
        frames[0].beta = LIMIT
        frames[0].node = -1
        parent, move = -1, -1
        entering = True
        while True:
            f = frames[d]
            if entering:
                # Step 1: a new node; abort if told to.
                if nodes == budget or (nodes & 255 == 0 and stop[0] | halt[0] != 0):
                    counts[ABORTED] = 1
                    break
                nodes += 1
                pv[d, 0] = 0  # the length of the PV from here; the moves follow
                s = states[d]
                f.maximizes = 1 if turn(b, s) == root_player else 0
                f.node = -1
                if recorded < tree.size:
                    f.node = recorded
                    tree[recorded].parent = parent
                    tree[recorded].move = move
                    tree[recorded].state = INNER
                    tree[recorded].maximizes = f.maximizes
                    tree[recorded].alpha = f.alpha
                    tree[recorded].beta = f.beta
                    recorded += 1
                # Step 2: the value of a leaf is its result, or that of the heuristic.
                leaf = True
                if over(b, s):
                    result = margin(b, s) if root_player == 0 else -margin(b, s)
                    if points:
                        value = win * result
                    elif result > 0:
                        value = win - (base + d)
                    elif result < 0:
                        value = (base + d) - win
                    else:
                        value = 0.0
                    if f.node >= 0:
                        tree[f.node].state = FINISHED
                elif d == depth:
                    value = heuristic(b, s, root_player)
                    horizon += 1
                    if f.node >= 0:
                        tree[f.node].state = HORIZON
                else:
                    leaf = False
                    f.count = moves(b, s, lists[d])
                    if ordered:
                        for i in range(1, f.count):
                            candidate = lists[d, i]
                            rank = promise(b, s, candidate)
                            j = i
                            while j > 0 and promise(b, s, lists[d, j - 1]) < rank:
                                lists[d, j] = lists[d, j - 1]
                                j -= 1
                            lists[d, j] = candidate
                    f.next = 0
                    f.value = -LIMIT if f.maximizes == 1 else LIMIT
                if leaf:
                    if f.node >= 0:
                        tree[f.node].value = value
                    if d == 0:
                        break
                    d -= 1
                    entering = False
                    continue
            else:
                # Step 3: a child came back: back up its value.
                if value > f.value if f.maximizes == 1 else value < f.value:
                    f.value = value
                    pv[d, 0] = pv[d + 1, 0] + 1
                    pv[d, 1] = lists[d, f.next - 1]
                    for i in range(1, pv[d, 0]):
                        pv[d, i + 1] = pv[d + 1, i]
                if f.maximizes == 1:
                    f.alpha = max(f.alpha, f.value)
                else:
                    f.beta = min(f.beta, f.value)
            # Step 4: the next child, unless this was the last or there is a cutoff.
            if f.next == f.count or (f.next > 0 and cut(f.alpha, f.beta)):
                if f.node >= 0:
                    tree[f.node].value = f.value
                    for i in range(f.next, f.count):
                        if recorded < tree.size:
                            tree[recorded].parent = f.node
                            tree[recorded].move = lists[d, i]
                            tree[recorded].state = PRUNED
                            tree[recorded].alpha = f.alpha
                            tree[recorded].beta = f.beta
                            recorded += 1
                value = f.value
                if d == 0:
                    break
                d -= 1
                entering = False
                continue
            move = lists[d, f.next]
            parent = f.node
            f.next += 1
            states[d + 1] = states[d]
            play(b, states[d + 1], move)
            frames[d + 1].alpha = f.alpha
            frames[d + 1].beta = f.beta
            d += 1
            entering = True
        counts[NODES] = nodes
        counts[RECORDED] = recorded
        counts[HORIZONS] = horizon
        return value

    return textbook
