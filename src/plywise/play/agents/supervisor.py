"""Sits between plywise and one agent's process: sets its limits and makes sure that it ends.

    supervisor.py LIFELINE MEGABYTES MARK COMMAND...

`process.py` runs this file as a script, on the standard library alone, and uses its functions.
LIFELINE is the number of one end of a socket; plywise holds the other. Whatever plywise writes to
it comes back, which proves that the supervisor is alive. Once it closes, because the match is over
or because plywise itself was killed, everything that the agent has started is killed too. The exit
code is the agent's, 128 + n if signal n ended it.

Two things keep an agent's processes together, however they hide. The supervisor is a subreaper:
processes whose parents have ended become its children. And they carry a MARK, two limits that
Linux no longer uses: a process inherits them, and without privileges can only lower them. So they
are found even if the agent kills its supervisor.
"""

from __future__ import annotations

import ctypes
import os
import select
import signal
import sys
import time
from contextlib import suppress
from pathlib import Path
from typing import NoReturn

GRACE = 0.1  #: seconds for an agent to exit by itself
POLL_SECONDS = 0.1  #: between checks of its memory and of the number of its processes
MOST_PROCESSES = 64  #: of one agent
CANNOT_RUN = 127  #: the exit code of shells for a command that cannot be run
_STOPPING = 1.0  #: seconds for processes to stop; one that waits for a disk may take longer
_SET_PARENT_DEATH_SIGNAL, _SET_DUMPABLE, _SET_CHILD_SUBREAPER = 1, 4, 36  # of Linux's prctl

#: The limits that are used as a mark: their names in /proc, and their numbers.
_MARKS = {"Max file locks": 10, "Max resident set": 5}
_LINE = 1 << 40  #: the two parts of a mark add up to this, so that no mark is below another

Mark = tuple[int, int]


def main(lifeline: int, megabytes: int, mark: Mark, command: list[str]) -> int:
    """Run the command until the lifeline closes, then kill whatever is left of it."""
    adopt_orphans()
    os.set_inheritable(lifeline, False)
    supervisor = os.getpid()
    agent = os.fork()
    if agent == 0:
        _become(command, megabytes, mark, supervisor)
    protect()
    errors = os.dup(2)
    nowhere = os.open(os.devnull, os.O_RDWR)
    for stream in (0, 1, 2):  # otherwise plywise would not see the agent close them
        os.dup2(nowhere, stream)
    ended: dict[int, int] = {}
    while True:
        if select.select([lifeline], [], [], POLL_SECONDS)[0]:
            word = os.read(lifeline, 1)
            if not word:
                break
            os.write(lifeline, word)
        reap(ended)
        problem = _excess(supervisor, megabytes)
        if problem:
            os.write(errors, f"{problem}\n".encode())
        if problem or agent in ended:  # its children would keep its output open
            _kill_family(ended)
    return end(agent, ended)


def _become(command: list[str], megabytes: int, mark: Mark, supervisor: int) -> NoReturn:
    import resource

    os.setsid()
    _prctl(_SET_PARENT_DEATH_SIGNAL, signal.SIGKILL)
    if os.getppid() != supervisor:  # the supervisor died before the line above
        os._exit(CANNOT_RUN)
    signal.signal(signal.SIGPIPE, signal.SIG_DFL)  # Python ignores it, other programs rely on it
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    with suppress(OSError, ValueError):  # not every system has a limit that can be set
        resource.setrlimit(resource.RLIMIT_AS, (megabytes << 20, megabytes << 20))
    if sys.platform == "linux":
        for number, limit in zip(_MARKS.values(), mark, strict=True):
            resource.setrlimit(number, (limit, limit))
    try:
        os.execvp(command[0], command)
    except OSError as error:
        print(f"{command[0]}: {error.strerror}", file=sys.stderr, flush=True)
        os._exit(CANNOT_RUN)


def end(agent: int, ended: dict[int, int]) -> int:
    """Give the agent a moment, then kill everything; return its exit code, see above."""
    until = time.monotonic() + GRACE
    wake(os.getpid())
    while agent not in ended and time.monotonic() < until:
        time.sleep(0.005)
        reap(ended)
    _kill_family(ended)
    code = os.waitstatus_to_exitcode(ended.get(agent, signal.SIGKILL))
    return code if code >= 0 else 128 - code


def _kill_family(ended: dict[int, int]) -> None:
    """Kill all descendants: first stop them, so that none can start another."""
    while sleep(os.getpid()):
        for pid in family(os.getpid()):
            send(pid, signal.SIGKILL)
        reap(ended)
        time.sleep(0.001)
    reap(ended, wait=True)


def reap(ended: dict[int, int], wait: bool = False) -> None:
    """Collect what has ended: the agent, and orphans of it; or wait until all have."""
    with suppress(ChildProcessError):
        while (found := os.waitpid(-1, 0 if wait else os.WNOHANG))[0]:
            ended[found[0]] = found[1]


