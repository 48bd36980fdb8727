"""Games of a net against itself: one player in one thread, here or in another process."""

from __future__ import annotations

import math
import threading
from typing import Any, NamedTuple

import numpy as np

from plywise.core.game import Game
from plywise.core.workers import Workers
from plywise.engines.alphabeta import Worker
from plywise.engines.kernels.alphabeta import Common, alphabeta_kernel
from plywise.engines.kernels.transpositions import TranspositionTable
from plywise.engines.net import Net
from plywise.engines.random import playouts
from plywise.jit.kernels import roomy
from plywise.learn.kernels import PER_THOUSAND, Samples, SelfPlay, selfplay_kernel
from plywise.learn.strength import SearchSettings, search_settings

Array = np.ndarray[Any, np.dtype[Any]]

MEGABYTES = 2.0  #: of a player's transposition table
PLAYOUTS = 200  #: random games that say how long a game lasts
OPENING = 8  #: random plies before every other game
NODES = 20_000  #: the most nodes of a search


def selfplay_settings(game: Game, depth: int, exploration: float, td_lambda: float) -> Array:
    """Return how games are played: random moves first, up to the length of a random game."""
    length = max(1, playouts(game.start(), PLAYOUTS, seed=1).plies // PLAYOUTS)
    settings = np.zeros(1, SelfPlay)
    settings["random"], settings["opening"] = length, min(OPENING, length)
    settings["depth"], settings["nodes"] = depth, NODES
    settings["exploration"] = round(PER_THOUSAND * exploration)
    settings["td_lambda"] = td_lambda
    gain = game.max_margin if game.points else game.type.strength.scale / math.atanh(0.5)
    settings["gain"] = gain
    settings["points"] = game.points
    return settings


class SelfPlayTask(NamedTuple):
    """What one player needs for a round, in any thread or process."""

    net: Net
    search: SearchSettings | None  #: None for those of the agent that will use the net
    settings: Array
    positions: int
    unseen: Array  #: keys of positions that are never learned from, sorted
    rng: Array  #: the state of its random numbers, which decide everything
    stop: Array  #: set to end the games early, in this process


class SelfPlayed(NamedTuple):
    """The games of one player in one round."""

    samples: Samples
    games: int
    rng: Array  #: the state of its random numbers after them


class SelfPlayer:
    """Plays games against itself."""

    def __init__(self, net: Net, search: SearchSettings) -> None:
        game, stage = net.game, net.stage(search.rules)
        self.game = game
        kernel = alphabeta_kernel.inner(stage.rules)
        self.kernel = selfplay_kernel.build(stage.rules, search=kernel)
        self.worker = Worker(game, stage.state)
        self.table = TranspositionTable(MEGABYTES)
        tasks = self.worker.tasks
        tasks["look_up"], tasks["decided"] = search.look_up, search.decided
        tasks["points"] = game.points
        self.games = roomy(1, stage.state)
        self.out = roomy(game.max_moves, np.int32)
        self.marks = np.zeros(game.max_plies + 1, np.uint8)

    def play(self, task: SelfPlayTask) -> SelfPlayed:
        """Play until there are enough positions."""
        net, rng = task.net, task.rng.copy()
        samples = Samples.room(task.positions, net.inputs)
        self.table.forget()
        self.worker.forget()
        self.worker.tasks["era"] = self.table.era
        none, never = np.zeros(0, np.uint64), np.zeros(1, np.uint8)
        common = Common(self.table.words, none, np.zeros(0, np.uint8), task.stop, never, never)
        start = net.lift(self.game.start().states)
        games, found = self.kernel(
            net.boards, start, self.games, self.worker.stack, common, self.worker.tasks,
            self.out, rng, task.settings, task.unseen, self.marks, samples,
        )  # fmt: skip
        return SelfPlayed(Samples(*(each[:found] for each in samples)), int(games), rng)


SelfPlayWorkers = Workers[SelfPlayTask, SelfPlayed]
_own = threading.local()  #: the player of each thread: it keeps what is compiled
_making = threading.Lock()  # two that are made at once would compile everything twice


def play_task(task: SelfPlayTask) -> SelfPlayed:
    """Play the games of a task."""
    made_for = task.net.game, task.search
    if getattr(_own, "made_for", None) != made_for:
        with _making:
            _own.player = SelfPlayer(task.net, task.search or search_settings(task.net.game))
        _own.made_for = made_for
    player: SelfPlayer = _own.player
    return player.play(task)
