"""Recorded games play out as they did; every registered game has one."""

from __future__ import annotations

import json
from typing import Any

import pytest

from plywise import games
from tests.golden.record import FOLDER, file_of, record, specs

FILES = sorted(FOLDER.glob("*.json"))


@pytest.mark.parametrize("name", games.names())
def test_every_game_has_a_playthrough(name: str) -> None:
    assert file_of(name).exists(), "python -m tests.golden.record"


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.stem)
def test_plays_out_as_recorded(file: Any) -> None:
    known = json.loads(file.read_text())
    again = json.loads(json.dumps(record(known["game"], known["moves"])))
    for ply, (before, now) in enumerate(zip(known["plies"], again["plies"], strict=True)):
        assert now == before, f"ply {ply} of {known['game']}"
    assert again == known
    assert file == file_of(known["game"])


def test_no_file_is_left_over() -> None:
    assert {file_of(spec) for spec in specs()} == set(FILES)
