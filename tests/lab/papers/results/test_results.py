"""The results that are kept: every file can be read, and its command can be given again."""

from __future__ import annotations

import shlex
import subprocess
from pathlib import Path

import pytest

from lab.papers import plan_for, results
from lab.papers.results import __main__ as keeping
from tests.docs.test_papers import parsed

KEYS = ["command", "commit", "machine", "date", "report"]


def test_the_paper_of_tictactoe_is_among_them() -> None:
    assert "tictactoe" in results.names()


@pytest.mark.parametrize("name", results.names())
def test_a_file_is_what_its_command_prints(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    kept = results.read(name)
    assert list(kept) == KEYS
    program, *words = shlex.split(kept["command"])
    assert (program, *words[:2]) == ("plywise", "report", name)
    given = parsed([*words, "--json"], monkeypatch)
    assert given["game"] == name
    assert not given["quick"]
    plan = plan_for(name)
    for part in ("comparisons", "tables"):
        titles = [each["title"] for each in kept["report"].get(part, ())]
        assert titles == [each.title for each in getattr(plan, part, ())]
    assert set(kept["machine"]) == {"processor", "cores", "load", "python"}


def test_a_report_is_kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(keeping, "commit", lambda: "abc")
    words = ["tictactoe", "--agents", "random", "--agents", "seed:depth=2", "--games", "2"]
    file = keeping.keep(words, tmp_path)
    assert file == tmp_path / "tictactoe.json"
    monkeypatch.setattr(results, "FOLDER", tmp_path)
    assert results.names() == ["tictactoe"]
    kept = results.read("tictactoe")
    assert kept["command"] == f"plywise report {' '.join(words)}"
    assert kept["commit"] == "abc"
    assert kept["report"]["games"] == 2


def test_a_report_that_fails_is_not_kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(keeping, "commit", lambda: "abc")
    with pytest.raises(SystemExit) as stopped:
        keeping.keep(["tictactoe", "--games", "0"], tmp_path)
    assert stopped.value.code == 2
    assert list(tmp_path.iterdir()) == []


def test_changes_are_committed_first(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    subprocess.run(["git", "init", "--quiet", str(tmp_path)], check=True)
    folder = tmp_path / "lab" / "papers" / "results"
    folder.mkdir(parents=True)
    (tmp_path / "lab" / "new.py").write_text("")
    monkeypatch.setattr(keeping, "ROOT", tmp_path)
    monkeypatch.setattr(keeping, "FOLDER", folder)
    with pytest.raises(SystemExit, match="commit them before you measure"):
        keeping.commit()
