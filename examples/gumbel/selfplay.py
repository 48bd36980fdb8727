"""Games that the network plays against itself, shared out to the threads of this machine."""

from __future__ import annotations

import math
import os
from concurrent.futures import ThreadPoolExecutor
from typing import Any, NamedTuple

import numpy as np

from plywise.core.game import Game, Record, Verb
from plywise.engines.batch import planes_of
from plywise.jit import kernel, rule
from plywise.jit.bits import below, random_words
from plywise.jit.kernels import roomy

from .trees import ROOT, Array, Trees, new_node

_FINE = 1 << 30  #: random numbers between 0 and 1 are multiples of 1 / _FINE


class Samples(NamedTuple):
    """Positions to learn from: a row for each."""

    planes: Array
    policies: Array  #: the improved policy; -1 for moves that are not legal
    values: Array  #: for the side to move


class Share:
    """The games of one thread, and what it needs for itself."""

    def __init__(self, game: Game, first: int, last: int) -> None:
        self.first, self.last = first, last
        self.out = roomy(game.max_moves, np.int32)
        self.writer = planes_of(game)
        room = game.max_plies + 2 * (last - first)
        self.states = roomy(room, game.type.state)
        self.turns = np.zeros(room, np.uint8)
        self.planes = np.zeros((room, *self.writer.shape), np.uint8)
        self.policies = np.zeros((room, game.max_moves), np.float32)
        self.values = np.zeros(room, np.float32)
        self.counts = np.zeros(2, np.int64)  #: samples ready to take, and games played

    def take(self) -> Samples:
        """Return the positions of the games that ended in the last step."""
        ready = int(self.counts[0])
        if ready:
            self.writer.write(self.states[:ready], self.turns[:ready], self.planes[:ready])
        return Samples(
            self.planes[:ready].copy(), self.policies[:ready].copy(), self.values[:ready].copy()
        )


class SelfPlay:
    """Games side by side. `planes` shows the leaf of each; `trees` takes the network's answers.

    Every game begins with random moves, up to `random_plies` of them, so that the network learns
    to play positions that it would not reach by itself. It ends when the search has proved who
    wins. A position's value for learning is a mean of the result and of what the search found;
    `result_weight` is the weight of the result.
    """

    def __init__(
        self,
        game: Game,
        trees: Trees,
        planes: Array,
        seed: int,
        random_plies: int,
        result_weight: float,
        threads: int,
    ) -> None:
        self.game, self.trees, self.planes = game, trees, planes
        self.random_plies, self.result_weight = random_plies, result_weight
        count = len(trees.leaves)
        self.start = game.start().states
        self.rng = random_words(count, seed) | np.uint64(1)
        shape = (count, game.max_plies)
        self.states = roomy(shape, game.type.state)
        self.policies = np.zeros((*shape, game.max_moves), np.float32)
        self.values = np.zeros(shape, np.float32)
        edges = [count * part // threads for part in range(threads + 1)]
        self.shares = [Share(game, edges[i], edges[i + 1]) for i in range(threads)]
        self._play = play_kernel.build(game.rules)
        trees.plant(np.repeat(self.start, count))
        trees.trees["done"] = 1
        trees.trees["plies"] = -1  # there is no game yet: the first call begins one
        for share in self.shares:
            self._advance(share, False)

    @property
    def played(self) -> int:
        """How many games have ended."""
        return sum(int(share.counts[1]) for share in self.shares)

    def advance(self, pool: ThreadPoolExecutor) -> list[Samples]:
        """Take the network's answers, go on to the next leaves, and return finished games."""
        return list(pool.map(self._advance, self.shares))

    def _advance(self, share: Share, search: bool = True) -> Samples:
        trees, first, last = self.trees, share.first, share.last
        if search:
            trees.search(first, last, share.out)
        self._play(
            self.game.boards, self.start, trees.states, trees.nodes, trees.trees, trees.noise,
            trees.leaves, trees.turns, trees.chosen, trees.found, trees.policy,
            self.states, self.policies, self.values, self.rng, share.states, share.turns,
            share.policies, share.values, share.counts, share.out, first, last,
            self.random_plies, self.result_weight,
        )  # fmt: skip
        share.writer.write(
            trees.leaves[first:last], trees.turns[first:last], self.planes[first:last]
        )
        return share.take()


@rule
def gumbel(rng: Record) -> Any:
    """Return a random number with the standard Gumbel distribution."""
    return -math.log(-math.log((below(rng, _FINE) + 0.5) / _FINE))


@kernel
def play_kernel(moves: Verb, play: Verb, turn: Verb, over: Verb, margin: Verb) -> Verb:
    """In games `first` to `last` whose search is done: keep what it found, play, begin again."""

    def go_on(
        board: Record,
        start: Record,
        states: Record,
        nodes: Record,
        trees: Record,
        noise: Record,
        leaves: Record,
        turns: Record,
        chosen: Record,
        found: Record,
        policy: Record,
        past_states: Record,
        past_policies: Record,
        past_values: Record,
        rng: Record,
        ready_states: Record,
        ready_turns: Record,
        ready_policies: Record,
        ready_values: Record,
        counts: Record,
        out: Record,
        first: int,
        last: int,
        random_plies: int,
        result_weight: float,
    ) -> None:
        b = board[0]
        ready = 0
        for g in range(first, last):
            tree = trees[g]
            if tree.done == 0:
                continue
            if ready + tree.plies + 1 > ready_values.size:
                continue  # the next call has room for it
            s = states[g, ROOT]
            root = nodes[g, ROOT]
            ended = tree.plies < 0
            result = 0
            # Step 1: keep the position, and play.
            if not ended:
                past_states[g, tree.plies] = s
                past_policies[g, tree.plies] = policy[g]
                past_values[g, tree.plies] = found[g]
                tree.plies += 1
                if root.low == root.high:
                    ended = True
                    result = root.low
                else:
                    play(b, s, chosen[g])
                    if over(b, s):
                        ended = True
                        points = margin(b, s)
                        result = 1 if points > 0 else -1 if points < 0 else 0
            # Step 2: a game that has ended is handed over, and another one begins.
            if ended:
                for ply in range(tree.plies):
                    ready_states[ready] = past_states[g, ply]
                    mover = turn(b, past_states[g, ply])
                    ready_turns[ready] = mover
                    ready_policies[ready] = past_policies[g, ply]
                    own = result if mover == 0 else -result
                    ready_values[ready] = (
                        result_weight * own + (1.0 - result_weight) * past_values[g, ply]
                    )
                    ready += 1
                if tree.plies > 0:
                    counts[1] += 1
                tree.plies = 0
                missing = -1
                while missing != 0:
                    states[g, ROOT] = start[0]
                    missing = below(rng[g : g + 1], random_plies + 1)
                    while missing > 0:
                        play(b, s, out[below(rng[g : g + 1], moves(b, s, out))])
                        if over(b, s):
                            break
                        missing -= 1
            # Step 3: a new search.
            tree.used = 1
            tree.leaf = ROOT
            tree.spent = 0
            tree.done = 0
            new_node(nodes[g], ROOT, -1, turn(b, s))
            for k in range(noise.shape[1]):
                noise[g, k] = gumbel(rng[g : g + 1])
            leaves[g] = s
            turns[g] = nodes[g, ROOT].mover
        counts[0] = ready

    return go_on


def cores() -> int:
    """Return how many threads may run at once."""
    known = hasattr(os, "sched_getaffinity")
    return len(os.sched_getaffinity(0)) if known else os.cpu_count() or 1
