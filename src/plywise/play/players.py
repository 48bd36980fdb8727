"""A player of a game: a person, an engine by its name, or a file that runs in its own process."""

from __future__ import annotations

import random
import sys
from collections.abc import Callable
from functools import lru_cache, partial
from typing import Any

from plywise import engines
from plywise.core.analysis import Analysis, Limits, OnInfo, Stop
from plywise.core.engine import Engine, Randomized, guarded, unguarded
from plywise.core.game import Game
from plywise.core.position import Position
from plywise.core.spec import Parameter, Spec
from plywise.errors import AgentError, MoveError, PlywiseError, RulesError, SpecError, describe
from plywise.play.agents.process import OnOutput
from plywise.play.agents.program import MEMORY, PATIENCE, Program
from plywise.play.agents.sandbox import Sandbox
from plywise.play.records.game_record import HUMAN

PERSON, COMPUTER = "Person", "Computer"  #: what `human` and `auto` are called
SEEDS = 2**31 - 1  #: random seeds are below this
LABELS = 1024  #: labels in memory: watchers are sent those of a game after each change
LIMITS = ("time", "depth", "nodes", "playouts")  #: the parameters of a spec that limit a search


def to_stderr(line: str) -> None:
    """Print agents' own output to stderr, the default."""
    print(line, file=sys.stderr)


def make_agent(
    spec: str | Spec,
    game: Game,
    *,
    memory: int = MEMORY,
    on_output: OnOutput | None = to_stderr,
    sandbox: Sandbox | None = None,
    fresh: bool = False,
) -> Engine:
    """Make the agent that a spec names, for one game: an engine, an agent file, a program."""
    parsed = Spec.parse(spec) if isinstance(spec, str) else spec
    if parsed.is_file:
        how: dict[str, Any] = {"memory": memory, "on_output": on_output}
        how |= {"sandbox": sandbox, "fresh": fresh}
        program, again = Program(parsed, game, **how), partial(make_agent, **how)
        return guarded(program, game, again, parsed, game)
    return engines.make(parsed, game)


MakeAgent = Callable[[Spec, Game], Engine]  #: makes the agent that a spec names
QUIET: MakeAgent = partial(make_agent, on_output=None)  #: what agents print is not shown


def parameters(spec: Spec, game: Game) -> dict[str, Parameter]:
    """Return the parameters of a spec's agent, by name."""
    known = () if spec.is_file else engines.find(spec.name, game).parameters
    return {parameter.name: parameter for parameter in known}


@lru_cache(LABELS)
def label(spec: str) -> str:
    """Return the name of a player as people read it.

    >>> label("auto:level=3"), label("human")
    ('Computer, level 3', 'Person')
    """
    parsed = Spec.parse(spec)
    if parsed.name == HUMAN:
        return PERSON
    name = COMPUTER if parsed.name == "auto" else parsed.name
    return ", ".join([name, *(f"{key} {value}" for key, value in parsed.given.items())])


def new_seed(text: str) -> int:
    """Return the seed that follows from a text."""
    return random.Random(text).randrange(SEEDS)


class Player:
    """One side. `usual` is the default time for an engine that takes a time limit.

    `patience` is the default time for an agent in its own process.
    """

    def __init__(
        self,
        text: str,
        game: Game,
        *,
        usual: float,
        patience: float = PATIENCE,
        make: MakeAgent = QUIET,
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
                raise SpecError(f"{HUMAN} takes no parameters: write {HUMAN}, not {self.spec}")
            return
        known = parameters(self.spec, game)
        if "time" in known and not set(LIMITS) & set(self.spec.given):
            self.usual = Limits(time=usual)
        self.seeded = "seed" in known and "seed" not in self.spec.given
        self.agent = make(self.spec, game)

    @property
    def person(self) -> bool:
        """True if this player is human."""
        return self.agent is None

    @property
    def program(self) -> Program | None:
        """The agent, if it runs in its own process: then its failures lose the game."""
        return found if isinstance(found := unguarded(self.agent), Program) else None

    def sit_down(self, number: int, seed: int | None) -> None:
        """Get ready for a game as player 1 or 2, with this seed unless the spec sets one.

        Each game gets a new engine, so that it does not depend on those before it: a full
        transposition table would be extra time. An engine whose spec sets a seed is kept for all
        games, unless none gets a new one.
        """
        if self.program is not None:
            self.program.new_game(number, seed or 0)
        elif self.agent is not None and (seed is None or "seed" not in self.spec.given):
            seeded = self.seeded and seed is not None
            given = {**self.spec.given, "seed": str(seed)} if seeded else self.spec.given
            self.agent = self._make(Spec(self.spec.name, given), self.game)

    def get_ready(self) -> None:
        """Let a program start, before any clock does."""
        if self.program is not None:
            self.program.get_ready()

    def reseed(self, text: str) -> None:
        """Make an engine's random choices depend on this text alone."""
        if self.seeded and isinstance(found := unguarded(self.agent), Randomized):
            found.random.seed(text)

    def choose(
        self,
        position: Position,
        limits: Limits,
        on_info: OnInfo | None = None,
        stop: Stop | None = None,
        *,
        allowed: float | None = None,
    ) -> tuple[int, Analysis]:
        """Return the agent's move, checked; raise an AgentError that names it otherwise.

        The agent should keep to the limits. A program loses after `allowed` seconds, or after
        the time limit if that is None.
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
            raise AgentError(f"{self.spec} returned no move {where}")
        try:
            return position.code_of(analysis.best), analysis
        except MoveError as error:
            if self.program is None and analysis.best in position.legal:
                raise RulesError(
                    f"{self.game.name} writes a move as {analysis.best!r}, but cannot read it: "
                    f"{error} ('plywise check' finds such mistakes)"
                ) from error
            raise AgentError(f"{self.spec} made an illegal move {where}: {error}") from error

    def close(self) -> None:
        """Stop the agent's process, if there is one."""
        if self.program is not None:
            self.program.close()
