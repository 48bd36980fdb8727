"""Hostile agents: none survives its match, and none does harm to the match or to its opponent.

Each plays a match against an honest agent that always takes the first legal move, and leaves the
number of every process that it starts in a file.
"""

from __future__ import annotations

import os
import re
import subprocess
import sys
import textwrap
import time
from pathlib import Path

import pytest

import plywise
from plywise.core.engine import unguarded
from plywise.play.agents import supervisor
from plywise.play.agents.process import Process
from plywise.play.agents.program import Program
from plywise.play.match import Match
from plywise.play.players import make_agent
from plywise.play.series import play_match
from tests.play.agents.making import SOON, gone, pids, write_agent, write_program

pytestmark = [
    pytest.mark.slow,  # a process each
    pytest.mark.skipif(sys.platform != "linux", reason="it needs /proc"),
]

#: Speaks the protocol; on its turn it has `legal`, and `LEAVE` leaves its number.
PROGRAM = """
{tools}

def choose(legal):
    LEAVE
{body}

for line in sys.stdin:
    word, _, rest = line.strip().partition(" ")
    if word == "begin":
        print("ready", flush=True)
    elif word == "legal":
        legal = rest.split()
    elif word == "go":
        print("move", choose(legal), flush=True)
"""
HONEST = "return legal[0]"

#: What helps an attacker: a `daemon()`, the processes of `others()`.
TOOLS = """
import os, signal, sys, time

def others():
    for name in os.listdir("/proc"):
        try:
            words = open(f"/proc/{name}/cmdline").read().split("\\0")
        except OSError:
            continue
        if "OPPONENT" in words:
            yield int(name), any(word.endswith("supervisor.py") for word in words)

def daemon():
    if os.fork() == 0:
        os.setsid()
        if os.fork() == 0:
            signal.signal(signal.SIGTERM, signal.SIG_IGN)
            signal.signal(signal.SIGHUP, signal.SIG_IGN)
            LEAVE
            time.sleep(600)
        os._exit(0)
    time.sleep(0.2)

def forget_the_mark():
    import resource
    for limit in (5, 10):
        resource.setrlimit(limit, (0, 0))
"""

