"""Small tasks that compile every kernel of Slither."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from typing import Any

from plywise.puzzles.slither.formats import DEFAULT, read
from plywise.puzzles.slither.grid import Drawing
from plywise.puzzles.slither.logic.chains import probe
from plywise.puzzles.slither.logic.steps import Study
from plywise.puzzles.slither.loops import random_region
from plywise.puzzles.slither.path_search import search
from plywise.puzzles.slither.solver.engine import solve


def tasks() -> Iterator[tuple[str, Callable[[], Any]]]:
    """Yield the name of each task, and the task itself."""
    puzzle = read(DEFAULT)
    yield "solve", lambda: solve(puzzle)
    yield "steps", lambda: Study(Drawing.empty(puzzle)).run()
    yield "chains", lambda: probe(Drawing.empty(puzzle))
    yield "loops", lambda: random_region(3, 3, random.Random(1))
    yield "dfs", lambda: search(puzzle, "dfs", 0.01)
