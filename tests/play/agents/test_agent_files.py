"""Agents that are Python files."""

from __future__ import annotations

import gc
import os
import threading
import time
from pathlib import Path

import pytest

import plywise
from plywise.play.agents.program import Overtime
from plywise.play.players import make_agent
from plywise.play.series import play_match
from tests.play.agents.making import LATE, MISCHIEF, SOON, gone, pids, write_agent
from tests.web.steps import until

pytestmark = pytest.mark.slow  # a process each


@pytest.fixture
def agent(tmp_path):
    made = []

    def make(body, game="connect4", **more):
        file = write_agent(tmp_path, body)
        made.append(make_agent(file, plywise.game(game), **more))
        return made[-1]

    yield make
    for each in made:
        each.close()


def best(agent, moves="", limits=None):
    return agent.search(agent.game.position(moves), limits or plywise.Limits()).best


def test_names_and_files_share_one_door(agent):
    game = plywise.game("tictactoe")
    assert make_agent("minimax:depth=2", game).name == "minimax:depth=2"
    assert agent("return '4'").name.endswith("agent.py")


def test_the_state_is_a_position_and_the_player_a_number(agent):
    both = agent("return state.legal[player] if state.to_move == player else None")
    assert best(both) == "2"
    assert best(both, "4") == "3"
    assert best(both, "45") == "2"


def test_it_sees_the_game_as_it_was_played(agent):
    game = plywise.game("tictactoe")
    body = "print(state.text, *state.moves, state.origin); return state.legal[0]"
    heard = []
    one = agent(body, "tictactoe", on_output=heard.append)
    one.search(game.position("a1 b2 c3"))
    one.search(game.position("a1 b2"))
    one.search(game.from_text("2x/1x1/o2 o").play("a3"))
    one.search(game.start())
    one.close()
    assert heard == [
        "2x/1o1/x2 o a1 b2 c3 None",
        "3/1o1/x2 x a1 b2 None",
        "o1x/1x1/o2 x a3 2x/1x1/o2 o",
        "3/3/3 x None",
    ]


@pytest.mark.parametrize("answer", ["4", "'4'", "' 4 '"])
def test_numbers_and_texts_are_moves(agent, answer):
    assert best(agent(f"return {answer}")) == "4"


def test_its_time_is_measured(tmp_path):
    """From the question to the answer; what it takes to start is not its time."""
    file = tmp_path / "agent.py"
    source = "import time\ntime.sleep(0.2)\ndef get_move(*_):\n    time.sleep(0.02)\n    return 1\n"
    file.write_text(source, encoding="utf-8")
    slow = make_agent(str(file), plywise.game("connect4"))
    started = time.monotonic()
    seconds = slow.search(slow.game.start()).seconds
    assert 0.02 <= seconds <= time.monotonic() - started - 0.2
    slow.close()


def test_it_can_use_plywise_itself(agent):
    body = "import plywise; return plywise.engine('minimax:depth=1', state.game).search(state).best"
    assert best(agent(body), "121212", plywise.Limits(time=600)) == "1"  # it may have to compile


def test_it_can_import_what_lies_beside_it(agent, tmp_path):
    (tmp_path / "opinions.py").write_text("COLUMN = 6\n", encoding="utf-8")
    assert best(agent("from opinions import COLUMN; return COLUMN")) == "6"


def test_files_in_the_working_folder_do_not_stand_in_for_libraries(agent, tmp_path, monkeypatch):
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    (elsewhere / "numpy.py").write_text("raise RuntimeError('not I')\n", encoding="utf-8")
    monkeypatch.chdir(elsewhere)
    assert best(agent("return 1")) == "1"


def test_its_random_choices_depend_on_the_seed_and_the_move_alone(agent):
    body = """
        import random, numpy
        return f"{random.choice('abcdefg')}{numpy.random.randint(1, 8)}"
    """
    one = agent(body, "tictactoe:rows=7,cols=7")

    def chosen(seed, moves):
        one.new_game(1, seed)
        return best(one, moves)

    assert chosen(1, "") == chosen(1, "")
    assert len({chosen(seed, "") for seed in range(5)}) > 1
    assert len({chosen(1, "a1 " * 0), chosen(1, "d4 c4")}) == 2


