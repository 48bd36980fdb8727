"""Rooms in memory: loaded once, closed when idle, and unharmed by a failing store."""

from __future__ import annotations

import asyncio
import gc
import json
import threading
from collections import Counter
from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from typing import Any

import httpx
import pytest
import uvicorn
from fastapi import FastAPI
from websockets.asyncio.client import ClientConnection, connect

from plywise.play.records.game_record import GameRecord, Move, TimeControl
from plywise.play.records.servers import statuses
from plywise.play.records.store import Store, StoredGame, StoreError
from plywise.web.analysis.searches import Searches
from plywise.web.app import create_app
from plywise.web.errors import NotFound, NotNow, Refusal, TooMany
from plywise.web.live.actions import game_text
from plywise.web.live.rooms import Rooms
from plywise.web.live.socket import MOST, Outbox
from plywise.web.settings import Settings
from tests.levels import sampled
from tests.web.steps import ENDLESS, HOURS, PATIENCE, threads_of, until

SETTINGS = Settings(warm_up=False, workers=2, analysis_seconds=HOURS)
TWO = GameRecord("tictactoe", ("human", "human"))
AGAINST = GameRecord("tictactoe", ("human", "auto:level=1"))

#: How a socket is opened to a server that may be slow.
PATIENT: dict[str, Any] = {"open_timeout": PATIENCE, "ping_timeout": PATIENCE}

Work = Callable[[Rooms], Awaitable[None]]


def at_rooms(store: Store, work: Work, settings: Settings = SETTINGS) -> None:
    """Run a test with rooms that are closed afterwards; nothing is left running."""

    async def run() -> None:
        searches = Searches(settings)
        rooms = Rooms(store, searches, settings)
        try:
            await asyncio.wait_for(work(rooms), PATIENCE)
        finally:
            await rooms.close()
            await searches.close()
        left = asyncio.all_tasks() - {asyncio.current_task()}
        await asyncio.wait_for(asyncio.gather(*left, return_exceptions=True), PATIENCE)

    asyncio.run(run())
    until(lambda: threads_of("plywise-") == 0, "the end of all threads")


class Page:
    """A watcher that records what it is told."""

    def __init__(self) -> None:
        self.told: list[Any] = []

    def changed(self, event: str) -> None:
        self.told.append(event)

    def heard(self, frame: dict[str, Any]) -> None:
        self.told.append(frame)

    def gone(self) -> None:
        self.told.append("gone")


async def eventually(holds: Callable[[], Any]) -> None:
    """Wait until something holds; `at_rooms` does not wait forever."""
    while not holds():
        await asyncio.sleep(0.01)


# ---- coming and going ------------------------------------------------------------------------


