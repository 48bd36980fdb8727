"""Plays a game line by line, without a screen: for pipes, scripts and plain terminals."""

from __future__ import annotations

from collections.abc import Callable
from typing import TextIO

from plywise.cli.console import note
from plywise.cli.terminal.chooser import Wishes, begin
from plywise.cli.terminal.controller import Controller
from plywise.cli.terminal.face import players
from plywise.cli.terminal.guide import draw_guide, rules_of
from plywise.cli.terminal.menu import Left, ask_in_lines
from plywise.errors import PlywiseError
from plywise.views import draw_text
from plywise.views.text import Terminal

Say = Callable[[str], None]


def play_in_lines(wishes: Wishes, stdin: TextIO, say: Say, place: Terminal, theme: str) -> None:
    """Play until the input ends or the player quits."""

    def read() -> str | None:
        line = stdin.readline()
        return line.strip() if line else None

    try:
        record, kept = begin(wishes, lambda menu: ask_in_lines(menu, read, say), on_screen=False)
    except Left:
        return
    controller = Controller(
        record,
        kept,
        listener=lambda event: None,
        on_output=note,
        show_rules=lambda game: draw_guide(rules_of(game), place, theme),
        colour=wishes.colour,
    )
    try:
        offer = controller.offer() if stdin.isatty() else []  # a script reads no rules
        for news in (*controller.opening(), *offer):
            say(news)
        _show(controller, say, place, theme)
        while not controller.left:
            _let_agents_move(controller, say, place, theme)
            if not controller.session.people and controller.session.result is not None:
                return  # everything was shown, and there is nobody to ask
            line = read()
            if line is None:
                break
            if line:
                _answer(controller, line, say, place, theme)
        for line in controller.farewell() if controller.session.result is None else []:
            say(line)
    finally:
        controller.close()


def _show(controller: Controller, say: Say, place: Terminal, theme: str) -> None:
    """Show the board, the points if the game has any, and who moves or how it ended."""
    say(draw_text(controller.scene, place, theme=theme))
    if controller.session.position.scores is not None:
        say("  ".join(players(controller, place, theme)))
    for line in (
        [controller.standing()] if controller.session.result is None else controller.ending()
    ):
        say(line)


def _let_agents_move(controller: Controller, say: Say, place: Terminal, theme: str) -> None:
    """Let agents move until it is a person's turn or the game is over."""
    session = controller.session
    while session.on_turn is not None and not session.on_turn.person:
        name = controller.name(session.position.mover)
        if session.think() is not None:
            say(f"{name} plays {session.record.moves[-1].text}")
        _show(controller, say, place, theme)


def _answer(controller: Controller, line: str, say: Say, place: Terminal, theme: str) -> None:
    """Carry out a line, and show the board again if it has changed."""
    before = _seen(controller)
    try:
        for answer in controller.do(line):
            say(answer)
    except PlywiseError as error:
        say(str(error))
    except OSError as error:
        say(f"{error.filename}: {error.strerror}")
    if _seen(controller) != before and not controller.left:
        _show(controller, say, place, theme)
        if line.lower() == "legal" and controller.marks_legal and not place.marks:
            say(f"legal: {' '.join(controller.session.position.legal)}")


def _seen(controller: Controller) -> tuple[object, ...]:
    """Return everything that the drawing of the board depends on."""
    session = controller.session
    return session, session.record, controller.hinted, controller.why, controller.marks_legal
