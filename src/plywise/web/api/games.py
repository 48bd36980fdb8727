"""Games that are kept: made, listed, played, exported, imported, removed."""

from __future__ import annotations

import secrets
from collections.abc import Awaitable, Callable
from typing import Annotated

from fastapi import APIRouter, Path, Request
from starlette.concurrency import run_in_threadpool
from starlette.responses import JSONResponse, PlainTextResponse, Response

from plywise.core.game import Game
from plywise.core.position import opponent
from plywise.core.spec import Spec
from plywise.errors import SpecError
from plywise.play.players import HUMAN
from plywise.play.records.game_record import GameRecord, Move, Result, TimeControl, printable
from plywise.play.records.saves import SaveError, from_json, from_text, to_json, to_text
from plywise.play.records.store import Seats
from plywise.play.toss import swaps
from plywise.web.api import game_schemas as schemas
from plywise.web.api.positions import read_agent, read_game, read_moves, read_position
from plywise.web.api.schemas import refusals
from plywise.web.guard import client_of
from plywise.web.live import actions
from plywise.web.live.room import Room
from plywise.web.live.rooms import Rooms
from plywise.web.settings import Settings

router = APIRouter(prefix="/api/games", tags=["games"])

Id = Annotated[str, Path(max_length=64, description="the id of a game")]


# Making


@router.post(
    "",
    status_code=201,
    response_model=schemas.Game,
    responses=refusals(409, 429),
    summary="A new game",
)
async def post_game(request: Request, asked: schemas.NewGame) -> Response:
    """Make a game. Persons' seats are the caller's, or one of them is left free."""
    client = client_of(request.scope)
    record, side = await run_in_threadpool(new_record, asked, _settings(request))
    seats = _invite(client, side) if asked.seats == "invite" else _all_mine(record, client)
    return await _created(request, record, seats if _people(record) == 2 else None)


@router.post(
    "/import",
    status_code=201,
    response_model=schemas.Game,
    responses=refusals(409, 429),
    summary="A new game out of a saved one",
)
async def post_import(request: Request, asked: schemas.Import) -> Response:
    """Go on with a game that was exported; the persons' seats are the caller's."""
    record = await run_in_threadpool(read_record, asked, _settings(request))
    return await _created(request, record, None)


async def _created(request: Request, record: GameRecord, seats: Seats | None) -> Response:
    client, rooms = client_of(request.scope), _rooms(request)
    id = await rooms.create(record, client, seats or _all_mine(record, client))
    async with rooms.at(id) as room:
        return _answer(room, client, 201)


def new_record(asked: schemas.NewGame, settings: Settings) -> tuple[GameRecord, int]:
    """The game that is asked for, and the caller's seat in it if it is for two people."""
    game = read_game(asked.game, settings)
    players = [_player(spec, game, settings) for spec in (asked.first, asked.second)]
    side: int = asked.side
    seed = secrets.randbelow(schemas.LARGEST) if asked.seed is None else asked.seed
    if asked.toss and swaps(seed):
        players.reverse()
        side = opponent(side)
    position = read_position(game, asked.start, asked.moves, settings=settings)
    record = GameRecord(
        game=game.spec,
        players=(players[0], players[1]),
        start=position.origin,
        time=_clock(asked.clock, settings),
        seed=seed,
        moves=tuple(Move(text) for text in position.moves),
        result=Result.on_board(position),
    )
    return record, side


def read_record(asked: schemas.Import, settings: Settings) -> GameRecord:
    """The game in a text or in JSON. Its specs are looked at before anything is made of them."""
    if (asked.text is None) == (asked.json_ is None):
        raise SaveError("an import has either a text or json")
    if asked.text is not None:
        for line in asked.text.split("\n"):
            key, *value = printable(line).strip().split(maxsplit=1)[:2] or [""]
            if key == "game" and value:
                read_game(value[0], settings)
        record = from_text(asked.text, files=False)
    else:
        spec = (asked.json_ or {}).get("game")
        if isinstance(spec, str):
            read_game(spec, settings)
        record = from_json(asked.json_, files=False)
    game = read_game(record.game, settings)
    for player in record.players:
        _player(player, game, settings)
    read_moves(game, [move.text for move in record.line], settings)
    _check_clock(record.time, settings)
    return record


def _player(text: str, game: Game, settings: Settings) -> str:
    """The spec of a player who does not think longer than allowed."""
    spec = read_agent(text, game, settings)
    seconds = float(Spec.parse(spec).given.get("time", 0))
    if seconds > settings.move_seconds:
        raise SpecError(
            f"time={seconds:g} is too much here: at most {settings.move_seconds:g} seconds will do"
        )
    return spec


def _clock(text: str | None, settings: Settings) -> TimeControl | None:
    if text is None:
        return None
    clock = TimeControl.parse(text)
    _check_clock(clock, settings)
    return clock


def _check_clock(clock: TimeControl | None, settings: Settings) -> None:
    if clock is None:
        return
    seconds = max(clock.move or 0.0, clock.total or 0.0, clock.increment)
    if seconds > settings.clock_seconds:
        raise SpecError(
            f"a clock of {seconds:g} seconds is too long here: "
            f"at most {settings.clock_seconds:g} will do"
        )


def _people(record: GameRecord) -> int:
    return sum(spec == HUMAN for spec in record.players)


def _all_mine(record: GameRecord, client: str) -> Seats:
    first, second = (client if spec == HUMAN else None for spec in record.players)
    return first, second


