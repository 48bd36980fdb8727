"""Sits between plywise and one agent's process: sets its limits and makes sure that it ends.

    supervisor.py LIFELINE MEGABYTES COMMAND...

`process.py` runs this file as a script, on the standard library alone. LIFELINE is the number of
the reading end of a pipe whose other end plywise holds and never writes to. Once that closes,
because the match is over or because plywise itself was killed, everything that the agent has
started is killed too. The exit code is the agent's, 128 + n if signal n ended it.
"""

from __future__ import annotations

import ctypes
import os
import resource
import signal
import sys
import time
from contextlib import suppress
from pathlib import Path
from typing import NoReturn

GRACE = 0.1  #: seconds for an agent to exit by itself
CANNOT_RUN = 127  #: the exit code of shells for a command that cannot be run
_SET_PARENT_DEATH_SIGNAL, _SET_CHILD_SUBREAPER = 1, 36  # of Linux's prctl


def main(lifeline: int, megabytes: int, command: list[str]) -> int:
    """Run the command until the lifeline closes, then kill whatever is left of it."""
    _prctl(_SET_CHILD_SUBREAPER, 1)  # the agent's orphans come here, where they can be found
    os.set_inheritable(lifeline, False)
    supervisor = os.getpid()
    agent = os.fork()
    if agent == 0:
        _become(command, megabytes, supervisor)
    nowhere = os.open(os.devnull, os.O_RDWR)
    for stream in (0, 1, 2):  # otherwise plywise would not see the agent close them
        os.dup2(nowhere, stream)
    os.read(lifeline, 1)
    return _end(agent)


def _become(command: list[str], megabytes: int, supervisor: int) -> NoReturn:
    os.setsid()
    _prctl(_SET_PARENT_DEATH_SIGNAL, signal.SIGKILL)
    if os.getppid() != supervisor:  # the supervisor died before the line above
        os._exit(CANNOT_RUN)
    signal.signal(signal.SIGPIPE, signal.SIG_DFL)  # Python ignores it, other programs rely on it
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    with suppress(OSError, ValueError):  # not every system has a limit that can be set
        resource.setrlimit(resource.RLIMIT_AS, (megabytes << 20, megabytes << 20))
    try:
        os.execvp(command[0], command)
    except OSError as error:
        print(f"{command[0]}: {error.strerror}", file=sys.stderr, flush=True)
        os._exit(CANNOT_RUN)


def _end(agent: int) -> int:
    status = None
    until = time.monotonic() + GRACE
    while status is None and time.monotonic() < until:
        done, found = os.waitpid(agent, os.WNOHANG)
        status = found if done else None
        time.sleep(0.0 if done else 0.005)
    with suppress(ProcessLookupError, PermissionError):
        os.killpg(agent, signal.SIGKILL)
    if status is None:
        os.kill(agent, signal.SIGKILL)  # it may not lead a process group yet
        status = os.waitpid(agent, 0)[1]
    while children := _children():
        for child in children:
            os.kill(child, signal.SIGKILL)
        for child in children:
            os.waitpid(child, 0)
    code = os.waitstatus_to_exitcode(status)
    return code if code >= 0 else 128 - code


def _children() -> list[int]:
    """Return the processes that were orphaned to us, if the system can tell."""
    try:
        return [int(child) for child in Path("/proc/thread-self/children").read_text().split()]
    except OSError:
        return []


def _prctl(option: int, value: int) -> None:
    """Call Linux's prctl; does nothing on other systems."""
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(option, value, 0, 0, 0)


if __name__ == "__main__":
    sys.exit(main(int(sys.argv[1]), int(sys.argv[2]), sys.argv[3:]))
