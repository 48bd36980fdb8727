"""The skips of a run: listed at its end, and none for a reason that nobody has allowed.

A test that is skipped shows nothing. So Linux has a short list of reasons; one that is not in it
fails the run. A missing program or package is in it, but not in continuous integration, where the
variable `CI` is set: there it fails the run, too.
"""

from __future__ import annotations

import os
import re
import sys
from collections import defaultdict

import pytest

#: What no installation could mend; and PyTorch, a gigabyte for the example that trains with it.
ALLOWED = (
    r"could not import 'torch'.*",
    r"CuPy is installed",
    r"CuPy is not installed: this needs a GPU",
    r"this Python hides the functions of its SQLite",
    r"numba or numpy has no package for Python 3\.\d+ yet",
)
#: What is missing and could be there: what `importorskip` and `--doctest-ignore-import-errors` say.
MISSING = (
    r"could not import '\w+(\.\w+)*'.*",
    r"unable to import module .*",
    r"[\w -]+ is not installed( \(apt install \w+\)|: on Debian, apt-get install [\w-]+)?",
    r"bubblewrap does not work here: .*",
    r"needs python-sat, which `make bench` installs",
    r"there is no g\+\+( to compile it)?",
    r"PostgreSQL does not run as root, and there is no user 'postgres'",
    r"follows the Dockerfile in a clean root: needs root, debootstrap and bubblewrap",
    r"these are not the locked packages",
)


def allowed(reason: str, *, system: str, strict: bool) -> bool:
    """True if a test may be skipped for a reason; `strict` is continuous integration.

    >>> allowed("Chromium is not installed", system="linux", strict=False)
    True
    >>> allowed("Chromium is not installed", system="linux", strict=True)
    False
    >>> allowed("it fails today", system="linux", strict=False)
    False
    """
    if system != "linux":
        return True  # the tests are written on Linux, and say what they need of it
    patterns = ALLOWED if strict else ALLOWED + MISSING
    return any(re.fullmatch(pattern, reason) for pattern in patterns)


class Skipping:
    """Collects the skips of all workers, in the main process."""

    def __init__(self) -> None:
        self.names: dict[str, list[str]] = defaultdict(list)  #: by reason

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """Note a test that is skipped; one that fails as expected is not."""
        if report.skipped and not hasattr(report, "wasxfail"):
            self._note(report)

    def pytest_collectreport(self, report: pytest.CollectReport) -> None:
        """Note a file that is skipped as a whole."""
        if report.skipped:
            self._note(report)

    def _note(self, report: pytest.TestReport | pytest.CollectReport) -> None:
        said = report.longrepr[2] if isinstance(report.longrepr, tuple) else str(report.longrepr)
        names = self.names[" ".join(said.removeprefix("Skipped: ").split())]
        if report.nodeid not in names:  # each worker collects all files
            names.append(report.nodeid)

    @property
    def refused(self) -> list[str]:
        """The reasons that are not allowed here."""
        strict = bool(os.environ.get("CI"))
        return [
            each for each in self.names if not allowed(each, system=sys.platform, strict=strict)
        ]

    @pytest.hookimpl(trylast=True)
    def pytest_sessionfinish(self, session: pytest.Session) -> None:
        """Fail a run that has skipped too much."""
        if self.refused and session.exitstatus == pytest.ExitCode.OK:
            session.exitstatus = pytest.ExitCode.TESTS_FAILED

    def pytest_terminal_summary(self, terminalreporter: pytest.TerminalReporter) -> None:
        """List the skips by reason."""
        if not self.names:
            return
        count = sum(map(len, self.names.values()))
        terminalreporter.section(f"skipped: {count}")
        for reason, names in sorted(self.names.items()):
            verdict = " (NOT ALLOWED, see tests/skipping.py)" if reason in self.refused else ""
            terminalreporter.line(f"{reason}{verdict}", red=bool(verdict))
            for name in names:
                terminalreporter.line(f"    {name}")
