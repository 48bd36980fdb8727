"""The rules of a game or a puzzle for people: a guide in simple Markdown, split into blocks.

A guide has paragraphs, `## headings`, `- lists` whose items may continue on the next line, and
pictures: `![caption](moves)` is the default board after those moves, and `![caption](33: 1 1 t)`
another puzzle. There is no markup within a line.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace

from plywise.core.game import Game, GameType
from plywise.core.position import Position
from plywise.core.puzzle import NO_MARKS, Puzzle, PuzzleType, States
from plywise.core.scene import Scene

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
class Sketch:
    """A puzzle with what is drawn on it."""

    caption: str
    puzzle: str  #: in one word
    scene: Scene


@dataclass(frozen=True)
class Verbatim:
    """Text whose lines stay as they are."""

    text: str


Block = Heading | Paragraph | Listing | Picture | Sketch | Verbatim
Draw = Callable[[str, str], Block]  #: (caption, what it shows) -> a picture


def guide_of(kind: GameType) -> list[Block]:
    """Return the guide of a game from its file, or its summary if it has none."""
    if kind.guide is not None:
        return read_guide(kind.guide.read_text(encoding="utf-8"), kind())
    return [Paragraph(kind.words.summary)] if kind.words.summary else []


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
    return _split(text, lambda caption, moves: Picture(caption, game.position(moves)))


def puzzle_guide(kind: PuzzleType) -> list[Block]:
    """Return the guide of a puzzle from its file, or its rules as a list if it has none."""
    if kind.guide is None:
        return [Listing(kind.rules)] if kind.rules else []
    text = kind.guide.read_text(encoding="utf-8")
    return _split(text, lambda caption, drawn: _sketch(kind, caption, drawn))


def _sketch(kind: PuzzleType, caption: str, drawn: str) -> Sketch:
    """Draw a puzzle after some moves: the default one, or the one before a colon."""
    source, _, moves = drawn.rpartition(":")
    puzzle, states = _after(kind, source or kind.default, _listed(moves))
    marks = NO_MARKS if kind.progress is None else replace(kind.progress(puzzle, states), sides={})
    return Sketch(caption, kind.identify(puzzle), kind.scene(puzzle, states, marks))


def sample_solution(kind: PuzzleType) -> list[str]:
    """Return the moves of the picture in the guide that shows the default puzzle solved.

    Empty if there is none. Nothing has to be solved, or compiled, for it.
    """
    text = "" if kind.guide is None else kind.guide.read_text(encoding="utf-8")
    for _, drawn in _PICTURE.findall(text):
        if ":" not in drawn and kind.fault(*_after(kind, kind.default, _listed(drawn))) is None:
            return _listed(drawn)
    return []


def _after(kind: PuzzleType, source: str, moves: list[str]) -> tuple[Puzzle, States]:
    """Return a puzzle with the marks of some moves."""
    puzzle, states = kind.read(source)
    marked = bytearray(states)
    for move in moves:
        place, state = kind.read_move(puzzle, move)
        marked[place] = state
    return puzzle, bytes(marked)


def _listed(moves: str) -> list[str]:
    return [move.strip() for move in moves.split(",") if move.strip()]


def _split(text: str, draw: Draw) -> list[Block]:
    return [block for part in re.split(r"\n\s*\n", text.strip()) for block in _blocks(part, draw)]


def _blocks(part: str, draw: Draw) -> Iterator[Block]:
    """The blocks between two empty lines; a heading or a picture is a line of its own."""
    words: list[str] = []
    items: list[list[str]] = []
    for line in map(str.strip, part.splitlines()):
        picture = _PICTURE.fullmatch(line)
        if picture or line.startswith(("# ", "## ", "### ")):
            yield from _gathered(words, items)
            words, items = [], []
            if picture:
                yield draw(picture[1], picture[2])
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
