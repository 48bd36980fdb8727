"""An agent that other frameworks ask for moves: the agent of a spec, or an engine."""

from __future__ import annotations

from plywise.core.analysis import Limits
from plywise.core.engine import Engine
from plywise.core.game import Game
from plywise.core.position import Position
from plywise.errors import SpecError
from plywise.play.players import Player
from plywise.play.records.game_record import HUMAN

USUAL = 0.1  #: seconds for a move of an agent whose spec has no limit


class Chooser:
    """Chooses moves for a game."""

    def __init__(self, agent: str | Engine, game: Game) -> None:
        self._player: Player | None = None
        if isinstance(agent, str):
            self._player = Player(agent, game, usual=USUAL)
            if self._player.person:
                raise SpecError(f"{HUMAN} cannot play here: name an agent, such as random")
        elif not hasattr(agent, "search"):
            raise SpecError(f"{agent!r:.60} is not an agent: write a spec, such as alphabeta")
        self._agent = agent

    def choose(self, position: Position) -> int:
        """Return the move for a position, as its number."""
        if self._player is not None:
            return self._player.choose(position, Limits())[0]
        assert not isinstance(self._agent, str)
        return position.code_of(str(self._agent.search(position).best))

    def reseed(self, text: str) -> None:
        """Make random choices depend on this text alone, unless the spec has a seed."""
        if self._player is not None:
            self._player.reseed(text)

    def close(self) -> None:
        """Stop the process of the agent, if it has one."""
        if self._player is not None:
            self._player.close()
