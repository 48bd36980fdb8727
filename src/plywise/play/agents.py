"""Agents from their specs: the engines by name, or a Python file with `get_move(state, player)`.

In an agent file `state` is the `Position` (`state.legal`, `state.text`, `print(state)`, ...) and
`player` is 1 or 2, the one to move. What it returns is read as a move text, so the number of a
column will do as well. The file is run in this process, once.
"""

from __future__ import annotations

import time
from pathlib import Path

from plywise import engines
from plywise.core.analysis import Analysis, Limits, OnInfo, Stop
from plywise.core.engine import Engine
from plywise.core.game import Game
from plywise.core.position import Position
from plywise.core.spec import Parameter, Spec
from plywise.engines.driver import NO_LIMITS
from plywise.errors import AgentError, MoveError, PlywiseError, SpecError, Unsupported, describe
from plywise.games import load_module

#: The parameters by which an agent's spec says itself how long it searches.
LIMITS = ("time", "depth", "nodes", "playouts")


def make_agent(spec: str | Spec, game: Game) -> Engine:
    """The agent that a spec means, for one game: an engine's name or an agent file."""
    parsed = Spec.parse(spec) if isinstance(spec, str) else spec
    return FileAgent(parsed, game) if parsed.is_file else engines.make(parsed, game)


def parameters(spec: Spec, game: Game) -> dict[str, Parameter]:
    """What the agent of a spec can be told, by name."""
    known = () if spec.is_file else engines.find(spec.name, game).parameters
    return {parameter.name: parameter for parameter in known}


class FileAgent:
    """A user's `get_move`, with every way it can fail turned into one line that names the file."""

    def __init__(self, spec: Spec, game: Game) -> None:
        if spec.given:
            raise SpecError(f"the agent file {spec.name} takes no parameters, {spec} gives some")
        self.name = spec.name
        self.game = game
        self.file = Path(spec.name)
        self.get_move = getattr(load_module(self.file, "agent"), "get_move", None)
        if not callable(self.get_move):
            raise SpecError(f"the agent file {self.name} defines no get_move(state, player)")

    def search(
        self,
        position: Position,
        limits: Limits = NO_LIMITS,
        on_info: OnInfo | None = None,
        stop: Stop | None = None,
        *,
        lines: bool = False,
    ) -> Analysis:
        """Ask for a move. The limits are not passed on: nothing here could stop the function."""
        if lines:
            raise Unsupported(f"the agent file {self.name} gives one move, not a score for each")
        assert self.get_move is not None
        started = time.perf_counter()
        try:
            answer = self.get_move(position, position.to_move)
        except PlywiseError as error:  # a wrong call of plywise, made by the file
            raise AgentError(f"the agent file {self.name} failed: {error}") from error
        except (Exception, SystemExit) as error:
            problem = describe(error, self.file)
            raise AgentError(f"the agent file {self.name} raised {problem}") from error
        seconds = time.perf_counter() - started
        try:
            best = position.text_of(position.parse(str(answer)))
        except MoveError as error:
            raise AgentError(f"the agent file {self.name} answered nonsense: {error}") from error
        return Analysis(best, 0.0, 0.0, pv=(best,), seconds=seconds)
