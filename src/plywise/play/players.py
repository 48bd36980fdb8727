"""A player of a game: a person, an engine, or an agent in a process of its own."""

from __future__ import annotations

import random

from plywise.core.analysis import Analysis, Limits, OnInfo, Stop
from plywise.core.engine import DrawsLots, Engine
from plywise.core.game import Game
from plywise.core.position import Position
from plywise.core.spec import Spec
from plywise.errors import AgentError, MoveError, PlywiseError, SpecError, describe
from plywise.play.agents.process import OnOutput
from plywise.play.agents.program import MEMORY, PATIENCE, Program
from plywise.play.agents.specs import LIMITS, MakeAgent, make_agent, parameters

HUMAN = "human"  #: the spec of a person
_SEEDS = 2**31 - 1  #: the largest seed handed to an agent


class Player:
    """One side. `usual` is the time for an engine that knows a clock and is given no limit.

    `patience` is the same for an agent in a process of its own.
    """

    def __init__(
        self,
        text: str,
        game: Game,
        *,
        usual: float,
        patience: float = PATIENCE,
        memory: int = MEMORY,
        on_output: OnOutput | None = None,
        make: MakeAgent = make_agent,
    ) -> None:
        self.spec = Spec.parse(text)
        self._make = make
        self.game = game
        self.usual: Limits = Limits()
        self.patience = patience
        self.seeded = False
        self.agent: Engine | None = None
        if self.spec.name == HUMAN:
            if self.spec.given:
                raise SpecError(f"{HUMAN} takes no parameters, {self.spec} gives some")
            return
        known = parameters(self.spec, game)
        if "time" in known and not set(LIMITS) & set(self.spec.given):
            self.usual = Limits(time=usual)
        self.seeded = "seed" in known and "seed" not in self.spec.given
        self.agent = make(self.spec, game, memory=memory, on_output=on_output)

    @property
    def person(self) -> bool:
        """Is it somebody who is waited for?"""
        return self.agent is None

    @property
    def program(self) -> Program | None:
        """The agent, if it has a process of its own: what it does wrong is its own loss."""
        return self.agent if isinstance(self.agent, Program) else None

    def sit_down(self, number: int, lot: random.Random) -> None:
        """Before each game: this player's number, 1 or 2, and a seed unless the spec gives one.

        An engine is made anew, so that a game does not depend on those before it: a table that
        is full of the last one is time that nobody gave. Only a seed of its own is one for all.
        """
        seed = lot.randrange(_SEEDS)
        if self.program is not None:
            self.program.new_game(number, seed)
        elif self.agent is not None and "seed" not in self.spec.given:
            given = {**self.spec.given, "seed": str(seed)} if self.seeded else self.spec.given
            self.agent = self._make(Spec(self.spec.name, given), self.game)

    def reseed(self, lot: str) -> None:
        """Make the lots that an engine draws depend on this text alone."""
        if self.seeded and isinstance(self.agent, DrawsLots):
            self.agent.random.seed(lot)

    def choose(
        self,
        position: Position,
        limits: Limits,
        on_info: OnInfo | None = None,
        stop: Stop | None = None,
        *,
        allowed: float | None = None,
    ) -> tuple[int, Analysis]:
        """The agent's move, checked; an AgentError that names it for anything else.

        The limits are what it should keep to. A program has lost after `allowed` seconds, or
        the time limit where that is None.
        """
        assert self.agent is not None, "nobody can choose for a person"
        limits = limits or self.usual
        where = f"after {self.game.join_moves(position.moves)!r}"
        try:
            if self.program is not None:
                seconds = self.patience if limits.time is None else limits.time
                analysis = self.program.ask(position, seconds, allowed, stop)
            else:
                analysis = self.agent.search(position, limits, on_info, stop)
        except PlywiseError:
            raise
        except Exception as error:
            raise AgentError(f"{self.spec} raised {describe(error)} {where}") from error
        if analysis.best is None:
            raise AgentError(f"{self.spec} gave no move {where}")
        try:
            return position.code_of(analysis.best), analysis
        except MoveError as error:
            raise AgentError(f"{self.spec} broke the rules {where}: {error}") from error

    def close(self) -> None:
        """Leave nothing running."""
        if self.program is not None:
            self.program.close()
