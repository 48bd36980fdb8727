"""Learning in rounds: games with the present net, while the net learns from those before.

A round has a fixed number of positions, made by a fixed number of players whose random numbers
follow from the seed. So the same seed and rounds give the same weights, on one thread or on many.
"""

from __future__ import annotations

import json
import os
import time
from collections import deque
from collections.abc import Callable, Iterable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np

from plywise.core.analysis import Stop
from plywise.core.files import UNREADABLE
from plywise.core.game import Game, Rules
from plywise.engines.net import Inputs, Net
from plywise.engines.net.weights import sight, spec_of
from plywise.errors import SpecError
from plywise.jit.bits import generator
from plywise.learn.kernels import Errors, Rates, Samples
from plywise.learn.selfplay import (
    SelfPlayTask,
    SelfPlayWorkers,
    play_task,
    selfplay_settings,
)
from plywise.learn.strength import SearchSettings, search_settings
from plywise.learn.weights import Weights, usual_sizes
from plywise.play.records.files import whole_file
from plywise.trial import ensure_tried

PLAYERS = 8
CHECKPOINT = 20.0  #: seconds between two of them
RATE_DECAY = 0.9  #: how much slower the net learns at the end than at the start
SHALLOW = 0.25  #: the share of a run with shallow searches, if the later ones are deeper
FORMAT = 1  #: of checkpoints


@dataclass(frozen=True)
class Settings:
    """How a net is made and learned.

    Attributes:
        seed: decides everything that is random.
        hidden: units of the second layer, an even number.
        depth: plies that the players look ahead in the first quarter of a run ...
        deeper: ... and from then on.
        random: the most random plies before a game; 0 for the length of a random game.
        added: the net is added to the game's own evaluation, and does not replace it.
        patterns: the net sees the board, and not only the measures of its rules.
        exploration: the share of random moves.
        td_lambda: the weight of what comes later in a game, against what a search says at once.
        positions: of a round.
        passes: how often a position is learned from, on average.
        replay_rounds: rounds whose positions are learned from.
        rate: the learning rate of the rows of patterns.
        layer_rate: ... and of the two layers.
        batch: positions after which the layers move.
    """

    seed: int = 1
    hidden: int = 16
    depth: int = 2
    deeper: int = 2
    random: int = 0
    added: bool = False
    patterns: bool = True
    exploration: float = 0.1
    td_lambda: float = 0.7
    positions: int = 20_000
    passes: float = 4.0
    replay_rounds: int = 20
    rate: float = 0.15
    layer_rate: float = 0.0075
    batch: int = 64


@dataclass(frozen=True)
class Round:
    """What has been learned up to a round."""

    number: int
    seconds: float
    games: int
    positions: int
    training_error: float  #: root of the mean squared error on positions that it learns from
    validation_error: float  #: ... and on those of the validation set


OnRound = Callable[[Round], None]


