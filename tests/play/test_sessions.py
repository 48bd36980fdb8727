"""Sessions: who may do what when, what undo gives back, clocks, files, threads."""

from __future__ import annotations

import threading

import pytest

import plywise
from plywise.play.records.files import SaveError
from plywise.play.records.game_record import GameRecord, Move, Result, TimeControl
from plywise.play.records.saves import load, save
from plywise.play.session import Session, SessionError
from tests.play.agents.making import LATE, MISCHIEF, SOON, gone, pids, write_agent

PEOPLE = ("human", "human")


class Clock:
    """Time that passes when told to."""

    def __init__(self):
        self.time = 1000.0

    def __call__(self):
        return self.time


@pytest.fixture
def session(request):
    opened = []

    def start(game="tictactoe", players=PEOPLE, *, clock=None, **more):
        control = None if clock is None else TimeControl.parse(clock)
        fields = {key: more.pop(key) for key in ("start", "seed", "moves") if key in more}
        opened.append(Session(GameRecord(game, players, time=control, **fields), **more))
        return opened[-1]

    yield start
    for each in opened:
        each.close()


def writer(file):
    """What keeps a game in a file."""
    return lambda record: save(record, file)


def played(session):
    return " ".join(session.position.moves)


# ---- moves -----------------------------------------------------------------------------------


def test_two_people_play_a_game(session):
    one = session()
    for move in ("a1", "B1", " a2 ", "b2"):
        assert one.result is None
        one.play(move)
    one.play("a3")
    assert played(one) == "a1 b1 a2 b2 a3"
    assert one.result == Result(1, "rules", "3 in a line")
    assert one.on_turn is None
    with pytest.raises(SessionError, match="the game is over: player 1 wins, rules: 3 in a"):
        one.play("c3")


def test_a_bad_move_changes_nothing(session):
    one = session()
    one.play("a1")
    before = one.record
    for text in ("a1", "z9", "", "a1 b1"):
        with pytest.raises(plywise.MoveError):
            one.play(text)
    assert one.record is before


def test_a_person_against_an_agent(session):
    one = session(players=("human", "random"), seed=3)
    assert one.on_turn.person
    assert one.think() is None  # it is the person's turn: nothing happens
    one.play("b2")
    with pytest.raises(SessionError, match="it is not your turn: random is to move"):
        one.play("a1")
    analysis = one.think()
    assert analysis.best == one.position.moves[-1]
    assert len(one.position.moves) == 2


def test_agents_among_themselves(session):
    one = session("connect4", ("random", "minimax:depth=2"), seed=1)
    while one.result is None:
        assert one.think() is not None
    assert one.think() is None
    assert one.result.how == "rules"


def test_what_agents_play_depends_on_the_record_alone(session):
    def game(undo=False):
        one = session("connect4", ("random", "random"), seed=5)
        while one.result is None:
            one.think()
            if undo and len(one.record.moves) in (3, 7):
                one.undo()
                one.undo()
                one.think()
                one.think()
                undo = len(one.record.moves) < 7
        return played(one)

    assert game() == game() == game(undo=True)


@pytest.mark.slow
@pytest.mark.parametrize("stop", [1, 4, 8])
def test_a_saved_game_goes_on_as_it_would_have(session, tmp_path, stop):
    file = tmp_path / "game.txt"
    agent = write_agent(tmp_path, "import random; return random.choice(state.legal)")

    def finish(one):
        while one.result is None:
            one.think()
        return one.record.moves

    players = (agent, "random")
    whole = [move.text for move in finish(session("connect4", players, seed=9))]
    one = session("connect4", players, seed=9, keep=writer(file))
    for _ in range(stop):
        one.think()
    one.close()
    loaded = Session(load(file))
    assert [move.text for move in finish(loaded)] == whole
    loaded.close()


# ---- undo, redo, resign ----------------------------------------------------------------------


