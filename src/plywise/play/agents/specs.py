"""Makes agents from their specs: engines by name, or files that run in their own process."""

from __future__ import annotations

import sys
from functools import partial
from typing import Protocol

from plywise import engines
from plywise.core.engine import Engine, guarded
from plywise.core.game import Game
from plywise.core.spec import Parameter, Spec
from plywise.play.agents.process import OnOutput
from plywise.play.agents.program import MEMORY, Program
from plywise.play.agents.shelter import Shelter

#: The parameters of an agent's spec that limit its search.
LIMITS = ("time", "depth", "nodes", "playouts")


class MakeAgent(Protocol):
    """A function that makes a player's agent, such as `make_agent`."""

    def __call__(
        self,
        spec: str | Spec,
        game: Game,
        *,
        memory: int = ...,
        on_output: OnOutput | None = ...,
    ) -> Engine:
        """Make the agent that a spec names, for one game."""
        ...


def to_stderr(line: str) -> None:
    """Print agents' own output to stderr, the default."""
    print(line, file=sys.stderr)


def make_agent(
    spec: str | Spec,
    game: Game,
    *,
    memory: int = MEMORY,
    on_output: OnOutput | None = to_stderr,
    shelter: Shelter | None = None,
    fresh: bool = False,
) -> Engine:
    """Make the agent that a spec names, for one game: an engine, an agent file, a program."""
    parsed = Spec.parse(spec) if isinstance(spec, str) else spec
    if parsed.is_file:
        program = Program(
            parsed, game, memory=memory, on_output=on_output, shelter=shelter, fresh=fresh
        )
        again = partial(
            make_agent, memory=memory, on_output=on_output, shelter=shelter, fresh=fresh
        )
        return guarded(program, game, again, parsed, game)
    return engines.make(parsed, game)


def parameters(spec: Spec, game: Game) -> dict[str, Parameter]:
    """Return the parameters of a spec's agent, by name."""
    known = () if spec.is_file else engines.find(spec.name, game).parameters
    return {parameter.name: parameter for parameter in known}
