"""The solver of Connect-4: exact on the published positions, against a plain solver, anywhere."""

from __future__ import annotations

import os
import random
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

import plywise
from plywise import Limits
from plywise.core.analysis import Stop
from plywise.engines.solve import GameSolver
from plywise.games.connect4.kernel import solving
from plywise.games.connect4.solver import IDEAS, Solver, by_length
from plywise.games.connect4.table import WORDS, find, high_in, low_in, move_in, pack
from plywise.jit import rule
from tests.levels import sampled
from tests.oracle.connect4_scores import Scores

DATA = Path(__file__).parents[2] / "data" / "connect4"


@rule
def no() -> bool:
    return False


@pytest.fixture(scope="module")
def solver() -> Solver:
    return Solver(plywise.game("connect4"))


def random_moves(rng: random.Random, scores: Scores, plies: int) -> str | None:
    """A game of so many plies in which nobody has won, or None if it did not last."""
    moves = ""
    for _ in range(plies):
        board = scores.columns(moves)
        open_ = [col for col in range(scores.cols) if len(board[col]) < scores.rows]
        col = rng.choice(open_)
        if scores.wins(scores.after(board, col), col):
            return None
        moves += str(col + 1)
    return moves


@pytest.mark.slow
@pytest.mark.parametrize("name", ["end-easy", "middle-easy", "begin-easy"])
def test_published_positions(solver: Solver, name: str) -> None:
    lines = [line.split("\t") for line in (DATA / f"{name}.txt").read_text().splitlines()]
    positions = [solver.game.position(moves) for moves, _ in lines]
    assert solver.scores(positions) == [int(score) for _, score in lines]
    signs = [(int(score) > 0) - (int(score) < 0) for _, score in lines]
    weak = solver.scores(positions, weak=True)
    assert [(score > 0) - (score < 0) for score in weak] == signs


@pytest.mark.slow
@pytest.mark.parametrize(
    ("rows", "cols", "left", "inarow"),
    [
        (6, 7, 14, 4),
        (4, 4, 13, 4),
        (4, 5, 13, 4),
        (5, 4, 14, 4),
        pytest.param(5, 5, 13, 4, marks=pytest.mark.long),
        pytest.param(6, 4, 15, 4, marks=pytest.mark.long),
        pytest.param(3, 7, 11, 4, marks=pytest.mark.long),
        pytest.param(7, 3, 15, 4, marks=pytest.mark.long),
        (2, 5, 10, 4),
        pytest.param(7, 5, 13, 4, marks=pytest.mark.long),
        pytest.param(5, 6, 13, 4, marks=pytest.mark.long),
        (1, 8, 8, 4),
        (9, 2, 16, 4),
        (4, 4, 13, 3),
        (6, 7, 12, 5),
        (6, 7, 11, 6),
        pytest.param(6, 3, 13, 3, marks=pytest.mark.long),
        pytest.param(5, 6, 13, 5, marks=pytest.mark.long),
        pytest.param(7, 5, 13, 5, marks=pytest.mark.long),
        pytest.param(8, 6, 12, 6, marks=pytest.mark.long),
    ],
)
def test_against_a_plain_solver(rows: int, cols: int, left: int, inarow: int) -> None:
    """The score, and that the best move and every other have the score they are said to have."""
    rng = random.Random(rows * 100 + cols)
    plain = Scores(rows, cols, inarow)
    game = plywise.game(f"connect4:rows={rows},cols={cols},inarow={inarow}")
    solver = Solver(game)
    done = 0
    for _ in range(3000):
        plies = rows * cols - rng.randint(1, left)
        moves = random_moves(rng, plain, max(0, plies))
        if moves is None:
            continue
        done += 1
        position, board = game.position(moves), plain.columns(moves)
        analysis = solver.solve(position)
        assert analysis.score == plain.score(board), moves
        assert analysis.best is not None
        assert plain.move_score(board, int(analysis.best) - 1) == analysis.score, moves
        every = solver.solve(position, lines=True)
        found = {line.move: line.score for line in every.lines}
        assert found == {move: plain.move_score(board, int(move) - 1) for move in position.legal}, (
            moves
        )
        assert every.score == analysis.score
        if done == 40:
            break
    assert done >= 5


