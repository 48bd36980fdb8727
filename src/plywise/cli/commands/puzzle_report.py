"""`report PUZZLE`: compare ways to solve a puzzle, with times by board size."""

from __future__ import annotations

import statistics
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from plywise.cli.console import table
from plywise.core.puzzle import PuzzleReport

if TYPE_CHECKING:
    from plywise.core.scene import Scene

PUZZLES, FEW = 7, 3  #: puzzles of each size: normally, and in a quick run
PATIENCE, SHORT = 20.0, 1.0  #: seconds per puzzle: normally, and in a quick run


@dataclass
class Times:
    """Seconds of each way for the puzzles of each size, and whether it finished."""

    patience: float
    puzzles: int
    seconds: dict[str, dict[int, list[tuple[float, bool]]]] = field(default_factory=dict)

    def typical(self, way: str, size: int) -> tuple[float, int]:
        """Return the median time, and how many puzzles were finished."""
        found = self.seconds[way][size]
        return statistics.median(s for s, _ in found), sum(done for _, done in found)

    def to_json(self) -> dict[str, Any]:
        """Return plain data for `--json`."""
        return {
            "patience": self.patience,
            "ways": {
                way: {
                    f"{size}x{size}": [
                        {"seconds": round(s, 6), "finished": done} for s, done in found
                    ]
                    for size, found in sizes.items()
                }
                for way, sizes in self.seconds.items()
            },
        }


def measure(plan: PuzzleReport, seed: int, quick: bool, on_step: Callable[[str], None]) -> Times:
    """Time every way on the same puzzles; a way that finishes none of a size skips larger ones."""
    times = Times(SHORT if quick else PATIENCE, FEW if quick else PUZZLES)
    puzzles = {
        size: [plan.make(size, seed + k) for k in range(times.puzzles)] for size in plan.sizes
    }
    for name, way in plan.ways().items():
        way(puzzles[plan.sizes[0]][0], times.patience)  # compiles
        times.seconds[name] = {}
        for size in plan.sizes:
            times.seconds[name][size] = [way(p, times.patience) for p in puzzles[size]]
            on_step(f"{name}, {size} x {size}")
            if not any(done for _, done in times.seconds[name][size]):
                break
    return times


def steps(plan: PuzzleReport) -> int:
    """Return the number of steps, for a progress bar."""
    return len(plan.sizes) * len(plan.ways())


def report_text(plan: PuzzleReport, times: Times) -> Iterator[str]:
    """Write the times as a table."""
    yield plan.title
    yield (
        f"{times.puzzles} puzzles of each size, median time; at most {times.patience:g} s each "
        "(in brackets: how many were solved in time)"
    )
    yield ""
    rows = [["", *(f"{size} x {size}" for size in plan.sizes)]]
    for way, sizes in times.seconds.items():
        row = [way]
        for size in plan.sizes:
            if size not in sizes:
                row.append("-")
                continue
            seconds, done = times.typical(way, size)
            all_done = done == times.puzzles
            row.append(_time(seconds) if all_done else f"> {_time(seconds)} ({done})")
        rows.append(row)
    yield from table(rows)


def report_scene(plan: PuzzleReport, times: Times) -> Scene:
    """Draw the times as curves."""
    from plywise.views.charts import Curve, Plot, curves_panel, page

    def curve(label: str, way: str) -> Curve:
        sizes = times.seconds[way]
        values = [times.typical(way, n)[0] if n in sizes else times.patience for n in plan.sizes]
        return Curve(label, values)

    last = list(times.seconds)[-1]
    plots = [
        Plot(
            title,
            [*(curve(label, way) for label, way in ways.items()), curve(plan.ours, last)],
            "log",
            _time,
        )
        for title, ways in plan.plots.items()
    ]
    panel = curves_panel(
        "Time by board size",
        f'"{plan.claim}"\nfor a search that did not finish, the time it was given',
        "rows and columns",
        [str(size) for size in plan.sizes],
        plots,
    )
    subtitle = f"{times.puzzles} puzzles of each size, at most {times.patience:g} s each"
    return page(plan.title, subtitle, [panel])


def _time(seconds: float) -> str:
    if seconds < 1e-3:
        return f"{seconds * 1e6:.3g} us"
    return f"{seconds * 1e3:.3g} ms" if seconds < 1 else f"{seconds:.3g} s"