def test_a_full_column_is_refused_with_the_name_of_the_file(agent):
    with pytest.raises(
        plywise.AgentError, match=r"agent\.py gave an invalid answer: '4' is not legal"
    ):
        best(agent("return 4"), "444444")


def test_what_it_prints_and_reads_is_kept_off_the_protocol(agent):
    body = """
        import os, sys
        print("move 1")
        os.write(1, b"move 2\\n")
        print("hm", file=sys.stderr)
        print("garbage " * 100_000)
        assert sys.stdin.read() == ""
        return 3
    """
    heard = []
    noisy = agent(body, on_output=heard.append)
    assert best(noisy) == "3"
    assert best(noisy, "12") == "3"
    noisy.close()
    assert {"move 1", "move 2", "hm"} <= set(heard)
    assert sum(map(len, heard)) < 2**20


def test_a_listener_that_fails_does_no_harm(agent):
    def listener(line):
        raise RuntimeError

    assert best(agent("print('hm'); return 3", on_output=listener)) == "3"


@pytest.mark.parametrize("kind", MISCHIEF)
def test_mischief_is_named_in_one_line_and_the_next_question_starts_afresh(agent, kind):
    body, complaint = MISCHIEF[kind]
    one = agent(f"if state.moves: return state.legal[0]\n{body}", "tictactoe")
    with pytest.raises(plywise.AgentError) as caught:
        one.ask(one.game.start(), 0.1 if kind in LATE else SOON)
    said = str(caught.value)
    assert said.startswith(f"the agent file {one.name} {complaint.replace('line 2', 'line 3')}")
    assert "\n" not in said
    assert len(said) < 1500
    assert isinstance(caught.value, Overtime) == (kind in LATE)
    assert one.pid is None
    assert best(one, "a1") == "b1"


def test_a_search_is_patient_and_a_match_is_not(agent):
    slow = agent("import time; time.sleep(60 if state.moves else 0.6); return 1")
    assert slow.search(slow.game.start(), plywise.Limits(time=0.01)).best == "1"
    with pytest.raises(Overtime, match=r"took more than 0\.1 s for a move"):
        slow.ask(slow.game.position("4"), 0.1)


def test_it_can_be_stopped(agent, tmp_path):
    endless = agent("import os\n{pid}\nwhile True: pass")
    stop = plywise.Stop()

    def stop_it_when_it_thinks():
        pids(tmp_path)
        stop.set()

    threading.Thread(target=stop_it_when_it_thinks).start()
    with pytest.raises(plywise.AgentError, match="was stopped"):
        endless.search(endless.game.start(), plywise.Limits(time=2 * SOON), stop=stop)
    assert endless.pid is None


def test_nobody_has_to_remember_to_close_it(agent, tmp_path):
    file = write_agent(tmp_path, "import os; print(os.getpid()); return 1")
    heard = []
    forgotten = make_agent(file, plywise.game("connect4"), on_output=heard.append)
    best(forgotten)
    supervisor = forgotten.pid
    assert supervisor is not None
    assert not gone(supervisor)
    del forgotten
    gc.collect()
    assert gone(supervisor)
    assert gone(int(until(lambda: heard)[0]))


@pytest.mark.parametrize(
    ("source", "complaint"),
    [
        ("answer = 42", "does not define get_move(state, player)"),
        ("raise KeyError('oh')", "raised KeyError: 'oh' (line 1)"),
        ("def get_move(state player):", "raised SyntaxError: "),
        ("import os; os._exit(0)", "gave no answer and exited with code 0"),
        ("import sys; sys.stderr.write('a\\nb b\\n'); import os; os._exit(1)",
         "gave no answer and exited with code 1: b b"),
    ],
)  # fmt: skip
def test_files_that_cannot_be_loaded(tmp_path, source, complaint):
    file = tmp_path / "agent.py"
    file.write_text(source, encoding="utf-8")
    agent = make_agent(str(file), plywise.game("connect4"), on_output=None)
    with pytest.raises(plywise.AgentError) as caught:
        agent.get_ready()
    assert str(caught.value).startswith(f"the agent file {file} {complaint}")


