"""Plays a puzzle: on the full screen or line by line, after questions if none is named."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from pathlib import Path

from plywise.cli.console import complaint, paper, read_line, say
from plywise.cli.terminal import pointer as pointing
from plywise.cli.terminal.menu import Left, ask_in_lines, ask_on_screen
from plywise.cli.terminal.puzzle_chooser import choose
from plywise.cli.terminal.puzzle_controller import PuzzleController
from plywise.cli.terminal.puzzle_face import Showing, board, frame, help_page
from plywise.cli.terminal.screen import Key, Screen, usable, with_screen
from plywise.cli.terminal.unfinished import PUZZLES, Place, load_attempt
from plywise.core.puzzle import NO_MARKS, PuzzleType
from plywise.errors import PlywiseError, SpecError
from plywise.kit.words import counted
from plywise.play import puzzle_help
from plywise.play.attempt import Attempt
from plywise.puzzles import read_source
from plywise.views.text import Terminal

_TICK = 0.5  #: seconds between updates of the clock
#: Commands that may take a while, above all the first time, and what to say meanwhile.
_SLOW = {
    "check": "checking the board ...",
    "hint": "checking the board ...",
    "solve": "solving the puzzle ...",
}


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
    attempt, place, note = _begin(kind, source, load, save)
    on_screen = usable() and source != "-"
    yield from _solve_by_hand(attempt, place, note, on_screen, theme, ascii)


def offer(kind: PuzzleType, save: Path | None, *, theme: str, ascii: bool) -> Iterator[str]:
    """Show the rules, ask which puzzle and who solves it, and go on with that."""
    PUZZLES.check_save(save, None)
    on_screen = usable()
    try:
        attempt, begun, by_computer = (
            with_screen(ascii, lambda screen: choose(kind, partial(ask_on_screen, screen)))
            if on_screen
            else choose(kind, ask_in_lines)
        )
    except Left:
        return
    if not by_computer:
        place = begun or PUZZLES.place_for(save)
        yield from _solve_by_hand(attempt, place, "", on_screen, theme, ascii)
        return
    found = puzzle_help.solve(kind, attempt.puzzle)
    if found.solution is not None:
        terminal = paper(ascii=ascii)
        yield from board(kind, attempt.puzzle, found.solution, place=terminal, theme=theme)
        yield ""
    yield from found.lines(kind, attempt.puzzle)


def _solve_by_hand(
    attempt: Attempt, place: Place[Attempt], note: str, on_screen: bool, theme: str, ascii: bool
) -> Iterator[str]:
    controller = PuzzleController(attempt, place)
    if on_screen:
        yield from _on_screen(controller, note, theme=theme, ascii=ascii)
        return
    if note:
        say(note)
    _in_lines(controller, paper(ascii=ascii), theme)


def _begin(
    kind: PuzzleType, source: str | None, load: Path | None, save: Path | None
) -> tuple[Attempt, Place[Attempt], str]:
    """Return the puzzle, where it is saved, and a note for the player."""
    if load is not None and source is not None:
        raise SpecError(f"{load} already contains the puzzle: leave out PUZZLE")
    PUZZLES.check_save(save, load)
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
    return attempt, PUZZLES.place_for(save), ""


# ---- line by line ------------------------------------------------------------------------------


def _in_lines(controller: PuzzleController, place: Terminal, theme: str) -> None:
    """Play until the input ends or the player quits."""

    def show() -> None:
        drawn = controller.shown, controller.marks
        for line in board(controller.kind, controller.puzzle, *drawn, place, theme):
            say(line)

    try:
        show()
        while not controller.left and (line := read_line()) is not None:
            if not line:
                continue
            before = controller.attempt, controller.marks
            try:
                answers = controller.do(line)
            except (PlywiseError, OSError) as error:
                answers = [complaint(error)]
            if (controller.attempt, controller.marks) != before and not controller.left:
                show()
            for answer in answers:
                say(answer)
        for line in [] if controller.attempt.solved else controller.farewell():
            say(line)
    finally:
        controller.close()


# ---- the whole screen --------------------------------------------------------------------------


def _on_screen(
    controller: PuzzleController, note: str, *, theme: str, ascii: bool
) -> Iterator[str]:
    """Play until the player leaves; yields the lines to print once the screen is restored."""
    showing = Showing(message=(note,) if note else ())

    def play(screen: Screen) -> None:
        try:
            while not controller.left:
                screen.draw(frame(controller, showing, screen.place, theme))
                for key in screen.keys(None if controller.attempt.solved else _TICK):
                    typed = showing.typed.strip().lower()
                    if key.name == "enter" and typed in _SLOW:
                        showing.say(_SLOW[typed])
                        screen.draw(frame(controller, showing, screen.place, theme))
                    _press(controller, showing, key, screen)
        finally:
            controller.close()

    try:
        with_screen(ascii, play)
    finally:
        yield from controller.farewell()


def _press(controller: PuzzleController, showing: Showing, key: Key, screen: Screen) -> None:
    if showing.page:
        showing.page = ()
    elif key.name == "ctrl-c":
        raise KeyboardInterrupt
    elif key.name == "enter" or (key.text == " " and not showing.typed):
        _enter(controller, showing)
    elif not showing.press(key, controller, screen):
        _move(controller.attempt, showing, key.name)


def _move(attempt: Attempt, showing: Showing, key: str) -> None:
    """Select the place that an arrow key or Tab leads to."""
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


def _enter(controller: PuzzleController, showing: Showing) -> None:
    """Carry out what was typed, or change the mark at the selected place."""
    text = showing.taken()
    try:
        if text.lower() == "help":
            showing.page = help_page(controller)
        elif text.lower() in ("rules", "moves"):
            showing.page = tuple(controller.do(text))
        elif text.lower() in {mark.letter for mark in controller.kind.marks if mark.letter}:
            name = controller.kind.places(controller.puzzle)[showing.place]
            showing.say(*controller.play(f"{text} {name}"))
        elif text:
            showing.say(*controller.do(text))
        else:
            showing.say(*controller.turn(showing.place))
    except (PlywiseError, OSError) as error:
        showing.say(complaint(error), tone="complaint")
