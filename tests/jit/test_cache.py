"""Compiled code on disk: found by the next process, kept apart by its sources, never in the way."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from tests.games.test_registry import NIM

pytestmark = pytest.mark.slow

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


def search(cache: Path, game: str, *agents: str, **environment: str) -> dict[str, Any]:
    """Search in a process of its own that keeps its compiled code in `cache`."""
    done = subprocess.run(
        [sys.executable, "-c", SEARCH, game, *agents],
        env={**os.environ, "PLYWISE_CACHE": str(cache), **environment},
        capture_output=True,
        text=True,
        check=False,
        timeout=300,
    )
    assert done.returncode == 0, done.stderr
    found = json.loads(done.stdout)
    assert isinstance(found, dict)
    return found


@pytest.mark.parametrize("game", ["connect4", pytest.param("tictactoe", marks=pytest.mark.slow)])
def test_a_second_process_finds_everything(tmp_path: Path, game: str) -> None:
    first = search(tmp_path, game, *AGENTS)
    assert first["misses"] > 0
    assert first["compiled"]
    second = search(tmp_path, game, *AGENTS)
    assert (second["misses"], second["compiled"]) == (0, [])
    assert second["hits"] == first["misses"]
    assert second["best"] == first["best"]
    assert Path(second["folder"]).parent == tmp_path


def test_another_size_is_compiled_no_more(tmp_path: Path) -> None:
    search(tmp_path, "connect4", "textbook:depth=2")
    other = search(tmp_path, "connect4:rows=7,cols=8", "textbook:depth=2")
    assert (other["misses"], other["compiled"]) == (0, [])


def test_a_folder_that_cannot_be_written(tmp_path: Path) -> None:
    """A file stands where the folder should be: the system's temporary folder will do."""
    blocked = tmp_path / "file"
    blocked.write_text("")
    elsewhere = tmp_path / "temporary"
    elsewhere.mkdir()
    found = search(blocked / "cache", "tictactoe", "textbook:depth=2", TMPDIR=str(elsewhere))
    assert elsewhere in Path(found["folder"]).parents
    assert found["best"]


def test_an_edited_game_file_gets_a_new_folder(tmp_path: Path) -> None:
    cache, file = tmp_path / "cache", tmp_path / "nim.py"
    file.write_text(NIM)
    first = search(cache, str(file), "minimax:depth=10")
    again = search(cache, str(file), "minimax:depth=10")
    assert again["folder"] == first["folder"]
    assert (again["misses"], again["best"]) == (0, {"minimax:depth=10": "2"})
    file.write_text(NIM.replace("HEAP = 10", "HEAP = 7"))
    edited = search(cache, str(file), "minimax:depth=10")
    assert edited["folder"] != first["folder"]
    assert edited["misses"] > 0
    assert edited["best"] == {"minimax:depth=10": "3"}


def test_old_folders_go(tmp_path: Path) -> None:
    for number in range(8):
        folder = tmp_path / f"py311-numba0.1-{number}"
        folder.mkdir()
        os.utime(folder, (number, number))
    (tmp_path / "mine").mkdir()
    found = search(tmp_path, "tictactoe", "textbook:depth=2")
    left = {folder.name for folder in tmp_path.iterdir()}
    assert "mine" in left
    assert Path(found["folder"]).name in left
    assert {name for name in left if "numba0.1" in name} == {
        f"py311-numba0.1-{number}" for number in (4, 5, 6, 7)
    }


def test_importing_plywise_imports_no_numba() -> None:
    code = (
        "import sys, plywise, plywise.testing; plywise.game('connect4').position('44');"
        "sys.exit('numba' in sys.modules)"
    )
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0


@pytest.mark.slow
def test_a_selection_of_tests_without_compiling() -> None:
    """Coverage and debuggers see the rules only so; the results are the same."""
    root = Path(__file__).parents[2]
    selection = [
        "tests/games/test_tictactoe.py",
        "tests/games/test_connect4.py",
        "tests/jit/test_primitives.py",
        "tests/conformance/test_laws.py::test_a_game_with_the_least_there_is",
        "tests/conformance/test_laws.py::test_a_game_of_points_with_extra_turns",
        "tests/engines/test_textbook.py::test_the_example_of_the_books",
        "tests/engines/test_textbook.py::test_minimax_is_plain_recursion",
        "tests/engines/test_textbook.py::test_the_same_player_may_move_twice",
    ]
    done = subprocess.run(
        [sys.executable, "-m", "pytest", "-x", "-p", "no:cacheprovider", *selection],
        cwd=root,
        env={**os.environ, "NUMBA_DISABLE_JIT": "1"},
        capture_output=True,
        text=True,
        check=False,
        timeout=600,
    )
    assert done.returncode == 0, done.stdout[-4000:]
