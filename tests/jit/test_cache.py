"""Compiled code on disk: found by the next process, kept apart by its sources, never in the way."""

from __future__ import annotations

import json
import linecache
import os
import shutil
import subprocess
import sys
from collections.abc import Callable
from itertools import count
from pathlib import Path
from types import FunctionType
from typing import Any

import pytest

import plywise
from plywise import games
from plywise.engines.alphabeta import difference
from plywise.engines.kernels.alphabeta import alphabeta_kernel
from plywise.engines.kernels.mcts import mcts_kernel
from plywise.games.andantino.search import judge
from plywise.jit import cache
from tests.games.test_registry import NIM

HOME = Path(plywise.__file__).parent

SEARCH = """
import gc, json, sys
import plywise
from plywise.jit import on_compile
from plywise.jit.cache import cache_folder
from plywise.jit.kernels import KernelFactory

compiled = []
on_compile(compiled.append)
game = plywise.game(sys.argv[1])
best = {}
for agent in sys.argv[2:]:
    limits = plywise.Limits(nodes=2000)
    best[agent] = plywise.engine(agent, game).search(game.start(), limits).best
kernels = [
    kernel
    for factory in gc.get_objects() if isinstance(factory, KernelFactory)
    for kernel in factory.built.values()
]
hits = sum(sum(kernel.stats.cache_hits.values()) for kernel in kernels)
misses = sum(sum(kernel.stats.cache_misses.values()) for kernel in kernels)
folder = str(cache_folder([game.rules.play]))
print(json.dumps(dict(best=best, hits=hits, misses=misses, compiled=compiled, folder=folder)))
"""
AGENTS = ("minimax:depth=3", "textbook:depth=4,heuristic=seed", "alphabeta", "mcts", "seed")
FEW = ("textbook:depth=4,heuristic=seed", "mcts")


def search(cache: Path, game: str, *agents: str, **environment: str) -> dict[str, Any]:
    """Search in a process of its own that keeps its compiled code in `cache`."""
    done = subprocess.run(
        [sys.executable, "-c", SEARCH, game, *agents],
        env={**os.environ, "PLYWISE_CACHE": str(cache), **environment},
        capture_output=True,
        text=True,
        check=False,
        timeout=1200,
    )
    assert done.returncode == 0, done.stderr
    found = json.loads(done.stdout)
    assert isinstance(found, dict)
    return found


# ---- which sources count ---------------------------------------------------------------------


def sources(*functions: Callable[..., Any]) -> set[Path]:
    return cache.reach(functions).files


def called(loop: Callable[..., Any]) -> set[Path]:
    """The files of all functions of plywise that a loop can get to by any name in it."""
    pending, seen = [loop], set[Callable[..., Any]]()
    while pending:
        function = pending.pop()
        if isinstance(function, FunctionType) and function not in seen:
            seen.add(function)
            names = function.__globals__
            pending += [cell.cell_contents for cell in function.__closure__ or ()]
            pending += [names[name] for name in function.__code__.co_names if name in names]
    files = {Path(function.__code__.co_filename) for function in seen}
    return {file for file in files if HOME in file.parents}


@pytest.mark.parametrize("name", games.names())
def test_all_that_a_kernel_calls_counts(name: str) -> None:
    rules = plywise.game(name).rules
    for loop in (alphabeta_kernel.plain(rules), mcts_kernel.plain(rules)):
        assert len(called(loop)) >= 3
        assert called(loop) <= sources(loop)


def test_what_no_kernel_sees_does_not_count() -> None:
    game = plywise.game("andantino")
    files = sources(alphabeta_kernel.plain(game.rules, evaluate=judge))
    named = {str(file.relative_to(HOME)) for file in files}
    assert {
        "games/andantino/board.py",
        "games/andantino/search.py",
        "engines/kernels/transpositions.py",
    } <= named
    assert not {"games/andantino/expert.py", "engines/alphabeta.py", "__init__.py"} & named
    assert not {name for name in named if name.startswith(("games/connect4", "views", "cli"))}


def test_functions_inside_functions_count() -> None:
    game = plywise.game("snails")
    heuristic = game.heuristic("euclid").function
    assert Path(heuristic.__code__.co_filename) in sources(difference(game.rules, heuristic))


