"""UGI: our engines for other programs, and programs that speak it as agents here."""

from __future__ import annotations

import io
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

import plywise
from plywise.adapters.ugi import Ugi
from plywise.play.players import make_agent
from plywise.play.series import play_match
from tests.play.agents.making import SOON, write_program

#: A dialogue as a tool for matches has it: `>` is sent, `<` comes back.
DIALOGUE = """\
> ugi
< id name plywise VERSION alphabeta:depth=9
< id author the plywise authors
< option name Game type string default tictactoe
< option name Agent type string default alphabeta:depth=9
< ugiok
> isready
< readyok
> uginewgame
> isready
< readyok
> position startpos moves a1 b1 a2 b2
> isready
< readyok
> query p1turn
< response true
> query gameover
< response false
> query result
< response none
> go depth 3
< info depth N time N nodes N nps N score mate 1 pv a3
< bestmove a3
> position startpos moves a1 b1 a2 b2 a3
> query p1turn
< response false
> query gameover
< response true
> query result
< response p1win
> position fen xx1/oo1/3 o moves c2
> query result
< response p2win
> setoption name Game value tictactoe:rows=4,k=3
> position startpos moves d4
> query fen
< response 3x/4/4/4 o
> quit
"""


def spoken(*lines: str, game: str = "tictactoe", agent: str = "alphabeta:depth=9") -> list[str]:
    """What is answered to these lines; a search is waited for before the next line."""
    said: list[str] = []
    engine = Ugi(game, agent, said.append)
    for line in lines:
        if not engine.hear(line):
            break
        if line.startswith("go") and engine._search is not None and "infinite" not in line:
            engine._search.join(SOON)
    engine.run([])
    return said


def plain(line: str) -> str:
    line = re.sub(r"(depth|time|nodes|nps) \d+", r"\1 N", line)
    return line.replace(plywise.__version__, "VERSION")


def repeats(said: list[str], at: int) -> bool:
    """A search may tell its result more than once."""
    return at > 0 and said[at].startswith("info") and said[at] == said[at - 1]


def test_a_dialogue() -> None:
    sent = [line[2:] for line in DIALOGUE.splitlines() if line[0] == ">"]
    wanted = [line[2:] for line in DIALOGUE.splitlines() if line[0] == "<"]
    found = [plain(line) for line in spoken(*sent)]
    told = [found[at] for at in range(len(found)) if not repeats(found, at)]
    assert told == wanted


@pytest.mark.parametrize(
    ("line", "complaint"),
    [
        ("castle", "'castle' is not a command of UGI"),
        ("position", "'position ' is not valid: position startpos or fen TEXT"),
        ("position startpos moves z9", "'z9' is not a move: "),
        ("position startpos moves a1 a1", "'a1' is not legal here"),
        ("position fen nonsense", "'nonsense' is not a position of tictactoe"),
        ("go", "'go ' is not valid: go movetime MS"),
        ("go depth", "'go depth' is not valid"),
        ("go depth x nodes", "'go depth x nodes' is not valid"),
        ("go nodes 0", "nodes=0 is not valid"),
        ("query weather", "'query weather' is not valid: query p1turn"),
        ("setoption name Hash value 3", "setoption name Game or Agent value"),
        ("setoption name Agent value deepblue", "there is no agent 'deepblue'"),
    ],
)
def test_nonsense_changes_nothing(line: str, complaint: str) -> None:
    said = spoken("position startpos moves b2", line, "query fen")
    assert said[-1] == "response 3/1x1/3 o"
    assert len(said) == 2
    assert said[0].startswith("info string ")
    assert complaint in said[0]
    assert "\n" not in said[0]


def test_no_move_after_the_end() -> None:
    said = spoken("position startpos moves a1 b1 a2 b2 a3", "go depth 2")
    assert said == ["info string the game is over: 3 in a line"]


