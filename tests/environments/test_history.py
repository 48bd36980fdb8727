"""Results of benchmarks by commit: kept, found and compared."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from bench import history

MACHINE = {"cores": 2, "system": "Linux", "python": "3.11.7", "load": 0.1}


def run(commit: str, **rates: float) -> dict[str, Any]:
    rows = [
        {"what": what, "result": {"amount": amount, "unit": "nodes/s"}}
        for what, amount in rates.items()
    ]
    return {
        "commit": commit,
        "when": "2026-01-01 10:00",
        "quick": False,
        "machine": MACHINE,
        "benchmarks": [{"name": "mcts", "rows": rows}],
    }


def test_two_commits_side_by_side() -> None:
    runs = [run("aaa111", fast=100.0, slow=5.0), run("aaa111", slow=4.0), run("bbb222", slow=2.0)]
    said = list(history.compared(history.find(runs, "aaa"), history.find(runs, "bbb2")))
    assert said[:2] == [f"{name}, 2026-01-01 10:00, load 0.1" for name in ("aaa111", "bbb222")]
    assert said[-1].split() == ["mcts", "slow", "4", "nodes/s", "2", "nodes/s", "0.50", "x"]
    assert not any("fast" in line for line in said)
    with pytest.raises(SystemExit, match="no results of ccc: the last commits are aaa111, bbb222"):
        history.find(runs, "ccc")


def test_another_machine_is_said() -> None:
    other = run("bbb222", slow=2.0)
    other["machine"] = {**MACHINE, "cores": 64}
    said = list(history.compared([run("aaa111", slow=4.0)], [other]))
    assert said[0].startswith("different machines: ")


def test_a_run_is_kept_with_its_commit(tmp_path: Path) -> None:
    file = tmp_path / "history.jsonl"
    assert history.kept(file) == []
    saved = {key: value for key, value in run("x").items() if key not in ("commit", "when")}
    history.save(saved, file)
    history.save(saved, file)
    first, second = history.kept(file)
    assert first["commit"] == second["commit"] == history.commit()
    assert first["machine"] == MACHINE
