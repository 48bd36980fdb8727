"""What the adapters share: one game at native speed, an agent that moves, a missing framework."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from io import BytesIO
from operator import index
from typing import TYPE_CHECKING, Any

import numpy as np

from plywise import games
from plywise.core.analysis import Limits
from plywise.core.engine import Engine
from plywise.core.game import Game
from plywise.core.position import Position
from plywise.core.scene import scene_of
from plywise.engines.batch import Batch, planes_of
from plywise.errors import InvalidMove, SpecError, Unsupported, to_install
from plywise.play.players import Player
from plywise.play.records.game_record import HUMAN

if TYPE_CHECKING:
    from gymnasium import spaces

Array = np.ndarray[Any, Any]

RENDER_MODES = ("human", "ansi", "rgb_array")
USUAL = 0.1  #: seconds for a move of an agent whose spec has no limit


def missing(package: str) -> ImportError:
    """Return the error that says how to install a package.

    >>> print(missing("pettingzoo"))
    pettingzoo is not installed: run `pip install ".[adapters]"` in a clone of plywise
    """
    return ImportError(f"{package} is not installed: {to_install('adapters')}")


class SingleGame:
    """A game that is being played: a batch of one, with planes, legal moves and pictures."""

    def __init__(self, game: Game | str) -> None:
        self.game = games.make(game) if isinstance(game, str) else game
        self.batch = Batch(self.game, 1)
        self.high = planes_of(self.game).high
        self._mask = self.batch.legal.view(np.int8)[0]
        self._planes = self.batch.planes[0]
        self._chosen = np.zeros(1, np.int64)
        self._moves: list[int] = []
        self._position = self.game.start()

    def begin(self, options: Mapping[str, Any] | None) -> None:
        """Begin a game, as the options of `reset` say: `moves` are played first."""
        moves = (options or {}).get("moves", ())
        position = self.game.position(moves)
        if position.over:
            raise Unsupported(f"the game is over ({position.reason}): there is nothing to play")
        self.set_up(position)

    def set_up(self, position: Position) -> None:
        """Go on from a position."""
        self._position = position
        self._moves.clear()
        self.batch.reset(start=position)

    def __reduce__(self) -> tuple[Any, ...]:
        """Pickle the position: a copy has arrays of its own."""
        return SingleGame, (self.game,), self.position

    __setstate__ = set_up

    @property
    def over(self) -> bool:
        """True if the game is over."""
        return bool(self.batch.over[0])

    @property
    def turn(self) -> int:
        """The player to move, 0 or 1."""
        return int(self.batch.turns[0])

    @property
    def position(self) -> Position:
        """The position with all moves that led to it; those since the last look are played now."""
        position, new = self._position, self._moves
        for move in new:
            position = position.play_code(move)
        new.clear()
        self._position = position
        return position

    def read(self, action: Any) -> int:
        """Return an action as the number of a move, or raise InvalidMove."""
        if type(action) is int:
            return action
        try:
            return index(action)
        except TypeError as error:
            raise InvalidMove(
                f"{action!r:.40} is not an action: write the number of a move,"
                f" 0 to {self.game.max_moves - 1}",
                repr(action),
            ) from error

    def is_legal(self, move: int) -> bool:
        """Return True for the number of a legal move."""
        return 0 <= move < self._mask.size and bool(self._mask[move])

    def play(self, move: int) -> None:
        """Play a move that `is_legal`."""
        self._chosen[0] = move
        self.batch.step(self._chosen)
        self._moves.append(move)

    def observe(self, player: int) -> dict[str, Array]:
        """Return what a player sees: the planes, and their legal moves if it is their turn."""
        if player == self.batch.turns[0]:
            return {"observation": self._planes.copy(), "action_mask": self._mask.copy()}
        planes = self.batch.seen_by(player)[0]
        return {"observation": planes, "action_mask": np.zeros_like(self._mask)}

    def space(self) -> spaces.Dict:
        """Return the space of what `observe` returns."""
        from gymnasium import spaces

        mask = spaces.Box(0, 1, (self.game.max_moves,), np.int8)
        planes = spaces.Box(np.zeros_like(self.high), self.high, dtype=np.uint8)
        return spaces.Dict({"observation": planes, "action_mask": mask})

    def render(self, mode: str | None) -> Array | str | None:
        """Draw the position: printed, as a text, or as an array of pixels."""
        if mode == "rgb_array":
            return pixels(self.position)
        if mode == "ansi":
            return str(self.position)
        if mode == "human":
            print(self.position, end="\n\n", flush=True)
        return None


def pixels(position: Position) -> Array:
    """Return the picture of a position, the whole board, as an array of red, green and blue."""
    from PIL import Image

    from plywise.views import draw_png

    file = draw_png(replace(scene_of(position), window=None), zoom=1.0)
    return np.asarray(Image.open(BytesIO(file)).convert("RGB"))


class Environment:
    """What environments for learning share: a game that is being played, and its picture."""

    def _open(self, game: Game | str, render_mode: str | None) -> None:
        """Set up the game; an unknown way to render is refused."""
        if render_mode is not None and render_mode not in RENDER_MODES:
            known = ", ".join(RENDER_MODES)
            raise SpecError(f"render_mode={render_mode!r} is not valid: choose from {known}")
        self._single = SingleGame(game)
        self.game = self._single.game
        self.render_mode = render_mode

    @property
    def position(self) -> Position:
        """The position, with the moves so far."""
        return self._single.position

    def render(self) -> Any:
        """Draw the position, as `render_mode` says; `human` prints it."""
        return self._single.render(self.render_mode)


class Chooser:
    """Chooses moves for a game: the agent of a spec, or an engine."""

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
