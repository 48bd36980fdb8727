"""Gymnasium: its own checks, who begins, who answers, what a mistake costs."""

from __future__ import annotations

import pickle
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import plywise
from plywise import Game, InvalidMove, SpecError, Unsupported
from tests.adapters.cases import FILE, every_game
from tests.awkward import EXAMPLES
from tests.awkward.coins import coin_row

pytest.importorskip("gymnasium")

import gymnasium
from gymnasium.utils.env_checker import check_env

from plywise.adapters.gymnasium import GameEnv


@pytest.mark.slow
@every_game
@pytest.mark.filterwarnings("error")
def test_the_checks_of_gymnasium(spec: str) -> None:
    name = "game" if spec == FILE else spec
    more = {"game": spec} if spec == FILE else {}
    env = gymnasium.make(f"plywise/{name}-v0", opponent="random", **more)
    check_env(env.unwrapped)


def play(env: Any, seed: int) -> tuple[list[int], float]:
    """Play a game; return all its moves and the reward."""
    observation, info = env.reset(seed=seed)
    rng, over, reward = np.random.default_rng(seed), False, 0.0
    while not over:
        assert reward == 0
        assert env.unwrapped.position.to_move == info["player"]
        legal = np.flatnonzero(observation["action_mask"])
        assert env.unwrapped.action_masks().nonzero()[0].tolist() == legal.tolist()
        observation, reward, over, _, _ = env.step(int(rng.choice(legal)))
    return env.unwrapped.position.moves, reward


def test_games_depend_on_the_seed_alone() -> None:
    env = gymnasium.make("plywise.adapters.gymnasium:plywise/connect4-v0")
    games = [play(env, seed) for seed in range(12)]
    again = gymnasium.make("plywise/connect4-v0")
    assert [play(again, seed) for seed in reversed(range(12))] == games[::-1]
    assert {reward for _, reward in games} == {1.0, -1.0}


def test_both_sides_and_a_strong_opponent() -> None:
    for player in (1, 2):
        env = GameEnv("tictactoe", "alphabeta:depth=9", player)
        _, info = env.reset(seed=3)
        assert info == {"player": player}
        assert len(env.position.moves) == player - 1
        for seed in range(4):
            moves, reward = play(env, seed)
            winner = env.game.position(moves).winner
            assert reward == {0: 0, player: 1}.get(winner or 0, -1) <= 0
        with pytest.raises(Unsupported, match="there is no game to play"):
            env.step(0)
    tossed = {GameEnv("tictactoe").reset(seed=seed)[1]["player"] for seed in range(8)}
    assert tossed == {1, 2}


def test_an_opponent_may_move_twice() -> None:
    env = GameEnv(FILE, "random", 2)
    env.reset(seed=1)
    assert env.position.turn == 1
    seeds = range(20)
    assert any(len((env.reset(seed=seed), env.position)[1].moves) > 1 for seed in seeds)


@pytest.mark.parametrize("game", [coin_row(9, 3), "dots:dots=3", "othello:side=4"], ids=str)
def test_awkward_games(game: Game | str) -> None:
    """Whoever moves twice or passes, the learner is asked on its turns, and paid at the end."""
    if isinstance(game, str):
        game = f"{EXAMPLES / game.partition(':')[0]}.py:{game.partition(':')[2]}"
    for player in (1, 2):
        env = GameEnv(game, "random", player)
        for seed in range(5):
            moves, reward = play(env, seed)
            assert reward == {0: 0, player: 1}.get(env.game.position(moves).winner or 0, -1)


def test_any_engine_may_be_the_opponent() -> None:
    game = plywise.game("tictactoe")
    env = GameEnv(game, plywise.engine("alphabeta:depth=4", game), 1)
    env.reset(options={"moves": "a1 b2 a2 c1"})
    env.step(game.position("a1 b2 a2 c1").code_of("b1"))
    assert env.position.winner == 2
    with pytest.raises(SpecError, match="3 is not an agent: write a spec"):
        GameEnv(game, 3)  # type: ignore[arg-type]


def test_a_file_as_the_opponent(tmp_path: Path) -> None:
    agent = tmp_path / "first.py"
    agent.write_text("def get_move(state, player):\n    return state.legal[0]\n")
    env = GameEnv("tictactoe", str(agent), 1)
    env.reset()
    env.step(8)
    assert env.position.moves == ("c3", "a1")
    env.close()


def test_an_illegal_action_loses() -> None:
    env = GameEnv("connect4:rows=1", "random", 1)
    env.reset(seed=1)
    env.step(3)
    _, reward, over, cut, info = env.step(3)
    assert (reward, over, cut, info) == (-1.0, True, False, {"player": 1, "illegal": 3})
    with pytest.raises(Unsupported, match=r"there is no game to play: call reset\(\) first"):
        env.step(0)
    env.reset()
    with pytest.raises(InvalidMove, match="'4' is not an action: write the number of a move"):
        env.step("4")  # type: ignore[arg-type]
    with pytest.raises(Unsupported, match="the game is over"):
        env.reset(options={"moves": "1234567"})


@pytest.mark.parametrize(
    ("given", "words"),
    [
        ({"player": 3}, "player=3 is not valid: choose from 1, 2 and None"),
        ({"opponent": "human"}, "human cannot play here"),
        ({"opponent": "nobody"}, "there is no agent 'nobody' for tictactoe"),
        ({"render_mode": "tv"}, "render_mode='tv' is not valid"),
    ],
)
def test_mistakes(given: dict[str, Any], words: str) -> None:
    with pytest.raises(SpecError, match=words):
        GameEnv("tictactoe", **given)


def test_several_at_once() -> None:
    env = gymnasium.make_vec("plywise/connect4-v0", num_envs=3, vectorization_mode="sync")
    observation, _ = env.reset(seed=1)
    assert observation["observation"].shape == (3, 3, 6, 7)
    assert env.step(np.full(3, 3))[1].tolist() == [0, 0, 0]


def test_pictures_and_copies(capsys: pytest.CaptureFixture[str]) -> None:
    env = GameEnv("tictactoe", player=1, render_mode="human")
    env.reset(seed=1)
    env.step(4)
    assert capsys.readouterr().out.count("\n\n") == 3
    again = pickle.loads(pickle.dumps(env))
    assert again.position == env.position
    picture = GameEnv("tictactoe", render_mode="rgb_array")
    picture.reset()
    assert picture.render().shape[2] == 3
