"""What a person sees of a game: who plays, the board, the moves, what was said, what is typed."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cache
from itertools import zip_longest
from typing import Literal

from plywise.cli.terminal.paper import Ink, beside, cut, width, window, wrap
from plywise.cli.terminal.table import Table, help_lines
from plywise.core.analysis import Analysis
from plywise.core.game import Game
from plywise.core.scene import Scene, scene_of
from plywise.views import draw_text, marked
from plywise.views.text import Terminal
from plywise.views.theme import ASCII, find_theme

Tone = Literal["plain", "hint", "complaint", "end"]
_STYLES: dict[Tone, str] = {
    "plain": "default",
    "hint": "green",
    "complaint": "red",
    "end": "bold",
}
_SPINNER = "⠋⠙⠹⠸⠼⠴⠦⠧⠇⠏"
_MESSAGE = 3  #: lines kept for what is said, where there is room
_PANEL = 20  #: columns that the list of moves needs


@dataclass
class Showing:
    """What is on the screen besides the game itself."""

    typed: str = ""
    pointer: str | None = None  #: the move that is pointed at
    message: tuple[str, ...] = ()
    tone: Tone = "plain"
    busy: str = ""  #: who thinks
    info: Analysis | None = None  #: what it has found so far
    paused: bool = False
    help: bool = False
    tick: int = 0

    def say(self, *lines: str, tone: Tone = "plain") -> None:
        """Put a message in place of the last."""
        self.message, self.tone = lines, tone


def frame(table: Table, showing: Showing, place: Terminal, theme: str) -> list[str]:
    """The whole screen, line by line."""
    ink, columns, rows = Ink(place.colours), place.width or 80, place.height or 24
    title = cut(_title(table, ink, place, theme), columns)
    if showing.help:
        return [title, "", *_help(ink, columns, rows)]
    scene = marked(scene_of(table.session.position), table.hinted)
    said = _said(showing, ink, columns)
    spacious = rows >= 18
    fixed = 3 + (2 if spacious else 0)  # title, status, prompt, blank lines
    message = max(len(said), min(_MESSAGE, rows - fixed - _height(scene, place, fixed)))
    message = min(message, max(1, rows - fixed - 3))
    board = draw_text(
        scene,
        replace(place, height=rows - fixed - message + 4),
        theme=theme,
        cursor=showing.pointer,
    ).splitlines()
    room = rows - fixed - message
    board = list(window(board, columns, room, _focus(scene, showing.pointer)))
    if columns >= max(map(width, board), default=0) + 6 + _PANEL:
        board = beside(board, _moves(table, ink, len(board)), 6)
    blank = [""] if spacious else []
    status = cut(_status(table, showing, ink, place), columns)
    said = [*said[:message], *[""] * (message - len(said))]
    return [title, *blank, *board, *blank, status, *said, _prompt(showing, table, ink, columns)]


def _height(scene: Scene, place: Terminal, fixed: int) -> int:
    """How many lines the board takes if it may."""
    free = replace(place, colours=None, height=(place.height or 24) - fixed)
    return draw_text(scene, free).count("\n") + 1


def _focus(scene: Scene, pointer: str | None) -> tuple[float, float]:
    """Where to look on a board larger than the screen: at the pointer, or the last move."""
    for target in scene.targets:
        if target.move == pointer:
            return target.at[0] / scene.size[0], target.at[1] / scene.size[1]
    if scene.motion is not None:
        return scene.motion.end[0] / scene.size[0], scene.motion.end[1] / scene.size[1]
    return 0.5, 0.5


# ---- who plays ---------------------------------------------------------------------------------


def _title(table: Table, ink: Ink, place: Terminal, theme: str) -> str:
    game, session = table.session.game, table.session
    marks = _glyphs(game)
    palette = find_theme(theme).palettes[scene_of(game.start()).palette]
    parts = [ink(game.type.title or game.name, "bold")]
    for number in (1, 2):
        glyph = marks[number - 1]
        if not place.unicode:
            glyph = ASCII.get(glyph, glyph)
        on_turn = session.result is None and session.position.turn + 1 == number
        name = f"{table.name(number)}{_clock(table, number)}"
        name = ink(name, "underline" if on_turn else "dim")
        parts.append(f"{ink(glyph, f'bold {palette.players[number - 1].ink}')} {name}")
    return "  ".join(parts)


def _clock(table: Table, number: int) -> str:
    clocks = table.session.clocks
    if clocks is None:
        return ""
    left = max(0, int(clocks[number - 1]))
    return f" {left // 60}:{left % 60:02}"


@cache
def _glyphs(game: Game) -> tuple[str, str]:
    """What stands for the players' pieces, seen on the board after a few moves."""
    position, seen = game.start(), {0: "1", 1: "2"}
    for _ in range(4):
        if position.over:
            break
        position = position.after(position.codes[0])
        seen |= {
            shape.owner: shape.glyph
            for shape in scene_of(position).shapes
            if shape.owner is not None and shape.roles[0] == "stone" and shape.glyph
        }
    return seen[0], seen[1]


