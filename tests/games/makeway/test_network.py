"""The resistance of the network: by hand, and kept through a game against measured afresh."""

from __future__ import annotations

import random
from typing import Any

import numpy as np
import pytest

import plywise
from plywise.core.rules import Rules
from plywise.games.makeway import rules
from plywise.games.makeway.solver.moves import change_network, measure_network, resistance
from plywise.jit import kernel

DIAMOND = "makeway:board=0/3_2/1_2/5_4/3:0-1_0-2_1-3_2-3"


@kernel
def flowing(setup: Any, play: Any, measure_network: Any) -> Any:
    """Play a game; every player's resistance after each move, kept and measured afresh."""

    def flow(boards: Any, states: Any, nets: Any, place: Any, moves: Any, found: Any) -> None:
        b, s = boards[0], states[0]
        setup(b, s)
        for player in range(2):
            measure_network(b, s, player, place, nets[0, player])
        for ply in range(moves.size):
            mover = s.turn
            play(b, s, moves[ply])
            for player in range(2):
                old, new = nets[ply & 1, player], nets[1 - (ply & 1), player]
                change_network(b, old, new, moves[ply], player == mover)
                found[ply, player, 0] = resistance(b, new)
                measure_network(b, s, player, place, nets[2, player])
                found[ply, player, 1] = resistance(b, nets[2, player])

    return flow


def resistances(game: plywise.Game, moves: list[int]) -> Any:
    """[ply, player]: kept and afresh."""
    dots = int(game.board.dots)
    found = np.zeros((len(moves), 2, 2))
    states = np.zeros(1, game.start().state.dtype)
    flow = flowing.build(Rules.of(rules), measure_network=measure_network)
    flow(
        game.boards,
        states,
        np.zeros((3, 2, dots, dots)),
        np.zeros(dots, np.int32),
        np.array(moves, np.int32),
        found,
    )
    return found


def test_two_ways_of_two_lines_resist_one() -> None:
    """A claim leaves one line on that way; the other has only the way below."""
    (first,) = resistances(plywise.game(DIAMOND), [0])
    assert first[0] == pytest.approx([2 / 3, 2 / 3], rel=1e-3)
    assert first[1] == pytest.approx([2, 2], rel=1e-3)


@pytest.mark.parametrize("seed", range(10))
def test_networks_kept_through_a_game_are_those_measured_afresh(seed: int) -> None:
    rng = random.Random(seed)
    game = plywise.game(f"makeway:dots={rng.randint(3, 25)},seed={seed}")
    lines = int(game.board.lines)
    found = resistances(game, rng.sample(range(lines), lines))
    assert found[:, :, 0] == pytest.approx(found[:, :, 1], rel=1e-3)
