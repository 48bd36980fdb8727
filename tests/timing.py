"""`--times FILE`: the processor time that the tests of each file took, the dearest first.

Processor time, of the process and of those it started and waited for: it is nearly the same on a
busy machine.
"""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Generator
from pathlib import Path

import pytest

MOST = 40  #: files that are listed by name
HEAD = (
    "# Processor time of each test file, written by `make times`: read it when `make test` grows.\n"
)


def spent() -> float:
    """Return the processor time of this process, and of those that it has waited for."""
    return sum(os.times()[:4])


class Stopwatch:
    """Notes in each report what a phase of a test took; every worker of pytest-xdist has one."""

    def __init__(self) -> None:
        self.before = spent()

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_makereport(self) -> Generator[None, pytest.TestReport, pytest.TestReport]:
        """Add the time since the phase before."""
        report = yield
        now = spent()
        report.spent, self.before = now - self.before, now
        return report


class Timing:
    """Adds up what the phases of all tests took."""

    def __init__(self, file: Path) -> None:
        self.file = file
        self.seconds = Counter[str]()
        self.tests = Counter[str]()

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """Count one phase of one test."""
        name = report.nodeid.split("::")[0]
        self.seconds[name] += report.spent
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
