"""`slither play`: a puzzle in the terminal, on the whole screen or line by line."""

from __future__ import annotations

import os
import signal
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, TextIO

import typer

from plywise.cli.pictures import Ascii, Theme

if TYPE_CHECKING:
    from plywise.cli.terminal.desk import Desk
    from plywise.cli.terminal.desk_face import Showing
    from plywise.cli.terminal.kept import Place
    from plywise.cli.terminal.keys import Key
    from plywise.cli.terminal.screen import Screen
    from plywise.puzzles.slither.attempt import Attempt
    from plywise.puzzles.slither.grid import Drawing, Puzzle
    from plywise.views.text import Terminal

_TICK = 0.5  #: seconds between two looks at the clock
_SLOW = ("check", "hint")  #: commands that may take a while, at the first time above all


def play(
    source: Annotated[
        str | None,
        typer.Argument(
            metavar="PUZZLE",
            help="A file, '-' for stdin, or the puzzle itself; without it the one that was left, "
            "or the report's own.",
            show_default=False,
        ),
    ] = None,
    load: Annotated[
        Path | None, typer.Option("--load", metavar="FILE", help="Go on with a saved puzzle.")
    ] = None,
    save: Annotated[
        Path | None,
        typer.Option("--save", metavar="FILE", help="Keep the puzzle here, move by move."),
    ] = None,
    theme: Theme = "light",
    ascii: Ascii = False,
) -> Iterator[str]:
    """Solve a puzzle by hand: '2 1 t' draws the top of the cell in row 2, column 1, or removes it.

    Point at a line with the arrow keys and press Enter, or type a move; 'help' tells the rest.
    Every move is kept at once, and an unfinished puzzle is gone on with the next time. Where there
    is no terminal, moves and commands are read line by line.
    """
    from plywise.cli.terminal import screen
    from plywise.views.text import terminal
    from plywise.views.theme import find_theme

    find_theme(theme)
    attempt, place, note = _begin(source, load, save)
    from plywise.cli.terminal.desk import Desk

    desk = Desk(attempt, place)
    if screen.usable() and source != "-":
        yield from _on_screen(desk, note, theme=theme, ascii=ascii)
        return
    # While a command runs, sys.stdout stands for stderr.
    out = sys.__stdout__ or sys.stdout

    def say(line: str) -> None:
        print(line, file=out, flush=True)

    if note:
        say(note)
    _in_lines(desk, sys.stdin, say, terminal(out, ascii=ascii), theme)


def _begin(
    source: str | None, load: Path | None, save: Path | None
) -> tuple[Attempt, Place[Attempt], str]:
    """The puzzle, where it is kept, and a word about it."""
    from plywise.cli.slither import read_source
    from plywise.cli.terminal.desk import PUZZLES, load_attempt
    from plywise.cli.terminal.kept import Place
    from plywise.errors import SpecError
    from plywise.puzzles.slither.attempt import Attempt

    if load is not None and source is not None:
        raise SpecError(f"{load} says which puzzle: leave out PUZZLE")
    if save is not None:
        PUZZLES.check_free(save)
        if save.exists() and save != load:
            raise SpecError(
                f"{save} holds a puzzle: --load {save} --save {save} goes on with it, another "
                "name begins a new one"
            )
    drawing: Drawing | None = None if source is None else read_source(source)
    if load is not None:
        attempt = load_attempt(load)
    elif save is None and (found := PUZZLES.newest(_same(drawing))) is not None:
        count = len(found[1].moves)
        return found[1], found[0], f"going on after {count} moves; 'clear' begins again"
    else:
        attempt = Attempt.of(drawing or read_source(None))
    kept = PUZZLES.new_place() if save is None else Place(PUZZLES, save, chosen=True)
    return attempt, kept, ""


def _same(drawing: Drawing | None) -> Callable[[Attempt], bool]:
    """Is it the puzzle that was asked for, with nothing drawn on it there? Any will do for None."""
    if drawing is None:
        return lambda attempt: True
    return lambda attempt: attempt.puzzle == drawing.puzzle and not any(drawing.states)


# ---- line by line ------------------------------------------------------------------------------


def _in_lines(
    desk: Desk, stdin: TextIO, say: Callable[[str], None], place: Terminal, theme: str
) -> None:
    """Until the input ends or says so."""
    from plywise.cli.terminal.desk_face import board
    from plywise.errors import PlywiseError

    def show() -> None:
        for line in board(desk.shown, desk.marks, place, theme):
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


def _on_screen(desk: Desk, note: str, *, theme: str, ascii: bool) -> Iterator[str]:
    """Until the person leaves; gives the lines to print once the screen is given back."""
    from plywise.cli.terminal.desk_face import Showing, frame
    from plywise.cli.terminal.screen import Hangup, Screen

    showing = Showing(message=(note,) if note else ())
    try:
        with Screen(ascii=ascii) as screen:
            try:
                while not desk.left:
                    screen.draw(frame(desk, showing, screen.place, theme))
                    for key in screen.keys(None if desk.attempt.solved else _TICK):
                        if key.name == "enter" and showing.typed.strip().lower() in _SLOW:
                            showing.say("looking at the board ...")
                            screen.draw(frame(desk, showing, screen.place, theme))
                        _press(desk, showing, key, screen)
            finally:
                desk.close()
    except Hangup as hangup:
        # Everything is given back: now end as the signal would have ended us.
        signal.signal(hangup.number, signal.SIG_DFL)
        os.kill(os.getpid(), hangup.number)
    finally:
        yield from desk.farewell()


def _press(desk: Desk, showing: Showing, key: Key, screen: Screen) -> None:
    if showing.help:
        showing.help = False
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
        showing.pointer = _moved(desk.attempt.puzzle, showing.pointer, key.name)


def _moved(puzzle: Puzzle, pointer: str, key: str) -> str:
    """An arrow goes to the same side of the next cell, Tab to the next side of this one."""
    row, col, side = pointer.split()
    if key in ("tab", "backtab"):
        sides = "trbl" if key == "tab" else "tlbr"
        return f"{row} {col} {sides[(sides.index(side) + 1) % 4]}"
    down, right = {"up": (-1, 0), "down": (1, 0), "left": (0, -1), "right": (0, 1)}.get(key, (0, 0))
    goal = int(row) + down, int(col) + right
    if 1 <= goal[0] <= puzzle.rows and 1 <= goal[1] <= puzzle.cols:
        return f"{goal[0]} {goal[1]} {side}"
    # At the edge there is one line more.
    outer = {"up": "t", "down": "b", "left": "l", "right": "r"}.get(key, side)
    return f"{row} {col} {outer if {side, outer} in ({'t', 'b'}, {'l', 'r'}) else side}"


def _enter(desk: Desk, showing: Showing) -> None:
    """Carry out what was typed, or turn the line that is pointed at."""
    from plywise.errors import PlywiseError

    text, showing.typed = showing.typed.strip(), ""
    try:
        if text.lower() == "help":
            showing.help = True
        elif text.lower() == "x":
            showing.say(*desk.play(f"x {showing.pointer}"))
        elif text:
            showing.say(*desk.do(text))
        else:
            showing.say(*desk.turn(desk.attempt.puzzle.read_move(showing.pointer)))
    except PlywiseError as error:
        showing.say(str(error), wrong=True)
    except OSError as error:
        showing.say(f"{error.filename}: {error.strerror}", wrong=True)
