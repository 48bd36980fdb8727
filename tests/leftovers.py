"""What the tests leave behind: processes, and servers that other machines could reach.

The main process marks its environment; whatever the tests start inherits the mark, and pytest adds
the name of the test. So a process is found even after the one that started it has ended. Linux
only: elsewhere there is no /proc.
"""

from __future__ import annotations

import os
import re
import time
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from ipaddress import ip_address
from pathlib import Path

import pytest

MARK = "PLYWISE_TEST_RUN"
PATIENCE = 20.0  #: seconds for the last processes to end, on a busy machine
PAUSE = 0.5  #: seconds between two looks at who listens
LISTENS = "0A"  #: the state of a socket in /proc/net/tcp
PROC = Path("/proc")
#: Python's own helpers of the main process, which end with it.
HELPERS = re.compile(r"multiprocessing\.(resource_tracker|forkserver)")

#: Ray's nodes look for each other at the address of the machine, and do not start with loopback.
#: Whoever starts them listens as well, to hear from them.
RAY = re.compile(r"/site-packages/ray/|^ray::")


@dataclass(frozen=True)
class Process:
    """A process that some test has started."""

    pid: int
    command: str
    test: str

    def __str__(self) -> str:
        return f"process {self.pid}, {self.command[:120]!r}, started by {self.test}"


def started(mark: str) -> Iterator[Process]:
    """The processes with a mark, and the descendants of this one."""
    parents = dict(_parents())
    own = os.getpid()
    for pid in parents:
        above, seen = parents[pid], {pid}
        while above not in seen and above in parents and above != own:
            seen.add(above)
            above = parents[above]
        with suppress(OSError):  # it has ended meanwhile, or belongs to somebody else
            names = _read(pid, "environ")
            if pid == own or not (above == own or f"{MARK}={mark}" in names):
                continue
            command = " ".join(_read(pid, "cmdline"))
            if not command or (parents[pid] == own and HELPERS.search(command)):
                continue  # it has ended, and its parent has not asked yet
            key = "PYTEST_CURRENT_TEST="
            tests = [each.removeprefix(key) for each in names if each.startswith(key)]
            yield Process(pid, command, tests[0] if tests else "no test")


def _parents() -> Iterator[tuple[int, int]]:
    """Every process and its parent."""
    for folder in PROC.iterdir():
        if folder.name.isdigit():
            with suppress(OSError):
                status = (folder / "stat").read_text(errors="replace").rpartition(")")[2]
                yield int(folder.name), int(status.split()[1])


def _read(pid: int, file: str) -> list[str]:
    return (PROC / str(pid) / file).read_bytes().decode(errors="replace").split("\0")


def open_sockets() -> dict[str, str]:
    """The sockets that listen on more than this machine's own addresses: inode -> address."""
    found = {}
    for file in (PROC / "net/tcp", PROC / "net/tcp6"):
        with suppress(OSError):
            for line in file.read_text().splitlines()[1:]:
                words = line.split()
                if words[3] == LISTENS and not is_local(address := words[1]):
                    found[words[9]] = address
    return found


def is_local(address: str) -> bool:
    """True for an address, as Linux writes it, that only this machine can reach.

    >>> is_local("0100007F:1F90"), is_local("00000000:1F90")
    (True, False)
    >>> is_local("00000000000000000000000001000000:1F90"), is_local(f"{0:032x}:1F90")
    (True, False)
    >>> is_local("0000000000000000FFFF00000100007F:1F90")
    True
    """
    text = address.partition(":")[0]
    words = [bytes.fromhex(text[at : at + 8])[::-1] for at in range(0, len(text), 8)]
    found = ip_address(b"".join(words))
    return (getattr(found, "ipv4_mapped", None) or found).is_loopback


def owns(process: Process, inodes: set[str]) -> set[str]:
    """Those of some sockets that a process has open."""
    found = set()
    with suppress(OSError):
        for each in (PROC / str(process.pid) / "fd").iterdir():
            with suppress(OSError):
                found.add(os.readlink(each).removeprefix("socket:[").removesuffix("]"))
    return found & inodes


class Leftovers:
    """Looks around during a run and at its end, in the main process."""

    def __init__(self, patience: float = PATIENCE, pause: float = PAUSE) -> None:
        self.patience, self.pause = patience, pause
        self.mark = f"{os.getpid()}-{time.time_ns()}"
        os.environ[MARK] = self.mark
        self.found: list[str] = []
        self.known: set[str] = set()  #: sockets that were looked at
        self.next = 0.0

    def pytest_runtest_logreport(self) -> None:
        """Look for servers that listen to other machines, now and then."""
        if (now := time.monotonic()) >= self.next:
            self.listeners()
            self.next = now + self.pause

    def listeners(self) -> None:
        """Note who listens to other machines."""
        sockets = open_sockets()
        new = sockets.keys() - self.known
        if new:
            self.known |= new
            here = Process(os.getpid(), "pytest", "a test in the main process")
            others = list(started(self.mark))
            parents = dict(_parents())
            ray = {each.pid for each in others if RAY.search(each.command)}
            ray |= {parents[pid] for pid in ray if pid in parents}
            for process in (here, *(each for each in others if each.pid not in ray)):
                for inode in owns(process, new):
                    self.found.append(f"listens on {sockets[inode]}: {process}")

    @pytest.hookimpl(trylast=True)  # the workers of pytest-xdist have ended
    def pytest_sessionfinish(self, session: pytest.Session) -> None:
        """Fail a run that leaves something behind."""
        if not PROC.is_dir():
            return
        self.listeners()
        until = time.monotonic() + self.patience
        while (left := list(started(self.mark))) and time.monotonic() < until:
            time.sleep(0.1)
        self.found += [f"still there: {process}" for process in left]
        if self.found and session.exitstatus == pytest.ExitCode.OK:
            session.exitstatus = pytest.ExitCode.TESTS_FAILED

    def pytest_terminal_summary(self, terminalreporter: pytest.TerminalReporter) -> None:
        """Name what was found."""
        if self.found:
            terminalreporter.section("left behind by tests (this fails the run)", red=True)
        for line in self.found:
            terminalreporter.line(line, red=True)
