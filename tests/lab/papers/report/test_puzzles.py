"""`plywise report` for puzzles: every way on the same puzzles, claims with their verdicts."""

from __future__ import annotations

import pytest

from lab.papers.report.puzzles import (
    PuzzleComparison,
    PuzzleReport,
    Results,
    Timed,
    Way,
    finished_by_both,
    measure,
    report_scene,
    report_text,
    steps,
)
from plywise.core.scene import Label


def counting(factor: int) -> Way:
    """A way that needs so many steps for each row and number; one microsecond each."""

    def way(puzzle: tuple[int, int], limit: int) -> Timed:
        needed = factor * puzzle[0] * puzzle[1]
        return Timed(min(needed, limit) / 1e6, needed <= limit, min(needed, limit))

    return way


def judge(results: Results) -> str:
    both = finished_by_both(results, "short", "long", (1, 2, 3))
    return f"{len(both)} by both, {sorted(results)}"


PLAN = PuzzleReport(
    title="a test",
    make=lambda size, seed: (size, seed),
    ways=lambda: {"short": counting(1), "long": counting(50), "other": counting(3)},
    comparisons=(
        PuzzleComparison("lengths", "longer takes longer", (1, 2, 3), ("short", "long"), judge),
        PuzzleComparison("itself", "nothing changes", (2,), ("other", "other")),
    ),
    limit=1000,
    unit="steps",
)


def test_ways_meet_the_same_puzzles_and_give_up() -> None:
    told: list[str] = []
    times = measure(PLAN, 1, True, told.append)
    assert len(told) == steps(PLAN, True) == 9
    assert times.limit == 100
    long = times.results["long"]
    assert [each.steps for each in long[1]] == [50, 100, 100]
    assert [each.finished for each in long[2]] == [True, False, False]
    assert not any(each.finished for each in long[3])
    assert list(times.results["other"]) == [2]
    assert times.typical("short", 3) == (pytest.approx(6e-6), 6, 3)
    later = measure(PLAN, 4, True, told.append)
    assert list(later.results["long"]) == [1]  # none of them: larger ones are not tried


def test_tables_verdicts_and_pictures() -> None:
    times = measure(PLAN, 1, True, lambda text: None)
    text = "\n".join(report_text(PLAN, times))
    assert "3 puzzles of each size, at most 100 steps for each" in text
    assert 'lengths: "longer takes longer"' in text
    rows = [line.split() for line in text.splitlines()]
    assert ["short", "2", "4", "6"] in rows
    assert ["long", ">", "100", "(2)", ">", "100", "(1)", ">", "100", "(0)"] in rows
    assert ["all", "12"] in rows  # the same steps are written once
    assert text.count("verdict: ") == 1
    verdict = "3 by both, ['long', 'short']"
    assert f"verdict: {verdict}" in text
    data = times.to_json(PLAN)
    assert data["ways"]["short"]["2x2"][0] == {"seconds": 2e-6, "finished": True, "steps": 2}
    assert [each["verdict"] for each in data["comparisons"]] == [verdict, None]
    scene = report_scene(PLAN, times)
    drawn = [shape.text for shape in scene.shapes if isinstance(shape, Label)]
    assert drawn.count("median time") == 2
    assert drawn.count("median steps") == 1  # not where all are the same
    assert verdict in drawn
