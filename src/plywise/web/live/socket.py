"""The WebSocket: live games, and analyses as they deepen.

Every frame is validated, and errors are answered in one line. Searches that a socket started end
with it.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import Awaitable, Callable
from contextlib import AsyncExitStack, suppress
from typing import Any

from fastapi import APIRouter, WebSocket
from pydantic import StrictBool, ValidationError
from starlette.websockets import WebSocketDisconnect, WebSocketState

from plywise.core.analysis import Analysis
from plywise.core.position import Position
from plywise.errors import suggest
from plywise.play.records.game_record import HUMAN
from plywise.web.analysis.scheduler import Search
from plywise.web.analysis.searches import Searches
from plywise.web.api.analysis import analysis_json, hint_json
from plywise.web.api.positions import read_agent, read_asked
from plywise.web.api.schemas import AskPosition, Spec, plain_json
from plywise.web.caller import Caller, caller_of
from plywise.web.errors import NotFound, NotNow, Refusal, TooMany, explain, log, what_is_wrong
from plywise.web.limits import Bucket, Throttle
from plywise.web.live.actions import COMMANDS, Frame, game_text, may_ask
from plywise.web.live.open_game import joined, members
from plywise.web.live.room import Room
from plywise.web.live.rooms import Rooms
from plywise.web.metrics import REFUSALS
from plywise.web.settings import Settings

GONE, TOO_LARGE, TOO_MANY = 4404, 1009, 4429  #: close codes
SLOW = 30.0  #: seconds that sending a frame may take

MOST = 64  #: answers that may wait; beyond that no frames are read

router = APIRouter()

Work = Callable[[], Awaitable[dict[str, Any] | None]]
Written = Callable[[], str]  #: a frame, written only when it is sent, so it is up to date


@router.websocket("/api/live")
async def live(websocket: WebSocket) -> None:
    """Serve one page. `?game=ID` is the game it shows; without it, the page is a free board."""
    state, caller = websocket.app.state, caller_of(websocket.scope)
    rooms: Rooms = state.rooms
    await websocket.accept()
    try:
        async with AsyncExitStack() as stack:
            stack.enter_context(rooms.pages.held(caller.address, caller.client))
            id = websocket.query_params.get("game")
            at = None if id is None else rooms.at(id, caller)
            room = None if at is None else await stack.enter_async_context(at)
            socket = Socket(websocket, caller, room)
            stack.enter_context(state.own_games.telling(socket.heard))
            await socket.run()
    except Refusal as refusal:
        REFUSALS.add(refusal.reason)
        code = GONE if isinstance(refusal, NotFound) else 4000 + refusal.status
        await _close(websocket, code, str(refusal))


class PositionFrame(Frame, AskPosition):
    """The position or the game to give a hint for, or to review."""


class AnalyseFrame(Frame, AskPosition):
    """The position to analyse, by whom, and whether to score every legal move."""

    agent: Spec = "auto"
    lines: StrictBool = True


class Outbox:
    """Frames in the order in which they will be sent; a slow reader gets the newest of a kind."""

    def __init__(self) -> None:
        self._frames: dict[str, Written] = {}
        self._answers = 0
        self._number = 0
        self._ready = asyncio.Event()
        self._room = asyncio.Event()
        self._room.set()

    def put(self, kind: str, frame: Written) -> None:
        """Queue a frame, replacing a waiting one of the same kind."""
        self._frames[kind] = frame
        self._ready.set()

    def answer(self, frame: Written) -> None:
        """Queue a frame that no other replaces."""
        self._number += 1
        self._answers += 1
        self.put(f"answer {self._number}", frame)
        if self._answers >= MOST:
            self._room.clear()

    def drop(self, kind: str) -> None:
        """Remove a waiting frame of this kind."""
        self._frames.pop(kind, None)

    async def room(self) -> None:
        """Wait until there is room for another answer."""
        await self._room.wait()

    async def next(self) -> str:
        """Wait for the next frame to send and return it."""
        while not self._frames:
            self._ready.clear()
            await self._ready.wait()
        kind = next(iter(self._frames))
        if kind.startswith("answer "):
            self._answers -= 1
            self._room.set()
        return self._frames.pop(kind)()


class Socket:
    """One open socket: reads frames, runs their commands, and sends answers and updates."""

    def __init__(self, websocket: WebSocket, caller: Caller, room: Room | None) -> None:
        self.websocket = websocket
        self.caller = caller
        self.client = caller.client
        self.room = room
        state = websocket.app.state
        self.settings: Settings = state.settings
        self.searches: Searches = state.searches
        self.throttle: Throttle = state.throttle
        self.outbox = Outbox()
        self.bucket = Bucket(self.settings.frames_at_once, self.settings.frames_per_second)
        self.analysis: Search | None = None
        self.helpers: dict[str, asyncio.Task[None]] = {}  # at most one hint and one review
        self.tasks: set[asyncio.Task[None]] = set()  # these, and those being cancelled
        self.ending: tuple[int, str] | None = None

    async def run(self) -> None:
        """Run until either side closes the socket."""
        if self.room is not None:
            self.changed("hello")
            self.room.watch(self, self.client)
        writing = asyncio.create_task(self._write())
        reading = asyncio.create_task(self._read())
        for task in (writing, reading):
            task.add_done_callback(_look_at)
        try:
            await asyncio.wait({writing, reading}, return_when=asyncio.FIRST_COMPLETED)
        finally:
            if self.room is not None:
                self.room.leave(self, self.client)
            self._quiet()
            tasks = (writing, reading, *self.tasks)
            for task in tasks:
                task.cancel()
            await asyncio.wait(tasks)
        if self.ending is not None:
            await _close(self.websocket, *self.ending)

    # ---- updates from the room -----------------------------------------------------------------

    def changed(self, event: str) -> None:
        """Send the game, because it has changed."""
        self.outbox.drop("thinking")
        self.outbox.put("game", lambda: self._game(event))

    def _game(self, event: str) -> str:
        assert self.room is not None
        text = game_text(self.room, self.client)
        return joined({**members({"type": "game", "event": event}), "game": text})

    def heard(self, frame: dict[str, Any]) -> None:
        """Pass on a short-lived message."""
        self.outbox.put(frame["type"], lambda: plain_json(frame))

    def gone(self) -> None:
        """Close the socket of a deleted game."""
        self._end(GONE, "the game was deleted")

    def _end(self, code: int, reason: str) -> None:
        self.ending = code, reason
        self.outbox.put("end", lambda: "")

    # ---- writing and reading -------------------------------------------------------------------

    async def _write(self) -> None:
        while True:
            text = await self.outbox.next()
            if self.ending is not None:
                return
            await asyncio.wait_for(self.websocket.send_text(text), SLOW)

    async def _read(self) -> None:
        while True:
            await self.outbox.room()
            message = await self.websocket.receive()
            if message["type"] == "websocket.disconnect":
                return
            if self.bucket.take() > 0:
                REFUSALS.add("too many frames")
                self._end(TOO_MANY, "too many frames: slow down")
                return
            try:
                await self.throttle.wait(self.caller.address)
            except TooMany as refusal:
                REFUSALS.add(refusal.reason)
                self._end(TOO_MANY, str(refusal))
                return
            text = message.get("text")
            if text is None:
                self._complain("a frame must be text, not bytes")
            elif len(text) > self.settings.body_bytes:
                self._end(TOO_LARGE, f"frame too large (limit {self.settings.body_bytes:,} bytes)")
                return
            else:
                await self._take(text)

    async def _take(self, text: str) -> None:
        """Handle one frame."""
        try:
            frame = json.loads(text, parse_constant=_no_number)
        except (ValueError, RecursionError):
            return self._complain("the frame is not valid JSON")
        if not isinstance(frame, dict):
            return self._complain('a frame must be a JSON object such as {"do": "ping", "n": 1}')
        number = frame.get("n")
        number = number if isinstance(number, int) and not isinstance(number, bool) else None
        await self._answer(number, lambda: self._do(frame))

    async def _answer(self, number: int | None, work: Work) -> None:
        """Run `work` and queue its answer or error; if it returns None, the answer comes later."""
        try:
            found = await work()
        except Exception as error:
            status, line = explain(error)
            found = {"error": line, "status": status}
        else:
            if found is None:
                return
            found = {"ok": True, **found}
        self.outbox.answer(lambda: plain_json({"re": number, **found}))

    def _complain(self, line: str) -> None:
        self.outbox.put("error", lambda: plain_json({"type": "error", "error": line}))

    # ---- commands ------------------------------------------------------------------------------

    async def _do(self, frame: dict[str, Any]) -> dict[str, Any] | None:
        """Run the command of a frame; returns further fields of its answer, None if it is late."""
        name = frame.get("do")
        if not isinstance(name, str) or name not in FRAMES:
            words = (
                suggest(name, FRAMES)
                if isinstance(name, str)
                else f"use one of {', '.join(FRAMES)}"
            )
            raise Refusal(f"unknown command {str(name)[:40]!r}: {words}")
        try:
            asked = FRAMES[name].model_validate(frame)
        except ValidationError as error:
            wrong = [{**each, "loc": ("frame", *each["loc"])} for each in error.errors()]
            raise Refusal(what_is_wrong(wrong)) from None
        if name in STUDIES:
            _, study = STUDIES[name]
            return await study(self, asked)
        if self.room is None:
            raise Refusal("this socket has no game: open it with ?game=ID")
        _, command = COMMANDS[name]
        await command(self.room, self.client, **asked.model_dump(exclude={"do", "n"}))
        return {"version": self.room.snapshot.version}

    async def ping(self, asked: Frame) -> dict[str, Any]:
        """Answer, to show that the server is there."""
        return {}

    async def position(self, asked: PositionFrame | AnalyseFrame) -> Position:
        """Return the position of a frame; NotNow if engines may not help now."""
        if self.room is not None and not may_ask(self.room):
            raise NotNow("engines cannot be used while two people play")
        address = self.caller.address
        return await self.searches.read(lambda: read_asked(asked, self.settings), address)

    async def analyse(self, asked: AnalyseFrame) -> dict[str, Any]:
        """Start an analysis, replacing the one before."""
        self._quiet()
        position = await self.position(asked)
        agent = read_agent(asked.agent, position.game, self.settings)
        if agent == HUMAN:
            raise Refusal("'human' cannot analyse a position: name an agent such as auto")
        if position.over:
            raise Refusal(f"the game is over ({position.reason}): there is nothing to analyse")

        def frame(found: Analysis, done: bool) -> dict[str, Any]:
            shown = {"moves": list(position.moves), "analysis": analysis_json(position, found)}
            return {"type": "analysis", "agent": asked.agent, **shown, "done": done}

        def heard(found: Analysis, done: bool = False) -> None:
            self.outbox.put("analysis", lambda: plain_json(frame(found, done)))

        def ended(result: asyncio.Future[Analysis]) -> None:
            if result.cancelled():
                return
            if (error := result.exception()) is not None:
                self._complain(explain(error)[1])
            else:
                heard(result.result(), done=True)

        self._quiet()
        search = self.searches.analyse(position, agent, asked.lines, heard, self.caller)
        search.result.add_done_callback(ended)
        self.analysis = search
        return {}

    async def quiet(self, asked: Frame) -> dict[str, Any]:
        """Stop the analysis."""
        self._quiet()
        return {}

    def _quiet(self) -> None:
        if self.analysis is not None:
            self.analysis.cancel()
            self.analysis = None
        self.outbox.drop("analysis")

    async def hint(self, asked: PositionFrame) -> None:
        """Look for a hint, and answer when there is one."""
        position = await self.position(asked)

        async def look() -> dict[str, Any]:
            found = await self.searches.hint(position, caller=self.caller)
            address = self.caller.address
            return {"hint": await self.searches.read(lambda: hint_json(position, found), address)}

        self._help("hint", asked.n, look)

    async def review(self, asked: PositionFrame) -> None:
        """Review a game, reporting the progress, and answer when it is done."""
        position = await self.position(asked)
        of = len(position.moves) + 1

        def heard(count: int) -> None:
            frame = {"type": "reviewing", "done": count, "of": of}
            self.outbox.put("reviewing", lambda: plain_json(frame))

        async def look() -> dict[str, Any]:
            try:
                found = await self.searches.review(position, heard, self.caller)
            finally:
                self.outbox.drop("reviewing")
            return {"review": found.to_json()}

        self._help("review", asked.n, look)

    def _help(self, kind: str, number: int | None, work: Work) -> None:
        """Run a long task in the background, replacing an earlier one of the same kind."""

        async def help() -> None:
            try:
                await self._answer(number, work)
            except asyncio.CancelledError:
                late = {
                    "re": number,
                    "error": f"cancelled: another {kind} was requested",
                    "status": 409,
                }
                self.outbox.answer(lambda: plain_json(late))
                raise

        if kind in self.helpers:
            self.helpers[kind].cancel()
        task = self.helpers[kind] = asyncio.create_task(help())
        self.tasks.add(task)
        task.add_done_callback(self.tasks.discard)


#: The commands that need no game, by name, each with what its frame holds.
STUDIES: dict[
    str, tuple[type[Frame], Callable[[Socket, Any], Awaitable[dict[str, Any] | None]]]
] = {
    "analyse": (AnalyseFrame, Socket.analyse),
    "quiet": (Frame, Socket.quiet),
    "hint": (PositionFrame, Socket.hint),
    "review": (PositionFrame, Socket.review),
    "ping": (Frame, Socket.ping),
}
#: What the frame of each command holds.
FRAMES = {name: model for name, (model, _) in {**COMMANDS, **STUDIES}.items()}


async def _close(websocket: WebSocket, code: int, reason: str) -> None:
    with suppress(RuntimeError, OSError):  # the other side closed it first
        if websocket.application_state is WebSocketState.CONNECTED:
            await websocket.close(code, reason[:100])


def _look_at(task: asyncio.Task[None]) -> None:
    """Log a task that failed, unless the other side has left or reads too slowly."""
    error = None if task.cancelled() else task.exception()
    if error is not None and not isinstance(error, WebSocketDisconnect | OSError | RuntimeError):
        log.error("a socket failed", exc_info=error)


def _no_number(text: str) -> Any:
    raise ValueError(f"{text} is not valid JSON")
