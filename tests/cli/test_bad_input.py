"""Bad input: one line that says what was wrong and what would be right, exit 2, no trace."""

from __future__ import annotations

import io
from pathlib import Path

import pytest

from plywise.cli import main

CASES = [
    # the command itself
    (["shwo"], "unknown command 'shwo': did you mean 'show'?"),
    (["dance"], "unknown command 'dance': choose from align, analyze,"),
    (["--loud"], "plywise has no option '--loud': choose from --help, --install-completion, "),
    (["show"], "missing argument 'GAME|FILE'; usage: plywise show"),
    (["show", "connect4", "tictactoe"], "got unexpected extra argument"),
    (["show", "connect4", "--jsn"], "show has no option '--jsn': did you mean '--json'?"),
    (["show", "connect4", "--moves"], "Option '--moves' requires an argument"),
    (["perft", "connect4", "many"], "invalid value for 'DEPTH': "),
    (["perft", "--json", "connect4", "--", "-1"], "depth must be at least 0, not -1"),
    # games
    (["show", "conect4"], "there is no game 'conect4': did you mean 'connect4'?"),
    (["show", "chess"], "there is no game 'chess': choose from align, "),
    (["show", ""], "'' has no name"),
    (["show", "connect4:rows"], "'rows' in 'connect4:rows' is not key=value"),
    (["show", "tictactoe:size=3"], "tictactoe has no parameter 'size': choose from cols, k, marks"),
    (["show", "tictactoe:rows=0"], "rows=0 is not valid: rows must be a whole number from 1 to 19"),
    (["show", "tictactoe:rows=-1"], "rows=-1 is not valid: "),
    (["show", "tictactoe:rows=20"], "rows=20 is not valid: "),
    (["show", "tictactoe:rows=three"], "rows=three is not valid: "),
    (["show", "tictactoe:k=4"], "k=4 is too long: a line on a 3 x 3 board has at most 3"),
    (["show", "connect4:rows=20"], "rows=20,cols=7 is too large: "),
    # moves and positions
    (["show", "connect4", "--moves", "8"], "'8' is not a move: write the number of a column"),
    (["show", "connect4", "--moves", "x"], "'x' is not a move: "),
    (["show", "connect4", "--moves", "4444444"], "move 7 of 7: '4' is not legal here: "),
    (["show", "connect4:rows=3,cols=12", "--moves", "123"], "'123' is ambiguous"),
    (["show", "tictactoe", "--moves", "b2 b2"], "move 2 of 2: 'b2' is not legal here: "),
    (["show", "connect4", "--moves", "12121213"], "move 8 of 8: '3' cannot be played: "),
    (["show", "tictactoe", "--text", "hello"], "'hello' is not a position of tictactoe: "),
    (["show", "tictactoe", "--text", "xxx/ooo/3 x"], "'xxx/ooo/3 x' is not a position of "),
    (["show", "connect4", "--text", "x6/7/7/7/7/7 o"], "'x6/7/7/7/7/7 o' is not a position of "),
    # agents and limits
    (["analyze", "connect4", "--agent", "alfabeta"], "there is no agent 'alfabeta' for connect4"),
    (["analyze", "connect4", "--agent", "textbook:dept=2"], "textbook has no parameter 'dept'"),
    (["analyze", "connect4", "--agent", "textbook:depth=0"], "depth=0 is not valid: depth must "),
    (["analyze", "connect4", "--agent", "textbook:heuristic=x"], "connect4 has no heuristic 'x'"),
    (["analyze", "connect4", "--time", "-1"], "time=-1.0 is not valid: time must be a number"),
    (["analyze", "connect4", "--time", "nan"], "time=nan is not valid: time must be a number"),
    (["analyze", "connect4", "--depth", "0"], "depth=0 is not valid: depth must be a whole number"),
    (
        ["analyze", "connect4", "--moves", "1212121", "--agent", "minimax"],
        "the game is over (four in a line): there are no moves left",
    ),
    (["match", "connect4", "textbook", "nobody"], "there is no agent 'nobody' for connect4"),
    (["match", "connect4", "textbook", "seed", "--games", "0"], "games must be at least 1, not 0"),
    (
        ["match", "tictactoe", "textbook", "seed", "--opening-plies", "9"],
        "no game of tictactoe lasts longer than 9 random moves: use fewer",
    ),
    (
        ["match", "tictactoe", "textbook", "seed", "--opening-plies", "-2"],
        "opening_plies must be at least 0",
    ),
    (
        ["solve", "connect4", "--moves", "4", "--positions", "some.txt"],
        "give --moves or --positions, not both",
    ),
    (["solve", "connect4", "--positions", "missing.txt"], "missing.txt: No such file"),
    (["warmup", "conect4"], "there is no game 'conect4': "),
]
IDS = [" ".join(arguments) for arguments, _ in CASES]