def test_two_who_come_at_once_sit_at_one_room(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    kept = store.add(TWO, "me", ("me", "me"))
    asked: list[str] = []
    get = Store.get

    def counted(self: Store, id: str) -> StoredGame:
        asked.append(id)
        return get(self, id)

    monkeypatch.setattr(Store, "get", counted)

    async def work(rooms: Rooms) -> None:
        async def come() -> int:
            async with rooms.at(kept.id) as room:
                await asyncio.sleep(0.01)
                return id(room)

        found = await asyncio.gather(*(come() for _ in range(10)))
        assert len(set(found)) == 1
        assert asked == [kept.id]

    at_rooms(store, work)


def test_one_who_goes_while_it_is_fetched_does_not_stop_the_others(store: Store) -> None:
    kept = store.add(TWO, "me", ("me", "me"))

    async def work(rooms: Rooms) -> None:
        async def come() -> str:
            async with rooms.at(kept.id) as room:
                return room.id

        impatient, patient = asyncio.create_task(come()), asyncio.create_task(come())
        await asyncio.sleep(0)
        impatient.cancel()
        assert await patient == kept.id

    at_rooms(store, work)


def test_idle_rooms_are_closed_and_come_back(store: Store) -> None:
    kept = store.add(TWO, "me", ("me", "me"))

    async def work(rooms: Rooms) -> None:
        async with rooms.at(kept.id) as room:
            await room.do(lambda session: session.play("b2"))
            await asyncio.sleep(0.2)
            assert len(rooms) == 1  # somebody is there
        await eventually(lambda: len(rooms) == 0)
        assert room.closed
        async with rooms.at(kept.id) as again:
            assert again is not room
            assert [move.text for move in again.snapshot.record.moves] == ["b2"]

    at_rooms(store, work, replace(SETTINGS, idle_seconds=0.05))


def test_a_clock_goes_on_without_anybody(store: Store) -> None:
    record = replace(TWO, time=TimeControl(move=0.3), moves=(Move("b2"),))
    kept = store.add(record, "me", ("me", "me"))

    async def work(rooms: Rooms) -> None:
        async with rooms.at(kept.id):
            pass
        await eventually(lambda: len(rooms) == 0)
        assert (await asyncio.to_thread(store.get, kept.id)).result is not None

    at_rooms(store, work, replace(SETTINGS, idle_seconds=0.05))


def test_the_room_that_was_idle_the_longest_makes_room(store: Store) -> None:
    ids = [store.add(TWO, "me", ("me", "me")).id for _ in range(4)]

    async def work(rooms: Rooms) -> None:
        async with rooms.at(ids[0]):
            async with rooms.at(ids[1]):
                pass
            async with rooms.at(ids[2]) as third:
                assert len(rooms) == 2
                with pytest.raises(TooMany, match="too many games"):
                    async with rooms.at(ids[3]):
                        pass
            async with rooms.at(ids[3]):
                assert third.closed

    at_rooms(store, work, replace(SETTINGS, rooms=2))


def test_a_game_that_is_not_there(store: Store) -> None:
    async def work(rooms: Rooms) -> None:
        for _ in range(2):
            with pytest.raises(NotFound, match="there is no game"):
                async with rooms.at("A" * 22):
                    pass

    at_rooms(store, work)


# ---- at a room ------------------------------------------------------------------------------


def test_those_who_watch_are_told(store: Store) -> None:
    kept = store.add(AGAINST, "me", ("me", None))

    async def work(rooms: Rooms) -> None:
        one, two = Page(), Page()
        async with rooms.at(kept.id) as room:
            room.watch(one)
            room.watch(two)
            await room.do(lambda session: session.play("b2"))
            await eventually(lambda: len(room.snapshot.record.moves) == 2)
            room.leave(two)
            room.leave(two)
            assert [each for each in one.told if each == "move"] == ["move", "move"]
            counts = [each["count"] for each in one.told if "count" in each]
            assert counts == [1, 2, 1]
            room.leave(one)

    at_rooms(store, work)


def test_what_is_large_is_written_once(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    """After a change, in the thread of the session, and not again for each watcher."""
    from plywise.web.live import open_game as module

    written: list[str] = []

    def counted(name: str) -> Callable[[Any], Any]:
        write = getattr(module, name)

        def count(what: Any) -> Any:
            on_loop = threading.current_thread() is threading.main_thread()
            written.append(f"{name}, {on_loop}")
            return write(what)

        return count

    for name in ("position_json", "lines_json"):
        monkeypatch.setattr(module, name, counted(name))
    kept = store.add(TWO, "me", ("me", "me"))

    async def work(rooms: Rooms) -> None:
        async with rooms.at(kept.id) as room:
            await room.do(lambda session: session.play("b2"))
            await room.do(lambda session: session.note("so"))
            await room.do(lambda session: session.branch(0, ["a1"]))
            texts = [game_text(room, f"watcher {number}") for number in range(20)]
        assert Counter(written) == {"position_json, False": 2, "lines_json, False": 4}
        assert [move["note"] for move in json.loads(texts[-1])["moves"]] == ["so"]

    at_rooms(store, work)


def test_a_game_with_too_many_notes_goes_on(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    """It may come from a server with other limits; only further notes are refused."""
    monkeypatch.setattr("plywise.web.live.open_game.NOTE_BYTES", 100)
    fat = replace(TWO, moves=(Move("a1", note="x" * 90), Move("b1", note="y" * 90)))
    kept = store.add(fat, "me", ("me", "me"))

    async def work(rooms: Rooms) -> None:
        async with rooms.at(kept.id) as room:
            await room.do(lambda session: session.play("a2"))
            with pytest.raises(NotNow, match="at most 100 bytes of notes"):
                await room.do(lambda session: session.note("z", 3))
            await room.do(lambda session: session.note("x" * 80, 1))
            assert [len(move.note) for move in room.snapshot.record.moves] == [80, 90, 0]

    at_rooms(store, work)


def test_what_cannot_be_kept_has_not_happened(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    kept = store.add(TWO, "me", ("me", "me"))

    def fail(*_: Any) -> int:
        raise StoreError("the disk is full")

    async def work(rooms: Rooms) -> None:
        async with rooms.at(kept.id) as room:
            with monkeypatch.context() as patch:
                patch.setattr(Store, "save", fail)
                with pytest.raises(Refusal, match="cannot be saved") as refusal:
                    await room.do(lambda session: session.play("b2"))
                assert refusal.value.status == 503
            assert room.snapshot.record.moves == ()
            await room.do(lambda session: session.play("b2"))
            assert room.snapshot.version == 2

    at_rooms(store, work)


def test_an_engine_tries_again_when_its_move_could_not_be_kept(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    kept = store.add(replace(AGAINST, moves=(Move("b2"),)), "me", ("me", None))
    monkeypatch.setattr("plywise.web.live.room.RETRY", 0.02)
    save, failures = Store.save, [StoreError("the disk is full")] * 2

    def fail_first(self: Store, *args: Any) -> int:
        if failures:
            raise failures.pop()
        return save(self, *args)

    monkeypatch.setattr(Store, "save", fail_first)

    async def work(rooms: Rooms) -> None:
        async with rooms.at(kept.id) as room:
            await eventually(lambda: len(room.snapshot.record.moves) == 2)

    at_rooms(store, work)


def test_an_engine_whose_game_was_changed_elsewhere_goes_on_from_there(store: Store) -> None:
    kept = store.add(replace(AGAINST, moves=(Move("b2"),)), "me", ("me", None))

    async def work(rooms: Rooms) -> None:
        async with rooms.at(kept.id) as room:
            await eventually(lambda: len(room.snapshot.record.moves) == 2)
            other = store.get(kept.id)
            store.save(kept.id, replace(other.record, moves=(Move("b2"),)), other.version)
            with pytest.raises(Refusal, match="changed elsewhere"):
                await room.do(lambda session: session.note("so"))
            await eventually(lambda: len(room.snapshot.record.moves) == 2)

    at_rooms(store, work)


def test_an_engine_whose_game_was_changed_while_it_thought_takes_that_over(store: Store) -> None:
    thinks = GameRecord("connect4:rows=7,cols=8", ("human", ENDLESS), moves=(Move("4"),))
    kept = store.add(thinks, "me", ("me", None))

    async def work(rooms: Rooms) -> None:
        page = Page()
        async with rooms.at(kept.id) as room:
            room.watch(page)
            await eventually(lambda: room.thinking)
            store.save(kept.id, replace(kept.record, notes=("elsewhere",)), kept.version)
            while len(room.snapshot.record.moves) < 2:  # it has to think twice, and to be hurried
                await room.do(lambda session: session.hurry())
                await asyncio.sleep(0.01)
            assert room.snapshot.record.notes == ("elsewhere",)
            assert room.snapshot.version == 3
            assert "hello" in page.told

    at_rooms(store, work, replace(SETTINGS, move_seconds=HOURS))


def test_a_change_of_its_own_does_not_look_like_one_from_elsewhere(store: Store) -> None:
    kept = store.add(TWO, "me", ("me", "me"))

    async def work(rooms: Rooms) -> None:
        async with rooms.at(kept.id) as room:
            session, before = room.session, room.snapshot
            await room.do(lambda session: session.play("b2"))
            stored = statuses(store, [kept.id])[kept.id]
            room.snapshot = before  # as if the loop had not been told yet
            await room.catch_up(stored)
            assert room.session is session

    at_rooms(store, work)


# ---- a slow reader ---------------------------------------------------------------------------


def test_a_slow_reader_gets_the_newest() -> None:
    async def run() -> None:
        outbox = Outbox()
        for number in range(1000):
            outbox.put("game", lambda number=number: f"game {number}")  # type: ignore[misc]
            outbox.put("thinking", lambda number=number: f"thinking {number}")  # type: ignore[misc]
        outbox.answer(lambda: "first")
        outbox.answer(lambda: "second")
        outbox.drop("thinking")
        assert [await outbox.next() for _ in range(3)] == ["game 999", "first", "second"]
        for _ in range(MOST):
            outbox.answer(lambda: "so")
        waiting = asyncio.create_task(outbox.room())
        await asyncio.sleep(0.01)
        assert not waiting.done()
        await outbox.next()
        await waiting

    asyncio.run(run())


# ---- a real server ---------------------------------------------------------------------------


@contextmanager
def served(app: FastAPI) -> Iterator[str]:
    """Serve the app on a local port and yield its address."""
    server = uvicorn.Server(uvicorn.Config(app, port=0, log_level="error", ws_max_size=2**16))
    thread = threading.Thread(target=server.run)
    thread.start()
    try:
        until(lambda: server.started, "the server")
        yield f"127.0.0.1:{server.servers[0].sockets[0].getsockname()[1]}"
    finally:
        server.should_exit = True
        thread.join()


async def play(address: str, game: str, moves: int) -> int:
    """Play moves against an engine over a socket; returns the number of moves."""
    async with httpx.AsyncClient(base_url=f"http://{address}", timeout=PATIENCE) as http:
        asked = {"game": game, "second": "auto:level=1"}
        made = (await http.post("/api/games", json=asked)).json()
        cookie = {"Cookie": f"plywise={http.cookies['plywise']}"}
    url = f"ws://{address}/api/live?game={made['id']}"
    async with connect(url, additional_headers=cookie, **PATIENT) as socket:
        current = (await frame(socket, "game"))["game"]
        for number in range(moves):
            while not (current["can"]["move"] or current["result"]):
                current = (await frame(socket, "game"))["game"]
            if current["result"]:
                break
            move = current["position"]["legal"][0]
            await socket.send(json.dumps({"do": "move", "n": number, "move": move}))
            while len(current["moves"]) % 2 == 0:
                current = (await frame(socket, "game"))["game"]
        return len(current["moves"])


async def analyse(address: str, game: str) -> int:
    """Analyse for a few frames, then leave without stopping it; returns the last depth."""
    async with connect(f"ws://{address}/api/live", **PATIENT) as socket:
        await socket.send(json.dumps({"do": "analyse", "n": 1, "game": game}))
        for _ in range(3):
            depth: int = (await frame(socket, "analysis"))["analysis"]["depth"]
        return depth


async def frame(socket: ClientConnection, kind: str) -> dict[str, Any]:
    while True:
        found: dict[str, Any] = json.loads(await asyncio.wait_for(socket.recv(), PATIENCE))
        assert "error" not in found, found
        if found.get("type") == kind:
            return found


@pytest.mark.slow
@pytest.mark.parametrize(("games", "analyses"), sampled([(6, 3), (20, 8)], 2))
def test_many_games_and_analyses_at_once(
    store: Store, monkeypatch: pytest.MonkeyPatch, games: int, analyses: int
) -> None:
    monkeypatch.setattr("plywise.web.analysis.searches.SLICE", 0.02)  # so that all report soon

    async def all_at_once(address: str) -> None:
        played = [play(address, "connect4", 4) for _ in range(games)]
        analysed = [analyse(address, "connect4:rows=7,cols=8") for _ in range(analyses)]
        found = await asyncio.gather(*played, *analysed)
        assert all(count >= 7 for count in found[:games])

    app = create_app(SETTINGS, store)
    with served(app) as address:
        asyncio.run(all_at_once(address))
        until(lambda: app.state.searches.busy == 0, "the end of all searches")
        until(lambda: app.state.rooms.pages.total == 0, "the end of all sockets")
        kernels = threads_of("plywise_")
        asyncio.run(all_at_once(address))  # a second run needs no more threads
        until(lambda: app.state.searches.busy == 0, "the end of all searches")
        assert threads_of("plywise_") <= kernels + 1
    until(lambda: threads_of("plywise-") == 0, "the end of all threads")


@pytest.mark.slow
def test_sockets_that_break_off_leave_nothing(store: Store) -> None:
    async def break_off(address: str) -> None:
        for number in range(30):
            socket = await connect(f"ws://{address}/api/live", **PATIENT)
            asked = {
                "do": ("analyse", "hint", "review")[number % 3],
                "n": 1,
                "game": "connect4:rows=7,cols=8",
            }
            await socket.send(json.dumps({**asked, "moves": ["4", "4"]}))
            if number % 2:
                await socket.recv()
            socket.transport.abort()

    app = create_app(replace(SETTINGS, answer_seconds=0.1, review_seconds=0.05), store)
    with served(app) as address:
        asyncio.run(break_off(address))
        until(lambda: app.state.searches.busy == 0, "the end of all searches")
        until(lambda: app.state.rooms.pages.total == 0, "the end of all sockets")
        gc.collect()
        assert asyncio.run(play(address, "tictactoe", 2)) >= 3
