"""Games in OpenSpiel, its bots here, and our agents as its bots.

    import pyspiel
    from plywise.adapters import openspiel
    game = pyspiel.load_game("plywise_connect4(rows=7)")    # every registered game
    game = openspiel.load("./mygame.py")                    # any game, by its spec
    bot = openspiel.EngineBot("alphabeta:depth=6", game)    # one of our agents as a pyspiel.Bot
    engine = openspiel.BotEngine(make_bot, game.game)       # one of their bots as an engine

An action is the number of a move. In a game of points the returns are the margin, else 1, 0 and -1.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cache, partial
from typing import Any

import numpy as np

from plywise import games
from plywise.adapters.common import Chooser, missing
from plywise.core.analysis import Analysis, Limits, OnInfo, Stop
from plywise.core.engine import Engine
from plywise.core.game import Game, GameType
from plywise.core.position import Position
from plywise.core.spec import Spec
from plywise.engines.batch import planes_of
from plywise.engines.driver import NO_LIMITS
from plywise.errors import AgentError, Unsupported

try:
    import pyspiel
    from open_spiel.python.observation import IIGObserverForPublicInfoGame
except ImportError as error:
    raise missing("open_spiel") from error

PREFIX = "plywise_"  #: of the names of games in OpenSpiel

_kinds: dict[str, GameType] = {}  #: what is registered, by its name in OpenSpiel


# ---- games ---------------------------------------------------------------------------------------


def load(game: Game | str) -> SpielGame:
    """Return a game, or the game of a spec, as a game of OpenSpiel.

    >>> state = load("tictactoe:rows=4,k=3").new_initial_state()
    >>> state.apply_action(5)
    >>> state.current_player(), state.action_to_string(6)
    (1, 'c2')
    """
    ours = games.make(game) if isinstance(game, str) else game
    name = register(ours.type)
    defaults = {parameter.name: parameter.default for parameter in ours.type.parameters}
    changed = {key: value for key, value in ours.params.items() if value != defaults[key]}
    loaded: SpielGame = pyspiel.load_game(name, changed)
    return loaded


def register(kind: GameType) -> str:
    """Register a game in OpenSpiel and return its name there.

    A second game of the same name, such as a file that has been edited, gets a number behind it.
    """
    name, number = PREFIX + kind.name, 1
    while _kinds.get(name, kind) is not kind:
        number += 1
        name = f"{PREFIX}{kind.name}_{number}"
    if name not in _kinds:
        _kinds[name] = kind
        # OpenSpiel keeps a class to the end of the process; with a function it would crash then.
        pyspiel.register_game(_type_of(name, kind), type(name, (SpielGame,), {"short_name": name}))
    return name


def _type_of(name: str, kind: GameType) -> Any:
    """Return the facts about a game, as OpenSpiel wants them."""
    return pyspiel.GameType(
        short_name=name,
        long_name=kind.title,
        dynamics=pyspiel.GameType.Dynamics.SEQUENTIAL,
        chance_mode=pyspiel.GameType.ChanceMode.DETERMINISTIC,
        information=pyspiel.GameType.Information.PERFECT_INFORMATION,
        utility=pyspiel.GameType.Utility.ZERO_SUM,
        reward_model=pyspiel.GameType.RewardModel.TERMINAL,
        max_num_players=2,
        min_num_players=2,
        provides_information_state_string=True,
        provides_information_state_tensor=False,
        provides_observation_string=True,
        provides_observation_tensor=True,
        parameter_specification={
            each.name: each.kind() if each.default is None else each.default
            for each in kind.parameters
        },
    )


def _spec_of(kind: GameType, params: Mapping[str, Any]) -> Spec:
    """Return OpenSpiel's parameters as a spec."""
    empty = {each.name: each.kind() for each in kind.parameters if each.default is None}
    given = {
        key: ("yes" if value else "no") if isinstance(value, bool) else str(value)
        for key, value in params.items()
        if key not in empty or value != empty[key]
    }
    return Spec(kind.name, given)


class SpielGame(pyspiel.Game):  # type: ignore[misc]  # pyspiel has no types
    """A game of plywise in OpenSpiel; `game` is the game itself."""

    short_name = ""  #: of the class for each kind of game

    def __init__(self, params: Mapping[str, Any] | None = None) -> None:
        kind = _kinds[self.short_name]
        self.game: Game = kind(_spec_of(kind, params or {}))
        most = float(kind.points or 1)
        info = pyspiel.GameInfo(
            num_distinct_actions=self.game.max_moves,
            max_chance_outcomes=0,
            num_players=2,
            min_utility=-most,
            max_utility=most,
            utility_sum=0.0,
            max_game_length=self.game.max_plies,
        )
        super().__init__(_type_of(self.short_name, kind), info, dict(params or {}))

    def __reduce__(self) -> tuple[Any, ...]:
        """Pickle the game itself, which may come from a file."""
        return load, (self.game,)

    def new_initial_state(self, state: Any = None) -> SpielState:
        """Return the start of the game."""
        return SpielState(self)

    def make_py_observer(self, iig_obs_type: Any = None, params: Any = None) -> Any:
        """Return what shows states to players: planes, or the history if all is to be recalled."""
        if iig_obs_type is None or (iig_obs_type.public_info and not iig_obs_type.perfect_recall):
            return Observer(self.game, params)
        return IIGObserverForPublicInfoGame(iig_obs_type, params)


