"""Nets that learn from the measures of a game's rules."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

import plywise
from plywise.core.game import Game, Record
from plywise.engines.alphabeta import AlphaBeta
from plywise.engines.net import Net
from plywise.errors import SpecError
from plywise.jit import rule
from plywise.learn.learner import Learner, Settings
from plywise.learn.weights import usual_sizes

SMALL = Settings(positions=2000, hidden=8, patterns=False)


@rule
def lines(b: Record, s: Record, out: Record) -> None:
    """Write for each player the marks in the middle, in corners, and beside one another."""
    for place in range(9):
        who = s.marks[place]
        if who != 0:
            kind = 0 if place == 4 else 1 if place % 2 == 0 else 2
            out[3 * (who - 1) + kind] += 1


def game_with(verb: object) -> Game:
    kind = plywise.game("tictactoe").type
    return replace(kind, rules=replace(kind.rules, measures=verb))()


def test_how_many_measures_there_are_and_how_large() -> None:
    assert usual_sizes(plywise.game("tictactoe"), plywise.game("tictactoe").rules) == []
    game = game_with(lines)
    sizes = usual_sizes(game, game.rules)
    assert len(sizes) == 6
    assert all(1.0 <= size < 4.0 for size in sizes)


@pytest.mark.slow
def test_a_net_learns_from_measures_alone(tmp_path: Path) -> None:
    game, runs = game_with(lines), []
    for _ in range(2):
        learner = Learner(game, SMALL, threads=1)
        learner.run(rounds=12)
        runs.append(learner)
    one, two = runs
    assert one.last.training_error < 0.9 * one.rounds[1].training_error
    assert (one.weights.arrays["gauges"] == two.weights.arrays["gauges"]).all()
    measured = one.replay[-1].measures
    assert measured.shape[1] == 6
    assert measured.max() == 4  # corners
    file = tmp_path / "net.npz"
    file.write_bytes(one.net().to_bytes())
    again = Net.load(file, game)
    assert (again.weights["gauges"] == one.net().weights["gauges"]).all()
    assert AlphaBeta(game, depth=9, net=again).search(game.start()).outcome == "draw"
    first = AlphaBeta(game, depth=1, net=again).search(game.start())
    assert first.best in ("b2", "a1", "a3", "c1", "c3")  # and not at an edge, the weakest


def test_a_net_without_patterns_fits_every_board_of_its_game(tmp_path: Path) -> None:
    game = plywise.game("examples/domineering.py:rows=4,cols=4")
    file = tmp_path / "net.npz"
    file.write_bytes(Learner(game, SMALL).net().to_bytes())
    other = plywise.game("examples/domineering.py:rows=5,cols=4")
    assert AlphaBeta(other, depth=2, net=Net.load(file, other)).search(other.start()).best
    with pytest.raises(SpecError, match="is a net for domineering, not for tictactoe"):
        Net.load(file, plywise.game("tictactoe"))


def test_measures_that_do_not_fit_are_damaged(tmp_path: Path) -> None:
    game = plywise.game("examples/domineering.py:rows=4,cols=4")
    file = tmp_path / "net.npz"
    np.savez_compressed(file, **_arrays(Learner(game, SMALL).net(), file))
    Net.load(file, game)
    arrays = _arrays(Learner(game, SMALL).net(), file)
    np.savez_compressed(file, **{**arrays, "gauges": arrays["gauges"][:-1]})
    with pytest.raises(SpecError, match="is a damaged net"):
        Net.load(file, game)


def _arrays(net: Net, file: Path) -> dict[str, np.ndarray]:
    file.write_bytes(net.to_bytes())
    return dict(np.load(file))


def test_without_patterns_and_measures_there_is_nothing_to_learn_from() -> None:
    with pytest.raises(SpecError, match="tictactoe has no measures"):
        Learner(plywise.game("tictactoe"), SMALL)
