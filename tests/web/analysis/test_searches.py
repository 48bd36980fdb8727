"""Searches on the event loop: fair, bounded, stoppable, and nothing left of them."""

from __future__ import annotations

import asyncio
import subprocess
import sys
import threading
import time
from collections import deque
from collections.abc import Awaitable, Callable
from dataclasses import replace

import pytest

import plywise
from plywise.core.analysis import Analysis, Limits, Stop
from plywise.core.position import Position
from plywise.play.records.game_record import GameRecord
from plywise.play.session import THINK, Session
from plywise.web.analysis.engine_pool import Borrower, Lender, modest
from plywise.web.analysis.scheduler import Newest, Search, Turns
from plywise.web.analysis.searches import Searches
from plywise.web.caller import Caller
from plywise.web.errors import TooMany
from plywise.web.settings import Settings
from tests.web.steps import ENDLESS, HOURS, PATIENCE, threads_of, until

pytestmark = pytest.mark.slow  # longer than `make quick` has time for

#: Nothing here ends by the clock: what is proved ends, and the rest is stopped.
SETTINGS = Settings(workers=2, analysis_seconds=HOURS, answer_seconds=HOURS, review_seconds=HOURS)
CONNECT4 = plywise.game("connect4:rows=7,cols=8")  # the usual board is in the book
#: Nothing about this position is proved in minutes.
OPEN = CONNECT4.position("")
TICTACTOE = plywise.game("tictactoe")

Work = Callable[[Searches], Awaitable[None]]


def searching(work: Work, settings: Settings = SETTINGS) -> None:
    """Run a test with searches that are closed afterwards; they leave no thread behind."""

    async def run() -> None:
        searches = Searches(settings)
        try:
            await asyncio.wait_for(work(searches), PATIENCE)
        finally:
            await searches.close()
        left = asyncio.all_tasks() - {asyncio.current_task()}
        await asyncio.wait_for(asyncio.gather(*left, return_exceptions=True), PATIENCE)

    asyncio.run(run())
    until(lambda: threads_of("plywise-") == 0, "the end of all threads")


async def idle(searches: Searches) -> None:
    """Wait until nothing runs; `searching` does not wait for ever."""
    while searches.busy:
        await asyncio.sleep(0.01)


# ---- one search ------------------------------------------------------------------------------


def test_an_analysis_ends_when_every_move_is_proved() -> None:
    async def work(searches: Searches) -> None:
        heard: list[Analysis] = []
        position = TICTACTOE.position("b2 a1")
        found = await searches.analyse(position, on_info=heard.append).wait()
        assert found.outcome == "draw"
        assert {line.move for line in found.lines} == set(position.legal)
        assert all(line.outcome is not None for line in found.lines)
        assert [each.depth for each in heard] == sorted(each.depth for each in heard)
        await idle(searches)

    searching(work)


def test_an_analysis_ends_when_its_time_is_over() -> None:
    async def work(searches: Searches) -> None:
        found = await searches.analyse(OPEN, "alphabeta").wait()
        assert found.outcome is None
        assert found.depth > 1  # no clock cuts its first nodes short

    searching(work, replace(SETTINGS, analysis_seconds=0.3))


def test_reports_come_on_the_event_loop_and_only_the_newest() -> None:
    async def work(searches: Searches) -> None:
        told: list[tuple[int, threading.Thread]] = []
        news = Newest[int](
            asyncio.get_running_loop(),
            lambda number: told.append((number, threading.current_thread())),
        )
        for last in (1000, 2000):
            thread = threading.Thread(target=deque, args=(map(news.put, range(last + 1)), 0))
            thread.start()
            thread.join()  # the loop heard nothing meanwhile
            while not told or told[-1][0] != last:
                await asyncio.sleep(0.01)
        assert told == [(1000, threading.current_thread()), (2000, threading.current_thread())]

    searching(work)


def test_a_cancelled_analysis_stops_at_once() -> None:
    async def work(searches: Searches) -> None:
        begun = asyncio.Event()
        search = searches.analyse(OPEN, on_info=lambda _: begun.set())
        await begun.wait()
        search.cancel()
        assert search.result.cancelled()
        await idle(searches)
        search.cancel()  # once more does no harm

    searching(work)