class SpielState(pyspiel.State):  # type: ignore[misc]
    """A state of OpenSpiel around a position."""

    def __init__(self, game: SpielGame) -> None:
        super().__init__(game)
        self.position: Position = game.game.start()

    def __reduce__(self) -> tuple[Any, ...]:
        """Pickle the game and its history."""
        return _resume, (self.get_game().game, self.history())

    def current_player(self) -> int:
        """Return the player to move, 0 or 1, or that the game is over."""
        return int(pyspiel.PlayerId.TERMINAL) if self.position.over else self.position.turn

    def _legal_actions(self, player: int) -> list[int]:
        return sorted(self.position.legal_codes)

    def _apply_action(self, action: int) -> None:
        if action not in self.position.legal_codes:
            raise Unsupported(f"{action} is not a legal action: {self.legal_actions()} are")
        self.position = self.position.play_code(action)

    def _action_to_string(self, player: int, action: int) -> str:
        return self.position.text_of(action)

    def is_terminal(self) -> bool:
        """Return True if the game is over."""
        return self.position.over

    def returns(self) -> list[float]:
        """Return what both players have won."""
        margin = float(self.position.margin or 0)
        return [margin, -margin]

    def __str__(self) -> str:
        return str(self.position)


def _resume(game: Game, history: list[int]) -> SpielState:
    """Make a pickled state again."""
    state = load(game).new_initial_state()
    for action in history:
        state.apply_action(action)
    return state


class Observer:
    """Shows a state to a player, as OpenSpiel's observers do: planes of floats, or a text."""

    def __init__(self, game: Game, params: Any = None) -> None:
        if params:
            raise ValueError(f"observation parameters are not supported: {params}")
        self._planes = planes_of(game)
        self.tensor = np.zeros(int(np.prod(self._planes.shape)), np.float32)
        self.dict = {"observation": self.tensor.reshape(self._planes.shape)}

    def set_from(self, state: SpielState, player: int) -> None:
        """Write a state, seen by a player, into `tensor` and `dict`."""
        planes = self.dict["observation"][None]
        self._planes.write(state.position.states, np.array([player], np.uint8), planes)

    def string_from(self, state: SpielState, player: int) -> str:
        """Return a state as a text, the same for both players."""
        return state.position.text


# ---- agents --------------------------------------------------------------------------------------


class EngineBot(pyspiel.Bot):  # type: ignore[misc]
    """One of our agents, by its spec or as an engine, for a game that `load` returned."""

    def __init__(self, agent: str | Engine, game: SpielGame) -> None:
        super().__init__()
        self._chooser = Chooser(agent, game.game)

    def step(self, state: SpielState) -> int:
        """Return the agent's move in a state."""
        return self._chooser.choose(state.position)

    def step_with_policy(self, state: SpielState) -> tuple[list[tuple[int, float]], int]:
        """Return the agent's move, as a policy too."""
        move = self.step(state)
        return [(action, float(action == move)) for action in state.legal_actions()], move

    def restart_at(self, state: SpielState) -> None:
        """Forget nothing, as nothing was learned."""


class BotEngine:
    """A bot of OpenSpiel as an engine: `make_bot(game)` returns the bot for a game of OpenSpiel."""

    def __init__(self, make_bot: Callable[[SpielGame], Any], game: Game) -> None:
        self.game = load(game)
        self.bot = make_bot(self.game)
        self.name = type(self.bot).__name__
        self._played: list[int] = []  # what the bot knows of the game

    def search(
        self,
        position: Position,
        limits: Limits = NO_LIMITS,
        on_info: OnInfo | None = None,
        stop: Stop | None = None,
        *,
        lines: bool = False,
    ) -> Analysis:
        """Ask the bot for its move; it has limits of its own."""
        state = self._told(position)
        move = int(self.bot.step(state))
        if move not in position.legal_codes:
            raise AgentError(f"{self.name} made an illegal move: {move}")
        self._played.append(move)
        best = position.text_of(move)
        return Analysis(best, 0.0, 0.0, pv=(best,))

    def _told(self, position: Position) -> Any:
        """Return the state of a position; the bot is told what has been played since its move."""
        history = position.history
        state = self.game.new_initial_state()
        state.position = history[0]
        played = [int(each.last) for each in history[1:] if each.last is not None]
        if played[: len(self._played)] != self._played:
            self.bot.restart()
            self._played = []
        for number, move in enumerate(played):
            if number >= len(self._played):
                self.bot.inform_action(state, state.current_player(), move)
            state.apply_action(move)
        self._played = played
        return state


def agent(make_bot: Callable[[SpielGame], Any]) -> Callable[[Position, int], str]:
    """Return the `get_move` of an agent file, which plays as a bot of OpenSpiel."""
    engine = cache(partial(BotEngine, make_bot))

    def get_move(state: Position, player: int) -> str:
        return str(engine(state.game).search(state).best)

    return get_move


for _name in games.names():
    register(games.find(_name))
