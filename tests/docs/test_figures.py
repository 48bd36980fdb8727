"""Figures in pages come from results: quoted, formatted, and marked once they are old."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest

from lab import results
from tests.docs.figures import DAGGER, figure, result_table, results_of, turned
from tests.docs.pages import PAGES
from tests.docs.tables import MARKED, written_anew


def row(what: str, seconds: float, at_most: float | None = None, **found: Any) -> dict[str, Any]:
    result = {"amount": seconds, "unit": "s"}
    met = None if at_most is None else seconds <= at_most
    rest = {"result": result, "at_least": None, "at_most": at_most, "met": met}
    return {"what": what, "plywise": "", "against": "", **rest, **found}


SHARE = {"points": 3.0, "count": 4, "share": 0.75, "low": 0.3006, "high": 0.9544}


def match(a: str, b: str, **found: Any) -> dict[str, Any]:
    counts = {"games": 4, "wins": 3, "draws": 0, "losses": 1, "lead": None, **found}
    return {"a": a, "b": b, "score": 0.75, "score_low": 0.3, "score_high": 0.95, **counts}


FOUND: dict[str, Any] = {
    "agents": [
        {"agent": name, "score": score, "score_low": score - 0.1, "score_high": score + 0.1,
         "rating": rating, "rating_error": 9.6, "seconds_median": 0.0123}
        for name, score, rating in (("auto", 0.75, 95.4), ("random", 0.25, -95.4))
    ],
    "matches": [match("auto", "random", lead={"mean": 2.0, "low": -1.0, "high": 5.0})],
    "claims": [{"words": "it wins", "pairs": [["auto", "random"]], "verdict": "confirmed"}],
    "comparisons": [
        {"claim": "it saves", "verdict": None, "axis": "depth", "published": {"2": "two"},
         "series": [
             {"label": "new", "steps": [{"depth": 1, "nodes": 10, "seconds": 0.5},
                                        {"depth": 2, "nodes": 20, "seconds": 1.5}]},
             {"label": "old", "steps": [{"depth": 1, "nodes": 10, "seconds": 0.5},
                                        {"depth": 2, "nodes": 40000, "seconds": 15.0}]}]}
    ],
    "benchmarks": [
        {"name": "startup", "against": "",
         "rows": [row("help", 0.25, 0.3), row("search", 2, 1.0)]},
        {"name": "solve", "against": "known",
         "rows": [row("3 x 3", 0.5, plywise="draw, 239 nodes", against="draw")]},
    ],
    "tables": [{"title": "right moves", "claim": "", "verdict": "so",
                "rows": [{"agent": "seed:depth=2", "right": SHARE}]}],
}  # fmt: skip


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder of results with one, `mine`, about a file that is there too."""
    monkeypatch.setattr(results, "FOLDER", tmp_path)
    monkeypatch.setattr(results, "ROOT", tmp_path)
    (tmp_path / "search.py").write_text("DEPTH = 2\n")
    kept = {
        "command": "plywise report mine",
        "commit": "0123456789",
        "machine": {"processor": "P", "cores": 2, "load": 0.1, "python": "3.11.7"},
        "date": "2026-01-01",
        "sources": {"search.py": results.digest(tmp_path / "search.py")},
        "found": FOUND,
    }
    (tmp_path / "mine.json").write_text(json.dumps(kept))
    return tmp_path


@pytest.mark.usefixtures("folder")
@pytest.mark.parametrize(
    ("asked", "text"),
    [
        ("mine agents/agent=auto/rating", "95.4"),
        ("mine comparisons/0/series/1/steps/depth=2/nodes", "40,000"),
        ("mine comparisons/0/series/1/steps/-1/nodes over comparisons/0/series/0/steps/-1/nodes",
         "2,000"),
        ("mine tables/0/rows/0/right", "75 % (30 to 95)"),
        ("mine tables/0/rows/0/right as percent", "75 %"),
        ("mine agents/0/score as percent", "75 %"),
        ("mine agents/0/seconds_median as duration", "12 ms"),
        ("mine comparisons/0/series/1/steps as median", "7.8 s"),
    ],
)  # fmt: skip
def test_a_figure_is_found_and_written(asked: str, text: str) -> None:
    assert figure(asked) == text


@pytest.mark.usefixtures("folder")
@pytest.mark.parametrize(
    "asked", ["yours agents", "mine", "mine agents/agent=seed", "mine matches/0/speed"]
)
def test_what_is_not_there_cannot_be_quoted(asked: str) -> None:
    with pytest.raises((LookupError, ValueError)):
        figure(asked)


