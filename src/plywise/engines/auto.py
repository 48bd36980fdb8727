"""The opponent for people: `auto` at level 10 is the game's strongest agent, below 10 it is weaker.

A weak human does not play at random: they take a win that is on the board, usually see the
opponent's threats, and make mistakes in longer plans. So a level is three things: how far the
player looks ahead, how often they overlook the opponent's reply, and how freely they choose among
moves that look nearly as good as the best.
"""

from __future__ import annotations

import json
import math
import random
import threading
from contextlib import suppress
from dataclasses import asdict, dataclass, replace
from functools import lru_cache
from pathlib import Path

from plywise.core import files
from plywise.core.analysis import Analysis, Limits, Line, OnInfo, Stop
from plywise.core.engine import Engine
from plywise.core.game import AgentType, Game
from plywise.core.position import Position
from plywise.core.spec import Parameter, Value, format_spec
from plywise.engines import announce, find, make
from plywise.engines.alphabeta import AlphaBeta
from plywise.engines.driver import GameAgent
from plywise.engines.eager import LOADING, Eager
from plywise.engines.kernels.textbook import meet
from plywise.engines.mcts import MonteCarlo
from plywise.engines.net.weights import EXPERT_NET, LEARNED, usual
from plywise.engines.random import playouts, wander
from plywise.engines.scale import led_by
from plywise.engines.textbook import Textbook
from plywise.jit.cache import fingerprint

FULL = 10  #: the level that makes no deliberate mistakes
#: The node limit of level 9. Nodes and not seconds, so that a level plays the same on every
#: machine: half a second in the slowest game here, and far less in the others.
MOST_NODES = 400_000
PATIENCE = 10.0  #: the time limit in seconds, for slower machines and games
SHORT = 1.5  #: seconds for a search with the interpreted kernel
WAIT = 0.5  #: seconds that people wait for the compiler before they get a shallower move
#: In a game without an evaluation: the playouts of a move when the reply is overlooked, half of
#: those of level 1; every further level has twice as many.
FEWEST = 8
MEGABYTES = 8.0  #: for the tree of these playouts

TEST_PAIRS = 6  #: of test games between two engines, each opening played from both sides
TEST_OPENING = 2  #: random plies before a test game
TEST_PLAYOUTS = 300  #: for each move of mcts
#: The most nodes for each move of alphabeta; it gets as many as the playouts have plies.
TEST_NODES = 100_000
TEST_MEGABYTES = 16.0  #: for each of the two
CHOICES = 64  #: kept in memory

_measuring: dict[Path | None, threading.Lock] = {}  # by where the choice is kept


@dataclass(frozen=True)
class Person:
    """The settings of a level."""

    depth: int  #: plies to look ahead
    nodes: int  #: the most nodes of a search; with many moves they run out before the depth
    overlooks: float  #: how often the opponent's reply is overlooked
    freedom: float  #: a move this much worse in value is e times less likely to be chosen


#: Levels 1 to 9. Each was set so that it beats the one below it in about two games out of three.
PEOPLE = (
    Person(depth=2, nodes=40_000, overlooks=0.30, freedom=0.40),
    Person(depth=2, nodes=40_000, overlooks=0.20, freedom=0.25),
    Person(depth=2, nodes=40_000, overlooks=0.12, freedom=0.15),
    Person(depth=3, nodes=40_000, overlooks=0.08, freedom=0.10),
    Person(depth=4, nodes=40_000, overlooks=0.05, freedom=0.07),
    Person(depth=5, nodes=50_000, overlooks=0.03, freedom=0.05),
    Person(depth=6, nodes=70_000, overlooks=0.015, freedom=0.035),
    Person(depth=7, nodes=120_000, overlooks=0.01, freedom=0.027),
    Person(depth=9, nodes=MOST_NODES, overlooks=0.0, freedom=0.01),
)


class _TooSlow(Exception):
    """The interpreted kernel would take longer than the compiler."""

    def __init__(self, so_far: Analysis) -> None:
        self.so_far = so_far


