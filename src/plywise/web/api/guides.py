"""The guide of a game, split into blocks that a page can show.

A guide is simple Markdown: paragraphs, `## headings`, `- lists` whose items may continue on the
next line, and pictures: `![caption](moves)` is the default board after those moves. There is no
markup within a line.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from plywise.core.game import Game, GameType
from plywise.web.api.positions import scene_json

_PICTURE = re.compile(r"!\[(.*)\]\((.*)\)")


def guide_blocks(kind: GameType) -> list[dict[str, Any]]:
    """The guide of a game from its file, or its summary if it has none."""
    if kind.guide is None:
        return [{"type": "paragraph", "text": kind.summary}] if kind.summary else []
    return read_guide(kind.guide.read_text(encoding="utf-8"), kind())


def read_guide(text: str, game: Game) -> list[dict[str, Any]]:
    r"""Split a text into blocks.

    >>> import plywise
    >>> text = "Two players\ntake turns.\n\n## Winning\n\n- a row\n- a\n  column\n"
    >>> for block in read_guide(text, plywise.game("tictactoe")):
    ...     print(block)
    {'type': 'paragraph', 'text': 'Two players take turns.'}
    {'type': 'heading', 'text': 'Winning'}
    {'type': 'list', 'items': ['a row', 'a column']}
    """
    return [block for part in re.split(r"\n\s*\n", text.strip()) for block in _blocks(part, game)]


def _blocks(part: str, game: Game) -> Iterator[dict[str, Any]]:
    """The blocks between two empty lines; a heading or a picture is a line of its own."""
    words: list[str] = []
    items: list[list[str]] = []
    for line in map(str.strip, part.splitlines()):
        picture = _PICTURE.fullmatch(line)
        if picture or line.startswith(("# ", "## ", "### ")):
            yield from _gathered(words, items)
            words, items = [], []
            yield (
                _picture(picture[1], picture[2], game)
                if picture
                else {
                    "type": "heading",
                    "text": line.lstrip("# "),
                }
            )
        elif line.startswith("- "):
            items.append([line[2:].strip()])
        else:
            (items[-1] if items else words).append(line)
    yield from _gathered(words, items)


def _gathered(words: list[str], items: list[list[str]]) -> Iterator[dict[str, Any]]:
    if words:
        yield {"type": "paragraph", "text": " ".join(words)}
    if items:
        yield {"type": "list", "items": [" ".join(item) for item in items]}


def _picture(caption: str, moves: str, game: Game) -> dict[str, Any]:
    position = game.position(moves)
    return {
        "type": "picture",
        "caption": caption,
        "moves": list(position.moves),
        "scene": scene_json(position),
    }
