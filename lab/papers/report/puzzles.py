"""`report PUZZLE`: compare ways to solve a puzzle by time and steps, for each board size."""

from __future__ import annotations

import statistics
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from lab.papers.report.curves import Curve, Panel, Plot, curves_panel, page
from plywise.cli.console import table
from plywise.core.puzzle import Puzzle
from plywise.core.scene import Scene


class Timed(NamedTuple):
    """How one way did on one puzzle."""

    seconds: float
    finished: bool  #: within the limit
    steps: int = 0  #: of its search, which are exact, unlike the time; 0 if it does not count them


Way = Callable[[Puzzle, int], Timed]  #: (puzzle, limit): solve a puzzle within a limit
#: A way -> a size -> its results for the puzzles of this size, in the same order for every way.
Results = Mapping[str, Mapping[int, Sequence[Timed]]]


@dataclass(frozen=True)
class PuzzleComparison:
    """Several ways to solve the same puzzles."""

    title: str
    claim: str  #: what was published about it
    sizes: tuple[int, ...]
    ways: tuple[str, ...]  #: by their names in `PuzzleReport.ways`
    #: (the results of these ways) -> whether the claim holds, in a sentence
    verdict: Callable[[Results], str] | None = None


@dataclass(frozen=True)
class PuzzleReport:
    """What `plywise report` measures: several ways to solve puzzles of growing size."""

    title: str
    make: Callable[[int, int], Puzzle]  #: (size, random seed)
    ways: Callable[[], Mapping[str, Way]]  #: by name
    comparisons: tuple[PuzzleComparison, ...]
    limit: int = 10  #: on each puzzle; a quick report has a tenth of it
    unit: str = "s"  #: of the limit, such as `s` or `steps`


def finished_by_both(
    results: Results, one: str, other: str, sizes: Sequence[int]
) -> list[tuple[Timed, Timed]]:
    """Return the results of two ways for all puzzles that both solved."""
    pairs = [
        pair
        for size in sizes
        for pair in zip(results[one].get(size, ()), results[other].get(size, ()), strict=False)
    ]
    return [(first, second) for first, second in pairs if first.finished and second.finished]


# ---- measuring ----------------------------------------------------------------------------

PUZZLES, FEW = 15, 3  #: puzzles of each size: normally, and in a quick run
TENTH = 10  #: a quick run has a tenth of the limit


@dataclass
class Times:
    """The results of each way for the puzzles of each size."""

    limit: int
    puzzles: int
    results: dict[str, dict[int, list[Timed]]] = field(default_factory=dict)

    def typical(self, way: str, size: int) -> tuple[float, float, int]:
        """Return the median time and steps, and how many puzzles were finished."""
        found = self.results[way][size]
        seconds, steps = (statistics.median(each[k] for each in found) for k in (0, 2))
        return seconds, steps, sum(each.finished for each in found)

    def verdict(self, compared: PuzzleComparison) -> str | None:
        """Say whether the claim of a comparison holds."""
        if compared.verdict is None:
            return None
        return compared.verdict({way: self.results[way] for way in compared.ways})

    def to_json(self, plan: PuzzleReport) -> dict[str, Any]:
        """Return plain data for `--json`."""
        return {
            "limit": self.limit,
            "unit": plan.unit,
            "ways": {
                way: {
                    f"{size}x{size}": [
                        {**each._asdict(), "seconds": round(each.seconds, 6)} for each in found
                    ]
                    for size, found in sizes.items()
                }
                for way, sizes in self.results.items()
            },
            "comparisons": [
                {
                    "title": each.title,
                    "claim": each.claim,
                    "ways": list(each.ways),
                    "verdict": self.verdict(each),
                }
                for each in plan.comparisons
            ],
        }


