"""`plywise slither play`: what can be said to a puzzle, line by line, and on a pseudo-terminal."""

from __future__ import annotations

import re
import signal
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from plywise.cli.terminal.controller import clock
from plywise.cli.terminal.puzzle_controller import PuzzleController
from plywise.cli.terminal.puzzle_face import Showing, board, frame
from plywise.cli.terminal.unfinished import PUZZLES, Place, load_attempt
from plywise.errors import PlywiseError
from plywise.play.attempt import Attempt
from plywise.puzzles import slither
from plywise.views.guide import sample_solution
from plywise.views.text import Terminal as Paper
from tests.cli.test_play import PATIENCE, Terminal, terminal
from tests.commands import Run

__all__ = ["terminal"]  # a fixture

KIND = slither.PUZZLE
PUZZLE = slither.read(slither.DEFAULT)
#: Two cells: the loop around both.
SMALL = "33"
LOOP = ("1 1 t", "1 2 t", "1 1 l", "1 2 r", "1 1 b", "1 2 b")


@pytest.fixture(autouse=True)
def data(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("PLYWISE_DATA", str(tmp_path / "data"))
    monkeypatch.setenv("TERM", "xterm-256color")
    return tmp_path / "data" / "unfinished"


def sit(puzzle: slither.Puzzle = PUZZLE) -> PuzzleController:
    return PuzzleController(Attempt(KIND, puzzle), PUZZLES.new_place())


def test_commands() -> None:
    controller = sit()
    assert controller.do("1 1 t") == []
    assert controller.do("check") == ["Everything is right so far."]
    assert controller.do("2 1 t") == []
    assert controller.do("check") == [
        "There is a mistake: the line above the 2 in row 2, column 1."
    ]
    assert controller.wrong == (PUZZLE.read_move("2 1 t"),)
    assert controller.do("hint")[0].startswith("There is a mistake next to row 1, column 1.")
    controller.do("undo")
    assert controller.do("moves") == ["moves: 1 1 t"]
    controller.do("redo")
    controller.do("undo")
    told = [controller.do("hint")[0] for _ in range(4)]
    assert told[0] == "Look at row 1, column 5. ('hint' again for more)"
    assert told[1] == "Counting lines around a clue. ('hint' again for more)"
    assert told[2] == told[3]
    assert controller.do("hint")[1] == "Moves: x 1 5 t, x 2 5 t, x 1 5 l, x 1 5 r"
    assert controller.shown != controller.attempt.states  # the move is shown, not made
    controller.do("colour")
    assert controller.marks.sides[0] == 0
    assert controller.do("clear") == ["cleared; 'undo' restores it move by move"]
    assert not any(controller.attempt.states)
    controller.close()


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("2 1 q", "'2 1 q' is not a move"),
        ("9 1 t", "there is no cell 9 1"),
        ("chekc", "did you mean 'check'"),
        ("check it", "'check' takes no argument"),
        ("undo", "there is nothing to take back"),
        ("solve it", "'solve' takes no argument"),
        ("rules please", "'rules' takes no argument"),
        ("sovle", "did you mean 'solve'"),
        ("save", "'save' needs a file name"),
    ],
)
def test_what_is_refused_changes_nothing(text: str, message: str) -> None:
    controller = sit()
    with pytest.raises(PlywiseError, match=message):
        controller.do(text)
    assert controller.attempt == Attempt(KIND, PUZZLE)


def test_the_end_lists_the_moves(data: Path) -> None:
    controller = sit(slither.read(SMALL))
    for move in LOOP[:-1]:
        assert controller.do(move) == []
    end = controller.do(LOOP[-1])
    assert re.match(r"The loop is right, in \d+:\d\d", end[0])
    assert end[1] == f"moves: {', '.join(LOOP)}"
    controller.close()
    assert not list(data.iterdir())  # there is nothing to go on with


