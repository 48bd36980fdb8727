"""Plays a game: on the full screen, with agents thinking in the background, or line by line."""

from __future__ import annotations

import contextlib
import queue
import sys
import threading
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from typing import Any

from plywise.cli.console import complaint, note, paper, read_line, say
from plywise.cli.terminal import pointer
from plywise.cli.terminal.game_chooser import Wishes, begin
from plywise.cli.terminal.game_controller import Advice, GameController
from plywise.cli.terminal.game_face import Showing, frame, players, told
from plywise.cli.terminal.guide import Page, draw_guide, rules_of
from plywise.cli.terminal.menu import Left, ask_in_lines, ask_on_screen
from plywise.cli.terminal.screen import Key, Screen, usable, with_screen
from plywise.core.analysis import Stop
from plywise.core.position import Position
from plywise.core.scene import Point, scene_of
from plywise.errors import PlywiseError
from plywise.play.session import Event
from plywise.views import draw_text
from plywise.views.text import Terminal

_TICK = 0.1  #: seconds between redraws while something moves on the screen
_PACE = 0.6  #: seconds a move stays on the screen when agents play each other
_GOODBYE = 2.0  #: seconds for a cancelled thread to end


def play_game(wishes: Wishes, *, theme: str, ascii: bool) -> Iterator[str]:
    """Play on the full screen if there is one, and otherwise line by line."""
    if usable():
        yield from play_on_screen(wishes, theme=theme, ascii=ascii)
    else:
        play_in_lines(wishes, paper(ascii=ascii), theme)


def play_on_screen(wishes: Wishes, *, theme: str, ascii: bool) -> Iterator[str]:
    """Play until the player leaves; yields the lines to print once the screen is restored."""
    lines: list[str] = []

    def play(screen: Screen) -> None:
        record, place = begin(wishes, partial(ask_on_screen, screen), on_screen=True)
        inbox = Inbox(screen)
        controller = GameController(
            record, place, listener=inbox.put, on_output=inbox.put, colour=wishes.colour
        )
        loop = Loop(screen, controller, inbox, theme)
        try:
            loop.run()
        finally:
            lines.extend(loop.leave())

    try:
        with contextlib.suppress(Left):
            with_screen(ascii, play)
    finally:
        yield from lines


class Inbox:
    """Messages from threads to the loop: events, printed lines, final results."""

    def __init__(self, screen: Screen) -> None:
        self._screen = screen
        self._news: queue.SimpleQueue[Any] = queue.SimpleQueue()
        screen.on_print = self.put

    def put(self, news: Any) -> None:
        """Add a message, from any thread."""
        self._news.put(news)
        self._screen.wake()

    def take(self) -> Iterator[Any]:
        """Yield all waiting messages."""
        with contextlib.suppress(queue.Empty):
            while True:
                yield self._news.get_nowait()


@dataclass(frozen=True)
class Done:
    """The final message of a thread: what it found, or the exception it raised."""

    result: object