@pytest.mark.parametrize(("arguments", "complaint"), CASES, ids=IDS)
def test_one_line_and_exit_2(run, arguments, complaint):
    result = run(*arguments)
    assert result.complaint.startswith(complaint)
    assert result.out == ""


@pytest.mark.parametrize("json", [[], ["--json"]])
def test_json_mode_says_it_on_stderr_too(run, json):
    result = run("show", "conect4", *json)
    assert result.complaint
    assert result.out == ""


def test_files_that_are_not_there_or_are_folders(run, tmp_path):
    missing, folder = str(tmp_path / "missing.py"), tmp_path / "folder.py"
    folder.mkdir()
    for path, reason in ((missing, "No such file or directory"), (str(folder), "Is a directory")):
        for what, command in (
            ("game", ["show", path]),
            ("agent", ["analyze", "connect4", "--agent", path]),
        ):
            complaint = f"the {what} file {path!r} cannot be read: {reason}"
            assert run(*command).complaint == complaint
        assert run("solve", "connect4", "--positions", path).complaint == f"{path}: {reason}"


def test_a_file_of_positions_that_is_no_text(run, tmp_path):
    (tmp_path / "picture").write_bytes(b"\x89PNG\xff\xfe")
    complaint = run("solve", "connect4", "--positions", str(tmp_path / "picture")).complaint
    assert complaint.startswith(f"{tmp_path / 'picture'} is not a text file: ")


@pytest.mark.slow
@pytest.mark.parametrize(
    ("source", "complaint"),
    [
        ("raise KeyError('oh')", "raised KeyError: 'oh'"),
        ("def get_move(state player):", "raised SyntaxError: "),
        ("import sys; sys.exit(3)", "raised SystemExit: 3 (line 1)"),
        ("answer = 42", "does not define get_move(state, player)"),
    ],
)
def test_agent_files_that_are_none(run, file, source, complaint):
    for number, command in enumerate(
        (["analyze", "connect4", "--agent"], ["match", "connect4", "textbook"])
    ):
        agent = file(f"agent{number}.py", source)
        result = run(*command, agent)
        assert result.complaint.startswith(f"the agent file {agent} {complaint}")
        assert result.out == ""


@pytest.mark.slow
@pytest.mark.parametrize(
    ("source", "complaint"),
    [
        ("def get_move(state, player):\n    return 1 / 0", "raised ZeroDivisionError: division by"),
        ("def get_move(state, player):\n    exit()", "raised SystemExit"),
        ("def get_move(state):\n    return 1", "raised TypeError: get_move() takes 1"),
        (
            "def get_move(state, player):\n    return 'z9'",
            "gave an invalid answer: 'z9' is not a move: ",
        ),
        ("def get_move(state, player):\n    return state.play('9')", "failed: '9' is not a move"),
    ],
)
def test_agent_files_that_break_their_promises(run, file, source, complaint):
    agent = file("agent.py", source)
    result = run("analyze", "connect4", "--agent", agent)
    assert result.complaint.startswith(f"the agent file {agent} {complaint}")
    assert result.out == ""
    match = run("match", "connect4", agent, "random", "--games", "2", "--seed", "1")
    assert (match.code, match.err) == (0, "")
    assert f"A forfeited 2 games: the agent file {agent} {complaint}" in match.out


def test_the_line_of_the_fault_is_named(run, file):
    agent = file("agent.py", "def get_move(state, player):\n    return help_me\n")
    complaint = run("analyze", "connect4", "--agent", agent).complaint
    assert complaint.endswith("raised NameError: name 'help_me' is not defined (line 2)")


def test_an_agent_file_takes_no_parameters_and_scores_no_moves(run, file):
    agent = file("agent.py", "def get_move(state, player):\n    return 1\n")
    assert "takes no parameters" in run("analyze", "connect4", "--agent", f"{agent}:a=1").complaint
    complaint = run("analyze", "connect4", "--agent", agent, "--all").complaint
    assert complaint.endswith("gives one move, not a score for each")