def test_the_computer_solves_it_in_one_step(data: Path) -> None:
    controller = sit(slither.read(SMALL))
    controller.do("1 2 l")  # a mistake, which the solution removes
    told = controller.do("solve")
    assert re.fullmatch(r"Solved by the computer in [\d.]+ ms\. 'undo' takes it back\.", told[0])
    assert told[1] == "moves: 1 1 t, 1 2 t, 1 2 r, 1 2 b, 1 1 b, 1 1 l"
    assert controller.attempt.solved
    assert not any("The loop is right" in line for line in (*told, *controller.farewell()))
    assert controller.farewell()[0].startswith("Solved by the computer in ")
    with pytest.raises(PlywiseError, match="the puzzle is already solved"):
        controller.do("solve")
    (file,) = data.glob("*.puzzle")
    assert load_attempt(file).by_computer is not None
    assert controller.do("undo") == []
    assert controller.attempt.moves == ("1 2 l",)
    assert controller.attempt.by_computer is None
    controller.do("1 2 l")
    for move in LOOP[:-1]:
        controller.do(move)
    assert controller.do(LOOP[-1])[0].startswith("The loop is right")  # that was the player
    controller.close()


@pytest.mark.parametrize(
    ("puzzle", "word", "solved"),
    [
        ("44/..", "This puzzle has no solution.", False),
        ("3../.../...", "One of several solutions, found in ", True),
    ],
)
def test_what_the_computer_says_of_other_puzzles(puzzle: str, word: str, solved: bool) -> None:
    controller = sit(slither.read(puzzle))
    assert any(line.startswith(word) for line in controller.do("solve"))
    assert controller.attempt.solved == solved


def test_the_rules_and_the_help() -> None:
    controller = sit()
    rules = controller.do("rules")
    assert rules[:2] == list(KIND.rules[:2])
    assert KIND.notation in rules
    assert "x 1 1 l  a cross or none" in rules
    helped = "\n".join(controller.do("help"))
    assert "solve      let the computer solve it" in helped
    assert "rules      the rules of the puzzle" in helped


def test_a_long_list_does_not_hide_the_board() -> None:
    controller = sit(slither.read("10x10t0:" + "z" * 3 + "v"))
    showing = Showing(message=tuple(f"line {k}" for k in range(30)))
    lines = frame(controller, showing, Paper(width=60, height=20), "light")
    assert len(lines) <= 20
    assert "..." in lines
    showing = Showing(page=tuple(f"line {k}" for k in range(30)))
    lines = frame(controller, showing, Paper(width=60, height=20), "light")
    assert len(lines) == 20
    assert lines[-1] == "press any key to go back"


def test_every_move_is_kept_and_one_sits_at_it_alone(data: Path) -> None:
    controller = sit()
    controller.do("1 1 t")
    controller.do("x 1 5 t")
    (file,) = data.glob("*.puzzle")
    assert load_attempt(file).moves == ("1 1 t", "x 1 5 t")
    assert PUZZLES.newest(lambda attempt: True) is None  # it is being solved
    controller.close()
    found = PUZZLES.newest(lambda attempt: attempt.puzzle == PUZZLE)
    assert found is not None
    assert found[1].moves == ("1 1 t", "x 1 5 t")
    found[0].release(found[1])


def test_what_is_no_saved_puzzle_is_not_written_over(tmp_path: Path) -> None:
    file = tmp_path / "letter.txt"
    file.write_text("Dear Anne", encoding="utf-8")
    controller = PuzzleController(
        Attempt(KIND, PUZZLE), Place(PUZZLES, tmp_path / "my.puzzle", chosen=True)
    )
    with pytest.raises(PlywiseError, match="is not a saved puzzle"):
        controller.do(f"save {file}")
    assert "continue with: " in controller.do(f"save {tmp_path / 'my.puzzle'}")[0]


def test_pointing_turns_a_line_as_a_click_does() -> None:
    controller = sit()
    for state in (slither.LINE, slither.CROSS, slither.UNKNOWN):
        assert controller.turn(0) == []
        assert controller.attempt.states[0] == state


def test_the_screen_shows_what_fits() -> None:
    controller = sit(slither.Puzzle(30, 30, (-1,) * 900))
    paper = Paper(unicode=True, width=60, height=20)
    lines = frame(
        controller, Showing(place=controller.attempt.puzzle.read_move("30 30 r")), paper, "light"
    )
    assert len(lines) <= 20
    assert all(len(line) <= 60 for line in lines)
    assert clock(187) == "3:07"


def test_the_grid_in_unicode_joins_its_lines() -> None:
    attempt = Attempt(KIND, slither.read(SMALL))
    for move in LOOP:
        attempt = attempt.play(move)
    drawn = "\n".join(board(KIND, attempt.puzzle, attempt.states, place=Paper(unicode=True)))
    assert drawn == "    1   2\n  ┏━━━━━━━┓\n1 ┃ 3   3 ┃\n  ┗━━━━━━━┛"
    plain = "\n".join(board(KIND, attempt.puzzle, attempt.states))
    assert plain == "    1   2\n  +---+---+\n1 | 3   3 |\n  +---+---+"