class Learner:
    """Learns a net for one game; from positions with the keys in `unseen` it never learns.

    Workers play the games in other processes; without them, threads do.
    """

    def __init__(
        self,
        game: Game,
        settings: Settings | None = None,
        *,
        threads: int | None = None,
        rules: Rules | None = None,
        checkpoint: Path | None = None,
        unseen: Iterable[int] = (),
        workers: SelfPlayWorkers | None = None,
    ) -> None:
        if workers is not None and rules is not None:
            raise SpecError("workers play by the game's own rules: give either rules or workers")
        ensure_tried(game)
        self.game, self.settings = game, settings or Settings()
        search = search_settings(game) if rules is None else SearchSettings(rules)
        self.checkpoint, self.workers = checkpoint, workers
        self.threads = threads or os.cpu_count() or 1
        how = self.settings
        scales = usual_sizes(game, search.rules)
        inputs = Inputs.blind(len(scales))
        if how.patterns:
            inputs = replace(sight(game).inputs, measures=len(scales))
        elif not scales:
            raise SpecError(f"{game.name} has no measures: without patterns nothing can be learned")
        self.weights = Weights(inputs, how.hidden, how.seed, how.added, scales)
        self.search = search if workers is None else None  # other processes find the same
        self.unseen = np.unique(np.array(list(unseen), np.uint64))
        numbers = range(PLAYERS * how.seed, PLAYERS * (how.seed + 1))
        self.rng = np.concatenate([generator(number) for number in numbers])  # of each player
        self.stop = np.zeros(1, np.uint8)
        self.selfplay = selfplay_settings(game, how.depth, how.exploration, how.td_lambda)
        if how.random:
            self.selfplay["random"] = how.random
        self.replay: deque[Samples] = deque(maxlen=how.replay_rounds)
        self.rounds: list[Round] = []
        self.spent = 0.0  # seconds of earlier runs
        self.share = 0.0  # of the whole that is done
        if checkpoint is not None and checkpoint.exists():
            self._resume(checkpoint)

    @property
    def last(self) -> Round:
        """What has been learned so far."""
        return self.rounds[-1] if self.rounds else Round(0, self.spent, 0, 0, 0.0, 0.0)

    def net(self) -> Net:
        """Return the net as it is now."""
        last = self.last
        about = {
            "rounds": last.number,
            "games": last.games,
            "positions": last.positions,
            "seconds": round(last.seconds, 1),
            "validation_error": round(last.validation_error, 4),
            "settings": asdict(self.settings),
        }
        return self.weights.packed(self.game, about)

    def run(
        self,
        seconds: float | None = None,
        rounds: int | None = None,
        on_round: OnRound | None = None,
        stop: Stop | None = None,
    ) -> None:
        """Learn up to a number of seconds or rounds, which includes those of earlier runs."""
        begun, kept = time.monotonic() - self.spent, time.monotonic()
        with ThreadPoolExecutor(self.threads, thread_name_prefix="learn") as pool:
            try:
                while not (stop is not None and stop.is_set()):
                    passed = time.monotonic() - begun
                    shares = [
                        passed / seconds if seconds else 0.0,
                        self.last.number / rounds if rounds else 0.0,
                    ]
                    self.share = max(shares)
                    if self.share >= 1.0:
                        break
                    how = self.settings
                    self.selfplay["depth"] = how.depth if self.share < SHALLOW else how.deeper
                    games, errors = self._round(pool)
                    self.spent = time.monotonic() - begun
                    self.rounds.append(self._after(games, errors))
                    if on_round is not None:
                        on_round(self.last)
                    if time.monotonic() - kept > CHECKPOINT:
                        self.keep()
                        kept = time.monotonic()
            except BaseException:  # Ctrl-C: no thread may keep running
                self.stop[0] = 1
                raise
            finally:
                self.keep()

    def _round(self, pool: ThreadPoolExecutor) -> tuple[int, Errors]:
        """Play with the present net, and learn from the rounds before: games, and errors."""
        net = self.weights.net(self.game)
        learning = pool.submit(self._learn)
        each = -(-self.settings.positions // PLAYERS)
        common = net, self.search, self.selfplay, each, self.unseen
        tasks = [SelfPlayTask(*common, rng, self.stop) for rng in np.split(self.rng, PLAYERS)]
        if self.workers is None:
            _ = net.boards  # made once, and not in every thread
            played = list(pool.map(play_task, tasks))
        else:
            played = list(self.workers.in_order(tasks))
        errors = learning.result()
        self.rng = np.concatenate([one.rng for one in played])
        self.replay.append(Samples.joined(each.samples for each in played))
        return sum(each.games for each in played), errors

    def _learn(self) -> Errors:
        """Learn from the rounds before."""
        how = self.settings
        if not self.replay:
            return Errors(0.0, 0, 0.0, 0)
        samples = Samples.joined(self.replay)
        rng = np.random.default_rng([how.seed, self.last.number])
        count = min(samples.size, int(how.passes * how.positions))
        order = rng.permutation(samples.size)[:count]
        slow = 1.0 - RATE_DECAY * self.share
        rates = Rates(how.rate * slow, how.layer_rate * slow, how.batch)
        return self.weights.learn(samples, order, rates)

    def _after(self, games: int, errors: Errors) -> Round:
        """What has been learned after one more round."""
        last = self.last
        return Round(
            last.number + 1,
            self.spent,
            last.games + games,
            last.positions + self.replay[-1].size,
            (errors.training / max(1, errors.trained)) ** 0.5,
            (errors.validation / max(1, errors.validated)) ** 0.5,
        )

    # ---- checkpoints ---------------------------------------------------------------------------

    def keep(self) -> None:
        """Write a checkpoint; one that is only half written is never seen."""
        if self.checkpoint is None or not self.rounds:
            return
        about = {
            "format": FORMAT,
            "game": spec_of(self.game),
            "settings": asdict(self.settings),
            "rounds": [asdict(each) for each in self.rounds],
        }
        self.checkpoint.parent.mkdir(parents=True, exist_ok=True)
        arrays: dict[str, Any] = {**self.weights.arrays, "rng": self.rng}
        with whole_file(self.checkpoint) as out:
            np.savez_compressed(out.buffer, about=np.array(json.dumps(about)), **arrays)

    def _resume(self, file: Path) -> None:
        """Go on from a checkpoint; SpecError if it is of another game or other settings."""
        try:
            with np.load(file, allow_pickle=False) as kept:
                about: dict[str, Any] = json.loads(str(kept["about"]))
                if about["format"] != FORMAT or about["game"] != spec_of(self.game):
                    raise SpecError(f"{str(file)!r} is a checkpoint of {about['game']}")
                if about["settings"] != asdict(self.settings):
                    raise SpecError(
                        f"{str(file)!r} was begun with other settings: give the same ones, or"
                        " delete it"
                    )
                self.weights.restore({name: kept[name] for name in self.weights.arrays})
                self.rng[:] = kept["rng"]
        except SpecError:
            raise
        except (OSError, *UNREADABLE) as error:
            raise SpecError(f"{str(file)!r} is not a checkpoint: remove it") from error
        self.rounds = [Round(**each) for each in about["rounds"]]
        self.spent = self.last.seconds
