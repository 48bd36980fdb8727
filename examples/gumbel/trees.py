"""The search of Gumbel AlphaZero (Danihelka et al., 2022), for many games side by side.

Every game has a tree of its own, and every tree waits for the network's answer on one leaf. A call
of `search_kernel` takes the answers of all games, walks on in every tree, and leaves a new leaf in
each. So the network always sees full batches, and no game waits for another.

At the root a few moves are drawn at random without replacement (Gumbel top-k) and compared by
sequential halving. Below the root the walk is deterministic: it keeps the visits close to the
improved policy, which is softmax(logits + sigma(q)). Finished games are backed up as bounds on the
result, so a position can be proved, and nobody asks the network about it again.

All values in a tree are player 0's, because players do not always alternate.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from plywise.core.game import Game, Record, Verb
from plywise.jit import kernel, rule
from plywise.jit.kernels import roomy

Array = np.ndarray[Any, Any]

ROOT = 0
NONE = -1  #: the child of a move that was not tried yet
VISITS = 50.0  #: sigma(q) = (VISITS + the most visits of a move) * scale * q, as in the paper
SCALE = 0.25  #: ... where q goes from 0 to 1, so that its scale is half of ours

Node = np.dtype(
    (
        np.record,
        [
            ("total", "f4"),  # the sum of the values backed up through this node
            ("visits", "i4"),
            ("value", "f4"),  # what the network says
            ("low", "i4"),  # the lowest result still possible: -1, 0 or 1
            ("high", "i4"),  # ... and the highest; proved where both are the same
            ("mover", "i4"),  # the player to move
            ("count", "i4"),  # how many legal moves
            ("parent", "i4"),
        ],
    )
)
Edge = np.dtype(
    (
        np.record,
        [
            ("move", "i4"),
            ("child", "i4"),  # the node it leads to, or NONE
            ("logit", "f4"),  # the network's, and ...
            ("prior", "f4"),  # ... its share of the softmax over the legal moves
            ("score", "f4"),  # scratch: logit + sigma(q)
        ],
    )
)
Tree = np.dtype(
    (
        np.record,
        [
            ("used", "i4"),  # how many nodes
            ("leaf", "i4"),  # the node that the network is asked about
            ("spent", "i4"),  # how many simulations
            ("done", "i4"),  # 1 if the search of this move is over
            ("plies", "i4"),  # how many positions of this game are in its history
        ],
    )
)


class Trees:
    """The trees of `count` games, with room for `simulations` each."""

    def __init__(
        self, game: Game, count: int, simulations: int, considered: int = 16, scale: float = SCALE
    ) -> None:
        self.game, self.scale = game, scale
        most = game.max_moves
        self.states = roomy((count, simulations + 1), game.type.state)
        self.nodes = np.zeros((count, simulations + 1), Node)
        self.edges = np.zeros((count, simulations + 1, most), Edge)
        self.trees = np.zeros(count, Tree)
        self.noise = np.zeros((count, most), np.float32)  #: of the root's moves; 0 for the best
        self.schedule = halving(min(considered, most), simulations)
        #: The leaves: their states and who moves there, for the network, and its answers.
        self.leaves = roomy(count, game.type.state)
        self.turns = np.zeros(count, np.uint8)
        self.logits = np.zeros((count, most), np.float32)
        self.values = np.zeros(count, np.float32)
        #: What a finished search has found: the move, its value, and the improved policy by the
        #: number of a move, -1 where it is not legal.
        self.chosen = np.zeros(count, np.int32)
        self.found = np.zeros(count, np.float32)
        self.policy = np.zeros((count, most), np.float32)
        self._search = search_kernel.build(game.rules)

    def plant(self, states: Array) -> None:
        """Begin searches from these states, one for each game; none of them is over."""
        turn, board = self.game.rules.turn, self.game.board
        self.states[:, ROOT] = states
        self.leaves[:] = states
        self.turns[:] = [int(turn(board, state)) for state in states]
        self.trees[:] = np.zeros(1, Tree)
        self.trees["used"] = 1
        root = self.nodes[:, ROOT]
        root[:] = np.zeros(1, Node)
        root["low"], root["high"], root["parent"], root["mover"] = -1, 1, NONE, self.turns

    def search(self, first: int, last: int, out: Array) -> None:
        """Take the answers for these games, and walk on until each needs the next one."""
        self._search(
            self.game.boards, self.states, self.nodes, self.edges, self.trees, self.noise,
            self.schedule, self.leaves, self.turns, self.logits, self.values, self.chosen,
            self.found, self.policy, out, first, last, self.scale,
        )  # fmt: skip


def halving(considered: int, simulations: int) -> Array:
    """Return how many visits the next root move must have, [number of moves, simulation].

    >>> halving(4, 8)[4].tolist()
    [0, 0, 0, 0, 1, 1, 2, 2]
    """
    table = np.zeros((considered + 1, simulations), np.int32)
    for most in range(considered + 1):
        if most < 2:
            table[most] = np.arange(simulations)
            continue
        phases, left, visits = math.ceil(math.log2(most)), most, [0] * most
        order: list[int] = []
        while len(order) < simulations:
            for _ in range(max(1, simulations // (phases * left))):
                order += visits[:left]
                visits[:left] = [number + 1 for number in visits[:left]]
            left = max(2, left // 2)
        table[most] = order[:simulations]
    return table


@rule
def new_node(nodes: Record, at: int, parent: int, mover: int) -> None:
    """Write a node that nothing is known about."""
    node = nodes[at]
    node.total = 0.0
    node.visits = 0
    node.value = 0.0
    node.low = -1
    node.high = 1
    node.mover = mover
    node.count = 0
    node.parent = parent


@rule
def worth(node: Record) -> Any:
    """What a visited node is worth: the mean of its visits, within its bounds."""
    return min(max(node.total / node.visits, np.float32(node.low)), np.float32(node.high))


@rule
def score_moves(nodes: Record, edges: Record, at: int, scale: float) -> float:
    """Write logit + sigma(q) of every move; return the q of a move that was not tried.

    Such a move gets a mean of the network's value and of the q of the others, weighted by their
    priors (`v_mix` in the paper). Values here are the mover's.
    """
    node = nodes[at]
    sign = np.float32(1.0) if node.mover == 0 else np.float32(-1.0)
    most = 0
    visits = 0
    weight = np.float32(1e-9)
    total = np.float32(0.0)
    for k in range(node.count):
        edge = edges[at, k]
        if edge.child != NONE:
            child = nodes[edge.child]
            most = max(most, child.visits)
            visits += child.visits
            weight += edge.prior
            total += edge.prior * sign * worth(child)
    mixed = (sign * node.value + visits * total / weight) / (1 + visits)
    sigma = np.float32((VISITS + most) * scale)
    for k in range(node.count):
        edge = edges[at, k]
        q = mixed
        if edge.child != NONE:
            q = sign * worth(nodes[edge.child])
        edge.score = edge.logit + sigma * q
    return mixed


@rule
def choose_root(
    nodes: Record, edges: Record, noise: Record, schedule: Record, spent: int, scale: float
) -> int:
    """Return the move of the root for the next simulation, by sequential halving."""
    score_moves(nodes, edges, ROOT, scale)
    count = nodes[ROOT].count
    wanted = schedule[min(count, schedule.shape[0] - 1), spent]
    chosen = 0
    best = -math.inf
    for k in range(count):
        edge = edges[ROOT, k]
        visits = 0 if edge.child == NONE else nodes[edge.child].visits
        if visits == wanted and edge.score + noise[k] > best:
            best = edge.score + noise[k]
            chosen = k
    return chosen


@rule
def choose_inside(nodes: Record, edges: Record, at: int, scale: float) -> int:
    """Return the move whose share of the visits is furthest below the improved policy.

    A move with a proved result is not tried again: there is nothing more to learn there.
    """
    score_moves(nodes, edges, at, scale)
    count = nodes[at].count
    top = -math.inf
    for k in range(count):
        top = max(top, edges[at, k].score)
    weight = 0.0
    visits = 0
    for k in range(count):
        edge = edges[at, k]
        edge.score = math.exp(edge.score - top)
        weight += edge.score
        if edge.child != NONE:
            visits += nodes[edge.child].visits
    chosen = 0
    best = -math.inf
    for k in range(count):
        edge = edges[at, k]
        tried = 0
        if edge.child != NONE:
            child = nodes[edge.child]
            if child.low == child.high:
                continue
            tried = child.visits
        lack = edge.score / weight - tried / (1.0 + visits)
        if lack > best:
            best = lack
            chosen = k
    return chosen


@rule
def prove(nodes: Record, edges: Record, leaf: int) -> None:
    """Narrow the bounds of all nodes above one whose bounds have changed."""
    at = nodes[leaf].parent
    while at != NONE:
        node = nodes[at]
        first = node.mover == 0
        low = -1 if first else 1
        high = low
        for k in range(node.count):
            child_low = -1
            child_high = 1
            if edges[at, k].child != NONE:
                child = nodes[edges[at, k].child]
                child_low = child.low
                child_high = child.high
            if first:
                low = max(low, child_low)
                high = max(high, child_high)
            else:
                low = min(low, child_low)
                high = min(high, child_high)
        if low <= node.low and high >= node.high:
            return
        node.low = max(low, node.low)
        node.high = min(high, node.high)
        at = node.parent


@rule
def back_up(nodes: Record, leaf: int, value: float) -> None:
    """Add a value to a node and to all above it, within their bounds."""
    at = leaf
    while at != NONE:
        node = nodes[at]
        value = min(max(value, node.low), node.high)
        node.total += value
        node.visits += 1
        at = node.parent


@rule
def expand(node: Record, edges: Record, count: int, out: Record, logits: Record) -> None:
    """Write the legal moves of a node, with the network's answer."""
    node.count = count
    top = np.float32(-1e30)
    for k in range(count):
        edge = edges[k]
        edge.move = out[k]
        edge.child = NONE
        edge.logit = logits[out[k]]
        top = max(top, edge.logit)
    weight = np.float32(0.0)
    for k in range(count):
        edges[k].prior = math.exp(edges[k].logit - top)
        weight += edges[k].prior
    for k in range(count):
        edges[k].prior /= weight


