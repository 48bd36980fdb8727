"""The solver of Align against plain minimax, and its limits."""

from __future__ import annotations

import random
from functools import cache

import pytest

import plywise
from plywise.core.position import Position
from plywise.games.align import solver as solving
from plywise.games.align.definition import symmetries
from plywise.games.align.expert import Expert
from plywise.games.align.solver import Solver
from plywise.games.align.table import filled_in
from tests.oracle.align_values import Oracle

pytestmark = pytest.mark.slow  # longer than `make quick` has time for

SMALL = ["size=3", "size=4", "size=3,checkerboard=yes", "size=4,checkerboard=yes"]


def wander(position: Position, plies: int, rng: random.Random) -> Position:
    for _ in range(plies):
        position = position.play_code(rng.choice(position.legal_codes))
    return position


@cache
def oracle_for(size: int, checkerboard: bool) -> Oracle:
    """It remembers every value, so all tests share it."""
    return Oracle(size, checkerboard)


def oracle_of(game: plywise.Game) -> Oracle:
    return oracle_for(int(game.board.side), bool(game.board.checkerboard))


def margin(oracle: Oracle, position: Position) -> int:
    """The final margin of the side to move, by plain minimax."""
    filled, size = filled_in(position), oracle.size
    cells = frozenset(divmod(cell, size) for cell in range(size**2) if filled >> cell & 1)
    scores = position.scores
    assert scores is not None
    turn = position.turn
    return scores[turn] - scores[1 - turn] + oracle.value(cells, turn)


