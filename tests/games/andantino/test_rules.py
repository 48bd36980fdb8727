"""Andantino: the vectors of the rules, rings and lines set up by hand, texts, keys."""

from __future__ import annotations

from typing import Any

import pytest

import plywise
from lab.papers.andantino.cubes import from_cube, to_cube
from plywise import IllegalMove, InvalidMove, InvalidPosition, Position
from plywise.engines.perft import perft
from plywise.games.andantino import look, rules
from plywise.games.andantino.board import EMPTY
from plywise.games.andantino.definition import symmetries
from plywise.jit.bits import has
from tests.oracle.andantino import Andantino
from tests.positions import random_positions

GAME = plywise.game("andantino")
Cell = tuple[int, int]
WAYS = ((1, 0), (0, 1), (-1, 1), (-1, 0), (0, -1), (1, -1))


def set_up(black: list[Cell], white: list[Cell], mover: str = "o", side: int = 10) -> Position:
    """A position with stones on these cells (q, r)."""
    rows = []
    for r in range(side - 1, -side, -1):
        cells = [(q, r) for q in range(1 - side, side) if abs(q + r) < side]
        rows.append("".join("x" if c in black else "o" if c in white else "." for c in cells))
    return plywise.game(f"andantino:side={side}").from_text(f"{'/'.join(rows)} {mover}")


def ring(distance: int) -> list[Cell]:
    """The cells at a distance from the middle, in their order around it."""
    cells, here = [], (distance, 0)
    for way in (2, 3, 4, 5, 0, 1):
        for _ in range(distance):
            cells.append(here)
            here = (here[0] + WAYS[way][0], here[1] + WAYS[way][1])
    return cells


def name(cell: Cell) -> str:
    return f"{chr(ord('j') + cell[0])}{cell[1] + 10}"


# ---- moves -----------------------------------------------------------------------------------


def test_the_first_stones() -> None:
    start = GAME.start()
    assert start.legal == ("j10",)
    assert set(start.play("j10").legal) == {"k10", "j11", "i11", "i10", "j9", "k9"}
    assert set(GAME.position("j10 k10").legal) == {"j11", "k9"}
    assert set(GAME.position("j10 k10 j11").legal) == {"i11", "k9", "k11"}


@pytest.mark.parametrize("side", range(4, 11))
def test_sides(side: int) -> None:
    game = plywise.game(f"andantino:side={side}")
    assert game.max_plies == 3 * side * (side - 1) + 1
    assert game.start().legal == ("j10",)


def test_perft_does_not_depend_on_the_side_until_the_rim_is_near() -> None:
    assert perft(plywise.game("andantino:side=7").start(), 8) == 24768


@pytest.mark.parametrize("spec", ["andantino:side=3", "andantino:side=11"])
def test_sides_that_will_not_do(spec: str) -> None:
    with pytest.raises(plywise.SpecError):
        plywise.game(spec)


def test_moves_that_will_not_do() -> None:
    with pytest.raises(IllegalMove, match="'j12' is not legal here: the legal moves are k9 j11"):
        GAME.position("j10 k10").play("j12")
    with pytest.raises(InvalidMove, match="write a letter and a number: j10 is the middle"):
        GAME.start().play("10j")
    with pytest.raises(
        InvalidMove,
        match="a1 is off the hexagon: its letters go from a to s, its numbers from 1 to 19",
    ):
        GAME.start().play("a1")
    with pytest.raises(
        InvalidMove,
        match="a10 is off the hexagon: its letters go from g to m, its numbers from 7 to 13",
    ):
        plywise.game("andantino:side=4").start().play("a10")


# ---- the vectors -----------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("moves", "winner", "reason"),
    [
        ("j10 i11 j11 i10 j9 i9 j8 i12 j12", 1, "black has five in a line"),
        ("j10 k10 j11 k9 i11 k11 j12 k12 j13 k13", 2, "white has five in a line"),
        ("j10 j11 k10 k9 i11 l9 k11 l8 i12 i10 j12", 1, "black encloses a stone"),
        ("j10 i10 j9 k9 i9 k8 h10 h11 i11 j8 h12 i8 g12 j11 g11", 1, "black encloses two stones"),
    ],
)
def test_games_of_the_rules(moves: str, winner: int, reason: str) -> None:
    *before, last = moves.split()
    position = GAME.position(before)
    assert not position.over
    won = position.play(last)
    assert (won.winner, won.reason) == (winner, reason)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("plies", "lines"), [(9, 96), pytest.param(10, 1272, marks=pytest.mark.long)]
)
def test_how_many_games_are_won_so_soon(plies: int, lines: int) -> None:
    """Ply by ply, positions of one key together; all 12 ways to put three stones are images."""
    layer = {0: (GAME.position("j10 k10 j11"), 12)}
    for _ in range(plies - 3):
        after: dict[int, tuple[Position, int]] = {}
        for position, games in layer.values():
            for child in map(position.play_code, position.legal_codes):
                known = after.get(child.key, (child, 0))
                after[child.key] = (child, known[1] + games)
        layer = after
    ended = [(position, games) for position, games in layer.values() if position.over]
    assert sum(games for _, games in ended) == lines
    assert all("five in a line" in str(position.reason) for position, _ in ended)


# ---- set-up positions ------------------------------------------------------------------------


def placed(black: list[Cell], white: list[Cell]) -> int:
    """What the last black stone does, even if others have made fives before it."""
    cells = Andantino().cells()
    states = GAME.start().states.copy()
    for cell in white:
        rules.place(GAME.board, states[0], 1, cells.index(cell))
    for cell in black[:-1]:
        assert not rules.place(GAME.board, states[0], 0, cells.index(cell)) & rules.RING_CLOSED
    return rules.place(GAME.board, states[0], 0, cells.index(black[-1]))


