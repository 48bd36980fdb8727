"""Nothing outlives a match: not its end, not Ctrl-C, not a SIGKILL, not a fork behind its back."""

from __future__ import annotations

import gc
import json
import os
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path

import pytest

import plywise
from plywise.play.agents.process import Ended, Process
from plywise.play.players import make_agent
from plywise.play.series import play_match
from tests.play.agents.making import SOON, gone, pids, write_agent, write_program
from tests.web.steps import until

pytestmark = [
    pytest.mark.slow,  # a process each
    pytest.mark.skipif(sys.platform != "linux", reason="elsewhere it is tried, no more"),
]

LOOPS = "import os\n{pid}\nwhile True: pass"


@pytest.fixture
def match(tmp_path):
    """A match as a process of its own."""
    started = []

    def start(agent, *more):
        command = [sys.executable, "-m", "plywise", "match", "tictactoe", agent, "random", *more]
        pipe = subprocess.PIPE
        started.append(subprocess.Popen(command, stdout=pipe, stderr=pipe, text=True))
        return started[-1]

    yield start
    for process in started:
        process.kill()
        process.communicate()


def test_a_match_leaves_nothing(tmp_path):
    agent = write_agent(tmp_path, "import os\n{pid}\nreturn state.legal[0]")
    play_match(plywise.game("tictactoe"), agent, agent, games=2, seed=1)
    seen = set(pids(tmp_path))
    assert len(seen) == 2  # one process for each side, for all games
    assert all(gone(pid) for pid in seen)


def test_ctrl_c_ends_the_agents(match, tmp_path):
    process = match(write_agent(tmp_path, LOOPS), "--time", "600")
    (pid,) = pids(tmp_path)
    process.send_signal(signal.SIGINT)
    out, err = process.communicate(timeout=SOON)
    assert (process.returncode, out) == (130, "")
    assert err == "plywise: stopped\n"
    assert gone(pid)


@pytest.mark.parametrize("number", [signal.SIGKILL, signal.SIGTERM])
def test_killing_the_match_ends_the_agents(match, tmp_path, number):
    process = match(write_agent(tmp_path, LOOPS), "--time", "600")
    (pid,) = pids(tmp_path)
    assert not gone(pid)
    process.send_signal(number)
    process.wait(timeout=SOON)
    assert gone(pid, within=SOON)


def test_killing_the_supervisor_ends_the_agent(tmp_path):
    agent = make_agent(write_agent(tmp_path, LOOPS), plywise.game("tictactoe"))

    def kill():
        pids(tmp_path)
        os.kill(agent.pid, signal.SIGKILL)

    threading.Thread(target=kill).start()
    with pytest.raises(plywise.AgentError, match="gave no answer"):
        agent.search(agent.game.start(), plywise.Limits(time=2 * SOON))
    assert gone(pids(tmp_path)[0], within=SOON)


def test_killing_the_supervisor_ends_the_agent_while_the_match_is_stopped(match, tmp_path):
    process = match(write_agent(tmp_path, LOOPS), "--time", "600")
    (pid,) = pids(tmp_path)
    process.send_signal(signal.SIGSTOP)  # so that it cannot look for what is left
    stat = Path(f"/proc/{pid}/stat").read_text()
    os.kill(int(stat.rpartition(")")[2].split()[1]), signal.SIGKILL)
    assert gone(pid, within=SOON)


FORKS = """
    import os, time
    if os.fork() == 0:
        os.setsid()
        if os.fork() == 0:
            {pid}
            time.sleep(600)
        os._exit(0)
    {pid}
    time.sleep(0.2)
    return state.legal[0]
"""


def test_what_it_forks_is_found_wherever_it_hides(tmp_path):
    agent = make_agent(write_agent(tmp_path, FORKS), plywise.game("tictactoe"))
    agent.search(agent.game.start())
    until(lambda: len(pids(tmp_path)) == 2)
    seen = pids(tmp_path)
    agent.close()
    assert all(gone(pid) for pid in seen)


@pytest.mark.parametrize(
    "hog",
    [
        "held = []\nwhile True: held.append(bytearray(1 << 20))",
        pytest.param(
            "held = []\nwhile True: held.append([None])", marks=pytest.mark.slow, id="small"
        ),
        "import numpy\nreturn numpy.ones(10**9)",
    ],
)
def test_memory_has_a_limit(tmp_path, hog):
    agent = make_agent(write_agent(tmp_path, hog), plywise.game("tictactoe"), memory=600)
    with pytest.raises(plywise.AgentError, match=r"ran out of memory|MemoryError"):
        agent.search(agent.game.start(), plywise.Limits(time=SOON))
    assert agent.pid is None


def test_a_program_has_the_same_limit(tmp_path):
    hog = write_program(tmp_path, "print(len(bytearray(200 << 20)))")
    process = Process([hog], 600, None)
    assert process.receive(time.monotonic() + SOON) == str(200 << 20)
    process.close()
    process = Process([hog], 100, None)
    with pytest.raises(Ended, match="exited with code 1: MemoryError"):
        process.receive(time.monotonic() + SOON)


def test_closing_twice_and_from_elsewhere_is_fine(tmp_path):
    program = "import time\nprint('here', flush=True)\ntime.sleep(600)"
    process = Process([write_program(tmp_path, program)], 600, None)
    assert process.receive(time.monotonic() + SOON) == "here"
    threading.Timer(0.1, process.close).start()
    with pytest.raises(Ended, match="was killed by SIGKILL"):
        process.receive(time.monotonic() + SOON)
    assert process.close() == process.close()
    process.send("anyone?\n", time.monotonic())
    assert gone(process.pid)


def test_no_files_are_left_open(tmp_path):
    agent = write_agent(tmp_path, "return state.legal[0] if state.moves else 1 / 0")

    def open_files():
        return len(os.listdir("/proc/self/fd"))

    def match():
        return play_match(plywise.game("tictactoe"), agent, "random", games=2, seed=1)

    match()
    gc.collect()  # what other tests have forgotten to close is closed now
    before = open_files()
    assert len(match().forfeits) == 1
    assert open_files() == before


@pytest.mark.slow
def test_every_kind_of_mischief_in_one_match(match, tmp_path):
    agent = write_agent(
        tmp_path,
        """
        import os, time
        {pid}
        if len(state.moves) < 2:
            return state.legal[0]
        with open(__file__ + ".count", "a") as file:
            file.write("x")
            file.flush()
            game = file.tell()
        if game == 1: time.sleep(600)
        if game == 2: raise ValueError("no more")
        if game == 3: return "z9"
        if game == 4: return bytearray(10**11)
        if game == 5: os._exit(1)
        return state.legal[0]
        """,
    )
    process = match(agent, "--games", "6", "--time", "3", "--seed", "1", "--json")
    out, _ = process.communicate(timeout=2 * SOON)
    assert process.returncode == 0
    result = json.loads(out)
    assert result["games"] == 6
    forfeits = result["forfeits"]
    assert [each["game"] for each in forfeits] == [1, 2, 3, 4, 5]
    assert {each["by"] for each in forfeits} == {"a"}
    words = ["took more than 3 s", "raised ValueError: no more (line 12)", "'z9' is not a move",
             "ran out of memory", "exited with code 1"]  # fmt: skip
    for word, each in zip(words, forfeits, strict=True):
        assert word in each["reason"]
        assert each["after"]
    assert len(set(pids(tmp_path))) == 6
    assert all(gone(pid) for pid in pids(tmp_path))
