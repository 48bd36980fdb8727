"""Exact results of Make Way against plain search, and the expert that plays by them."""

from __future__ import annotations

import random
import time
from collections.abc import Callable

import pytest

import plywise
from plywise.core.analysis import Limits, Stop
from plywise.core.position import Position
from plywise.engines.driver import NO_LIMITS, Run
from plywise.engines.proof import ForcedWin
from plywise.games.makeway.expert import _Look
from plywise.games.makeway.graph import Graph, GraphError, to_word
from plywise.games.makeway.solver import GRACE, Questions, Solver
from tests.oracle.makeway import values

OUTCOMES = {1: "win", 0: "draw", -1: "loss"}

#: Short wins moving first, and yet the first player does not win.
THIRTEEN = "4-7 4-6 0-2 3-4 4-5 3-5 0-3 6-7 1-2 2-3 3-6 1-3 0-1"


def board_of(dots: int, lines: list[tuple[int, int]]) -> plywise.Game:
    """A board whose dots lie anywhere."""
    places = [(float(dot), float(dot * dot % 7)) for dot in range(dots)]
    return plywise.game(f"makeway:board={to_word(Graph.of(places, lines))}")


def random_board(
    rng: random.Random, dots: int, fewest: int, most: int
) -> tuple[plywise.Game, list[tuple[int, int]]]:
    """A small board on which the end can be reached."""
    while True:
        pairs = [(low, high) for low in range(dots) for high in range(low + 1, dots)]
        lines = sorted(rng.sample(pairs, min(len(pairs), rng.randint(fewest, most))))
        try:
            return board_of(dots, lines), lines
        except GraphError:
            continue


def value_of(position: Position, value: Callable[[int, int], int]) -> int:
    """By plain search; for the side to move."""
    if position.margin is not None:
        return position.margin if position.turn == 0 else -position.margin
    own = [int(position.state.own[player, 0]) for player in range(2)]
    return value(own[position.turn], own[1 - position.turn])


def compare(seed: int, boards: int, dots: range, fewest: int, most: int) -> set[str]:
    """Solve positions of random games and play what is said to be best."""
    rng = random.Random(seed)
    seen = set()
    for _ in range(boards):
        game, lines = random_board(rng, rng.choice(dots), fewest, most)
        solver = Solver(game, memory=0.05)
        value = values(lines, int(game.board.dots) - 1)
        position = game.start()
        while not position.over:
            exact = value_of(position, value)
            found = solver.solve(position)
            assert found.outcome == OUTCOMES[exact], (game.spec, position.moves)
            assert found.best is not None
            child = position.play(found.best)
            assert -value_of(child, value) == exact, (game.spec, position.moves, found.best)
            seen.add(found.outcome)
            position = position.play_code(rng.choice(position.legal_codes))
    return seen


def test_results_and_best_moves_are_those_of_plain_search() -> None:
    assert compare(1, 60, range(3, 7), 2, 9) == {"win", "draw", "loss"}


@pytest.mark.long
def test_results_on_many_small_boards() -> None:
    assert compare(2, 1600, range(3, 7), 2, 7) == {"win", "draw", "loss"}


@pytest.mark.slow
@pytest.mark.parametrize(
    ("seed", "boards"), [(0, 30), *(pytest.param(n, 150, marks=pytest.mark.long) for n in range(3))]
)
def test_results_on_many_boards_up_to_twelve_lines(seed: int, boards: int) -> None:
    compare(100 + seed, boards, range(4, 9), 5, 12)


def test_the_board_of_thirteen_lines_is_a_draw() -> None:
    lines = [tuple(map(int, text.split("-"))) for text in THIRTEEN.split()]
    game = board_of(8, lines)  # type: ignore[arg-type]
    assert plywise.solve(game.start()).outcome == "draw"


