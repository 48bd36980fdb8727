"""The wheel: it has every file, and plays, solves and serves where nothing else is installed."""

from __future__ import annotations

import ast
import json
import os
import re
import subprocess
import sys
import urllib.request
import zipfile
from collections.abc import Iterator
from contextlib import contextmanager
from importlib.metadata import PackageNotFoundError, distributions, packages_distributions, requires
from pathlib import Path

import pytest
from packaging.utils import canonicalize_name
from websockets.sync.client import connect

from tests.commands import several
from tests.environments.bounds import ROOT, closure, dependencies
from tests.serving import UNWARMED

pytestmark = pytest.mark.slow  # and the matrix has not all packages

SOURCES = ROOT / "src"
STATIC = SOURCES / "plywise" / "web" / "static"
LARGEST = 10_000_000  #: bytes of the wheel
#: What somebody who uses plywise may install beside it; the others are for its development.
EXTRAS = ("adapters", "postgres", "notebook", "ray", "learn")
OWN = ("plywise", "plywise-lab")


def tracked(folder: Path) -> list[str]:
    """The files of a folder that git knows, seen from there."""
    listed = subprocess.run(["git", "ls-files"], cwd=folder, capture_output=True, text=True,
                            check=True)  # fmt: skip
    return listed.stdout.splitlines()


# ---- what it is made of ------------------------------------------------------------------------


def imports(tree: ast.AST, always: bool = True) -> Iterator[tuple[str, bool]]:
    """The packages that a module imports, and whether it does so whenever it is imported itself."""
    for node in ast.iter_child_nodes(tree):
        if isinstance(node, ast.Import):
            yield from ((name.name.partition(".")[0], always) for name in node.names)
        elif isinstance(node, ast.ImportFrom) and not node.level and node.module is not None:
            yield node.module.partition(".")[0], always
        else:
            is_later = isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.Try | ast.If)
            yield from imports(node, always and not is_later)


def provided(*extras: str | None) -> set[str]:
    """The modules that are installed with plywise and some of its extras."""

    def wants(name: str) -> list[str]:
        try:
            return requires(name) or []
        except PackageNotFoundError:  # Ray and PyTorch are installed only where they are wanted
            return []

    needed = closure([each for extra in extras for each in dependencies(extra)], wants)
    return {
        module
        for module, found in packages_distributions().items()
        if any(canonicalize_name(name) in needed for name in found)
    } | {name.replace("-", "_") for name in needed}