def test_clocks_and_stop() -> None:
    """A share of the clock; and `stop` ends a search that would take forever."""
    engine = Ugi("connect4", "alphabeta", lambda line: None)
    engine.hear("position startpos moves 4")
    limits = engine._limits("p1time 1000 p2time 40000 p1inc 0 p2inc 1000")
    assert limits == plywise.Limits(time=2.8)
    assert engine._limits("p1time 9 p2time 100 p2inc 1000").time == 0.05
    said = spoken("position startpos", "go infinite", "stop", game="makeway", agent="alphabeta")
    assert said[-1].startswith("bestmove ")


@pytest.mark.slow
def test_the_command() -> None:
    done = subprocess.run(
        [sys.executable, "-m", "plywise", "ugi", "tictactoe", "--agent", "alphabeta:depth=9"],
        input="ugi\nposition startpos moves a1 b1 a2 b2\ngo depth 2\nisready\nquit\n",
        capture_output=True,
        text=True,
        check=True,
        timeout=SOON,
    )
    lines = done.stdout.splitlines()
    assert "ugiok" in lines
    assert "readyok" in lines
    assert any(line.startswith("bestmove ") for line in lines)


# ---- programs that speak UGI, as agents --------------------------------------------------------

#: Plays the first free cell, counting from the last; remembers nothing but the position.
ENGINE = """
import sys
for line in sys.stdin:
    words = line.split()
    if words[0] == "ugi":
        print("id name cells\\noption name Hash type spin default 1\\nugiok", flush=True)
    elif words[0] == "isready":
        print("readyok", flush=True)
    elif words[0] == "position":
        played = words[3:] if words[1] == "startpos" else words[5:]
    elif words[0] == "go":
        assert words[1] == "movetime" and int(words[2]) > 0, words
        free = [c + r for r in "321" for c in "cba" if c + r not in played]
        print("info depth 1 nodes 1\\ninfo string hm", flush=True)
        print({answer}, flush=True)
"""


def program(folder: Path, answer: str = "'bestmove ' + free[0]") -> str:
    return write_program(folder, ENGINE.format(answer=answer)) + ":protocol=ugi"


def test_a_program_plays_a_match(tmp_path: Path) -> None:
    game = plywise.game("tictactoe")
    agent = make_agent(program(tmp_path), game)
    assert agent.search(game.position("c3 b3")).best == "a3"
    agent.close()
    match = play_match(game, program(tmp_path), "random", games=4, seed=3)
    assert match.games == 4
    assert match.forfeits == ()


@pytest.mark.parametrize(
    ("answer", "complaint"),
    [
        ("'bestmove z9'", "gave an invalid answer: 'z9' is not a move: "),
        ("'bestmove'", "gave an invalid answer: '' is not a move: "),
        ("sys.exit(3)", "gave no answer and exited with code 3"),
    ],
)
def test_a_program_that_answers_wrongly(tmp_path: Path, answer: str, complaint: str) -> None:
    agent: Any = make_agent(program(tmp_path, answer), plywise.game("tictactoe"))
    with pytest.raises(plywise.AgentError) as caught:
        agent.ask(plywise.game("tictactoe").start(), SOON)
    assert complaint in str(caught.value)


@pytest.mark.slow
def test_an_engine_of_ours_plays_as_a_program(tmp_path: Path) -> None:
    """Both sides of the protocol, on a position that was set up."""
    source = """
    import sys
    from plywise.cli import main
    sys.exit(main(["ugi", "connect4:rows=4,cols=4", "--agent", "alphabeta:depth=20"]))
    """
    game = plywise.game("connect4:rows=4,cols=4")
    agent = make_agent(write_program(tmp_path, source) + ":protocol=ugi", game)
    start = game.from_text("4/4/oo2/xx2 x")
    position = game.position("33", start=start)
    assert agent.search(position).best == plywise.solve(position).best
    agent.close()


def test_unknown_protocols_are_refused(tmp_path: Path) -> None:
    spec = program(tmp_path).replace("ugi", "uci")
    with pytest.raises(plywise.SpecError, match="protocol must be one of plywise, ugi"):
        make_agent(spec, plywise.game("tictactoe"))


def test_lines_end_the_program() -> None:
    said: list[str] = []
    Ugi("tictactoe", "alphabeta", said.append).run(io.StringIO("go infinite\n"))
    assert said[-1].startswith("bestmove ")
