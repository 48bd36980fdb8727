"""`plywise play` by a scripted person: on a real pseudo-terminal, and line by line."""

from __future__ import annotations

import fcntl
import os
import re
import select
import signal
import struct
import subprocess
import sys
import termios
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from plywise import games
from plywise.cli.terminal import pointer, unfinished
from plywise.cli.terminal.game_controller import GameController
from plywise.cli.terminal.game_loop import Inbox, Loop
from plywise.cli.terminal.ink import plain, width
from plywise.cli.terminal.screen import Key, Keys
from plywise.core.scene import scene_of
from plywise.games import make
from plywise.play.records.game_record import GameRecord, Move
from plywise.play.records.saves import load, save
from tests.commands import Run

pytestmark = pytest.mark.slow  # a pseudo-terminal each

ARROWS = {"up": "\x1b[A", "down": "\x1b[B", "right": "\x1b[C", "left": "\x1b[D"}
PAGE_UP, PAGE_DOWN, END = "\x1b[5~", "\x1b[6~", "\x1b[F"
EASY = ("--second", "auto:level=1,seed=1")
HIGHEST = 60  #: rows of a screen
PATIENCE = 120.0  #: seconds: on a busy machine a first move may have to be compiled


@pytest.fixture(autouse=True)
def data(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A data folder of its own for every test."""
    monkeypatch.setenv("PLYWISE_DATA", str(tmp_path / "data"))
    monkeypatch.setenv("TERM", "xterm-256color")
    monkeypatch.delenv("NO_COLOR", raising=False)
    return tmp_path / "data" / "unfinished"


class Terminal:
    """A process on a pseudo-terminal, and what stands on the screen."""

    def __init__(self, *command: str, size: tuple[int, int] = (80, 30)) -> None:
        self.master, self.slave = os.openpty()
        self.resize(*size)
        self.before = termios.tcgetattr(self.slave)
        self.process = subprocess.Popen(
            [sys.executable, *command],
            stdin=self.slave,
            stdout=self.slave,
            stderr=self.slave,
            start_new_session=True,
            env={k: v for k, v in os.environ.items() if k not in ("COLUMNS", "LINES")},
        )
        self.output = ""

    def resize(self, columns: int, rows: int) -> None:
        self.size = columns, rows
        fcntl.ioctl(self.slave, termios.TIOCSWINSZ, struct.pack("HHHH", rows, columns, 0, 0))

    def read(self, seconds: float = 0.05) -> None:
        while select.select([self.master], [], [], seconds)[0]:
            self.output += os.read(self.master, 65536).decode("utf-8", "replace")
            seconds = 0.0

    @property
    def rows(self) -> list[str]:
        """The screen: a frame is a few rows, each written after its place (row;1H) and cleared."""
        rows = [""] * HIGHEST
        for part in re.split(r"(?=\x1b\[2J|\x1b\[\d+;1H\x1b\[2K)", self.output):
            if part.startswith("\x1b[2J"):
                rows = [""] * HIGHEST
            elif found := re.match(r"\x1b\[(\d+);1H\x1b\[2K", part):
                rows[int(found[1]) - 1] = part[found.end() :]
        return [plain(row).partition("\x1b")[0] for row in rows]

    @property
    def screen(self) -> str:
        return "\n".join(self.rows)

    def wait(self, wanted: str | Callable[[], object]) -> None:
        """Until a text is on the screen, or something is true."""
        end = time.monotonic() + PATIENCE
        while True:
            self.read()
            if wanted in self.screen if isinstance(wanted, str) else wanted():
                return
            if self.process.poll() is not None or time.monotonic() > end:
                pytest.fail(f"no {wanted!r} on the screen:\n{self.screen}", pytrace=False)

    def press(self, *keys: str) -> None:
        os.write(self.master, "".join(ARROWS.get(key, key) for key in keys).encode())

    def say(self, text: str, wanted: str | None = None) -> None:
        self.press(text, "\r")
        if wanted is not None:
            self.wait(wanted)

    @property
    def played(self) -> int:
        """How many moves the list beside the board shows."""
        pairs = re.findall(r" (\d+)\. (\S+)(?: +(\S+))?", self.screen)
        return 2 * int(pairs[-1][0]) - (not pairs[-1][2]) if pairs else 0

    @property
    def asleep(self) -> bool:
        """Does its main thread wait for something? Linux calls that S."""
        stat = Path(f"/proc/{self.process.pid}/stat").read_text()
        return stat.rpartition(")")[2].split()[0] == "S"

    @property
    def over(self) -> bool:
        return bool(re.search(r"You win:|You lose:|Draw:", self.screen))

    def move(self, *keys: str) -> None:
        """Press keys that make a move, and wait for the answer."""
        before = self.played
        self.press(*keys)
        self.wait(lambda: self.over or (self.played == before + 2 and "Your move" in self.screen))

    def leave(self) -> str:
        """Wait for the end; what was printed after the screen was given back."""
        end = time.monotonic() + PATIENCE
        while self.process.poll() is None and time.monotonic() < end:
            self.read()
        self.process.wait(timeout=1)
        self.read()
        assert termios.tcgetattr(self.slave) == self.before
        _, given_back, after = self.output.rpartition("\x1b[?25h\x1b[?1049l")
        assert given_back, self.output
        return after.replace("\r\n", "\n")


@pytest.fixture
def terminal() -> Iterator[Callable[..., Terminal]]:
    opened: list[Terminal] = []

    def start(*command: str, size: tuple[int, int] = (80, 30)) -> Terminal:
        opened.append(Terminal(*command, size=size))
        return opened[-1]

    yield start
    for one in opened:
        if one.process.poll() is None:
            one.process.kill()
        one.process.wait()
        os.close(one.master)
        os.close(one.slave)


@pytest.fixture
def play(terminal: Callable[..., Terminal]) -> Callable[..., Terminal]:
    def start(*arguments: str, size: tuple[int, int] = (80, 30)) -> Terminal:
        return terminal("-m", "plywise", "play", *arguments, size=size)

    return start


# ---- on a terminal -----------------------------------------------------------------------------


@pytest.mark.slow
@pytest.mark.parametrize("game", ["connect4", "tictactoe"])
def test_a_whole_game(game: str, play: Callable[..., Terminal], tmp_path: Path, data: Path) -> None:
    file = tmp_path / "my.game"
    person = play(game, *EASY)
    person.wait("Your move")
    person.move("\r")  # what the pointer stands on: the middle
    first = {"connect4": "4", "tictactoe": "b2"}[game]
    assert load(next(data.glob("*.game"))).moves[0].text == first
    person.move("right", "\r")
    person.say("hint", "'hint' again for the move")
    person.say("hint", "Play ")
    person.say("hint", ": ")
    person.say("undo", "took back 2 moves")
    assert person.played == 2
    person.say("redo", "replayed 2 moves")
    assert person.played == 4
    person.say(f"save {file}", "saved to")
    person.move("left", "\r")
    person.process.send_signal(signal.SIGKILL)
    person.process.wait()
    assert len(load(next(data.glob("*.game"))).moves) == person.played > 4
    assert len(load(file).moves) == 4

    person = play("--load", str(file))
    person.wait("Your move")
    assert person.played == 4
    while not person.over:
        person.move("\r")
    person.wait("plywise review")
    person.say("quit")
    after = person.leave()
    assert person.process.returncode == 0
    assert re.match(r"(You win|You lose|Draw): .*\.\nReview it: plywise review " + game, after)


def test_a_killed_game_is_offered_again(play: Callable[..., Terminal], data: Path) -> None:
    person = play("tictactoe", *EASY)
    person.wait("Your move")
    person.move("b2\r")
    person.process.send_signal(signal.SIGKILL)
    person.process.wait()

    person = play()
    person.wait("Which game?")
    assert "Resume" in person.screen
    person.say("", "Your move")
    assert person.played == 2
    person.say("resign", "You lose: you resigned")
    person.say("quit")
    person.leave()
    assert not list(data.iterdir())  # a finished game has nothing to go on with


def test_the_chooser(play: Callable[..., Terminal]) -> None:
    person = play()
    person.wait("Which game?")
    person.press("down")
    person.wait(f"▸  2  {games.find(games.names()[1]).title}")
    person.say("nochess", "there is no game 'nochess'")
    person.say("tictactoe:rows=4,k=3", "Who moves first?")
    person.say("2", "How strong")
    person.say("1", "Your move")
    assert person.played == 1
    assert "4  " in person.screen
    person.press("\x04")
    assert person.leave() == "Saved. Continue with: plywise play\n"


def test_the_chooser_has_the_levels_of_a_games_own_agents(play: Callable[..., Terminal]) -> None:
    person = play(size=(100, 30))
    person.wait("Which game?")
    person.say("connect4", "Who moves first?")
    person.say("1", "Which engine?")
    person.press("down")
    person.wait("▸  2  seed")
    person.say("", "1 to 4: looks 2, 4, 6 or 8 plies ahead")
    assert "▸  2  Level 2  default" in person.screen
    assert "Level 5" not in person.screen
    person.say("4", "seed:level=4")  # the title names both players
    person.wait("Your move")
    person.say("4", "seed:level=4 plays ")
    person.say("quit")
    person.leave()


def test_two_people_and_commands(play: Callable[..., Terminal]) -> None:
    person = play("tictactoe", "--second", "human")
    person.wait("Player 1 to move")
    person.say("a1", "Player 2 to move")
    person.say("z9", "'z9' is not a move")
    person.say("a1", "'a1' is not legal here")
    person.say("hnt", "did you mean 'hint'?")
    person.say("undo", "Player 1 to move")
    person.say("help", "any key to go back")
    person.press("x")
    person.wait("Player 1 to move")
    for move in ("a1", "b1", "a2", "b2"):
        person.press(move, "\r")
    person.wait(lambda: person.played == 4)
    person.say("a3", "Player 1 wins: 3 in a line")
    person.say("b3", "the game is over: type 'new' for another")
    person.say("new", "Player 1 to move")
    assert person.played == 0


def test_agents_are_watched(play: Callable[..., Terminal]) -> None:
    agents = ("--first", "random", "--second", "random", "--seed", "1")
    person = play("tictactoe", *agents, "--moves", "a1 b2 c3 c1 a3")
    person.wait(lambda: person.played > 5)  # and if all is over by now, undo works too
    person.say("undo", "paused: press Enter to continue")
    person.press("\r")
    person.wait(lambda: "wins" in person.screen or "Draw" in person.screen)
    person.say("quit")
    person.leave()


def test_a_clock_runs_out(play: Callable[..., Terminal]) -> None:
    person = play("tictactoe", *EASY, "--clock", "1 a move", "--moves", "b2 a1")
    person.wait("You lose: player 1 ran out of time")


def test_ctrl_c_asks_and_then_leaves(play: Callable[..., Terminal]) -> None:
    person = play("connect4", "--second", "alphabeta:time=600")
    person.wait("Your move")
    person.press("\x03")
    person.wait("Ctrl-C again to quit")
    person.press("right", "\r")
    person.wait("is thinking depth")  # and keys are heard all the same
    person.say("5", "it is not your turn: alphabeta:time=600")
    person.say("undo", "took back 1 move")
    person.wait("Your move")
    person.press("\r")
    person.wait("is thinking depth")
    person.press("\x03")
    person.wait("Ctrl-C again to quit")
    person.press("\x03")
    assert "plywise: stopped" in person.leave()
    assert person.process.returncode == 130


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGHUP])
def test_a_signal_gives_the_terminal_back(play: Callable[..., Terminal], number: int) -> None:
    person = play("tictactoe", *EASY)
    person.wait("Your move")
    person.process.send_signal(number)
    assert person.leave() == ""
    assert person.process.returncode == -number


def test_ctrl_z_and_back(play: Callable[..., Terminal]) -> None:
    person = play("tictactoe", *EASY)
    person.wait("Your move")
    person.press("\x1a")  # its job has no shell, so it goes on at once
    person.wait(lambda: person.output.count("\x1b[?1049h") == 2)
    person.wait("Your move")
    person.press("\x04")
    person.leave()


def test_a_failure_gives_the_terminal_back(terminal: Callable[..., Terminal]) -> None:
    code = (
        "from plywise.cli.terminal.screen import Screen\n"
        "with Screen() as screen:\n"
        "    screen.draw(['hello'])\n"
        "    print('lost in the air')\n"
        "    raise RuntimeError('a fault')\n"
    )
    assert "RuntimeError: a fault" in terminal("-c", code).leave()


@pytest.mark.parametrize("size", [(40, 20), (20, 8)])
@pytest.mark.parametrize("game", ["connect4", "tictactoe", "tictactoe:rows=19,k=5"])
def test_a_narrow_screen(game: str, size: tuple[int, int], play: Callable[..., Terminal]) -> None:
    person = play(game, "--second", "random", size=size)
    person.wait("Your move")
    person.press("right", "\r")
    person.wait("random plays")
    assert all(width(row) <= size[0] for row in person.rows)
    assert person.rows[-1].startswith(">") or any(row.startswith("> ") for row in person.rows)
    person.say("help", "undo")
    assert all(width(row) <= size[0] for row in person.rows)


def test_a_window_that_changes(play: Callable[..., Terminal]) -> None:
    person = play("tictactoe:rows=15,k=5", "--second", "random", size=(80, 30))
    person.wait("15  ")
    person.resize(40, 20)
    person.process.send_signal(signal.SIGWINCH)  # it has no controlling terminal to tell it
    person.wait("15  · · · · · · · · · · · · · · ·")


def test_the_rules_on_a_page(play: Callable[..., Terminal]) -> None:
    person = play("connect4", "--first", "random", "--second", "human", size=(80, 24))
    person.wait("random plays")
    person.wait("New to Connect-4? Type 'rules'.")  # it stays when the agent has moved
    person.say("rules", "Get four of your discs")
    assert "Your move" not in person.screen
    person.press(PAGE_DOWN)
    person.wait("Four in a row")
    assert "Get four of your discs" not in person.screen
    person.press("down", "down", "down", "down", PAGE_UP)
    person.wait("upright and has seven columns")
    assert "Get four of your discs" not in person.screen  # four lines below the top
    person.press("up")
    person.wait("Get four of your discs")
    person.press(END)
    person.wait("100%")
    person.resize(40, 24)
    person.process.send_signal(signal.SIGWINCH)
    person.wait("with best play.")
    assert all(width(row) <= 40 for row in person.rows)
    person.press("q")
    person.wait("Your move")
    assert "New to" not in person.screen
    person.say("rules", "Get four of your discs")
    person.press("\x1b")
    person.wait("Your move")
    person.say("rules", "Get four of your discs")
    person.press("\x03")
    person.wait("Ctrl-C again to quit")
    person.say("quit")
    person.leave()

    person = play("connect4", "--second", "human")
    person.wait("Player 1 to move")
    assert "New to" not in person.screen


def test_the_toss_and_the_board_are_told_on_the_screen(play: Callable[..., Terminal]) -> None:
    person = play("makeway:dots=9", "--seed", "3", size=(100, 46))
    person.wait("auto plays ")
    person.wait("Toss: auto moves first.")  # it stays when the engine has moved
    assert re.search(r"Board: makeway:dots=9,seed=\d+", person.screen)
    person.say("moves", "played: ")
    assert "Toss: " not in person.screen


def test_rules_are_not_offered_to_agents(play: Callable[..., Terminal], data: Path) -> None:
    person = play("tictactoe", "--first", "random", "--second", "random")
    person.wait("Review it")
    assert "New to" not in person.output
    assert not (data.parent / "met.txt").exists()


def test_rules_are_offered_to_a_person_who_types_lines(
    terminal: Callable[..., Terminal], data: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TERM", "dumb")
    person = terminal("-m", "plywise", "play", "tictactoe", "--second", "human")
    while "to move" not in person.output:
        person.read()
    assert "New to Tic-Tac-Toe? Type 'rules'." in person.output
    person.press("quit\r")
    person.process.wait(PATIENCE)
    assert (data.parent / "met.txt").read_text() == "tictactoe\n"


ANOTHER_THREAD = """
import signal, threading, time
from plywise.cli.terminal.screen import Screen

with Screen() as screen:
    threading.Thread(target=time.sleep, args=(300,), daemon=True).start()
    signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGWINCH})
    screen.draw(["waiting"])
    screen.keys(None)
    screen.draw(["heard"])
    screen.keys(None)
