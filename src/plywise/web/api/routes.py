"""The routes that need no saved game: the catalogue, positions, analysis, hints and reviews.

Positions are built, and answers written, in threads that addresses share; searches are awaited.
"""

from __future__ import annotations

from typing import Annotated, Any

from fastapi import Query, Request
from starlette.responses import Response

from plywise.core.position import Position
from plywise.errors import SpecError
from plywise.web.analysis.results import analysis_json, hint_json
from plywise.web.api import catalogue, schemas
from plywise.web.api.answers import Routes, Server, searches_of, send, settings_of
from plywise.web.api.positions import position_json, read_agent, read_position
from plywise.web.caller import caller_of
from plywise.web.kept import Ready

router = Routes(prefix="/api")


# The catalogue


@router.answer("GET", "/kinds", schemas.Kinds, summary="List the games")
def get_kinds(settings: Server) -> Ready:
    """Every game with its parameters, its agents and two pictures."""
    return catalogue.kinds_json(settings)


@router.answer("GET", "/kinds/{name}", schemas.Kind, 404, summary="Describe a game")
def get_kind(name: str, settings: Server) -> Ready:
    """A game with its parameters, its agents and two pictures."""
    return catalogue.kind_json(name, settings)


@router.answer(
    "GET", "/kinds/{name}/sample", schemas.Sample, 404, summary="Get a sample game in pictures"
)
def get_sample(name: str) -> Ready:
    """Pictures of a whole game, move by move. Shapes that they share are listed once."""
    return catalogue.sample_json(name)


@router.answer("GET", "/kinds/{name}/guide", schemas.Guide, 404, summary="Get the rules of a game")
def get_guide(name: str, settings: Server) -> Ready:
    """The rules of a game for people, with pictures."""
    return catalogue.guide_json(name, settings)


# Positions


@router.answer(
    "GET",
    "/positions",
    schemas.Position,
    summary="Get a position (as a URL that can be shared)",
)
def get_position(
    settings: Server,
    game: Annotated[schemas.Spec, Query()],
    start: Annotated[schemas.Text | None, Query()] = None,
    moves: Annotated[schemas.Text, Query()] = "",
) -> dict[str, Any]:
    """The position after some moves."""
    return position_json(read_position(game, start, moves, settings=settings))


@router.answer("POST", "/positions", schemas.Position, summary="Get a position")
def post_position(settings: Server, asked: schemas.AskPosition) -> dict[str, Any]:
    """The position after some moves."""
    return position_json(read_position(asked.game, asked.start, asked.moves, settings=settings))


# Searches


@router.answer("POST", "/analysis", schemas.Analysis, 429, summary="Analyse a position")
async def post_analysis(request: Request, asked: schemas.AskAnalysis) -> Response:
    """Search for `time` seconds; with `lines`, every legal move gets a score."""
    position = await _position(request, asked)
    agent = read_agent(asked.agent, position.game, settings_of(request))
    if agent == "human":
        raise SpecError("'human' cannot analyse a position: name an agent such as auto")
    caller = caller_of(request.scope)
    found = await searches_of(request).find(position, agent, asked.time, asked.lines, caller)
    return await send(request, schemas.Analysis, lambda: analysis_json(position, found))


@router.answer("POST", "/hint", schemas.Hint, 429, summary="Get a hint in three steps")
async def post_hint(request: Request, asked: schemas.AskHint) -> Response:
    """Where to look, which move, and why."""
    position = await _position(request, asked)
    found = await searches_of(request).hint(position, asked.time, caller_of(request.scope))
    return await send(request, schemas.Hint, lambda: hint_json(position, found))


@router.answer("POST", "/review", schemas.Review, 429, summary="Review a game")
async def post_review(request: Request, asked: schemas.AskReview) -> Response:
    """Grade every move of a game."""
    position = await _position(request, asked, over=True)
    found = await searches_of(request).review(position, caller=caller_of(request.scope))
    return await send(request, schemas.Review, found.to_json)


async def _position(request: Request, asked: schemas.AskPosition, over: bool = False) -> Position:
    """Return the position asked for; SpecError if the game is over, unless it may be."""
    settings = settings_of(request)

    def read() -> Position:
        return read_position(asked.game, asked.start, asked.moves, settings=settings)

    position = await searches_of(request).read(read, caller_of(request.scope).address)
    if position.over and not over:
        raise SpecError(f"the game is over ({position.reason}): there are no moves to search")
    return position
