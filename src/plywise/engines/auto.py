"""The opponent for people: `auto` at level 10 is the game's strongest agent, below 10 it is weaker.

A weak human does not play at random: they take a win that is on the board, usually see the
opponent's threats, and make mistakes in longer plans. So a level is three things: how far the
player looks ahead, how often they overlook the opponent's reply, and how freely they choose among
moves that look nearly as good as the best.
"""

from __future__ import annotations

import math
import random
from dataclasses import dataclass, replace
from functools import partial

from plywise.core.analysis import Analysis, Limits, Line, OnInfo, Stop
from plywise.core.engine import Engine
from plywise.core.game import AgentType, Game
from plywise.core.position import Position
from plywise.core.spec import Parameter, Value, format_spec
from plywise.engines import find, make
from plywise.engines.driver import NO_LIMITS
from plywise.engines.eager import LOADING, Eager
from plywise.engines.kernels.textbook import meet
from plywise.engines.textbook import Textbook

FULL = 10  #: the level that makes no deliberate mistakes
#: The node limit of lower levels. Nodes and not seconds, so that a level plays the same on every
#: machine: half a second in the slowest game here, and far less in the others.
MOST_NODES = 400_000
PATIENCE = 10.0  #: the time limit in seconds, for slower machines and games
SHORT = 1.5  #: seconds for a search with the interpreted kernel


@dataclass(frozen=True)
class Person:
    """The settings of a level."""

    depth: int  #: plies to look ahead
    overlooks: float  #: how often the opponent's reply is overlooked
    freedom: float  #: a move this much worse in value is e times less likely to be chosen


#: Levels 1 to 9. Each was set so that it beats the one below it in about two games out of three.
PEOPLE = (
    Person(depth=2, overlooks=0.30, freedom=0.40),
    Person(depth=2, overlooks=0.20, freedom=0.25),
    Person(depth=2, overlooks=0.12, freedom=0.15),
    Person(depth=3, overlooks=0.08, freedom=0.10),
    Person(depth=4, overlooks=0.05, freedom=0.07),
    Person(depth=5, overlooks=0.03, freedom=0.05),
    Person(depth=6, overlooks=0.015, freedom=0.035),
    Person(depth=7, overlooks=0.005, freedom=0.02),
    Person(depth=8, overlooks=0.0, freedom=0.01),
)


class Weaker:
    """The agent of a level below 10."""

    def __init__(self, game: Game, level: int, seed: int) -> None:
        self.name = format_spec("auto", {"level": level})
        self.person = PEOPLE[level - 1]
        self.seed = seed
        self.searcher = Textbook(game, meet, order="promise")

    def search(
        self,
        position: Position,
        limits: Limits = NO_LIMITS,
        on_info: OnInfo | None = None,
        stop: Stop | None = None,
        *,
        lines: bool = False,
    ) -> Analysis:
        """Choose a move that a player of this level might play; the seed and position decide."""
        lot = random.Random(f"{self.seed} {position.key}")
        blind = lot.random() < self.person.overlooks
        depth = 1 if blind else self.person.depth
        look = Limits(PATIENCE, depth, MOST_NODES)
        analysis = self._look(position, limits & look, on_info, stop)
        if not analysis.lines:
            return analysis
        line = self._choose(analysis.lines, lot)
        return replace(
            analysis,
            best=line.move,
            value=line.value,
            score=line.score,
            outcome=line.outcome,
            plies_to_end=line.plies_to_end,
            pv=line.pv,
            lines=analysis.lines if lines else (),
        )

    def compile(self) -> None:
        """Compile what it needs, and wait until that is done."""
        self.searcher.ahead.ready()

    def _look(
        self, position: Position, limits: Limits, on_info: OnInfo | None, stop: Stop | None
    ) -> Analysis:
        """Score every move; with the interpreted kernel if that is quicker than compiling.

        Both find the same: only a search that came to its end counts.
        """
        if not self.searcher.ahead.ready(LOADING):
            quick = limits & Limits(time=SHORT)
            found = self.searcher.uncompiled().search(position, quick, on_info, stop, lines=True)
            deepest = min(limits.depth or MOST_NODES, position.game.max_plies)
            if found.lines and (found.outcome is not None or found.depth >= deepest):
                return found
            self.compile()
        return self.searcher.search(position, limits, on_info, stop, lines=True)

    def _choose(self, lines: tuple[Line, ...], lot: random.Random) -> Line:
        """Choose a win in one if there is one, never a known loss, and otherwise by value."""
        for line in lines:
            if line.outcome == "win" and line.plies_to_end == 1:
                return line
        safe = [line for line in lines if line.outcome != "loss"] or list(lines)
        best = max(line.value for line in safe)
        weights = [math.exp((line.value - best) / self.person.freedom) for line in safe]
        return lot.choices(safe, weights)[0]


def auto(game: Game, level: int, seed: int, time: float | None, memory: float | None) -> Engine:
    """Make the agent of a level."""
    if level < FULL:
        return Weaker(game, level, seed)
    known = {parameter.name for parameter in find(game.type.expert, game).parameters}
    given: dict[str, Value] = {"time": time, "seed": seed or None, "memory": memory}
    theirs = {name: value for name, value in given.items() if name in known}
    expert = format_spec(game.type.expert, theirs)
    return Eager(format_spec("auto", given), game, partial(make, expert, game))


AUTO = AgentType(
    auto,
    (
        Parameter("level", FULL, "1 to 10; below 10 it makes human mistakes", 1, FULL),
        Parameter("seed", 0, "random seed of the mistakes, and of an expert that takes one"),
        Parameter("time", None, "seconds per move", low=0.0, high=1e6, kind=float),
        Parameter(
            "memory", None, "megabytes of an engine that has a table", 0.01, 65536, kind=float
        ),
    ),
    "the strongest engine a game has, or a weaker level of it",
)