"""


def test_a_signal_that_reaches_another_thread_is_heard(
    terminal: Callable[..., Terminal],
) -> None:
    person = terminal("-c", ANOTHER_THREAD)
    person.wait("waiting")
    person.wait(lambda: person.asleep)
    person.process.send_signal(signal.SIGWINCH)
    person.wait("heard")


def test_an_agent_that_fails(play: Callable[..., Terminal], tmp_path: Path) -> None:
    agent = tmp_path / "agent.py"
    agent.write_text("def get_move(state, player):\n    raise ValueError('no idea')\n")
    person = play("tictactoe", "--second", str(agent))
    person.wait("Your move")
    person.say("b2", "You win: ")
    assert "ValueError: no idea" in " ".join(person.screen.split())  # a long path is wrapped


# ---- line by line ------------------------------------------------------------------------------


def lines(text: str, *arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "plywise", "play", *arguments],
        input=text,
        capture_output=True,
        text=True,
        timeout=PATIENCE,
    )


def test_a_new_game_has_a_random_board_and_the_toss_is_told() -> None:
    shown = [lines("quit\n", "makeway", "--seed", str(seed)).stdout for seed in range(6)]
    boards = [text.splitlines()[0] for text in shown]
    assert all(re.fullmatch(r"Board: makeway:seed=\d+", board) for board in boards)
    assert len(set(boards)) == 6
    tossed = {text.splitlines()[1] for text in shown}
    assert tossed == {"Toss: you move first.", "Toss: auto moves first."}
    # Another one after 'new', and the one that is named.
    again = lines("new\nquit\n", "makeway:seed=7", "--second", "human", "--seed", "1").stdout
    named = [line for line in again.splitlines() if line.startswith("Board: ")]
    assert named[0] == "Board: makeway:seed=7"
    assert named[1] != named[0]


def test_a_game_in_lines(tmp_path: Path) -> None:
    file = tmp_path / "two.game"
    moves = "a1\nb1\na2\nnonsense\nb2\nundo\nredo\n"
    result = lines(f"{moves}save {file}\n", "tictactoe", "--second", "human")
    assert result.returncode == 0
    assert "'nonsense' is not a move" in result.stdout
    assert "took back 1 move" in result.stdout
    assert "Player 1 to move" in result.stdout
    assert result.stdout.endswith("Saved. Continue with: plywise play\n")

    result = lines("a3\nnew\nquit\nb2\n", "--load", str(file))
    assert "Player 1 wins: 3 in a line." in result.stdout
    assert "Review it: plywise review tictactoe --moves 'a1 b1 a2 b2 a3'" in result.stdout
    assert result.stdout.endswith("Player 1 to move\n")


def test_rules_in_lines(data: Path) -> None:
    shown = lines("rules\nrules now\nruls\n", "snails", "--first", "human", "--second", "human")
    assert "New to" not in shown.stdout  # what is piped in comes from a script
    assert not (data.parent / "met.txt").exists()
    text = shown.stdout
    assert "\nStuck\n-----\n\nA snail is stuck if" in text
    assert "\n- You cannot move onto your opponent's trail or off the board.\n" in text
    assert "slides back to the corner over their own trail\n\n    8  . . . . . . . o\n" in text
    assert "'rules' takes no argument: leave out 'now'" in text
    assert "did you mean 'rules'?" in text
    assert text.count("Player 1 to move") == 1  # the board has not changed
    assert max(map(len, text.splitlines())) <= 80


MINE = """\
{docstring}
from dataclasses import replace
from plywise import rule
from plywise.games import find

