"""Games as PettingZoo environments: `env("connect4")`, `env("./mygame.py")`.

The two agents are `player_0` and `player_1`. An action is the number of a move. An observation has
the planes of the position, seen by the agent, and the mask of its legal moves:

    {"observation": uint8 planes, "action_mask": int8}

The winner gets 1 and the loser -1. An illegal move ends the game: it costs its player 1, as in
PettingZoo's own games. The environment checks that itself, so that it needs none of PettingZoo's
wrappers, which take longer than the game.
"""

from __future__ import annotations

from typing import Any

from plywise.adapters.common import RENDER_MODES, Array, Environment, missing
from plywise.core.game import Game
from plywise.errors import Unsupported

try:
    from gymnasium import spaces
    from pettingzoo import AECEnv
except ImportError as error:
    raise missing("pettingzoo") from error

AGENTS = ("player_0", "player_1")
ILLEGAL = -1  #: the reward for an illegal move


def env(game: Game | str, render_mode: str | None = None) -> GameEnv:
    """Return an environment for a game or its spec.

    >>> from plywise.adapters import pettingzoo
    >>> env = pettingzoo.env("tictactoe")
    >>> env.reset(seed=1)
    >>> for agent in env.agent_iter():
    ...     observation, reward, termination, truncation, info = env.last()
    ...     over = termination or truncation
    ...     mask = observation["action_mask"]
    ...     env.step(None if over else int(mask.nonzero()[0][0]))
    >>> agent, reward
    ('player_0', 1)
    """
    return GameEnv(game, render_mode)


class GameEnv(Environment, AECEnv):  # type: ignore[misc]  # PettingZoo has no types
    """A game of two agents that take turns, as the rules say."""

    def __init__(self, game: Game | str, render_mode: str | None = None) -> None:
        super().__init__()
        self._open(game, render_mode)
        self.metadata = {
            "name": f"{self.game.name}_v0",
            "render_modes": list(RENDER_MODES),
            "is_parallelizable": False,
            "render_fps": 2,
        }
        self.possible_agents = list(AGENTS)
        self.agents: list[str] = []
        self.observation_spaces = {agent: self._single.space() for agent in AGENTS}
        self.action_spaces = {agent: spaces.Discrete(self.game.max_moves) for agent in AGENTS}

    def observation_space(self, agent: str) -> spaces.Space[Any]:
        """Return the space of an agent's observations."""
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> spaces.Space[Any]:
        """Return the space of an agent's actions: the numbers of all moves."""
        return self.action_spaces[agent]

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Begin a game; `options={"moves": "4453"}` begins it after these moves.

        Nothing in a game is random, so the seed changes nothing.
        """
        self._single.begin(options)
        self.agents = list(AGENTS)
        self.rewards = dict.fromkeys(AGENTS, 0)
        self._cumulative_rewards = dict.fromkeys(AGENTS, 0)
        self.terminations = dict.fromkeys(AGENTS, False)
        self.truncations = dict.fromkeys(AGENTS, False)
        self.infos: dict[str, dict[str, Any]] = {agent: {} for agent in AGENTS}
        self.agent_selection = AGENTS[self._single.turn]
        self._skip_agent_selection = None
        if self.render_mode == "human":
            self.render()

    def observe(self, agent: str) -> dict[str, Array]:
        """Return what an agent sees; only the one to move has legal moves."""
        return self._single.observe(AGENTS.index(agent))

    def state(self) -> Array:
        """Return the planes of the position, seen by the player to move."""
        return self._single.observe(self._single.turn)["observation"]

    def step(self, action: int | None) -> None:
        """Play a move for the agent whose turn it is; None once the game is over."""
        if not self.agents:
            raise Unsupported("there is no game to play: call reset() first")
        agent = self.agent_selection
        if self.terminations[agent]:
            self._was_dead_step(action)
            return
        first, second = self._play(agent, action)
        self.rewards["player_0"], self.rewards["player_1"] = first, second
        if self.terminations[agent]:
            self._cumulative_rewards["player_0"] += first
            self._cumulative_rewards["player_1"] += second
        if self.render_mode == "human":
            self.render()

    def _play(self, agent: str, action: int | None) -> tuple[int, int]:
        """Play a move; return the rewards of both players."""
        single = self._single
        move = single.read(action)
        if not single.is_legal(move):
            self.terminations = dict.fromkeys(AGENTS, True)
            self.infos[agent]["illegal"] = move
            self.agent_selection = AGENTS[1 - AGENTS.index(agent)]
            return (ILLEGAL, 0) if agent == "player_0" else (0, ILLEGAL)
        single.play(move)
        if not single.over:
            self.agent_selection = AGENTS[single.turn]
            return 0, 0
        self.terminations = dict.fromkeys(AGENTS, True)
        self.agent_selection = AGENTS[1 - AGENTS.index(agent)]
        first, second = single.batch.rewards[0].astype(int).tolist()
        return first, second

    def close(self) -> None:
        """Release nothing: there is no window."""