def test_who_stops_waiting_stops_the_search() -> None:
    async def work(searches: Searches) -> None:
        tasks = [
            asyncio.create_task(searches.find(OPEN, seconds=HOURS)),
            asyncio.create_task(searches.hint(OPEN, HOURS)),
            asyncio.create_task(searches.review(CONNECT4.position("4453"))),
        ]
        await asyncio.sleep(0.2)
        for task in tasks:
            task.cancel()
        results = await asyncio.gather(*tasks, return_exceptions=True)
        assert all(isinstance(result, asyncio.CancelledError) for result in results)
        await idle(searches)

    searching(work)


def test_closing_ends_whatever_runs() -> None:
    async def work(searches: Searches) -> None:
        waiting = [
            asyncio.create_task(searches.analyse(OPEN).wait()),
            asyncio.create_task(searches.hint(OPEN, HOURS)),
            asyncio.create_task(searches.review(CONNECT4.position("44534"))),
        ]
        await asyncio.sleep(0.1)
        await searches.close()
        results = await asyncio.gather(*waiting, return_exceptions=True)
        assert all(isinstance(result, BaseException) for result in results)

    searching(work)


def test_an_engine_that_fails_is_an_error_for_who_asked() -> None:
    async def work(searches: Searches) -> None:
        with pytest.raises(plywise.PlywiseError, match="the game is over"):
            await searches.find(TICTACTOE.position("a1 b1 a2 b2 a3"))
        with pytest.raises(plywise.PlywiseError, match="there is no agent"):
            await searches.find(OPEN, agent="nobody")
        await idle(searches)

    searching(work)


PRIORITIES = """
import asyncio, os, threading, plywise
from plywise.web.analysis.searches import NICE, Searches
from plywise.web.settings import Settings

async def main():
    searches = Searches(Settings(workers=2))
    await searches.find(plywise.game("tictactoe").start(), seconds=0.2)
    nice = {
        thread.name: os.getpriority(os.PRIO_PROCESS, thread.native_id) - os.getpriority(0, 0)
        for thread in threading.enumerate()
    }
    kernels = [nice[name] for name in nice if name.startswith("plywise_")]
    assert len(kernels) == 18 and set(kernels) == {NICE}, nice
    assert nice["plywise-searches_0"] == 0, nice
    await searches.close()

asyncio.run(main())
"""


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux has priorities of threads")
def test_kernels_run_at_a_lower_priority() -> None:
    """In a process of its own: the threads of kernels stay, and other tests have some as well."""
    subprocess.run([sys.executable, "-c", PRIORITIES], check=True, timeout=PATIENCE)


# ---- several ---------------------------------------------------------------------------------


def test_many_analyses_share_the_threads() -> None:
    """Eight on one thread: each is heard of, though the first ones would run for long."""

    async def work(searches: Searches) -> None:
        heard = [0] * 8

        def hear(index: int) -> Callable[[Analysis], None]:
            def count(found: Analysis) -> None:
                heard[index] += 1

            return count

        running = [
            searches.analyse(OPEN.play(str(1 + index % 7)), on_info=hear(index))
            for index in range(8)
        ]
        while not all(count > 1 for count in heard):
            await asyncio.sleep(0.05)
        newcomer = searches.find(TICTACTOE.position("b2 a1"), seconds=HOURS)
        assert (await newcomer).outcome == "draw"  # it is not kept waiting
        for search in running:
            search.cancel()
        await idle(searches)

    searching(work)