FOUND = find("tictactoe")

@rule
def setup(b, s):
    FOUND.rules.setup(b, s)

GAME = replace(
    FOUND,
    name="mine",
    title="My Game",
    rules=replace(FOUND.rules, setup=setup),
    words=replace(FOUND.words, summary={summary!r}),
)
"""


@pytest.mark.parametrize(
    ("docstring", "summary", "rules"),
    [
        ('"""Three:\n\n    x x x\n\nwin.\n"""', "One line.", "Three:\n\n    x x x\n\nwin.\n"),
        ("", "One line.", "One line.\n"),
    ],
)
def test_the_rules_of_a_file_without_a_guide(
    docstring: str, summary: str, rules: str, tmp_path: Path
) -> None:
    file = tmp_path / "mine.py"
    file.write_text(MINE.format(docstring=docstring, summary=summary))
    shown = lines("rules\n", str(file), "--second", "human").stdout
    assert shown.endswith(f"My Game\n-------\n\n{rules}")


def test_a_game_without_rules_says_so(tmp_path: Path) -> None:
    file = tmp_path / "mine.py"
    file.write_text(MINE.format(docstring="", summary=""))
    shown = lines("rules\n", str(file), "--second", "human").stdout
    assert shown.endswith("to move\nMy Game has no written rules.\n")


def test_points_in_lines() -> None:
    shown = lines("a1\nf1\nb1\ne1\nc1\nd1\nundo\n", "align", "--second", "human").stdout
    assert shown.count("X player 1 (0)  O player 2 (0)\n") == 5
    assert "   a b c d e f\nX player 1 (3)  O player 2 (0)\nPlayer 1 scores 3 points;" in shown
    assert "X player 1 (3)  O player 2 (6)\nPlayer 2 scores 6 points;" in shown
    assert "player 1 (" not in lines("a1\n", "tictactoe", "--second", "human").stdout


@pytest.mark.parametrize(
    ("players", "colour", "expected"),
    [
        (("--second", "human"), "red", "X"),
        (("--second", "human"), "Yellow", "O"),
        (("--first", "random", "--second", "human"), "red", "O"),
        (("--first", "random", "--second", "human"), "yellow", "X"),
        (("--first", "human", "--second", "random"), "yellow", "O"),
    ],
)
def test_a_choice_of_colour(players: tuple[str, ...], colour: str, expected: str) -> None:
    shown = lines("", "connect4", *players, "--colour", colour, "--moves", "44").stdout
    columns = [line.split()[3] for line in shown.splitlines()[4:6]]
    assert columns == [{"X": "O", "O": "X"}[expected], expected]


def test_other_marks_in_lines_and_in_a_saved_game(tmp_path: Path) -> None:
    file = tmp_path / "digits.game"
    players = "--second", "human", "--save", str(file)
    shown = lines("b2\na1\nquit\n", "tictactoe:marks=digits", *players).stdout
    assert "2  . 1 .\n1  0 . .\n" in shown
    assert "X" not in shown
    again = lines("quit\n", "--load", str(file)).stdout
    assert "2  . 1 .\n1  0 . .\n" in again


def test_other_marks_on_the_screen(play: Callable[..., Terminal]) -> None:
    person = play("tictactoe:marks=digits", "--second", "human", "--moves", "b2 a1")
    person.wait("Player 1 to move")
    assert "1 player 1  0 player 2" in person.screen
    assert "[0]" in person.screen


def test_a_chosen_colour_on_the_screen(
    play: Callable[..., Terminal], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLORTERM", "truecolor")
    person = play("connect4", "--second", "human", "--colour", "yellow", "--moves", "4")
    person.wait("Player 2 to move")
    assert "○  player 1   ●  player 2" in person.screen
    assert "[○]" in person.screen
    inks = re.findall(r"38;2;(\d+;\d+;\d+)[0-9;]*m (.) \x1b", person.output)
    assert inks[:2] == [("245;217;59", "○"), ("232;98;42", "●")]  # yellow, red


def test_hints_in_lines() -> None:
    result = lines("hint\n" * 3, "tictactoe", "--moves", "a1 b2 a2 c1", *EASY)
    assert "('hint' again for the move)" in result.stdout
    assert "Play a3. ('hint' again for the reason)" in result.stdout
    assert "a3: wins at once" in result.stdout


def test_the_last_hint_shows_why_on_the_board() -> None:
    ladder = "0/2_2/0_2/4_4/0_4/4_6/2:0-1_0-2_1-2_1-3_1-4_2-4_3-4_3-5_4-5"
    shown = lines("hint\n" * 3, f"makeway:board={ladder}", "--first", "human", *EASY).stdout
    before, _, after = shown.partition("two separate sets of lines guarantee your connection")
    assert "===" not in before
    assert "===" in after
    assert "~~~" in after


def test_the_chooser_in_lines() -> None:
    result = lines("tictactoe\nseven\n3\na1\n")
    assert "Which game?" in result.stdout
    assert "'seven' is not one of the answers: type one of 1, 2, 3, 4, 5" in result.stdout
    assert "Player 2 to move" in result.stdout
    *_, last_game, puzzle = lines("").stdout.splitlines()
    assert last_game.startswith(f"   {len(games.names())}  ")
    assert puzzle.startswith(f"   {len(games.names()) + 1}  Slither (puzzle): Draw one")


def test_the_chooser_asks_for_an_engine_only_where_there_are_several() -> None:
    assert "Which engine?" not in lines("tictactoe\n1\n2\n").stdout
    chosen = lines("connect4\n2\nseed\n3\n")
    assert "Which engine?" in chosen.stdout
    assert "seed:level=3 plays 4" in chosen.stdout
    assert "auto:level=4 plays" in lines("connect4\n2\n\n\n").stdout


def test_agents_in_lines_need_nobody() -> None:
    result = lines("", "tictactoe", "--first", "random", "--second", "random", "--seed", "3")
    assert "random plays" in result.stdout
    assert "Review it: " in result.stdout


def test_a_file_of_ones_own(tmp_path: Path, data: Path) -> None:
    file = tmp_path / "kept.game"
    assert "Continue with" in lines("b2\n", "tictactoe", *EASY, "--save", str(file)).stdout
    assert len(load(file).moves) == 2
    assert not data.exists()
    refused = lines("", "tictactoe", "--save", str(file))
    assert (refused.returncode, refused.stdout) == (2, "")
    assert "already holds a game: add --load" in refused.stderr
    more = lines("undo\nnew\na1\n", "--load", str(file), "--save", str(file))
    assert "took back 2 moves" in more.stdout
    assert f"a new game; the last one stays in {file}" in more.stdout
    assert (load(file).moves, len(load(file).undone)) == ((), 2)


#: What can be said in vain at the start of a game, and the answer.
REFUSALS = (
    ("save", "'save' needs a file name"),
    ("load", "'load' needs a file name"),
    ("load nowhere.game", "nowhere.game cannot be read"),
    ("save /nowhere/my.game", "cannot be written"),
    ("save {other}", "exists and is not a saved game"),
    ("load {other}", "a saved game begins with"),
    ("undo", "there is nothing to take back"),
    ("redo", "there is nothing to redo"),
    ("resume", "there is no other unfinished game"),
    ("undo 3", "'undo' takes no argument"),
    ("d9", "'d9' is not a move"),
)


def test_refusals_lose_nothing(tmp_path: Path) -> None:
    other = tmp_path / "other.txt"
    other.write_text("my only copy\n")
    said = "".join(f"{command.format(other=other)}\nmoves\n" for command, _ in REFUSALS)
    result = lines(said, "tictactoe", "--first", "human")
    *answers, _ = result.stdout.split("played: none yet")
    assert len(answers) == len(REFUSALS)
    for (command, words), answer in zip(REFUSALS, answers, strict=True):
        assert words in answer, command
    assert other.read_text() == "my only copy\n"


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("chess",), "there is no game 'chess'"),
        (("tictactoe", "--second", "nobody"), "nobody"),
        (("tictactoe", "--moves", "a1 a1"), "'a1' is not legal here"),
        (("--moves", "a1"), "--moves needs a game"),
        (("--load", "nowhere.game"), "nowhere.game cannot be read"),
        (("tictactoe", "--load", "x"), "leave out GAME"),
        (("tictactoe", "--clock", "soon"), "'soon' is not a clock"),
        (("tictactoe", "--seed", "-1"), "the seed must be at least 0, not -1"),
        (("tictactoe", "--theme", "pink"), "there is no theme 'pink'"),
        (("connect4", "--colour", "pink"), "Connect-4 has no colour 'pink': choose red or yellow"),
        (("snails", "--colour", "red"), "Snails has no choice of colours: leave out --colour"),
    ],
)
def test_bad_options(run: Run, arguments: tuple[str, ...], message: str) -> None:
    assert message in run("play", *arguments).complaint


# ---- the parts ---------------------------------------------------------------------------------


def test_keys_however_they_are_cut() -> None:
    data = "aé\x1b[A\x1bOB\x1b[1;5C\x1b[3~\x1b[5~\x1b[6;5~\x1b[H\x1bOF\x7f\r\x03".encode()
    names = ["text", "text", "up", "down", "right", "page-up", "page-down", "home", "end"]
    names += ["backspace", "enter", "ctrl-c"]
    for size in range(1, 9):
        keys = Keys()
        pressed: list[Key] = []
        for at in range(0, len(data), size):
            pressed += keys.feed(data[at : at + size])
        assert [key.name for key in pressed] == names
    keys = Keys()
    assert keys.feed(b"\x1b") == []
    assert keys.waiting
    assert keys.flush() == [Key("escape")]


def test_the_pointer_goes_to_the_nearest_target() -> None:
    scene = scene_of(make("connect4").position("4444"))
    assert pointer.nearest(scene) == "4"
    assert [pointer.step(scene, "4", key) for key in ("left", "right", "up")] == ["3", "5", "4"]
    #  3 · · ·
    #  2 · X ·   b2 is taken: to the right of a2 is c2
    #  1 · · ·
    scene = scene_of(make("tictactoe").position("b2"))
    assert pointer.step(scene, "a2", "right") == "c2"
    assert pointer.step(scene, "a2", "up") == "a3"
    assert pointer.turn(scene, "c3", 1) == "a1"
    for start in make("tictactoe").position("b2").legal:  # every target can be reached
        seen, edge = {start}, {start}
        while edge:
            edge = {pointer.step(scene, at, key) for at in edge for key in ARROWS} - seen
            seen |= edge
        assert len(seen) == 8


def test_the_pointer_goes_around_cells_and_to_the_next() -> None:
    # +-0-+-1-+
    # 4   5   6
    # +-2-+-3-+
    places = [(0.5, 0.0), (1.5, 0.0), (0.5, 1.0), (1.5, 1.0), (0.0, 0.5), (1.0, 0.5), (2.0, 0.5)]
    left, right = (0.5, 0.5), (1.5, 0.5)
    sides = pointer.Sides(places, [left, right, left, right, left, right, right])

    def walk(place: int, cell: tuple[float, float], *keys: str) -> list[int]:
        found = []
        for key in keys:
            if key in ("tab", "backtab"):
                place, cell = sides.turn(place, cell, 1 if key == "tab" else -1)
            else:
                place, cell = sides.step(place, cell, key)
            found.append(place)
        return found

    assert walk(0, left, *["tab"] * 4) == [5, 2, 4, 0]
    assert walk(0, left, *["backtab"] * 4) == [4, 2, 5, 0]
    assert walk(5, right, *["tab"] * 4) == [1, 6, 3, 5]
    assert walk(0, left, "right", "right", "down", "down", "tab") == [1, 1, 3, 3, 5]
    # The last cell has an outer side, but there is no cell beyond it.
    assert walk(4, left, "left", "right", "right", "right", "tab") == [4, 5, 6, 6, 3]


def test_arrow_keys_point_from_where_all_moves_start() -> None:
    #  2 . . . .
    #  1 x x x X    a long slide to the left, a step up or right
    scene = scene_of(make("snails:rows=4,cols=5").from_text("5/4O/5/xxxX1 0 x"))
    assert {target.move for target in scene.targets} == {"u", "r", "l"}
    for at in "url":
        found = [pointer.step(scene, at, key) for key in ("up", "right", "left", "down")]
        assert found == ["u", "r", "l", at]


def test_games_at_the_same_time_are_kept_apart(data: Path) -> None:
    record = GameRecord("tictactoe", ("human", "auto"), moves=(Move("a1"),))
    one, two = unfinished.GAMES.new_place(), unfinished.GAMES.new_place()
    assert one.file is not None
    assert two.file is not None
    assert one.file != two.file
    save(record, one.file)
    save(record, two.file)
    assert unfinished.newest_game() is None  # both are being played
    two.release(record)
    found = unfinished.newest_game("tictactoe")
    assert found is not None
    assert found[0].file == two.file
    assert unfinished.newest_game() is None  # and now this one is again
    found[0].release(record)
    assert unfinished.newest_game("connect4") is None
    assert unfinished.newest_game("tictactoe", ("human", "random")) is None
    one.release(record)


def test_old_games_make_room(data: Path) -> None:
    record = GameRecord("tictactoe", ("human", "auto"), moves=(Move("a1"),))
    for _ in range(24):
        place = unfinished.GAMES.new_place()
        assert place.file is not None
        save(record, place.file)
        place.release(record)
    unfinished.GAMES.new_place().release(GameRecord("tictactoe", ("human", "auto")))
    assert len(list(data.glob("*.game"))) == 20


def test_without_a_data_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "file").write_text("")
    monkeypatch.setenv("PLYWISE_DATA", str(tmp_path / "file"))
    result = lines("b2\n", "tictactoe", *EASY)
    assert result.returncode == 0
    assert "The game could not be saved" in result.stdout


def test_a_snail_by_arrow_keys(play: Callable[..., Terminal]) -> None:
    person = play("snails", "--second", "astar")
    person.wait("Your move")
    for _ in range(3):
        person.move("right", "\r")
    assert "X you (4)" in person.screen
    person.press("left")
    person.wait(">x<│ x │ x │ X")  # a slide is pointed at where it ends
    person.press("right")
    person.wait("(x)│ x │ x │ X │>◦<")  # and shown there, like every legal move
    person.press("left")
    person.wait(">x<│ x │ x │ X")
    person.move("\r")
    assert "X you (4)" in person.screen
    person.say("d", "'d' is not legal here: the legal moves are u r")
    person.say("quit")
    person.leave()


def test_few_legal_moves_are_shown_at_once(play: Callable[..., Terminal]) -> None:
    person = play("andantino:side=4", "--second", "human")
    person.wait("Player 1 to move")
    assert person.screen.count("◦") == 1  # of 37 cells
    person.say("legal", "the legal moves are hidden")
    assert "◦" not in person.screen
    person.say("legal", "the legal moves are shown")
    person.say("", "Player 2 to move")
    assert person.screen.count("◦") == 6  # around the first stone
    person.say("quit")
    person.leave()


def test_legal_moves_in_lines() -> None:
    before, after, again = lines(
        "legal\nlegal\n", "andantino:side=4", "--second", "human"
    ).stdout.split("the legal moves are ")
    assert (before.count("+"), after.count("+"), again.count("+")) == (1, 0, 1)
    # What every free cell allows goes without saying, and an agent needs no marks.
    assert "+" not in lines("", "tictactoe", "--second", "human").stdout
    watched = lines("", "connect4:rows=2,cols=4", "--first", "random", "--second", "random")
    assert "random plays" in watched.stdout
    assert "+" not in watched.stdout


def test_points_are_announced(play: Callable[..., Terminal]) -> None:
    person = play("align", "--second", "mirror")
    person.wait("Your move")
    person.say("a1", "mirror plays f1")
    person.say("b1", "mirror plays e1")
    person.say("c1", "mirror scores 6 points; your move")
    assert "X you (3)  O mirror (6)" in person.screen
    person.say("quit")
    person.leave()


def test_moves_stand_one_by_one_where_a_turn_was_skipped(
    play: Callable[..., Terminal], tmp_path: Path
) -> None:
    #  2 o . . .
    #  1 X O . .   player 1 is stuck, player 2 goes on alone
    file = tmp_path / "my.game"
    save(GameRecord("snails:rows=4,cols=4", ("human", "human"), "4/4/o3/XO2 0 o"), file)
    person = play("--load", str(file))
    person.wait("Player 2 to move")
    for number, move in enumerate("uul", 1):
        person.say(move, f"{number}.       {move}")
        assert "Player 2 to move" in person.screen
    person.say("quit")
    person.leave()


class Quiet:
    """Stands in for the screen of a loop that nobody looks at."""

    on_print: object = None

    def wake(self) -> None:
        pass


def test_a_hint_asked_for_twice_is_still_looked_for(monkeypatch: pytest.MonkeyPatch) -> None:
    screen: Any = Quiet()
    inbox, found = Inbox(screen), threading.Event()
    record = GameRecord("tictactoe", ("human", "human"))
    controller = GameController(
        record,
        unfinished.GAMES.new_place(),
        listener=inbox.put,
        on_output=None,
    )
    monkeypatch.setattr(controller, "look", lambda stop: found.wait(PATIENCE) and None)
    loop = Loop(screen, controller, inbox, "light")
    loop._carry_out("hint")
    assert loop.showing.busy == "looking for a hint"
    loop._carry_out("hint")
    assert loop.showing.message == ("still looking for a hint",)
    found.set()
    loop._do("a1")
    loop._carry_out("hint")  # waits for the search that the move has stopped, and begins another
    assert loop.showing.busy == "looking for a hint"
    loop.leave()
