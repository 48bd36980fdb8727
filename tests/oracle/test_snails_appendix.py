"""The paper's search for distances against its appendix, line by line."""

from __future__ import annotations

import random
from typing import Any

import numpy as np
import pytest

import plywise
from lab.papers.snails.figures import codes
from lab.papers.snails.tables import steps_to
from plywise import Game, Position
from plywise.core.game import Record, Verb
from plywise.engines import make
from plywise.games.snails import appendix
from plywise.jit import kernel
from plywise.kit.cells import read_cell
from tests.oracle import snails_appendix as slow


def some_positions(game: Game, count: int, seed: int) -> list[Position]:
    """From random games. In half of them a snail claims when it can, so trails are crooked."""
    rng = random.Random(seed)
    found: list[Position] = []
    while len(found) < count:
        position, bold = game.start(), rng.random() < 0.5
        for _ in range(rng.randrange(2, int(game.board.cells))):
            moves = list(position.legal)
            if bold:
                before = sum(position.scores or ())
                moves = [m for m in moves if sum(position.play(m).scores or ()) > before] or moves
            position = position.play(rng.choice(moves))
            if position.over:
                break
        if not position.over:
            found.append(position)
    return found


@kernel
def steps_kernel(turn: Verb, steps_to: Verb, in_time: Verb) -> Verb:
    """The steps to every empty cell, and the cells reached in time, for both snails."""

    def steps(board: Record, states: Record, out: Record, counts: Record) -> None:
        b = board[0]
        for i in range(states.size):
            for player in range(2):
                counts[i, player] = in_time(b, states[i], player)
                for cell in range(b.cells):
                    free = states[i].free[cell >> 6] >> np.uint64(cell & 63)
                    if free & np.uint64(1) == np.uint64(1):
                        out[i, player, cell] = steps_to(b, states[i], player, cell)

    return steps


def compiled(game: Game, positions: list[Position]) -> tuple[Any, Any]:
    run = steps_kernel.build(game.rules, steps_to=steps_to, in_time=appendix.in_time)
    states = np.concatenate([position.states for position in positions])
    out = np.zeros((len(positions), 2, int(game.board.cells)), np.int64)
    counts = np.zeros((len(positions), 2), np.int64)
    run(game.boards, states, out, counts)
    return out, counts


def compare(spec: str, count: int) -> None:
    game = plywise.game(spec)
    rows, cols = int(game.board.rows), int(game.board.cols)
    positions = some_positions(game, count, seed=1)
    out, counts = compiled(game, positions)
    for number, position in enumerate(positions):
        board = codes(game.board, position.state)
        for player, turn in enumerate((11, 22)):
            assert counts[number, player] == slow.generate_heuristic(board, turn), position
            for x, y in slow.find(board, 0):
                steps, possible, back = slow.from_both_ends(board, (x, y), turn)
                expected = (back or steps) if possible else 0
                cell = (rows - 1 - x) * cols + y
                assert out[number, player, cell] == expected, f"{position}\n{turn} to {x, y}"


@pytest.mark.long
@pytest.mark.parametrize(
    ("spec", "count"),
    [("snails", 150), ("snails:rows=6,cols=7", 300), ("snails:rows=12,cols=12", 4)],
)
def test_the_appendix_compiled_on_many_positions(spec: str, count: int) -> None:
    compare(spec, count)


def check(position: Position) -> None:
    """The rules as plain Python count what the appendix counts."""
    board = codes(position.game.board, position.state)
    for player, turn in enumerate((11, 22)):
        found = appendix.in_time(position.game.board, position.state, player)
        assert found == slow.generate_heuristic(board, turn), position


def test_the_appendix() -> None:
    for position in some_positions(plywise.game("snails:rows=5,cols=6"), 8, seed=2):
        check(position)


@pytest.mark.parametrize(
    "text",
    [
        "4oo/O3oo/o1oooo/oooxxx/1xxx1x/xxXxxx 0 x",  # cells change hands, column by column
        "1O2oo/1ooooo/6/1xx3/2xx2/Xxxx2 1 o",  # slides along the direction of another neighbour
        "4oo/X3Oo/x3oo/xx4/1x4/xx4 1 x",  # steps of the opponent are taken for one's own
    ],
)
def test_each_fault_is_there(text: str) -> None:
    check(plywise.game("snails:rows=6,cols=6").from_text(text))


def test_it_gives_up_after_21_steps() -> None:
    """A corridor, walled in: exact distances go up to 30."""
    game = plywise.game("snails")
    position = game.from_text("oooooooo/o7/o1ooooo1/o1o3o1/o1ooO1o1/o5o1/ooooooo1/xX6 0 x")
    board = codes(game.board, position.state)
    for cell, steps in (("b4", 21), ("b3", 0), ("d5", 0)):
        goal = read_cell(cell, 8, 8)
        assert steps_to(game.board, position.state, 0, goal) == steps
        found = slow.from_both_ends(board, (7 - goal // 8, goal % 8), 11)
        assert found[:2] == (steps, int(steps > 0))


@pytest.mark.long
def test_the_agents_count_what_the_appendix_counts() -> None:
    game = plywise.game("snails:rows=5,cols=5")
    agent = make("astar:search=paper", game)
    assert agent.name == "astar:search=paper"
    tree = make("minimax-astar:depth=1,search=paper", game)
    assert tree.name == "minimax-astar:depth=1,search=paper"
    seen = 0
    for position in some_positions(game, 12, seed=3):
        counts = {}
        for move in position.legal:
            child = position.play(move)
            mine = codes(game.board, child.state)
            score = (child.scores or ())[position.turn]
            counts[move] = score + slow.generate_heuristic(mine, (11, 22)[position.turn])
        analysis = agent.search(position, lines=True)
        assert {line.move: line.score for line in analysis.lines} == counts
        if not any(position.play(move).over for move in position.legal):
            assert tree.search(position).score == max(counts.values())
            seen += 1
    assert seen > 3
