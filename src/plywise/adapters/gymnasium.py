"""Games as Gymnasium environments: one side against an agent of your choice.

    import gymnasium
    import plywise.adapters.gymnasium
    env = gymnasium.make("plywise/connect4-v0", opponent="alphabeta:depth=4")

Every registered game has an id such as `plywise/connect4-v0`; `plywise/game-v0` takes any game as
`game=`, also one from a file. Observations, actions and rewards are as in PettingZoo: planes seen
by the learner and a mask, the number of a move, and 1 for a win or -1 for a loss. An illegal action
ends the game and costs 1.
"""

from __future__ import annotations

from typing import Any

from plywise import games
from plywise.adapters.common import RENDER_MODES, Array, Chooser, Environment, missing
from plywise.core.engine import Engine
from plywise.core.game import Game
from plywise.errors import SpecError, Unsupported

try:
    import gymnasium
    from gymnasium import spaces
except ImportError as error:
    raise missing("gymnasium") from error

ILLEGAL = -1.0  #: the reward for an illegal action
SIDES = (1, 2, None)  #: which player the learner is; None for a new toss in every game


class GameEnv(Environment, gymnasium.Env[Any, Any]):
    """A game against an opponent, who moves as part of `reset` and `step`.

    `opponent` is the spec of an agent, or an engine. `player` is 1 if the learner begins, 2 if the
    opponent does, and None if that is tossed for in every game.
    """

    metadata = {  # noqa: RUF012 - as Gymnasium declares it
        "render_modes": list(RENDER_MODES),
        "render_fps": 2,
    }

    def __init__(
        self,
        game: Game | str,
        opponent: str | Engine = "random",
        player: int | None = None,
        render_mode: str | None = None,
    ) -> None:
        self._open(game, render_mode)
        if player not in SIDES:
            raise SpecError(f"player={player!r} is not valid: choose from 1, 2 and None")
        self.player = player
        self.opponent = Chooser(opponent, self.game)
        self.action_space = spaces.Discrete(self.game.max_moves)
        self.observation_space = self._single.space()
        self._side = 0
        self._begun = False

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[dict[str, Array], dict[str, Any]]:
        """Begin a game; `options={"moves": "4453"}` begins it after these moves.

        The seed decides who begins, if that is tossed for, and what a random opponent plays.
        """
        super().reset(seed=seed)
        seeds = self.np_random.integers(2**31, size=2)
        self._side = int(seeds[0]) % 2 if self.player is None else self.player - 1
        self.opponent.reseed(str(seeds[1]))
        self._single.begin(options)
        self._begun = True
        self._answer()
        return self._seen(), self._info()

    def step(self, action: int) -> tuple[dict[str, Array], float, bool, bool, dict[str, Any]]:
        """Play a move, and the opponent's answer."""
        single = self._single
        if not self._begun:
            raise Unsupported("there is no game to play: call reset() first")
        move = single.read(action)
        if not single.is_legal(move):
            self._begun = False
            return self._seen(), ILLEGAL, True, False, {**self._info(), "illegal": move}
        single.play(move)
        if self.render_mode == "human":
            self.render()
        self._answer()
        self._begun = not single.over
        reward = float(single.batch.rewards[0, self._side]) if single.over else 0.0
        return self._seen(), reward, single.over, False, self._info()

    def action_masks(self) -> Array:
        """Return True for every legal action, as MaskablePPO of sb3-contrib asks for it."""
        legal: Array = self._single.batch.legal[0].copy()
        return legal

    def close(self) -> None:
        """Stop the opponent, if it runs in a process of its own."""
        self.opponent.close()

    def _answer(self) -> None:
        """Have the opponent move until it is the learner's turn."""
        single = self._single
        while not single.over and single.turn != self._side:
            single.play(self.opponent.choose(single.position))
        if self.render_mode == "human":
            self.render()

    def _seen(self) -> dict[str, Array]:
        return self._single.observe(self._side)

    def _info(self) -> dict[str, Any]:
        return {"player": self._side + 1}


def register() -> None:
    """Register an id for every game that plywise knows now, such as `plywise/NAME-v0`."""
    here = f"{__name__}:GameEnv"
    if "plywise/game-v0" not in gymnasium.registry:
        gymnasium.register("plywise/game-v0", here)
    for name in games.names():
        if f"plywise/{name}-v0" not in gymnasium.registry:
            gymnasium.register(f"plywise/{name}-v0", here, kwargs={"game": name})


register()
