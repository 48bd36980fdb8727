"""Prints a run: the machine, a table for each benchmark, and how many targets were met."""

from __future__ import annotations

import os
import platform
import textwrap
from collections.abc import Iterable, Iterator
from importlib import metadata
from typing import Any

from bench.measure import Bench, Row
from plywise.cli.console import table
from plywise.errors import to_install

PACKAGES = ("plywise", "numba", "numpy", "open_spiel", "pettingzoo", "easyAI", "bitbully")
WIDTH = 100
MISSING = f"not installed: {to_install('bench')}"
BUSY = 0.5  #: load of other work above which to warn


def machine() -> dict[str, Any]:
    """Describe the machine, as far as it matters for speed."""
    return {
        "cores": os.cpu_count(),
        "load": round(os.getloadavg()[0], 2) if hasattr(os, "getloadavg") else None,
        "system": f"{platform.system()} {platform.machine()}",
        "python": platform.python_version(),
        "packages": {name: _version(name) for name in PACKAGES},
    }


def _version(package: str) -> str | None:
    try:
        return metadata.version(package)
    except metadata.PackageNotFoundError:
        return None


def heading(where: dict[str, Any], quick: bool) -> Iterator[str]:
    """Describe the machine in a line, and warn if the figures are rough."""
    packages = [f"{name} {version}" for name, version in where["packages"].items() if version]
    python = f"Python {where['python']}"
    yield ", ".join([f"{where['cores']} cores", where["system"], python, *packages])
    if where["load"] is not None and where["load"] > BUSY:
        busy = f"The machine is busy (load {where['load']})"
        yield f"{busy}: measure again on an idle one before you quote a figure."
    if quick:
        yield "A quick run: less work, fewer repetitions, rough figures."


def opening(bench: Bench) -> Iterator[str]:
    """Write the heading of a benchmark."""
    yield ""
    yield bench.title
    yield from textwrap.wrap(bench.method, WIDTH, initial_indent="  ", subsequent_indent="  ")


def rows_table(bench: Bench, rows: Iterable[Row]) -> Iterator[str]:
    """Lay out the rows in columns, leaving out empty columns."""
    titles = ["", "plywise", bench.against, "result", "target", ""]
    lines = [
        [
            row.what,
            str(row.ours),
            str(row.against),
            str(row.result),
            row.target,
            _verdict(row),
        ]
        for row in rows
    ]
    filled = [column for column in zip(titles, *lines, strict=True) if any(column[1:])]
    for line in table([list(cells) for cells in zip(*filled, strict=True)]):
        yield f"  {line}"


def _verdict(row: Row) -> str:
    if row.met is None:
        return "open" if row.target else ""
    return "met" if row.met else "MISSED"


def summary(rows: Iterable[Row]) -> str:
    """Say how many targets were met."""
    judged = [row for row in rows if row.met is not None]
    missed = [row.what for row in judged if not row.met]
    line = f"{len(judged) - len(missed)} of {len(judged)} targets met"
    return f"{line}; missed: {'; '.join(missed)}" if missed else line
