"""What measurements printed, in files: every figure in the documentation stands in one of them.

    python -m lab.results                           what there is, and what has changed since
    python -m lab.results keep [--of PATH ...] NAME COMMAND ...   run a command, keep what it prints
    python -m lab.results again NAME ...            run the commands of these files once more

A file holds the command, the commit it ran at, the machine, the date, and under `found` what the
command prints with `--json`. `sources` are the files that the command names, and those of `--of`:
once one of them has changed, the pages mark what they quote.
"""

from __future__ import annotations

import ast
import hashlib
import io
import json
import tokenize
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

FOLDER = Path(__file__).parent
ROOT = FOLDER.parents[1]


def names() -> list[str]:
    """Return the names of all results."""
    return sorted(file.stem for file in FOLDER.glob("*.json"))


def read(name: str) -> dict[str, Any]:
    """Return a result by its name."""
    file = FOLDER / f"{name}.json"
    if not file.exists():
        raise LookupError(f"there is no result {name!r}: choose from {', '.join(names())}")
    found: dict[str, Any] = json.loads(file.read_text(encoding="utf-8"))
    return found


def changed(result: dict[str, Any]) -> list[str]:
    """Return the sources of a result that are not as they were when it was measured."""
    return [path for path, was in result["sources"].items() if digest(ROOT / path) != was]


def digest(path: Path) -> str:
    """Return a short name for what a file or folder does: comments and docstrings do not count."""
    found = hashlib.sha256()
    for file in _files(path):
        found.update(f"{file.relative_to(path)}\n".encode())
        found.update(_code(file.read_text("utf-8")) if file.suffix == ".py" else file.read_bytes())
    return found.hexdigest()[:16]


def _files(path: Path) -> Iterator[Path]:
    """Yield a file, or the files in a folder without what running them leaves there."""
    if path.is_file():
        yield path
    for file in sorted(path.rglob("*")):
        if file.is_file() and "__pycache__" not in file.parts:
            yield file


@cache
def _code(text: str) -> bytes:
    """Return the lines of a program without comments, docstrings and empty lines."""
    lines = text.splitlines()
    for token in tokenize.generate_tokens(io.StringIO(text).readline):
        if token.type == tokenize.COMMENT:
            row, column = token.start
            lines[row - 1] = lines[row - 1][:column]
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant):
            for row in range(node.lineno, (node.end_lineno or node.lineno) + 1):
                lines[row - 1] = ""
    return "\n".join(line.rstrip() for line in lines if line.strip()).encode()
