"""The results that are kept: their commands can be given again, and what can be counted agrees."""

from __future__ import annotations

import json
import shlex
import subprocess
import sys
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from bench.connect4 import SETS, TURN, Ours, read

import plywise
from lab import results
from lab.papers import plan_for
from lab.papers.report.measuring import measure, prepare
from lab.papers.report.plans import ReportPlan
from lab.results import __main__ as keeping
from plywise.engines.perft import perft
from plywise.games.connect4.solver import IDEAS
from tests.docs.test_papers import parsed

KEYS = ["command", "commit", "machine", "date", "sources", "found"]
REPORTS = [name for name in results.names() if name.startswith("report-")]
BENCHES = [
    name for name in results.names() if results.read(name)["command"].startswith("python -m bench ")
]
QUICK = 0.1  #: seconds that a step took which is searched again


@pytest.mark.parametrize("name", results.names())
def test_a_file_says_where_it_comes_from(name: str) -> None:
    kept = results.read(name)
    assert list(kept) == KEYS
    assert set(kept["machine"]) == {"processor", "cores", "load", "python"}
    assert kept["sources"]
    assert keeping.named(shlex.split(kept["command"])) <= kept["sources"].keys()


@pytest.mark.parametrize("name", REPORTS)
def test_a_report_can_be_given_again(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    program, *words = shlex.split(results.read(name)["command"])
    assert (program, words[0]) == ("plywise", "report")
    assert "--quick" not in words
    given = parsed([*words, "--json"], monkeypatch)
    found, plan = results.read(name)["found"], plan_for(given["game"].partition(":")[0])
    for part in ("comparisons", "tables"):
        titles = [each["title"] for each in found.get(part, ())]
        assert titles in ([], [each.title for each in getattr(plan, part, ())])


def test_every_picture_of_a_report_comes_from_a_result() -> None:
    drawn = {word for name in REPORTS for word in shlex.split(results.read(name)["command"])}
    pictures = sorted((results.ROOT / "docs" / "pictures").glob("report-*.svg"))
    assert pictures
    for picture in pictures:
        assert str(picture.relative_to(results.ROOT)) in drawn


@pytest.mark.slow
@pytest.mark.parametrize("name", REPORTS)
def test_nodes_are_those_of_today(name: str) -> None:
    """Every step of a comparison that is searched quickly is searched again."""
    found = results.read(name)["found"]
    if not any(each.get("series") for each in found.get("comparisons", ())):
        return
    game = plywise.game(found["game"])
    plan = plan_for(game.type.name)
    assert isinstance(plan, ReportPlan)
    quick = "--quick" in results.read(name)["command"].split()
    report = prepare(
        game, plan=quick_steps(plan, found), seed=found["seed"], quick=quick, parts=["comparisons"]
    )
    searched = measure(report).to_json()["comparisons"]
    known, now = _counts(found["comparisons"]), _counts(searched)
    assert now
    assert now.items() <= known.items()


def _counts(comparisons: list[dict[str, Any]]) -> dict[tuple[Any, ...], tuple[int, int]]:
    """The nodes and same moves of every step."""
    return {
        (each["title"], series["label"], step[each["axis"]]): (step["nodes"], step["same_move"])
        for each in comparisons
        for series in each["series"]
        for step in series["steps"]
    }


def quick_steps(plan: ReportPlan, found: dict[str, Any]) -> ReportPlan:
    """Return a plan whose comparisons have only steps that take no time."""
    chosen = []
    for comparison, kept in zip(plan.comparisons, found["comparisons"], strict=True):
        most: dict[int, float] = {}
        for series in kept["series"]:
            for step in series["steps"]:
                at = step[kept["axis"]]
                most[at] = max(most.get(at, 0.0), step["seconds"])
        steps = tuple(step for step in comparison.steps if most.get(step, QUICK) < QUICK)
        chosen.append(replace(comparison, steps=steps, verdict=None))  # it wants all steps
    return replace(plan, comparisons=tuple(chosen))


def rows(bench: str) -> dict[str, dict[str, Any]]:
    """The rows of a benchmark by their names, from the one result that has it."""
    benches = [each for name in BENCHES for each in results.read(name)["found"]["benchmarks"]]
    (found,) = (each for each in benches if each["name"] == bench)
    return {row["what"]: row for row in found["rows"]}


@pytest.mark.parametrize("name", BENCHES)
def test_a_benchmark_is_whole(name: str) -> None:
    """It names what it ran, says so if that was quick, and had every package to compare with."""
    program, *words = shlex.split(results.read(name)["command"])
    found = results.read(name)["found"]
    assert (program, words[:2]) == ("python", ["-m", "bench"])
    named = [word for word in words[2:] if word != "--quick"]
    assert sorted(named) == sorted(each["name"] for each in found["benchmarks"])
    assert found["quick"] == ("--quick" in words)
    assert all(each["rows"] and not each["skipped"] for each in found["benchmarks"])


@pytest.mark.slow
def test_boards_are_solved_with_the_nodes_that_were_kept() -> None:
    for board, row in rows("solve").items():
        solved = plywise.solve(plywise.game(f"tictactoe:{board}").start())
        assert row["plywise"] == f"{solved.outcome}, {solved.nodes:,} nodes", board


@pytest.mark.slow
def test_leaves_are_those_that_were_kept() -> None:
    start = plywise.game("connect4").start()
    for what, row in rows("perft").items():
        assert row["plywise"] == f"{perft(start, int(what.split()[-1])):,} leaves"


@pytest.mark.slow
@pytest.mark.parametrize("name", SETS)
def test_scores_take_the_nodes_that_were_kept(name: str) -> None:
    ours, game, known = Ours(dict(IDEAS)), plywise.game("connect4"), read(name, quick=False)
    games = list(known)
    for at in range(0, len(games), TURN):
        part = games[at : at + TURN]
        assert ours.scores([game.position(each) for each in part]) == [known[g] for g in part]
    mean = f"{ours.nodes / len(known):,.1f} nodes"
    assert f"{name} ({len(known):,}), {mean}" in rows("connect4")


# ---- keeping -------------------------------------------------------------------------------


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty folder of results; everything is committed."""
    monkeypatch.setattr(keeping, "commit", lambda: "abc")
    monkeypatch.setattr(results, "FOLDER", tmp_path)
    return tmp_path


def test_a_result_is_kept(folder: Path) -> None:
    words = ["plywise", "analyze", "connect4", "--moves", "4151"]
    assert keeping.keep("winning", words, ["src/plywise/core"], folder) == folder / "winning.json"
    assert results.names() == ["winning"]
    kept = results.read("winning")
    assert kept["command"] == "plywise analyze connect4 --moves 4151"
    assert kept["commit"] == "abc"
    assert set(kept["sources"]) == {"src/plywise/core", "src/plywise/games/connect4"}
    assert kept["found"]["best"] == "3"
    assert results.changed(kept) == []


@pytest.mark.parametrize("words", ["--of README.md mine", "mine --of README.md"])
def test_a_source_is_named_before_or_behind_the_name(
    words: str, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def kept(name: str, command: list[str], of: list[str]) -> Path:
        assert (name, command, of) == ("mine", ["plywise", "games"], ["README.md"])
        return results.ROOT / "mine.json"

    monkeypatch.setattr(keeping, "keep", kept)
    monkeypatch.setattr(sys, "argv", ["lab.results", "keep", *words.split(), "plywise", "games"])
    assert keeping.main() == 0


def test_what_fails_is_not_kept(folder: Path) -> None:
    for words in (["plywise", "analyze", "connect4", "--moves", "99"], ["rm", "connect4"]):
        with pytest.raises(SystemExit):
            keeping.keep("wrong", words, (), folder)
    assert list(folder.iterdir()) == []


def test_a_result_of_nothing_is_not_kept(folder: Path) -> None:
    with pytest.raises(SystemExit, match="say with --of what it measures"):
        keeping.keep("nothing", ["plywise", "games"], (), folder)


def test_a_benchmark_names_its_file() -> None:
    assert keeping.named(["python", "-m", "bench", "solve"]) == {
        "bench/exact.py",
        "src/plywise/engines/solve.py",
    }
    assert keeping.named(["python", "-m", "bench.versions", "x"]) == {"bench/versions.py"}


def test_comments_do_not_change_what_a_file_does(tmp_path: Path) -> None:
    file = tmp_path / "rules.py"
    names = set()
    for text in ("x = 1\n", '"""Rules."""\n\nx = 1  # one\n', "x = 2\n", 'x = "# 1"\n'):
        file.write_text(text)
        names.add(results.digest(tmp_path))
    assert len(names) == 3
    (tmp_path / "__pycache__").mkdir()
    (tmp_path / "__pycache__" / "rules.pyc").write_bytes(b"x")
    assert results.digest(tmp_path) in names


def test_changes_are_committed_first(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    subprocess.run(["git", "init", "--quiet", str(tmp_path)], check=True)
    folder = tmp_path / "lab" / "results"
    folder.mkdir(parents=True)
    (tmp_path / "lab" / "new.py").write_text("")
    monkeypatch.setattr(keeping, "ROOT", tmp_path)
    monkeypatch.setattr(keeping, "FOLDER", folder)
    with pytest.raises(SystemExit, match="commit all changes before you measure"):
        keeping.commit()


def test_the_list_says_what_has_changed(
    folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    keeping.keep("one", ["plywise", "analyze", "connect4", "--moves", "4151"], (), folder)
    kept = json.loads((folder / "one.json").read_text())
    kept["sources"]["src/plywise/games/connect4"] = "something else"
    (folder / "one.json").write_text(json.dumps(kept))
    monkeypatch.setattr(sys, "argv", ["lab.results"])
    assert keeping.main() == 0
    row = capsys.readouterr().out.splitlines()[1]
    assert row.split("  ")[0] == "one"
    assert "src/plywise/games/connect4" in row