@pytest.mark.slow
@pytest.mark.parametrize("size", ["rows=4,cols=4", "rows=4,cols=5", "rows=5,cols=4"])
def test_against_the_solver_that_knows_no_game(size: str) -> None:
    game = plywise.game(f"connect4:{size}")
    general, own = GameSolver(game), Solver(game)
    rng = random.Random(size)
    for _ in range(60):
        position = game.start()
        for _ in range(rng.randint(0, 8)):
            if not position.over:
                position = position.play(rng.choice(position.legal))
        one, two = general.solve(position), own.solve(position)
        assert (one.outcome, one.score) == (two.outcome, two.score), position.moves
        if one.outcome != "draw":
            assert one.plies_to_end == two.plies_to_end


@pytest.mark.slow
def test_known_boards() -> None:
    """Who wins on boards that others have solved (John Tromp's table)."""
    for rows, cols, outcome in [
        (4, 4, "draw"),
        (4, 5, "draw"),
        (4, 6, "loss"),
        (5, 4, "draw"),
        (5, 5, "draw"),
        (5, 6, "draw"),
        (6, 4, "draw"),
        (6, 5, "draw"),
        (6, 6, "loss"),
    ]:
        game = plywise.game(f"connect4:rows={rows},cols={cols}")
        assert Solver(game).solve(game.start(), weak=True).outcome == outcome, (rows, cols)


@pytest.mark.parametrize("size", ["rows=63,cols=1", "rows=1,cols=32", "rows=7,cols=8"])
def test_boards_of_64_bits(size: str) -> None:
    game = plywise.game(f"connect4:{size}")
    position = game.start()
    rng = random.Random(size)
    while int(position.state.mask).bit_count() < game.max_plies - 9:
        child = position.play(rng.choice(position.legal))
        if not child.over:
            position = child
        elif len(position.legal) == 1:
            break
    own, general = Solver(game).solve(position), GameSolver(game).solve(position)
    assert (own.outcome, own.score) == (general.outcome, general.score)


@pytest.mark.parametrize(
    "idea", sampled([name for name, rule in IDEAS.items() if rule.__name__ == "yes"], 8)
)
@pytest.mark.slow
def test_no_idea_changes_a_score(idea: str) -> None:
    """Each idea saves work and nothing else."""
    game = plywise.game("connect4")
    lines = [line.split("\t") for line in (DATA / "middle-easy.txt").read_text().splitlines()]
    positions = [game.position(moves) for moves, _ in lines[:300]]
    without = Solver(game, {**IDEAS, idea: no})
    assert without.scores(positions) == [int(score) for _, score in lines[:300]]


def test_a_finished_game(solver: Solver) -> None:
    position = solver.game.position("1212121")
    assert solver.solve(position).outcome == "loss"
    assert solver.solve(position).best is None


def test_a_win_at_once_and_its_distance(solver: Solver) -> None:
    analysis = solver.solve(solver.game.position("112233"))
    assert (analysis.best, analysis.score, analysis.plies_to_end) == ("4", 18, 1)
    analysis = solver.solve(solver.game.position("22334"))
    assert (analysis.outcome, analysis.score, analysis.plies_to_end) == ("loss", -18, 2)


def test_limits_and_stop() -> None:
    """It gives up when told to, says what it knows, and goes on from there the next time."""
    game = plywise.game("connect4:rows=7,cols=8")
    solver = Solver(game)
    analysis = solver.solve(game.start(), Limits(time=0.05))
    assert analysis.outcome is None
    assert analysis.best in game.start().legal
    assert solver.solve(game.start(), Limits(nodes=3000)).nodes == 3000
    stop = Stop()
    stop.set()
    assert solver.solve(game.start(), stop=stop).outcome is None
    lines = solver.solve(game.start(), Limits(nodes=3000), lines=True).lines
    assert [line.move for line in lines] == list(game.start().legal)


