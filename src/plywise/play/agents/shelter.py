"""A shelter for agents that nobody trusts: bubblewrap, where it is installed.

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

from plywise.core.folders import cache_folder

PROGRAM = "bwrap"
ROOM = 64  #: megabytes of the temporary folder
KEPT = ("PATH", "LANG", "LC_ALL", "LC_CTYPE", "TZ")  #: variables that an agent may know
_TRY = 10.0  #: seconds for a first try
_ALONE = (
    *("--unshare-user-try", "--unshare-ipc", "--unshare-pid", "--unshare-net", "--unshare-uts"),
    *("--unshare-cgroup-try", "--die-with-parent", "--new-session", "--cap-drop", "ALL"),
    *("--ro-bind", "/", "/", "--dev", "/dev", "--proc", "/proc"),
)


@cache
def unavailable() -> str | None:
    """Say why there is no shelter on this machine; None if there is one."""
    if sys.platform != "linux":
        return "agents can be isolated on Linux only"
    if shutil.which(PROGRAM) is None:
        return "bubblewrap is not installed (apt install bubblewrap)"
    try:
        subprocess.run(
            [PROGRAM, *_ALONE, "true"], check=True, capture_output=True, timeout=_TRY, text=True
        )
    except (OSError, subprocess.SubprocessError) as error:
        said = getattr(error, "stderr", "") or str(error)
        return f"bubblewrap does not work here: {' '.join(said.split())[:120]}"
    return None


@dataclass(frozen=True)
class Shelter:
    """Where agents run, and what they do not see there."""

    hidden: tuple[str, ...] = ()  #: folders, beside the home and the temporary ones

    @property
    def rooms(self) -> tuple[str, ...]:
        """The folders in memory that hide others; all that an agent can write to is there."""
        temporary = os.path.realpath(tempfile.gettempdir())
        home = os.path.realpath(Path.home())
        hidden = {"/tmp", "/var/tmp", "/run", temporary, home}
        hidden |= {os.path.realpath(each) for each in self.hidden}
        return tuple(sorted(each for each in hidden if os.path.isdir(each) and each != "/"))

    def around(self, command: Sequence[str], shown: Iterable[str]) -> list[str]:
        """Return a command that runs another one in the shelter, where it can see `shown`."""
        temporary = os.path.realpath(tempfile.gettempdir())
        needed = {
            *(sys.prefix, sys.base_prefix, str(Path(__file__).parents[3]), str(cache_folder())),
            *shown,
        }
        options = [PROGRAM, *_ALONE]
        for folder in self.rooms:
            options += [*_room(), "--tmpfs", folder]
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