def test_bad_input(run: Run, tmp_path: Path) -> None:
    file = tmp_path / "a.puzzle"
    assert "cannot be read" in run("slither", "play", "--load", str(file)).complaint
    file.write_text("plywise puzzle 1\nend\n", encoding="utf-8")
    assert "expected a 'puzzle' line" in run("slither", "play", "--load", str(file)).complaint
    assert "leave out PUZZLE" in run("slither", "play", "33", "--load", str(file)).complaint
    assert "holds a puzzle" in run("slither", "play", "--save", str(file)).complaint
    assert "found '5'" in run("slither", "play", "..5").complaint


@pytest.mark.slow
def test_a_puzzle_in_lines(tmp_path: Path) -> None:
    file = tmp_path / "my.puzzle"
    text = "\n".join(["1 1 q", *LOOP, "quit"])
    result = subprocess.run(
        [sys.executable, "-m", "plywise", "slither", "play", SMALL, "--save", str(file)],
        input=text,
        capture_output=True,
        text=True,
        timeout=PATIENCE,
    )
    assert result.returncode == 0, result.stderr
    assert "'1 1 q' is not a move" in result.stdout
    assert result.stdout.endswith(f"moves: {', '.join(LOOP)}\n")
    assert load_attempt(file).solved


@pytest.mark.slow
def test_the_computer_solves_it_on_the_screen(terminal: Callable[..., Terminal]) -> None:
    person = terminal("-m", "plywise", "slither", "play", SMALL)
    person.wait("Slither 1 x 2")
    person.say("rules", "Join the dots with lines")
    person.wait("press any key to go back")
    person.press("x")
    person.say("1 1 t", "1 line")
    person.say("solve", "Solved by the computer in ")
    person.wait("moves: 1 1 t, 1 2 t, 1 2 r, 1 2 b, 1 1 b, 1 1 l")
    assert "┃ 3   3 ┃" in person.screen
    person.say("undo", "1 line")
    person.say("solve", "6 lines")
    person.say("quit")
    after = person.leave()
    assert after.startswith("Solved by the computer in ")
    assert "The loop is right" not in after


@pytest.mark.slow
def test_a_killed_puzzle_is_gone_on_with(terminal: Callable[..., Terminal], data: Path) -> None:
    person = terminal("-m", "plywise", "slither", "play", SMALL)
    person.wait("Slither 1 x 2")
    person.say("1 1 t", "1 line")
    person.press("\t", "\t", "\r")  # around the cell: right, bottom
    person.wait("2 lines")
    person.process.send_signal(signal.SIGKILL)
    person.process.wait()

    person = terminal("-m", "plywise", "slither", "play")
    person.wait("resuming after 2 moves")
    for move in ("1 1 l", "1 2 t", "1 2 r"):
        person.say(move)
    person.say("1 2 b", "The loop is right")
    person.say("quit")
    assert "moves: 1 1 t, 1 1 b, 1 1 l, 1 2 t, 1 2 r, 1 2 b" in person.leave()
    assert not list(data.iterdir())


def test_rewind_save_points_and_auto_check() -> None:
    controller = sit()
    moves = sample_solution(KIND)
    with pytest.raises(PlywiseError, match="there is no save point"):
        controller.do("back")
    for move in (*moves[:3], "2 1 t", moves[3]):  # the fourth is a mistake
        controller.do(move)
    assert controller.do("point") == ["save point 1, 5 lines; 'back' returns to it"]
    assert controller.do("rewind") == ["undone: 2 moves", "Everything is right so far."]
    assert list(controller.attempt.moves) == moves[:3]
    assert controller.do("rewind") == ["Everything is right so far."]
    assert controller.do("back") == ["back at save point 1; 'undo' goes forward move by move"]
    assert controller.attempt.states[PUZZLE.read_move("2 1 t")] == slither.LINE
    controller = sit(slither.read("1.0/.../..."))
    controller.do("1 1 t")
    assert controller.marks.done == {"clue 1 1"}
    controller.do("1 1 l")
    assert controller.marks.broken == {"clue 1 1"}
    assert "\x1b" not in "".join(
        board(KIND, controller.attempt.puzzle, controller.shown, controller.marks, Paper())
    )
    assert controller.do("autocheck") == ["auto-check is off"]
    assert not controller.marks.broken
