"""`python -m tests.budget`: the lines of each package, and the modules of its largest folder.

`tests/budget.txt` has the most that each may have. Raising a number is a decision that a commit
shows; `--write` lowers those that have become too high. It is part of `make lint`.
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).parents[1]
BUDGET = Path(__file__).with_suffix(".txt")
MODULES = 16  #: the most that a folder should have; the budget lists those that have more
HEAD = f"{'package':<10} {'lines':>6} {'modules':>8}"


class Size(NamedTuple):
    """The lines of Python in a package, and the modules of its largest folder."""

    lines: int
    modules: int


def sizes(root: Path = ROOT / "src" / "plywise") -> dict[str, Size]:
    """Return the size of every package, and of the modules beside them as `.`."""
    found: dict[str, Size] = {}
    for file in sorted(root.rglob("*.py")):
        name = file.relative_to(root).parts[0] if file.parent != root else "."
        known = found.get(name, Size(0, 0))
        with file.open(encoding="utf-8") as text:
            lines = known.lines + sum(1 for _ in text)
        modules = len(list(file.parent.glob("*.py")))
        found[name] = Size(lines, max(known.modules, modules))
    return found


def read(text: str) -> dict[str, Size]:
    """Return the budget that a text holds."""
    rows = (line.split() for line in text.splitlines()[1:] if line.strip())
    return {name: Size(int(lines), int(modules)) for name, lines, modules in rows}


def written(budget: dict[str, Size]) -> str:
    """Write a budget, one package a line."""
    rows = [f"{name:<10} {each.lines:>6} {each.modules:>8}" for name, each in budget.items()]
    return "\n".join([HEAD, *rows, ""])


def complaints(found: dict[str, Size], budget: dict[str, Size]) -> list[str]:
    """Return what is larger than its budget, or has none."""
    told = []
    for name, size in found.items():
        most = budget.get(name)
        if most is None:
            told.append(f"{name} has no budget: add its line to {BUDGET.name}")
            continue
        for what, now, limit in zip(Size._fields, size, most, strict=True):
            if now > limit:
                told.append(f"{name} has {now} {what}, and its budget is {limit}")
    return told


def lowered(found: dict[str, Size], budget: dict[str, Size]) -> dict[str, Size]:
    """Return a budget without slack: never higher than it was."""
    return {
        name: Size(*map(min, size, budget.get(name, size)))
        if name in budget
        else Size(size.lines, max(size.modules, MODULES))
        for name, size in found.items()
    }


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--write", action="store_true", help="lower what has become too high")
    given = parser.parse_args()
    budget = read(BUDGET.read_text(encoding="utf-8")) if BUDGET.exists() else {}
    if given.write:
        BUDGET.write_text(written(lowered(sizes(), budget)), encoding="utf-8")
        return 0
    told = complaints(sizes(), budget)
    total = sum(each.lines for each in sizes().values())
    print("\n".join(told) or f"budget: {total:,} lines in the package, within the budget")
    return 1 if told else 0


if __name__ == "__main__":
    sys.exit(main())
