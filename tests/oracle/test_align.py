"""Align against the slow reference: random games on every size, and the paper's agent."""

from __future__ import annotations

import random

import pytest

import plywise
from plywise import Position
from plywise.engines import make
from tests.oracle.align import Align, remaining, report_cells, report_move

SIZES = range(3, 9)
EMPTY = 9  #: cells that the slow agent can search to their end


def spec(size: int, checkerboard: bool) -> str:
    return f"align:size={size},checkerboard={'yes' if checkerboard else 'no'}"


def agree(position: Position, reference: Align) -> None:
    over = not reference.legal()
    assert position.text == reference.text()
    assert position.scores == (reference.points["x"], reference.points["o"])
    assert position.over == over
    assert list(position.legal) == reference.legal()
    if over:
        difference = reference.points["x"] - reference.points["o"]
        assert position.margin == difference
        assert position.winner == (1 if difference > 0 else 2 if difference < 0 else 0)


def play_games(size: int, checkerboard: bool, count: int, seed: int) -> None:
    dice = random.Random(seed)
    start = plywise.game(spec(size, checkerboard)).start()
    for _ in range(count):
        position, reference = start, Align(size, checkerboard)
        while not position.over:
            agree(position, reference)
            move = dice.choice(position.legal)
            position = position.play(move)
            assert position.gained == reference.play(move)
        agree(position, reference)
        assert len(position.moves) == size * size


@pytest.mark.parametrize("checkerboard", [False, True])
@pytest.mark.parametrize("size", SIZES)
def test_random_games(size: int, checkerboard: bool) -> None:
    play_games(size, checkerboard, 4, seed=1)


@pytest.mark.long
@pytest.mark.parametrize("checkerboard", [False, True])
@pytest.mark.parametrize("size", SIZES)
def test_many_random_games(size: int, checkerboard: bool) -> None:
    play_games(size, checkerboard, 80 if size > 6 else 200, seed=2)


@pytest.mark.parametrize(("size", "margin"), [(3, 6), (4, -8)])
def test_the_first_player_of_a_small_board(size: int, margin: int) -> None:
    """The reference, the generic engine and the published values agree."""
    if size == 3:
        assert remaining(size) == margin
    engine = make(f"alphabeta:depth={size * size}", plywise.game(spec(size, False)))
    found = engine.search(plywise.game(spec(size, False)).start())
    assert (found.score, found.score_kind) == (margin, "points")


@pytest.mark.slow
@pytest.mark.parametrize("checkerboard", [False, True])
def test_four_by_four_by_the_reference(checkerboard: bool) -> None:
    engine = make("alphabeta:depth=16", plywise.game(spec(4, checkerboard)))
    found = engine.search(plywise.game(spec(4, checkerboard)).start())
    assert found.score == remaining(4, checkerboard)


def late(size: int, dice: random.Random) -> tuple[Position, Align]:
    """A random position with few empty cells."""
    position, reference = plywise.game(spec(size, False)).start(), Align(size)
    stop = size * size - dice.randint(1, min(EMPTY, size * size - 1))
    while len(position.moves) < stop:
        move = dice.choice(position.legal)
        position = position.play(move)
        reference.play(move)
    return position, reference


def same_choice(size: int, count: int, seed: int) -> None:
    dice = random.Random(seed)
    engine = make("seed", plywise.game(spec(size, False)))
    for _ in range(count):
        position, reference = late(size, dice)
        found = engine.search(position)
        assert (found.score, found.best) == report_move(reference, position.moves[-1])


@pytest.mark.parametrize("size", [3, 4, 6])
def test_the_reports_agent(size: int) -> None:
    same_choice(size, 12, seed=1)


@pytest.mark.long
@pytest.mark.parametrize("size", [3, 4, 5, 6, 8])
def test_the_reports_agent_often(size: int) -> None:
    same_choice(size, 60, seed=2)


@pytest.mark.parametrize("size", SIZES)
def test_the_cells_that_the_reports_agent_looks_at(size: int) -> None:
    from plywise.games.align.agents import nearby

    dice = random.Random(size)
    for _ in range(20):
        position, reference = plywise.game(spec(size, False)).start(), Align(size)
        while not position.over:
            last = position.moves[-1] if position.moves else None
            cells = [reference.name(cell) for cell in report_cells(reference, last)]
            assert [position.text_of(cell) for cell in nearby(position)] == cells
            if size == 6 and len(position.legal) >= 14:
                assert 9 <= len(cells) <= 14
            move = dice.choice(position.legal)
            position = position.play(move)
            reference.play(move)