def test_undo_and_redo_between_people_go_by_single_moves(session):
    one = session()
    for move in ("a1", "b1", "a2"):
        one.play(move)
    assert one.undo().moves == ("a1", "b1")
    assert one.undo().moves == ("a1",)
    assert [move.text for move in one.record.undone] == ["b1", "a2"]
    assert one.redo().moves == ("a1", "b1")
    assert one.play("c3").moves == ("a1", "b1", "c3")
    with pytest.raises(SessionError, match="there is nothing to redo"):
        one.redo()
    for _ in range(3):
        one.undo()
    with pytest.raises(SessionError, match="there is nothing to take back"):
        one.undo()


def test_undo_against_an_agent_goes_back_to_the_person(session):
    one = session(players=("random", "human"), seed=1)
    one.think()
    with pytest.raises(SessionError, match="nothing to take back"):
        one.undo()
    mine = one.position.legal[0]
    one.play(mine)
    assert len(one.undo().moves) == 1  # the agent had not answered yet
    one.play(mine)
    one.think()
    assert len(one.undo().moves) == 1
    assert len(one.redo().moves) == 3
    assert one.on_turn.person


def test_a_finished_game_can_be_taken_back_and_finished_again(session):
    one = session()
    for move in ("a1", "b1", "a2", "b2", "a3"):
        one.play(move)
    one.undo()
    assert one.result is None
    one.redo()
    assert one.result.winner == 1


@pytest.mark.parametrize(
    ("players", "moves", "number", "loser"),
    [
        (PEOPLE, [], None, 1),
        (PEOPLE, ["a1"], None, 2),
        (PEOPLE, ["a1"], 1, 1),
        (("human", "random"), ["a1"], None, 1),
        (("random", "human"), [], None, 2),
        (("random", "random"), [], None, 1),
    ],
)
def test_resigning(session, players, moves, number, loser):
    one = session(players=players)
    for move in moves:
        one.play(move)
    one.resign(number)
    assert one.result == Result(3 - loser, "resigned", f"player {loser} resigned")
    for action in (one.resign, one.redo, lambda: one.play("c3")):
        with pytest.raises(SessionError):
            action()
    one.undo()
    assert one.result is None
    assert len(one.record.moves) == len(moves)


def test_nobody_else_can_resign(session):
    with pytest.raises(SessionError, match="there is no player 3"):
        session().resign(3)


def test_going_back_to_any_move_and_forth(session):
    one = session(players=("human", "random"), seed=1)
    for _ in range(2):
        one.play(one.position.legal[0])
        one.think()
    whole = one.position.moves
    assert one.undo(1).moves == whole[:1]
    assert one.on_turn.spec.name == "random"
    assert one.redo(3).moves == whole[:3]
    assert one.undo(0).moves == ()
    for to in (0, 5):
        with pytest.raises(SessionError, match=f"cannot go forward to move {to}: choose 1 to 4"):
            one.redo(to)
    assert one.redo(4).moves == whole
    for to in (-1, 4, 9):
        with pytest.raises(SessionError, match=f"cannot go back to move {to}: choose 0 to 3"):
            one.undo(to)
    one.resign()
    assert one.undo(2).moves == whole[:2]
    assert one.result is None
    with pytest.raises(SessionError, match="there is nothing to take back"):
        session().undo(0)


# ---- notes and branches ----------------------------------------------------------------------


def drawn(session):
    """The branches as text, with their notes."""
    return [
        f"{branch.at}: " + " ".join(f"{move.text}{move.note and f'({move.note})'}"
                                    for move in branch.moves)
        for branch in session.record.branches
    ]  # fmt: skip


def test_notes(session):
    one = session()
    one.note("before\n\n the  first move")
    one.play("a1")
    one.note("a corner")
    assert one.record.notes == ("before", "the first move")
    assert one.record.moves == (Move("a1", one.record.moves[0].seconds, "a corner"),)
    one.play("b2")
    one.note("the other one\0", at=1)
    one.undo()
    one.note("undone", at=2)
    one.note("", at=0)
    assert one.record.notes == ()
    assert [move.note for move in one.record.line] == ["the other one", "undone"]
    with pytest.raises(SessionError, match="there is no move 3: choose 0 to 2"):
        one.note("nowhere", at=3)
    with pytest.raises(SessionError, match="a note can have at most 500 characters"):
        one.note("x" * 501)
    with pytest.raises(SessionError, match="there is no branch c3 after move 1"):
        one.note("nowhere", 1, ["c3"])


