"""Agent files in a tournament: one process for many games, none of which knows of another."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

import plywise
from plywise.core.position import Position
from plywise.core.spec import Spec
from plywise.errors import AgentError
from plywise.play.agents.program import Program
from plywise.play.agents.sandbox import Sandbox, unavailable
from plywise.play.agents.supervisor import family
from tests.core.refusals import one_line
from tests.play.agents.making import SOON

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(not hasattr(os, "fork"), reason="needs fork"),
]
GAME = plywise.game("tictactoe")
START = GAME.start()
Make = Callable[..., Program]


@pytest.fixture
def agent(tmp_path: Path) -> Iterator[Make]:
    made: list[Program] = []

    def make(source: str, *, sandboxed: bool = False) -> Program:
        file = tmp_path / "agent.py"
        file.write_text(f"import os, random, signal, subprocess, sys, time\n{source}\n")
        sandbox = Sandbox((str(tmp_path),)) if sandboxed else None
        made.append(Program(Spec.parse(str(file)), GAME, sandbox=sandbox, fresh=True))
        return made[-1]

    yield make
    for each in made:
        each.close()


def game(program: Program, seed: int = 1, moves: int = 2, position: Position = START) -> str:
    """Let it make some moves of a new game; return the last."""
    program.new_game(position.turn + 1, seed)
    answers = [program.ask(position, SOON).best for _ in range(moves)]
    program.end_game()
    return answers[-1] or ""


COUNTING = """
count = 0
def get_move(state, player):
    global count
    count += 1
    return state.legal[count]
"""


def test_globals_last_for_a_game_and_the_process_for_all(agent: Make) -> None:
    program = agent(COUNTING)
    first = START.legal
    assert game(program, moves=2) == first[2]
    kept = program.pid
    assert [game(program, moves=count) for count in (1, 3)] == [first[1], first[3]]
    assert program.pid == kept is not None


@pytest.mark.long
def test_random_choices_while_loading_follow_the_seed(agent: Make) -> None:
    source = "import numpy\nmove = (random.randrange(9) + int(numpy.random.randint(9))) % 9\n"
    source += "def get_move(state, player):\n    return state.legal[move]"
    program = agent(source)
    found = [game(program, seed) for seed in range(4)]
    assert len(set(found)) > 1
    program.close()
    assert [game(program, seed) for seed in range(4)] == found


@pytest.mark.long
def test_what_a_game_started_ends_with_it(agent: Make) -> None:
    """A process that has left its group and its parent."""
    source = "def get_move(state, player):\n    if os.fork() == 0:\n        os.setsid()\n"
    source += "        if os.fork() == 0:\n            os.execvp('sleep', ['sleep', '600'])\n"
    source += "        os._exit(0)\n    time.sleep(0.1)\n    return state.legal[0]"
    program = agent(source)
    program.new_game(1)
    program.ask(START, SOON)
    assert program.pid is not None
    assert len(family(program.pid)) == 3  # the one that forks, its child, and what that started
    program.end_game()
    assert len(family(program.pid)) == 1


#: What an agent does, and what is said of it.
FAILURES = {
    "os._exit(3)": "gave no answer and exited with code 3",
    "os.kill(os.getpid(), signal.SIGKILL)": "gave no answer and was killed by SIGKILL",
    "os.closerange(3, 99); time.sleep(600)": "gave no answer and was killed by SIGKILL",
    "os.kill(os.getppid(), signal.SIGKILL); time.sleep(600)": "gave no answer and was killed",
    "talk()": "answered when it was not its turn",
    "threading.Timer(0.05, os._exit, (4,)).start()": "gave no answer and exited with code 4",
}
TALKING = """
import gc, io, threading
def talk():
    for each in gc.get_objects():
        is_open = type(each) is io.TextIOWrapper and not each.closed
        if is_open and each.mode == "w" and each.fileno() > 2:
            print("move c3\\nmove c3", file=each, flush=True)
"""


def test_failures_are_told_as_ever_and_the_next_game_is_played(agent: Make) -> None:
    source = f"{TALKING}\ndef get_move(state, player):\n"
    for number, body in enumerate(FAILURES):
        source += f"    if len(state.moves) == {number}: {body}\n"
    program = agent(f"{source}    return state.legal[0]")
    position = START
    for problem in FAILURES.values():
        with pytest.raises(AgentError, match=problem) as refused:
            game(program, position=position, moves=200)
        one_line(refused.value)
        program.end_game()
        position = position.play(position.legal[0])
    assert program.ask(position, SOON).best == position.legal[0]


def test_an_agent_that_closes_its_side_between_moves_has_not_talked(agent: Make) -> None:
    source = "import threading\ndef get_move(state, player):\n"
    source += "    threading.Timer(0.05, os.closerange, (3, 99)).start()\n"
    program = agent(f"{source}    return state.legal[0]")
    with pytest.raises(AgentError, match="gave no answer and "):
        game(program, moves=200)


def test_the_temporary_folder_of_a_sandbox_is_as_new(agent: Make) -> None:
    if (reason := unavailable()) is not None:
        pytest.skip(reason)
    source = "import pathlib\ndef get_move(state, player):\n"
    source += "    note = pathlib.Path(os.environ['TMPDIR'], 'deep', 'note')\n"
    source += "    if note.exists(): return state.legal[1]\n"
    source += "    note.parent.mkdir(); note.write_text('x')\n    return state.legal[0]"
    program = agent(source, sandboxed=True)
    assert [game(program, moves=1), game(program, moves=1)] == [START.legal[0]] * 2
    tidy = agent(COUNTING, sandboxed=True)
    pids = []
    for _ in range(2):
        assert game(tidy, moves=1) == START.legal[1]
        pids.append(tidy.pid)
    assert pids[0] == pids[1] is not None
