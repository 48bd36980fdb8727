"""Collections: many puzzles in one file, and their statistics by size."""

from __future__ import annotations

import statistics
from collections import defaultdict
from collections.abc import Iterable, Iterator
from pathlib import Path

from plywise.errors import PlywiseError, SpecError
from plywise.puzzles.slither.formats import read
from plywise.puzzles.slither.grid import Puzzle
from plywise.puzzles.slither.making.statistics import NAMES, Range, Statistics, measure
from plywise.puzzles.slither.solver.engine import solve

Size = tuple[int, int]


def read_collection(file: Path, text: str) -> Iterator[Puzzle]:
    """Read a puzzle from each line; '#' and ';' start a note.

    If there are tabs, the puzzle is the longest part of the line that can be read as one.
    """
    for number, line in enumerate(text.splitlines(), 1):
        if not line.strip() or line.startswith(("#", ";")):
            continue
        wrong = []
        for part in sorted(line.split("\t"), key=len, reverse=True):
            try:
                yield read(part)
                break
            except PlywiseError as error:
                wrong.append(error)
        else:
            raise SpecError(f"{file}, line {number}: {wrong[0]}")


def measured(puzzles: Iterable[Puzzle]) -> Iterator[tuple[Puzzle, Statistics | None]]:
    """Solve and measure each puzzle; None if it does not have exactly one solution."""
    for puzzle in puzzles:
        result = solve(puzzle)
        solution = result.solution if result.status == "unique" else None
        yield puzzle, None if solution is None else measure(solution)


def ranges_by_size(found: Iterable[tuple[Puzzle, Statistics]]) -> dict[Size, dict[str, Range]]:
    """The range of each statistic, for each size of board."""
    groups: dict[Size, list[Statistics]] = defaultdict(list)
    for puzzle, each in found:
        groups[puzzle.rows, puzzle.cols].append(each)
    return {
        size: {name: _range([getattr(each, name) for each in group]) for name in NAMES}
        for size, group in sorted(groups.items())
    }


def _range(values: list[float]) -> Range:
    return Range(min(values), statistics.median(values), max(values))
