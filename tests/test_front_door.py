"""The public names: what there is, and what they do together."""

from __future__ import annotations

import inspect
import re
import subprocess
import sys
from dataclasses import fields, is_dataclass
from pathlib import Path

import pytest

import plywise
import plywise.kit
from plywise import Limits, SpecError

#: A name that is added here is promised; one that is taken away is first deprecated.
NAMES = [
    "AgentError",
    "AgentType",
    "AmbiguousMove",
    "Analysis",
    "Batch",
    "Engine",
    "Game",
    "GameRecord",
    "GameType",
    "Heuristic",
    "Hint",
    "IllegalMove",
    "InvalidMove",
    "InvalidPosition",
    "Limits",
    "Line",
    "Match",
    "MoveError",
    "Notation",
    "Parameter",
    "PlywiseError",
    "Position",
    "PuzzleType",
    "Review",
    "Rules",
    "RulesError",
    "Session",
    "SpecError",
    "Stop",
    "Strength",
    "Unsupported",
    "Words",
    "batch",
    "board",
    "check_game",
    "engine",
    "game",
    "hint",
    "load",
    "match",
    "review",
    "rule",
    "save",
    "solve",
]


def test_the_public_names() -> None:
    assert plywise.__all__ == NAMES
    for name in NAMES:
        assert getattr(plywise, name) is not None


DATACLASSES = [
    pytest.param(thing, id=name)
    for module in (plywise, plywise.kit)
    for name in module.__all__
    if is_dataclass(thing := getattr(module, name))
]


@pytest.mark.parametrize("kind", DATACLASSES)
def test_help_explains_every_field(kind: type) -> None:
    explained = (inspect.getdoc(kind) or "").partition("\nAttributes:\n")[2]
    assert re.findall(r"^    (\w+): \S", explained, re.MULTILINE) == [
        field.name for field in fields(kind)
    ]
    assert set(NAMES) <= set(dir(plywise))


def test_an_unknown_name() -> None:
    with pytest.raises(AttributeError, match="module 'plywise' has no attribute 'chess'"):
        _ = plywise.chess


@pytest.mark.slow
def test_importing_plywise_imports_nothing_heavy() -> None:
    code = "import sys, plywise; sys.exit(bool({'numpy', 'numba', 'typer'} & set(sys.modules)))"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0


def test_options_as_text_and_as_values() -> None:
    game = plywise.game("connect4", rows=7)
    assert game == plywise.game("connect4:rows=7")
    assert game.spec == "connect4:rows=7"
    assert plywise.game("connect4:rows=7", cols=8).spec == "connect4:rows=7,cols=8"
    assert plywise.game("align", size=4, checkerboard=True).spec == "align:size=4,checkerboard=yes"
    assert plywise.engine("alphabeta", game, depth=8).name == "alphabeta:depth=8"
    assert plywise.engine("alphabeta", game, depth=8, nodes=None).name == "alphabeta:depth=8"


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"rows": 99}, "rows=99 is not valid: rows must be a whole number from 1 to"),
        ({"rows": "many"}, "rows=many is not valid"),
        ({"row": 7}, "connect4 has no parameter 'row': did you mean 'rows'?"),
    ],
)
def test_bad_options(options: dict[str, int], words: str) -> None:
    with pytest.raises(SpecError, match=words):
        plywise.game("connect4", **options)


def test_an_option_given_twice() -> None:
    with pytest.raises(SpecError, match="'rows' is given twice: in 'connect4:rows=7' and as rows"):
        plywise.game("connect4:rows=7", rows=8)


def test_a_game_from_the_first_move_to_a_saved_file(tmp_path: Path) -> None:
    record = plywise.GameRecord("tictactoe", ("human", "alphabeta"))
    session = plywise.Session(record)
    session.play("b2")
    session.think(Limits(depth=2))
    assert len(session.position.moves) == 2
    assert plywise.hint(session.position, Limits(depth=9)).move in session.position.legal
    plywise.save(session.record, tmp_path / "game.txt")
    again = plywise.load(str(tmp_path / "game.txt"))
    assert [move.text for move in again.moves] == list(session.position.moves)
    session.close()
    found = plywise.review(session.position)
    assert [move.grade.value for move in found.moves] == ["best", "best"]


def test_a_match() -> None:
    game = plywise.game("tictactoe")
    found = plywise.match(game, "alphabeta:depth=9", "random", games=4, seed=1)
    assert isinstance(found, plywise.Match)
    assert found.losses == 0
