"""Generic packages name no game and no puzzle: whatever is done for one can be had by every one.

Docstrings and comments may take a game as an example; code, messages and helps may not.
"""

from __future__ import annotations

import ast
import re
from pathlib import Path

import pytest

from plywise import games, puzzles

HOME = Path(games.__file__).parents[1]
#: The packages that are about games and puzzles of their own; all others are generic.
SPECIAL = {"games", "puzzles"}
KINDS = [*map(games.find, games.names()), *map(puzzles.find, puzzles.names())]
WORDS = sorted({word for kind in KINDS for word in (kind.name, kind.title)})
NAMES = re.compile(rf"(?<![A-Za-z])({'|'.join(map(re.escape, WORDS))})(?![A-Za-z])")
#: "align" is also a word of style sheets and drawings.
OTHER = re.compile(r"align[=:-]|-align|\.align\b|\balign\b(?=: \w+[;,])|\"align\"")


def code_of(file: Path) -> str:
    """A file without its docstrings and comments."""
    text = file.read_text(encoding="utf-8")
    if file.suffix == ".js":
        return re.sub(r"/\*.*?\*/|(?m:^\s*//[^\n]*$)", "", text, flags=re.DOTALL)
    tree = ast.parse(text)
    for node in ast.walk(tree):
        body = getattr(node, "body", None)
        if isinstance(body, list):
            node.body = [  # type: ignore[attr-defined]
                each
                for each in body
                if not (isinstance(each, ast.Expr) and isinstance(each.value, ast.Constant))
            ] or [ast.Pass()]
    return ast.unparse(tree)


def naming() -> dict[str, list[str]]:
    """The files of generic packages that name a game or a puzzle, and the lines that do."""
    found: dict[str, list[str]] = {}
    for file in sorted(HOME.rglob("*")):
        where = file.relative_to(HOME)
        if file.suffix not in (".py", ".js") or where.parts[0] in SPECIAL:
            continue
        lines = [
            line.strip() for line in code_of(file).splitlines() if NAMES.search(OTHER.sub("", line))
        ]
        if lines:
            found[str(where)] = lines
    return found


@pytest.mark.slow
def test_no_generic_file_names_a_game() -> None:
    assert naming() == {}, "a generic package names a game or a puzzle"


@pytest.mark.parametrize(
    ("line", "names"),
    [
        ("if game == 'connect4':", True),
        ("from plywise.puzzles.slither import warmup", True),
        ("say('a game of Make Way')", True),
        ("say('Andantino')", True),
        ("style = 'text-align: left'", False),
        ("alignment = 3", False),
    ],
)
def test_what_counts_as_a_name(line: str, names: bool) -> None:
    assert bool(NAMES.search(OTHER.sub("", line))) == names
