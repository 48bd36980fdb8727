"""Results of the benchmarks by commit: `python -m bench NAME ... --save` adds to them.

    python -m bench.history                    what there is
    python -m bench.history BEFORE [AFTER]     two commits side by side; AFTER is the last one saved

Only rows measured on the same kind of machine are compared. A line of `history.jsonl` is a run.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from bench.measure import Quantity
from plywise.cli.console import table

FILE = Path(__file__).with_name("history.jsonl")
ROOT = FILE.parents[1]
SAME = ("cores", "system", "python")  #: what two runs must have in common
Run = dict[str, Any]


def commit() -> str:
    """The commit that is checked out, with a + if something is not committed."""
    git = ["git", "-C", str(ROOT)]
    name = subprocess.run([*git, "rev-parse", "--short=10", "HEAD"], capture_output=True, text=True,
                          check=True).stdout.strip()  # fmt: skip
    changed = subprocess.run([*git, "status", "--porcelain", "--untracked-files=no"],
                             capture_output=True, text=True, check=True).stdout  # fmt: skip
    return name + ("+" if changed.strip() else "")


def save(results: Run, file: Path = FILE) -> None:
    """Add a run."""
    when = datetime.now(UTC).strftime("%Y-%m-%d %H:%M")
    with file.open("a", encoding="utf-8") as out:
        print(json.dumps({"commit": commit(), "when": when, **results}), file=out)


def kept(file: Path = FILE) -> list[Run]:
    """All runs, the oldest first."""
    if not file.exists():
        return []
    return [json.loads(line) for line in file.read_text(encoding="utf-8").splitlines()]


def find(runs: list[Run], name: str) -> list[Run]:
    """The runs of a commit, by the beginning of its name."""
    found = [run for run in runs if run["commit"].startswith(name)]
    if not found:
        known = ", ".join(dict.fromkeys(run["commit"] for run in runs[-5:])) or "none yet"
        raise SystemExit(f"no results of {name}: the last commits are {known}")
    return found


def figures(runs: list[Run]) -> dict[tuple[str, str], Quantity]:
    """The last result of every row, by benchmark and row."""
    return {
        (bench["name"], row["what"]): Quantity(**row["result"])
        for run in runs
        for bench in run["benchmarks"]
        for row in bench["rows"]
    }


def compared(before: list[Run], after: list[Run]) -> Iterator[str]:
    """The rows that both have, side by side, with the change."""
    machines = [[run["machine"][name] for name in SAME] for run in (before[-1], after[-1])]
    if machines[0] != machines[1]:
        yield f"different machines: {machines[0]} and {machines[1]}; the figures say little"
    for run in (before[-1], after[-1]):
        yield f"{run['commit']}, {run['when']}, load {run['machine']['load']}" + (
            ", a quick run" if run["quick"] else ""
        )
    one, two = figures(before), figures(after)
    rows = [["", "", "before", "after", ""]]
    for key in one.keys() & two.keys():
        was, now = one[key], two[key]
        change = f"{now.amount / was.amount:.2f} x" if was.amount else ""
        rows.append([*key, str(was), str(now), change])
    if len(rows) == 1:
        yield "no row is in both"
        return
    yield from table([rows[0], *sorted(rows[1:])])


def main() -> int:
    """List the runs, or compare two commits."""
    parser = argparse.ArgumentParser(prog="python -m bench.history", description=__doc__)
    parser.add_argument("before", nargs="?", metavar="BEFORE")
    parser.add_argument("after", nargs="?", metavar="AFTER")
    given = parser.parse_args()
    runs = kept()
    if not runs:
        print("nothing is saved yet: python -m bench NAME ... --save", file=sys.stderr)
        return 2
    if given.before is None:
        rows = [["commit", "when", "load", "benchmarks"]]
        for run in runs:
            names = " ".join(bench["name"] for bench in run["benchmarks"])
            rows.append([run["commit"], run["when"], str(run["machine"]["load"]), names])
        print("\n".join(table(rows)))
        return 0
    after = find(runs, given.after) if given.after else find(runs, runs[-1]["commit"])
    print("\n".join(compared(find(runs, given.before), after)))
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
