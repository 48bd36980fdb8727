"""The rules of a game for people: a guide in simple Markdown, split into blocks.

A guide has paragraphs, `## headings`, `- lists` whose items may continue on the next line, and
pictures: `![caption](moves)` is the default board after those moves. There is no markup within a
line.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from plywise.core.game import Game, GameType
from plywise.core.position import Position

_PICTURE = re.compile(r"!\[(.*)\]\((.*)\)")


@dataclass(frozen=True)
class Heading:
    """A line above what follows."""

    text: str


@dataclass(frozen=True)
class Paragraph:
    """Text to be wrapped."""

    text: str


@dataclass(frozen=True)
class Listing:
    """The items of a list."""

    items: tuple[str, ...]


@dataclass(frozen=True)
class Picture:
    """A position to be drawn."""

    caption: str
    position: Position


@dataclass(frozen=True)
class Verbatim:
    """Text whose lines stay as they are."""

    text: str


Block = Heading | Paragraph | Listing | Picture | Verbatim


def guide_of(kind: GameType) -> list[Block]:
    """Return the guide of a game from its file, or its summary if it has none."""
    if kind.guide is not None:
        return read_guide(kind.guide.read_text(encoding="utf-8"), kind())
    return [Paragraph(kind.summary)] if kind.summary else []


def read_guide(text: str, game: Game) -> list[Block]:
    r"""Split a text into blocks.

    >>> import plywise
    >>> text = "Two players\ntake turns.\n\n## Winning\n\n- a row\n- a\n  column\n"
    >>> for block in read_guide(text, plywise.game("tictactoe")):
    ...     print(block)
    Paragraph(text='Two players take turns.')
    Heading(text='Winning')
    Listing(items=('a row', 'a column'))
    """
    return [block for part in re.split(r"\n\s*\n", text.strip()) for block in _blocks(part, game)]


def _blocks(part: str, game: Game) -> Iterator[Block]:
    """The blocks between two empty lines; a heading or a picture is a line of its own."""
    words: list[str] = []
    items: list[list[str]] = []
    for line in map(str.strip, part.splitlines()):
        picture = _PICTURE.fullmatch(line)
        if picture or line.startswith(("# ", "## ", "### ")):
            yield from _gathered(words, items)
            words, items = [], []
            if picture:
                yield Picture(picture[1], game.position(picture[2]))
            else:
                yield Heading(line.lstrip("# "))
        elif line.startswith("- "):
            items.append([line[2:].strip()])
        else:
            (items[-1] if items else words).append(line)
    yield from _gathered(words, items)


def _gathered(words: list[str], items: list[list[str]]) -> Iterator[Block]:
    if words:
        yield Paragraph(" ".join(words))
    if items:
        yield Listing(tuple(" ".join(item) for item in items))
