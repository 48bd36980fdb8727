"""Figures in pages come from results: quoted, formatted, and marked once they are old."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from lab import results
from tests.docs.figures import DAGGER, figure, result_table
from tests.docs.tables import written_anew


def row(what: str, seconds: float, at_most: float | None = None, **found: Any) -> dict[str, Any]:
    result = {"amount": seconds, "unit": "s"}
    met = None if at_most is None else seconds <= at_most
    rest = {"result": result, "at_least": None, "at_most": at_most, "met": met}
    return {"what": what, "plywise": "", "against": "", **rest, **found}


SHARE = {"points": 3.0, "count": 4, "share": 0.75, "low": 0.3006, "high": 0.9544}


def match(a: str, b: str, **found: Any) -> dict[str, Any]:
    counts = {"wins": 3, "draws": 0, "losses": 1, "lead": None, **found}
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
        {"name": "cold", "against": "",
         "rows": [row("a warm start", 1), row("align, level 1: a1", 0.5, 2.0),
                  row("align, level 10: b2", 6, 5.0)]},
    ],
    "tables": [{"claim": "", "verdict": "so", "rows": [{"agent": "seed:depth=2", "right": SHARE}]}],
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
        ("pairs random", ["| `auto` | 1 | 0 | 3 | 25 % (5 to 70) | -2.0 (-5.0 to 1.0) |"]),
        ("comparison 0", ["| 1 |  | 10 | 10 | 1.0 |", "| 2 | two | 20 | 40,000 | 2,000 |"]),
        ("comparison 0 times", ["| 1 |  | 10 | 10 | 1.0 | 500 ms | 500 ms |",
                                "| 2 | two | 20 | 40,000 | 2,000 | 1.5 s | 15 s |"]),
        ("table 0", ["| `seed:depth=2` | 75 % (30 to 95) |"]),
        ("table 0 without right", ["| `seed:depth=2` |"]),
        ("rows", ["| help | 250 ms | at most 300 ms |",
                  "| search | 2 s | at most 1 s, missed |"]),
        ("rows solve", ["| 3 x 3 | draw, 239 nodes | draw | 500 ms |"]),
        ("levels cold", ["| `align` | 500 ms | 6 s, missed |"]),
        ("verdicts", ["| *it wins* | confirmed |"]),
    ],
)  # fmt: skip
def test_a_table_is_written(part: str, lines: list[str]) -> None:
    assert result_table(f"mine {part}").split("\n")[3:-2] == lines


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