def test_what_was_found_before_a_turn_ended_is_kept() -> None:
    class Forgetful:
        """An engine that finds something only in its first turn."""

        name = "forgetful"
        turns = 0

        def search(self, position: Position, limits: Limits, heard: object, stop: Stop, *,
                   lines: bool = False) -> Analysis:  # fmt: skip
            self.turns += 1
            while not stop.is_set() and self.turns < 3:
                time.sleep(0.005)
            return Analysis("4", 0.5, 5.0, depth=9 if self.turns == 1 else 1, nodes=10, seconds=0.1)

    async def work(searches: Searches) -> None:
        engine = Forgetful()
        lender = Lender()
        turns = Turns(searches._searching, 1, 0.02, lender)
        search = Search(OPEN, "auto", Limits(time=HOURS))
        search.go_on = lambda stop, _: engine.search(OPEN, Limits(), None, stop)  # type: ignore[method-assign, assignment]
        other = Search(OPEN, "alphabeta", Limits(time=HOURS))  # always wants another turn
        turns.add(search)
        turns.add(other)
        found = await search.wait()
        other.cancel()
        assert found.depth == 9
        assert found.nodes == 10 * engine.turns
        assert engine.turns == 3
        await turns.close()

    searching(work)


@pytest.mark.parametrize("weight", [1.0, 8.0])
def test_an_urgent_search_uses_up_its_share_more_slowly(weight: float) -> None:
    async def work() -> float:
        search = Search(OPEN, "auto", Limits(time=HOURS), weight=weight)
        for _ in range(2):
            search.end_turn(Analysis(OPEN.legal[0], 0.0, 0.0, seconds=4.0))
        return search.used

    assert asyncio.run(work()) == 8.0 / weight


def test_who_had_to_compile_first_is_not_kept_waiting_for_it() -> None:
    async def work(searches: Searches) -> None:
        order: list[str] = []

        def turn(name: str, compiling: float) -> Callable[[Stop, Lender], Analysis]:
            def go_on(stop: Stop, lender: Lender) -> Analysis:
                order.append(name)
                if order.count(name) == 1:
                    time.sleep(compiling)
                while not stop.is_set():
                    time.sleep(0.001)
                return Analysis("4", 0.5, 5.0, depth=1, nodes=10, seconds=0.01)

            return go_on

        turns = Turns(searches._searching, 1, 0.01, Lender())
        both = [Search(OPEN, "auto", Limits(time=HOURS)) for _ in range(2)]
        for search, name, compiling in zip(both, ("one", "two"), (0.5, 0.0), strict=True):
            search.go_on = turn(name, compiling)  # type: ignore[method-assign]
            turns.add(search)
        while len(order) < 5:
            await asyncio.sleep(0.01)
        for search in both:
            search.cancel()
        await turns.close()
        assert order[:5] == ["one", "two", "one", "two", "one"]

    searching(work)


def test_too_many_are_refused() -> None:
    async def work(searches: Searches) -> None:
        me, you, somebody = (Caller(name, "") for name in ("me", "you", "somebody"))
        mine = [searches.analyse(OPEN, caller=me) for _ in range(2)]
        with pytest.raises(TooMany, match="stop one first"):
            searches.analyse(OPEN, caller=me)
        other = searches.analyse(OPEN, caller=you)
        with pytest.raises(TooMany, match="try again"):
            await searches.hint(OPEN, caller=somebody)
        mine[0].cancel()
        again = searches.analyse(OPEN, caller=me)  # at once
        for search in (*mine, other, again):
            search.cancel()
        await idle(searches)

    searching(work, replace(SETTINGS, analyses=3, analyses_per_client=2))


# ---- hints, reviews, moves -------------------------------------------------------------------


def test_a_hint() -> None:
    async def work(searches: Searches) -> None:
        found = await searches.hint(TICTACTOE.position("a1 b2 a2 c1"))
        assert found.move == "a3"
        await idle(searches)

    searching(work)


def test_a_review_says_how_far_it_is() -> None:
    async def work(searches: Searches) -> None:
        heard: list[int] = []
        found = await searches.review(TICTACTOE.position("b2 a2 a1"), heard.append)
        assert [move.grade.value for move in found.moves] == ["best", "blunder", "best"]
        assert heard == [1, 2, 3, 4]
        await idle(searches)

    searching(work)


def test_an_engine_moves() -> None:
    async def work(searches: Searches) -> None:
        with Session(GameRecord("connect4", ("auto:level=1", "human"))) as session:
            found = await searches.move(session)
            assert found is not None
            assert len(session.record.moves) == 1
            assert await searches.move(session) is None  # it is a person's turn
            await idle(searches)

    searching(work)