#: The second file of a game of two: a constant, a table and a rule.
TABLES = """
import numpy as np
from plywise import rule

MOST = 3
WORTH = np.array([1, 1, 1])


@rule
def smaller(heap, taken):
    return max(0, heap - taken)
"""
SECOND = "import plywise\nfrom nimgame import tables\nfrom nimgame.tables import MOST\n"
RULES = (
    NIM.replace("import plywise\n", SECOND)
    .replace("min(3, s.heap)", "min(MOST, s.heap)")
    .replace("s.heap -= move + 1", "s.heap = tables.smaller(s.heap, move + tables.WORTH[0])")
)


@pytest.fixture
def package(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[[str], dict[str, Any]]:
    """Writes a game of two files in a package outside plywise, and has a process search it."""
    monkeypatch.setenv("PYTHONPATH", str(tmp_path))
    times = count(10**9, 10)  # Python notices no edit of the same length within a second

    def run(tables: str) -> dict[str, Any]:
        folder = tmp_path / "nimgame"
        folder.mkdir(exist_ok=True)
        (folder / "__init__.py").write_text("")
        (folder / "tables.py").write_text(tables)
        (folder / "rules.py").write_text(RULES)
        os.utime(folder / "tables.py", times=(next(times),) * 2)
        return search(tmp_path / "cache", str(folder / "rules.py"), "minimax:depth=10")

    return run


@pytest.mark.slow
def test_an_edit_of_a_second_file_is_seen(package: Callable[[str], dict[str, Any]]) -> None:
    """A constant, a rule and a table of another file of the game, in a package of its own."""
    first = package(TABLES)
    assert first["best"] == {"minimax:depth=10": "2"}, "leave a multiple of four"
    assert package(TABLES)["compiled"] == []
    for old, new, best in (
        ("MOST = 3", "MOST = 2", "1"),  # leave a multiple of three
        ("heap - taken", "heap - taken - 1", "3"),  # one more is taken: leave five or six
        ("[1, 1, 1]", "[2, 1, 1]", "3"),  # ... in another way
    ):
        edited = package(TABLES.replace(old, new))
        assert edited["compiled"], new
        assert edited["best"] == {"minimax:depth=10": best}, new


def test_a_cell_of_a_notebook_counts_by_what_was_typed() -> None:
    folders = set[Path]()
    for heap in (7, 10, 7):
        text = NIM.replace("HEAP = 10", f"HEAP = {heap}")
        cell = "/nowhere/cell.py"
        linecache.cache[cell] = len(text), None, text.splitlines(keepends=True), cell
        names: dict[str, Any] = {"__name__": "cell"}
        exec(compile(text, cell, "exec"), names)
        folder = cache.cache_folder([names["setup"]])
        assert folder is not None
        folders.add(folder)
    assert len(folders) == 2


# ---- compiled by another process ---------------------------------------------------------------


@pytest.fixture(scope="module")
def filled(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, dict[str, Any]]:
    """A cache in which a process has left what a few agents need; what it said."""
    folder = tmp_path_factory.mktemp("filled")
    return folder, search(folder, "tictactoe", *FEW)


def finds_everything(
    folder: Path, first: dict[str, Any], game: str, agents: tuple[str, ...]
) -> None:
    """Does a second process compile nothing, and find the same moves?"""
    assert first["misses"] > 0
    assert first["compiled"]
    second = search(folder, game, *agents)
    assert (second["misses"], second["compiled"]) == (0, [])
    assert second["hits"] == first["misses"]
    assert second["best"] == first["best"]
    assert Path(second["folder"]).parent == folder


@pytest.mark.slow
def test_a_second_process_finds_everything(filled: tuple[Path, dict[str, Any]]) -> None:
    finds_everything(*filled, "tictactoe", FEW)


@pytest.mark.slow
def test_a_second_process_after_a_clone_finds_everything(tmp_path: Path) -> None:
    """The first process reads the sources, the next one what Python made of them."""
    agents = ("minimax:depth=3",)
    ignore = shutil.ignore_patterns("__pycache__")
    shutil.copytree(HOME, tmp_path / "src" / "plywise", ignore=ignore)
    clone = {"PYTHONPATH": str(tmp_path / "src"), "PYTHONDONTWRITEBYTECODE": ""}
    first = search(tmp_path, "tictactoe", *agents, **clone)
    assert first["compiled"]
    assert search(tmp_path, "tictactoe", *agents, **clone)["compiled"] == []


@pytest.mark.long
@pytest.mark.parametrize("game", ["connect4", "tictactoe"])
def test_a_second_process_finds_everything_of_every_agent(tmp_path: Path, game: str) -> None:
    finds_everything(tmp_path, search(tmp_path, game, *AGENTS), game, AGENTS)


@pytest.mark.slow
def test_another_size_is_compiled_no_more(filled: tuple[Path, dict[str, Any]]) -> None:
    other = search(filled[0], "tictactoe:rows=5,cols=4,k=4", *FEW)
    assert (other["misses"], other["compiled"]) == (0, [])


@pytest.mark.slow
def test_a_folder_that_cannot_be_written(tmp_path: Path) -> None:
    """A file stands where the folder should be: the system's temporary folder will do."""
    blocked, file = tmp_path / "file", tmp_path / "nim.py"
    blocked.write_text("")
    file.write_text(NIM)
    elsewhere = tmp_path / "temporary"
    elsewhere.mkdir()
    found = search(blocked / "cache", str(file), "minimax:depth=2", TMPDIR=str(elsewhere))
    assert elsewhere in Path(found["folder"]).parents
    assert found["best"]


@pytest.mark.slow
def test_an_edit_of_rules_gets_a_new_folder_and_one_of_texts_does_not(tmp_path: Path) -> None:
    cache, file = tmp_path / "cache", tmp_path / "nim.py"
    file.write_text(NIM)
    first = search(cache, str(file), "minimax:depth=10")
    again = search(cache, str(file), "minimax:depth=10")
    assert again["folder"] == first["folder"]
    assert (again["misses"], again["best"]) == (0, {"minimax:depth=10": "2"})
    texts = NIM.replace("import plywise\n", "import plywise\n\n# from here on: the rules\n")
    file.write_text(texts.replace("str(move + 1)", "'take ' + str(move + 1)"))
    drawn = search(cache, str(file), "minimax:depth=10")
    assert drawn["best"] == {"minimax:depth=10": "take 2"}
    assert (drawn["compiled"], drawn["folder"]) == ([], first["folder"])
    file.write_text(NIM.replace("s.heap -= move + 1", "s.heap = max(0, s.heap - move - 2)"))
    edited = search(cache, str(file), "minimax:depth=10")
    assert edited["folder"] != first["folder"]
    assert edited["misses"] > 0
    assert edited["best"] == {"minimax:depth=10": "3"}, "takes four: leave six"


def test_rules_from_one_factory_are_told_apart() -> None:
    """Which of them stands where is part of a kernel."""
    text = "def make(weight):\n    return lambda b, s: weight\nf, g = make(1), make(2)\n"
    names: dict[str, Any] = {"__name__": "cell"}
    exec(compile(text, "/nowhere/factory.py", "exec"), names)
    f, g = names["f"], names["g"]
    assert len({cache.cache_folder(each) for each in ([f], [g], [f, g], [g, f])}) == 4


def test_a_function_counts_by_its_code_alone() -> None:
    text = (
        "import numpy as np\nN, WORDS = 3, np.arange(3)\n\ndef f(b, s): return WORDS[N - b] + 1\n"
    )

    def folder_of(text: str, name: str = "cell") -> Path | None:
        names: dict[str, Any] = {"__name__": name}
        exec(compile(text, "/nowhere/code.py", "exec"), names)
        return cache.cache_folder([names["f"]])

    first = folder_of(text)
    same = (f"# a comment\n{text}", f"{text}\ndef g(): return 1\n", text.replace("\n\n", "\n\n\n"))
    for other in same:
        assert folder_of(other) == first, other
    for old, new in (
        ("+ 1", "+ 2"),
        ("N, W", "N, M, W"),
        ("= 3,", "= 2,"),
        ("arange(3)", "arange(4)"),
    ):
        edited = text.replace(old, new).replace("M, WORDS = 3,", "M, WORDS = 3, 3,")
        assert (folder_of(edited) == first) is (old == "N, W"), new
    assert folder_of(text, "plywise_game_x_0123456789ab") == folder_of(
        text, "plywise_game_x_ba9876543210"
    )


@pytest.mark.slow
def test_old_folders_go(tmp_path: Path, filled: tuple[Path, dict[str, Any]]) -> None:
    folder, found = filled
    shutil.copytree(folder, tmp_path, dirs_exist_ok=True)
    name = Path(found["folder"]).name
    kind = name.split("-")[-2]
    for number in range(8):
        for other in (kind, "otherkind"):
            folder = tmp_path / f"py311-numba0.1-{other}-{number}"
            folder.mkdir()
            os.utime(folder, (number, number))
    (tmp_path / "mine").mkdir()
    assert search(tmp_path, "tictactoe", FEW[0])["compiled"] == []
    left = {folder.name for folder in tmp_path.iterdir()}
    assert {"mine", name} <= left
    assert {int(each[-1]) for each in left if f"numba0.1-{kind}" in each} == {4, 5, 6, 7}
    assert {int(each[-1]) for each in left if "otherkind" in each} == set(range(8))


@pytest.mark.slow
def test_importing_plywise_imports_no_numba() -> None:
    code = (
        "import sys, plywise, plywise.testing; plywise.game('connect4').position('44');"
        "sys.exit('numba' in sys.modules)"
    )
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0


SELECTION = (
    "tests/games/test_tictactoe.py",
    "tests/games/connect4/test_rules.py",
    "tests/jit/test_primitives.py",
    "tests/conformance/test_laws.py::test_a_game_with_the_least_there_is",
    "tests/conformance/test_laws.py::test_a_game_of_points_with_extra_turns",
    "tests/engines/test_textbook.py::test_the_example_of_the_books",
    "tests/engines/test_textbook.py::test_minimax_is_plain_recursion",
    "tests/engines/test_textbook.py::test_the_same_player_may_move_twice",
)
SMALLEST = (
    "tests/games/test_tictactoe.py",
    "tests/jit/test_primitives.py",
    "tests/conformance/test_laws.py::test_a_game_with_the_least_there_is",
    "tests/engines/test_textbook.py::test_the_example_of_the_books",
    "tests/engines/test_textbook.py::test_the_same_player_may_move_twice",
)


@pytest.mark.slow
@pytest.mark.parametrize(
    "selection",
    [
        pytest.param(SMALLEST, id="a few"),
        pytest.param(SELECTION, marks=pytest.mark.long, id="many"),
    ],
)
def test_a_selection_of_tests_without_compiling(selection: tuple[str, ...]) -> None:
    """Coverage and debuggers see the rules only so; the results are the same."""
    root = Path(__file__).parents[2]
    options = ["-x", "-p", "no:cacheprovider", "-m", "not long"]
    done = subprocess.run(
        [sys.executable, "-m", "pytest", *options, *selection],
        cwd=root,
        env={**os.environ, "NUMBA_DISABLE_JIT": "1"},
        capture_output=True,
        text=True,
        check=False,
        timeout=1200,
    )
    assert done.returncode == 0, done.stdout[-4000:]


#: Rules whose module is no longer there when they are compiled; then numba cannot name it.
UNLOADED = """
import sys, plywise
from plywise.engines.random import playouts
game = plywise.game("./nim.py")
for name in [each for each in sys.modules if each.startswith("plywise_game_")]:
    del sys.modules[name]
print(playouts(game.start(), 5, seed=1).plies)
"""


@pytest.mark.slow
def test_code_of_a_file_that_is_no_longer_loaded_is_read(tmp_path: Path) -> None:
    (tmp_path / "nim.py").write_text(NIM)
    env = {**os.environ, "PLYWISE_CACHE": str(tmp_path / "cache")}
    said = [
        subprocess.run(
            [sys.executable, "-c", UNLOADED], cwd=tmp_path, env=env, capture_output=True, text=True
        )
        for _ in range(2)
    ]
    assert [each.stderr.count("Error") for each in said] == [0, 0]
    assert said[0].stdout == said[1].stdout != ""