@rule
def conclude(nodes: Record, edges: Record, noise: Record, policy: Record, scale: float) -> Any:
    """Write the improved policy of a finished search; return the move and the root's value.

    The move is the best of those with the most visits, or one that keeps a proved result. The
    value is player 0's.
    """
    root = nodes[ROOT]
    first = root.mover == 0
    mixed = score_moves(nodes, edges, ROOT, scale)
    proved = root.low == root.high
    most = 0
    top = -math.inf
    for k in range(root.count):
        edge = edges[ROOT, k]
        top = max(top, edge.score)
        if edge.child != NONE:
            most = max(most, nodes[edge.child].visits)
    chosen = 0
    best = -math.inf
    weight = 0.0
    value = 0.0
    policy[:] = -1.0
    for k in range(root.count):
        edge = edges[ROOT, k]
        q = mixed if first else -mixed
        fits = False
        if edge.child != NONE:
            child = nodes[edge.child]
            q = worth(child)
            fits = child.visits == most
            if proved:
                fits = (child.low if first else child.high) == root.low
        share = math.exp(edge.score - top)
        policy[edge.move] = share
        weight += share
        value += share * q
        if fits and edge.score + noise[k] > best:
            best = edge.score + noise[k]
            chosen = k
    for k in range(root.count):
        policy[edges[ROOT, k].move] /= weight
    value = min(max(value / weight, root.low), root.high)
    return edges[ROOT, chosen].move, value