def test_branches(session):
    one = session()
    for move in ("a1", "b2", "c3"):
        one.play(move)
    assert one.branch(1, ["a2", "B3"]).moves == ("a1", "a2", "b3")
    one.branch(0, ["a1", "a2"])  # the same line, from further back: nothing new
    assert drawn(one) == ["1: a2 b3"]
    one.branch(1, ["a2", "b3", "c1"])
    one.note("bold", 1, ["a2"])
    one.branch(1, ["a2", "c2"])
    one.branch(3, ["a3"])  # the game could go on like this
    one.branch(0, ["a1", "b2"])  # the main line itself
    assert drawn(one) == ["1: a2(bold) b3 c1", "1: a2(bold) c2", "3: a3"]
    with pytest.raises(plywise.MoveError, match="'a1' is not legal here"):
        one.branch(1, ["a2", "a1"])
    with pytest.raises(SessionError, match="there is no move 4: choose 0 to 3"):
        one.branch(4, ["a2"])
    one.prune(1, ["a2", "b3"])
    assert drawn(one) == ["1: a2(bold) c2", "3: a3"]
    one.prune(1, ["a2", "c2"])  # what came before it stays
    assert drawn(one) == ["1: a2(bold)", "3: a3"]
    one.prune(0, ["a1", "a2"])
    assert drawn(one) == ["3: a3"]
    for at, moves in ((1, ["a2"]), (1, ["b2"]), (0, [])):
        with pytest.raises(SessionError, match=r"there is no branch|that is the main line"):
            one.prune(at, moves)


def test_what_becomes_of_branches_when_the_game_goes_another_way(session):
    one = session()
    for move in ("a1", "b2", "c3"):
        one.play(move)
    one.branch(0, ["b1"])
    one.branch(1, ["a2", "b3"])
    one.branch(1, ["a2", "c2"])
    one.note("bold", 1, ["a2"])
    one.branch(2, ["c1"])
    one.undo(1)
    assert drawn(one) == ["0: b1", "1: a2(bold) b3", "1: a2(bold) c2", "2: c1"]
    one.play("a2")  # a branch becomes the game; the one after b2 has lost its ground
    assert drawn(one) == ["0: b1", "2: b3", "2: c2"]
    assert one.record.moves[1].note == "bold"
    one.play("b3")
    assert drawn(one) == ["0: b1", "2: c2"]


def test_a_game_has_so_many_branches(session, monkeypatch):
    monkeypatch.setattr("plywise.play.records.game_record.MAX_BRANCHES", 2)
    monkeypatch.setattr("plywise.play.records.game_record.MAX_BRANCH_MOVES", 6)
    one = session()
    one.branch(0, ["a1"])
    one.branch(0, ["b1"])
    with pytest.raises(SessionError, match="a game can have at most 2 branches"):
        one.branch(0, ["c1"])
    one.branch(0, ["b1", "a1", "a2", "a3", "b2"])
    with pytest.raises(SessionError, match="branches can have at most 6 moves in all"):
        one.branch(0, ["a1", "b1"])
    assert drawn(one) == ["0: a1", "0: b1 a1 a2 a3 b2"]


# ---- agents that are hurried -----------------------------------------------------------------


def test_an_engine_can_be_hurried(session):
    one = session("connect4", ("mcts:time=600", "human"))
    heard = threading.Event()
    one.listener = lambda event: heard.set()
    assert not one.hurry()  # nobody thinks yet
    thought = []
    thread = threading.Thread(target=lambda: thought.append(one.think()))
    thread.start()
    assert heard.wait(SOON)
    assert one.hurry()
    thread.join(SOON)
    assert [analysis.best for analysis in thought] == list(one.position.moves)
    assert len(thought) == 1
    assert not one.hurry()


def test_a_program_cannot_be_hurried(session, tmp_path):
    file = write_agent(tmp_path, "import os\n{pid}\nwhile True: pass")
    one = session(players=(file, "human"))
    thread = threading.Thread(target=one.think)
    thread.start()
    pids(tmp_path)
    assert not one.hurry()
    one.close()
    thread.join(SOON)
    assert not thread.is_alive()
    assert one.record.moves == ()