GAME = """
import numpy as np
import plywise
from plywise import rule

State = np.dtype((np.record, [("left", "i8"), ("player", "i8")]))

@rule
def setup(b, s):
    s.left, s.player = 7, 0

@rule
def moves(b, s, out):
    {body}
    count = min(3, s.left)
    for i in range(count):
        out[i] = i
    return count

@rule
def play(b, s, move):
    s.left -= move + 1
    s.player = 1 - s.player

@rule
def turn(b, s):
    return s.player

@rule
def over(b, s):
    return s.left == 0

@rule
def margin(b, s):
    return 1 if s.player == 1 else -1

@rule
def key(b, s):
    return np.uint64(2 * s.left + s.player)

GAME = plywise.GameType(
    name="take",
    state=State,
    rules=plywise.Rules(setup, moves, play, over, margin, turn, key),
    sizes=lambda b: (3, 7),
    notation=plywise.Notation(move_text=lambda b, move: str(move + 1)),
)
"""


def test_a_game_from_a_file(run, file):
    game = file("take.py", GAME.format(body="pass"))
    assert run("show", game, "--json").json["legal"] == ["1", "2", "3"]
    found = run("analyze", game, "--agent", "minimax:depth=7", "--json").json
    assert (found["best"], found["outcome"]) == ("3", "win")
    assert run("show", game, "--moves", "9").complaint == (
        "'9' is not a legal move: the legal moves are 1 2 3"
    )


@pytest.mark.parametrize(
    ("source", "complaint"),
    [
        ("raise KeyError('oh')", "the game file {} raised KeyError: 'oh' (line 1)"),
        ("import sys; sys.exit(3)", "the game file {} raised SystemExit: 3 (line 1)"),
        ("GAME = 42", "{} defines no game: it must set GAME = plywise.GameType(...)"),
        (
            GAME.format(body="raise ValueError('no moves today')"),
            "`moves` raised ValueError: no moves today (line 14 of broken.py)",
        ),
    ],
)
def test_game_files_that_raise(run, file, source, complaint):
    game = file("broken.py", source)
    assert run("show", game, "--json").complaint == complaint.format(game)


def test_rules_that_cannot_be_compiled(run, file):
    game = file("uncompiled.py", GAME.format(body="if s.left > 99: return open('there')"))
    assert run("analyze", game, "--agent", "minimax:depth=2").complaint == (
        "line 14 of uncompiled.py, in `moves`: `open` cannot be used in a rule"
    )


def test_verbose_shows_what_led_to_an_error(run, file, monkeypatch):
    game = file("broken.py", GAME.format(body="raise ValueError('no moves today')"))
    short = run("show", game)
    assert "Traceback" not in short.err
    full = run("show", game, "--verbose")
    monkeypatch.setenv("PLYWISE_VERBOSE", "1")
    for verbose in (full, run("show", game)):
        assert verbose.code == 2
        assert "ValueError: no moves today" in verbose.err
        assert "Traceback" in verbose.err
        assert verbose.err.splitlines()[-1] == short.err.strip()


def test_a_file_is_suggested_where_one_is_meant(run, file, monkeypatch):
    game = file("take.py", GAME.format(body="pass"))
    monkeypatch.chdir(Path(game).parent)
    assert run("check", "take").complaint == "there is no game 'take': did you mean ./take.py?"


def test_check_explains_its_laws(run, file):
    lines = run("check", "--laws").out.splitlines()
    assert "turn: The player to move is 0 or 1." in lines
    game = file(
        "take.py",
        GAME.format(body="pass").replace("move_text=", "read_move=lambda b, text: 0, move_text="),
    )
    complaint = run("check", game, "--quick").complaint
    assert "breaks the law 'move texts'" in complaint
    assert complaint.endswith("('plywise check --laws' explains the laws)")


def test_legal_moves_are_listed_in_a_pipe(file, monkeypatch, tmp_path, capfd):
    """A board of text has no marks for them."""
    game = file("take.py", GAME.format(body="pass"))
    monkeypatch.setenv("PLYWISE_DATA", str(tmp_path))
    monkeypatch.setattr("sys.stdin", io.StringIO("legal\nquit\n"))
    assert main(["play", game, "--second", "human"]) == 0
    assert "\nlegal: 1 2 3\n" in capfd.readouterr().out
