"""Analyses, hints and reviews: the routes, and what is found as plain data for the page.

Positions are built, and answers written, in threads that addresses share; searches are awaited.
"""

from __future__ import annotations

import random
from math import cos, pi, sin
from typing import Any

from fastapi import Request
from starlette.responses import Response

from plywise.core.analysis import Analysis, Line, ScoreKind, moves_to_win
from plywise.core.position import Position
from plywise.core.scene import scene_of, windowed
from plywise.errors import SpecError
from plywise.play.hints import Hint
from plywise.views.marks import score_size, score_text
from plywise.web.api import schemas
from plywise.web.api.answers import Routes, Server, read, searches_of, send
from plywise.web.api.positions import read_agent, read_asked
from plywise.web.caller import caller_of
from plywise.web.settings import Settings

AREA = 0.24  #: radius of the circle that shows where to look, as a fraction of the board's width
LEAST_AREA = 1.2  #: ... but at least this, in board units
OFF_CENTRE = 0.6  #: how far the move may be from its centre, as a fraction of the radius

router = Routes(prefix="/api")


def analysis_json(position: Position, analysis: Analysis) -> dict[str, Any]:
    """An Analysis of a position with its scores as text and its value for player 1."""
    kind = analysis.score_kind
    value = analysis.value if position.mover == 1 else 0.0 - analysis.value
    return {
        **analysis.to_json(),
        **_words(position, analysis.line, kind),
        "lines": [_line_json(position, line, kind) for line in analysis.lines],
        "to_move": position.to_move,
        "value_1": round(value, 4),
        "moves": list(position.moves),
    }


def _line_json(position: Position, line: Line, kind: ScoreKind) -> dict[str, Any]:
    """The score of a move: its values, the text on the board and its size."""
    words = _words(position, line, kind)
    return {**line.to_json(), **words, "size": round(score_size(words["text"]), 4)}


def _words(position: Position, line: Line, kind: ScoreKind) -> dict[str, Any]:
    """What people read of a score: a short text, and how soon a proved win comes."""
    moves = moves_to_win(position, line)
    return {"moves_to_win": moves, "text": score_text(line, kind, moves)}


def hint_json(position: Position, hint: Hint) -> dict[str, Any]:
    """A Hint with its sentences, a circle for the first and shapes for the last."""
    return {
        **hint.to_json(),
        "steps": list(hint.steps),
        "area": _area(position, hint.move),
        "marks": [shape.to_json() for shape in hint.marks],
    }


def _area(position: Position, move: str) -> list[float] | None:
    """A circle (x, y, radius) with the move somewhere in it; the same one each time."""
    scene = scene_of(position)
    found = [target.at for target in scene.targets if target.move == move]
    if not found or len(position.legal) == 1:
        return None
    radius = max(LEAST_AREA, AREA * windowed(scene).size[0])
    rng = random.Random(position.key)
    angle, distance = 2 * pi * rng.random(), OFF_CENTRE * radius * rng.random() ** 0.5
    x, y = found[0][0] + distance * cos(angle), found[0][1] + distance * sin(angle)
    return [round(x, 4), round(y, 4), round(radius, 4)]


# Routes


@router.answer("POST", "/analysis", schemas.Analysis, 429, summary="Analyse a position")
async def post_analysis(request: Request, settings: Server, asked: schemas.AskAnalysis) -> Response:
    """Search for `time` seconds; with `lines`, every legal move gets a score."""
    position = await _position(request, settings, asked)
    agent = read_agent(asked.agent, position.game, settings)
    if agent == "human":
        raise SpecError("'human' cannot analyse a position: name an agent such as auto")
    caller = caller_of(request.scope)
    found = await searches_of(request).find(position, agent, asked.time, asked.lines, caller)
    return await send(request, schemas.Analysis, lambda: analysis_json(position, found))


@router.answer("POST", "/hint", schemas.Hint, 429, summary="Get a hint in three steps")
async def post_hint(request: Request, settings: Server, asked: schemas.AskHint) -> Response:
    """Where to look, which move, and why."""
    position = await _position(request, settings, asked)
    found = await searches_of(request).hint(position, asked.time, caller_of(request.scope))
    return await send(request, schemas.Hint, lambda: hint_json(position, found))


@router.answer("POST", "/review", schemas.Review, 429, summary="Review a game")
async def post_review(request: Request, settings: Server, asked: schemas.AskPosition) -> Response:
    """Grade every move of a game."""
    position = await _position(request, settings, asked, over=True)
    found = await searches_of(request).review(position, caller=caller_of(request.scope))
    return await send(request, schemas.Review, found.to_json)


async def _position(
    request: Request, settings: Settings, asked: schemas.AskPosition, over: bool = False
) -> Position:
    """Return the position asked for; SpecError if the game is over, unless it may be."""
    position = await read(request, lambda: read_asked(asked, settings))
    if position.over and not over:
        raise SpecError(f"the game is over ({position.reason}): there are no moves to search")
    return position
