"""Align against the slow reference: random games on every size, and the paper's agent."""

from __future__ import annotations

import random
from typing import Any

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
    rng = random.Random(seed)
    start = plywise.game(spec(size, checkerboard)).start()
    for _ in range(count):
        position, reference = start, Align(size, checkerboard)
        while not position.over:
            agree(position, reference)
            move = rng.choice(position.legal)
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


def late(size: int, rng: random.Random) -> tuple[Position, Align]:
    """A random position with few empty cells."""
    position, reference = plywise.game(spec(size, False)).start(), Align(size)
    stop = size * size - rng.randint(1, min(EMPTY, size * size - 1))
    while len(position.moves) < stop:
        move = rng.choice(position.legal)
        position = position.play(move)
        reference.play(move)
    return position, reference


def same_choice(size: int, count: int, seed: int) -> None:
    rng = random.Random(seed)
    engine = make("seed", plywise.game(spec(size, False)))
    for _ in range(count):
        position, reference = late(size, rng)
        found = engine.search(position)
        assert (found.score, found.best) == report_move(reference, position.moves[-1])


@pytest.mark.parametrize("size", [3, 4, 6])
def test_the_reports_agent(size: int) -> None:
    same_choice(size, 12, seed=1)


@pytest.mark.parametrize(
    ("options", "given"),
    [
        ("depth=3", {"depth": 3}),
        ("cells=5", {"fewest": 5}),
        ("order=rows", {"rows": True}),
        ("search=plain,depth=4", {"depth": 4, "pruned": False}),
        ("search=table,depth=4", {"depth": 4, "pruned": False}),
        ("search=table,cells=5", {"fewest": 5, "pruned": False}),
        ("search=table,order=rows,cells=5", {"fewest": 5, "rows": True, "pruned": False}),
    ],
)
def test_the_reports_agent_with_options(options: str, given: dict[str, Any]) -> None:
    rng = random.Random(3)
    for size in (4, 6):
        engine = make(f"seed:{options}", plywise.game(spec(size, False)))
        assert engine.name == f"seed:{options}" or "," in options
        for _ in range(6):
            position, reference = late(size, rng)
            found = engine.search(position)
            assert (found.score, found.best) == report_move(reference, position.moves[-1], **given)


@pytest.mark.parametrize("options", ["", ",depth=3"])
def test_a_table_gives_the_value_of_the_whole_tree_with_colours(options: str) -> None:
    """There a side may run out of cells of the list while the other has some."""
    game, rng = plywise.game("align:size=4,checkerboard=yes"), random.Random(5)
    plain, table = (make(f"seed:search={each}{options}", game) for each in ("plain", "table"))
    fewer = 0
    for _ in range(20):
        position = game.start()
        while len(position.moves) < 8:
            position = position.play(rng.choice(position.legal))
        one, two = plain.search(position), table.search(position)
        assert (one.score, one.best) == (two.score, two.best)
        fewer += one.nodes > two.nodes
    assert fewer == 20


@pytest.mark.long
@pytest.mark.parametrize("size", [3, 4, 5, 6, 8])
def test_the_reports_agent_often(size: int) -> None:
    same_choice(size, 60, seed=2)


@pytest.mark.parametrize("size", SIZES)
def test_the_cells_that_the_reports_agent_looks_at(size: int) -> None:
    from plywise.games.align.agents import nearby

    rng = random.Random(size)
    for _ in range(20):
        position, reference = plywise.game(spec(size, False)).start(), Align(size)
        while not position.over:
            last = position.moves[-1] if position.moves else None
            cells = [reference.name(cell) for cell in report_cells(reference, last)]
            assert [position.text_of(cell) for cell in nearby(position)] == cells
            if size == 6 and len(position.legal) >= 14:
                assert 9 <= len(cells) <= 14
            move = rng.choice(position.legal)
            position = position.play(move)
            reference.play(move)
