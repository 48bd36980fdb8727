"""Where games come from: the registry, and files."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import pytest

import plywise
from plywise import AgentError, SpecError, games

NIM = '''
"""Take one, two or three from a heap; who takes the last wins."""
import numpy as np
import plywise

State = np.dtype((np.record, [("heap", "i4"), ("turn", "i4")]))
HEAP = 10


@plywise.rule
def setup(b, s):
    s.heap = HEAP
    s.turn = 0


@plywise.rule
def moves(b, s, out):
    count = min(3, s.heap)
    for taken in range(count):
        out[taken] = taken
    return count


@plywise.rule
def play(b, s, move):
    s.heap -= move + 1
    s.turn = 1 - s.turn


@plywise.rule
def turn(b, s):
    return s.turn


@plywise.rule
def over(b, s):
    return s.heap == 0


@plywise.rule
def margin(b, s):
    return 1 if s.turn == 1 else -1


@plywise.rule
def key(b, s):
    return np.uint64(2 * s.heap + s.turn)


GAME = plywise.GameType(
    name="nim",
    state=State,
    rules=plywise.Rules(setup, moves, play, over, margin, turn, key),
    sizes=lambda b: (3, HEAP),
    notation=plywise.Notation(move_text=lambda b, move: str(move + 1)),
)
'''


def test_both_games_are_there() -> None:
    assert set(games.names()) >= {"connect4", "tictactoe"}
    for name in games.names():
        assert games.find(name).name == name


def test_an_unknown_game() -> None:
    there = ", ".join(games.names())
    with pytest.raises(SpecError, match=f"there is no game 'chess': choose from {there}"):
        plywise.game("chess")


@pytest.mark.slow
def test_a_game_from_a_file(tmp_path: Path) -> None:
    from plywise.testing import check_game

    file = tmp_path / "nim.py"
    file.write_text(NIM)
    game = plywise.game(str(file))
    assert check_game(game, games=5).keys() == {
        "bounds", "evaluation", "symmetry", "heuristics", "forced",
    }  # fmt: skip
    analysis = plywise.engine("minimax:depth=10", game).search(game.start())
    assert (analysis.best, analysis.outcome) == ("2", "win"), "leave a multiple of four"
    assert plywise.game(str(file)) == game, "the same content is the same game"
    file.write_text(NIM.replace("HEAP = 10", "HEAP = 8"))
    changed = plywise.game(str(file))
    assert changed.max_plies == 8
    lost = plywise.engine("minimax:depth=8", changed).search(changed.start())
    assert lost.outcome == "loss", "an edited file is compiled again"


def test_an_edit_in_the_same_second_counts(tmp_path: Path) -> None:
    """Python itself would take old bytecode for a text as long and as old."""
    file = tmp_path / "nim.py"
    for heap in (10, 12):
        file.write_text(NIM.replace("HEAP = 10", f"HEAP = {heap}"))
        os.utime(file, (1000, 1000))
        assert plywise.game(str(file)).max_plies == heap
    assert not (tmp_path / "__pycache__").exists()


@pytest.mark.parametrize(
    ("source", "error", "words"),
    [
        ("1 / 0", AgentError, "raised ZeroDivisionError: division by zero"),
        ("def (", AgentError, "raised SyntaxError"),
        ("raise SystemExit", AgentError, "raised SystemExit"),
        ("import no_such_module_anywhere", AgentError, "raised ModuleNotFoundError"),
        ("", SpecError, "defines no game: it must set GAME"),
        ("GAME = 3", SpecError, "defines no game: it must set GAME"),
    ],
)
def test_files_that_break(tmp_path: Path, source: str, error: type[Exception], words: str) -> None:
    file = tmp_path / "broken.py"
    file.write_text(source)
    with pytest.raises(error, match=words) as caught:
        plywise.game(str(file))
    assert len(str(caught.value).splitlines()) == 1


def test_files_that_are_none(tmp_path: Path) -> None:
    with pytest.raises(SpecError, match="cannot be read: No such file"):
        plywise.game(str(tmp_path / "none.py"))
    with pytest.raises(SpecError, match="cannot be read: Is a directory"):
        plywise.game(f"{tmp_path}/")
    (tmp_path / "game.txt").write_text("GAME = 3")
    with pytest.raises(SpecError, match=r"its name must end in \.py"):
        plywise.game(str(tmp_path / "game.txt"))


# ---- modules beside a file -----------------------------------------------------------------------

WITH_HELPER = NIM.replace("import plywise\n", "import plywise\nfrom helper import HEAP\n").replace(
    "HEAP = 10\n", ""
)


def test_modules_beside_a_file_are_imported(tmp_path: Path) -> None:
    """Each folder has its own, an edit is noticed, and nothing stays behind."""
    for folder, heap in (("one", 10), ("two", 6)):
        (tmp_path / folder).mkdir()
        (tmp_path / folder / "game.py").write_text(WITH_HELPER)
        (tmp_path / folder / "helper.py").write_text(f"HEAP = {heap}\n")
    one, two = (str(tmp_path / folder / "game.py") for folder in ("one", "two"))
    assert (plywise.game(one).max_plies, plywise.game(two).max_plies) == (10, 6)
    assert plywise.game(one).type is not plywise.game(two).type
    helper = tmp_path / "one" / "helper.py"
    before = helper.stat()
    helper.write_text("HEAP = 12\n")
    os.utime(helper, (before.st_atime, before.st_mtime))
    edited = plywise.game(one)
    assert edited.max_plies == 12
    assert plywise.game(one).type is edited.type, "no edit since"
    assert "helper" not in sys.modules
    assert not (tmp_path / "one" / "__pycache__").exists()


def test_a_module_beside_a_file_may_use_another(tmp_path: Path) -> None:
    (tmp_path / "game.py").write_text(WITH_HELPER)
    (tmp_path / "helper.py").write_text("from parts.heap import HEAP\n")
    (tmp_path / "parts").mkdir()
    (tmp_path / "parts" / "__init__.py").write_text("")
    (tmp_path / "parts" / "heap.py").write_text("HEAP = 5\n")
    assert plywise.game(str(tmp_path / "game.py")).max_plies == 5


def test_a_file_beside_does_not_hide_a_module_of_python(tmp_path: Path) -> None:
    (tmp_path / "game.py").write_text(NIM.replace("import plywise\n", "import plywise, calendar\n"))
    (tmp_path / "calendar.py").write_text("raise ValueError('not this one')\n")
    sys.modules.pop("calendar", None)
    assert plywise.game(str(tmp_path / "game.py")).max_plies == 10