class Weaker(GameAgent):
    """The agent of a level below 10."""

    def __init__(self, game: Game, level: int, seed: int) -> None:
        self.name = format_spec("auto", {"level": level})
        self.person = PEOPLE[level - 1]
        self.seed = seed
        self.searcher: Textbook | MonteCarlo
        if is_open(game):  # playouts see more than a search without an evaluation
            self.playouts = FEWEST << level
            self.searcher = MonteCarlo(game, seed=seed, memory=MEGABYTES)
        else:
            self.playouts = 0
            self.searcher = Textbook(game, meet, order="promise")

    def think(
        self, position: Position, limits: Limits, on_info: OnInfo | None, stop: Stop, lines: bool
    ) -> Analysis:
        """Choose a move that a player of this level might play; the seed and position decide."""
        rng = random.Random(f"{self.seed} {position.key}")
        blind = rng.random() < self.person.overlooks
        own = Limits(PATIENCE, 1 if blind else self.person.depth, self.person.nodes)
        if self.playouts:
            own = Limits(PATIENCE, None, FEWEST if blind else self.playouts)
        hurried = self.hurried and limits.nodes is None and limits.depth is None
        analysis = self._scored(position, limits & own, on_info, stop, hurried)
        if not analysis.lines:
            return analysis
        chances = self.chances(analysis.lines)
        line = rng.choices(analysis.lines, [chances[line.move] for line in analysis.lines])[0]
        return led_by(line, analysis, lines=analysis.lines if lines else ())

    def compile(self) -> None:
        """Compile what it needs, and wait until that is done."""
        self.searcher.ahead.ready()

    def _scored(
        self, position: Position, limits: Limits, on_info: OnInfo | None, stop: Stop, hurried: bool
    ) -> Analysis:
        """Score every move; with the interpreted kernel if that is quicker than compiling.

        Both find the same: only a search that came to its end counts. But people who wait get a
        shallower move if the compiler takes long, too.
        """
        if not self.searcher.ahead.ready(LOADING):
            try:
                quick = limits & Limits(time=SHORT)
                if hurried:  # then a first look is all that they wait for, so it gets its time
                    quick = replace(quick, time=2 * SHORT)
                return self._interpreted(position, quick, on_info, stop)
            except _TooSlow as slow:
                enough = hurried and slow.so_far.lines
                if not self.searcher.ahead.ready(WAIT if enough else None):
                    return slow.so_far
        return self.searcher.search(position, limits, on_info, stop, lines=True)

    def _interpreted(
        self, position: Position, limits: Limits, on_info: OnInfo | None, stop: Stop
    ) -> Analysis:
        """Score every move with the interpreted kernel; _TooSlow if there is no time for it."""

        def heard(found: Analysis) -> None:
            replies = len(position.legal) / 2  # pruning leaves about half of them
            if not self._is_whole(found, limits) and found.seconds * replies > SHORT:
                raise _TooSlow(found)
            if on_info is not None:
                on_info(found)

        found = self.searcher.uncompiled().search(position, limits, heard, stop, lines=True)
        # Once it is stopped, nobody wants to wait for more.
        if not stop.is_set() and not (found.lines and self._is_whole(found, limits)):
            raise _TooSlow(found)
        return found

    def _is_whole(self, found: Analysis, limits: Limits) -> bool:
        """True if a search was not cut short by the clock."""
        if found.outcome is not None:
            return True
        if self.playouts:
            return found.nodes >= (limits.nodes or MOST_NODES)
        return found.depth >= min(limits.depth or MOST_NODES, self.searcher.game.max_plies)

    def chances(self, lines: tuple[Line, ...]) -> dict[str, float]:
        """Return how likely each move is: a win in one is certain, a known loss is not chosen."""
        for line in lines:
            at_once = line.plies_to_end == 1 or (self.playouts > 0 and line.plies_to_end is None)
            if line.outcome == "win" and at_once:
                return {other.move: float(other is line) for other in lines}
        safe = [line for line in lines if line.outcome != "loss"] or list(lines)
        best = max(line.value for line in safe)
        weights = {line.move: math.exp((line.value - best) / self.person.freedom) for line in safe}
        total = sum(weights.values())
        return {line.move: weights.get(line.move, 0.0) / total for line in lines}