def _invite(client: str, side: int) -> Seats:
    return (client, None) if side == 1 else (None, client)


# Looking


@router.get("", response_model=schemas.Games, responses=refusals(), summary="My games")
async def get_games(request: Request) -> Response:
    """The games that the caller began or plays in, those first that changed last."""
    return JSONResponse({"games": await _rooms(request).mine(client_of(request.scope))})


@router.get("/{id}", response_model=schemas.Game, responses=refusals(404, 429), summary="A game")
async def get_game(request: Request, id: Id) -> Response:
    """A game as the caller sees it. Whoever knows the id may look."""
    async with _rooms(request).at(id) as room:
        return _answer(room, client_of(request.scope))


@router.get(
    "/{id}/text",
    response_class=PlainTextResponse,
    responses=refusals(404, 429),
    summary="A game as text",
)
async def get_text(request: Request, id: Id) -> Response:
    """The game as `plywise play` saves it."""
    async with _rooms(request).at(id) as room:
        return PlainTextResponse(to_text(room.seen.record))


@router.get("/{id}/json", responses=refusals(404, 429), summary="A game as JSON")
async def get_json(request: Request, id: Id) -> Response:
    """The same as plain data."""
    async with _rooms(request).at(id) as room:
        return JSONResponse(to_json(room.seen.record))


@router.delete("/{id}", status_code=204, responses=refusals(403, 404, 429), summary="Remove a game")
async def delete_game(request: Request, id: Id) -> Response:
    """Forget a game for good; only who began it can."""
    await _rooms(request).remove(id, client_of(request.scope))
    return Response(status_code=204)


# Playing

CHANGES = refusals(403, 404, 409, 429)


@router.post(
    "/{id}/seat", response_model=schemas.Game, responses=CHANGES, summary="Take the free seat"
)
async def post_seat(request: Request, id: Id) -> Response:
    """Sit down; from now on the seat is this browser's."""
    return await _act(request, id, actions.take_seat)


@router.post("/{id}/moves", response_model=schemas.Game, responses=CHANGES, summary="Play a move")
async def post_move(request: Request, id: Id, asked: schemas.AskMove) -> Response:
    """Play a move. It is kept when the answer comes."""
    return await _act(
        request, id, lambda room, client: actions.move(room, client, asked.move, asked.version)
    )


@router.post("/{id}/undo", response_model=schemas.Game, responses=CHANGES, summary="Take back")
async def post_undo(request: Request, id: Id, asked: schemas.AskUndo | None = None) -> Response:
    """Take back until one's own turn, or all but `to` moves."""
    to = None if asked is None else asked.to
    return await _act(request, id, lambda room, client: actions.undo(room, client, to))


@router.post("/{id}/redo", response_model=schemas.Game, responses=CHANGES, summary="Play again")
async def post_redo(request: Request, id: Id, asked: schemas.AskUndo | None = None) -> Response:
    """Play again what was taken back."""
    to = None if asked is None else asked.to
    return await _act(request, id, lambda room, client: actions.redo(room, client, to))


@router.post("/{id}/resign", response_model=schemas.Game, responses=CHANGES, summary="Give up")
async def post_resign(
    request: Request, id: Id, asked: schemas.AskNothing | None = None
) -> Response:
    """Give up."""
    return await _act(request, id, actions.resign)


@router.post(
    "/{id}/hurry", response_model=schemas.Game, responses=CHANGES, summary="Make the engine move"
)
async def post_hurry(request: Request, id: Id, asked: schemas.AskNothing | None = None) -> Response:
    """Make the engine that thinks move with what it has."""
    return await _act(request, id, actions.hurry)


@router.post("/{id}/notes", response_model=schemas.Game, responses=CHANGES, summary="A note")
async def post_note(request: Request, id: Id, asked: schemas.AskNote) -> Response:
    """Say something about a move, in place of what was said before."""
    return await _act(
        request,
        id,
        lambda room, client: actions.note(room, client, asked.text, asked.at, asked.branch),
    )


@router.post("/{id}/branches", response_model=schemas.Game, responses=CHANGES, summary="A branch")
async def post_branch(request: Request, id: Id, asked: schemas.AskBranch) -> Response:
    """Keep other moves that were tried."""
    return await _act(
        request, id, lambda room, client: actions.add_branch(room, client, asked.at, asked.moves)
    )


@router.delete(
    "/{id}/branches", response_model=schemas.Game, responses=CHANGES, summary="Remove a branch"
)
async def delete_branch(request: Request, id: Id, asked: schemas.AskBranch) -> Response:
    """Remove the last of these moves, and every line that goes on from it."""
    return await _act(
        request, id, lambda room, client: actions.prune(room, client, asked.at, asked.moves)
    )


async def _act(
    request: Request, id: str, action: Callable[[Room, str], Awaitable[None]]
) -> Response:
    """Do something at a room and answer with what the game is then."""
    client = client_of(request.scope)
    async with _rooms(request).at(id) as room:
        await action(room, client)
        return _answer(room, client)


def _answer(room: Room, client: str, status: int = 200) -> Response:
    return Response(actions.game_text(room, client), status, media_type="application/json")


def _rooms(request: Request) -> Rooms:
    rooms = request.app.state.rooms
    assert isinstance(rooms, Rooms)
    return rooms


def _settings(request: Request) -> Settings:
    settings = request.app.state.settings
    assert isinstance(settings, Settings)
    return settings
