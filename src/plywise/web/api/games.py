"""Saved games: create, list, export, import, delete. They are played over the socket."""

from __future__ import annotations

import secrets
from collections.abc import Callable
from contextlib import AbstractAsyncContextManager
from dataclasses import replace
from typing import Annotated, TypeVar

from fastapi import APIRouter, Path, Request
from starlette.responses import JSONResponse, PlainTextResponse, Response

from plywise.core.game import Game
from plywise.core.position import opponent
from plywise.core.spec import Spec
from plywise.errors import SpecError
from plywise.play.fresh import fresh_game
from plywise.play.players import HUMAN
from plywise.play.records.game_record import GameRecord, Move, Result, TimeControl, name_of
from plywise.play.records.saves import SaveError, from_json, from_text, to_json, to_text
from plywise.play.records.store import Seats
from plywise.play.toss import swaps
from plywise.web.analysis.searches import Searches
from plywise.web.api import game_schemas as schemas
from plywise.web.api.positions import read_agent, read_game, read_moves, read_position
from plywise.web.api.routes import in_thread
from plywise.web.api.schemas import refusals
from plywise.web.caller import caller_of, client_of, finish
from plywise.web.live import actions
from plywise.web.live.frames import BRANCH_MOVES, too_full
from plywise.web.live.room import Room
from plywise.web.live.rooms import Rooms
from plywise.web.settings import HOUR, Settings

router = APIRouter(prefix="/api/games", tags=["games"])
T = TypeVar("T")

LONGEST_CLOCK = 24 * HOUR  #: seconds; a longer one is a mistake

Id = Annotated[str, Path(max_length=64, description="The id of a game.")]


# Creating


@router.post(
    "",
    status_code=201,
    response_model=schemas.Game,
    responses=refusals(409, 429),
    summary="Start a game",
)
async def post_game(request: Request, asked: schemas.NewGame) -> Response:
    """Start a game. The caller gets all human seats, or leaves one open for an opponent."""
    client = client_of(request.scope)
    record, side = await _read(request, lambda: new_record(asked, _settings(request)))
    if asked.seats != "invite" or _people(record) < 2:
        return await _created(request, record, None)
    name = name_of(asked.name)
    record = replace(record, names=(name, "") if side == 1 else ("", name))
    return await _created(request, record, _invite(client, side))


@router.post(
    "/import",
    status_code=201,
    response_model=schemas.Game,
    responses=refusals(409, 429),
    summary="Import a game",
)
async def post_import(request: Request, asked: schemas.Import) -> Response:
    """Continue an exported game. The caller gets all human seats."""
    record = await _read(request, lambda: read_record(asked, _settings(request)))
    return await _created(request, record, None)


async def _created(request: Request, record: GameRecord, seats: Seats | None) -> Response:
    caller, rooms = caller_of(request.scope), _rooms(request)
    finish(request.scope)
    id = await rooms.create(record, caller, seats or _all_mine(record, caller.client))
    async with rooms.at(id, caller) as room:
        return _answer(room, caller.client, 201)


def new_record(asked: schemas.NewGame, settings: Settings) -> tuple[GameRecord, int]:
    """Return the new game, and the caller's seat if it is for two people."""
    game = read_game(asked.game, settings)
    seed = secrets.randbelow(schemas.LARGEST) if asked.seed is None else asked.seed
    if asked.start is None and not asked.moves:  # those belong to the board that the spec names
        game = read_game(fresh_game(asked.game, seed).spec, settings)
    players = [_player(spec, game, settings) for spec in (asked.first, asked.second)]
    side: int = asked.side
    if asked.toss and swaps(seed):
        players.reverse()
        side = opponent(side)
    position = read_position(game, asked.start, asked.moves, settings=settings)
    record = GameRecord(
        game=game.spec,
        players=(players[0], players[1]),
        start=position.origin,
        time=_clock(asked.clock),
        seed=seed,
        moves=tuple(Move(text) for text in position.moves),
        result=Result.on_board(position),
    )
    return record, side


def read_record(asked: schemas.Import, settings: Settings) -> GameRecord:
    """Read a game from text or JSON. Its specs are checked before anything is created."""
    if (asked.text is None) == (asked.json_ is None):
        raise SaveError("send exactly one of 'text' and 'json'")
    most = settings.plies + BRANCH_MOVES

    def make(spec: Spec) -> Game:
        return read_game(str(spec), settings)

    if asked.text is not None:
        record = from_text(asked.text, files=False, make=make, most=most)
    else:
        record = from_json(asked.json_, files=False, make=make, most=most)
    if complaint := too_full(record):
        raise SaveError(complaint)
    game = read_game(record.game, settings)
    for player in record.players:
        _player(player, game, settings)
    read_moves(game, [move.text for move in record.line], settings)
    _check_clock(record.time)
    return replace(record, offer=None)  # nobody is there who could answer it