# ---- which engine plays best a game that has no evaluation ---------------------------------------
# Alpha-beta without an evaluation sees only what it can search to the end; playouts see something
# in every position. Which is better depends on the game, so the two play a few games against each
# other, once. The limits are nodes and not seconds: the choice is the same on every machine.


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


@lru_cache(CHOICES)
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
    tally = playouts(game.start(), TEST_PLAYOUTS)
    nodes = min(TEST_NODES, max(TEST_PLAYOUTS, tally.plies))
    points, played = 0.0, 2 * TEST_PAIRS
    for pair in range(TEST_PAIRS):
        start = wander(game, TEST_OPENING, random.Random(pair))
        points += sum(_result(start, first, nodes) for first in range(2))
    if 2 * points >= played:
        return Choice("mcts", "alphabeta", points, played)
    return Choice("alphabeta", "mcts", played - points, played)


def _result(position: Position, first: int, nodes: int) -> float:
    """Play a game; return the points of mcts, which moves as player `first`."""
    game = position.game
    both = MonteCarlo(game, memory=TEST_MEGABYTES), AlphaBeta(game, memory=TEST_MEGABYTES)
    limits = Limits(nodes=TEST_PLAYOUTS), Limits(nodes=nodes)
    while not position.over:
        who = 0 if position.turn == first else 1
        best = both[who].search(position, limits[who]).best
        assert best is not None, "a game that is not over has a move"
        position = position.play(best)
    return 0.5 if position.winner == 0 else float(position.winner == first + 1)


def _file(game: Game) -> Path | None:
    """Return where the choice for these rules and this board is kept."""
    verbs = {name: verb for name, verb in vars(game.rules).items() if verb is not None}
    named = [f"{name} {verb.__qualname__}" for name, verb in verbs.items()]
    mark = fingerprint(verbs.values(), [game.boards.tobytes().hex(), *named])
    try:
        return files.cache_folder() / "choices" / f"{mark}.json"
    except (OSError, RuntimeError):
        return None


# ---- the agent -----------------------------------------------------------------------------------


def auto(
    game: Game,
    level: int,
    seed: int,
    time: float | None,
    memory: float | None,
    net: str | None,
) -> Engine:
    """Make the agent of a level."""
    if level < FULL:
        return Weaker(game, level, seed)
    given: dict[str, Value] = {"time": time, "seed": seed or None, "memory": memory, "net": net}
    learned = game.type.expert == "alphabeta" and usual(net, game) is not None

    def expert() -> Engine:
        if learned:
            given["net"] = net or LEARNED
        name = choose(game).agent if is_open(game) and not learned else game.type.expert
        known = {parameter.name for parameter in find(name, game).parameters}
        theirs = {key: value for key, value in given.items() if key in known}
        return make(format_spec(name, theirs), game)

    if is_open(game) and not learned:  # measured for every board, while playouts stand in
        return Eager(game, expert, game.spec, lambda: MonteCarlo(game, seed=seed, memory=MEGABYTES))
    found = Eager(game, expert, game.type.expert)
    _ = found.engine  # what does not suit the game is refused now
    return found


AUTO = AgentType(
    auto,
    (
        Parameter("level", FULL, "1 to 10; below 10 it makes human mistakes", 1, FULL),
        Parameter("seed", 0, "random seed of the mistakes, and of an expert that takes one"),
        Parameter("time", float, "seconds per move", low=0.0, high=1e6),
        Parameter("net", str, EXPERT_NET),
        Parameter("memory", float, "megabytes of an engine that has a table", 0.01, 65536),
    ),
    "the strongest engine a game has, or a weaker level of it",
)
