"""The sequence of calls that docs/games/snails.md shows is the one that a game makes."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.cli.test_play import Terminal, data, terminal
from tests.docs.pages import DOCS

__all__ = ["data", "terminal"]  # fixtures

PAGE = DOCS / "games" / "snails.md"
#: Plays a game and writes every call of a function of plywise, in order, to a file.
TRACED = """
import sys, threading

calls = []


def note(frame, event, found):
    code = frame.f_code
    if event == "call" and "/plywise/" in code.co_filename:
        calls.append(f"{code.co_qualname} {code.co_filename.rpartition('/plywise/')[2]}")


from plywise.cli import main

threading.setprofile(note)
sys.setprofile(note)
main(["play", "snails", "--second", "astar"])
sys.setprofile(None)
open(sys.argv[1], "w").write("\\n".join(calls))
"""


@pytest.mark.slow
def test_the_calls_come_in_the_order_of_the_page(
    terminal: Callable[..., Terminal], tmp_path: Path
) -> None:
    file = tmp_path / "calls.txt"
    person = terminal("-c", TRACED, str(file))
    person.wait("Your move")
    person.move("\r")
    person.say("quit")
    person.leave()
    shown = re.findall(r"^\| `([\w.]+)` \| `([\w/]+\.py)` \|", PAGE.read_text(), re.MULTILINE)
    assert len(shown) > 30
    calls = iter(file.read_text().splitlines())
    for name, where in shown:
        assert f"{name} {where}" in calls, f"{name} does not come in its place"
