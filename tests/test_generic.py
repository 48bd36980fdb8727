"""Generic packages name no game and no puzzle: whatever is done for one can be had by every one.

Docstrings and comments may take a game as an example; code, messages and helps may not.
"""

from __future__ import annotations

import ast
import re
from pathlib import Path

import pytest

from plywise import games

HOME = Path(games.__file__).parents[1]
PACKAGES = ("core", "kit", "jit", "engines", "play", "views", "testing", "cli", "web", "adapters")
PUZZLES = [file.parent.name for file in (HOME / "puzzles").glob("*/__init__.py")]
NAMES = re.compile(
    rf"(?<![A-Za-z])({'|'.join([*games.names(), *PUZZLES])}|Connect-4|Tic-Tac-Toe|Make Way)"
    r"(?![A-Za-z])"
)
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
    for package in PACKAGES:
        for file in sorted((HOME / package).rglob("*")):
            if file.suffix not in (".py", ".js"):
                continue
            lines = [
                line.strip()
                for line in code_of(file).splitlines()
                if NAMES.search(OTHER.sub("", line))
            ]
            if lines:
                found[str(file.relative_to(HOME))] = lines
    return found


@pytest.mark.slow
def test_no_generic_file_names_a_game() -> None:
    assert naming() == {}, "a generic package names a game or a puzzle"


@pytest.mark.parametrize(
    ("line", "names"),
    [
        ("if game == 'connect4':", True),
        ("from plywise.puzzles.slither import warming", True),
        ("say('a game of Make Way')", True),
        ("style = 'text-align: left'", False),
        ("alignment = 3", False),
    ],
)
def test_what_counts_as_a_name(line: str, names: bool) -> None:
    assert bool(NAMES.search(OTHER.sub("", line))) == names