def test_same_work_gives_the_same_result() -> None:
    game = plywise.game("connect4")
    runs = [Solver(game, dict(IDEAS)).solve(game.position("4436")) for _ in range(2)]
    assert runs[0].nodes == runs[1].nodes
    assert (runs[0].score, runs[0].best) == (runs[1].score, runs[1].best)


def test_interpreted_and_compiled_do_the_same() -> None:
    """The very same search: as many nodes, the same score and the same move."""
    game = plywise.game("connect4")
    lines = (DATA / "end-easy.txt").read_text().splitlines()[:25]
    positions = [game.position(line.split("\t")[0]) for line in lines]
    compiled, plain = Solver(game, dict(IDEAS)), Solver(game, dict(IDEAS))
    plain.kernel = solving.plain(game.rules, **IDEAS, **by_length(4))
    for position in positions:
        one, two = compiled.solve(position), plain.solve(position)
        assert (one.score, one.best, one.nodes) == (two.score, two.best, two.nodes)


def test_words_of_the_table() -> None:
    """A word says what was put into it, for its key and no other."""
    rng = random.Random(5)
    table = np.zeros(WORDS, np.uint64)
    for _ in range(200):
        key = np.uint64(rng.getrandbits(64))
        low, high, move = rng.randint(-31, 0), rng.randint(0, 31), rng.randint(0, 31)
        IDEAS["keep"](table, key, pack(key, low, high, move, rng.randint(1, 10**9)))
        word = find(table, key)
        assert (low_in(word), high_in(word), move_in(word)) == (low, high, move)
        other = key ^ np.uint64(1 << rng.randrange(64))
        assert find(table, other) == 0


def test_pairs_of_cells() -> None:
    """On six rows the upper cells are the even rows, counted from 1; on seven the odd ones."""
    for rows, first in ((6, 1), (7, 0)):
        masks = plywise.game("connect4", rows=rows, cols=4).board
        column = int(masks.upper) & int(masks.column[0])
        assert column == sum(1 << row for row in range(first, rows, 2))
        assert int(masks.upper) ^ int(masks.lower) == int(masks.cells)


needs_linux = pytest.mark.skipif(
    sys.platform != "linux", reason="asks the system for its peak memory"
)
SCRIPT = """
import plywise
from plywise.jit import on_compile
compiled = []
on_compile(compiled.append)
analysis = plywise.solve(plywise.game("connect4").position("12765435"))
status = dict(line.split(":") for line in open("/proc/self/status"))
peak = int(status["VmHWM"].split()[0]) // 1024
print(len(compiled), analysis.score, analysis.best, analysis.nodes, peak)
"""


def in_a_new_process(**environment: str) -> list[str]:
    """What SCRIPT prints, word by word."""
    every = {**os.environ, **environment}
    every.pop("NUMBA_DISABLE_JIT", None)
    return subprocess.run(
        [sys.executable, "-c", SCRIPT], env=every, capture_output=True, text=True, check=True
    ).stdout.split()


@pytest.mark.slow
@needs_linux
def test_peak_memory() -> None:
    """A process that finds the kernels compiled gets the same answer and stays under 200 MB."""
    found = plywise.solve(plywise.game("connect4").position("12765435"))  # leaves them behind
    compiled, score, best, _, peak = in_a_new_process()
    assert int(compiled) == 0
    assert (float(score), best) == (found.score, found.best)
    assert int(peak) < 200


@pytest.mark.long
@needs_linux
def test_peak_memory_and_the_cache_of_kernels(tmp_path: Path) -> None:
    """A second process compiles nothing, gets the same answer and stays under 200 MB."""
    runs = [in_a_new_process(PLYWISE_CACHE=str(tmp_path)) for _ in range(2)]
    assert int(runs[0][0]) >= 1
    assert int(runs[1][0]) == 0
    assert runs[0][1:4] == runs[1][1:4]
    assert int(runs[1][4]) < 200