# ---- the course's class ----------------------------------------------------------------------

COURSE = """
class AIPlayer(object):
    def __init__(self, name, symbol, isAI=False):
        print(name, symbol, isAI)
        self.name, self.symbol, self.isAI = name, symbol, isAI

    def get_move(self, state, player):
        assert player == self.symbol
        print(state)
        {body}
"""


@pytest.fixture
def course(tmp_path):
    heard = []

    def make(body, game="tictactoe"):
        heard.clear()
        (tmp_path / "hw.py").write_text(COURSE.format(body=body), encoding="utf-8")
        return make_agent(str(tmp_path / "hw.py"), plywise.game(game), on_output=heard.append)

    make.heard = heard
    return make


def test_a_class_gets_rows_and_answers_with_a_cell(course):
    agent = course("return [0, 1]")
    assert best(agent, "a1") == "b3"
    agent.close()
    assert course.heard[-2:] == [
        "hw O True",
        "[[None, None, None], [None, None, None], ['X', None, None]]",
    ]


@pytest.mark.parametrize("answer", ["(2, 0)", "numpy.array([2, 0])", "'a1'"])
def test_a_class_may_answer_in_several_ways(course, answer):
    assert best(course(f"import numpy; return {answer}")) == "a1"


@pytest.mark.parametrize("answer", ["(3, 0)", "(0, -1)", "(1,)", "None", "5"])
def test_cells_off_the_board_are_no_moves(course, answer):
    with pytest.raises(plywise.AgentError, match="gave an invalid answer: "):
        best(course(f"return {answer}"))


def test_rows_of_other_boards(course):
    agent = course("return 3", "connect4:rows=2,cols=11")
    assert best(agent, "1 1 2") == "3"
    agent.close()
    empty = ["None"] * 10
    assert course.heard[-1] == f"[['O', {', '.join(empty)}], ['X', 'X', {', '.join(empty[1:])}]]"


def test_a_board_that_is_no_grid_of_marks(course):
    with pytest.raises(
        plywise.AgentError, match="a board of rows and columns, which snails does not"
    ):
        best(course("return 0, 0", "snails"))


def test_a_class_in_a_game_of_points(course):
    """Rows from the top, and what it was paid before it is asked the next time."""
    body = "return 5, 2\n\n    def add_score(self, points):\n        print('paid', points)"
    agent = course(body, "align")
    game = plywise.game("align")
    assert agent.search(game.position("a1 f6 b1 e6")).best == "c1"
    until(lambda: course.heard[-2:-1] == ["paid 0"])  # what it prints comes by another way
    with pytest.raises(plywise.AgentError, match="'c1' is not legal here"):
        agent.search(game.position("a1 f6 b1 e6 c1 a5"))
    until(lambda: course.heard[-2:-1] == ["paid 3"])
    assert course.heard[-1].startswith("[[None, None, None, None, 'O', 'O'], ['O', None")


@pytest.mark.parametrize("second", [False, True])
def test_an_agent_of_the_course_plays_align_unchanged(second):
    file = Path(__file__).parents[2] / "data" / "align" / "AIPlayer.py"
    game = plywise.game("align")
    heard = []
    agent = make_agent(str(file), game, on_output=heard.append)
    position = game.start()
    own = []
    while not position.over:
        if position.turn == int(second):
            move = agent.search(position, plywise.Limits(time=SOON)).best
            own.append(position.scores[position.turn])
        else:
            move = position.legal[0]
        position = position.play(move)
    agent.close()
    assert position.winner == (2 if second else 1)
    assert [int(line.split()[1]) for line in heard] == own


