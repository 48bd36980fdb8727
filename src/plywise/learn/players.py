"""Games of a net against itself, in one thread."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from plywise.core.game import Game
from plywise.engines.alphabeta import new_stack
from plywise.engines.kernels.alphabeta import Common, Task, alphabeta_kernel
from plywise.engines.kernels.transpositions import TranspositionTable
from plywise.engines.net import Net
from plywise.engines.playout import playouts
from plywise.jit.guards import roomy
from plywise.jit.rng import generator
from plywise.learn.kernels import Habits, selfplay_kernel
from plywise.learn.strength import Manner

Array = np.ndarray[Any, np.dtype[Any]]

MEGABYTES = 2.0  #: of a player's transposition table
SAMPLES = 200  #: random games that say how long a game lasts
OPENING = 8  #: random plies before every other game
NODES = 20_000  #: the most nodes of a search


def usual_habits(game: Game, depth: int, explore: float, trust: float) -> Array:
    """Return how games are played: random moves first, up to the length of a random game."""
    length = max(1, playouts(game.start(), SAMPLES, seed=1).plies // SAMPLES)
    gain = game.max_margin if game.points else game.type.strength.scale / math.atanh(0.5)
    habits = np.zeros(1, Habits)
    habits[0] = (
        *(length, min(OPENING, length), depth, NODES),
        *(round(1000 * explore), trust, gain, game.points),
    )
    return habits


class Player:
    """Plays games against itself; its random numbers decide everything."""

    def __init__(
        self,
        net: Net,
        manner: Manner,
        seed: int,
        count: int,
        unseen: Array,
    ) -> None:
        game, stage = net.game, net.stage(manner.rules)
        self.game = game
        search = alphabeta_kernel.inner(stage.rules)
        self.kernel = selfplay_kernel.build(stage.rules, search=search)
        self.stack = new_stack(game, stage.state)
        self.table = TranspositionTable(MEGABYTES)
        self.stop = np.zeros(1, np.uint8)
        self.tasks = np.zeros(1, Task)
        self.tasks["look_up"], self.tasks["decided"] = manner.look_up, manner.decided
        self.tasks["points"] = game.points
        self.games = roomy(1, stage.state)
        self.out = roomy(game.max_moves, np.int32)
        self.marks = np.zeros(game.max_plies + 1, np.uint8)
        self.random = generator(seed)
        self.count = count
        self.unseen = unseen  # keys of positions that are never learned from, sorted

    def play(self, net: Net, habits: Array) -> tuple[tuple[Array, ...], int]:
        """Return positions with what they are worth, and the number of games."""
        count, seen = self.count, net.shape.cells + 1
        data = (
            np.zeros((count, seen), np.uint8),
            np.zeros(count, np.uint8),
            np.zeros(count, np.bool_),
            np.zeros(count, np.float32),
            np.zeros((count, net.shape.measures), np.float32),
            np.zeros(count, np.float32),
        )
        self.table.forget()
        self.tasks["era"] = self.table.era
        none, never = np.zeros(0, np.uint64), np.zeros(1, np.uint8)
        common = Common(self.table.words, none, np.zeros(0, np.uint8), self.stop, never, never)
        self.stack.history[:], self.stack.killers[:] = 0, -1
        start = net.lift(self.game.start().states)
        played, found = self.kernel(
            net.boards, start, self.games, self.stack, common, self.tasks, self.out, self.random,
            habits, self.unseen, self.marks, *data,
        )  # fmt: skip
        return tuple(each[:found] for each in data), int(played)
