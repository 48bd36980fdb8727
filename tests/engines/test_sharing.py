"""One engine in several hands: one search at a time, and only for its own game."""

from __future__ import annotations

import asyncio
import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest

import plywise
from plywise import AgentType, Analysis, Game, Limits, Position, Stop, Unsupported, engines, games
from plywise.core.engine import guarded, unguarded
from plywise.core.spec import Spec
from plywise.engines.solve import solver
from tests.kinds import altered
from tests.positions import random_positions

SMALL = {
    "align": "align:size=4",
    "andantino": "andantino:side=4",
    "makeway": "makeway:dots=6,lines=11",
    "snails": "snails:rows=5,cols=5",
    "tictactoe": "tictactoe:rows=4,k=3",
}
EVERY = [
    (name, agent)
    for name in games.names()
    for agent in engines.names(plywise.game(name))
    if name in SMALL or name == "connect4"
]
FEW = Limits(nodes=300)
PATIENCE = 60  #: seconds after which a search that should not wait is given up


def small(name: str) -> Game:
    return plywise.game(SMALL.get(name, name))


# ---- several threads -----------------------------------------------------------------------------

#: Threads that share one engine, and compare every answer with that of an engine of their own.
HAMMER = """
import sys, time, threading, plywise
agent, seconds, rounds = sys.argv[1], float(sys.argv[2]), int(sys.argv[3])
game, limits = plywise.game("connect4"), plywise.Limits(depth=7)
positions = [game.position(moves) for moves in ("", "4", "44", "4453", "12345", "7654", "11", "35")]
known = [plywise.engine(agent, game).search(each, limits) for each in positions]
known = [(found.pv, found.score, found.nodes) for found in known]
engine, wrong, done = plywise.engine(agent, game), [], [0] * 8
until = time.monotonic() + seconds

def hammer(number):
    while done[number] < rounds or time.monotonic() < until:
        at = (number + done[number]) % 8
        found = engine.search(positions[at], limits)
        if (found.pv, found.score, found.nodes) != known[at]:
            wrong.append(found)
        done[number] += 1

threads = [threading.Thread(target=hammer, args=(number,)) for number in range(8)]
for thread in threads: thread.start()
for thread in threads: thread.join()
print(sum(done), len(wrong))
"""


@pytest.mark.slow
@pytest.mark.parametrize(
    ("seconds", "rounds"),
    [
        pytest.param(0, 40, id="a moment"),
        pytest.param(60, 40, id="a minute", marks=pytest.mark.long),
    ],
)
def test_eight_threads_share_an_engine(seconds: int, rounds: int) -> None:
    """In its own process, because what this looks for is a segmentation fault."""
    done = subprocess.run(
        [sys.executable, "-c", HAMMER, "alphabeta", str(seconds), str(rounds)],
        capture_output=True,
        text=True,
        check=False,
        timeout=1200,
    )
    assert done.returncode == 0, (done.returncode, done.stderr)
    searches, wrong = map(int, done.stdout.split())
    assert searches >= 8 * rounds
    assert wrong == 0


class Counting:
    """An engine as plain as an author may write it; it counts how many searches run at once."""

    name = "counting"

    def __init__(self, game: Game) -> None:
        self.game = game
        self.inside = self.most = 0

    def search(
        self,
        position: Position,
        limits: Limits = FEW,
        on_info: Any = None,
        stop: Stop | None = None,
        *,
        lines: bool = False,
    ) -> Analysis:
        if lines:  # in its own way: by itself
            return self.search(position, limits, on_info, stop)
        self.inside += 1
        self.most = max(self.most, self.inside)
        time.sleep(0.005)  # lets the other threads run
        if on_info is not None:
            on_info(Analysis(position.legal[0], 0.0, 0.0))
        self.inside -= 1
        return Analysis(position.legal[-1], 0.0, 0.0)


@pytest.fixture
def counting() -> Any:
    """The engine above, made by its name as any other."""
    kind = plywise.game("tictactoe").type
    game = altered(kind, agents={"counting": AgentType(Counting)})()
    return plywise.engine("counting", game)


@pytest.mark.parametrize("lines", [False, True])
def test_searches_never_overlap(counting: Any, lines: bool) -> None:
    start = counting.game.start()
    with ThreadPoolExecutor(8) as threads:
        found = list(threads.map(lambda _: counting.search(start, lines=lines), range(16)))
    assert counting.most == 1
    assert {each.best for each in found} == {start.legal[-1]}