def test_limits_and_stop_are_kept() -> None:
    game = plywise.game("makeway:seed=2")
    solver = Solver(game)
    found = solver.solve(game.start(), Limits(nodes=50))
    assert found.outcome is None
    assert found.nodes <= 50
    assert found.best in game.start().legal
    stop = Stop()
    stop.set()
    assert solver.solve(game.start(), stop=stop).outcome is None
    heard = []
    solver.solve(game.start(), Limits(nodes=3000), on_info=heard.append)
    assert heard
    assert heard[-1].nodes <= 3000


def test_expert_wins_where_the_solver_says_so() -> None:
    game = plywise.game("makeway:dots=8,seed=3")
    expert, opponent = plywise.engine("expert", game), plywise.engine("seed", game)
    position = game.start()
    assert plywise.solve(position).outcome == "win"
    while not position.over:
        if position.to_move == 1:
            found = expert.search(position, Limits(time=0.0))  # a small board needs no time
        else:
            found = opponent.search(position)
        assert found.best is not None
        position = position.play(found.best)
    assert position.winner == 1


def test_expert_scores_every_move() -> None:
    game = plywise.game("makeway:dots=6,seed=1")
    position = game.start()
    found = plywise.engine("expert", game).search(position, Limits(nodes=2000), lines=True)
    assert [line.move for line in found.lines] == list(position.legal)
    again = plywise.engine("expert", game).search(position, Limits(nodes=2000), lines=True)
    assert (again.best, again.lines) == (found.best, found.lines)


def test_expert_keeps_its_time() -> None:
    game = plywise.game("makeway:seed=4")
    expert = plywise.engine("expert", game)
    expert.search(game.start(), Limits(nodes=10))  # compiles
    began, worked = time.perf_counter(), time.process_time()
    found = expert.search(game.start(), Limits(time=0.2))
    assert time.process_time() - worked < 2.0
    assert found.outcome is None
    assert found.best in game.start().legal
    assert found.seconds <= time.perf_counter() - began


@pytest.mark.parametrize(("spec", "proved"), [("makeway:dots=6,seed=1", True), ("makeway", False)])
def test_only_a_small_board_is_worked_on_beyond_the_time(spec: str, proved: bool) -> None:
    game, limits = plywise.game(spec), Limits(time=0.0)
    look = _Look(Solver(game), game.start(), Run(limits, None, GRACE), limits)
    look.solve(None)
    assert (look.questions.margin is not None) == proved
    assert (look.run.grace > 0) == proved


def test_fair_boards_have_a_line_less_than_two_trees() -> None:
    game = plywise.game("makeway:preset=fair,seed=3")
    assert game.spec == "makeway:lines=51,seed=3"
    assert plywise.game("makeway:preset=fair,dots=8").board.lines == 17
    with pytest.raises(plywise.SpecError, match="preset and lines cannot be combined"):
        plywise.game("makeway:preset=fair,lines=60")


def test_what_is_settled_already_is_not_taken_for_open() -> None:
    """The second question about a position begins with what the table has of it."""
    game = plywise.game("makeway:dots=3,lines=6")
    solver = Solver(game)
    position = game.position("3-4 1-2 2-3 2-4")  # both players could win with their next move
    for _ in range(3):
        assert solver.ask(position, 0, Run(NO_LIMITS)).settled is True
        assert solver.ask(position, 1, Run(NO_LIMITS)).settled is False


def test_the_two_questions_take_turns_that_double() -> None:
    """So neither waits long for the other, and most of the time goes into the last turns."""
    asked: list[tuple[int, int]] = []

    class Slow(Solver):
        def __init__(self) -> None:
            pass

        def ask(self, position: Position, attacker: int, run: Run, budget: int = 0) -> ForcedWin:
            asked.append((attacker, budget))
            return ForcedWin(None, -1, budget)

    position = plywise.game("makeway").start()
    position = position.play_code(position.legal_codes[0])
    questions = Questions(Slow(), position, limit=4000)
    while questions.open:
        questions.work(Run(NO_LIMITS))
    assert asked == [(1, 500), (0, 500), (1, 1000), (0, 1000), (1, 1000), (0, 0)]
    assert questions.nodes == 4000
    assert questions.margin is None
