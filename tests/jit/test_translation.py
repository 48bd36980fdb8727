"""Numba's errors, in one line that an author can act on."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import plywise
from plywise.core.game import Record, Verb
from plywise.errors import RulesError
from plywise.jit import kernel
from tests.trial.broken import RIGHT

#: What is put in front of the loop in `moves`, at line 26, in a branch that no game reaches.
CASES = {
    "seen = []": "lists do not compile in rules: write into an array of the state",
    "seen = {}": "dictionaries do not compile in rules: use an array",
    "n = s.trun": "there is no field 'trun': did you mean 'turn'?",
    "n = b.cels": "there is no field 'cels': did you mean 'cells'?",
    "s.trun = 1": "there is no field 'trun': did you mean 'turn'?",
    "n = max(mark for mark in s.marks)": "generator expressions do not compile: write a loop",
    "n = open('x')": "`open` cannot be used in a rule",
    "n = undefined": "`undefined` is not defined",
    "n = TABLE[n]": "`TABLE` is a dict, and rules can use only numbers, NumPy arrays",
    "n = plain(n)": "`plain` is called from a rule but is not marked @rule",
    "n = moves(b, s, out)": "a rule must not call itself: write a loop",
    "return 1, 2": "it returns different types, a tuple and a whole number",
    "n = s.marks + 'a'": "`add` does not work in rules with an array and a text",
    "n = (1, 2) if s.turn else 0": "a value is sometimes a whole number and sometimes a tuple",
}


@kernel
def list_kernel(moves: Verb) -> Verb:
    """List the moves of one position: the smallest kernel, which compiles quickly."""

    def listed(board: Record, states: Record, out: Record) -> int:
        found: int = moves(board[0], states[0], out)
        return found

    return listed


def game_with(folder: Path, line: str) -> str:
    file = folder / "mine.py"
    text = RIGHT.replace("    n = 0\n", f"    n = 0\n    if s.turn > 7: {line}\n", 1)
    text = text.replace("CELLS = 7\n", "CELLS, TABLE = 7, {0: 1}\n", 1)
    # It looks like an author's own numba, so that the trial leaves the mark to the compiler.
    text += "\nnumba = __import__('types').ModuleType('numba')\n\n\ndef plain(n):\n    return n\n"
    file.write_text(text)
    return str(file)


@pytest.fixture(autouse=True)
def _cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PLYWISE_CACHE", str(tmp_path / "cache"))


@pytest.mark.parametrize("line", CASES)
def test_one_line_with_the_place_and_the_cause(line: str, tmp_path: Path) -> None:
    game = plywise.game(game_with(tmp_path, line))
    out = np.zeros(game.max_moves, np.int32)
    with pytest.raises(RulesError) as caught:
        list_kernel.build(game.rules)(game.boards, game.start().states, out)
    message = str(caught.value)
    assert CASES[line] in message
    assert message.startswith(
        ("line 26 of mine.py, in `moves`: ", "line 31 of mine.py, in `moves`")
    )
    assert len(message.splitlines()) == 1
    assert caught.value.__cause__ is not None, "the full text"
