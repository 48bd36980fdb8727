"""6x6 by the pass over all sets, against searches that share no code with it.

`tests/data/align` has random positions with 9 to 35 filled cells, 20 of each, with the values
that the pass on a GPU found. With colours and one empty cell there are only 18.
"""

from __future__ import annotations

import re
from pathlib import Path

import pytest

import plywise
from plywise.core.position import Position
from plywise.engines.solve import GameSolver
from plywise.games.align.solver import Solver

DATA = Path(__file__).parents[2] / "data" / "align"
EVERY_BOARD = pytest.mark.parametrize(
    "spec", ["align", "align:checkerboard=yes"], ids=["plain", "checkerboard"]
)
FILES = {"align": "solved.txt", "align:checkerboard=yes": "solved-checkerboard.txt"}


def known(spec: str) -> dict[int, dict[int, int]]:
    """For each number of filled cells: sets of them, with what the mover still gains."""
    found = {}
    for line in (DATA / FILES[spec]).read_text().splitlines():
        count, values = line.split("\t")
        pairs = (word.split(":") for word in values.split())
        found[int(count)] = {int(filled, 16): int(value) for filled, value in pairs}
    return found


def set_up(game: plywise.Game, filled: int) -> Position:
    """A position with these cells filled and no points so far."""
    dark = int(game.board.allowed[0]) if game.board.checkerboard else filled
    marks = [
        " " if not filled >> cell & 1 else "x" if dark >> cell & 1 else "o" for cell in range(36)
    ]
    rows = ("".join(marks[row : row + 6]) for row in range(30, -1, -6))
    board = re.sub(" +", lambda gap: str(len(gap[0])), "/".join(rows))
    return game.from_text(f"{board} {'xo'[filled.bit_count() % 2]}")


def agree(counts: range, solver: Solver | GameSolver, most: int = 20) -> int:
    """How many positions were solved again, all with the same value."""
    game, checked = solver.game, 0
    values = known(game.spec)
    for count in counts:
        for filled, value in list(values[count].items())[:most]:
            assert solver.solve(set_up(game, filled)).score == value
            checked += 1
    return checked


@pytest.mark.slow
@EVERY_BOARD
def test_alpha_beta_that_knows_no_game_says_the_same(spec: str) -> None:
    """A search to the end over the rules alone."""
    assert agree(range(24, 36), GameSolver(plywise.game(spec))) in {240, 238}


@pytest.mark.long
@EVERY_BOARD
def test_so_it_does_farther_from_the_end(spec: str) -> None:
    assert agree(range(18, 24), GameSolver(plywise.game(spec)), most=8) == 48


@pytest.mark.slow
@EVERY_BOARD
def test_tables_for_processors_of_some_size_say_the_same(spec: str) -> None:
    assert agree(range(13, 24), Solver(plywise.game(spec), book=False), most=3) == 33


@pytest.mark.long
@EVERY_BOARD
def test_the_table_for_processors_says_the_same(spec: str) -> None:
    """A table of all that can follow, by the kernel of the solver."""
    solver = Solver(plywise.game(spec), book=False)
    assert agree(range(9, 11), solver, most=3) == 6  # a second each
    assert agree(range(11, 18), solver, most=5) == 35
