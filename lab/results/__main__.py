"""Measure, and keep what was found: see `lab.results`."""

from __future__ import annotations

import argparse
import importlib
import json
import os
import platform
import re
import shlex
import subprocess
import sys
from collections.abc import Iterator, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import lab.results
from lab.results import FOLDER, ROOT, changed, digest, names, read
from plywise.cli.console import table

MEASURED = ("src", "lab", "bench", "examples")  #: what has to be committed before a measurement
#: Where a word of a command may have its file or folder.
HOMES = ("src/plywise/games", "src/plywise/puzzles", "src/plywise/engines")


def main() -> int:
    """List, keep, or measure again."""
    parser = argparse.ArgumentParser(
        prog="python -m lab.results",
        description=lab.results.__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    ways = parser.add_subparsers(dest="way", metavar="WAY")
    one = ways.add_parser("keep", help="run a command, and keep what it prints")
    one.add_argument("name", metavar="NAME")
    one.add_argument("--of", action="append", default=[], metavar="PATH", help="a source of it")
    one.add_argument("command", nargs=argparse.REMAINDER, metavar="COMMAND")
    more = ways.add_parser("again", help="run the commands of these results once more")
    more.add_argument("names", nargs="+", choices=names(), metavar="NAME")
    given = parser.parse_args()
    if given.way == "keep":
        words = given.command
        while words[:1] == ["--of"]:  # behind the name it is taken for a part of the command
            given.of.append(words[1])
            words = words[2:]
        print(f"wrote {keep(given.name, words, given.of).relative_to(ROOT)}")
    elif given.way == "again":
        for name in given.names:
            result = read(name)
            words = shlex.split(result["command"])
            print(f"wrote {keep(name, words, [*result['sources']]).relative_to(ROOT)}", flush=True)
    else:
        print(
            "\n".join(table([["result", "date", "commit", "changed since", "command"], *_rows()]))
        )
    return 0


def _rows() -> Iterator[list[str]]:
    for name in names():
        result = read(name)
        since = ", ".join(changed(result))
        yield [name, result["date"], result["commit"][:8], since, result["command"]]


def keep(name: str, words: Sequence[str], of: Sequence[str] = (), folder: Path = FOLDER) -> Path:
    """Run a command, and write what it prints with `--json` to a file, unless it fails."""
    found: dict[str, Any] = {
        "command": shlex.join(words),
        "commit": commit(),
        "machine": machine(),
        "date": datetime.now(UTC).date().isoformat(),
        "sources": {path: digest(ROOT / path) for path in sorted({*named(words), *of})},
    }
    if not found["sources"]:
        raise SystemExit("the command names no file of ours: say with --of what it measures")
    found["found"] = printed(words)
    file = folder / f"{name}.json"
    file.write_text(json.dumps(found, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
    return file


def printed(words: Sequence[str]) -> Any:
    """Run `plywise ...` or `python -m ...` with `--json`; its progress stays on the terminal."""
    if words[:1] == ["plywise"]:
        line = [sys.executable, "-m", *words]
    elif words[:2] == ["python", "-m"]:
        line = [sys.executable, *words[1:]]
    else:
        raise SystemExit(f"give `plywise ...` or `python -m ...`, not {shlex.join(words)!r}")
    done = subprocess.run([*line, "--json"], cwd=ROOT, stdout=subprocess.PIPE, check=False)
    if done.returncode:
        raise SystemExit(done.returncode)
    return json.loads(done.stdout)


def named(words: Sequence[str]) -> set[str]:
    """Return the files and folders that the words of a command name.

    >>> sorted(named(["plywise", "match", "hex", "alphabeta", "random"]))
    ['src/plywise/engines/alphabeta', 'src/plywise/engines/random.py']
    """
    found = set()
    if words[:2] == ["python", "-m"]:
        found = {_module(words[2]), *_benches(words[3:] if words[2] == "bench" else ())}
    parts = {part for word in words for part in re.split(r"[^\w]", word) if part}
    for home in (*HOMES, *(["lab/papers"] if "report" in words else [])):
        for part in parts:
            found |= {path for path in (f"{home}/{part}", f"{home}/{part}.py") if _is_ours(path)}
    return found - {""}


def _is_ours(path: str) -> bool:
    return (ROOT / path).is_file() or (ROOT / path / "__init__.py").is_file()


def _module(name: str) -> str:
    """Return the file of a program, unless it only starts others."""
    path = name.replace(".", "/") + ".py"
    return path if (ROOT / path).is_file() else ""


def _benches(wanted: Sequence[str]) -> set[str]:
    """Return the files of benchmarks by their names."""
    known = {each.name: each for each in importlib.import_module("bench.__main__").BENCHES}
    return {_module(known[name].rows.__module__) for name in wanted if name in known}


def commit() -> str:
    """Return the commit that is checked out; refuse one with changes, which nobody could repeat."""
    results = f":!{FOLDER.relative_to(ROOT)}/*.json"
    if _git("status", "--porcelain", "--", *(path for path in MEASURED if (ROOT / path).exists()),
            results):  # fmt: skip
        raise SystemExit(f"{', '.join(MEASURED)}: commit all changes before you measure")
    return _git("rev-parse", "HEAD")


def _git(*words: str) -> str:
    done = subprocess.run(["git", *words], cwd=ROOT, capture_output=True, text=True, check=True)
    return done.stdout.strip()


def machine() -> dict[str, Any]:
    """Return what matters for the times: the processor, its cores, and how busy they are."""
    cpus = Path("/proc/cpuinfo")
    lines = cpus.read_text(encoding="utf-8").splitlines() if cpus.exists() else []
    models = [line.partition(":")[2].strip() for line in lines if line.startswith("model name")]
    return {
        "processor": models[0] if models else platform.processor() or platform.machine(),
        "cores": os.cpu_count(),
        "load": round(os.getloadavg()[0], 1) if hasattr(os, "getloadavg") else None,
        "python": platform.python_version(),
    }


if __name__ == "__main__":
    raise SystemExit(main())
