"""`--resume FOLDER`: tests that have passed are not run again until a source changes.

`make long` uses it: killed after an hour, it goes on where it was.
"""

from __future__ import annotations

import hashlib
import subprocess
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).parents[1]


def sources() -> list[str]:
    """Return the names of all files that git tracks, or would track, and that are there."""
    listed = subprocess.run(
        ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"],
        cwd=ROOT,
        capture_output=True,
        check=True,
    ).stdout.decode()
    return [name for name in sorted(listed.split("\0")) if (ROOT / name).is_file()]


def digest() -> str:
    """A hash of all sources as they are now."""
    found = hashlib.sha256()
    for name in sources():
        file = ROOT / name
        found.update(f"{name}\0{file.stat().st_size}\0".encode())
        found.update(file.read_bytes())
    return found.hexdigest()[:16]


class Resuming:
    """Keeps the names of tests that have passed in a file named by the sources."""

    def __init__(self, config: pytest.Config, folder: Path) -> None:
        worker = getattr(config, "workerinput", None)
        self.file = None if worker else folder / digest()
        self.called: set[str] = set()  #: tests that have passed, but for what follows them
        self.session: pytest.Session | None = None  #: once it is over
        if self.file is not None:
            folder.mkdir(parents=True, exist_ok=True)
            self.passed = self.file.read_text().splitlines() if self.file.exists() else []
        else:  # all workers of pytest-xdist must leave out the same tests
            self.passed = worker["passed"]

    @pytest.hookimpl(optionalhook=True)
    def pytest_configure_node(self, node: Any) -> None:
        """Tell a worker what has passed."""
        node.workerinput["passed"] = self.passed

    def pytest_collection_modifyitems(
        self, config: pytest.Config, items: list[pytest.Item]
    ) -> None:
        """Leave out what has passed."""
        passed = set(self.passed)
        config.hook.pytest_deselected(items=[item for item in items if item.nodeid in passed])
        items[:] = [item for item in items if item.nodeid not in passed]

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """Note a test that has passed, at once: the next may be the one that is killed."""
        if self.file is None or not report.passed:
            return
        if report.when == "call":
            self.called.add(report.nodeid)
        elif report.when == "teardown" and report.nodeid in self.called:
            with open(self.file, "a", encoding="utf-8") as file:
                file.write(f"{report.nodeid}\n")

    def pytest_sessionfinish(self, session: pytest.Session, exitstatus: int) -> None:
        """All of them passed before: that is success, too."""
        self.session = session
        if exitstatus == pytest.ExitCode.NO_TESTS_COLLECTED and self.passed:
            session.exitstatus = pytest.ExitCode.OK

    def pytest_unconfigure(self) -> None:
        """A run that failed though its tests passed, for what they left, is to be made again."""
        session = self.session
        if session is None or self.file is None or session.testsfailed:
            return
        if session.exitstatus == pytest.ExitCode.TESTS_FAILED:
            self.file.unlink(missing_ok=True)
