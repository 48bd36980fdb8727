"""PettingZoo: its own checks, and what they do not look at."""

from __future__ import annotations

import pickle
import random
from functools import partial

import numpy as np
import pytest

import plywise
from plywise import InvalidMove, SpecError, Unsupported
from plywise.kit import features, write_features
from tests.adapters.cases import every_game
from tests.awkward.coins import coin_row

pytest.importorskip("pettingzoo")

from pettingzoo.test import api_test, render_test, seed_test

from plywise.adapters.pettingzoo import AGENTS, GameEnv, env

pytestmark = pytest.mark.filterwarnings("ignore::UserWarning")


@pytest.mark.slow
@every_game
def test_the_checks_of_pettingzoo(spec: str, capsys: pytest.CaptureFixture[str]) -> None:
    api_test(env(spec), num_cycles=1000)
    seed_test(partial(env, spec), num_cycles=50)
    render_test(partial(env, spec))
    assert "Passed API test" in capsys.readouterr().out


def test_a_game_without_a_look(capsys: pytest.CaptureFixture[str]) -> None:
    game = coin_row(9, 1)
    api_test(env(game), num_cycles=100)
    render_test(partial(env, game))
    assert "Passed API test" in capsys.readouterr().out


def play(game: GameEnv, rng: random.Random) -> list[int]:
    """Play a random game; return its moves."""
    moves = []
    for _ in game.agent_iter():
        observation, _, over, _, _ = game.last()
        assert observation is not None
        legal = np.flatnonzero(observation["action_mask"])
        if not over:
            moves.append(int(rng.choice(legal)))
        game.step(None if over else moves[-1])
    return moves


@every_game
def test_what_agents_see(spec: str) -> None:
    game, rng = env(spec), random.Random(2)
    game.reset()
    position = game.game.start()
    for agent in game.agent_iter(40):
        for player, name in enumerate(AGENTS):
            seen = game.observe(name)
            planes = np.empty((1, *seen["observation"].shape), np.uint8)
            write_features(game.game, position.states, planes, np.array([player]))
            assert (seen["observation"] == planes[0]).all()
            own = position.legal_codes if name == agent else ()
            assert np.flatnonzero(seen["action_mask"]).tolist() == sorted(own)
        assert agent == AGENTS[position.turn]
        assert (game.state() == features(position).astype(np.uint8)).all()
        move = rng.choice(position.legal_codes)
        game.step(move)
        position = position.play_code(move)
        if position.over:
            break
    assert game.render() is None


def test_rewards_and_the_end() -> None:
    game = env("connect4")
    game.reset(options={"moves": "121212"})
    assert game.agent_selection == "player_0"
    game.step(0)
    assert game.rewards == {"player_0": 1, "player_1": -1}
    assert game.last()[1:4] == (-1, True, False)
    assert game.agent_selection == "player_1"
    game.step(None)
    assert game.last()[1:4] == (1, True, False)
    game.step(None)
    assert game.agents == []
    with pytest.raises(Unsupported, match=r"there is no game to play: call reset\(\) first"):
        game.step(0)


def test_a_player_who_moves_twice() -> None:
    game = env("./examples/kalah.py")
    game.reset()
    game.step(2)  # the last seed falls into the own store
    assert game.agent_selection == "player_0"


def test_an_illegal_move_loses_the_game() -> None:
    game = env("tictactoe")
    for action in (4, -1, 9, np.int64(4)):
        game.reset()
        game.step(np.int32(4))
        game.step(action)
        assert game.terminations == {"player_0": True, "player_1": True}
        assert game.rewards == {"player_0": 0, "player_1": -1}
        assert game.infos == {"player_0": {}, "player_1": {"illegal": int(action)}}
        assert game.last()[1] == 0
        game.step(None)
        assert game.last()[1] == -1
    for wrong in (None, 1.5, "4", [4]):
        game.reset()
        with pytest.raises(InvalidMove, match="is not an action: write the number of a move"):
            game.step(wrong)  # type: ignore[arg-type]


def test_the_position_is_played_when_it_is_looked_at() -> None:
    game = env("connect4", render_mode="ansi")
    game.reset(options={"moves": "44"})
    game.step(2)
    game.step(2)
    assert game.render() == str(game.game.position("4433"))
    game.step(1)
    assert game.position.moves == tuple("44332")
    game.reset()
    assert game.position == game.game.start()


def test_pictures_have_one_size() -> None:
    game = env("andantino:side=5", render_mode="rgb_array")
    game.reset()
    shapes = set()
    for _ in range(4):
        picture = game.render()
        assert isinstance(picture, np.ndarray)
        shapes.add(picture.shape)
        game.step(int(game.observe(game.agent_selection)["action_mask"].argmax()))
    assert len(shapes) == 1


def test_spaces_tell_pieces_from_numbers() -> None:
    high = env("align").observation_space("player_0")["observation"].high  # type: ignore[index]
    assert [int(plane.max()) for plane in high] == [1, 1, 255, 255, 1]


def test_mistakes() -> None:
    with pytest.raises(SpecError, match="render_mode='tv' is not valid: choose from human, ansi"):
        env("tictactoe", render_mode="tv")
    with pytest.raises(Unsupported, match="the game is over"):
        env("connect4").reset(options={"moves": "1212121"})
    with pytest.raises(SpecError, match="there is no game 'chess'"):
        env("chess")
    with pytest.raises(TypeError, match="needs a game"):
        env(3)  # type: ignore[arg-type]


def test_a_game_that_goes_on_in_another_process() -> None:
    game, rng = env("connect4"), random.Random(1)
    game.reset()
    game.step(3)
    again = pickle.loads(pickle.dumps(game))
    assert again.position == game.position
    assert play(again, rng) == play(game, random.Random(1))
    assert str(game) == "connect4_v0"
    assert env(plywise.game("connect4:rows=7")).game.spec == "connect4:rows=7"
