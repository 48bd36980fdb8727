"""Which engine plays best a game that has no evaluation: measured once, and kept.

Alpha-beta without an evaluation sees only what it can search to the end; playouts see something in
every position. Which is better depends on the game, so the two play a few games against each
other. The limits are nodes and not seconds: the choice is the same on every machine.
"""

from __future__ import annotations

import json
import random
import threading
from contextlib import suppress
from dataclasses import asdict, dataclass
from functools import lru_cache
from pathlib import Path

from plywise.core import files
from plywise.core.analysis import Limits
from plywise.core.game import Game
from plywise.core.position import Position
from plywise.engines import announce
from plywise.engines.alphabeta import AlphaBeta
from plywise.engines.mcts import MonteCarlo
from plywise.engines.playout import playouts
from plywise.jit.cache import fingerprint

PAIRS = 6  #: openings, each played from both sides
OPENING = 2  #: random plies before a game
PLAYOUTS = 300  #: for each move of mcts
#: The most nodes for each move of alphabeta; it gets as many as the playouts have plies.
MOST_NODES = 100_000
MEGABYTES = 16.0  #: for each of the two
GAMES = 64  #: choices kept in memory

_measuring: dict[Path | None, threading.Lock] = {}  # by where the choice is kept


@dataclass(frozen=True)
class Choice:
    """The better engine, and its points in the test games."""

    agent: str
    other: str
    points: float
    games: int

    def __str__(self) -> str:
        return (
            f"auto is {self.agent} here: it scored {self.points:g} of {self.games} points against "
            f"{self.other} in test games"
        )


def is_open(game: Game) -> bool:
    """True if nobody has said which engine plays a game best, and it has no evaluation."""
    return game.type.expert == "alphabeta" and game.rules.evaluate is None


@lru_cache(GAMES)
def choose(game: Game) -> Choice:
    """Return the better engine for a game, from an earlier measurement if there is one."""
    file = _file(game)
    with _measuring.setdefault(file, threading.Lock()):  # whoever comes second reads the file
        with suppress(OSError, ValueError, TypeError):
            if file is not None:
                return Choice(**json.loads(file.read_text(encoding="utf-8")))
        found = measure(game)
        with suppress(OSError):
            if file is not None:
                file.parent.mkdir(parents=True, exist_ok=True)
                file.write_text(json.dumps(asdict(found)), encoding="utf-8")
    announce(str(found))
    return found


def measure(game: Game) -> Choice:
    """Let the two play; the one that is ahead is chosen, after a draw mcts."""
    tally = playouts(game.start(), PLAYOUTS)
    nodes = min(MOST_NODES, max(PLAYOUTS, tally.plies))
    points, played = 0.0, 0
    for pair in range(PAIRS):
        start = _opening(game, random.Random(pair))
        for first in range(2):
            points += _result(start, first, nodes)
            played += 1
    if 2 * points >= played:
        return Choice("mcts", "alphabeta", points, played)
    return Choice("alphabeta", "mcts", played - points, played)


def _opening(game: Game, rng: random.Random) -> Position:
    position = game.start()
    for _ in range(OPENING):
        after = position.play_code(rng.choice(position.legal_codes))
        if after.over:
            break
        position = after
    return position


def _result(position: Position, first: int, nodes: int) -> float:
    """Play a game; return the points of mcts, which moves as player `first`."""
    game = position.game
    both = MonteCarlo(game, memory=MEGABYTES), AlphaBeta(game, memory=MEGABYTES)
    limits = Limits(nodes=PLAYOUTS), Limits(nodes=nodes)
    while not position.over:
        who = 0 if position.turn == first else 1
        best = both[who].search(position, limits[who]).best
        assert best is not None, "a game that is not over has a move"
        position = position.play(best)
    margin = position.margin or 0
    mine = margin if first == 0 else -margin
    return 1.0 if mine > 0 else 0.5 if mine == 0 else 0.0


def _file(game: Game) -> Path | None:
    """Return where the choice for these rules and this board is kept."""
    verbs = {name: verb for name, verb in vars(game.rules).items() if verb is not None}
    named = [f"{name} {verb.__qualname__}" for name, verb in verbs.items()]
    mark = fingerprint(verbs.values(), [game.boards.tobytes().hex(), *named])
    try:
        return files.cache_folder() / "choices" / f"{mark}.json"
    except (OSError, RuntimeError):
        return None
