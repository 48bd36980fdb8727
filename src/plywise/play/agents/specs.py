"""Agents from their specs: the engines by name, or a file that runs in a process of its own."""

from __future__ import annotations

import sys
from typing import Protocol

from plywise import engines
from plywise.core.engine import Engine
from plywise.core.game import Game
from plywise.core.spec import Parameter, Spec
from plywise.play.agents.process import OnOutput
from plywise.play.agents.program import MEMORY, Program

#: The parameters by which an agent's spec says itself how long it searches.
LIMITS = ("time", "depth", "nodes", "playouts")


class MakeAgent(Protocol):
    """Makes the agent of a player, as `make_agent` does."""

    def __call__(
        self,
        spec: str | Spec,
        game: Game,
        *,
        memory: int = ...,
        on_output: OnOutput | None = ...,
    ) -> Engine:
        """The agent that a spec means, for one game."""
        ...


def to_stderr(line: str) -> None:
    """Where agents' own output goes unless somebody else wants it."""
    print(line, file=sys.stderr)


def make_agent(
    spec: str | Spec,
    game: Game,
    *,
    memory: int = MEMORY,
    on_output: OnOutput | None = to_stderr,
) -> Engine:
    """The agent that a spec means, for one game: an engine's name, an agent file, a program."""
    parsed = Spec.parse(spec) if isinstance(spec, str) else spec
    if parsed.is_file:
        return Program(parsed, game, memory=memory, on_output=on_output)
    return engines.make(parsed, game)


def parameters(spec: Spec, game: Game) -> dict[str, Parameter]:
    """What the agent of a spec can be told, by name."""
    known = () if spec.is_file else engines.find(spec.name, game).parameters
    return {parameter.name: parameter for parameter in known}
