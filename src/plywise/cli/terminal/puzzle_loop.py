"""Plays a puzzle: on the full screen or line by line, after questions if none is named."""

from __future__ import annotations

import os
import signal
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, TextIO, TypeVar

from plywise.kit.words import counted

if TYPE_CHECKING:
    from plywise.cli.terminal.puzzle_controller import Desk
    from plywise.cli.terminal.puzzle_face import Showing
    from plywise.cli.terminal.screen import Key, Screen
    from plywise.cli.terminal.unfinished import Place
    from plywise.core.puzzle import PuzzleType
    from plywise.play.attempt import Attempt
    from plywise.views.text import Terminal

_TICK = 0.5  #: seconds between updates of the clock
#: Commands that may take a while, above all the first time, and what to say meanwhile.
_SLOW = {
    "check": "checking the board ...",
    "hint": "checking the board ...",
    "solve": "solving the puzzle ...",
}
Result = TypeVar("Result")


def play_puzzle(
    kind: PuzzleType,
    source: str | None,
    load: Path | None,
    save: Path | None,
    *,
    theme: str,
    ascii: bool,
) -> Iterator[str]:
    """Play the puzzle that the command line names, or the one that was left unfinished."""
    from plywise.cli.terminal.puzzle_controller import Desk
    from plywise.views.theme import find_theme

    find_theme(theme)
    attempt, place, note = _begin(kind, source, load, save)
    on_screen = _screen_usable() and source != "-"
    yield from _solve_by_hand(Desk(attempt, place), note, on_screen, theme=theme, ascii=ascii)


def offer(kind: PuzzleType, save: Path | None, *, theme: str, ascii: bool) -> Iterator[str]:
    """Show the rules, ask which puzzle and who solves it, and go on with that."""
    from plywise.cli.terminal.menu import Left, ask_in_lines, ask_on_screen
    from plywise.cli.terminal.puzzle_chooser import choose
    from plywise.cli.terminal.puzzle_controller import Desk
    from plywise.cli.terminal.puzzle_face import board
    from plywise.play import puzzle_help
    from plywise.views.text import terminal
    from plywise.views.theme import find_theme

    find_theme(theme)
    _check_save(save, None)
    on_screen = _screen_usable()
    try:
        if on_screen:
            attempt, place, by_computer = _with_screen(
                ascii, lambda screen: choose(kind, lambda menu: ask_on_screen(screen, menu))
            )
        else:
            attempt, place, by_computer = choose(
                kind, lambda menu: ask_in_lines(menu, _read_line, _say)
            )
    except Left:
        return
    if not by_computer:
        place = place or _new_place(save)
        yield from _solve_by_hand(Desk(attempt, place), "", on_screen, theme=theme, ascii=ascii)
        return
    found = puzzle_help.solve(kind, attempt.puzzle)
    if found.solution is not None:
        paper = terminal(sys.__stdout__ or sys.stdout, ascii=ascii)
        yield from board(kind, attempt.puzzle, found.solution, place=paper, theme=theme)
        yield ""
    yield from found.lines(kind, attempt.puzzle)


def _solve_by_hand(
    desk: Desk, note: str, on_screen: bool, *, theme: str, ascii: bool
) -> Iterator[str]:
    from plywise.views.text import terminal

    if on_screen:
        yield from _on_screen(desk, note, theme=theme, ascii=ascii)
        return
    if note:
        _say(note)
    _in_lines(desk, sys.stdin, _say, terminal(sys.__stdout__ or sys.stdout, ascii=ascii), theme)


def _screen_usable() -> bool:
    from plywise.cli.terminal import screen

    return screen.usable()


def _say(line: str) -> None:
    # While a command runs, sys.stdout is redirected to stderr.
    print(line, file=sys.__stdout__ or sys.stdout, flush=True)


def _read_line() -> str | None:
    line = sys.stdin.readline()
    return line.strip() if line else None


def _begin(
    kind: PuzzleType, source: str | None, load: Path | None, save: Path | None
) -> tuple[Attempt, Place[Attempt], str]:
    """Return the puzzle, where it is saved, and a note for the player."""
    from plywise.cli.terminal.puzzle_controller import PUZZLES, load_attempt
    from plywise.errors import SpecError
    from plywise.play.attempt import Attempt
    from plywise.puzzles import read_source

    if load is not None and source is not None:
        raise SpecError(f"{load} already contains the puzzle: leave out PUZZLE")
    _check_save(save, load)
    if load is not None:
        attempt = load_attempt(load)
        if attempt.kind != kind:
            raise SpecError(
                f"{load} is not a {kind.name} puzzle: use plywise {attempt.kind.name} play"
            )
    else:
        puzzle, states = read_source(kind, source)

        def same(other: Attempt) -> bool:
            """Return True if it is the requested puzzle, given without any marks on it."""
            asked = source is None or (other.puzzle == puzzle and not any(states))
            return other.kind == kind and asked

        if save is None and (found := PUZZLES.newest(same)) is not None:
            count = counted(len(found[1].moves), "move")
            return found[1], found[0], f"resuming after {count}; 'clear' starts over"
        attempt = Attempt.of(kind, puzzle, states)
    return attempt, _new_place(save), ""


def _check_save(save: Path | None, load: Path | None) -> None:
    """Refuse to save to a file that holds something else."""
    from plywise.cli.terminal.puzzle_controller import PUZZLES
    from plywise.errors import SpecError

    if save is None:
        return
    PUZZLES.check_free(save)
    if save.exists() and save != load:
        raise SpecError(
            f"{save} already holds a puzzle: add --load {save} to continue it, or choose "
            "another file"
        )


