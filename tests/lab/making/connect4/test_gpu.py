"""The search for GPUs that made the book of Connect-4."""

from __future__ import annotations

import shutil
import subprocess
from importlib.util import find_spec
from pathlib import Path

import numpy as np
import pytest

import plywise
from lab.making.connect4 import gpu
from lab.making.connect4.book import Making, book_of, quiet_positions, solve_chunk
from tests.levels import sampled

TWIN = Path(__file__).with_name("gpu_twin.cpp")


@pytest.mark.slow
@pytest.mark.parametrize(("rows", "cols", "plies"), sampled([(4, 5, 4), (5, 5, 6), (6, 7, 10)], 3))
def test_the_search_for_gpus_on_a_processor(
    tmp_path: Path, rows: int, cols: int, plies: int
) -> None:
    """The same source, compiled for a processor, finds the same scores."""
    compiler = shutil.which("g++")
    if compiler is None:
        pytest.skip("there is no g++ to compile it")
    program = tmp_path / "twin"
    sizes = [f"-DROWS={rows}", f"-DCOLS={cols}", f"-I{gpu.SOURCE.parent}"]
    subprocess.run([compiler, "-O2", "-w", *sizes, "-o", program, TWIN], check=True)
    positions = quiet_positions(rows, cols, plies)[plies]
    own, mask = positions.own[:40], positions.mask[:40]
    lines = "".join(f"{one} {all}\n" for one, all in zip(own, mask, strict=True))
    said = subprocess.run([program], input=lines, capture_output=True, text=True, check=True)
    assert [*map(int, said.stdout.split())] == solve_chunk(rows, cols, own, mask).tolist()


def test_without_a_gpu_the_answer_is_one_line() -> None:
    if find_spec("cupy") is not None:
        pytest.skip("CuPy is installed")
    with pytest.raises(plywise.Unsupported, match="no GPU that CuPy can use"):
        gpu.Gpu(6, 7)


@pytest.mark.slow
def test_a_book_made_on_a_gpu(tmp_path: Path) -> None:
    if find_spec("cupy") is None:
        pytest.skip("CuPy is not installed: this needs a GPU")
    work = Making(4, 5, 4, tmp_path / "book.xz")
    list(work.solve_on_gpu())
    own, mask, keys = work.positions
    scores = solve_chunk(4, 5, own, mask)
    worked_out = book_of(4, 5, 4, keys, scores).pages.scores
    assert np.array_equal(work.finish().pages.scores, worked_out)
