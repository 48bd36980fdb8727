"""The routes that need no saved game: the catalogue, positions, analysis, hints and reviews.

Positions are built, and answers written, in threads that addresses share; searches are awaited.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Annotated, Any

from fastapi import APIRouter, Query, Request
from starlette.responses import JSONResponse, Response

from plywise.core.position import Position
from plywise.errors import SpecError
from plywise.web.analysis.results import analysis_json, hint_json
from plywise.web.analysis.searches import Searches
from plywise.web.api import catalogue, schemas
from plywise.web.api.positions import position_json, read_agent, read_position
from plywise.web.api.schemas import refusals
from plywise.web.caller import caller_of
from plywise.web.kept import Ready
from plywise.web.settings import Settings

router = APIRouter(prefix="/api")


# The catalogue


@router.get("/kinds", response_model=schemas.Kinds, responses=refusals(), summary="List the games")
async def get_kinds(request: Request) -> Response:
    """Every game with its parameters, its agents and two pictures."""
    return await send_ready(request, lambda: catalogue.kinds_json(_settings(request)))


@router.get(
    "/kinds/{name}",
    response_model=schemas.Kind,
    responses=refusals(404),
    summary="Describe a game",
)
async def get_kind(request: Request, name: str) -> Response:
    """A game with its parameters, its agents and two pictures."""
    catalogue.find(name)
    return await send_ready(request, lambda: catalogue.kind_json(name, _settings(request)))


@router.get(
    "/kinds/{name}/sample",
    response_model=schemas.Sample,
    responses=refusals(404),
    summary="Get a sample game in pictures",
)
async def get_sample(request: Request, name: str) -> Response:
    """Pictures of a whole game, move by move. Shapes that they share are listed once."""
    catalogue.find(name)
    return await send_ready(request, lambda: catalogue.sample_json(name))


@router.get(
    "/kinds/{name}/guide",
    response_model=schemas.Guide,
    responses=refusals(404),
    summary="Get the rules of a game",
)
async def get_guide(request: Request, name: str) -> Response:
    """The rules of a game for people, with pictures."""
    catalogue.find(name)
    return await send_ready(request, lambda: catalogue.guide_json(name, _settings(request)))


# Positions


@router.get(
    "/positions",
    response_model=schemas.Position,
    responses=refusals(),
    summary="Get a position (as a URL that can be shared)",
)
async def get_position(
    request: Request,
    game: Annotated[schemas.Spec, Query()],
    start: Annotated[schemas.Text | None, Query()] = None,
    moves: Annotated[schemas.Text, Query()] = "",
) -> Response:
    """The position after some moves."""
    settings = _settings(request)
    return await in_thread(
        request, lambda: position_json(read_position(game, start, moves, settings=settings))
    )


@router.post(
    "/positions", response_model=schemas.Position, responses=refusals(), summary="Get a position"
)
async def post_position(request: Request, asked: schemas.AskPosition) -> Response:
    """The position after some moves."""
    return await in_thread(request, lambda: position_json(_position(request, asked)))


# Searches


@router.post(
    "/analysis",
    response_model=schemas.Analysis,
    responses=refusals(429),
    summary="Analyse a position",
)
async def post_analysis(request: Request, asked: schemas.AskAnalysis) -> Response:
    """Search for `time` seconds; with `lines`, every legal move gets a score."""
    caller, searches = caller_of(request.scope), request.app.state.searches
    position = await searches.read(lambda: _open_position(request, asked), caller.address)
    agent = read_agent(asked.agent, position.game, _settings(request))
    if agent == "human":
        raise SpecError("'human' cannot analyse a position: name an agent such as auto")
    found = await searches.find(position, agent, asked.time, asked.lines, caller)
    return await in_thread(request, lambda: analysis_json(position, found))


@router.post(
    "/hint",
    response_model=schemas.Hint,
    responses=refusals(429),
    summary="Get a hint in three steps",
)
async def post_hint(request: Request, asked: schemas.AskHint) -> Response:
    """Where to look, which move, and why."""
    caller, searches = caller_of(request.scope), request.app.state.searches
    position = await searches.read(lambda: _open_position(request, asked), caller.address)
    found = await searches.hint(position, asked.time, caller)
    return await in_thread(request, lambda: hint_json(position, found))


@router.post(
    "/review",
    response_model=schemas.Review,
    responses=refusals(429),
    summary="Review a game",
)
async def post_review(request: Request, asked: schemas.AskReview) -> Response:
    """Grade every move of a game."""
    caller, searches = caller_of(request.scope), request.app.state.searches
    position = await searches.read(lambda: _position(request, asked), caller.address)
    found = await searches.review(position, caller=caller)
    return await in_thread(request, found.to_json)


async def in_thread(request: Request, work: Callable[[], Any]) -> Response:
    """Run something short in a thread of the caller's address, and send what it returns."""
    searches: Searches = request.app.state.searches
    return await searches.read(lambda: JSONResponse(work()), caller_of(request.scope).address)


def _settings(request: Request) -> Settings:
    settings = request.app.state.settings
    assert isinstance(settings, Settings)
    return settings


def _position(request: Request, asked: schemas.AskPosition) -> Position:
    return read_position(asked.game, asked.start, asked.moves, settings=_settings(request))


def _open_position(request: Request, asked: Any) -> Position:
    """Return the position asked for; SpecError if the game is over."""
    position = _position(request, asked)
    if position.over:
        raise SpecError(f"the game is over ({position.reason}): there are no moves to search")
    return position


async def send_ready(request: Request, work: Callable[[], Ready]) -> Response:
    """Send an answer that is made once, compressed if the client accepts gzip."""
    answer = await request.app.state.searches.read(work, caller_of(request.scope).address)
    headers = {"Vary": "Accept-Encoding"}
    if "gzip" in request.headers.get("accept-encoding", ""):
        headers["Content-Encoding"] = "gzip"
        return Response(answer.packed, headers=headers, media_type="application/json")
    return Response(answer.plain, headers=headers, media_type="application/json")
