"""`--times FILE`: how many seconds the tests of each file took, the slowest first."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest

MOST = 40  #: files that are listed by name
HEAD = "# Seconds of each test file, written by `make times`: look here when `make test` grows.\n"


class Timing:
    """Adds up what the phases of all tests took."""

    def __init__(self, file: Path) -> None:
        self.file = file
        self.seconds = Counter[str]()
        self.tests = Counter[str]()

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """Count one phase of one test."""
        name = report.nodeid.split("::")[0]
        self.seconds[name] += report.duration  # type: ignore[assignment]
        self.tests[name] += report.when == "call"

    def pytest_sessionfinish(self) -> None:
        """Write the list."""
        slowest = self.seconds.most_common(MOST)
        rows = [(f"{seconds:.0f}", self.tests[name], name) for name, seconds in slowest]
        rest = sum(self.seconds.values()) - sum(seconds for _, seconds in slowest)
        count = sum(self.tests.values())
        rows.append((f"{rest:.0f}", count - sum(row[1] for row in rows), "all others"))
        rows.append((f"{sum(self.seconds.values()):.0f}", count, "together"))
        lines = [f"{seconds:>7} s {tests:>6} tests  {name}" for seconds, tests, name in rows]
        self.file.write_text(HEAD + "\n".join(lines) + "\n", encoding="utf-8")