def _player(text: str, game: Game, settings: Settings) -> str:
    """Return the spec of a player; SpecError if its time is over the limit."""
    spec = read_agent(text, game, settings)
    seconds = float(Spec.parse(spec).given.get("time", 0))
    if seconds > settings.move_seconds:
        raise SpecError(
            f"time={seconds:g} is too much here: the limit is {settings.move_seconds:g} seconds"
        )
    return spec


def _clock(text: str | None) -> TimeControl | None:
    if text is None:
        return None
    clock = TimeControl.parse(text)
    _check_clock(clock)
    return clock


def _check_clock(clock: TimeControl | None) -> None:
    if clock is None:
        return
    seconds = max(clock.move or 0.0, clock.total or 0.0, clock.increment)
    if seconds > LONGEST_CLOCK:
        raise SpecError(
            f"a clock of {seconds:g} seconds is too long here: "
            f"the limit is {LONGEST_CLOCK:g} seconds"
        )


def _people(record: GameRecord) -> int:
    return sum(spec == HUMAN for spec in record.players)


def _all_mine(record: GameRecord, client: str) -> Seats:
    first, second = (client if spec == HUMAN else None for spec in record.players)
    return first, second


def _invite(client: str, side: int) -> Seats:
    return (client, None) if side == 1 else (None, client)


# Reading


@router.get("", response_model=schemas.Games, responses=refusals(), summary="List your games")
async def get_games(request: Request) -> Response:
    """The games that the caller started or plays in, most recently changed first."""
    games = await _rooms(request).mine(caller_of(request.scope))
    return await in_thread(request, lambda: {"games": games})


@router.get(
    "/{id}", response_model=schemas.Game, responses=refusals(404, 429), summary="Get a game"
)
async def get_game(request: Request, id: Id) -> Response:
    """A game as the caller sees it. Anyone who knows the id may view it."""
    async with _room(request, id) as room:
        return _answer(room, client_of(request.scope))


@router.get(
    "/{id}/text",
    response_class=PlainTextResponse,
    responses=refusals(404, 429),
    summary="Export a game as text",
)
async def get_text(request: Request, id: Id) -> Response:
    """The game in the format that `plywise play` saves."""
    async with _room(request, id) as room:
        return PlainTextResponse(to_text(room.seen.record))


@router.get("/{id}/json", responses=refusals(404, 429), summary="Export a game as JSON")
async def get_json(request: Request, id: Id) -> Response:
    """The game as JSON."""
    async with _room(request, id) as room:
        return JSONResponse(to_json(room.seen.record))


@router.delete("/{id}", status_code=204, responses=refusals(403, 404, 429), summary="Delete a game")
async def delete_game(request: Request, id: Id) -> Response:
    """Delete a game for good. Only the player who started it can."""
    finish(request.scope)
    await _rooms(request).remove(id, caller_of(request.scope))
    return Response(status_code=204)


@router.post(
    "/{id}/rematch",
    response_model=schemas.Game,
    responses=refusals(403, 404, 409, 429),
    summary="Offer a rematch",
)
async def post_rematch(
    request: Request, id: Id, asked: schemas.AskNothing | None = None
) -> Response:
    """Offer another game with the sides swapped, or accept it: `next` is its id.

    Like every request that makes a game it counts as a new one, so it is no command of the socket.
    """
    rooms, caller = _rooms(request), caller_of(request.scope)
    async with rooms.at(id, caller) as room:
        finish(request.scope)
        await actions.rematch(room, rooms, caller)
        return _answer(room, caller.client)


def _answer(room: Room, client: str, status: int = 200) -> Response:
    return Response(actions.game_text(room, client), status, media_type="application/json")


async def _read(request: Request, work: Callable[[], T]) -> T:
    """Run something short in a thread of the caller's address."""
    searches: Searches = request.app.state.searches
    return await searches.read(work, caller_of(request.scope).address)


def _room(request: Request, id: str) -> AbstractAsyncContextManager[Room]:
    return _rooms(request).at(id, caller_of(request.scope))


def _rooms(request: Request) -> Rooms:
    rooms = request.app.state.rooms
    assert isinstance(rooms, Rooms)
    return rooms


def _settings(request: Request) -> Settings:
    settings = request.app.state.settings
    assert isinstance(settings, Settings)
    return settings