def test_an_abandoned_search_does_not_meet_the_next() -> None:
    """As in asyncio: the waiting ends, the thread goes on."""
    game = plywise.game("connect4")
    engine, limits = plywise.engine("alphabeta", game), Limits(depth=6)
    position = game.position("4453")
    known = plywise.engine("alphabeta", game).search(position, limits)
    begun, done = threading.Event(), threading.Event()
    raced = []

    def hold_up(_: Analysis) -> None:
        begun.set()
        raced.append(done.wait(0.02))  # the next search must not end while this one runs

    def next_search() -> Analysis:
        found = engine.search(position, limits)
        done.set()
        return found

    async def main() -> Analysis:
        first = asyncio.to_thread(engine.search, game.start(), limits, hold_up)
        abandoned = asyncio.create_task(first)
        await asyncio.to_thread(begun.wait, 60)
        abandoned.cancel()  # what a timeout does
        return await asyncio.to_thread(next_search)

    found = asyncio.run(main())
    assert raced == [False] * 6
    assert (found.best, found.score, found.nodes) == (known.best, known.score, known.nodes)


def test_on_info_cannot_search_with_its_own_engine(counting: Any) -> None:
    start = counting.game.start()
    again = lambda _: counting.search(start)  # noqa: E731
    for lines in (False, True):
        with pytest.raises(Unsupported, match="on_info cannot search with the engine that is"):
            counting.search(start, FEW, again, lines=lines)
    assert counting.search(start).best == start.legal[-1], "it can still be used"


def test_on_info_may_search_with_another_engine() -> None:
    game = plywise.game("tictactoe")
    one, two = (plywise.engine("alphabeta", game) for _ in range(2))
    heard = []
    one.search(game.start(), Limits(depth=3), lambda _: heard.append(two.search(game.start(), FEW)))
    assert len(heard) == 3


@pytest.fixture
def busy() -> Iterator[Any]:
    """Makes an engine look as if another thread were searching."""
    taken = []

    def hold(engine: Any) -> None:
        engine._turn.acquire()
        taken.append(engine._turn)

    yield hold
    for turn in taken:
        turn.release()


def in_time(work: Callable[[], Analysis]) -> Analysis:
    """Return what some work returns; it must not wait for ever."""
    found: list[Analysis] = []
    thread = threading.Thread(target=lambda: found.append(work()), daemon=True)
    thread.start()
    thread.join(PATIENCE)
    assert found, "it is still waiting"
    return found[0]


@pytest.mark.parametrize(("name", "agent"), EVERY)
def test_every_engine_waits_and_can_be_stopped(name: str, agent: str, busy: Any) -> None:
    game = small(name)
    engine = plywise.engine(agent, game)
    busy(engine)
    stop = Stop()
    stop.set()
    found = in_time(lambda: engine.search(game.start(), FEW, stop=stop))
    assert (found.best, found.nodes, found.lines) == (game.start().legal[0], 0, ())


@pytest.mark.parametrize("name", games.names())
def test_every_solver_waits_and_can_be_stopped(name: str, busy: Any) -> None:
    game = small(name)
    exact = solver(game)
    busy(exact)
    stop = Stop()
    stop.set()
    assert in_time(lambda: exact.solve(game.start(), stop=stop)).outcome is None


def test_a_solver_of_many_takes_turns() -> None:
    game = plywise.game("connect4")
    exact: Any = solver(game)
    some = random_positions(game, 4, range(24, 30), seed=1)
    known = [exact.solve(position).score for position in some]
    steps = exact.solve_many(some)
    found = []
    for analysis in steps:
        found.append(analysis.score)
        assert exact.solve(some[0]).score == known[0], "in between, others may search"
    assert found == known
    with pytest.raises(Unsupported, match="this engine is for connect4, not for connect4:rows=7"):
        list(exact.solve_many([plywise.game("connect4:rows=7").start()]))


class Many:
    """A solver of many positions, which does something at each step."""

    def __init__(self, at_each: Callable[[], None]) -> None:
        self.at_each = at_each

    def solve_many(self, positions: Sequence[Position]) -> Iterator[Analysis]:
        for _ in positions:
            self.at_each()
            yield Analysis(None, 0.0, 0.0)


def test_every_step_of_a_solver_of_many_has_the_turn() -> None:
    game = plywise.game("tictactoe")
    taken: list[bool] = []
    many = Many(lambda: taken.append(exact._turn.locked()))
    exact = guarded(many, game, Many)
    for _ in exact.solve_many([game.start()] * 3):
        assert not exact._turn.locked()
    assert taken == [True] * 3


@pytest.mark.skipif(not hasattr(os, "fork"), reason="nothing to fork")
def test_a_fork_in_the_middle_of_a_search(counting: Any, busy: Any) -> None:
    """The child has no thread that could end the search and give the turn back."""
    start = counting.game.start()
    busy(counting)
    child = os.fork()
    if child == 0:
        signal.alarm(PATIENCE)  # which ends it
        found = counting.search(start)
        os._exit(0 if found.best == start.legal[-1] else 1)
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0


# ---- one game ------------------------------------------------------------------------------------


