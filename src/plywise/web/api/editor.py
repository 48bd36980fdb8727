"""The board editor: a draft of a position, its picture, and its text or why there is none."""

from __future__ import annotations

from typing import Annotated, Any

from fastapi import Query
from pydantic import Field

from plywise.core.scene import Scene
from plywise.errors import InvalidPosition
from plywise.kit.editing import Draft, draft_of, pieces_of, read_draft, scene_of_draft, text_of
from plywise.web.api import schemas
from plywise.web.api.answers import Routes, Server
from plywise.web.api.positions import read_asked, read_game
from plywise.web.api.schemas import Answer, Question

router = Routes(prefix="/api/editor")

PLACES = 2000  #: of the largest board
LARGEST = 10**6  #: the largest number in a further field
Number = Annotated[int, Field(ge=-LARGEST, le=LARGEST)]


class EditorPiece(Answer):
    """A piece that can be placed."""

    letter: str
    owner: int | None
    label: str  #: what tells it from other pieces of its owner


class EditorAnswer(Answer):
    """A draft of a position."""

    game: str
    title: str
    pieces: list[EditorPiece]  #: by number, from 1 up
    places: list[str]
    numbers: list[int]  #: what stands on each place; 0 for nothing
    to_move: schemas.Side
    also: dict[str, list[int]]  #: further fields of the position
    text: str | None  #: of the position, if there is one
    error: str | None  #: why there is none
    scene: schemas.Scene


class AskDraft(Question):
    """A draft of a position."""

    game: schemas.Spec
    numbers: Annotated[list[Number], Field(max_length=PLACES)]
    to_move: schemas.Side
    also: Annotated[dict[str, Annotated[list[Number], Field(max_length=100)]], Field(max_length=20)]


@router.answer("GET", "", EditorAnswer, summary="Edit a position")
def get_editor(settings: Server, asked: Annotated[schemas.AskLink, Query()]) -> dict[str, Any]:
    """A position as a draft: what stands on each place, and who moves."""
    return _json(draft_of(read_asked(asked, settings)))


@router.answer("POST", "", EditorAnswer, summary="Read a draft")
def post_editor(settings: Server, asked: AskDraft) -> dict[str, Any]:
    """The picture of a draft, with the text of its position or the reason why there is none."""
    game = read_game(asked.game, settings)
    return _json(read_draft(game, asked.numbers, asked.to_move - 1, asked.also))


def _json(draft: Draft) -> dict[str, Any]:
    text = error = None
    try:
        text = text_of(draft)
    except InvalidPosition as found:
        error = str(found)
    scene: Scene = scene_of_draft(draft)
    return {
        "game": draft.game.spec,
        "title": draft.game.type.title,
        "pieces": [vars(piece) for piece in pieces_of(draft.game)],
        "places": [target.move for target in scene.targets],
        "numbers": list(draft.numbers),
        "to_move": draft.turn + 1,
        "also": {name: list(values) for name, values in draft.also.items()},
        "text": text,
        "error": error,
        "scene": scene.to_json(),
    }
