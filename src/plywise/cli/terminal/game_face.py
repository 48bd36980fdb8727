"""Draws the screen of a game: the players, the board, the moves, messages and the prompt."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import pairwise, zip_longest

from plywise.cli.terminal.controller import Prompt, Tone, clock
from plywise.cli.terminal.game_controller import GameController, glyphs
from plywise.cli.terminal.guide import Page
from plywise.cli.terminal.ink import Ink, crop, cut, side_by_side, width, wrap
from plywise.core.analysis import Analysis
from plywise.core.scene import Scene
from plywise.play.session import Event
from plywise.views import draw_text
from plywise.views.text import Terminal
from plywise.views.theme import ASCII, find_theme

_STYLES: dict[Tone, str] = {
    "plain": "default",
    "hint": "green",
    "complaint": "red",
    "end": "bold",
}
_SPINNER = "⠋⠙⠹⠸⠼⠴⠦⠧⠇⠏"
_FIXED = 3  #: lines for the title, the status and the prompt
_MESSAGE = 3  #: lines reserved for messages, where there is room
_PANEL = 20  #: columns that the list of moves needs


@dataclass
class Showing(Prompt):
    """What is on the screen besides the game itself."""

    pointer: str | None = None  #: the selected move
    busy: str = ""  #: who is thinking
    info: Analysis | None = None  #: what the search has found so far
    paused: bool = False
    help: bool = False
    page: Page | None = None  #: what is read in place of the board
    opening: tuple[str, ...] = ()  #: lines that stay until something is entered
    tick: int = 0


def frame(controller: GameController, showing: Showing, place: Terminal, theme: str) -> list[str]:
    """Draw the whole screen, line by line, with a margin if there is room for one."""
    columns, rows = place.width or 80, place.height or 24
    if columns < 60 or rows < 22:
        return _frame(controller, showing, place, theme)
    inner = replace(place, width=columns - 4, height=rows - 2)
    return ["", *(f"  {line}" for line in _frame(controller, showing, inner, theme))]


def _frame(controller: GameController, showing: Showing, place: Terminal, theme: str) -> list[str]:
    ink, columns, rows = Ink(place.colours), place.width or 80, place.height or 24
    game = controller.session.game
    name = ink(game.type.title, "bold")
    title = cut("  ".join([name, *players(controller, place, theme)]), columns)
    if showing.help:
        return [title, "", *_help(controller, ink)]
    if showing.page is not None:
        return showing.page.frame(place)
    scene = controller.scene
    board = _board(scene, showing, replace(place, height=rows), theme)
    # Step 1: how many lines the message gets. A hint or an error is worth covering some of the
    # board; an agent's report is not.
    said = _said(showing, ink, columns)
    spare = rows - _FIXED - len(board)
    if showing.tone == "plain":
        said = said[: max(1, spare)]
    message = min(max(len(said), min(_MESSAGE, spare), 1), rows - _FIXED - 3)
    # Step 2: the board in the remaining lines, without grid lines or cropped if need be.
    room = rows - _FIXED - message
    if len(board) > room:
        board = _board(scene, showing, replace(place, height=room + 3), theme)
    board = _crop(board, scene, showing.pointer, columns, room)
    if columns >= max(map(width, board), default=0) + 6 + _PANEL:
        board = side_by_side(board, _moves(controller, ink, len(board)), 6)
    # Step 3: blank lines, if there is room.
    above, below = [""] * (room - len(board) >= 2), [""] * (room - len(board) >= 1)
    status = cut(_status(controller, showing, ink, place), columns)
    said = [*said[:message], *[""] * (message - len(said))]
    return [
        title,
        *above,
        *board,
        *below,
        status,
        *said,
        _prompt(showing, controller, ink, columns),
    ]


def _board(scene: Scene, showing: Showing, place: Terminal, theme: str) -> list[str]:
    return draw_text(scene, place, theme=theme, cursor=showing.pointer).splitlines()


def _crop(
    board: list[str], scene: Scene, pointer: str | None, columns: int, rows: int
) -> list[str]:
    """Crop a board larger than the screen to the part around the pointer, or the last move."""
    spots = [target.at for target in scene.targets if target.move == pointer]
    if not spots and scene.motion is not None:
        spots = [scene.motion.end]
    x, y = spots[0] if spots else (0.0, 0.0)
    lowest = max((shape.centre[1] for shape in scene.shapes), default=0.0)
    labels = sum(1 for label in scene.coordinates[-1:] if label.at[1] > lowest)
    return crop(board, columns, rows, x / scene.size[0], y / scene.size[1], labels)


# ---- who plays ---------------------------------------------------------------------------------


def players(controller: GameController, place: Terminal, theme: str) -> Iterator[str]:
    """Yield both players: their piece, name, points and clock; the one to move is underlined."""
    session, ink = controller.session, Ink(place.colours)
    scene = controller.scene
    palette = find_theme(theme).palette(scene)
    marks = glyphs(session.game)[:: -1 if controller.swapped else 1]
    board = any(shape.roles[0] == "board" for shape in scene.shapes)
    for number, (glyph, player) in enumerate(zip(marks, palette.players, strict=True), 1):
        stone = glyph if place.unicode else ASCII.get(glyph, glyph)
        on_turn = session.result is None and session.position.mover == number
        name = controller.name(number)
        if (points := session.position.scores) is not None:
            name += f" ({points[number - 1]})"
        if (clocks := session.clocks) is not None:
            name += f" {clock(clocks[number - 1])}"
        name = ink(name, "underline" if on_turn else "dim")
        style = f"bold {player.fill} on {palette.board}" if board else f"bold {player.ink}"
        yield f"{ink(f' {stone} ' if board else stone, style)} {name}"


# ---- moves and status --------------------------------------------------------------------------


def _moves(controller: GameController, ink: Ink, rows: int) -> list[str]:
    """List the last moves, newest below: in pairs, or one by one if a turn was ever skipped."""
    texts = [move.text for move in controller.session.record.moves]
    movers = [position.turn for position in controller.session.position.history[:-1]]
    if all(one != other for one, other in pairwise(movers)):
        texts = ["", *texts] if movers[:1] == [1] else texts
        pairs = list(zip_longest(texts[::2], texts[1::2], fillvalue=""))
    else:
        pairs = [
            (text, "") if mover == 0 else ("", text)
            for mover, text in zip(movers, texts, strict=False)
        ]
    lines = [
        ink(f"{number:>3}. ", "dim") + f"{one:<6}{two}".rstrip()
        for number, (one, two) in enumerate(pairs, 1)
    ]
    return [ink("moves", "dim"), *lines[-(rows - 1) :]] if lines else []


def _status(controller: GameController, showing: Showing, ink: Ink, place: Terminal) -> str:
    """Say who moves or won; while an agent is thinking, what it has found."""
    if showing.busy:
        turning = _SPINNER[showing.tick % len(_SPINNER)] if place.unicode else "..."
        return f"{ink(turning, 'yellow')} {showing.busy}{ink(_found(showing.info), 'dim')}"
    if showing.paused and controller.session.result is None:
        return f"{ink(controller.standing(), 'bold')}, paused: press Enter to continue"
    return ink(controller.standing(), "bold")


def _found(info: Analysis | None) -> str:
    if info is None:
        return ""
    return f" depth {info.depth}, {info.value:+.2f}, {_count(info.nodes)} nodes"


def _count(number: int) -> str:
    """Format a number in at most five characters.

    >>> _count(950), _count(41_200), _count(2_447_232)
    ('950', '41k', '2.4M')
    """
    if number < 10_000:
        return str(number)
    return f"{number // 1000}k" if number < 1_000_000 else f"{number / 1e6:.1f}M"


def told(controller: GameController, number: int, event: Event) -> str:
    """Describe an agent's move and what its search found."""
    words = f"{controller.name(number)} plays {event.record.moves[-1].text}"
    if event.analysis is None or not event.analysis.nodes:
        return words
    return f"{words} ({_found(event.analysis).strip()}, {event.analysis.seconds:.1f} s)"


def _said(showing: Showing, ink: Ink, columns: int) -> list[str]:
    opening = [ink(line, "green") for line in wrap(showing.opening, columns)]
    style = _STYLES[showing.tone]
    return [*opening, *(ink(line, style) for line in wrap(showing.message, columns))]


def _prompt(showing: Showing, controller: GameController, ink: Ink, columns: int) -> str:
    if controller.session.result is not None:
        keys = "new, undo, help or quit"
    elif showing.pointer is None:
        keys = "type help, undo, quit ..."
    elif columns > 60:
        keys = "arrows and Enter, or type a move; hint, undo, help, quit"
    else:
        keys = "arrows, Enter, or type; hint, help"
    return showing.line(keys, ink, columns)


def _help(controller: GameController, ink: Ink) -> Iterator[str]:
    for line in ("arrows     select; Enter plays", "a move     plays it", *controller.help()):
        yield ink(line[:11], "bold") + line[11:]
    yield ""
    yield ink("press any key to go back", "dim")