def test_the_rim_is_no_wall() -> None:
    assert set_up([(8, 1), (8, 0), (9, -1)], [(9, 0)]).winner is None
    column = [(6, r) for r in range(-9, 4)]
    assert not placed(column, [(7, -3)]) & rules.RING_CLOSED


def test_a_ring_round_empty_cells_and_one_stone() -> None:
    won = set_up([*ring(2), (0, 0)], [(1, 0)])
    assert (won.winner, won.reason) == (1, "black encloses a stone")
    assert set_up([*ring(2), (0, 0)], []).winner is None


def test_walking_into_a_pocket_loses() -> None:
    position = set_up(ring(1), [(2, 0), (2, -1)])
    assert not position.over
    lost = position.play("j10")
    assert (lost.winner, lost.reason) == (1, "black encloses a stone")
    mine = set_up(ring(1), [(2, 0), (2, -1)], "x").play("j10")
    assert not mine.over


def test_an_own_line_comes_before_the_others_pocket() -> None:
    #  White fills the gap of a pocket with the fifth stone of its line: that wins.
    line = [(-4, 0), (-3, 0), (-2, 0)]
    walls = [cell for cell in ring(1) if cell != (-1, 0)]
    position = set_up([*walls, (-1, 1), (-2, 1), (-1, -1)], [*line, (-1, 0)])
    assert position.play("j10").winner == 2


def test_runs() -> None:
    assert not set_up([(q, 0) for q in range(4)], [(0, 1)]).over
    gapped = set_up([(q, 0) for q in (-3, -2, -1, 1, 2, 3)], [(0, 1)], "x")
    assert not gapped.over
    assert gapped.play("j10").reason == "black has five in a line"


def test_a_ring_with_a_gap() -> None:
    assert not set_up(ring(1)[:5], [(0, 0)]).over
    assert set_up(ring(1)[:5], [(0, 0)], "x").play(name(ring(1)[5])).winner == 1


def test_a_ring_round_a_hundred_cells() -> None:
    """127 of them; the last stone closes it."""
    assert placed(ring(7), [(3, 2)]) & rules.RING_CLOSED
    assert not placed(ring(7), [(3, -8)]) & rules.RING_CLOSED
    assert not placed(ring(7)[:-1], [(3, 2)]) & rules.RING_CLOSED


# ---- texts and keys --------------------------------------------------------------------------

#: The six directions of the paper's table 1.
TABLE_1 = [(1, -1, 0), (1, 0, -1), (0, 1, -1), (-1, 1, 0), (-1, 0, 1), (0, -1, 1)]


@pytest.mark.parametrize("side", [4, 10])
def test_cube_coordinates(side: int) -> None:
    b = plywise.game(f"andantino:side={side}").board
    cubes = [to_cube(b, cell) for cell in range(int(b.cells))]
    assert [from_cube(b, cube) for cube in cubes] == list(range(int(b.cells)))
    assert cubes[int(b.middle)] == (0, 0, 0)
    assert {sum(cube) for cube in cubes} == {0}
    for cell, (q, r, s) in enumerate(cubes):
        for direction, (dq, dr, ds) in enumerate(TABLE_1):
            step = int(b.step[cell, direction])
            if step < b.cells:
                assert cubes[step] == (q + dq, r + dr, s + ds)


@pytest.mark.parametrize(
    ("cube", "why"), [((1, 1, 0), "must add up to 0"), ((4, -4, 0), "at most 3 either way")]
)
def test_cube_coordinates_of_no_cell(cube: tuple[int, int, int], why: str) -> None:
    with pytest.raises(ValueError, match=why):
        from_cube(plywise.game("andantino:side=4").board, cube)


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("4/5/6/3xo2/6/5/4", "the side to move, x or o"),
        ("4/5/6/3xo2/6/5 x", "this board has 7 rows, not 6"),
        ("4/5/6/3xo3/6/5/4 x", "row 10 has 8 places, the board has 7 there"),
        ("4/5/6/3xz2/6/5/4 x", "row 10 is '3xz2'"),
        ("4/5/6/1x3o1/6/5/4 x", "no empty cell touches two stones"),
        ("4/5/6/xxxxx2/ooooo1/5/4 x", "both players have five in a line"),
    ],
)
def test_texts_that_are_no_position(text: str, why: str) -> None:
    with pytest.raises(InvalidPosition, match=why):
        plywise.game("andantino:side=4").from_text(text)


def test_images_have_the_same_key() -> None:
    position = GAME.position("j10 k10 j11 k9 i11 k11")
    images = symmetries(GAME.board)
    assert len({tuple(image) for image in images}) == 12
    for image in images:
        mirrored = GAME.start()
        for text in position.moves:
            mirrored = mirrored.play_code(image[look.read_move(GAME.board, text)])
        assert mirrored.key == position.key


def test_cells_that_make_five_are_kept_up_to_date() -> None:
    for position in random_positions(GAME, 60, range(12, 70), seed=5):
        b, s = GAME.board, position.state
        for player in range(2):
            made = {
                cell
                for cell in range(int(b.cells))
                if s.mark[cell] == EMPTY and makes_five(b.line[cell], s.mark, player + 1)
            }
            assert {cell for cell in range(int(b.cells)) if has(s.five[player], cell)} == made


def makes_five(lines: Any, mark: Any, stone: int) -> bool:
    """Would a stone in the middle of these lines of nine make five?"""
    return any(
        all(mark[line[at]] == stone for at in range(first, first + 5) if at != 4)
        for line in lines
        for first in range(5)
    )
