"""`plywise NAME` alone, and puzzles in `plywise play`: which puzzle, and who solves it."""

from __future__ import annotations

import io
import re
import sys
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from plywise import games
from plywise.cli.terminal import puzzle_loop
from plywise.cli.terminal.unfinished import PUZZLES, load_attempt
from plywise.play.attempt import Attempt
from plywise.puzzles import slither
from tests.cli.test_play import Terminal, terminal
from tests.commands import Result, Run
from tests.puzzles.test_every_puzzle import TAKUZU

__all__ = ["terminal"]  # a fixture

SMALL = "33"
MOVES = "moves: 1 1 t, 1 2 t, 1 2 r, 1 2 b, 1 1 b, 1 1 l"
FOUND = re.compile(r"The only solution, found in [\d.]+ m?s\.\n")
Piped = Callable[..., Result]


@pytest.fixture(autouse=True)
def data(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("PLYWISE_DATA", str(tmp_path / "data"))
    monkeypatch.setenv("TERM", "xterm-256color")
    return tmp_path / "data" / "unfinished"


@pytest.fixture
def piped(run: Run, monkeypatch: pytest.MonkeyPatch) -> Piped:
    """A command with these lines as its input."""

    def piped(*arguments: str, lines: tuple[str, ...] = ()) -> Result:
        monkeypatch.setattr(sys, "stdin", io.StringIO("".join(f"{line}\n" for line in lines)))
        monkeypatch.setattr(sys, "__stdout__", sys.stdout)
        return run(*arguments)

    return piped


# ---- in lines ----------------------------------------------------------------------------------


def test_nothing_to_read_ends_it(piped: Piped) -> None:
    result = piped("slither")
    assert result.code == 0
    assert result.out.startswith("Slither\nJoin the dots with lines")
    assert "*  1  The default puzzle: Slither 5 x 5, 13 clues\n" in result.out
    assert piped("slither", lines=("quit",)).code == 0


def test_the_computer_solves_the_default_puzzle(piped: Piped) -> None:
    out = piped("slither", lines=("1", "2")).out
    board = out.partition("the time\n")[2]
    assert board.startswith("    1   2   3   4   5\n  +---+---+---+   +   +\n1 |         2 |     0")
    assert FOUND.search(board)
    assert board.rstrip().endswith("2 1 l, 1 1 l")


def test_a_file_after_some_that_are_none(piped: Piped, tmp_path: Path) -> None:
    good, bad, binary = tmp_path / "good.txt", tmp_path / "bad.txt", tmp_path / "picture.txt"
    good.write_text(SMALL, encoding="utf-8")
    bad.write_text("..5", encoding="utf-8")
    binary.write_bytes(b"\x89PNG\xff")
    names = (str(tmp_path / "nowhere.txt"), str(tmp_path), str(bad), str(binary), str(good))
    out = piped("slither", lines=("file", *names, "computer")).out
    assert f"{names[0]}: No such file or directory\n" in out
    assert f"{names[1]}: Is a directory\n" in out
    assert "line 1, column 3: found '5'" in out
    assert f"{binary} is not a text file" in out
    assert "1 | 3   3 |" in out
    assert out.rstrip().endswith(MOVES)


def test_a_puzzle_can_be_typed_and_a_slip_is_answered(piped: Piped) -> None:
    lines = ("2", "", "..5", "-", "0", "nowhere.txt", SMALL, "3", "2")
    out = piped("slither", lines=lines).out
    assert out.count("Which puzzle?") == 2  # back from the question about a file
    assert out.count("Join the dots") == 1
    assert "found '5'" in out
    assert "'-' is not one of the answers, nor a file or a puzzle\n" in out
    assert "'0' is not one of the answers" in out  # and not a puzzle of one cell
    assert "nowhere.txt: No such file" in out
    assert "'3' is not one of the answers: type one of 1, 2" in out
    assert out.rstrip().endswith(MOVES)


@pytest.mark.slow
def test_a_new_puzzle(piped: Piped) -> None:
    impossible = "rows=2,cols=2,grade=extreme"
    lines = ("3", "rows=99", "colour=red", "rows", impossible, "rows=3,cols=4", "2")
    out = piped("slither", lines=lines).out
    assert "rows=99 is not valid: rows must be a whole number from 2 to 40\n" in out
    assert "slither has no parameter 'colour'" in out
    assert "is not key=value" in out
    assert "no such puzzle found" in out
    assert "    1   2   3   4\n" in out
    assert FOUND.search(out)


def test_by_hand_and_resumed(piped: Piped, tmp_path: Path, data: Path) -> None:
    out = piped("slither", lines=(SMALL, "1", "1 1 t", "quit")).out
    assert out.endswith("Saved. Continue with: plywise slither play\n")
    (file,) = data.glob("*.puzzle")
    assert load_attempt(file).moves == ("1 1 t",)
    out = piped("slither", lines=("", "2")).out  # solved by the computer: mine stays as it is
    assert "*  0  Resume: Slither 1 x 2, 1 move\n" in out
    assert out.rstrip().endswith(MOVES)
    assert load_attempt(file).moves == ("1 1 t",)
    out = piped("slither", lines=("", "", *MOVES.removeprefix("moves: 1 1 t, ").split(", "))).out
    assert "The loop is right, in 0:0" in out
    assert not list(data.iterdir())


def test_a_saved_attempt_is_a_file_too(piped: Piped, tmp_path: Path) -> None:
    file = tmp_path / "my.puzzle"
    attempt = Attempt(slither.PUZZLE, slither.read(SMALL)).play("1 1 t")
    file.write_text(attempt.to_text(), encoding="utf-8")
    assert "1   3   3" in (out := piped("slither", lines=(str(file), "1", "moves")).out)
    assert "moves: 1 1 t\n" in out
    file.write_text(attempt.to_text().replace("1 1 t", "9 9 t"), encoding="utf-8")
    assert "there is no cell 9 9" in piped("slither", lines=(str(file),)).out


def test_a_puzzle_without_parameters_or_a_generator(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def offered(kind: object, *lines: str) -> str:
        monkeypatch.setattr(sys, "stdin", io.StringIO("".join(f"{line}\n" for line in lines)))
        monkeypatch.setattr(sys, "__stdout__", sys.stdout)
        rest = puzzle_loop.offer(kind, None, theme="light", ascii=True)  # type: ignore[arg-type]
        told = list(rest)
        return capsys.readouterr().out + "\n".join(told)

    assert FOUND.search(offered(TAKUZU, "1", "2"))
    assert FOUND.search(offered(TAKUZU, "3", "size=4", "2"))
    generate = TAKUZU.generate
    assert generate is not None
    fixed = replace(
        TAKUZU, parameters=(), generate=lambda seed, seconds: generate(seed, seconds, size=4)
    )
    assert FOUND.search(offered(fixed, "3", "2"))
    plain = replace(TAKUZU, generate=None)
    assert "type one of" not in offered(plain)
    assert "'3' is not one of the answers" in offered(plain, "3")


def test_options_come_in_the_right_place(run: Run) -> None:
    assert "write --theme and --ascii after 'solve'" in run("slither", "--ascii", "solve").complaint
    assert "there is no theme 'pink'" in run("slither", "--theme", "pink").complaint
    assert run("slither", "--help").out.count("\n") > 5


# ---- plywise play ------------------------------------------------------------------------------


def test_the_list_of_games_has_the_puzzles(piped: Piped) -> None:
    number = str(len(games.names()) + 1)
    for answer in (number, "slither", "Slither (puzzle)"):
        out = piped("play", lines=(answer, SMALL, "2")).out
        assert f"   {number}  Slither (puzzle): " in out
        assert out.rstrip().endswith(MOVES)
    assert "(puzzle)" not in piped("play", "--first", "auto").out  # that asks for a game


def test_a_puzzle_by_name_starts_at_once(piped: Piped, tmp_path: Path) -> None:
    file = tmp_path / "my.puzzle"
    out = piped("play", "slither", "--save", str(file), lines=("1 1 t", "quit")).out
    assert out.startswith("    1   2   3   4   5\n")
    assert load_attempt(file).moves == ("1 1 t",)
    out = piped("play", "slither", "--load", str(file), lines=("moves",)).out
    assert "moves: 1 1 t\n" in out


@pytest.mark.parametrize(
    ("arguments", "complaint"),
    [
        (("slither", "--first", "auto"), "--first is for games, and slither is a puzzle"),
        (("slither", "--moves", "1 1 t"), "--moves is for games, and slither is a puzzle"),
        (("slither", "--clock", "30"), "--clock is for games, and slither is a puzzle"),
        (("slither:rows=3",), "slither is a puzzle and takes no parameters here"),
        (("slither", "--load", "nowhere.puzzle"), "nowhere.puzzle cannot be read"),
    ],
)
def test_what_a_puzzle_does_not_take(run: Run, arguments: tuple[str, ...], complaint: str) -> None:
    assert run("play", *arguments).complaint.startswith(complaint)


@pytest.mark.parametrize("time", ["-1", "nan", "inf"])
def test_a_time_that_is_none(run: Run, time: str) -> None:
    for command in (
        ("slither", "solve"),
        ("slither", "solve", "--method", "dfs"),
        ("report", "slither"),
        ("solve", "tictactoe"),
        ("hint", "tictactoe"),
        ("match", "tictactoe", "random", "random"),
    ):
        complaint = run(*command, "--time", time).complaint
        assert re.match(rf"time={time}(\.0)? is not valid: time must be a number", complaint)


# ---- on the screen -----------------------------------------------------------------------------


@pytest.mark.slow
def test_by_the_computer_on_the_screen(terminal: Callable[..., Terminal]) -> None:
    person = terminal("-m", "plywise", "slither")
    person.wait("Which puzzle?")
    assert "Join the dots with lines" in person.screen
    person.press("down", "\r")
    person.wait("Which file?")
    person.say("nowhere.txt", "nowhere.txt: No such file")
    person.press("\r")  # back
    person.wait("The default puzzle")
    person.say(SMALL, "Who solves it?")
    person.press("down", "\r")
    after = person.leave()
    assert FOUND.search(after)
    assert MOVES in after
    assert person.process.returncode == 0


@pytest.mark.slow
def test_from_the_list_of_games_to_a_puzzle_by_hand(terminal: Callable[..., Terminal]) -> None:
    person = terminal("-m", "plywise", "play")
    person.wait("Which game?")
    person.press("up", "\r")  # the last of all
    person.wait("Which puzzle?")
    person.press("\r")
    person.wait("Who solves it?")
    person.press("\r")
    person.wait("Slither 5 x 5")
    person.say("1 1 t", "1 line")
    person.press("\x04")
    assert person.leave() == "Saved. Continue with: plywise slither play\n"
    assert PUZZLES.newest(lambda attempt: True) is not None


def test_only_a_puzzle_of_this_kind_is_resumed() -> None:
    attempt, place, _ = puzzle_loop._begin(slither.PUZZLE, None, None, None)
    place.keep(attempt.play("1 1 t"))
    place.release(attempt.play("1 1 t"))
    other, place, note = puzzle_loop._begin(TAKUZU, None, None, None)
    assert (other.kind, other.moves, note) == (TAKUZU, (), "")
    place.release(other)
    again, place, note = puzzle_loop._begin(slither.PUZZLE, None, None, None)
    assert (again.kind, len(again.moves)) == (slither.PUZZLE, 1)
    assert note.startswith("resuming after 1 move")
    place.release(again)


@pytest.mark.slow
def test_leaving_the_questions(terminal: Callable[..., Terminal]) -> None:
    person = terminal("-m", "plywise", "slither", size=(40, 20))
    person.wait("Which puzzle?")
    person.press("\x1b")
    assert person.leave() == ""
    assert person.process.returncode == 0
