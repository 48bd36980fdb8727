"""Who sits at a board, and what they are told before a game."""

from __future__ import annotations

from pathlib import Path

import pytest

import plywise
from plywise.play.players import Player


@pytest.mark.parametrize(("number", "seed"), [(2, 5), (1, 7), (1, None)])
def test_who_it_is_and_the_seed_of_the_game_reach_a_program(
    tmp_path: Path, number: int, seed: int | None
) -> None:
    file = tmp_path / "first.py"
    file.write_text("def get_move(state, player):\n    return state.legal[0]\n")
    player = Player(str(file), plywise.game("tictactoe"), usual=1.0)
    player.sit_down(number, seed)
    assert player.program is not None
    assert (player.program.player, player.program.seed) == (number, seed or 0)
