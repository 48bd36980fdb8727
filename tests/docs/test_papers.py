"""docs/papers.md holds: its commands run, its files and tests exist, its counts are right.

A quick command is run. One that plays, serves or measures for minutes is only parsed, by its own
parser, and the games and agents it names must exist.
"""

from __future__ import annotations

import argparse
import ast
import importlib
import re
import shlex
import sys
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from typer.core import TyperCommand

import plywise
from lab.papers import plan_for
from plywise import engines, games, puzzles
from plywise.cli import main
from tests.commands import Run
from tests.docs.pages import DOCS, ROOT

PAGE = DOCS / "papers.md"
HEAD = ("in the paper", "here", "shown by")
PAPERS = ["Align", "Andantino", "Slither", "Snails", "Tic-Tac-Toe, Connect-4 and Make Way"]
#: Commands that end in seconds. All others are parsed.
QUICK = ("analyze", "hint", "match", "show", "solve", "tree", "slither convert")
QUICK += ("slither generate", "slither hint", "slither solve")
MATCH = 4  #: a match of more games is not quick


class Row(NamedTuple):
    """A row of a table: the paper, and the three cells."""

    paper: str
    told: str
    here: str
    shown: str


def rows(text: str) -> Iterator[Row]:
    """The rows of all tables on a page, without their heads."""
    paper = ""
    for line in text.splitlines():
        if line.startswith("## "):
            paper = line.removeprefix("## ")
        if line.startswith("|"):
            cells = [cell.strip() for cell in line.strip("|").split("|")]
            assert len(cells) == len(HEAD), line
            if tuple(cells) != HEAD and set("".join(cells)) != {"-"}:
                yield Row(paper, *cells)


ROWS = list(rows(PAGE.read_text(encoding="utf-8")))
CODE = [code for row in ROWS for cell in row[1:] for code in re.findall(r"`([^`]+)`", cell)]


def found(beginning: str) -> list[str]:
    """What stands in backticks in a table and begins like this, each once."""
    return sorted({code for code in CODE if code.startswith(beginning)})


def is_quick(command: str) -> bool:
    """Can the command be run here?"""
    words = shlex.split(command)[1:]
    if not any(" ".join(words[:size]) in QUICK for size in (1, 2)):
        return False
    return words[0] != "match" or int(words[words.index("--games") + 1]) <= MATCH


PLYWISE = found("plywise ")


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Commands run in an empty folder, with data of their own."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("PLYWISE_DATA", str(tmp_path / "data"))


# ---- the tables ----------------------------------------------------------------------------


def test_every_paper_has_a_table() -> None:
    assert list(dict.fromkeys(row.paper for row in ROWS)) == PAPERS


def test_a_row_says_how_it_is_shown_or_that_it_is_not_there_yet() -> None:
    for row in ROWS:
        assert row.told, row
        assert row.here, row
        assert (row.shown == "") == row.here.startswith("not yet"), row
        assert not row.shown or re.fullmatch(r"`[^`]+`|\[[^\]]+\]\([^)]+\)", row.shown), row


def test_the_counts_are_those_of_the_tables() -> None:
    text = " ".join(PAGE.read_text(encoding="utf-8").split())
    told = re.search(r"There are (\d+) rows: (\d+) are \*not yet\*, (\d+) \*partly\*\.", text)
    assert told is not None
    marks = [sum(row.here.startswith(mark) for row in ROWS) for mark in ("not yet", "partly:")]
    assert [int(number) for number in told.groups()] == [len(ROWS), *marks]


def test_no_row_is_told_twice() -> None:
    told = [(row.paper, row.told) for row in ROWS]
    assert len(set(told)) == len(told)


# ---- plywise -------------------------------------------------------------------------------


@pytest.mark.slow
@pytest.mark.parametrize("command", [each for each in PLYWISE if is_quick(each)])
def test_a_quick_command_runs(command: str, run: Run) -> None:
    done = run(*shlex.split(command)[1:])
    assert done.code == 0, done.err
    assert done.out


