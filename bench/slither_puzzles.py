"""Slither: many new puzzles, each certified by SAT, and their statistics beside published ones.

    python -m bench.slither_puzzles FILE [--sizes 7,10,15,20,30,40] [--symmetry none]

Each puzzle is a line of FILE as soon as it is certified: run the command again to continue. The
table at the end says for each size and grade how many puzzles there are, how long they took, and
how many have a statistic that no puzzle of olson-500 of the nearest size has.
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
from plywise.puzzles import slither
from plywise.puzzles.slither.generator import Wish, generate
from plywise.puzzles.slither.logic.table import GRADES
from plywise.puzzles.slither.making.statistics import CORE, NAMES, Statistics, published

SIZES = (7, 10, 15, 20, 30, 40)
MANY, FEW = 100, 20  #: puzzles of each size and grade: up to LARGE cells on a side, and above
LARGE = 20

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


def kept(file: Path) -> dict[Key, dict[str, Any]]:
    """What an earlier run has made."""
    if not file.exists():
        return {}
    found = map(json.loads, file.read_text(encoding="utf-8").splitlines())
    return {tuple(each["key"]): each for each in found}


def table(found: dict[Key, dict[str, Any]]) -> Iterator[str]:
    """The puzzles by size and grade, as a table."""
    groups: dict[tuple[int, str, str], list[dict[str, Any]]] = defaultdict(list)
    for key, each in found.items():
        groups[key[:3]].append(each)
    yield (
        "| size, symmetry, grade | puzzles | seconds, median and slowest | quality | density |"
        + (" zeros | quarters | inside | outside: the four, all |")
    )
    yield "| --- " * 9 + "|"
    for (size, symmetry, grade), group in groups.items():
        seconds = [each["seconds"] for each in group]
        shares = {name: [each["statistics"][name] for each in group] for name in NAMES}
        out = [published(size, size).outside(Statistics(**each["statistics"])) for each in group]
        certified = sum(each["certified"] for each in group)
        yield (
            f"| {size} x {size}, {symmetry}, {grade} | {certified} of {len(group)} certified "
            f"| {statistics.median(seconds):.2f}, {max(seconds):.2f} "
            f"| {statistics.mean(each['quality'] for each in group):.0f} "
            f"| {statistics.mean(shares['density']):.3f} "
            f"| {min(shares['zeros']):.3f}-{max(shares['zeros']):.3f} "
            f"| {min(shares['sparsest']):.3f}-{max(shares['densest']):.3f} "
            f"| {min(shares['inside']):.3f}-{max(shares['inside']):.3f} "
            f"| {sum(any(name in CORE for name in each) for each in out)}, {sum(map(bool, out))} |"
        )


def main() -> None:
    """Make what is missing in the file, then print the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("file", type=Path)
    parser.add_argument("--sizes", default=",".join(map(str, SIZES)))
    parser.add_argument("--symmetry", default="none")
    parser.add_argument("--share", type=float, default=1.0, help="make this share of the puzzles")
    given = parser.parse_args()
    sizes = tuple(int(size) for size in given.sizes.split(","))
    found = kept(given.file)
    slither.solve(slither.read(slither.DEFAULT))
    generate(Wish(5, 5))  # compiles
    try:
        for key in wanted(sizes, given.symmetry, given.share):
            if key not in found:
                found[key] = make(key)
                with given.file.open("a", encoding="utf-8") as file:
                    print(json.dumps(found[key]), file=file)
    except KeyboardInterrupt:
        print("stopped: run it again to continue")
    print("\n".join(table(found)))


if __name__ == "__main__":
    main()
