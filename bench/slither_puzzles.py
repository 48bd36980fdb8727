"""Slither: many new puzzles, each certified by SAT, and their statistics beside published ones.

    python -m bench.slither_puzzles [FILE] [--sizes 7,10,15,20,30,40] [--symmetry none] [--json]

Each puzzle is a line of FILE as soon as it is certified: run the command again to continue. The
tables at the end say how long the puzzles of each grade and size took, and how many have a
statistic that no puzzle of olson-500 of the nearest size has.
"""

from __future__ import annotations

import argparse
import json
import statistics
import time
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from bench.slither_sat import solve_by_sat
from plywise.cli.console import table
from plywise.puzzles import slither
from plywise.puzzles.slither.generator import Wish, generate
from plywise.puzzles.slither.logic.table import GRADES
from plywise.puzzles.slither.making.statistics import CORE, Statistics, published

SIZES = (7, 10, 15, 20, 30, 40)
MANY, FEW = 100, 20  #: puzzles of each size and grade: up to LARGE cells on a side, and above
LARGE = 20
#: The columns of the table of sizes.
LOOKS = (
    "size",
    "puzzles",
    "certified",
    "zeros, quarters or inside out of range",
    "another figure out of range",
)

Key = tuple[int, str, str, int]  #: size, symmetry, grade, random seed


def wanted(sizes: tuple[int, ...], symmetry: str, share: float) -> Iterator[Key]:
    """The puzzles to make; with a small share a few of each."""
    for size in sizes:
        count = max(1, round(share * (MANY if size <= LARGE else FEW)))
        for grade in ("any", *GRADES):
            for seed in range(1, count + 1):
                yield size, symmetry, grade, seed


def make(key: Key) -> dict[str, Any]:
    """Make one puzzle and certify it."""
    size, symmetry, grade, seed = key
    begun = time.process_time()
    made = generate(Wish(size, size, None if grade == "any" else grade, symmetry), seed)
    seconds = time.process_time() - begun
    certified = solve_by_sat(made.puzzle) == [frozenset(made.solution.lines)]
    return {
        "key": key,
        "seconds": round(seconds, 3),
        "certified": certified,
        "grade": made.grade.name,
        "quality": made.quality,
        "statistics": made.statistics.to_json(),
        "puzzle": str(made.puzzle).replace("\n", "/"),
    }


def kept(file: Path | None) -> dict[Key, dict[str, Any]]:
    """What an earlier run has made."""
    if file is None or not file.exists():
        return {}
    found = map(json.loads, file.read_text(encoding="utf-8").splitlines())
    return {tuple(each["key"]): each for each in found}


def times(found: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Processor time by grade and size: the median, and the slowest in brackets."""
    rows: dict[str, dict[str, Any]] = {}
    groups: dict[tuple[str, str], list[float]] = defaultdict(list)
    for each in found:
        size, _, grade, _ = each["key"]
        groups[grade, f"{size} x {size}"].append(each["seconds"])
    for (grade, size), seconds in groups.items():
        row = rows.setdefault(grade, {"seconds": grade})
        row[size] = f"{statistics.median(seconds):.2g} ({max(seconds):.2g})"
    return [*rows.values()]


def looks(found: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """How many puzzles of each size look like published ones."""
    rows: dict[int, dict[str, Any]] = {}
    for each in found:
        size = each["key"][0]
        out = published(size, size).outside(Statistics(**each["statistics"]))
        row = rows.setdefault(size, dict.fromkeys(LOOKS, 0))
        row["size"] = f"{size} x {size}"
        row["puzzles"] += 1
        row["certified"] += each["certified"]
        row["zeros, quarters or inside out of range"] += any(name in CORE for name in out)
        row["another figure out of range"] += bool(set(out) - set(CORE))
    return [*rows.values()]


def main() -> None:
    """Make what is missing in the file, then print the tables."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("file", type=Path, nargs="?")
    parser.add_argument("--sizes", default=",".join(map(str, SIZES)))
    parser.add_argument("--symmetry", default="none")
    parser.add_argument("--share", type=float, default=1.0, help="make this share of the puzzles")
    parser.add_argument("--json", action="store_true", help="print one JSON object at the end")
    given = parser.parse_args()
    sizes = tuple(int(size) for size in given.sizes.split(","))
    found = kept(given.file)
    slither.solve(slither.read(slither.DEFAULT))
    generate(Wish(5, 5))  # compiles
    try:
        for key in wanted(sizes, given.symmetry, given.share):
            if key not in found:
                found[key] = make(key)
                if given.file:
                    with given.file.open("a", encoding="utf-8") as file:
                        print(json.dumps(found[key]), file=file)
    except KeyboardInterrupt:
        print("stopped: run it again to continue")
    tables = [{"rows": part([*found.values()])} for part in (times, looks)]
    if given.json:
        print(json.dumps({"tables": tables}))
        return
    for each in tables:
        print(
            "\n".join(
                table([[*each["rows"][0]], *([*map(str, row.values())] for row in each["rows"])])
            )
        )


if __name__ == "__main__":
    main()