class Loop:
    """Alternates between the screen and the controller until the player leaves."""

    def __init__(
        self, screen: Screen, controller: GameController, inbox: Inbox, theme: str
    ) -> None:
        self.screen = screen
        self.controller = controller
        self.inbox = inbox
        self.theme = theme
        self.showing = Showing()
        self.showing.opening = tuple(controller.opening(offer=True))
        self._worker: threading.Thread | None = None
        self._thinker = 0  # the player who is thinking or thought last, 1 or 2
        self._stop = Stop()  # stops the search for a hint
        self._asked_to_quit = False
        self._moved = 0.0  # when the last move was made
        self._position: Position | None = None  # the one the pointer belongs to
        self._point: Point | None = None

    def run(self) -> None:
        """Run until the player leaves."""
        while not self.controller.left:
            self._hear()
            self._go_on()
            self._point_somewhere()
            self.screen.draw(frame(self.controller, self.showing, self.screen.place, self.theme))
            for key in self.screen.keys(self._patience()):
                if not self.controller.left:
                    self._press(key)
            self.showing.tick += 1

    def leave(self) -> list[str]:
        """Stop everything; return the closing lines."""
        self._stop.set()
        self.controller.close()
        if self._worker is not None:
            self._worker.join(_GOODBYE)
        return self.controller.farewell()

    def _patience(self) -> float | None:
        moving = self.showing.busy or self._waiting() or self.controller.session.clocks is not None
        return _TICK if moving else None

    # ---- agents and hints, each in a thread ----------------------------------------------------

    def _go_on(self) -> None:
        """Let the agent to move think, unless one is thinking already or the game is paused."""
        session = self.controller.session
        session.flag()
        player = session.on_turn
        if self._worker is not None or self.showing.paused or player is None or player.person:
            return
        if not self._waiting():
            self._thinker = session.position.mover
            self._start(
                f"{self.controller.name(self._thinker)} is thinking",
                lambda: session.think() and None,
            )

    def _waiting(self) -> bool:
        """Return True while the last move of an agents-only game should stay on the screen."""
        watched = not self.controller.session.people and self.controller.session.result is None
        return watched and not self.showing.paused and time.monotonic() < self._moved + _PACE

    def _start(self, what: str, work: Callable[[], object]) -> None:
        """Run something slow in a thread; its result or exception goes to the inbox."""

        def run() -> None:
            try:
                self.inbox.put(Done(work()))
            except BaseException as error:
                self.inbox.put(Done(error))

        self.showing.busy, self.showing.info = what, None
        self._worker = threading.Thread(target=run, daemon=True)
        self._worker.start()

    def _hear(self) -> None:
        """Handle all messages that came in since the last time."""
        for news in self.inbox.take():
            if isinstance(news, Event):
                self._hear_event(news)
            elif isinstance(news, Done):
                self._hear_end(news.result)
            elif str(news).strip():
                self.showing.say(str(news))

    def _hear_event(self, event: Event) -> None:
        if event.position.game is not self.controller.session.game:
            return  # from a game that has been left meanwhile
        if event.kind == "info":
            self.showing.info = event.analysis
        elif event.kind == "move":
            self._moved = time.monotonic()
            by_agent = event.analysis is not None
            self.showing.say(*[told(self.controller, self._thinker, event)] if by_agent else [])
        elif event.kind == "result":
            standing, *more = self.controller.ending()
            fits = len(standing) < (self.screen.place.width or 80) - 4
            self.showing.say(*([] if fits else [standing]), *more, tone="end")

    def _hear_end(self, result: object) -> None:
        """Handle the end of a thread."""
        self._worker, self.showing.busy, self.showing.info = None, "", None
        if isinstance(result, PlywiseError):
            player = self.controller.session.on_turn
            self.showing.paused = player is not None and not player.person
            self.showing.say(str(result), tone="complaint")
        elif isinstance(result, BaseException):
            raise result
        elif isinstance(result, Advice) and not self._stop.is_set():
            self.controller.advice = result
            if self.controller.advised:
                self.showing.say(*self.controller.tell(), tone="hint")

    # ---- keys ----------------------------------------------------------------------------------

    def _press(self, key: Key) -> None:
        showing = self.showing
        if key.name == "ctrl-c":
            if self._asked_to_quit:
                raise KeyboardInterrupt
            self._asked_to_quit = True
            showing.page = None
            showing.say("Press Ctrl-C again to quit; the game is saved.", tone="complaint")
            return
        if self._asked_to_quit:
            self._asked_to_quit = False
            showing.say()
        if showing.help:
            showing.help = False
            return
        if showing.page is not None and key.name not in ("ctrl-l", "ctrl-z"):
            showing.page.press(key)
            showing.page = None if showing.page.closed else showing.page
            return
        if showing.press(key, self.controller, self.screen):
            return
        if key.name == "enter":
            self._enter()
        elif showing.pointer is not None:
            self._move_pointer(key.name, showing.pointer)

    def _move_pointer(self, key: str, at: str) -> None:
        scene = scene_of(self.controller.session.position)
        if key in ("left", "right", "up", "down"):
            at = pointer.step(scene, at, key)
        elif key in ("tab", "backtab"):
            at = pointer.turn(scene, at, 1 if key == "tab" else -1)
        self.showing.pointer = at
        self._point = pointer.places(scene)[at]

    def _point_somewhere(self) -> None:
        """On a person's turn, select the move nearest to the one selected last."""
        session = self.controller.session
        if session.on_turn is None or not session.on_turn.person:
            self.showing.pointer = self._position = None
        elif session.position is not self._position:
            self._position = session.position
            self.showing.pointer = pointer.nearest(scene_of(session.position), self._point)

    def _enter(self) -> None:
        """Carry out what was typed, or play the selected move."""
        showing = self.showing
        text, showing.opening = showing.taken(), ()
        try:
            if text:
                self._carry_out(text)
            elif showing.paused:
                showing.paused = False
                showing.say()
            elif showing.pointer is not None:
                self._do(showing.pointer)
        except (PlywiseError, OSError) as error:
            showing.say(complaint(error), tone="complaint")

    def _carry_out(self, text: str) -> None:
        session, word = self.controller.session, text.lower()
        if word == "help":
            self.showing.help = True
        elif word == "hint":
            self._hint()
        elif word == "rules":
            blocks = rules_of(session.game)
            self.showing.page = Page(lambda place: draw_guide(blocks, place, self.theme))
        else:
            self._do(text)
        if word in ("undo", "redo") and not self.controller.session.people:
            self.showing.paused = True  # otherwise the agents would play on at once
        elif self.controller.session is not session:
            self.showing.paused = False
            self._point = self._position = None

    def _do(self, text: str) -> None:
        self._stop.set()  # a hint would come too late now
        answer = self.controller.do(text)
        self._hear()  # events first, so that the answer stays on the screen
        if answer:
            self.showing.say(*answer)

    def _hint(self) -> None:
        """Show the next step; the first takes a second, in which keys still work."""
        player = self.controller.session.on_turn
        own = player is not None and player.person
        if own and self._worker is not None and self._stop.is_set():
            self._worker.join(_GOODBYE)  # what was stopped by a move or an undo ends in a moment
            self._hear()
        if self.controller.advised:
            self.showing.say(*self.controller.tell(), tone="hint")
        elif self._worker is None:
            self._stop = stop = Stop()
            self._start("looking for a hint", lambda: self.controller.look(stop))
        elif own:
            self.showing.say("still looking for a hint", tone="complaint")
        else:
            self.showing.say("hints are for your turn", tone="complaint")


