"""The report on Slither: its verdicts, and ways that take the same steps."""

from __future__ import annotations

import pytest

from lab.papers import slither
from lab.papers.report.puzzles import Timed
from tests.commands import Run


def made(seconds: float, *counts: int) -> dict[int, list[Timed]]:
    """Results of the size that verdicts look at, and as many of another."""
    return {4: [Timed(seconds * each, True, each) for each in counts]}


def test_verdicts_of_slither() -> None:
    few, many = (2,) * 20, (20,) * 20
    results = {slither.PLAIN: made(1, *many), slither.CERTAIN: made(1, *few)}
    results |= {slither.ORDER: made(1, *many), slither.PLUS: made(1, *few)}
    told = slither.ideas(results)
    assert told.startswith("confirmed: dfs-certain needs fewer steps on 20 of 20 puzzles")
    assert "10.0 times fewer in all; dfs-order needs fewer steps on 0 of 20" in told
    assert slither.ideas({**results, slither.PLUS: made(1, *many)}).startswith("undecided")
    assert slither.ideas({**results, slither.PLUS: made(1, *(30,) * 20)}).startswith("refuted")
    boards = {slither.NESTED: made(6, 5, 5), slither.FLAT: made(2, 5, 5)}
    boards |= {slither.ARRAYS: made(10, 4), slither.COMPILED: made(0.01, 5)}
    assert slither.boards(boards) == (
        "yes: for a step, nested lists take 3 times as long as flat ones. Flat arrays take 5 times "
        "as long as flat lists while interpreted; compiled, the same loop over them is 1,000 times "
        "as fast"
    )
    tests = {slither.NESTED: made(2, 5), slither.EVERY_LINE: made(3, 5)}
    assert slither.tests(tests).startswith("confirmed: a test at every line takes 1.5 times")
    for pace, word in ((3, "confirmed"), (1, "refuted"), (1.8, "hardly a difference")):
        paths = {slither.NESTED: made(2, 5), slither.MARKED: made(pace, 5)}
        assert slither.paths(paths).startswith(word)


@pytest.mark.long
def test_the_report_of_slither(run: Run) -> None:
    data = run("report", "slither", "--quick", "--json").json
    steps = {
        way: [each["steps"] for each in sizes["3x3"]]
        for way, sizes in data["ways"].items()
        if "3x3" in sizes and way.startswith(("nested", "flat", "marked", "a test"))
    }
    assert len(steps) == 6
    assert len({tuple(each) for each in steps.values()}) == 1
    assert all(each["verdict"] for each in data["comparisons"])
