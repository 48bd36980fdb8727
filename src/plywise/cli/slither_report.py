"""`report slither`: the report's path search beside ours, time by the size of the board."""

from __future__ import annotations

import statistics
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from plywise.cli.console import table

if TYPE_CHECKING:
    from plywise.core.scene import Scene
    from plywise.puzzles.slither.grid import Puzzle

SIZES = (2, 3, 4, 5, 6, 7)
PUZZLES, FEW = 7, 3  #: of each size, and in a quick run
PATIENCE, SHORT = 20.0, 1.0  #: seconds for a puzzle, and in a quick run
CLAIM = (
    "I would like to see how depth first search can be carried out provided I had chosen some "
    "other representations."
)

#: A way to solve: seconds, and whether it came to an end.
Way = Callable[["Puzzle", float], tuple[float, bool]]


@dataclass
class Times:
    """Seconds of each way for the puzzles of each size; where one did not finish, what it had."""

    patience: float
    puzzles: int
    seconds: dict[str, dict[int, list[tuple[float, bool]]]] = field(default_factory=dict)

    def typical(self, way: str, size: int) -> tuple[float, int]:
        """The median, and how many were finished."""
        found = self.seconds[way][size]
        return statistics.median(s for s, _ in found), sum(done for _, done in found)

    def to_json(self) -> dict[str, Any]:
        """Plain data."""
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


def ways() -> dict[str, Way]:
    """The search of the report and with its wishes, on two boards; and ours, with its proof."""
    from plywise.puzzles.slither import path_search
    from plywise.puzzles.slither.solver import solve

    def path(run: Callable[..., path_search.PathResult], method: str) -> Way:
        def timed(puzzle: Puzzle, patience: float) -> tuple[float, bool]:
            found = run(puzzle, method, patience)
            return found.seconds, found.finished

        return timed

    def ours(puzzle: Puzzle, patience: float) -> tuple[float, bool]:
        return solve(puzzle).seconds, True

    return {
        "dfs, nested lists": path(path_search.search_lists, "dfs"),
        "dfs, flat arrays": path(path_search.search, "dfs"),
        "dfs-plus, nested lists": path(path_search.search_lists, "dfs-plus"),
        "dfs-plus, flat arrays": path(path_search.search, "dfs-plus"),
        "plywise": ours,
    }


def measure(seed: int, quick: bool, on_step: Callable[[str], None]) -> Times:
    """Every way on the same puzzles; one that finished none of a size is not asked for larger."""
    from plywise.puzzles.slither.generator import Wish, generate

    times = Times(SHORT if quick else PATIENCE, FEW if quick else PUZZLES)
    puzzles = {
        size: [
            generate(Wish(size, size, symmetry="none"), seed + k).puzzle
            for k in range(times.puzzles)
        ]
        for size in SIZES
    }
    for name, way in ways().items():
        way(puzzles[2][0], times.patience)  # compiles
        times.seconds[name] = {}
        for size in SIZES:
            times.seconds[name][size] = [way(p, times.patience) for p in puzzles[size]]
            on_step(f"{name}, {size} x {size}")
            if not any(done for _, done in times.seconds[name][size]):
                break
    return times


def steps() -> int:
    """How many there are, for a bar."""
    return len(SIZES) * 5


def report_text(times: Times) -> Iterator[str]:
    """The figures as a table."""
    yield "Slither: the report's path search beside ours"
    yield (
        f"{times.puzzles} puzzles of each size, the median; {times.patience:g} s for each at most "
        "(in brackets how many were solved in time)"
    )
    yield ""
    rows = [["", *(f"{size} x {size}" for size in SIZES)]]
    for way, sizes in times.seconds.items():
        row = [way]
        for size in SIZES:
            if size not in sizes:
                row.append("-")
                continue
            seconds, done = times.typical(way, size)
            all_done = done == times.puzzles
            row.append(_time(seconds) if all_done else f"> {_time(seconds)} ({done})")
        rows.append(row)
    yield from table(rows)


def report_scene(times: Times) -> Scene:
    """The same as curves."""
    from plywise.views.charts import Curve, Plot, curves_panel, page

    def curve(label: str, way: str) -> Curve:
        sizes = times.seconds[way]
        values = [times.typical(way, n)[0] if n in sizes else times.patience for n in SIZES]
        return Curve(label, values)

    plots = [
        Plot(
            f"median time of {method}",
            [
                *(curve(board, f"{method}, {board}") for board in ("nested lists", "flat arrays")),
                curve("plywise, with its proof", "plywise"),
            ],
            "log",
            _time,
        )
        for method in ("dfs", "dfs-plus")
    ]
    panel = curves_panel(
        "Time by the size of the board",
        f'"{CLAIM}"\nwhere a search did not finish, the time it was given',
        "rows and columns",
        [str(size) for size in SIZES],
        plots,
    )
    subtitle = f"{times.puzzles} puzzles of each size, {times.patience:g} s for each at most"
    return page("Slither: the report's path search beside ours", subtitle, [panel])


def _time(seconds: float) -> str:
    if seconds < 1e-3:
        return f"{seconds * 1e6:.3g} us"
    return f"{seconds * 1e3:.3g} ms" if seconds < 1 else f"{seconds:.3g} s"
