"""The agent that any other should beat: it plays a random legal move."""

from __future__ import annotations

import random

from plywise.core.analysis import Analysis, Limits, Line, OnInfo, Stop
from plywise.core.game import AgentType, Game
from plywise.core.position import Position
from plywise.core.spec import Parameter, format_spec
from plywise.engines.driver import NO_LIMITS


class RandomMover:
    """Plays every legal move with the same chance. The seed determines the sequence of moves."""

    def __init__(self, game: Game, seed: int = 0) -> None:
        self.game = game
        self.random = random.Random(seed)
        self.name = format_spec("random", {"seed": seed or None})

    def search(
        self,
        position: Position,
        limits: Limits = NO_LIMITS,
        on_info: OnInfo | None = None,
        stop: Stop | None = None,
        *,
        lines: bool = False,
    ) -> Analysis:
        """Choose a move at random; all moves get the same score."""
        best = self.random.choice(position.legal)
        every = tuple(Line(move, 0.0, 0.0, pv=(move,)) for move in position.legal)
        return Analysis(best, 0.0, 0.0, pv=(best,), lines=every if lines else ())


RANDOM = AgentType(
    RandomMover,
    (Parameter("seed", 0, "random seed"),),
    "a random legal move",
)
