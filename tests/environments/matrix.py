"""`make matrix`: the quick tests with the lowest and the newest packages, and on every Python.

Each environment is a folder in `.matrix/`. What has passed is not run again until a source changes,
so it can be stopped at any time.
"""

from __future__ import annotations

import argparse
import hashlib
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from tests.environments.bounds import ROOT, constraints, tools

FOLDER = ROOT / ".matrix"
OLDEST = (3, 11)  #: as `requires-python` says
PARTS = ("tests", "src", "lab")
#: These need further tools, see `bounds.TOOLS`.
LEFT_OUT = [
    "tests/browser",
    "tests/docs",
    "tests/notebook/kernel.py",
    "tests/notebook/test_kernel.py",
    "tests/notebook/test_lab.py",
    "tests/web/api/test_answers.py",
    "tests/web/api/test_schema.py",
]
LONGEST = 200  #: characters of a reason
QUICK = "not slow and not long"


@dataclass(frozen=True)
class Environment:
    """A Python with packages, and a name."""

    name: str
    python: Path
    constraints: str = ""

    @property
    def folder(self) -> Path:
        """Where it is installed."""
        return FOLDER / self.name

    @property
    def program(self) -> Path:
        """Its Python, once it is installed."""
        return self.folder / "bin" / "python"


def pythons() -> dict[str, Path]:
    """Every Python that is new enough, by its version such as 3.12: on the path or of pyenv."""
    places = [Path(place) for place in os.environ.get("PATH", "").split(os.pathsep) if place]
    found = [each for place in places for each in sorted(place.glob("python3.*"))]
    root = Path(os.environ.get("PYENV_ROOT", Path.home() / ".pyenv"))
    found += sorted(root.glob("versions/3.*/bin/python3"))
    versions = {f"{sys.version_info[0]}.{sys.version_info[1]}": Path(sys.executable)}
    for program in found:
        if program.parent.name != "bin" or not re.fullmatch(r"python3(\.\d+)?", program.name):
            continue
        version = _version(program)
        if version is not None and version >= OLDEST:
            versions.setdefault(f"{version[0]}.{version[1]}", program)
    return dict(sorted(versions.items(), key=lambda pair: int(pair[0].partition(".")[2])))


def _version(program: Path) -> tuple[int, int] | None:
    """The version of a Python that works; None if it does not."""
    code = "import sys, venv, ensurepip; print(*sys.version_info[:2])"
    done = subprocess.run([program, "-c", code], capture_output=True, text=True, check=False)
    if done.returncode:
        return None
    major, minor = done.stdout.split()
    return int(major), int(minor)


def environments() -> Iterator[Environment]:
    """The lowest versions on the oldest Python, then the newest on each."""
    known = pythons()
    oldest = ".".join(map(str, OLDEST))
    if oldest in known:
        yield Environment("lowest", known[oldest], constraints())
    else:
        print(f"lowest: skipped, since Python {oldest} is not installed")
    for version, python in known.items():
        yield Environment(f"python{version}", python)


def install(environment: Environment) -> str | None:
    """Install an environment, unless it is there; returns the reason if that is not possible."""
    wanted = "\n".join([str(environment.python), environment.constraints, *tools()])
    projects = ROOT, ROOT / "lab"
    wanted += "".join((project / "pyproject.toml").read_text() for project in projects)
    stamp = environment.folder / ".installed"
    key = hashlib.sha256(wanted.encode()).hexdigest()
    if stamp.is_file() and stamp.read_text() == key:
        return None
    shutil.rmtree(environment.folder, ignore_errors=True)
    subprocess.run([environment.python, "-m", "venv", environment.folder], check=True)
    limits = environment.folder / "constraints.txt"
    limits.write_text(environment.constraints)
    pip = [environment.program, "-m", "pip", "install", "--quiet", "--disable-pip-version-check"]
    # Not from source: numba and numpy have no wheels for a Python that is too new for them.
    pip += ["--prefer-binary", "--only-binary", "numba,numpy,llvmlite"]
    editable = [word for project in projects for word in ("--editable", str(project))]
    done = subprocess.run(
        [*pip, "--constraint", limits, *editable, *tools()],
        capture_output=True,
        text=True,
        check=False,
    )
    if done.returncode:
        errors = [line for line in done.stderr.splitlines() if line.startswith("ERROR")]
        return (errors or done.stderr.splitlines() or ["pip failed"])[-1][:LONGEST]
    stamp.write_text(key)
    return None


def run(environment: Environment, arguments: list[str]) -> bool:
    """Run the quick tests; True if they pass."""
    left_out = [f"--ignore={part}" for part in LEFT_OUT]
    left_out += ["--doctest-ignore-import-errors"]  # of adapters to packages that are not there
    command = [environment.program, "-m", "pytest", "-n", "2", "-m", QUICK, *left_out]
    cache = FOLDER / "cache"  # of compiled code; its folders are named by versions
    done = subprocess.run(
        [*command, f"--resume={environment.folder / 'passed'}", *PARTS, *arguments],
        cwd=ROOT,
        env={**os.environ, "PLYWISE_CACHE": str(cache), "CI": ""},  # few tools are installed here
        check=False,
    )
    return done.returncode == 0


def main() -> int:
    """Go through the environments; 1 if a test failed, or the lowest versions do not install."""
    parser = argparse.ArgumentParser(prog="python -m tests.environments.matrix")
    parser.add_argument("names", nargs="*", metavar="NAME", help="only these, such as lowest")
    parser.add_argument("--pytest", default="", metavar="ARGUMENTS", help="more for pytest")
    given = parser.parse_args()
    known = list(environments())
    names = [environment.name for environment in known]
    for name in given.names:
        if name not in names:
            parser.error(f"unknown environment {name!r}: choose from {', '.join(names)}")
    failed = []
    for environment in known:
        if given.names and environment.name not in given.names:
            continue
        print(f"{environment.name}: installing ...", flush=True)
        problem = install(environment)
        if problem is not None and environment.constraints:
            print(f"{environment.name}: cannot be installed: {problem}", flush=True)
            failed.append(environment.name)
            continue
        if problem is not None:
            print(f"{environment.name}: skipped: {problem}", flush=True)
            continue
        if run(environment, given.pytest.split()):
            print(f"{environment.name}: passed", flush=True)
        else:
            print(f"{environment.name}: FAILED", flush=True)
            failed.append(environment.name)
    if failed:
        print(f"failed: {', '.join(failed)}")
    return 1 if failed else 0


if __name__ == "__main__":
    raise SystemExit(main())
