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
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np

from plywise.core.analysis import Stop
from plywise.core.archives import UNREADABLE
from plywise.core.game import Game, Rules
from plywise.engines.net import Net, Shape
from plywise.engines.net.weights import sight, spec_of
from plywise.errors import SpecError
from plywise.learn.crew import Crew, Part
from plywise.learn.measures import usual_sizes
from plywise.learn.players import Player, usual_habits
from plywise.learn.strength import Manner, manner_of
from plywise.learn.weights import Array, Weights
from plywise.play.records.files import whole_file
from plywise.trial import ensure_tried

PLAYERS = 8
KEEP = 20.0  #: seconds between two checkpoints
FADE = 0.9  #: how much slower the net learns at the end than at the start
YOUNG = 0.25  #: the share of a run with shallow searches, if the later ones are deeper
FORMAT = 1


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
        explore: the share of random moves.
        trust: in what comes later in a game, against what a search says at once.
        positions: of a round.
        passes: how often a position is learned from, on average.
        window: rounds whose positions are learned from.
        rate: how fast the rows of patterns learn.
        layer_rate: ... and the two layers.
        batch: positions after which the layers move.
    """

    seed: int = 1
    hidden: int = 16
    depth: int = 2
    deeper: int = 2
    random: int = 0
    added: bool = False
    patterns: bool = True
    explore: float = 0.1
    trust: float = 0.7
    positions: int = 20_000
    passes: float = 4.0
    window: int = 20
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
    error: float  #: root of the mean squared error on positions that it learns from
    held: float  #: ... and on those that it never learns from


OnRound = Callable[[Round], None]


class Learner:
    """Learns a net for one game; from positions with the keys in `unseen` it never learns.

    A crew of workers plays the games in other processes; without one, threads do.
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
        crew: Crew | None = None,
    ) -> None:
        if crew is not None and rules is not None:
            raise SpecError("workers play by the game's own rules: give either rules or a crew")
        ensure_tried(game)
        self.game, self.settings = game, settings or Settings()
        manner = manner_of(game) if rules is None else Manner(rules)
        self.checkpoint, self.crew = checkpoint, crew
        self.threads = threads or os.cpu_count() or 1
        how = self.settings
        scales = usual_sizes(game, manner.rules)
        shape = Shape.blind(len(scales))
        if how.patterns:
            shape = replace(sight(game).shape, measures=len(scales))
        elif not scales:
            raise SpecError(f"{game.name} has no measures: without patterns nothing can be learned")
        self.weights = Weights(shape, how.hidden, how.seed, how.added, scales)
        first = self.weights.net(game)
        each = -(-how.positions // PLAYERS)
        keys = np.unique(np.array(list(unseen), np.uint64))
        self.players = [
            Player(first, manner, PLAYERS * how.seed + number, each, keys)
            for number in range(PLAYERS)
        ]
        self.habits = usual_habits(game, how.depth, how.explore, how.trust)
        if how.random:
            self.habits["random"] = how.random
        self.replay: deque[tuple[Array, ...]] = deque(maxlen=how.window)
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
            "held": round(last.held, 4),
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
                    self.habits["depth"] = how.depth if self.share < YOUNG else how.deeper
                    errors = self._round(pool)
                    self.spent = time.monotonic() - begun
                    self.rounds.append(self._told(*errors))
                    if on_round is not None:
                        on_round(self.last)
                    if time.monotonic() - kept > KEEP:
                        self.keep()
                        kept = time.monotonic()
            except BaseException:  # Ctrl-C: no thread may keep running
                for player in self.players:
                    player.stop[0] = 1
                raise
            finally:
                self.keep()

    def _round(self, pool: ThreadPoolExecutor) -> tuple[int, tuple[float, int, float, int]]:
        """Play with the present net, and learn from the rounds before."""
        net = self.weights.net(self.game)
        learning: Future[tuple[float, int, float, int]] = pool.submit(self._learn)
        if self.crew is None:
            _ = net.boards  # made once, and not in every thread
            playing = [pool.submit(player.play, net, self.habits) for player in self.players]
            errors = learning.result()
            parts = [each.result() for each in playing]
        else:
            parts = self._elsewhere(self.crew, net)
            errors = learning.result()
        self.replay.append(tuple(np.concatenate([data[i] for data, _ in parts]) for i in range(6)))
        return sum(games for _, games in parts), errors

    def _elsewhere(self, crew: Crew, net: Net) -> list[tuple[tuple[Array, ...], int]]:
        """Let the crew play; each player's random numbers come back with the games."""
        tasks = [Part(net, self.habits, p.count, p.unseen, p.random) for p in self.players]
        found = []
        for player, (data, games, after) in zip(self.players, crew.in_order(tasks), strict=True):
            player.random[:] = after
            found.append((data, games))
        return found

    def _learn(self) -> tuple[float, int, float, int]:
        how, number = self.settings, self.last.number
        if not self.replay:
            return 0.0, 0, 0.0, 0
        data = tuple(np.concatenate(each) for each in zip(*self.replay, strict=True))
        lot = np.random.default_rng([how.seed, number])
        count = min(len(data[0]), int(how.passes * how.positions))
        order = lot.permutation(len(data[0]))[:count]
        slow = 1.0 - FADE * self.share
        return self.weights.learn(data, order, how.rate * slow, how.layer_rate * slow, how.batch)

    def _told(self, games: int, errors: tuple[float, int, float, int]) -> Round:
        last, (error, count, held, held_count) = self.last, errors
        return Round(
            last.number + 1,
            self.spent,
            last.games + games,
            last.positions + len(self.replay[-1][0]),
            (error / max(1, count)) ** 0.5,
            (held / max(1, held_count)) ** 0.5,
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
        random = np.array([player.random[0] for player in self.players])
        self.checkpoint.parent.mkdir(parents=True, exist_ok=True)
        arrays: dict[str, Any] = {**self.weights.arrays, "random": random}
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
                        " --restart"
                    )
                self.weights.restore({name: kept[name] for name in self.weights.arrays})
                for player, word in zip(self.players, kept["random"], strict=True):
                    player.random[0] = word
        except SpecError:
            raise
        except (OSError, *UNREADABLE) as error:
            raise SpecError(f"{str(file)!r} is not a checkpoint: remove it") from error
        self.rounds = [Round(**each) for each in about["rounds"]]
        self.spent = self.last.seconds
