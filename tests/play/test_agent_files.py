"""Agents that are Python files."""

from __future__ import annotations

import pytest

import plywise
from plywise.play.agents import make_agent


@pytest.fixture
def agent(tmp_path):
    def make(body, game="connect4"):
        file = tmp_path / "agent.py"
        file.write_text(f"def get_move(state, player):\n    {body}\n", encoding="utf-8")
        return make_agent(str(file), plywise.game(game))

    return make


def best(agent, moves=""):
    return agent.search(agent.game.position(moves)).best


def test_names_and_files_share_one_door(agent):
    game = plywise.game("tictactoe")
    assert make_agent("minimax:depth=2", game).name == "minimax:depth=2"
    assert agent("return '4'").name.endswith("agent.py")


def test_the_state_is_a_position_and_the_player_a_number(agent):
    body = "return state.legal[player] if state.to_move == player else None"
    assert best(agent(body)) == "2"
    assert best(agent(body), "4") == "3"


@pytest.mark.parametrize("answer", ["4", "'4'", "' 4 '"])
def test_numbers_and_texts_are_moves(agent, answer):
    assert best(agent(f"return {answer}")) == "4"


def test_its_time_is_measured(agent):
    slow = agent("import time; time.sleep(0.02); return 1")
    assert slow.search(slow.game.start()).seconds >= 0.02


def test_it_can_use_plywise_itself(agent):
    body = "import plywise; return plywise.engine('minimax:depth=1', state.game).search(state).best"
    assert best(agent(body), "121212") == "1"


def test_a_full_column_is_refused_with_the_name_of_the_file(agent):
    with pytest.raises(plywise.AgentError, match=r"agent\.py answered nonsense: '4' is not legal"):
        best(agent("return 4"), "444444")
