"""A game's guide as plain text: offered to a new player, shown as a page that scrolls."""

from __future__ import annotations

import textwrap
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace

from plywise import games
from plywise.cli.terminal.ink import Ink, cut, wrap
from plywise.cli.terminal.screen import Key
from plywise.core.files import data_folder
from plywise.core.game import Game
from plywise.core.scene import scene_of
from plywise.errors import PlywiseError
from plywise.play.records.files import write_whole
from plywise.views import draw_text
from plywise.views.guide import (
    Block,
    Heading,
    Listing,
    Paragraph,
    Picture,
    Sketch,
    Verbatim,
    guide_of,
)
from plywise.views.text import Terminal

WIDEST = 100  #: columns: longer lines are tiring to read
_INDENT = 4  #: columns before a picture
_HIGHEST = 24  #: lines for which a picture is laid out: what most screens show at once


def rules_of(game: Game) -> list[Block]:
    """Return a game's guide, or else the docstring of its file or its summary, under its title.

    If there is nothing at all, one line says so.
    """
    title, words = game.type.title or game.name, games.docstring(game.type)
    blocks = [Verbatim(words)] if words and game.type.guide is None else guide_of(game.type)
    return [Heading(title), *blocks] if blocks else [Paragraph(f"{title} has no written rules.")]


def draw_guide(blocks: Sequence[Block], place: Terminal, theme: str) -> list[str]:
    """Lay out a guide in lines that fit the terminal, with pictures as text boards."""
    columns = min(place.width or 80, WIDEST)
    narrow = replace(place, width=columns - _INDENT, height=_HIGHEST)
    ink, lines = Ink(place.colours), list[str]()
    for block in blocks:
        lines += [""] if lines else []
        lines += _lines(block, narrow, columns, ink, theme)
    return lines


def _lines(block: Block, place: Terminal, columns: int, ink: Ink, theme: str) -> Iterator[str]:
    if isinstance(block, Heading):
        yield ink(block.text, "bold")
        yield ink(("─" if place.unicode else "-") * min(len(block.text), columns), "dim")
    elif isinstance(block, Listing):
        for item in block.items:
            yield from textwrap.wrap(
                item, columns, initial_indent="- ", subsequent_indent="  ", break_on_hyphens=False
            )
    elif isinstance(block, Picture | Sketch):
        yield from wrap([block.caption], columns)
        yield ""
        scene = block.scene if isinstance(block, Sketch) else scene_of(block.position)
        board = draw_text(scene, place, theme=theme)
        yield from (f"{' ' * _INDENT}{line}".rstrip() for line in board.strip("\n").splitlines())
    elif isinstance(block, Paragraph):
        yield from wrap([block.text], columns)
    else:
        for line in block.text.splitlines():
            yield from wrap([line], columns) if len(line) > columns else [line]


@dataclass
class Page:
    """A text longer than the screen, and which of its lines is at the top."""

    lines: Callable[[Terminal], Sequence[str]]  #: lays out the text for a terminal
    top: int = 0
    closed: bool = False
    _room: int = 1  # lines of the text on the screen
    _most: int = 0  # the last line that can be at the top
    _laid: tuple[Terminal | None, Sequence[str]] = field(default=(None, ()))

    def frame(self, place: Terminal) -> list[str]:
        """Draw the part that fits, and a line with the keys below it."""
        ink, columns, rows = Ink(place.colours), place.width or 80, place.height or 24
        if self._laid[0] != place:  # a new size: the same part of the text stays on the screen
            share = self.top / self._most if self._most else 0.0
            self._laid = place, self.lines(place)
            self._room = max(1, rows - 2)
            self._most = max(0, len(self._laid[1]) - self._room)
            self.top = round(share * self._most)
        lines = self._laid[1]
        shown = [cut(line, columns) for line in lines[self.top : self.top + self._room]]
        shown += [""] * (self._room - len(shown))
        keys = "q or Esc goes back"
        if self._most:
            arrows = "↑ ↓" if place.unicode else "up, down"
            share = 100 * self.top // self._most
            keys = f"{share}%  {keys}; {arrows}, page up and page down scroll"
        return [*shown, "", ink(cut(keys, columns), "dim")]

    def press(self, key: Key) -> None:
        """Scroll or close the page."""
        whole = max(1, self._room - 1)  # a line stays, so that the eye finds its place
        if key.name in ("escape", "enter", "ctrl-d") or key.text.lower() == "q":
            self.closed = True
        elif key.name in ("up", "down"):
            self.top += 1 if key.name == "down" else -1
        elif key.name == "page-down" or key.text == " ":
            self.top += whole
        elif key.name == "page-up":
            self.top -= whole
        elif key.name == "home":
            self.top = 0
        elif key.name == "end":
            self.top = self._most
        self.top = max(0, min(self.top, self._most))


_FILE = "met.txt"  #: in the data folder: one name a line


def offer_of(game: Game) -> list[str]:
    """Return a line that offers the rules of a game, the first time; otherwise nothing."""
    kind = game.type
    if not (kind.guide or kind.words.summary or games.docstring(kind)) or not meet(kind.name):
        return []
    return [f"New to {kind.title or kind.name}? Type 'rules'."]


def meet(name: str) -> bool:
    """Remember a game; returns True if it is new. A folder that fails makes every game new."""
    try:
        file = data_folder() / _FILE
        known = file.read_text(encoding="utf-8").splitlines() if file.exists() else []
        if name in known:
            return False
        file.parent.mkdir(parents=True, exist_ok=True)
        write_whole("".join(f"{each}\n" for each in (*known, name)), file)
    except (OSError, RuntimeError, UnicodeError, PlywiseError):  # no home, or not writable
        pass
    return True
