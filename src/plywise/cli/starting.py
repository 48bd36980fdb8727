"""The files of a new game: a copy of an example under another name, and a test."""

from __future__ import annotations

import keyword
import re
import sys
from pathlib import Path

import plywise
from plywise.errors import SpecError, suggest
from plywise.games import names

START = "col"  #: the example to start from; its comments explain every part

#: For each kind of board: how it is made, in place of the board of `START`.
BOARDS = {
    "square": "square_board(4, 5, diagonals=False)",
    "hex": "hex_board(4)",
    "graph": """graph_board(
    {"a": (0, 0), "b": (2, 0), "c": (1, 1), "d": (3, 1), "e": (0, 2), "f": (2, 2)},
    [("a", "b"), ("a", "c"), ("b", "c"), ("b", "d"), ("c", "e"), ("c", "f"), ("d", "f")],
)""",
}
TAKEN = {*sys.stdlib_module_names, "numba", "numpy", "plywise", "test"}
TEST = '''\
"""The rules of {title}: run it with `python -m pytest {test}`."""

from pathlib import Path

from plywise import check_game


def test_the_rules_keep_every_law():
    check_game(str(Path(__file__).with_name("{file}")))
'''


def folder() -> Path:
    """Return where the examples are: in the package, or beside it in a checkout."""
    package = Path(plywise.__file__).parent
    inside = package / "examples"
    return inside if inside.is_dir() else package.parents[1] / "examples"


def examples() -> list[str]:
    """Return the names of the examples."""
    return sorted(file.stem for file in folder().glob("*.py"))


def files_for(name: str, board: str | None, example: str | None) -> dict[str, str]:
    """Return the files of a new game by name, or raise a SpecError that says what is wrong."""
    _check(name)
    if board is not None and example is not None:
        raise SpecError("--board and --from do not go together: an example has its own board")
    if board is not None and board not in BOARDS:
        raise SpecError(f"unknown board {board!r}: {suggest(board, BOARDS)}")
    source = START if example is None else example
    if source not in examples():
        raise SpecError(f"unknown example {source!r}: {suggest(source, examples())}")
    text = (folder() / f"{source}.py").read_text(encoding="utf-8")
    if board is not None:
        text = _with_board(text, BOARDS[board])
    file, test, title = f"{name}.py", f"test_{name}.py", name.replace("_", " ").capitalize()
    return {
        file: _renamed(text, name, title),
        test: TEST.format(title=title, test=test, file=file),
    }


def _check(name: str) -> None:
    """Refuse names that are not modules, or that hide something else."""
    if re.fullmatch("[a-z][a-z0-9_]{0,39}", name) is None or keyword.iskeyword(name):
        raise SpecError(
            f"{name!r} cannot be the name of a game: use small letters, digits and _, "
            "a letter first, such as my_game"
        )
    if name in names():
        raise SpecError(f"{name} comes with plywise: choose another name")
    if name in TAKEN or name.startswith("test_"):
        raise SpecError(f"{name} is the name of a Python module: choose another name")


def _with_board(text: str, made: str) -> str:
    function = made.partition("(")[0]
    text = text.replace("import Look, square_board", f"import Look, {function}")
    return text.replace(BOARDS["square"], made)


def _renamed(text: str, name: str, title: str) -> str:
    """Put the new name and title into a game, and into the first words of its docstring."""
    text = re.sub('^"""[^:]*:', f'"""{title}:', text, count=1)
    before, made, after = text.partition("GameType(\n")
    after = re.sub(r'\bname="[^"]*"', f'name="{name}"', after, count=1)
    return before + made + re.sub(r'\btitle="[^"]*"', f'title="{title}"', after, count=1)