@pytest.mark.parametrize(("name", "agent"), EVERY)
def test_every_engine_refuses_another_game(name: str, agent: str) -> None:
    other = plywise.game("tictactoe:rows=5" if name != "tictactoe" else "connect4")
    with pytest.raises(Unsupported, match=r"^this engine is for \S+, not for \S+: make one with"):
        plywise.engine(agent, small(name)).search(other.start(), FEW)


def test_another_size_is_another_game() -> None:
    game, other = plywise.game("connect4"), plywise.game("connect4:rows=7,cols=8")
    words = "this engine is for connect4, not for connect4:rows=7,cols=8: make one with"
    for refused in (
        lambda: plywise.engine("alphabeta", game).search(other.start(), FEW),
        lambda: solver(game).solve(other.start()),
        lambda: plywise.hint(other.start(), FEW, engine=plywise.engine("alphabeta", game)),
        lambda: plywise.review(other.position("44"), plywise.engine("auto", game), FEW),
    ):
        with pytest.raises(Unsupported, match=words):
            refused()


def test_the_same_board_under_another_name_is_the_same_game() -> None:
    game = plywise.game("makeway:seed=3")
    whole = plywise.game("makeway", board=Spec.parse(game.whole_spec).given["board"])
    assert whole != game
    assert plywise.engine("alphabeta", game).search(whole.start(), FEW).best in whole.start().legal


def test_a_game_that_was_defined_again() -> None:
    kind = plywise.game("tictactoe").type
    old, new = (altered(kind, move_text=lambda b, move: f"{move}")() for _ in range(2))
    with pytest.raises(Unsupported, match="is for tictactoe before it was defined again: make the"):
        plywise.engine("minimax", old).search(new.start())


# ---- and nothing but a position ------------------------------------------------------------------


@pytest.mark.parametrize(("name", "agent"), EVERY)
def test_every_engine_refuses_a_finished_game(name: str, agent: str) -> None:
    game = small(name)
    position = game.start()
    while not position.over:
        position = position.play_code(position.legal_codes[0])
    with pytest.raises(Unsupported, match=r"the game is over .*: there is no move to look for"):
        plywise.engine(agent, game).search(position, FEW)


def test_what_is_not_a_position() -> None:
    game = plywise.game("connect4")
    engine: Any = plywise.engine("alphabeta", game)
    anything: Any = plywise
    for refused, words in (
        (lambda: engine.search("44"), r"search needs a position, such as game.start\(\) .* '44'"),
        (lambda: engine.search(game), r"search needs a position, .* not plywise.game\('connect4'"),
        (lambda: anything.solve("connect4"), "solve needs a position, .* not 'connect4'"),
        (lambda: anything.hint("44"), "hint needs a position, .* not '44'"),
        (lambda: anything.review("44"), "review needs a position, .* not '44'"),
        (lambda: anything.engine("auto", "connect4"), "engine needs a game, such as .*'connect4'"),
        (lambda: anything.match("connect4", "auto", "random"), "match needs a game, such as"),
        (lambda: engine.search(game.start(), 1.0), r"limits must be Limits, such as .* not 1\.0"),
    ):
        with pytest.raises(TypeError, match=words):
            refused()


# ---- what authors write --------------------------------------------------------------------------


class Plain:
    """An engine that takes only what it needs, in a class that allows no further attributes."""

    __slots__ = ("heard", "name")

    def __init__(self) -> None:
        self.name = "plain"
        self.heard: list[Limits] = []

    def search(self, position: Position, limits: Limits = FEW) -> Analysis:
        self.heard.append(limits)
        return Analysis(position.legal[0], 0.0, 0.0)


@pytest.fixture
def plain() -> Any:
    """The engine above, made by its name."""
    agents: Any = {"plain": AgentType(lambda game: Plain())}  # type: ignore[arg-type,return-value]
    return plywise.engine("plain", altered(plywise.game("tictactoe").type, agents=agents)())


def test_what_is_not_given_is_left_to_the_engine(plain: Any) -> None:
    start = plain._game.start()
    for asked in ({}, {"limits": Limits(depth=2)}, {"on_info": None, "stop": None}):
        assert plain.search(start, **asked).best == start.legal[0]
    assert plain.heard == [FEW, Limits(depth=2), FEW]
    with pytest.raises(TypeError, match="unexpected keyword argument 'lines'"):
        plain.search(start, lines=True)


def test_the_rest_of_an_engine_can_be_read_but_not_set(plain: Any) -> None:
    assert (plain.name, plain.heard) == ("plain", [])
    assert isinstance(unguarded(plain), Plain)
    assert unguarded(unguarded(plain)) is unguarded(plain)
    with pytest.raises(AttributeError, match="'Plain' object has no attribute 'depth'"):
        _ = plain.depth
    with pytest.raises(AttributeError):
        plain.heard = [FEW]


def test_an_engine_is_guarded_once(plain: Any) -> None:
    assert guarded(plain, plain._game, Plain) is plain