@pytest.mark.parametrize("board", SMALL)
@pytest.mark.parametrize("tables", ["whole", "small"])
def test_margins_and_every_move(board: str, tables: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """With small tables, alpha-beta has the first plies."""
    game = plywise.game(f"align:{board}")
    if tables == "small":
        monkeypatch.setattr(solving, "LARGEST", 2 << game.max_plies - 3)
    oracle, rng, solver = oracle_of(game), random.Random(board), Solver(game)
    for _ in range(60):
        position = wander(game.start(), rng.randrange(game.max_plies), rng)
        found = solver.solve(position)
        assert found.score == margin(oracle, position)
        assert [line.move for line in found.lines] == list(position.legal)
        for line in found.lines:
            assert line.score == -margin(oracle, position.play(line.move))
        assert found.score == max(line.score for line in found.lines)
        assert found.best in [line.move for line in found.lines if line.score == found.score]


@pytest.mark.parametrize("board", ["size=6", "size=6,checkerboard=yes", "size=7", "size=8"])
def test_the_end_of_large_boards(board: str) -> None:
    game = plywise.game(f"align:{board}")
    oracle, rng, solver = oracle_of(game), random.Random(board), Solver(game)
    for left in (1, 3, 5, 6, 7, 9, 10):
        position = wander(game.start(), game.max_plies - left, rng)
        assert solver.solve(position).score == margin(oracle, position)


@pytest.mark.parametrize("board", ["size=6", "size=6,checkerboard=yes"])
def test_against_the_engine_that_knows_no_game(board: str) -> None:
    """With twelve cells left, alpha-beta over the rules gets to the end as well."""
    game = plywise.game(f"align:{board}")
    rng, solver = random.Random(board), Solver(game)
    engine = plywise.engine("alphabeta:depth=12", game)
    for _ in range(5):
        position = wander(game.start(), 24, rng)
        other = engine.search(position)
        assert other.outcome is not None
        assert solver.solve(position).score == other.score


@pytest.mark.parametrize(
    ("board", "value"),
    [
        ("size=3", 6),
        ("size=4", -8),
        ("size=5", 20),
        ("size=3,checkerboard=yes", 6),
        ("size=4,checkerboard=yes", -11),
        ("size=5,checkerboard=yes", 19),
    ],
)
def test_the_values_of_small_boards(board: str, value: int) -> None:
    game = plywise.game(f"align:{board}")
    found = Solver(game).solve(game.start())
    assert (found.score, found.score_kind) == (value, "points")
    assert found.outcome == ("win" if value > 0 else "loss")


def test_a_line_is_played_out_with_the_margin_it_says() -> None:
    game = plywise.game("align:size=4")
    found = Solver(game).solve(game.position("a1 b1 c3 d4"))
    position = game.position("a1 b1 c3 d4")
    for move in found.pv:
        position = position.play(move)
    assert position.over
    assert position.margin == found.score


def test_images_of_a_position_have_the_same_value() -> None:
    game = plywise.game("align")
    solver, rng = Solver(game), random.Random(5)
    position = wander(game.start(), 22, rng)
    codes = [game.start().code_of(move) for move in position.moves]
    scores = set()
    for image in symmetries(game.board):
        turned = game.start()
        for code in codes:
            turned = turned.play_code(image[code])
        scores.add(solver.solve(turned).score)
    assert len(scores) == 1


def test_one_table_serves_the_rest_of_a_game() -> None:
    game = plywise.game("align:size=4")
    solver = Solver(game)
    first = solver.solve(game.start())
    later = solver.solve(game.start().play(first.pv[0]))
    assert first.nodes == 1 << 16
    assert later.nodes == 0
    assert later.score == -first.score


def test_a_limit_comes_first() -> None:
    position = plywise.game("align:size=5").start()
    solver = Solver(position.game)
    for limits in (plywise.Limits(nodes=1000), plywise.Limits(time=0.0)):
        found = solver.solve(position, limits)
        assert found.outcome is None
        assert found.best in position.legal
    stop = plywise.Stop()
    stop.set()
    assert solver.solve(position, stop=stop).outcome is None
    assert solver.solve(position).score == 20


def test_small_tables_need_no_time() -> None:
    position = plywise.game("align:size=4").start()
    assert Solver(position.game).solve(position, plywise.Limits(time=0.0)).score == -8
    found = Expert(position.game, 0.0, True, 1.0).search(position)
    assert (found.score, found.outcome) == (-8, "loss")


def test_a_finished_game() -> None:
    game = plywise.game("align:size=3")
    position = wander(game.start(), 9, random.Random(1))
    assert position.margin is not None
    found = Solver(game).solve(position)
    assert found.best is None
    assert found.score == (position.margin if position.turn == 0 else -position.margin)


def test_the_expert_is_exact_or_says_that_it_guesses() -> None:
    game = plywise.game("align:size=5")
    expert = Expert(game, None, True, 1.0)
    exact = expert.search(game.start(), lines=True)
    assert exact.score == 20
    assert exact.outcome == "win"
    assert len(exact.lines) == 25
    assert expert.search(game.start()).lines == ()
    hurried = expert.search(game.start(), plywise.Limits(time=0.001))
    assert hurried.best in game.start().legal
    shallow = expert.search(game.start(), plywise.Limits(depth=2))
    assert (shallow.depth, shallow.outcome) == (2, None)
    far = plywise.game("align:size=8").start()
    guess = Expert(far.game, 0.1, True, 1.0).search(far)
    assert guess.outcome is None
    assert guess.best in far.legal


def test_solve_names_all_best_moves(run):
    solved = run("solve", "align:size=4", "--json").json
    assert (solved["score"], solved["score_kind"], solved["outcome"]) == (-8, "points", "loss")
    assert solved["best_moves"] == [
        "b1",
        "c1",
        "a2",
        "b2",
        "c2",
        "d2",
        "a3",
        "b3",
        "c3",
        "d3",
        "b4",
        "c4",
    ]
    assert solved["best"] in solved["best_moves"]
    said = run("solve", "align:size=4").out
    assert said.startswith("start: loss by 8, best b1 c1 a2 b2 c2 d2 a3 b3 c3 d3 b4 c4 (")
