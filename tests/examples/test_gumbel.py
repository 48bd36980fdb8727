"""The example of Gumbel AlphaZero: its search, its games, and a short run with PyTorch."""

from __future__ import annotations

import json
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from examples.gumbel.exam import Exam, search
from examples.gumbel.selfplay import SelfPlay
from examples.gumbel.symmetry import symmetries
from examples.gumbel.trees import ROOT, Array, Trees, halving, search_kernel

import plywise
from plywise.kit import features
from plywise.play.grade import labelled

SMALL = "connect4:rows=4,cols=4"


def knows_nothing(planes: Array) -> tuple[Array, Array]:
    return np.zeros((len(planes), 9), np.float32), np.zeros(len(planes), np.float32)


def guesses(moves: int) -> Any:
    """Answer at random, but the same planes in the same way."""
    weights = np.random.default_rng(1).normal(size=(1000, moves + 1))

    def answer(planes: Array) -> tuple[Array, Array]:
        flat = planes.reshape(len(planes), -1)
        found = np.sin(flat @ weights[: flat.shape[1]])
        return found[:, :-1].astype(np.float32), found[:, -1].astype(np.float32)

    return answer


def test_sequential_halving_spends_every_simulation() -> None:
    assert halving(4, 8)[4].tolist() == [0, 0, 0, 0, 1, 1, 2, 2]
    assert halving(4, 8)[1].tolist() == list(range(8))
    for row in halving(16, 50)[2:]:
        visits = {0: 99}
        for wanted in row.tolist():  # some move with so many visits gets another one
            assert visits.get(wanted, 0) > 0
            visits[wanted] -= 1
            visits[wanted + 1] = visits.get(wanted + 1, 0) + 1


def test_a_search_finds_and_proves_a_win() -> None:
    #   x x .
    #   o o .   x to move wins with c3, o threatens c2
    #   . . .
    game = plywise.game("tictactoe")
    position = game.position("a3 a2 b3 b2")
    trees = search(game, position.states, knows_nothing, 30)
    assert game.type.notation.move_text(game.board, int(trees.chosen[0])) == "c3"
    assert trees.nodes[0, ROOT].low == trees.nodes[0, ROOT].high == 1
    assert trees.found[0] == 1.0
    policy = trees.policy[0]
    assert sorted(np.flatnonzero(policy >= 0)) == sorted(position.legal_codes)
    assert policy[policy >= 0].sum() == pytest.approx(1.0, abs=1e-5)


def test_what_a_search_proves_is_true() -> None:
    game = plywise.game(SMALL)
    asked = labelled(game, 60, 3, (2, 12))
    positions = [game.position(list(one.moves)) for one in asked]
    states = np.concatenate([position.states for position in positions])
    trees = search(game, states, guesses(game.max_moves), 200)
    proved = 0
    for one, position, root, move in zip(
        asked, positions, trees.nodes[:, ROOT], trees.chosen, strict=True
    ):
        exact = one.best if position.turn == 0 else -one.best
        assert root["low"] <= exact <= root["high"]
        if root["low"] == root["high"]:
            proved += 1
            assert one.values[position.legal_codes.index(move)] == one.best
    assert proved > 10


def test_the_compiled_search_is_the_interpreted_one() -> None:
    game = plywise.game(SMALL)
    states = np.concatenate([game.position(text).states for text in ("1", "1234", "22334")])
    compiled = search(game, states, guesses(game.max_moves), 12)
    trees = Trees(game, len(states), 12)
    trees._search = search_kernel.plain(game.rules)
    trees.plant(states)
    answer, out = guesses(game.max_moves), np.zeros(game.max_moves, np.int32)
    while not trees.trees["done"].all():
        planes = np.stack([_planes(game, state) for state in trees.leaves])
        trees.logits[:], trees.values[:] = answer(planes)
        trees.search(0, len(states), out)
    for name in ("visits", "low", "high", "mover", "parent"):
        assert (trees.nodes[name] == compiled.nodes[name]).all()
    assert (trees.chosen == compiled.chosen).all()


def _planes(game: plywise.Game, state: Any) -> Array:
    position = plywise.Position(game, np.array([state]))
    return features(position).astype(np.uint8)


def test_symmetries_of_the_planes_are_found() -> None:
    moves, places = symmetries(plywise.game("connect4"))
    assert moves.tolist() == [list(range(7)), list(range(6, -1, -1))]
    board = np.arange(42).reshape(6, 7)
    assert (places[1].reshape(6, 7) == board[:, ::-1]).all()
    moves, places = symmetries(plywise.game("tictactoe"))
    assert len({tuple(row) for row in places.tolist()}) == 8
    assert (moves == places).all()  # a move is a place there


def test_games_are_played_to_the_end() -> None:
    game = plywise.game(SMALL)
    trees = Trees(game, 40, 8)
    planes = np.zeros((40, *features(game.start()).shape), np.uint8)
    games = SelfPlay(game, trees, planes, 1, random_plies=3, result_weight=1.0, threads=2)
    answer = guesses(game.max_moves)
    values, policies = [], []
    with ThreadPoolExecutor(2) as pool:
        for _ in range(400):
            trees.logits[:], trees.values[:] = answer(games.planes)
            for part in games.advance(pool):
                values.append(part.values)
                policies.append(part.policies)
    found = np.concatenate(policies)
    assert set(np.concatenate(values).tolist()) <= {-1.0, 0.0, 1.0}
    assert np.where(found > 0, found, 0).sum(axis=1) == pytest.approx(1.0, abs=1e-4)
    assert games.played > 40


def test_an_exam_counts_what_keeps_the_value() -> None:
    game = plywise.game(SMALL)
    exam = Exam(game, labelled(game, 60, 3, (2, 12)))
    answer = guesses(game.max_moves)
    assert 0.2 < exam.by_policy(answer) < exam.by_search(answer, 400)


@pytest.mark.slow
def test_a_run_goes_on_where_it_stopped(tmp_path: Path) -> None:
    pytest.importorskip("torch")
    command = [
        sys.executable, "-m", "examples.gumbel", "tictactoe", "--folder", str(tmp_path),
        "--minutes", "0.1", "--games", "64", "--channels", "16", "--blocks", "1", "--fill", "500",
        "--exam", "50", "--exam-simulations", "50",
    ]  # fmt: skip
    for _ in range(2):
        subprocess.run(command, check=True, cwd=Path(__file__).parents[2], timeout=300)
    lines = [json.loads(line) for line in (tmp_path / "curve.jsonl").read_text().splitlines()]
    assert lines[-1]["minutes"] > lines[0]["minutes"] >= 0.1
    assert lines[-1]["steps"] > lines[0]["steps"] > 0
    assert lines[-1]["search 50"] > 0.8
