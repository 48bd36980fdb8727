"""Whole boards of Align solved by the kernels for GPUs, here compiled for the processor."""

from __future__ import annotations

import sys
from importlib.util import find_spec
from pathlib import Path

import numpy as np
import pytest

import plywise
from lab.making.align.book import Solution, all_sets, canonical_sets, solution, solve_all
from lab.making.align.layers import Layers
from plywise.engines.driver import NO_LIMITS, Run
from plywise.games.align.book import BoardSymmetry
from plywise.games.align.table import EndgameTable
from tests.lab.making.align import gpu_twin
from tests.oracle.align_values import Oracle

pytestmark = pytest.mark.slow  # longer than `make quick` has time for

needs_compiler = pytest.mark.skipif(gpu_twin.COMPILER is None, reason="there is no g++")


@pytest.fixture
def gpu(monkeypatch: pytest.MonkeyPatch) -> None:
    """A stand-in for CuPy, where there is no GPU."""
    monkeypatch.setitem(sys.modules, "cupy", gpu_twin)


@needs_compiler
@pytest.mark.usefixtures("gpu")
@pytest.mark.parametrize("checkerboard", [False, True])
@pytest.mark.parametrize("size", [3, 4])
def test_every_position_of_a_small_board(size: int, checkerboard: bool) -> None:
    layers, oracle = Layers(size, checkerboard), Oracle(size, checkerboard)
    generator = np.random.default_rng(size)
    sets = np.arange(512) if size == 3 else generator.choice(1 << 16, 2000, replace=False)
    found = layers.values(sets)
    for filled, value in zip(sets.tolist(), found.tolist(), strict=True):
        cells = [divmod(cell, size) for cell in range(size**2) if filled >> cell & 1]
        dark = sum((row + col) % 2 == 0 for row, col in cells)
        if not checkerboard or dark - (len(cells) - dark) in {0, 1}:
            assert value == oracle.value(frozenset(cells), len(cells) % 2)


@pytest.mark.long
@needs_compiler
@pytest.mark.usefixtures("gpu")
@pytest.mark.parametrize(("checkerboard", "value"), [("no", 20), ("yes", 19)])
def test_five_by_five_is_what_the_table_for_processors_says(checkerboard: str, value: int) -> None:
    game = plywise.game(f"align:size=5,checkerboard={checkerboard}")
    layers = Layers(5, checkerboard == "yes")
    table = EndgameTable(game, 0, 0)
    assert table.fill(Run(NO_LIMITS))
    assert table.value(0) == value
    # On a checkerboard the two may differ where play cannot get to.
    symmetry = BoardSymmetry(game)
    reached = [canonical_sets(symmetry, count) for count in range(25)]
    sets = np.concatenate(reached) if symmetry.checkerboard else np.arange(1 << 25)
    assert np.array_equal(layers.values(sets), table.values[sets])


@needs_compiler
@pytest.mark.usefixtures("gpu")
@pytest.mark.parametrize("board", ["size=3", "size=4", "size=4,checkerboard=yes"])
def test_what_is_written_down(board: str, tmp_path: Path) -> None:
    game = plywise.game(f"align:{board}")
    file = tmp_path / "solution.npz"
    lines = list(solve_all(game.spec, 5, file, gpu=True))
    found = Solution.load(file)
    table = EndgameTable(game, 0, 0)
    table.fill(Run(NO_LIMITS))
    assert found.spec == game.spec
    assert found.value == table.value(0)
    assert f"{found.value:+d}" in lines[1]
    assert list(found.first_moves) == list(game.start().legal)
    assert max(found.first_moves.values()) == found.value
    assert game.position(" ".join(found.line)).margin == found.value
    for count, values in enumerate(found.layers):
        sets = canonical_sets(BoardSymmetry(game), count)
        assert values.tolist() == [table.value(filled) for filled in sets.tolist()]
    sample = [table.value(filled) for filled in found.sample_sets.tolist()]
    assert found.sample_values.tolist() == sample


def test_solutions_by_any_table() -> None:
    """What is kept does not depend on who worked the values out."""
    game = plywise.game("align:size=3")
    oracle = Oracle(3)

    class Plain:
        arrays = np

        def values(self, sets: list[int]) -> np.ndarray:  # type: ignore[type-arg]
            cells = [[divmod(cell, 3) for cell in range(9) if s >> cell & 1] for s in sets]
            values = [oracle.value(frozenset(some), len(some) % 2) for some in cells]
            return np.array(values, np.int8)

    found = solution(game, Plain(), 4)
    assert found.value == 6
    assert [len(layer) for layer in found.layers] == [1, 3, 8, 16, 23]


def test_sets_of_cells() -> None:
    assert all_sets(5, 2).tolist() == [3, 5, 6, 9, 10, 12, 17, 18, 20, 24]
    assert all_sets(36, 0).tolist() == [0]
    assert len(all_sets(36, 3)) == 36 * 35 * 34 // 6


@pytest.mark.parametrize("board", ["size=3", "size=4", "size=4,checkerboard=yes"])
def test_one_of_each_image(board: str) -> None:
    """Every position that play reaches has exactly one image in the list."""
    game = plywise.game(f"align:{board}")
    symmetry = BoardSymmetry(game)
    positions, symmetries = {0}, game.type.strength.symmetries
    assert symmetries is not None
    images = symmetries(game.board)
    for count in range(game.max_plies):
        kept = canonical_sets(symmetry, count).tolist()
        assert kept == sorted(set(kept))
        least = {min(turned(filled, image) for image in images) for filled in positions}
        assert set(kept) == least
        allowed = int(game.board.allowed[count % 2])
        positions = {
            filled | 1 << cell
            for filled in positions
            for cell in range(game.max_plies)
            if allowed & ~filled & 1 << cell
        }


def turned(filled: int, image: list[int]) -> int:
    return sum(1 << goes for cell, goes in enumerate(image) if filled >> cell & 1)


def test_without_a_gpu_the_same_is_written_down(tmp_path: Path) -> None:
    file = tmp_path / "solution.npz"
    list(solve_all("align:size=4", 3, file, gpu=False))
    found = Solution.load(file)
    assert (found.value, len(found.layers)) == (-8, 4)
    assert found.layers[1].tolist() == [13, 8, 8]  # a1, b1, b2, for the second player
    with pytest.raises(plywise.Unsupported, match="it needs a GPU"):
        list(solve_all("align", 3, file, gpu=False))


def test_boards_that_cannot_be_solved_whole() -> None:
    with pytest.raises(plywise.Unsupported, match="the limit is 6"):
        Layers(7, False)
    if find_spec("cupy") is None:
        with pytest.raises(plywise.Unsupported, match="no GPU that CuPy can use"):
            Layers(6, False)


@pytest.mark.usefixtures("gpu")
def test_a_gpu_that_is_too_small() -> None:
    with pytest.raises(plywise.Unsupported, match=r"1\.0 GiB free: size=6 needs 64 GiB"):
        Layers(6, False)
