"""A sandbox for agents that nobody trusts: bubblewrap where it is installed, podman on request.

In it there is no network, the file system is read-only, the home folder and the files of other
agents are out of sight, and a small temporary folder of its own is all that an agent can write to.
What it starts ends with it. The supervisor (`supervisor.py`) stays outside.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from plywise.core.files import cache_folder
from plywise.play.agents.supervisor import MOST_PROCESSES

PROGRAM = "bwrap"
ROOM = 64  #: megabytes of the temporary folder
KEPT = ("PATH", "LANG", "LC_ALL", "LC_CTYPE", "TZ")  #: variables that an agent may know
_TRY = 10.0  #: seconds for a first try
_ALONE = (
    *("--unshare-user-try", "--unshare-ipc", "--unshare-pid", "--unshare-net", "--unshare-uts"),
    *("--unshare-cgroup-try", "--die-with-parent", "--new-session", "--cap-drop", "ALL"),
    *("--ro-bind", "/", "/", "--dev", "/dev", "--proc", "/proc"),
)
_MEMORY = "/dev/shm"  # shared memory: the only place in /dev that can be written to


@cache
def unavailable() -> str | None:
    """Say why there is no sandbox on this machine; None if there is one."""
    return _problem("bubblewrap", [PROGRAM, *_ALONE, "true"])


def _problem(name: str, first_try: Sequence[str]) -> str | None:
    """Say why a program of this name cannot be used; None if a first try of it works."""
    if sys.platform != "linux":
        return "agents can be isolated on Linux only"
    if shutil.which(first_try[0]) is None:
        return f"{name} is not installed (apt install {name})"
    try:
        subprocess.run(first_try, check=True, capture_output=True, timeout=_TRY, text=True)
    except (OSError, subprocess.SubprocessError) as error:
        said = getattr(error, "stderr", "") or str(error)
        return f"{name} does not work here: {' '.join(said.split())[:120]}"
    return None


@dataclass(frozen=True)
class Sandbox:
    """Where agents run, and what they do not see there."""

    hidden: tuple[str, ...] = ()  #: folders, beside the home and the temporary ones

    @property
    def rooms(self) -> tuple[str, ...]:
        """The folders in memory that hide others; all that an agent can write to is there."""
        temporary = os.path.realpath(tempfile.gettempdir())
        home = os.path.realpath(Path.home())
        hidden = {"/tmp", "/var/tmp", "/run", _MEMORY, temporary, home}
        hidden |= {os.path.realpath(each) for each in self.hidden}
        return tuple(sorted(each for each in hidden if os.path.isdir(each) and each != "/"))

    @property
    def overhead(self) -> int:
        """Megabytes of address space that the sandbox itself needs."""
        return 0

    def around(self, command: Sequence[str], shown: Iterable[str], memory: int) -> list[str]:
        """Return a command that runs another one in the sandbox, where it can see `shown`.

        `memory` is its limit, in megabytes; the supervisor watches it too.
        """
        temporary = os.path.realpath(tempfile.gettempdir())
        needed = {
            *(sys.prefix, sys.base_prefix, str(Path(__file__).parents[3]), str(cache_folder())),
            *shown,
        }
        options = [PROGRAM, *_ALONE]
        for folder in self.rooms:
            options += [*_room(), "--tmpfs", folder]
        options += ["--remount-ro", "/dev"]
        for each in sorted(map(os.path.abspath, needed)):
            if os.path.exists(each):
                options += ["--ro-bind", each, each]
        options += ["--chdir", temporary, "--clearenv", "--setenv", "HOME", temporary]
        options += ["--setenv", "TMPDIR", temporary, "--setenv", "PLYWISE_CACHE"]
        options += [str(cache_folder()), "--setenv", "PYTHONDONTWRITEBYTECODE", "1"]
        for name in KEPT:
            if name in os.environ:
                options += ["--setenv", name, os.environ[name]]
        return [*options, "--", *command]


@cache
def _room() -> tuple[str, ...]:
    """The size of a folder in memory, if this version of bubblewrap can limit it."""
    said = subprocess.run([PROGRAM, "--help"], capture_output=True, text=True).stdout
    return ("--size", str(ROOM << 20)) if "--size" in said else ()


@dataclass(frozen=True)
class Podman(Sandbox):
    """A container for each agent, of an image with plywise in it; nothing else is in sight."""

    image: str = "plywise"

    @property
    def unavailable(self) -> str | None:
        """Say why there are no containers on this machine; None if there are."""
        problem = _problem("podman", ["podman", "version"])
        if problem is None and _problem("podman", ["podman", "image", "exists", self.image]):
            return f"podman has no image {self.image!r}: docs/arena.md says how to make one"
        return problem

    @property
    def rooms(self) -> tuple[str, ...]:
        """The folders in memory."""
        return _MEMORY, "/tmp"

    @property
    def overhead(self) -> int:
        """What podman reserves for itself."""
        return 4096

    def around(self, command: Sequence[str], shown: Iterable[str], memory: int) -> list[str]:
        """Return a command that runs another one in a container, where it can see `shown`."""
        program, *more = command
        inside = {"HOME": "/tmp", "TMPDIR": "/tmp", "PYTHONDONTWRITEBYTECODE": "1"}
        return [
            *("podman", "run", "--rm", "--interactive", "--pull=never", "--log-driver=none"),
            *("--network=none", "--cap-drop=ALL", "--security-opt=no-new-privileges"),
            *("--userns=keep-id", f"--pids-limit={MOST_PROCESSES}", f"--memory={memory}m"),
            *("--read-only", "--read-only-tmpfs=false", f"--shm-size={ROOM}m", "--workdir=/tmp"),
            f"--tmpfs=/tmp:rw,size={ROOM}m,mode=1777",
            *(f"--env={name}={value}" for name, value in inside.items()),
            *(f"--volume={each}:{each}:ro" for each in sorted(map(os.path.abspath, shown))),
            self.image,
            "python" if program == sys.executable else program,
            *more,
        ]