@pytest.mark.parametrize(
    ("body", "seconds", "reason"),
    [
        ("return 2, 0", SOON, "'a1' is not legal here"),
        ("import time; time.sleep(60)", 0.5, "took more than 0.5 s for a move"),
    ],
)
def test_an_agent_of_the_course_that_breaks_the_rules_loses(tmp_path, body, seconds, reason):
    """The second a1 is illegal, and a minute is more than there is."""
    file = tmp_path / "hw.py"
    file.write_text(COURSE.format(body=body), encoding="utf-8")
    game = plywise.game("align:size=3")
    match = play_match(game, str(file), "random", games=2, seed=1, time=seconds)
    assert (match.losses, match.games) == (2, 2)
    assert [forfeit.by for forfeit in match.forfeits] == ["a", "a"]
    assert all(reason in forfeit.reason for forfeit in match.forfeits)


# ---- a game from a file ----------------------------------------------------------------------

GAME = """
import numpy as np
import plywise

State = np.dtype((np.record, [("left", "i8"), ("player", "i8")]))

@plywise.rule
def setup(b, s):
    s.left, s.player = 7, 0

@plywise.rule
def moves(b, s, out):
    for i in range(min(3, s.left)):
        out[i] = i
    return min(3, s.left)

@plywise.rule
def play(b, s, move):
    s.left -= move + 1
    s.player = 1 - s.player

@plywise.rule
def turn(b, s):
    return s.player

@plywise.rule
def over(b, s):
    return s.left == 0

@plywise.rule
def margin(b, s):
    return 1 if s.player == 1 else -1

@plywise.rule
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


def test_an_agent_finds_a_game_that_came_from_a_file(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "take.py").write_text(GAME, encoding="utf-8")
    write_agent(tmp_path, "return int(state.state.left) % 4 or 1")
    agent = make_agent("./agent.py", plywise.game("./take.py"))
    assert best(agent) == "3"
    assert best(agent, "3 1") == "3"
    agent.close()


def test_this_process_is_none_of_theirs(agent):
    assert best(agent(f"import os; return 1 if os.getsid(0) != {os.getsid(0)} else None")) == "1"


# ---- Kaggle's ConnectX -------------------------------------------------------------------------

OBSERVER = """
import random
import numpy as np

def fits(grid, column):
    return grid[0][column] == 0

def my_agent(observation, configuration):
    grid = np.asarray(observation.board).reshape(configuration.rows, configuration["columns"])
    assert list(observation["board"]) == observation.board
    print(observation.mark, observation.step, configuration.inarow, configuration.timeout)
    print(grid.tolist())
    {body}
"""


def connectx(tmp_path, body, game="connect4:rows=3,cols=4,inarow=3", heard=None):
    (tmp_path / "submission.py").write_text(OBSERVER.format(body=body), encoding="utf-8")
    listen = None if heard is None else heard.append
    return make_agent(str(tmp_path / "submission.py"), plywise.game(game), on_output=listen)


def test_an_agent_of_kaggle_gets_the_board_from_the_top_and_answers_from_zero(tmp_path):
    heard = []
    agent = connectx(tmp_path, "return int(np.flatnonzero(grid[0] == 0)[0])", heard=heard)
    assert best(agent, "112") == "1"
    agent.close()
    assert heard[-2].startswith("2 3 3 ")
    assert heard[-1] == "[[0, 0, 0, 0], [2, 0, 0, 0], [1, 1, 0, 0]]"


@pytest.mark.parametrize("answer", ["4", "-1", "0", "None", "'x'"])
def test_columns_that_are_full_or_not_there_are_no_moves(tmp_path, answer):
    """Column 1 is full, so 0 is no move; and 4 is not the text of column 4."""
    with pytest.raises(plywise.AgentError, match="gave an invalid answer: "):
        best(connectx(tmp_path, f"return {answer}"), "111")


def test_a_function_without_a_configuration(tmp_path):
    (tmp_path / "short.py").write_text("def agent(obs):\n    return len(obs.board) - 9\n")
    agent = make_agent(str(tmp_path / "short.py"), plywise.game("connect4:rows=3,cols=4"))
    assert best(agent) == "4"
    agent.close()


def test_any_other_function_is_not_taken_for_an_agent(tmp_path):
    (tmp_path / "other.py").write_text("def helper(board):\n    return 0\n")
    agent = make_agent(str(tmp_path / "other.py"), plywise.game("connect4"))
    with pytest.raises(plywise.AgentError, match=r"does not define get_move\(state, player\)"):
        best(agent)