#: What they do when it is their turn, and why they lose; None if they play on.
HOSTILE = {
    "a daemon": ("daemon()\nreturn legal[0]", None),
    "kills its supervisor": (
        "daemon()\nos.kill(os.getppid(), 9)\ntime.sleep(600)",
        "lost the process that supervises it",
    ),
    "kills its supervisor and goes on": (
        "import ctypes\nctypes.CDLL(None).prctl(1, 0, 0, 0, 0)  # no signal when it dies\n"
        "daemon()\nos.kill(os.getppid(), 9)\nreturn legal[0]",
        "lost the process that supervises it",
    ),
    "hides": (
        "import ctypes\nctypes.CDLL(None).prctl(1, 0, 0, 0, 0)\nos.environ.clear()\n"
        "forget_the_mark()\ndaemon()\nos.kill(os.getppid(), 9)\ntime.sleep(600)",
        "lost the process that supervises it",
    ),
    "stops its supervisor": (
        "daemon()\nos.kill(os.getppid(), signal.SIGSTOP)\nreturn legal[0]",
        None,
    ),
    "stops the other": (
        "for pid, supervises in others():\n    os.kill(pid, signal.SIGSTOP)\nreturn legal[-1]",
        None,
    ),
    "kills the other": (
        "for pid, supervises in others():\n"
        "    supervises or os.kill(pid, signal.SIGKILL)\nreturn legal[-1]",
        None,
    ),
    "kills the other's supervisor": (
        "for pid, supervises in others():\n"
        "    supervises and os.kill(pid, signal.SIGKILL)\nreturn legal[-1]",
        None,
    ),
    "stops the other later": (
        "if os.fork() == 0:\n    LEAVE\n    while True:\n"
        "        for pid, supervises in others(): os.kill(pid, signal.SIGSTOP)\n"
        "        time.sleep(0.01)\nreturn legal[-1]",
        None,
    ),
    "answers for the other": (
        "for pid, supervises in others():\n"
        "    for number in range(10):\n"
        "        try: os.write(os.open(f'/proc/{pid}/fd/{number}', 1), b'legal z9\\ngo 1\\n')\n"
        "        except OSError: pass\nreturn legal[-1]",
        None,
    ),
    "too many processes": (
        "for _ in range(8):\n    os.fork()\nLEAVE\ntime.sleep(600)",
        "it started more than 64 processes",
    ),
    "memory in its children": (
        "for _ in range(4):\n    if os.fork() == 0:\n        LEAVE\n"
        "        held = bytearray(os.urandom(1 << 20) * 60)\n        time.sleep(600)\n"
        "time.sleep(600)",
        "its processes used more than 200 megabytes together",
    ),
    "closes its pipes": (
        "os.closerange(0, 100)\ntime.sleep(600)",
        "gave no answer and was killed by SIGKILL",
    ),
    "floods its output": (
        "import threading\n"
        "def flood():\n    while True: os.write(2, b'x' * 65536)\n"
        "threading.Thread(target=flood, daemon=True).start()\n"
        "while True: os.write(1, b'move a1\\n' * 1000)",
        "when it was not its turn|gave an invalid answer|took more than",
    ),
    "ignores every signal": (
        "for number in range(1, 64):\n"
        "    try: signal.signal(number, signal.SIG_IGN)\n    except (OSError, ValueError): pass\n"
        "daemon()\ntime.sleep(600)",
        "took more than",
    ),
    "half a line": ("os.write(1, b'move')\ntime.sleep(600)", "took more than"),
    "a huge line": ("os.write(1, b'move ' + b'x' * 50000)\ntime.sleep(600)", "gave an invalid ans"),
    "deep recursion": (
        "sys.setrecursionlimit(10**9)\ndef deeper(n): return [deeper(n + 1)]\nreturn deeper(0)",
        "was killed by SIGSEGV|exited with code 1|took more than",
    ),
    "an illegal move": ("return 'z9'", "'z9' is not a move"),
    "raises": ("raise ValueError('no')", "exited with code 1: ValueError: no"),
    "exits": ("daemon()\nos._exit(0)", "exited with code 0"),
}


@pytest.fixture
def match(tmp_path: Path):
    """Plays a match of an attacker and an honest agent; returns it and what was said."""
    leave = f"open({str(tmp_path / 'pid')!r}, 'a').write(os.readlink('/proc/self') + ' ')"

    def write(name: str, body: str) -> str:
        lines = textwrap.indent(body, "    ")
        source = PROGRAM.format(tools=TOOLS, body=lines).replace("LEAVE", leave)
        source = source.replace("OPPONENT", str(tmp_path / "honest"))  # and no other test's
        return write_program(tmp_path, source, name)

    def play(body: str, games: int = 2) -> tuple[Match, list[str]]:
        told: list[str] = []
        game, agents = plywise.game("tictactoe"), (write("hostile", body), write("honest", HONEST))
        found = play_match(
            game, *agents, games=games, seed=1, time=3.0, memory=200, on_output=told.append
        )
        return found, told

    return play


#: Those that wait for the clock, or do what other tests do, too.
LONG = {"ignores every signal", "half a line", "a huge line", "deep recursion", "raises"}


@pytest.mark.parametrize(
    "name",
    [pytest.param(name, marks=[pytest.mark.long] if name in LONG else []) for name in HOSTILE],
)
def test_none_survives_and_none_hurts(name: str, match, tmp_path: Path) -> None:
    body, reason = HOSTILE[name]
    games = 1 if reason else 2
    found, _ = match(body, games)
    assert found.games == games
    assert {forfeit.by for forfeit in found.forfeits} <= {"a"}, found.forfeits
    if reason is None:
        assert found.forfeits == ()
    else:
        (forfeit,) = found.forfeits
        assert re.search(reason, forfeit.reason), forfeit
        late = "when it was not its turn" in forfeit.reason  # noticed at its next one
        assert late or forfeit.after == ""
        assert found.losses == 1
    seen = set(pids(tmp_path))
    assert seen
    assert [pid for pid in seen if not gone(pid, within=5.0)] == []


