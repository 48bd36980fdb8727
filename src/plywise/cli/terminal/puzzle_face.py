"""Draws the screen of a puzzle: the grid, the clock, messages and the prompt."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from plywise.cli.terminal.controller import Prompt, clock
from plywise.cli.terminal.ink import Ink, crop, cut, width, wrap
from plywise.cli.terminal.puzzle_controller import PuzzleController
from plywise.core.palette import INK
from plywise.core.puzzle import NO_MARKS, Marks, Puzzle, PuzzleType, Span, States
from plywise.core.scene import Point
from plywise.views.text import Terminal, draw_text
from plywise.views.theme import Theme, find_theme


@dataclass
class Showing(Prompt):
    """What is on the screen besides the puzzle itself."""

    place: int = 0  #: the selected one
    cell: Point | None = None  #: the middle of its cell, if it was selected as a side of this one
    page: tuple[str, ...] = ()  #: shown in place of the board until a key is pressed


def frame(controller: PuzzleController, showing: Showing, place: Terminal, theme: str) -> list[str]:
    """Draw the whole screen, line by line."""
    ink, columns, rows = Ink(place.colours), place.width or 80, place.height or 24
    attempt, kind, puzzle = controller.attempt, controller.kind, controller.puzzle
    title = ink(kind.heading(puzzle), "bold")
    title += ink(f"  {clock(controller.seconds)}  {kind.count(attempt.states)}", "dim")
    if showing.page:
        lines = wrap(showing.page, columns)
        space = [""] if len(lines) <= rows - 4 else []
        lines = [cut(title, columns), *space, *lines, *space]
        return [*lines[: rows - 1], cut("press any key to go back", columns)]
    style = "red" if showing.tone == "complaint" else "bold" if attempt.solved else "green"
    said = wrap(showing.message, columns)
    if len(said) > max(1, rows // 3):  # the board has to fit too
        said = [*said[: max(0, rows // 3 - 1)], "..."]
    said = [ink(line, style) for line in said]
    pointer = showing.place
    grid = list(board(kind, puzzle, controller.shown, controller.marks, place, theme, pointer))
    room = rows - 4 - len(said)
    if len(grid) > room or max(map(width, grid), default=0) > columns:
        scene = kind.scene(puzzle, attempt.states, NO_MARKS)
        x, y = scene.targets[pointer].at
        grid = crop(grid, columns, room, x / scene.size[0], y / scene.size[1])
    move = kind.move_text(puzzle, pointer, 1)
    keys = f"arrows, Tab, Enter, or type {move}; check, hint, solve, rules, help, quit"
    return [cut(title, columns), "", *grid, "", *said, showing.line(keys, ink, columns)]


def help_page(controller: PuzzleController) -> tuple[str, ...]:
    """List the keys and commands."""
    kind = controller.kind
    letters = [mark for mark in kind.marks if mark.letter]
    return (
        "arrows     select" + ("; Tab turns to the next side" if kind.middle else ""),
        f"Enter      {', '.join(mark.words for mark in kind.marks)}, nothing",
        *(f"{mark.letter:<10} {mark.words} at the selected place" for mark in letters),
        *controller.help(),
    )


def board(
    kind: PuzzleType,
    puzzle: Puzzle,
    states: States,
    marks: Marks = NO_MARKS,
    place: Terminal | None = None,
    theme: str = "light",
    pointer: int | None = None,
) -> Iterator[str]:
    """Draw the board line by line, in colour if the terminal has colours."""
    place = place or Terminal()
    if kind.rows is None:
        scene = kind.scene(puzzle, states, marks)
        cursor = None if pointer is None else kind.places(puzzle)[pointer]
        yield from draw_text(scene, place, theme=theme, cursor=cursor).splitlines()
        return
    ink, colours = Ink(place.colours), find_theme(theme)
    for spans in kind.rows(puzzle, states, marks, place.unicode):
        yield "".join(ink(span.text, _style(span, colours, pointer)) for span in spans).rstrip()


def _style(span: Span, theme: Theme, pointer: int | None) -> str:
    """Return the style of a span, by its role."""
    ink = INK.under(theme.name)
    owner = ink.players[span.owner or 0]
    styles = {
        "coordinate": "dim",
        "dead": "dim",
        "text": "bold",
        "stone": f"bold {owner.ink}",
        "threat": f"bold {theme.threat}",
        "best": f"bold {theme.best}",
    }
    style = styles.get(span.role or "", "default")
    if span.ground is not None:
        role, side = span.ground
        style += f" on {ink.last if role == 'last' else ink.players[side or 0].trail}"
    pointed = pointer is not None and span.place == pointer
    return f"{style} reverse" if pointed or span.circled else style
