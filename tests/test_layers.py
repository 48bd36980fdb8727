"""Imports go one way: what import-linter checks is what the documentation draws, and all there is.

import-linter reads `import` statements. Imports by a name that is put together when the program
runs are invisible to it, so only the places listed here may have one.
"""

from __future__ import annotations

import ast
import pickle
import re
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

import plywise

HOME = Path(plywise.__file__).parent
ROOT = HOME.parents[1]

#: Where a module of plywise, or one that somebody names, is imported by its name.
BY_NAME = {
    "__init__.py": "public names, on first use",
    "cli/commands/game_commands.py": "the registry of commands",
    "core/spec.py": "the registries of games and puzzles, and the variable that a pickle names",
    "engines/__init__.py": "the registry of agents",
    "kit/__init__.py": "public names, on first use",
    "puzzles/__init__.py": "what lies beside the definition of a puzzle",
}
IMPORTERS = {"import_module", "__import__", "resolve_name", "run_module", "run_path"}


def imports_by_name(source: str) -> list[str]:
    """The calls that import a module by its name, unless it is another package's."""
    found = []
    for node in ast.walk(ast.parse(source)):
        if not isinstance(node, ast.Call):
            continue
        called = node.func.attr if isinstance(node.func, ast.Attribute) else ast.unparse(node.func)
        name = node.args[0] if node.args else None
        fixed = isinstance(name, ast.Constant) and not str(name.value).startswith((".", "plywise"))
        if called in IMPORTERS and not fixed:
            found.append(ast.unparse(node))
    return found


def test_imports_by_name_are_where_they_may_be() -> None:
    found = {
        file.relative_to(HOME).as_posix()
        for file in HOME.rglob("*.py")
        if imports_by_name(file.read_text(encoding="utf-8"))
    }
    assert found == set(BY_NAME)


@pytest.mark.parametrize(
    ("line", "count"),
    [
        ("import_module('plywise.views')", 1),
        ("importlib.import_module('plywise.games').reference(self)", 1),
        ("importlib.import_module('.html', 'plywise.views')", 1),
        ("import_module(f'plywise.{name}')", 1),
        ("import_module(name=name)", 1),
        ("__import__('plywise.views')", 1),
        ("pkgutil.resolve_name('plywise.views:marked')", 1),
        ("import_module('ray')", 0),
        ("from plywise import views", 0),
    ],
)
def test_what_counts_as_an_import_by_name(line: str, count: int) -> None:
    assert len(imports_by_name(line)) == count


# ---- the drawing ---------------------------------------------------------------------------------


def drawn() -> list[set[str]]:
    """The layers as `docs/architecture.md` draws them, from the top."""
    page = (ROOT / "docs" / "architecture.md").read_text(encoding="utf-8")
    drawing = page.partition("## The layers")[2].partition("```text")[2].partition("```")[0]
    names = re.findall(r"^ +(\w+(?: +\| +\w+)*)", drawing, re.MULTILINE)
    return [set(re.findall(r"\w+", line)) for line in names]


def checked() -> list[set[str]]:
    """The layers as import-linter checks them, from the top."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    contracts = project["tool"]["importlinter"]["contracts"]
    layers = next(each["layers"] for each in contracts if each["type"] == "layers")
    return [set(re.findall(r"plywise\.(\w+)", layer)) for layer in layers]


def test_the_drawing_of_the_layers_is_what_is_checked() -> None:
    assert drawn() == checked()


def test_every_package_has_its_layer() -> None:
    packages = {file.parent.name for file in HOME.glob("*/__init__.py")}
    modules = {file.stem for file in HOME.glob("*.py")} - {"__init__", "__main__"}
    assert set().union(*checked()) == packages | modules


# ---- what the core asks of the packages above it -------------------------------------------------

#: Packages that are reached through `plywise` itself, which import-linter cannot see either.
THROUGH_PLYWISE = {
    "core/analysis.py": {"views"},
    "core/game.py": {"games"},
    "core/position.py": {"views"},
    "core/puzzle.py": {"puzzles"},
}


def test_only_the_core_reaches_packages_through_plywise() -> None:
    packages = set().union(*checked())
    found: dict[str, set[str]] = {}
    for file in HOME.rglob("*.py"):
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Attribute) and ast.unparse(node.value) == "plywise":
                name = file.relative_to(HOME).as_posix()
                if node.attr in packages:
                    found.setdefault(name, set()).add(node.attr)
    assert found == THROUGH_PLYWISE


#: The first import of plywise in a process, and an expression that needs a package further up.
FIRST = {
    "a position": "import pickle; position = pickle.loads(POSITION)",
    "a module of the core": "from plywise.core.position import Position; import pickle;"
    " position = pickle.loads(POSITION)",
    "views": "import plywise.views, plywise; position = plywise.game('tictactoe').position('b2')",
    "the game's own module": "from plywise.games.tictactoe import GAME;"
    " position = GAME().position('b2')",
}
THEN = """
import sys
assert "plywise.views" not in sys.modules or {views}
import pickle
print(position)
print(position.svg()[:4], position.png()[1:4], position.apng()[1:4])
print(pickle.loads(pickle.dumps(position)) == position)
"""


@pytest.mark.slow
@pytest.mark.parametrize("first", FIRST)
def test_positions_are_drawn_whatever_was_imported_first(first: str) -> None:
    position = plywise.game("tictactoe").position("b2")
    code = f"POSITION = {pickle.dumps(position)!r}\n{FIRST[first]}\n"
    code += THEN.format(views=first == "views")
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert done.stderr == ""
    assert done.stdout == f"{position}\n<svg b'PNG' b'PNG'\nTrue\n"


@pytest.mark.slow
def test_an_analysis_is_drawn_where_nothing_else_was_imported() -> None:
    analysis = plywise.Analysis("b2", 1.0, 1.0, outcome="win")
    code = f"import pickle; print(pickle.loads({pickle.dumps(analysis)!r})._repr_html_())"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert "<strong>b2: wins</strong>" in done.stdout
