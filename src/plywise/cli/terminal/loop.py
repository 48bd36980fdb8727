"""A game on the whole screen: keys from the person, moves from agents that think meanwhile."""

from __future__ import annotations

import contextlib
import os
import queue
import signal
import threading
import time
from collections.abc import Callable, Iterator
from typing import Any

from plywise.cli.terminal import pointer
from plywise.cli.terminal.chooser import Wishes, begin
from plywise.cli.terminal.face import Showing, frame, told
from plywise.cli.terminal.keys import Key
from plywise.cli.terminal.menu import Left, ask_on_screen
from plywise.cli.terminal.screen import Hangup, Screen
from plywise.cli.terminal.table import Table
from plywise.core.analysis import Stop
from plywise.core.position import Position
from plywise.core.scene import Point, Scene, scene_of
from plywise.errors import PlywiseError
from plywise.play.session import Event

_TICK = 0.1  #: seconds between two looks at the clock while something moves on the screen
_PACE = 0.6  #: seconds a move stays on the screen when agents play each other
_GOODBYE = 2.0  #: seconds for a thread that was called off to end


def play_on_screen(wishes: Wishes, *, theme: str, ascii: bool) -> Iterator[str]:
    """Play until the person leaves; gives the lines to print once the screen is given back."""
    lines: list[str] = []
    try:
        with Screen(ascii=ascii) as screen, contextlib.suppress(Left):
            record, place = begin(
                wishes, lambda menu: ask_on_screen(screen, menu), ask_to_resume=True
            )
            loop = Loop(screen, theme)
            try:
                loop.sit_down(Table(record, place, listener=loop.post, on_output=loop.post))
                loop.run()
            finally:
                lines += loop.leave()
    except Hangup as hangup:
        # Everything is given back: now end as the signal would have ended us.
        signal.signal(hangup.number, signal.SIG_DFL)
        os.kill(os.getpid(), hangup.number)
    finally:
        yield from lines