def measure(plan: PuzzleReport, seed: int, quick: bool, on_step: Callable[[str], None]) -> Times:
    """Time every way on the same puzzles; a way that finishes none of a size skips larger ones."""
    limit = max(1, plan.limit // TENTH) if quick else plan.limit
    times = Times(limit, FEW if quick else PUZZLES)
    sizes, ways = _sizes(plan), plan.ways()
    smallest = plan.make(min(sizes), seed)
    for name, way in ways.items():
        way(smallest, times.limit)  # compiles
        times.results[name] = {}
    for size, wanted in sizes.items():
        puzzles = [plan.make(size, seed + k) for k in range(times.puzzles)]
        names = [name for name in ways if name in wanted and not _gave_up(times, name)]
        for name in names:
            times.results[name][size] = []
        for puzzle in puzzles:
            # In turn on each puzzle, so that other load on the machine affects all alike.
            for name in names:
                times.results[name][size].append(ways[name](puzzle, times.limit))
            on_step(f"{size} x {size}")
    return times


def _sizes(plan: PuzzleReport) -> dict[int, set[str]]:
    """Return all sizes, the smallest first, with the ways to measure there."""
    sizes = sorted({size for each in plan.comparisons for size in each.sizes})
    return {
        size: {way for each in plan.comparisons if size in each.sizes for way in each.ways}
        for size in sizes
    }


def _gave_up(times: Times, way: str) -> bool:
    """True if a way finished no puzzle of its last size."""
    found = list(times.results[way].values())
    return bool(found) and not any(each.finished for each in found[-1])


def steps(plan: PuzzleReport, quick: bool) -> int:
    """Return the number of steps, for a progress bar."""
    return len(_sizes(plan)) * (FEW if quick else PUZZLES)


# ---- tables --------------------------------------------------------------------------------


def report_text(plan: PuzzleReport, times: Times) -> Iterator[str]:
    """Write the times and steps as tables."""
    yield plan.title
    yield _subtitle(plan, times)
    yield "medians; in brackets: how many were solved, if not all"
    for compared in plan.comparisons:
        yield ""
        yield f'{compared.title}: "{compared.claim}"'
        head = [f"{size} x {size}" for size in compared.sizes]
        rows = [[way, *_row(times, compared, way, 0, _time)] for way in compared.ways]
        yield from table([["time", *head], *rows])
        counted = [way for way in compared.ways if _counts(times, way)]
        rows = [[way, *_row(times, compared, way, 1, "{:,.0f}".format)] for way in counted]
        if rows and all(row[1:] == rows[0][1:] for row in rows):
            rows = [["all", *rows[0][1:]]]
        if rows:
            yield from table([["steps", *head], *rows])
        if verdict := times.verdict(compared):
            yield f"verdict: {verdict}"


def _row(
    times: Times, compared: PuzzleComparison, way: str, which: int, write: Callable[[float], str]
) -> Iterator[str]:
    """Write the median times or steps of a way, for each size."""
    for size in compared.sizes:
        if size not in times.results[way]:
            yield "-"
            continue
        *figures, done = times.typical(way, size)
        text = write(figures[which])
        yield text if done == times.puzzles else f"> {text} ({done})"


def _counts(times: Times, way: str) -> bool:
    return any(each.steps for found in times.results[way].values() for each in found)


def _subtitle(plan: PuzzleReport, times: Times) -> str:
    return f"{times.puzzles} puzzles of each size, at most {times.limit:,} {plan.unit} for each"


# ---- picture -------------------------------------------------------------------------------


def report_scene(plan: PuzzleReport, times: Times) -> Scene:
    """Draw the times and steps as curves."""
    panels = [_panel(times, compared) for compared in plan.comparisons]
    text = "\n".join(report_text(plan, times))
    return page(plan.title, _subtitle(plan, times), panels, text=text)


def _panel(times: Times, compared: PuzzleComparison) -> Panel:
    def curve(way: str, which: int) -> Curve:
        """A curve ends at the last size that was tried."""
        tried = [size for size in compared.sizes if size in times.results[way]]
        return Curve(way, [times.typical(way, size)[which] for size in tried])

    plots = [Plot("median time", [curve(way, 0) for way in compared.ways], "log", _time)]
    counted = [curve(way, 1) if _counts(times, way) else Curve(way, []) for way in compared.ways]
    if len({tuple(each.values) for each in counted}) > 1:
        plots.append(Plot("median steps", counted, "log", "{:,.0f}".format))
    said = [f'"{compared.claim}"', times.verdict(compared) or ""]
    return curves_panel(
        compared.title[:1].upper() + compared.title[1:],
        "\n".join(filter(None, said)),
        "rows and columns",
        [str(size) for size in compared.sizes],
        plots,
    )


def _time(seconds: float) -> str:
    if seconds < 1e-3:
        return f"{seconds * 1e6:.3g} us"
    return f"{seconds * 1e3:.3g} ms" if seconds < 1 else f"{seconds:.3g} s"