def _excess(pid: int, megabytes: int) -> str | None:
    """Say in which way the processes of an agent are too much together."""
    pids = family(pid)
    if len(pids) > MOST_PROCESSES:
        return f"it started more than {MOST_PROCESSES} processes"
    # A process alone is limited by its address space.
    if len(pids) > 1 and sum(map(_kilobytes, pids)) > megabytes << 10:
        return f"its processes used more than {megabytes} megabytes together"
    return None


def _kilobytes(pid: int) -> int:
    """Return the memory of a process; what it shares with others is divided among them."""
    with suppress(OSError, ValueError, IndexError):
        for line in Path(f"/proc/{pid}/smaps_rollup").read_text().splitlines():
            if line.startswith("Pss:"):
                return int(line.split()[1])
    with suppress(OSError, ValueError, IndexError):  # it may be hidden, but its size is not
        pages = Path(f"/proc/{pid}/statm").read_text().split()
        return int(pages[1]) * os.sysconf("SC_PAGE_SIZE") >> 10
    return 0


# Processes, by what /proc says about them; elsewhere than on Linux there are none


def family(pid: int) -> list[int]:
    """Return the living descendants of a process, parents first."""
    found: list[int] = []
    pending = [pid]
    for parent in pending:
        for child in _children(parent):
            if child not in pending:  # one that moves while we look may be seen twice
                pending.append(child)
                if _state(child) not in "ZX":
                    found.append(child)
    return found


def _children(pid: int) -> list[int]:
    found: list[int] = []
    with suppress(OSError):
        for task in os.listdir(f"/proc/{pid}/task"):
            with suppress(OSError):
                found += map(int, Path(f"/proc/{pid}/task/{task}/children").read_text().split())
    return found


def _state(pid: int) -> str:
    """Return the letter of a process's state: R, S, T for stopped, Z for a zombie, X if gone."""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0]
    except (OSError, IndexError):
        return "X"


def sleep(pid: int) -> list[int]:
    """Stop all descendants of a process, also those that are being started; return them."""
    until = time.monotonic() + _STOPPING
    stopped: list[int] = []
    while True:
        pids = family(pid)
        for each in pids:
            if each not in stopped:
                send(each, signal.SIGSTOP)
        settled = pids == stopped and all(asleep(each) for each in pids)
        if settled or time.monotonic() > until:
            return pids
        stopped = pids


def asleep(pid: int) -> bool:
    """Return True if a process is stopped; False if it was killed, even if it still exists."""
    return _state(pid) in "Tt"


def wake(pid: int) -> None:
    """Let all descendants of a process go on, children first."""
    for each in reversed(family(pid)):
        send(each, signal.SIGCONT)


def send(pid: int, number: int) -> None:
    """Send a signal to a process, if it is still there."""
    with suppress(ProcessLookupError, PermissionError):
        os.kill(pid, number)


def new_mark() -> Mark:
    """Return a mark for a new agent, one that no other agent can take on."""
    line = min([_LINE, *(limit for limit in _limits("self") if limit is not None)])
    first = int.from_bytes(os.urandom(8), "big") % (line + 1)
    return first, line - first


def sweep(mark: Mark) -> None:
    """Kill every process with this mark, wherever it is; also if it has lowered its limits."""
    killed = set[int]()
    while found := [pid for pid in _pids() if _marked(pid, mark) and _state(pid) not in "ZX"]:
        for number in (signal.SIGSTOP, signal.SIGKILL):
            for pid in found:
                send(pid, number)
        if killed >= set(found):  # ours, but not ours to kill
            return
        killed |= set(found)
        time.sleep(0.005)


def _pids() -> list[int]:
    with suppress(OSError):
        return [int(name) for name in os.listdir("/proc") if name.isdigit()]
    return []


def _marked(pid: int, mark: Mark) -> bool:
    limits = _limits(str(pid))
    return len(limits) == len(mark) and all(
        limit is not None and limit <= most for limit, most in zip(limits, mark, strict=True)
    )


def _limits(pid: str) -> list[int | None]:
    """Return the two limits that are a mark; None for one that is not set."""
    try:
        lines = Path(f"/proc/{pid}/limits").read_text().splitlines()
    except OSError:
        return []
    hard = {line[:26].strip(): line[47:68].strip() for line in lines}
    return [int(hard[name]) if hard.get(name, "").isdigit() else None for name in _MARKS]


def adopt_orphans() -> None:
    """Become the parent of descendants whose parents have ended, so that they can be found."""
    _prctl(_SET_CHILD_SUBREAPER, 1)


def protect() -> None:
    """Keep other processes of the same user from reading or changing this one's memory."""
    _prctl(_SET_DUMPABLE, 0)


def _prctl(option: int, value: int) -> None:
    """Call Linux's prctl; does nothing on other systems."""
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(option, value, 0, 0, 0)


if __name__ == "__main__":
    _, lifeline, megabytes, mark, *command = sys.argv
    first, _, second = mark.partition(",")
    sys.exit(main(int(lifeline), int(megabytes), (int(first), int(second)), command))