@pytest.mark.usefixtures("folder")
@pytest.mark.parametrize(
    ("part", "lines"),
    [
        ("agents", ["| 1 | `auto` | 75 % (65 to 85) | +95 +-10 | 12 ms |  | 75 |",
                    "| 2 | `random` | 25 % (15 to 35) | -95 +-10 | 12 ms | 25 |  |"]),
        ("pairs", ["| `auto` | `random` | 3 | 0 | 1 | 75 % (30 to 95) | +2.0 (-1.0 to 5.0) |"]),
        ("agents alone", ["| 1 | `auto` | 75 % (65 to 85) | +95 +-10 | 12 ms |",
                          "| 2 | `random` | 25 % (15 to 35) | -95 +-10 | 12 ms |"]),
        ("claim 0", ["| `auto` | `random` | 4 | 75 % (30 to 95) | +2.0 (-1.0 to 5.0) | undecided"
                     " | 12 ms and 12 ms |"]),
        ("pairs random", ["| `auto` | 1 | 0 | 3 | 25 % (5 to 70) | -2.0 (-5.0 to 1.0) |"]),
        ("comparison 0", ["| 1 |  | 10 | 10 | 1.0 |", "| 2 | two | 20 | 40,000 | 2,000 |"]),
        ("comparison 0 both", ["| 1 |  | 10 | 10 | 500 ms | 500 ms | 1.0 |",
                               "| 2 | two | 20 | 40,000 | 1.5 s | 15 s | 2,000 |"]),
        ("comparison 0 time", ["| 1 |  | 10 | 500 ms | 500 ms | 1.0 |",
                               "| 2 | two | 20 | 1.5 s | 15 s | 10 |"]),
        ("table 0", ["| `seed:depth=2` | 75 % (30 to 95) |"]),
        ("across 0 0", ["| right moves | 75 % (30 to 95) |", "| right moves | 75 % (30 to 95) |"]),
        ("table 0 without right", ["| `seed:depth=2` |"]),
        ("rows", ["| help | 250 ms | at most 300 ms |",
                  "| search | 2 s | at most 1 s, missed |"]),
        ("rows solve", ["| 3 x 3 | draw, 239 nodes | draw | 500 ms |"]),
        ("verdicts", ["| *it wins* | confirmed |"]),
    ],
)  # fmt: skip
def test_a_table_is_written(part: str, lines: list[str]) -> None:
    assert result_table(f"mine {part}").split("\n")[3:-2] == lines


@pytest.mark.parametrize(
    ("low", "high", "lead", "better"),
    [
        (0.51, 0.9, None, "yes"),
        (0.5, 0.9, None, "undecided"),
        (0.1, 0.49, None, "no"),
        (0.51, 0.9, (-2.0, -1.0), "no"),  # in a game of points the lead decides
        (0.1, 0.49, (1.0, 2.0), "yes"),
        (0.51, 0.9, (-1.0, 1.0), "undecided"),
    ],
)
@pytest.mark.parametrize("second", [False, True])
def test_a_claim_is_judged_by_the_games_of_its_pair(
    folder: Path,
    low: float,
    high: float,
    lead: tuple[float, float] | None,
    better: str,
    second: bool,
) -> None:
    """... whichever of the two was measured as the first, and with more games if there are some."""
    points = dict(zip(("low", "high"), lead, strict=True), mean=sum(lead) / 2) if lead else None
    measured = match("auto", "random", games=200, score_low=low, score_high=high, lead=points)
    if second:
        measured = turned(measured, "random")
    kept = json.loads((folder / "mine.json").read_text())
    found = {**kept, "found": {"agents": FOUND["agents"], "matches": [measured]}}
    (folder / "more.json").write_text(json.dumps(found))
    row = result_table("mine claim 0 with more").split("\n")[3]
    assert row.startswith("| `auto` | `random` | 200 | 75 % (")
    assert f" | {better} | " in row


def test_a_table_of_two_results_is_marked_with_either(folder: Path) -> None:
    kept = json.loads((folder / "mine.json").read_text())
    (folder / "more.json").write_text(json.dumps({**kept, "sources": {"search.py": "other"}}))
    assert f"| agent {DAGGER} |" in result_table("mine claim 0 with more")
    page = "<!-- result: mine claim 0 with more --><!-- end -->"
    assert [line[:8] for line in results_of(page).split("\n")[3:5]] == ["| `mine`", "| `more`"]


@pytest.mark.parametrize(
    "page", [each for each in PAGES if MARKED.search(each.read_text())], ids=lambda page: page.name
)
def test_a_wrong_figure_on_a_page_is_found(page: Path, tmp_path: Path) -> None:
    """Plant other digits in everything that a page quotes."""
    right = page.read_text(encoding="utf-8")
    planted = tmp_path / page.name
    planted.write_text(MARKED.sub(_one_off, right), encoding="utf-8")
    assert written_anew(planted) == right


def _one_off(mark: re.Match[str]) -> str:
    wrong = re.sub("[0-9]", lambda digit: f"{9 - int(digit[0])}", mark["text"])
    return f"{mark[1]}{wrong}.{mark[5]}"


def test_a_wrong_figure_is_written_anew(folder: Path) -> None:
    page = folder / "page.md"
    page.write_text("It won <!-- figure: mine agents/0/score as percent -->99 %<!-- end --> here.")
    assert "-->75 %<!-- end --> here." in written_anew(page)


def test_what_changed_since_is_marked(folder: Path) -> None:
    page = folder / "page.md"
    page.write_text("<!-- figure: mine agents/0/score as percent --><!-- end -->"
                    "<!-- results --><!-- end -->")  # fmt: skip
    assert DAGGER not in written_anew(page)
    (folder / "search.py").write_text('"""A search."""\n\nDEPTH = 2  # plies\n')
    assert DAGGER not in written_anew(page)
    (folder / "search.py").write_text("DEPTH = 3\n")
    text = written_anew(page)
    assert f"75 %{DAGGER}<!-- end -->" in text
    assert f"| `mine` | `plywise report mine` | 2026-01-01, 01234567{DAGGER} |" in text
    assert f"{DAGGER} Its sources have changed since." in text


def test_a_mark_that_asks_for_nothing_says_so(folder: Path) -> None:
    page = folder / "page.md"
    page.write_text("<!-- result: mine speeds --><!-- end -->")
    with pytest.raises(ValueError, match=r"page.md: <!-- result: mine speeds -->"):
        written_anew(page)
