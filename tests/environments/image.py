"""Follow the Dockerfile without Docker: its steps run in a clean Debian made by debootstrap.

    python -m tests.environments.image FOLDER

Needs root, debootstrap and bubblewrap. Each `FROM` is a copy of the same base; `RUN`, `COPY`, `ENV`
and `USER` do what Docker would do, and `Image.command` is the `CMD`. Settings of pip are taken
from this machine, since a mirror may be the only way to packages.
"""

from __future__ import annotations

import json
import os
import re
import shlex
import shutil
import subprocess
import sys
from pathlib import Path

from tests.leftovers import MARK

ROOT = Path(__file__).parents[2]
NEEDS = ("debootstrap", "bwrap")
SETTINGS = (
    "/etc/pip.conf",
    "/etc/resolv.conf",
    "/etc/ssl/certs",
    os.path.expanduser("~/.config/pip"),
)


def instructions(text: str) -> list[tuple[str, str]]:
    """The instructions of a Dockerfile: a word and its argument.

    >>> instructions("FROM a AS b\\n# no\\nRUN c && \\\\\\n    d\\n")
    [('FROM', 'a AS b'), ('RUN', 'c &&     d')]
    """
    lines = re.sub(r"^#.*\n", "", text, flags=re.MULTILINE).replace("\\\n", "").splitlines()
    found = [line.partition(" ") for line in lines if line.strip()]
    return [(word, rest.strip()) for word, _, rest in found]


class Image:
    """A folder with the file system of the last stage, and how to run commands in it."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.stages: dict[str, Path] = {}
        self.at = folder
        self.settings: dict[str, str] = {}
        self.user: str | None = None
        self.command: list[str] = []

    def build(self, dockerfile: Path) -> None:
        """Follow every instruction."""
        for word, rest in instructions(dockerfile.read_text(encoding="utf-8")):
            print(f"{word} {rest}"[:100], flush=True)
            step = getattr(self, f"do_{word.lower()}", None)
            if step is None:
                raise SystemExit(f"{word} is not an instruction that this follows")
            step(rest)

    def do_from(self, rest: str) -> None:
        """Begin a stage with a clean system."""
        system, _, name = rest.partition(" AS ")
        release = re.fullmatch(r"debian:(\w+)-slim", system)
        assert release is not None, system
        base = self.folder / f"base-{release[1]}"
        if not (base / "etc/debian_version").is_file():
            subprocess.run(
                ["debootstrap", "--variant=minbase", "--include=ca-certificates", release[1], base],
                check=True,
                stdout=subprocess.DEVNULL,
            )
        self.at = self.folder / (name or "last")
        self.stages[name] = self.at
        shutil.rmtree(self.at, ignore_errors=True)
        subprocess.run(["cp", "--archive", base, self.at], check=True)
        self.settings = {
            "PATH": "/usr/sbin:/usr/bin:/sbin:/bin",
            "DEBIAN_FRONTEND": "noninteractive",
        }
        self.user = None

    def do_run(self, rest: str) -> None:
        """Run a shell command."""
        done = subprocess.run(self.inside(["sh", "-c", rest]), capture_output=True, check=False)
        if done.returncode:
            raise SystemExit(done.stderr.decode(errors="replace"))

    def do_copy(self, rest: str) -> None:
        """Copy files of the project, or of an earlier stage."""
        *sources, target = rest.split()
        source = ROOT
        if sources[0].startswith("--from="):
            source = self.stages[sources.pop(0).removeprefix("--from=")]
        for name in sources:
            there = source / name.lstrip("/")
            goal = self.at / target.lstrip("/")
            goal = goal / there.name if target.endswith("/") else goal
            goal.parent.mkdir(parents=True, exist_ok=True)
            subprocess.run(["cp", "--archive", there, goal], check=True)

    def do_env(self, rest: str) -> None:
        """Set variables."""
        self.settings |= dict(word.split("=", 1) for word in shlex.split(rest))

    def do_user(self, rest: str) -> None:
        """Run what follows as somebody else."""
        self.user = rest

    def do_cmd(self, rest: str) -> None:
        """Remember what the container runs."""
        self.command = json.loads(rest)

    def do_healthcheck(self, rest: str) -> None:
        """Remember how to ask for its health."""
        self.health: list[str] = json.loads(rest.partition(" CMD ")[2])

    def do_expose(self, rest: str) -> None:
        """Note the port: the network is shared."""
        self.port = int(rest)

    def do_volume(self, rest: str) -> None:
        """Check that the folders are there."""
        for name in json.loads(rest):
            assert (self.at / name.lstrip("/")).is_dir(), name

    def inside(self, command: list[str]) -> list[str]:
        """The command line that runs a command in the file system."""
        outside = ["bwrap", "--bind", str(self.at), "/", "--dev", "/dev", "--proc", "/proc"]
        outside += ["--perms", "1777", "--tmpfs", "/tmp", "--clearenv", "--cap-add", "ALL"]
        # A process that becomes another user outlives its parent; one in a PID namespace does not
        # outlive the first of that namespace.
        outside += ["--die-with-parent", "--unshare-pid"]
        pip = {name: value for name, value in os.environ.items() if name.startswith("PIP_")}
        links = [link.removeprefix("file://") for link in pip.get("PIP_FIND_LINKS", "").split()]
        for name in (*SETTINGS, *links, pip.get("PIP_CERT", "")):
            if name.startswith("/") and Path(name).exists():
                outside += ["--ro-bind", name, name]
        mark = {MARK: os.environ[MARK]} if MARK in os.environ else {}
        for name, value in {**pip, **mark, **self.settings}.items():
            outside += ["--setenv", name, value]
        if self.user is not None:
            command = ["setpriv", "--reuid", self.user, "--clear-groups", *command]
        return [*outside, *command]


if __name__ == "__main__":
    folder = Path(sys.argv[1]).resolve()
    folder.mkdir(parents=True, exist_ok=True)
    Image(folder).build(ROOT / "Dockerfile")