@kernel
def search_kernel(moves: Verb, play: Verb, turn: Verb, over: Verb, margin: Verb) -> Verb:
    """Take the network's answers for games `first` to `last`, and walk on to the next leaves."""

    def search(
        board: Record,
        all_states: Record,
        all_nodes: Record,
        all_edges: Record,
        trees: Record,
        all_noise: Record,
        schedule: Record,
        leaves: Record,
        turns: Record,
        logits: Record,
        values: Record,
        chosen: Record,
        found: Record,
        policy: Record,
        out: Record,
        first: int,
        last: int,
        scale: float,
    ) -> None:
        b = board[0]
        for g in range(first, last):
            tree = trees[g]
            if tree.done != 0:
                continue
            states, nodes, edges, noise = all_states[g], all_nodes[g], all_edges[g], all_noise[g]
            # Step 1: the answer for the leaf.
            leaf = nodes[tree.leaf]
            count = moves(b, states[tree.leaf], out)
            expand(leaf, edges[tree.leaf], count, out, logits[g])
            leaf.value = values[g] if leaf.mover == 0 else -values[g]
            back_up(nodes, tree.leaf, leaf.value)
            if tree.leaf != ROOT:
                tree.spent += 1
            # Step 2: simulations, until one of them ends at a new leaf.
            waiting = False
            while not waiting:
                if tree.spent == schedule.shape[1] or nodes[ROOT].low == nodes[ROOT].high:
                    tree.done = 1
                    break
                at = ROOT
                while True:
                    if at == ROOT:
                        k = choose_root(nodes, edges, noise, schedule, tree.spent, scale)
                    else:
                        k = choose_inside(nodes, edges, at, scale)
                    edge = edges[at, k]
                    if edge.child == NONE:
                        below_it = tree.used
                        edge.child = below_it
                        tree.used += 1
                        states[below_it] = states[at]
                        s = states[below_it]
                        play(b, s, edge.move)
                        new_node(nodes, below_it, at, turn(b, s))
                        if over(b, s):
                            result = margin(b, s)
                            sign = 1 if result > 0 else -1 if result < 0 else 0
                            nodes[below_it].low = sign
                            nodes[below_it].high = sign
                            prove(nodes, edges, below_it)
                        else:
                            tree.leaf = below_it
                            waiting = True
                            break
                    at = edge.child
                    if nodes[at].low == nodes[at].high:
                        back_up(nodes, at, nodes[at].low)
                        tree.spent += 1
                        break
            # Step 3: what the network is asked next, or the result.
            if waiting:
                leaves[g] = states[tree.leaf]
                turns[g] = nodes[tree.leaf].mover
            else:
                move, value = conclude(nodes, edges, noise, policy[g], scale)
                chosen[g] = move
                found[g] = value if nodes[ROOT].mover == 0 else -value

    return search