def play_in_lines(wishes: Wishes, place: Terminal, theme: str) -> None:
    """Play until the input ends or the player quits."""
    try:
        record, kept = begin(wishes, ask_in_lines, on_screen=False)
    except Left:
        return
    controller = GameController(
        record,
        kept,
        listener=lambda event: None,
        on_output=note,
        colour=wishes.colour,
        paper=place,
        theme=theme,
    )
    try:
        for news in controller.opening(offer=sys.stdin.isatty()):  # a script reads no rules
            say(news)
        _show(controller, place, theme)
        while not controller.left:
            _let_agents_move(controller, place, theme)
            if not controller.session.people and controller.session.result is not None:
                return  # everything was shown, and there is nobody to ask
            line = read_line()
            if line is None:
                break
            if line:
                _answer(controller, line, place, theme)
        for line in controller.farewell() if controller.session.result is None else []:
            say(line)
    finally:
        controller.close()


def _show(controller: GameController, place: Terminal, theme: str) -> None:
    """Show the board, the points if the game has any, and who moves or how it ended."""
    say(draw_text(controller.scene, place, theme=theme))
    if controller.session.position.scores is not None:
        say("  ".join(players(controller, place, theme)))
    for line in (
        [controller.standing()] if controller.session.result is None else controller.ending()
    ):
        say(line)


def _let_agents_move(controller: GameController, place: Terminal, theme: str) -> None:
    """Let agents move until it is a person's turn or the game is over."""
    session = controller.session
    while session.on_turn is not None and not session.on_turn.person:
        name = controller.name(session.position.mover)
        if session.think() is not None:
            say(f"{name} plays {session.record.moves[-1].text}")
        _show(controller, place, theme)


def _answer(controller: GameController, line: str, place: Terminal, theme: str) -> None:
    """Carry out a line, and show the board again if it has changed."""
    before = _drawn_from(controller)
    try:
        for answer in controller.do(line):
            say(answer)
    except (PlywiseError, OSError) as error:
        say(complaint(error))
    if _drawn_from(controller) != before and not controller.left:
        _show(controller, place, theme)
        if line.lower() == "legal" and controller.marks_legal and not place.marks:
            say(f"legal: {' '.join(controller.session.position.legal)}")


def _drawn_from(controller: GameController) -> tuple[object, ...]:
    """Return everything that the drawing of the board depends on."""
    session = controller.session
    return session, session.record, controller.hinted, controller.why, controller.marks_legal
