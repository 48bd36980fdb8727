"""What a stored report concludes follows from the figures beside it."""

from __future__ import annotations

import re
from typing import Any

import pytest

from lab import results
from lab.papers import plan_for
from lab.papers.report.plans import Effort, ReportPlan
from lab.papers.report.puzzles import PuzzleReport, Timed
from plywise.play.statistics import Mean, Share

#: Reports whose game, measuring and judging are still as they were.
REPORTS = [
    name
    for name in results.names()
    if re.match(r"plywise report ", (result := results.read(name))["command"])
    and not results.changed(result)
]
EVERY_REPORT = pytest.mark.parametrize("name", REPORTS)


def plan_of(name: str) -> ReportPlan | PuzzleReport:
    plan = plan_for(results.read(name)["command"].split()[2])
    assert plan is not None
    return plan


def without_digits(verdict: str | None) -> str | None:
    """Times are stored with few digits: another one may be the last."""
    return verdict and re.sub("[0-9][0-9.,]*", "#", verdict)


@EVERY_REPORT
def test_claims_follow_from_their_games(name: str) -> None:
    found = results.read(name)["found"]
    for claim in found.get("claims", ()):
        verdicts = [judged(found["matches"], *pair) for pair in claim["pairs"]]
        counts = {word: verdicts.count(word) for word in ("confirmed", "refuted")}
        if len(set(verdicts)) == 1:
            assert claim["verdict"] == verdicts[0]
        else:
            told = [f"{word} by {count}" for word, count in counts.items() if count]
            if undecided := verdicts.count("undecided"):
                told.append(f"{undecided} undecided")
            assert claim["verdict"] == f"of {len(verdicts)} pairs {', '.join(told)}"


def judged(matches: list[dict[str, Any]], better: str, worse: str) -> str:
    """Judge one pair of a claim, whichever of the two is the first."""
    [match] = [each for each in matches if {each["a"], each["b"]} == {better, worse}]
    low, high = match["score_low"] - 0.5, match["score_high"] - 0.5
    if match["lead"]:
        low, high = match["lead"]["low"], match["lead"]["high"]
    if match["a"] != better:
        low, high = -high, -low
    return "confirmed" if low > 0 else "refuted" if high < 0 else "undecided"


@EVERY_REPORT
def test_tables_and_their_verdicts_follow_from_their_counts(name: str) -> None:
    plan, found = plan_of(name), results.read(name)["found"]
    for stored in found.get("tables", ()):
        assert isinstance(plan, ReportPlan)
        [table] = [each for each in plan.tables if each.title == stored["title"]]
        rows = [tuple(map(cell, row.values())) for row in stored["rows"]]
        assert stored["verdict"] == (table.verdict(rows) if table.verdict else None)


def cell(stored: Any) -> Any:
    """Read a cell of a table back."""
    if isinstance(stored, dict) and "share" in stored:
        share = Share(stored["points"], stored["count"])
        assert share.to_json() == stored
        return share
    if isinstance(stored, dict):
        assert stored["low"] <= stored["mean"] <= stored["high"]
        return Mean(stored["mean"], (stored["high"] - stored["low"]) / 2, stored["count"])
    return stored


@EVERY_REPORT
def test_verdicts_on_comparisons_follow_from_nodes_and_times(name: str) -> None:
    plan, found = plan_of(name), results.read(name)["found"]
    for stored in found["comparisons"]:
        [compared] = [each for each in plan.comparisons if each.title == stored["title"]]
        assert compared.verdict is not None
        if isinstance(plan, PuzzleReport):
            ways = {way: sizes(found["ways"][way]) for way in stored["ways"]}
            verdict = compared.verdict(ways)
        else:
            series = [[effort(step) for step in each["steps"]] for each in stored["series"]]
            steps = [step[stored["axis"]] for step in stored["series"][0]["steps"]]
            verdict = compared.verdict(dict(zip(steps, zip(*series, strict=True), strict=True)))
        assert without_digits(stored["verdict"]) == without_digits(verdict)


def effort(step: dict[str, Any]) -> Effort:
    return Effort(step["nodes"], step["seconds"], step["same_move"])


def sizes(stored: dict[str, Any]) -> dict[int, list[Timed]]:
    return {int(size.split("x")[0]): [Timed(**each) for each in found]
            for size, found in stored.items()}  # fmt: skip
