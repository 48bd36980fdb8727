"""Distances: A* against plain breadth-first search, and against waves of bits."""

from __future__ import annotations

import random
from typing import Any

import numpy as np
import pytest

import plywise
from lab.papers.snails.figures import trace
from plywise import Game, Position
from plywise.core.game import Record, Verb
from plywise.games.snails.distance import FAR, bare_lines, distance, in_time
from plywise.games.snails.reach import reached_first
from plywise.jit import kernel

Grid = list[str]  #: rows from the bottom, as a position text has them, dots for empty cells


def grid_of(position: Position) -> Grid:
    """The board letter by letter, from the drawing alone."""
    lines = str(position).splitlines()[:-1]
    return ["".join(line.split()[1:]) for line in reversed(lines)]


def breadth_first(grid: Grid, letter: str) -> dict[tuple[int, int], int]:
    """Moves from a snail to every cell it can stop on."""
    rows, cols = len(grid), len(grid[0])

    def at(row: int, col: int) -> str:
        return grid[row][col].lower() if 0 <= row < rows and 0 <= col < cols else "#"

    start = next(
        (r, row.index(letter.upper())) for r, row in enumerate(grid) if letter.upper() in row
    )
    known, layer = {start: 0}, [start]
    while layer:
        following = []
        for row, col in layer:
            for up, right in ((1, 0), (0, 1), (-1, 0), (0, -1)):
                r, c = row + up, col + right
                if at(r, c) == letter:
                    while at(r + up, c + right) == letter:
                        r, c = r + up, c + right
                elif at(r, c) != ".":
                    continue
                if (r, c) not in known:
                    known[r, c] = known[row, col] + 1
                    following.append((r, c))
        layer = following
    return known


@kernel
def distances_kernel(turn: Verb, distance: Verb, bare_lines: Verb) -> Verb:
    """Every distance of both snails in many positions."""

    def distances(board: Record, states: Record, out: Record) -> None:
        b = board[0]
        for i in range(states.size):
            for player in range(2):
                rows, cols = bare_lines(b, states[i], player)
                for cell in range(b.cells):
                    out[i, player, cell] = distance(b, states[i], player, cell, rows, cols)

    return distances


def a_star(game: Game, positions: list[Position]) -> np.ndarray[Any, Any]:
    run = distances_kernel.build(game.rules, distance=distance, bare_lines=bare_lines)
    states = np.concatenate([position.states for position in positions])
    out = np.zeros((len(positions), 2, int(game.board.cells)), np.int64)
    run(game.boards, states, out)
    return out


def some_positions(game: Game, count: int, seed: int) -> list[Position]:
    """From random games; half of them avoid slides, so that trails are long and crooked."""
    rng = random.Random(seed)
    found: list[Position] = []
    while len(found) < count:
        position, bold = game.start(), rng.random() < 0.5
        while not position.over:
            moves = list(position.legal_codes)
            if bold:
                here = int(position.state.at[position.turn])
                steps = [m for m in moves if int(game.board.step[m, here]) in free_cells(position)]
                moves = steps or moves
            position = position.play_code(rng.choice(moves))
            found.append(position)
    return found[:count]


def free_cells(position: Position) -> set[int]:
    grid = grid_of(position)
    cols = len(grid[0])
    return {
        row * cols + col for row, line in enumerate(grid) for col, m in enumerate(line) if m == "."
    }


def compare(spec: str, count: int, seed: int) -> None:
    game = plywise.game(spec)
    positions = some_positions(game, count, seed)
    for position, found in zip(positions, a_star(game, positions), strict=True):
        grid = grid_of(position)
        first: list[dict[tuple[int, int], int]] = []
        for player, letter in enumerate("xo"):
            known = breadth_first(grid, letter)
            first.append(known)
            for cell in free_cells(position):
                expected = known.get(divmod(cell, len(grid[0])), FAR)
                assert found[player, cell] == expected, f"{position}\n{letter} to {cell}"
        counts = [0, 0]
        lead = 0
        for cell in free_cells(position):
            mine, other = (known.get(divmod(cell, len(grid[0])), FAR) for known in first)
            counts[0] += mine < FAR and mine <= other
            counts[1] += other < FAR and other <= mine
            lead += (mine < other) - (other < mine)
        if seed == 1:  # interpreted, so only a few
            b, s = game.board, position.state
            assert [in_time(b, s, player) for player in range(2)] == counts
            assert reached_first(b, s) == lead


@pytest.mark.slow
@pytest.mark.parametrize("spec", ["snails:rows=4,cols=5", "snails:rows=9,cols=8,territory=yes"])
def test_distances(spec: str) -> None:
    compare(spec, 12, seed=1)


@pytest.mark.slow
@pytest.mark.parametrize(("spec", "count"), [("snails", 100), ("snails:rows=12,cols=12", 40)])
def test_hundreds_of_distances(spec: str, count: int) -> None:
    compare(spec, count, seed=2)


@pytest.mark.long
@pytest.mark.parametrize(
    ("spec", "count"),
    [
        ("snails", 1000),
        ("snails:rows=5,cols=5", 7000),
        ("snails:rows=4,cols=12", 1000),
        ("snails:rows=12,cols=12", 300),
        ("snails:rows=7,cols=9,territory=yes", 700),
    ],
)
def test_ten_thousand_positions(spec: str, count: int) -> None:
    compare(spec, count, seed=2)


def test_the_search_that_the_report_draws() -> None:
    """From (2, 7) to (4, 4), which is g7 to d5 in our notation: five moves."""
    game = plywise.game("snails")
    position = game.from_text("7o/6Oo/8/8/8/8/8/X7 0 x")
    steps = trace(game.board, position.state, 1, 54, 35)
    assert (steps[0].cell, steps[0].to_come) == (54, 5)
    assert (steps[-1].cell, steps[-1].moves) == (35, 5)
    assert steps[-1].closed == tuple(step.cell for step in steps[:-1])


def test_a_trace_has_the_distance_and_never_expects_too_much() -> None:
    game = plywise.game("snails:rows=6,cols=7")
    for position in some_positions(game, 40, seed=3):
        known = breadth_first(grid_of(position), "x")
        for cell in sorted(free_cells(position))[:6]:
            steps = trace(game.board, position.state, 0, int(position.state.at[0]), cell)
            moves = known.get(divmod(cell, 7))
            assert (steps[-1].moves if steps[-1].cell == cell else None) == moves
            for step in steps:
                assert step.moves == known[divmod(step.cell, 7)]
                assert moves is None or step.moves + step.to_come <= moves