def test_every_import_comes_with_a_declared_dependency() -> None:
    known = {*sys.stdlib_module_names, "plywise"}
    always, sometimes = provided(None) | known, provided(None, *EXTRAS) | known
    seen = set()
    for file in sorted((SOURCES / "plywise").rglob("*.py")):
        parts = file.relative_to(SOURCES / "plywise").parts
        for name, is_needed in imports(ast.parse(file.read_text(encoding="utf-8"))):
            allowed = always if is_needed and parts[0] != "adapters" else sometimes
            assert name in allowed, f"{file.name} imports {name}: declare it in pyproject.toml"
            seen.add(name)
    assert {"numpy", "fastapi", "numba", "pettingzoo"} <= seen


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("wheel")
    pip = [sys.executable, "-m", "pip", "wheel", "--quiet", "--no-deps", "--wheel-dir", folder]
    done = subprocess.run([*pip, ROOT], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    (found,) = folder.glob("*.whl")
    return found


def test_the_wheel_has_every_file_of_the_package(wheel: Path) -> None:
    shipped = set(zipfile.ZipFile(wheel).namelist())
    expected = {
        *tracked(SOURCES),
        *(f"plywise/examples/{name}" for name in tracked(ROOT / "examples")),
    }
    assert any(name.endswith(".npz") for name in expected)
    assert sorted(expected - shipped) == []
    others = {name for name in shipped - expected if ".dist-info/" not in name}
    assert sorted(others) == []
    assert wheel.stat().st_size < LARGEST


# ---- in an environment with nothing else -------------------------------------------------------


class Installed:
    """A wheel and what it asks for, in the versions that are installed here."""

    def __init__(self, wheel: Path, folder: Path) -> None:
        self.here = folder / "elsewhere"
        self.here.mkdir()
        self.folder = folder / "venv"
        venv = [sys.executable, "-m", "venv", "--without-pip", self.folder]
        subprocess.run(venv, check=True)
        self.python = self.folder / "bin" / "python"
        versions = folder / "constraints.txt"
        versions.write_text("".join(f"{each.name}=={each.version}\n" for each in distributions()
                                    if canonicalize_name(each.name) not in OWN))  # fmt: skip
        pip = [sys.executable, "-m", "pip", "--python", self.python, "install", "--quiet"]
        # Compiling every module of every package would take longer than all the rest.
        pip += ["--no-compile", "--disable-pip-version-check", "--constraint", versions, wheel]
        done = subprocess.run(pip, capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stderr
        self.environment = {
            **{name: value for name, value in os.environ.items() if name != "PYTHONPATH"},
            "PLYWISE_DATA": str(folder / "data"),
            "PLYWISE_CACHE": str(folder / "cache"),
        }

    def run(self, *commands: tuple[str, ...], **environment: str) -> list[str]:
        """What commands of plywise print."""
        return several(
            *(("", *command) for command in commands),
            python=self.python,
            cwd=self.here,
            env=self.environment | environment,
        )

    @contextmanager
    def serving(self) -> Iterator[str]:
        """A server on a free port that compiles nothing in the background; gives its address."""
        command = [self.python, "-P", UNWARMED, "serve", "--port", "0"]
        server = subprocess.Popen(command, stdout=subprocess.PIPE, text=True, cwd=self.here,
                                  env=self.environment)  # fmt: skip
        try:
            assert server.stdout is not None
            said = server.stdout.readline()
            found = re.search(r"http://127\.0\.0\.1:\d+", said)
            assert found is not None, said
            yield found[0]
        finally:
            server.terminate()
            server.communicate()


def test_the_wheel_works_where_nothing_else_is_installed(wheel: Path, tmp_path: Path) -> None:
    installed = Installed(wheel, tmp_path)
    searches_and_solves(installed)
    uses_its_data(installed)
    with installed.serving() as address:
        serves(address)


def searches_and_solves(installed: Installed) -> None:
    """The compiler works, and what it makes does."""
    searched, solved = installed.run(
        ("analyze", "tictactoe", "--moves", "a1 a2 b1", "--json"),
        ("solve", "tictactoe", "--json"),
    )
    assert json.loads(searched)["best"] == "c1"
    assert json.loads(solved)["outcome"] == "draw"


def uses_its_data(installed: Installed) -> None:
    """Nets, books and exercises; without the compiler, which has shown that it works."""
    analyze = ("analyze", "--json", "--agent")
    net, book, exercises, _ = installed.run(
        (*analyze, "alphabeta:net=learned", "connect4:rows=8", "--depth", "1"),
        (*analyze, "expert", "snails", "--moves", "u"),
        ("exercises", "align"),
        ("new", "mine"),
        NUMBA_DISABLE_JIT="1",
        PYTHONWARNINGS="ignore::RuntimeWarning",  # an overflow is meant
    )
    assert json.loads(net)["score_kind"] == "estimate"
    answer = json.loads(book)
    assert (answer["best"], answer["nodes"]) == ("d", 0)  # the only move, and it need not search
    assert "align" in exercises
    assert {file.name for file in installed.here.iterdir()} == {"mine.py", "test_mine.py"}


def serves(address: str) -> None:
    """Every file of the page comes, the guides do, and so does a live connection."""

    def get(path: str) -> bytes:
        with urllib.request.urlopen(f"{address}{path}", timeout=60) as answer:
            found: bytes = answer.read()
            return found

    assert b"plywise" in get("/")
    for name in tracked(STATIC):
        assert get(f"/static/{name}") == (STATIC / name).read_bytes(), name
    for kind in json.loads(get("/api/kinds"))["kinds"]:
        assert json.loads(get(f"/api/kinds/{kind['name']}/guide"))
    assert get("/api/pictures/position.png?game=connect4").startswith(b"\x89PNG")
    with connect(f"ws{address.removeprefix('http')}/api/live", origin=address, proxy=None) as live:
        assert live.ping().wait(60)  # the server answers
