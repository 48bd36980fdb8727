"""docs/papers.md holds: each row is shown by what stands in it, its counts and agents are right.

A command is run, and a check beside it in tests/docs/papers/ looks at what it shows. A report that
measures for minutes is not run: its check looks at the stored result. A test that a row names must
exist, run in `make test` and assert something.
"""

from __future__ import annotations

import io
import re
import shlex
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from typer.core import TyperCommand

from lab import results
from lab.papers import plan_for
from plywise import games
from plywise.cli import main
from tests.commands import Result
from tests.docs.papers.named import asserts, complaint, listed, source
from tests.docs.papers.output import CHECKS, Key, Output, Runner
from tests.docs.papers.page import PAGE, PAPERS, PROOF, ROWS, Row, rows

TEXT = PAGE.read_text(encoding="utf-8")


def shown(of: list[Row]) -> list[Key]:
    """All rows with their commands and links; tests speak for themselves."""
    pairs = (Key(row.told, proof) for row in of for proof in row.proofs)
    return [pair for pair in pairs if not pair.command.startswith("tests/")]


def unbound(of: list[Row]) -> set[Key]:
    """What stands in a row without a check, and the other way round."""
    return set(shown(of)) ^ set(CHECKS)


@pytest.fixture
def runner(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> Runner:
    """Runs commands in an empty folder, with data of their own."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("PLYWISE_DATA", str(tmp_path / "data"))

    def run(words: list[str], typed: str) -> Result:
        monkeypatch.setattr("sys.stdin", io.StringIO(typed))
        capfd.readouterr()
        code = main(words)
        return Result(code, *capfd.readouterr())

    return run


# ---- the tables ----------------------------------------------------------------------------


def test_every_paper_has_a_table() -> None:
    assert list(dict.fromkeys(row.paper for row in ROWS)) == PAPERS


def test_a_row_says_how_it_is_shown_or_that_it_is_not_there_yet() -> None:
    for row in ROWS:
        assert row.told, row
        assert row.here, row
        assert (row.shown == "") == row.here.startswith("not yet"), row
        assert ", ".join(match[0] for match in PROOF.finditer(row.shown)) == row.shown, row


def test_the_counts_are_those_of_the_tables() -> None:
    told = re.search(
        r"There are (\d+) rows: (\d+) are \*not yet\*, (\d+) \*partly\*\.", " ".join(TEXT.split())
    )
    assert told is not None
    marks = [sum(row.here.startswith(mark) for row in ROWS) for mark in ("not yet", "partly:")]
    assert [int(number) for number in told.groups()] == [len(ROWS), *marks]


def test_no_row_is_told_twice() -> None:
    assert len({row.told for row in ROWS}) == len(ROWS)


def test_named_agents_exist() -> None:
    """What a row calls the agent `seed` is an agent of a game of its paper."""
    kinds = [games.find(name) for name in games.names()]
    told = [(row, agent) for row in ROWS for agent in re.findall(r"the agent `([^`]+)`", row.here)]
    assert len(told) > len(PAPERS)
    for row, agent in told:
        own = {name for kind in kinds if kind.title in row.paper for name in kind.strength.agents}
        assert agent in own, row


# ---- commands ------------------------------------------------------------------------------


def test_every_command_has_a_check_of_its_own() -> None:
    assert unbound(ROWS) == set()


def of_results(key: Key) -> bool:
    """Is it shown by a stored result, or a section of a page?"""
    return key.command.startswith("plywise report ") or not key.command.startswith("plywise ")


@pytest.mark.parametrize(
    "key", [key for key in CHECKS if of_results(key)], ids=lambda key: key.told[:60]
)
def test_a_stored_result_shows_its_row(key: Key, runner: Runner) -> None:
    CHECKS[key](Output(key.command, runner))


@pytest.mark.slow
@pytest.mark.parametrize(
    "key", [key for key in CHECKS if not of_results(key)], ids=lambda key: key.command
)
def test_a_command_shows_its_row(key: Key, runner: Runner) -> None:
    CHECKS[key](Output(key.command, runner))


REPORTS = sorted({key.command for key in CHECKS if key.command.startswith("plywise report ")})


@pytest.mark.parametrize("command", REPORTS)
def test_a_report_can_be_given_and_is_stored(command: str, monkeypatch: pytest.MonkeyPatch) -> None:
    given = parsed(shlex.split(command)[1:], monkeypatch)
    assert plan_for(given["game"]) is not None
    words = shlex.split(results.read(f"report-{given['game']}")["command"])
    assert words[:3] == ["plywise", "report", given["game"]]
    assert "--agents" not in words, "a row is about the agents of the plan"


def parsed(words: list[str], monkeypatch: pytest.MonkeyPatch) -> dict[str, Any]:
    """Return the options of a command as its own parser reads them; it does not start."""
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


def test_every_check_asserts() -> None:
    assert not [check.__name__ for check in CHECKS.values() if not asserts(check)]


# ---- tests ---------------------------------------------------------------------------------


def unlisted(of: list[Row]) -> set[tuple[str, str]]:
    """Return the tests of rows that are not listed, and what is listed without a row."""
    named = {(row.told, proof) for row in of for proof in row.proofs}
    return {pair for pair in named if pair[1].startswith("tests/")} ^ set(listed())


def test_every_named_test_is_listed() -> None:
    assert unlisted(ROWS) == set()


@pytest.mark.parametrize(("told", "name"), listed(), ids=lambda text: text[:60])
def test_a_named_test_is_about_its_row(told: str, name: str) -> None:
    assert complaint(name) is None
    assert listed()[told, name] in source(name)


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("tests/games/align/test_rules.py", "names no test"),
        ("tests/games/align/test_walls.py::test_a_row", "there is no file"),
        ("tests/games/align/test_rules.py::test_a_wall", "there is no test_a_wall"),
        ("tests/games/align/test_rules.py::paid", "is not a test"),
        ("tests/oracle/test_align.py::test_many_random_games", "runs only in `make long`"),
        ("tests/games/andantino/test_rules.py::test_nothing", "there is no test_nothing"),
    ],
)
def test_a_test_that_shows_nothing_is_noticed(name: str, words: str) -> None:
    assert words in str(complaint(name))


# ---- what is wrong is noticed --------------------------------------------------------------


def planted(told: str, old: str, new: str) -> list[Row]:
    """The rows of the page with another text in one of them."""
    (line,) = (line for line in TEXT.splitlines() if line.startswith(f"| {told} |"))
    assert old in line
    return list(rows(TEXT.replace(line, line.replace(old, new))))


@pytest.mark.parametrize(
    ("told", "old", "new"),
    [
        ("alpha-beta pruning", "a3 b2 c2 a2 a1 b3", "b2 a1 c3 b3 a2 c2"),
        ("both scores beside the board, up to date", "show snails", "show align"),
        ("claim: pruning saves time", "--part comparisons", "--part games"),
        ("the program begins with instructions", "plywise slither", "plywise show connect4"),
        ("a full board is a draw", "a full board", "a full table"),
    ],
)
def test_another_command_in_a_row_is_noticed(told: str, old: str, new: str) -> None:
    assert len(unbound(planted(told, old, new))) == 2


def test_another_test_in_a_row_is_noticed() -> None:
    rows = planted(
        "only new cells score", "test_steps_and_slides_of_player_1_alone", "test_the_start"
    )
    assert len(unlisted(rows)) == 2


@pytest.mark.slow
@pytest.mark.parametrize(
    ("told", "command"),
    [
        # What these rows had for years: nothing is pruned, and every end is a draw.
        ("alpha-beta pruning", 'plywise tree tictactoe --moves "b2 a1 c3 b3 a2 c2"'),
        (
            "minimax over all moves, with 1, 0 and -1 at the ends",
            "plywise tree snails --agent minimax:depth=2",
        ),
        ("a text says who has won", 'plywise show andantino --moves "j10 k10"'),
        (
            "a hexagon with ten cells along an edge, as a part of the endless plane",
            "plywise show andantino",
        ),
        ("wish: perfect play", "plywise analyze connect4 --moves 4453 --agent seed:level=1"),
    ],
)
def test_a_command_that_shows_something_else_is_noticed(
    told: str, command: str, runner: Runner
) -> None:
    (check,) = (check for key, check in CHECKS.items() if key.told == told)
    with pytest.raises((AssertionError, LookupError, ValueError)):
        check(Output(command, runner))


def halve(value: Any) -> Any:
    """Return a result with every number halved."""
    if isinstance(value, dict):
        return {key: halve(each) for key, each in value.items()}
    if isinstance(value, list):
        return [halve(each) for each in value]
    return value / 2 if isinstance(value, int | float) and not isinstance(value, bool) else value


@pytest.mark.parametrize(
    "told",
    [
        "claim: minimax finds the optimal move",
        "claim: minimax suits this game",
        "wish: more threats and rings in the evaluation",
        "claim: almost perfect, wins most games",
    ],
)
def test_a_wrong_figure_is_noticed(
    told: str, runner: Runner, monkeypatch: pytest.MonkeyPatch
) -> None:
    ((key, check),) = ((key, check) for key, check in CHECKS.items() if key.told == told)
    check(Output(key.command, runner))
    read: Callable[[str], Any] = results.read
    monkeypatch.setattr(results, "read", lambda name: {"found": halve(read(name)["found"])})
    with pytest.raises((AssertionError, LookupError, ValueError)):
        check(Output(key.command, runner))