@pytest.mark.parametrize("command", [each for each in PLYWISE if not is_quick(each)])
def test_any_other_command_can_be_given(command: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """It is parsed as on the command line, up to the point where it would begin."""
    words = shlex.split(command)[1:]
    if len(words) == 1 and words[0] in puzzles.names():
        assert main([*words, "--help"]) == 0
        return
    given = parsed(words, monkeypatch)
    named = given.get("game")
    if named in puzzles.names():
        assert plan_for(named) is not None
    elif named is not None:
        game = plywise.game(named)
        assert words[0] != "report" or plan_for(named) is not None
        seats = (given.get("first"), given.get("second"), given.get("a"), given.get("b"))
        for agent in {*seats, *(given.get("agents") or ())} - {None, "human"}:
            assert engines.make(agent, game)


def parsed(words: list[str], monkeypatch: pytest.MonkeyPatch) -> dict[str, Any]:
    """The options of a command as its own parser reads them; it does not start."""
    seen: list[dict[str, Any]] = []
    with monkeypatch.context() as patch:
        patch.setattr(TyperCommand, "invoke", lambda self, context: seen.append(context.params))
        assert main(words) == 0, words
    assert len(seen) == 1, words
    return seen[0]


def test_what_cannot_be_given_is_noticed(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    for words in (["report", "snails", "--fast"], ["plaay", "snails"], ["slither", "walk"]):
        with pytest.raises(AssertionError):
            parsed(words, monkeypatch)
        assert capsys.readouterr().err.startswith("plywise: ")
    assert parsed(["play", "snails", "--second", "astar"], monkeypatch)["second"] == "astar"


# ---- python -m -----------------------------------------------------------------------------


class Understood(Exception):
    """Raised instead of starting a program whose options are right."""


@pytest.mark.parametrize("command", found("python -m "))
def test_a_program_can_be_given(command: str, monkeypatch: pytest.MonkeyPatch) -> None:
    _, _, name, *words = shlex.split(command)
    with pytest.raises(Understood):
        start(name, words, monkeypatch)


def test_options_of_a_program_that_do_not_exist_are_noticed(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    for name, words in (("bench", ["marbles"]), ("bench.andantino_seed", ["--marbles"])):
        with pytest.raises(SystemExit):
            start(name, words, monkeypatch)


def start(name: str, words: list[str], monkeypatch: pytest.MonkeyPatch) -> None:
    """Run a program of bench until it has read its options."""
    assert name.partition(".")[0] == "bench", f"a way to check {name} is missing"
    plain = argparse.ArgumentParser.parse_args

    def parse(self: argparse.ArgumentParser, *more: Any) -> argparse.Namespace:
        plain(self, *more)
        raise Understood

    def begin(*_: object) -> None:
        raise Understood

    monkeypatch.setattr(sys, "argv", [name, *words])
    if name == "bench":  # checks the names itself
        module = importlib.import_module("bench.__main__")
        monkeypatch.setattr(module, "run", begin)
    else:
        module = importlib.import_module(name)
        monkeypatch.setattr(argparse.ArgumentParser, "parse_args", parse)
    module.main()


# ---- files, tests and agents ---------------------------------------------------------------


@pytest.mark.parametrize("name", found("tests/"))
def test_a_named_test_exists(name: str) -> None:
    file, _, test = name.partition("::")
    assert (ROOT / file).is_file()
    assert not test or test in names_in(file)


@cache
def names_in(file: str) -> set[str]:
    """The names of the functions in a file."""
    tree = ast.parse((ROOT / file).read_text(encoding="utf-8"))
    return {node.name for node in tree.body if isinstance(node, ast.FunctionDef)}


def test_named_agents_exist() -> None:
    """What a row calls the agent `seed` is an agent of a game of its paper."""
    kinds = [games.find(name) for name in games.names()]
    told = [(row, agent) for row in ROWS for agent in re.findall(r"the agent `([^`]+)`", row.here)]
    assert len(told) > len(PAPERS)
    for row, agent in told:
        own = {name for kind in kinds if kind.title in row.paper for name in kind.strength.agents}
        assert agent in own, row