class Loop:
    """Turns between the screen and the table until the person has left."""

    def __init__(self, screen: Screen, theme: str) -> None:
        self.screen = screen
        self.theme = theme
        self.showing = Showing()
        self.table: Table | None = None
        self._news: queue.SimpleQueue[Any] = queue.SimpleQueue()
        self._worker: threading.Thread | None = None
        self._stop = Stop()  # of a hint that is looked for
        self._asked_to_quit = False
        self._moved = 0.0  # when the last move was made
        self._position: Position | None = None  # the one the pointer stands on
        self._point: Point | None = None
        screen.on_print = self.post

    def post(self, news: Any) -> None:
        """Something to hear of in the loop; from any thread."""
        self._news.put(news)
        self.screen.wake()

    def sit_down(self, table: Table) -> None:
        """Play at this table."""
        self.table = table

    def leave(self) -> list[str]:
        """End everything; what there is to say about it."""
        if self.table is None:
            return []
        self._stop.set()
        self.table.close()
        if self._worker is not None:
            self._worker.join(_GOODBYE)
        return self.table.farewell()

    def run(self) -> None:
        """Until the person leaves."""
        assert self.table is not None
        while not self.table.left:
            self._hear()
            self._go_on()
            self._point_somewhere()
            self.screen.draw(frame(self.table, self.showing, self.screen.place, self.theme))
            for key in self.screen.keys(self._patience()):
                self._press(key, self.table)
                if self.table.left:
                    return
            self.showing.tick += 1

    def _patience(self) -> float | None:
        assert self.table is not None
        moving = self.showing.busy or self._waiting() or self.table.session.clocks is not None
        return _TICK if moving else None

    # ---- agents and hints, each in a thread ----------------------------------------------------

    def _go_on(self) -> None:
        """Let the agent on turn think, unless somebody does or is paused."""
        assert self.table is not None
        session = self.table.session
        session.flag()
        player = session.on_turn
        if self._worker is not None or self.showing.paused or player is None or player.person:
            return
        if not self._waiting():
            self._start(f"{player.spec} thinks", lambda: (session.think(), None)[1])

    def _waiting(self) -> bool:
        """Is the last move still to be looked at, as nobody but agents plays?"""
        assert self.table is not None
        watched = not self.table.people and self.table.session.result is None
        return watched and not self.showing.paused and time.monotonic() < self._moved + _PACE

    def _start(self, what: str, work: Callable[[], object]) -> None:
        """Do something that takes a while; its result or failure is news."""

        def run() -> None:
            try:
                self.post(_Done(work()))
            except BaseException as error:
                self.post(_Done(error))

        self.showing.busy, self.showing.info = what, None
        self._worker = threading.Thread(target=run, daemon=True)
        self._worker.start()

    def _hear(self) -> None:
        """Take in what happened since the last time."""
        while True:
            try:
                news = self._news.get_nowait()
            except queue.Empty:
                return
            if isinstance(news, Event):
                self._hear_event(news)
            elif isinstance(news, _Done):
                self._hear_end(news.result)
            elif str(news).strip():
                self.showing.say(str(news))

    def _hear_event(self, event: Event) -> None:
        assert self.table is not None
        if event.position.game is not self.table.session.game:
            return  # of a game that was left meanwhile
        if event.kind == "info":
            self.showing.info = event.analysis
        elif event.kind == "move":
            self._moved = time.monotonic()
            mover = self.table.session.players
            number = _mover(event, self.table)
            if not mover[number - 1].person:
                self.showing.say(told(self.table, number, event.analysis))
            else:
                self.showing.say()
        elif event.kind == "result":
            self.showing.say(*self.table.ending()[1:], tone="end")

    def _hear_end(self, result: object) -> None:
        """A thread has come to its end."""
        assert self.table is not None
        self._worker, self.showing.busy, self.showing.info = None, "", None
        if isinstance(result, PlywiseError):
            self.showing.paused = True
            self.showing.say(str(result), tone="complaint")
        elif isinstance(result, BaseException):
            raise result
        elif result is not None and not self._stop.is_set():
            self.table.advice = result  # type: ignore[assignment]
            if self.table.advised:
                self.showing.say(*self.table.tell(), tone="hint")

    # ---- keys ----------------------------------------------------------------------------------

    def _press(self, key: Key, table: Table) -> None:
        showing = self.showing
        if key.name == "ctrl-c":
            if self._asked_to_quit:
                raise KeyboardInterrupt
            self._asked_to_quit = True
            showing.say("Ctrl-C again quits; the game is kept.", tone="complaint")
            return
        if self._asked_to_quit:
            self._asked_to_quit = False
            showing.say()
        if showing.help:
            showing.help = False
            return
        scene = scene_of(table.session.position)
        if key.name == "text":
            showing.typed += key.text
        elif key.name == "backspace":
            showing.typed = showing.typed[:-1]
        elif key.name in ("escape", "ctrl-u"):
            showing.typed = ""
        elif key.name == "enter":
            self._enter(table)
        elif key.name == "ctrl-d" and not showing.typed:
            table.left = True
        elif key.name == "ctrl-l":
            self.screen.forget()
        elif key.name == "ctrl-z":
            self.screen.suspend()
        elif showing.pointer is not None:
            self._move_pointer(key.name, scene, showing.pointer)

    def _move_pointer(self, key: str, scene: Scene, at: str) -> None:
        if key in ("left", "right", "up", "down"):
            at = pointer.step(scene, at, key)
        elif key in ("tab", "backtab"):
            at = pointer.turn(scene, at, 1 if key == "tab" else -1)
        self.showing.pointer = at
        self._point = pointer.places(scene)[at]

    def _point_somewhere(self) -> None:
        """Point at a move when a person is to find one: at the one nearest to the last."""
        assert self.table is not None
        session = self.table.session
        if session.on_turn is None or not session.on_turn.person:
            self.showing.pointer = self._position = None
        elif session.position is not self._position:
            self._position = session.position
            self.showing.pointer = pointer.nearest(scene_of(session.position), self._point)

    def _enter(self, table: Table) -> None:
        """Carry out what was typed, or play what is pointed at."""
        showing = self.showing
        text, showing.typed = showing.typed.strip(), ""
        word = text.lower()
        try:
            if not text:
                if showing.paused:
                    showing.paused = False
                    showing.say()
                elif showing.pointer is not None:
                    self._say(table.play(showing.pointer))
            elif word == "help":
                showing.help = True
            elif word == "hint":
                self._hint(table)
            else:
                self._carry_out(table, text, word)
        except PlywiseError as error:
            showing.say(str(error), tone="complaint")
        except OSError as error:
            showing.say(f"{error.filename}: {error.strerror}", tone="complaint")

    def _carry_out(self, table: Table, text: str, word: str) -> None:
        session = table.session
        self._say(table.do(text))
        if word in ("undo", "redo") and not table.people:
            self.showing.paused = True  # or the agents would play on at once
        elif table.session is not session:
            self.showing.paused = False
            self._point = self._position = None

    def _say(self, lines: list[str]) -> None:
        self._hear()  # what happened is said first, so that the answer stays
        if lines:
            self.showing.say(*lines)

    def _hint(self, table: Table) -> None:
        if table.advised:
            self.showing.say(*table.tell(), tone="hint")
        elif self._worker is None:
            self._stop = Stop()
            stop = self._stop
            table.check_hint()
            self._start("looking for a hint", lambda: table.look(stop))


class _Done:
    """A thread's last word."""

    def __init__(self, result: object) -> None:
        self.result = result


def _mover(event: Event, table: Table) -> int:
    """Who made the last move, 1 or 2."""
    before = table.session.game
    position = before.start() if event.record.start is None else before.from_text(event.record.start)
    for move in event.record.moves[:-1]:
        position = position.play(move.text)
    return position.turn + 1