def test_limits_for_an_agent_that_names_none(session):
    given = []

    class Listening:
        name = "listening"

        def search(self, position, limits=None, on_info=None, stop=None, *, lines=False):
            given.append(limits.time)
            return plywise.Analysis(position.legal[0], 0.0, 0.0, seconds=0.0)

    for agent, clock in (("auto", None), ("auto:time=3", None), ("auto", "7 a move")):
        one = session(players=(agent, "human"), clock=clock)
        one.players[0].agent = Listening()
        one.think(plywise.Limits(time=0.25))
    assert given == [0.25, None, 7.0]


# ---- agents that fail ------------------------------------------------------------------------


@pytest.mark.slow
@pytest.mark.parametrize("kind", ["loops", "raises", "illegal", "vanishes", "eats"])
def test_an_agent_that_fails_loses(session, tmp_path, kind):
    body, complaint = MISCHIEF[kind]
    file = write_agent(tmp_path, body)
    clock = f"{0.1 if kind in LATE else SOON} a move"
    one = session(players=("human", file), clock=clock, now=Clock())
    one.play("a1")
    assert one.think() is None
    assert one.result.winner == 1
    assert one.result.how == ("time" if kind in LATE else "forfeit")
    assert one.result.reason.startswith(f"the agent file {file} {complaint}")
    one.undo()
    assert one.result is None


@pytest.mark.slow
def test_undo_calls_a_thinking_agent_off(session, tmp_path):
    file = write_agent(
        tmp_path,
        "import os\n{pid}\nwhile state.moves[0] == 'a1': pass\nreturn state.legal[0]",
    )
    one = session(players=("human", file))
    one.play("a1")
    thought = []
    thread = threading.Thread(target=lambda: thought.append(one.think()))
    thread.start()
    (pid,) = pids(tmp_path)
    one.undo()
    thread.join(SOON)
    assert thought == [None]
    assert one.result is None
    assert gone(pid)
    one.play("b2")
    assert one.think().best == "a1"
    assert played(one) == "b2 a1"


@pytest.mark.parametrize("action", ["close", "resign"])
@pytest.mark.parametrize("agent", ["file", "alphabeta:time=600"])
def test_closing_and_resigning_call_a_thinking_agent_off(session, tmp_path, agent, action):
    file = write_agent(tmp_path, "import os\n{pid}\nwhile True: pass")
    one = session("connect4", (file if agent == "file" else agent, "human"))
    heard = threading.Event()
    one.listener = lambda event: heard.set()
    thread = threading.Thread(target=one.think)
    thread.start()
    assert pids(tmp_path) if agent == "file" else heard.wait(SOON)  # now it thinks
    getattr(one, action)()
    thread.join(SOON)
    assert not thread.is_alive()
    assert one.record.moves == ()


