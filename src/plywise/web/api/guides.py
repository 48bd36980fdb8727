"""The guide of a game or a puzzle as plain data that a page can show."""

from __future__ import annotations

from inspect import cleandoc
from typing import Any

from plywise import games
from plywise.core.game import GameType
from plywise.core.guide import (
    Block,
    Heading,
    Listing,
    Picture,
    Sketch,
    guide_of,
    puzzle_guide,
    read_guide,
)
from plywise.core.puzzle import PuzzleType
from plywise.web.api.positions import picture_json


def guide_blocks(kind: GameType) -> list[dict[str, Any]]:
    """The guide of a game; without one, the docstring of its file, or else its summary."""
    written = games.docstring(kind)
    if kind.guide is None and written:
        return [block_json(block) for block in read_guide(cleandoc(written), kind())]
    return [block_json(block) for block in guide_of(kind)]


def puzzle_blocks(kind: PuzzleType) -> list[dict[str, Any]]:
    """The guide of a puzzle; without one, its rules."""
    return [block_json(block) for block in puzzle_guide(kind)]


def block_json(block: Block) -> dict[str, Any]:
    """One block of a guide as plain data.

    >>> block_json(Listing(("a row", "a column")))
    {'type': 'list', 'items': ['a row', 'a column']}
    """
    if isinstance(block, Picture):
        return {
            "type": "picture",
            "caption": block.caption,
            "moves": list(block.position.moves),
            "scene": picture_json(block.position),
        }
    if isinstance(block, Sketch):
        scene = {**block.scene.to_json(), "targets": []}
        scene["shapes"] = [shape for shape in scene["shapes"] if shape["roles"] != ["area"]]
        return {
            "type": "sketch",
            "caption": block.caption,
            "puzzle": block.puzzle,
            "scene": scene,
        }
    if isinstance(block, Listing):
        return {"type": "list", "items": list(block.items)}
    return {
        "type": "heading" if isinstance(block, Heading) else "paragraph",
        "text": block.text,
    }
