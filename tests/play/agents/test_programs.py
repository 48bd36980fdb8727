"""Agents that are programs, as docs/agents.md describes them."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

import plywise
from plywise.core.engine import unguarded
from plywise.play.agents.program import Message
from plywise.play.players import make_agent
from plywise.play.series import play_match
from tests.play.agents.making import SOON, write_program
from tests.web.steps import until

pytestmark = pytest.mark.slow  # longer than `make quick` has time for

DOCS = Path(__file__).parents[3] / "docs" / "agents.md"
EXAMPLES = re.findall(r"```python\n(.*?)```", DOCS.read_text(encoding="utf-8"), re.DOTALL)

#: A program that is asked and answers; `{answer}` is what it does then.
PROGRAM = """
import sys, os, time
for line in sys.stdin:
    if line == "begin\\n":
        print("ready", flush=True)
    elif line.startswith("go"):
        {answer}
        sys.stdout.flush()
"""
SLEEP = "time.sleep(600)"  #: the one answer that comes too late


@pytest.fixture
def program(tmp_path):
    made = []

    def make(source, game="tictactoe", **more):
        made.append(make_agent(write_program(tmp_path, source), plywise.game(game), **more))
        return made[-1]

    yield make
    for each in made:
        each.close()


@pytest.mark.parametrize("number", range(3))
def test_the_examples_of_the_docs_play(tmp_path, number):
    source = EXAMPLES[number]
    if source.startswith("#!"):
        path = write_program(tmp_path, source.partition("\n")[2])
    else:
        path = str(tmp_path / "agent.py")
        Path(path).write_text(source, encoding="utf-8")
    game = plywise.game("tictactoe")
    match = play_match(game, path, "random", games=6, seed=3)
    assert match.games == 6
    assert match.forfeits == ()
    again = play_match(game, path, "random", games=6, seed=3)
    assert (again.wins, again.draws, again.moves) == (match.wins, match.draws, match.moves)


def test_there_is_one_example_of_each_kind():
    assert [bool(re.search(word, example)) for word, example in zip(
        ("def get_move", "class AIPlayer", "#!"), EXAMPLES, strict=True)] == [True] * 3  # fmt: skip


def test_the_lines_are_those_of_the_docs(program):
    heard = []
    one = program(
        "import sys\nfor line in sys.stdin:\n    print(line, end='', file=sys.stderr, flush=True)\n"
        "    print({'begin': 'ready', 'go': 'move a1'}.get(line.split()[0], ''), end='')\n"
        "    print(end='\\n' if line.split()[0] in ('begin', 'go') else '', flush=True)\n",
        "tictactoe:rows=2,cols=3",
        on_output=heard.append,
    )
    one.new_game(2, 42)
    assert one.ask(one.game.from_text("3/3 x").play("c1"), 2.5, SOON).best == "a1"
    one.close()
    assert heard == [
        "plywise 1",
        "game tictactoe:rows=2,cols=3",
        "player 2",
        "seed 42",
        "begin",
        "start 3/3 x",
        "moves c1",
        "text 3/2x o",
        "legal a1 b1 a2 b2 c2",
        "go 2.5",
    ]


@pytest.mark.parametrize(
    ("answer", "complaint"),
    [
        ("print('move z9')", "gave an invalid answer: 'z9' is not a move: "),
        ("print('move')", "gave an invalid answer: '' is not a move: "),
        ("print('a1')", "gave an invalid answer: 'a1' instead of 'move ...'"),
        ("print()", "gave an invalid answer: '' instead of 'move ...'"),
        ("sys.stdout.buffer.write(bytes(range(256)) * 99)", "gave an invalid answer: "),
        ("print('move a1' * 10**6)", "gave an invalid answer: "),
        ("print('error I am lost')", "gave up: I am lost"),
        ("sys.exit(4)", "gave no answer and exited with code 4"),
        ("sys.exit('so there')", "gave no answer and exited with code 1: so there"),
        ("os.abort()", "gave no answer and was killed by SIGABRT"),
        ("sys.stdout.close(); os.close(1); time.sleep(600)", "gave no answer and was killed by"),
        (SLEEP, "took more than 0.4 s for a move"),
        ("x = bytearray(10**11)", "gave no answer and exited with code 1: MemoryError"),
        (
            "os.kill(os.getppid(), 9); time.sleep(600)",
            "gave no answer and lost the process that supervises it",
        ),
    ],
)
def test_programs_that_do_not_keep_to_it(program, answer, complaint):
    one = program(PROGRAM.format(answer=answer))
    with pytest.raises(plywise.AgentError) as caught:
        one.ask(one.game.start(), 0.4 if answer is SLEEP else SOON)
    assert str(caught.value).startswith(f"the program {one.name} {complaint}")
    assert "\n" not in str(caught.value)
    assert one.pid is None


@pytest.mark.parametrize("rest", ["move a2\\n", "move a2", "m"])
def test_a_program_that_talks_out_of_turn_loses(program, rest):
    # In one piece: between two it could be stopped, since its turn is over.
    one = program(PROGRAM.format(answer=f"print('move a1\\n{rest}', end='')"))
    one.ask(one.game.start(), SOON)
    until(lambda: unguarded(one)._process.unread)
    with pytest.raises(plywise.AgentError, match="answered when it was not its turn"):
        one.ask(one.game.start(), SOON)


def test_a_program_that_floods_and_never_reads(program):
    one = program("while True: print('ready')\n")
    for _ in range(2):
        with pytest.raises(plywise.AgentError, match=r"answered when|gave an invalid answer"):
            one.ask(one.game.start(), SOON)


def test_a_program_that_never_reads_does_not_hold_the_caller(program):
    """More lines than a pipe holds, and nobody takes them."""
    asked = "import time\ninput()\n"  # who answers before is sent away
    one = program(f"{asked}print('ready', flush=True)\ntime.sleep(60)\n", "tictactoe")
    one.get_ready()
    with pytest.raises(plywise.AgentError, match=r"took more than 0\.1 s"):
        one._exchange(Message("x" * 10**6), 0.1, "for a move", None)
    assert one.pid is None


def test_what_cannot_be_run_is_said_at_once(tmp_path, program):
    game = plywise.game("tictactoe")
    plain = tmp_path / "plain"
    plain.write_text("hello", encoding="utf-8")
    with pytest.raises(plywise.SpecError, match="plain cannot be run: make it executable"):
        make_agent(str(plain), game)
    with pytest.raises(plywise.SpecError, match="missing' cannot be read: No such file"):
        make_agent(str(tmp_path / "missing"), game)
    with pytest.raises(plywise.SpecError, match="cannot be read: embedded null byte"):
        make_agent("./a\0b.py", game)
    plain.chmod(0o755)
    with pytest.raises(plywise.AgentError, match=r"exited with code 127: .*Exec format error"):
        make_agent(str(plain), game).get_ready()