def test_many_who_think_at_once_make_one_move(session):
    one = session("connect4", ("random", "human"))
    threads = [threading.Thread(target=one.think) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(one.record.moves) == 1


# ---- clocks ----------------------------------------------------------------------------------


def test_a_clock_for_the_whole_game(session):
    now = Clock()
    one = session(clock="60 + 5", now=now)
    now.time += 100
    assert one.clocks == (60, 60)  # until the first move
    assert not one.flag()
    one.play("a1")
    assert one.clocks == (65, 60)
    now.time += 10
    assert one.clocks == (65, 50)
    one.play("b1")
    assert one.clocks == (65, 55)
    now.time += 3.25
    one.play("c1")
    assert one.clocks == (66.75, 55)
    assert [move.seconds for move in one.record.moves] == [0, 10, 3.25]
    now.time += 1
    one.undo()
    assert one.clocks == (65, 55)  # as it was when that move began
    now.time += 64
    assert not one.flag()
    now.time += 2
    assert one.flag()
    assert one.result == Result(2, "time", "player 1 ran out of time")
    assert not one.flag()


def test_a_move_that_comes_too_late(session):
    now = Clock()
    one = session(clock="7 a move", now=now)
    now.time += 60  # before the first move no clock runs
    one.play("a1")
    assert one.clocks == (7, 7)
    now.time += 7.5
    with pytest.raises(SessionError, match="too late: player 1 wins, time: player 2 ran out"):
        one.play("b1")
    assert len(one.record.moves) == 1
    one.undo()
    assert one.clocks == (7, 7)
    one.play("b1")


def test_agents_are_told_what_they_have(session):
    given = []

    class Listening:
        name = "listening"

        def search(self, position, limits=None, on_info=None, stop=None, *, lines=False):
            given.append(limits.time)
            return plywise.Analysis(position.legal[0], 0.0, 0.0, seconds=0.5)

    for clock in (None, "7 a move", "60 + 2", "0.4 + 0"):
        one = session(players=("auto", "human"), clock=clock, now=Clock())
        one.players[0].agent = Listening()
        one.think()
        if clock == "60 + 2":
            assert one.clocks[0] == 61.5
    assert given == [1.0, 7.0, 5.0, 0.02]
    assert one.result is None  # a little over is put down to the way there and back
    one.play(one.position.legal[0])
    one.think()
    assert one.result == Result(2, "time", "player 1 ran out of time")


def test_no_clock_no_flag(session):
    one = session(now=Clock())
    assert one.clocks is None
    assert not one.flag()


@pytest.mark.parametrize("text", ["", "soon", "-1", "7 moves", "1 + 2 + 3", "nan", "1e9", "9" * 12])
def test_clocks_that_are_none(text):
    with pytest.raises(plywise.SpecError):
        TimeControl.parse(text)


# ---- events and files ------------------------------------------------------------------------


def test_the_listener_hears_of_everything_in_order(session):
    heard = []
    one = session(players=("human", "minimax:depth=1"), listener=heard.append)
    one.play("a1")
    one.think()
    one.undo()
    one.redo()
    one.note("so far")
    one.branch(0, ["b2"])
    one.branch(0, ["b2"])  # nothing new
    one.prune(0, ["b2"])
    one.resign()
    kinds = [event.kind for event in heard]
    assert [kind for kind in kinds if kind != "info"] == [
        "move", "move", "undo", "redo", "note", "branch", "branch", "result",
    ]  # fmt: skip
    for event in heard:
        assert event.position.moves == tuple(move.text for move in event.record.moves)
    (info, *_), (_, second, *_) = ([event for event in heard if event.kind == kind]
                                   for kind in ("info", "move"))  # fmt: skip
    assert info.analysis is not None
    assert second.analysis.best == second.position.moves[-1]
    assert heard[-1].record.result.how == "resigned"


def test_every_change_is_on_disk_before_anybody_hears_of_it(session, tmp_path):
    file = tmp_path / "game.txt"
    heard = []

    def listener(event):
        assert load(file) == event.record
        heard.append(event.kind)

    one = session(keep=writer(file), listener=listener)
    assert not file.exists()  # nothing has changed yet
    for move in ("a1", "b1", "a2"):
        one.play(move)
    one.undo()
    one.redo()
    one.note("well")
    one.resign()
    assert heard == ["move"] * 3 + ["undo", "redo", "note", "result"]


def test_a_move_that_cannot_be_saved_is_not_made(session, tmp_path):
    folder = tmp_path / "games"
    folder.mkdir()
    one = session(keep=writer(folder / "game.txt"))
    one.play("a1")
    (folder / "game.txt").unlink()
    folder.rmdir()
    with pytest.raises(SaveError, match="cannot be written: No such file"):
        one.play("b1")
    assert played(one) == "a1"
    folder.mkdir()
    one.play("b1")
    assert load(folder / "game.txt") == one.record


def test_a_position_to_start_from(session):
    one = session(start="2x/1x1/o2 o")
    assert one.position.to_move == 2
    one.play("a3")
    assert one.position.text == "o1x/1x1/o2 x"
    one.undo()
    assert one.position.text == "2x/1x1/o2 o"


@pytest.mark.parametrize("players", [("nobody", "human"), ("human:x=1", "human"), ("", "human")])
def test_players_that_cannot_be(session, players):
    with pytest.raises(plywise.SpecError):
        session(players=players)