def test_many_engines_think_less_each() -> None:
    async def work(searches: Searches) -> None:
        allowed: list[float] = []

        class Brief(Session):
            """Writes down how long its engine may think, and looks at a few positions only."""

            def think(self, limits: Limits | None = None) -> Analysis | None:
                assert limits is not None
                assert limits.time is not None
                allowed.append(limits.time)
                return super().think(Limits(nodes=1000))

        sessions = [Brief(GameRecord(CONNECT4.spec, ("alphabeta", "human"))) for _ in range(20)]
        assert all(await asyncio.gather(*(searches.move(session) for session in sessions)))
        assert len(allowed) == len(sessions)
        assert sum(allowed) < len(sessions) / 2
        with Brief(GameRecord(CONNECT4.spec, ("alphabeta", "human"))) as alone:
            await searches.move(alone)
        assert allowed[-1] == THINK

    searching(work)


def test_no_more_engines_than_allowed() -> None:
    async def work(searches: Searches) -> None:
        sessions = [Session(GameRecord(CONNECT4.spec, (ENDLESS, "human"))) for _ in range(3)]
        tasks = [asyncio.create_task(searches.move(session)) for session in sessions[:2]]
        await asyncio.sleep(0)  # both have asked
        with pytest.raises(TooMany, match="too many thinking engines"):
            await searches.move(sessions[2])
        for session in sessions:
            session.close()
        assert await asyncio.gather(*tasks) == [None, None]

    searching(work, replace(SETTINGS, engine_moves=2))


# ---- engines that are lent -------------------------------------------------------------------


@pytest.mark.parametrize(
    ("agent", "spec", "megabytes"),
    [
        ("auto", "auto:memory=32", 32.0),
        ("auto:level=10,time=2", "auto:level=10,time=2,memory=32", 32.0),
        ("auto:level=3,seed=7", "auto:level=3,seed=7", 1.0),
        ("alphabeta:depth=4", "alphabeta:depth=4,memory=32", 32.0),
        ("alphabeta:memory=4", "alphabeta:memory=4", 4.0),
        ("mcts:seed=3", "mcts:seed=3,memory=32", 32.0),
        ("random", "random", 1.0),
    ],
)
def test_engines_get_tables_of_a_modest_size(agent: str, spec: str, megabytes: float) -> None:
    assert modest(agent, CONNECT4) == (spec, megabytes)


def test_an_engine_is_lent_to_one_at_a_time() -> None:
    lender = Lender()
    with lender.lend("auto", CONNECT4) as one, lender.lend("auto", CONNECT4) as two:
        assert one.engine is not two.engine
    with lender.lend("auto", CONNECT4, again=one.number) as again:
        assert again.engine is one.engine
    with lender.lend("auto", CONNECT4) as last:
        assert last.engine is one.engine  # what was used last is the likeliest to know something
    with lender.lend("auto", TICTACTOE, again=one.number) as other:
        assert other.engine is not one.engine


def test_engines_that_wait_fit_into_the_room() -> None:
    lender = Lender(room=80.0)
    games = [plywise.game(f"connect4:cols={columns}") for columns in (4, 5, 6)]
    lent_first = []
    for game in games:
        with lender.lend("auto", game) as lent:
            lent_first.append(lent.engine)
    assert lender.megabytes == 64.0
    with lender.lend("auto", games[0]) as lent:
        assert lent.engine is not lent_first[0]  # it had to give way


def test_a_player_thinks_no_longer_than_allowed() -> None:
    lender = Lender()
    engine = plywise.engine("alphabeta:nodes=1000000000000", CONNECT4)
    player = Borrower(engine, CONNECT4, lender, seconds=0.1)
    assert player.search(OPEN).best in OPEN.legal
    assert lender.megabytes == 32.0
    weak = plywise.engine("auto:level=2,seed=5", CONNECT4)
    assert Borrower(weak, CONNECT4, lender, HOURS).search(OPEN).best == weak.search(OPEN).best
