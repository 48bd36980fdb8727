"""The agent that any other should beat: a legal move, drawn by lot."""

from __future__ import annotations

import random

from plywise.core.analysis import Analysis, Limits, Line, OnInfo, Stop
from plywise.core.game import AgentType, Game
from plywise.core.position import Position
from plywise.core.spec import Parameter, format_spec
from plywise.engines.driver import NO_LIMITS


class RandomMover:
    """Every legal move is as likely as any other. The seed settles all its moves together."""

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
        """Draw a move; it thinks nothing of any of them."""
        best = self.random.choice(position.legal)
        every = tuple(Line(move, 0.0, 0.0, pv=(move,)) for move in position.legal)
        return Analysis(best, 0.0, 0.0, pv=(best,), lines=every if lines else ())


RANDOM = AgentType(
    RandomMover,
    (Parameter("seed", 0, "of the lots"),),
    "any legal move, by lot",
)
