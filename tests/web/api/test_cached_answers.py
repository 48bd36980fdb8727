"""Answers that are cached on disk from one start of the server to the next."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from plywise import games
from plywise.web.api import answers
from plywise.web.api.answers import FOLDER, MOST, cached_on_disk, pack

LISTED = """
import sys
from plywise.web.api import catalogue, puzzle_kinds
from plywise.web.settings import Settings
asked = (catalogue.get_kinds, puzzle_kinds.get_puzzles)
print(sum(len(each(Settings()).plain) for each in asked), "plywise.games.snails" in sys.modules)
"""


@pytest.fixture(autouse=True)
def own_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A cache in which nothing is kept yet."""
    monkeypatch.setenv("PLYWISE_CACHE", str(tmp_path))


def answer(text: bytes, facts: object = None, is_complete: bool = True) -> bytes:
    """Ask for an answer that would be made from a text."""
    return cached_on_disk("test", facts, lambda: (pack(text), is_complete)).plain


@pytest.mark.slow
def test_the_second_start_imports_no_game() -> None:
    said = [
        subprocess.run(
            [sys.executable, "-c", LISTED], capture_output=True, text=True, check=True
        ).stdout.split()
        for _ in range(2)
    ]
    assert [each[1] for each in said] == ["True", "False"]
    assert said[0][0] == said[1][0]


def test_other_facts_are_another_answer() -> None:
    assert [answer(b"one", 1), answer(b"two", 2), answer(b"three", 1)] == [b"one", b"two", b"one"]


def test_an_edit_makes_it_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    source = tmp_path / "source" / "web"
    source.mkdir(parents=True)
    (source / "page.py").write_text("one")
    monkeypatch.setattr(answers, "ROOT", tmp_path / "source")
    changes: list[Callable[[], object]] = [
        lambda: (source / "page.py").write_text("three"),
        lambda: os.utime(source / "page.py", (1, 1)),
        lambda: (source / "new.md").touch(),
    ]
    monkeypatch.setattr(answers, "_version", answers._version.__wrapped__)
    assert answer(b"0") == answer(b"never") == b"0"
    for number, change in enumerate(changes, 1):
        change()
        assert answer(b"%d" % number) == answer(b"never") == b"%d" % number


@pytest.mark.parametrize("damage", [b"", b"damaged", b"x" * 100])
def test_a_damaged_file_is_made_again(tmp_path: Path, damage: bytes) -> None:
    answer(b"one")
    (file,) = (tmp_path / FOLDER).iterdir()
    file.write_bytes(damage)
    assert answer(b"two") == answer(b"three") == b"two"


def test_what_is_not_complete_is_not_kept() -> None:
    assert answer(b"a game is missing", is_complete=False) == b"a game is missing"
    assert answer(b"all") == b"all"


def test_with_a_game_of_the_user_nothing_is_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    answer(b"without")
    monkeypatch.setattr(games, "_added", {"mine": ()})
    assert answer(b"with") == b"with"


def test_few_versions_are_kept(tmp_path: Path) -> None:
    for number in range(2 * MOST):
        answer(b"", number)
    assert len(list((tmp_path / FOLDER).iterdir())) == MOST


def test_a_cache_that_cannot_be_used(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "file").touch()
    monkeypatch.setenv("PLYWISE_CACHE", str(tmp_path / "file"))
    assert [answer(b"one"), answer(b"two")] == [b"one", b"two"]
