"""What a run says: where it ran, a table for each benchmark, and how many targets were met."""

from __future__ import annotations

import os
import platform
import textwrap
from collections.abc import Iterable, Iterator
from importlib import metadata
from typing import Any

from bench.measure import Bench, Row
from plywise.cli.console import table

PACKAGES = ("plywise", "numba", "numpy", "open_spiel", "easyAI", "bitbully")
WIDTH = 100
MISSING = "not installed: pip install plywise[bench]"
BUSY = 0.5  #: cores' worth of other work from which on a warning is due


def machine() -> dict[str, Any]:
    """Where this runs, as far as it matters for speed."""
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
    """The machine in a line, and what to take the figures with."""
    packages = [f"{name} {version}" for name, version in where["packages"].items() if version]
    python = f"Python {where['python']}"
    yield ", ".join([f"{where['cores']} cores", where["system"], python, *packages])
    if where["load"] is not None and where["load"] > BUSY:
        busy = f"The machine is busy (load {where['load']})"
        yield f"{busy}: measure again on an idle one before you quote a figure."
    if quick:
        yield "A quick run: smaller work, fewer repetitions, rough figures."


def opening(bench: Bench) -> Iterator[str]:
    """What comes before the rows of a benchmark."""
    yield ""
    yield bench.title
    yield from textwrap.wrap(bench.method, WIDTH, initial_indent="  ", subsequent_indent="  ")


def rows_table(bench: Bench, rows: Iterable[Row]) -> Iterator[str]:
    """The rows in columns, without those that nothing is in."""
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
    """How many targets were met."""
    judged = [row for row in rows if row.met is not None]
    missed = [row.what for row in judged if not row.met]
    line = f"{len(judged) - len(missed)} of {len(judged)} targets met"
    return f"{line}; missed: {'; '.join(missed)}" if missed else line