# ---- what has happened -------------------------------------------------------------------------


def _moves(table: Table, ink: Ink, rows: int) -> list[str]:
    """The last moves in pairs, the newest below."""
    texts = [move.text for move in table.session.record.moves]
    pairs = list(zip_longest(texts[::2], texts[1::2], fillvalue=""))
    lines = [
        ink(f"{number:>3}. ", "dim") + f"{one:<6}{two}".rstrip()
        for number, (one, two) in enumerate(pairs, 1)
    ]
    return [ink("moves", "dim"), *lines[-(rows - 1) :]] if lines else []


def _status(table: Table, showing: Showing, ink: Ink, place: Terminal) -> str:
    """Who moves or won; while somebody thinks, what he has found."""
    if showing.busy:
        turning = _SPINNER[showing.tick % len(_SPINNER)] if place.unicode else "..."
        return f"{ink(turning, 'yellow')} {showing.busy}{ink(_found(showing.info), 'dim')}"
    if showing.paused and table.session.result is None:
        return f"paused, {table.standing()}: Enter goes on"
    standing = table.standing()
    text = f"{standing[:1].upper()}{standing[1:]}"
    return ink(text, "bold")


def _found(info: Analysis | None) -> str:
    if info is None:
        return ""
    return f"  depth {info.depth}, value {info.value:+.2f}, {info.nodes:,} nodes"


def told(table: Table, number: int, analysis: Analysis | None) -> str:
    """The last move of an agent, and what it thought of it."""
    move = table.session.record.moves[-1].text
    words = f"{table.name(number)} plays {move}"
    if analysis is None or not analysis.nodes:
        return words
    return f"{words} ({_found(analysis).strip()}, {analysis.seconds:.1f} s)"


def _said(showing: Showing, ink: Ink, columns: int) -> list[str]:
    style = _STYLES[showing.tone]
    return [ink(line, style) for line in wrap(showing.message, columns)]


def _prompt(showing: Showing, table: Table, ink: Ink, columns: int) -> str:
    if showing.typed:
        shown = showing.typed[-(columns - 4) :]
        return f"> {shown}{ink(' ', 'reverse')}"
    if table.session.result is not None:
        keys = "new, undo, help or quit"
    elif showing.pointer is not None:
        keys = "arrows and Enter, or type a move; hint, undo, help, quit"
    else:
        keys = "type hint, undo, help, quit ..."
    return "> " + ink(cut(keys, columns - 2), "dim")


def _help(ink: Ink, columns: int, rows: int) -> Iterator[str]:
    lines = ["arrows, Tab  point at a move; Enter plays it"]
    lines += ["a move       in the game's own notation", *help_lines()]
    for line in lines:
        word, text = line[:11], line[11:].strip()
        first, *more = wrap([text], columns - 14) or [""]
        yield ink(word.ljust(13), "bold") + first
        yield from (" " * 13 + rest for rest in more)
    yield ""
    yield ink("any key goes back", "dim")