def test_who_was_killed_is_started_again(match) -> None:
    """... and its opponent does not win by it: the game goes on."""
    body, _ = HOSTILE["kills the other"]
    found, told = match(body)
    assert found.forfeits == ()
    assert found.moves[1] > 1
    assert any("was killed while it waited; it was started again" in line for line in told)


def test_an_agent_does_not_think_in_the_time_of_others(tmp_path: Path) -> None:
    """Its threads stop with it when it has answered, and go on at its next turn."""
    agent = write_agent(
        tmp_path,
        """
        import threading, time
        if not hasattr(threading, "ticks"):
            threading.ticks = 0
            def tick():
                while True:
                    threading.ticks += 1
                    time.sleep(0.001)
            threading.Thread(target=tick, daemon=True).start()
        with open(__file__ + ".ticks", "a") as file:
            file.write(f"{threading.ticks} ")
        while threading.ticks < 20 * (1 + len(state.moves)):
            time.sleep(0.001)
        return state.legal[0]
        """,
    )
    made = unguarded(make_agent(agent, plywise.game("tictactoe")))
    assert isinstance(made, Program)
    position = made.game.start()
    made.ask(position, SOON)
    assert made._process is not None
    states = {supervisor._state(pid) for pid in supervisor.family(made._process.pid)}
    assert states == {"T"}
    made.ask(position.play("a1").play("a2"), SOON)
    made.close()


# ---- the mark ------------------------------------------------------------------------------------


def test_marks_cannot_be_exchanged() -> None:
    marks = [supervisor.new_mark() for _ in range(100)]
    for one in marks:
        for two in marks:
            assert one == two or (one[0] > two[0]) != (one[1] > two[1])


def test_a_sweep_finds_what_has_the_mark_and_nothing_else(tmp_path: Path) -> None:
    mark, other = supervisor.new_mark(), supervisor.new_mark()
    code = (
        "import resource, sys, time\n"
        "for limit, most in zip((10, 5), map(int, sys.argv[1:])):\n"
        "    resource.setrlimit(limit, (most, most))\n"
        "print('here', flush=True)\ntime.sleep(600)"
    )

    def start(*limits: int) -> subprocess.Popen[str]:
        command = [sys.executable, "-c", code, *map(str, limits)]
        process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
        assert process.stdout is not None
        assert process.stdout.readline() == "here\n"
        return process

    marked, lowered = start(*mark), start(mark[0] // 2, mark[1] // 2)
    others = [start(*other), start()]
    try:
        supervisor.sweep(mark)
        assert [process.wait(SOON) for process in (marked, lowered)] == [-9, -9]
        assert [process.poll() for process in others] == [None, None]
    finally:
        for process in (marked, lowered, *others):
            process.kill()
            process.communicate()


def test_a_program_in_a_program_is_found_too(tmp_path: Path) -> None:
    """A mark is below that of the process it was made in."""
    code = (
        "import resource\n"
        "for limit in (10, 5):\n    resource.setrlimit(limit, (1000, 1000))\n"
        "from plywise.play.agents.supervisor import new_mark\n"
        "print(*new_mark())\n"
    )
    out = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert sum(map(int, out.stdout.split())) == 1000


def test_half_a_line_is_not_an_answer_but_its_end_is(tmp_path: Path) -> None:
    """A line may come in pieces; and nobody else can write into it."""
    source = """
import sys, time
for line in sys.stdin:
    for piece in ("an", "swer", "\\n"):
        print(piece, end="", flush=True)
        time.sleep(0.02)
"""
    process = Process([write_program(tmp_path, source)], 600, None)
    process.send("go\n", time.monotonic() + SOON)
    assert process.receive(time.monotonic() + SOON) == "answer"
    process.sleep()
    assert not process.harmed
    (pid,) = supervisor.family(process.pid)
    for number in (0, 1):
        with pytest.raises(OSError, match="No such device or address"):
            os.open(f"/proc/{pid}/fd/{number}", os.O_WRONLY)
    process.wake()
    process.send("go\n", time.monotonic() + SOON)
    assert process.receive(time.monotonic() + SOON) == "answer"
    process.sleep()
    os.kill(pid, 9)
    while supervisor.family(process.pid):
        time.sleep(0.01)
    assert process.harmed
    process.close()
