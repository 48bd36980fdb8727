"""`make stress`: `make test` again and again on a busy machine, in another order each time.

Other processes keep every core busy meanwhile. Whatever fails, or does not end the same in all
runs, is listed at the end, and the exit code is 1.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from xml.etree import ElementTree

Outcomes = dict[str, str]  #: of each test: passed, failed, error or skipped


@contextmanager
def busy(processes: int) -> Iterator[None]:
    """Processes that do nothing, as fast as they can."""
    idlers = [
        subprocess.Popen([sys.executable, "-c", "while True: pass"]) for _ in range(processes)
    ]
    try:
        yield
    finally:
        for idler in idlers:
            idler.kill()
            idler.wait()


def outcomes(file: Path) -> Outcomes:
    """How each test ended, from pytest's report."""
    found: Outcomes = {}
    for case in ElementTree.parse(file).iter("testcase"):
        name = f"{case.get('classname')}::{case.get('name')}"
        kinds = {child.tag for child in case}
        ended = "error" if "error" in kinds else "failed" if "failure" in kinds else "passed"
        found[name] = "skipped" if "skipped" in kinds else ended
    return found


def differing(runs: Sequence[Outcomes]) -> dict[str, list[str]]:
    """The tests that failed, or did not end the same in all runs.

    >>> differing([{"a": "passed", "b": "passed"}, {"a": "passed", "b": "failed"}])
    {'b': ['passed', 'failed']}
    """
    names = sorted({name for run in runs for name in run})
    rows = {name: [run.get(name, "not run") for run in runs] for name in names}
    fine = ({"passed"}, {"skipped"})
    return {name: row for name, row in rows.items() if set(row) not in fine}


def one_run(seed: int, rest: str) -> tuple[Outcomes, int]:
    """`make test` once, in the order that the seed gives, and its exit code."""
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder, "junit.xml")
        arguments = f"--shuffle {seed} --junitxml={file} {rest}"
        code = subprocess.run(["make", "test", f"ARGS={arguments}"], check=False).returncode
        return (outcomes(file) if file.exists() else {}), code


def main() -> int:
    """Run and compare."""
    parser = argparse.ArgumentParser(prog="make stress", description=__doc__)
    parser.add_argument("--runs", type=int, default=5)
    parser.add_argument("--first", type=int, default=1, help="the random seed of the first run")
    parser.add_argument("--load", type=int, default=os.cpu_count(), help="busy processes")
    parser.add_argument("rest", nargs="*", help="what to test, and options for pytest")
    given = parser.parse_args()
    runs: list[Outcomes] = []
    said: list[str] = []
    codes = 0
    with busy(given.load):
        for seed in range(given.first, given.first + given.runs):
            started = time.perf_counter()
            found, code = one_run(seed, " ".join(given.rest))
            minutes, seconds = divmod(round(time.perf_counter() - started), 60)
            counts = ", ".join(f"{n} {kind}" for kind, n in sorted(Counter(found.values()).items()))
            said.append(f"seed {seed}: {counts}; exit {code}; {minutes} min {seconds} s")
            print(said[-1], flush=True)
            runs.append(found)
            codes |= code
    different = differing(runs)
    print(f"\n{given.runs} runs with {given.load} busy processes", *said, sep="\n")
    for name, row in different.items():
        print(f"{name}: {', '.join(row)}")
    print("all the same and none failed" if not different else f"{len(different)} tests differ")
    return 1 if different or codes else 0


if __name__ == "__main__":
    sys.exit(main())