def _new_place(save: Path | None) -> Place[Attempt]:
    """Return where a puzzle is saved: in the user's file, or with the unfinished ones."""
    from plywise.cli.terminal.puzzle_controller import PUZZLES
    from plywise.cli.terminal.unfinished import Place

    return PUZZLES.new_place() if save is None else Place(PUZZLES, save, chosen=True)


# ---- line by line ------------------------------------------------------------------------------


def _in_lines(
    desk: Desk, stdin: TextIO, say: Callable[[str], None], place: Terminal, theme: str
) -> None:
    """Play until the input ends or the player quits."""
    from plywise.cli.terminal.puzzle_face import board
    from plywise.errors import PlywiseError

    def show() -> None:
        kind, puzzle = desk.attempt.kind, desk.attempt.puzzle
        for line in board(kind, puzzle, desk.shown, desk.marks, place, theme):
            say(line)

    try:
        show()
        while not desk.left and (line := stdin.readline()):
            if not line.strip():
                continue
            before = desk.attempt, desk.marks
            answers: list[str] = []
            try:
                answers = desk.do(line.strip())
            except PlywiseError as error:
                answers = [str(error)]
            except OSError as error:
                answers = [f"{error.filename}: {error.strerror}"]
            if (desk.attempt, desk.marks) != before and not desk.left:
                show()
            for answer in answers:
                say(answer)
        for line in [] if desk.attempt.solved else desk.farewell():
            say(line)
    finally:
        desk.close()


# ---- the whole screen --------------------------------------------------------------------------


def _with_screen(ascii: bool, use: Callable[[Screen], Result]) -> Result:
    """Use the whole screen; a signal that ends us restores the terminal first."""
    from plywise.cli.terminal.screen import Hangup, Screen

    try:
        with Screen(ascii=ascii) as screen:
            return use(screen)
    except Hangup as hangup:
        # The terminal is restored: now end as the signal would have ended us.
        signal.signal(hangup.number, signal.SIG_DFL)
        os.kill(os.getpid(), hangup.number)
        raise


def _on_screen(desk: Desk, note: str, *, theme: str, ascii: bool) -> Iterator[str]:
    """Play until the player leaves; yields the lines to print once the screen is restored."""
    from plywise.cli.terminal.puzzle_face import Showing, frame

    showing = Showing(message=(note,) if note else ())

    def play(screen: Screen) -> None:
        try:
            while not desk.left:
                screen.draw(frame(desk, showing, screen.place, theme))
                for key in screen.keys(None if desk.attempt.solved else _TICK):
                    typed = showing.typed.strip().lower()
                    if key.name == "enter" and typed in _SLOW:
                        showing.say(_SLOW[typed])
                        screen.draw(frame(desk, showing, screen.place, theme))
                    _press(desk, showing, key, screen)
        finally:
            desk.close()

    try:
        _with_screen(ascii, play)
    finally:
        yield from desk.farewell()


def _press(desk: Desk, showing: Showing, key: Key, screen: Screen) -> None:
    if showing.page:
        showing.page = ()
    elif key.name == "ctrl-c":
        raise KeyboardInterrupt
    elif key.name == "text" and not (key.text == " " and not showing.typed):
        showing.typed += key.text
    elif key.name == "backspace":
        showing.typed = showing.typed[:-1]
    elif key.name in ("escape", "ctrl-u"):
        showing.typed = ""
    elif key.name in ("enter", "text"):
        _enter(desk, showing)
    elif key.name == "ctrl-d" and not showing.typed:
        desk.left = True
    elif key.name == "ctrl-l":
        screen.forget()
    elif key.name == "ctrl-z":
        screen.suspend()
    else:
        _move(desk.attempt, showing, key.name)


def _move(attempt: Attempt, showing: Showing, key: str) -> None:
    """Select the place that an arrow key or Tab leads to."""
    from plywise.cli.terminal import pointer as pointing
    from plywise.core.puzzle import NO_MARKS

    by = {"tab": 1, "backtab": -1}.get(key)
    if by is None and key not in pointing.DIRECTIONS:
        return
    kind, puzzle = attempt.kind, attempt.puzzle
    scene = kind.scene(puzzle, attempt.states, NO_MARKS)
    place = showing.place
    if kind.middle is not None:
        cells = [kind.middle(puzzle, each) for each in range(len(attempt.states))]
        sides = pointing.Sides([target.at for target in scene.targets], cells)
        cell = showing.cell or cells[place]
        found = sides.step(place, cell, key) if by is None else sides.turn(place, cell, by)
        showing.place, showing.cell = found
        return
    names = [target.move for target in scene.targets]
    name = names[place]
    there = pointing.step(scene, name, key) if by is None else pointing.turn(scene, name, by)
    showing.place = names.index(there)


def _enter(desk: Desk, showing: Showing) -> None:
    """Carry out what was typed, or change the mark at the selected place."""
    from plywise.cli.terminal.puzzle_face import help_page
    from plywise.errors import PlywiseError

    text, showing.typed = showing.typed.strip(), ""
    kind = desk.attempt.kind
    try:
        if text.lower() == "help":
            showing.page = help_page(desk)
        elif text.lower() in ("rules", "moves"):
            showing.page = tuple(desk.do(text))
        elif text.lower() in {mark.letter for mark in kind.marks if mark.letter}:
            name = kind.places(desk.attempt.puzzle)[showing.place]
            showing.say(*desk.play(f"{text} {name}"))
        elif text:
            showing.say(*desk.do(text))
        else:
            showing.say(*desk.turn(showing.place))
    except PlywiseError as error:
        showing.say(str(error), wrong=True)
    except OSError as error:
        showing.say(f"{error.filename}: {error.strerror}", wrong=True)
