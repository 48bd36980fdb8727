"""Saved games: create, list, export, import, delete. They are played over the socket."""

from __future__ import annotations

import secrets
from contextlib import AbstractAsyncContextManager
from dataclasses import replace
from typing import Annotated, Any, Literal

from fastapi import Path, Request
from pydantic import Field, StrictBool
from starlette.responses import JSONResponse, PlainTextResponse, Response

from plywise.core.game import Game
from plywise.core.position import opponent
from plywise.core.spec import Spec
from plywise.errors import SpecError
from plywise.play.new_game import fresh_game, swaps
from plywise.play.players import label
from plywise.play.records.files import SaveError
from plywise.play.records.game_record import HUMAN, GameRecord, Move, Result, TimeControl, name_of
from plywise.play.records.saves import from_json, from_text, to_json, to_text
from plywise.play.records.store import Summary
from plywise.web.api import catalogue
from plywise.web.api.answers import Routes, Server, read, refusals, send
from plywise.web.api.positions import read_agent, read_game, read_moves, read_position
from plywise.web.api.schemas import Answer, AskPosition, Question, Scene, Side
from plywise.web.api.schemas import Spec as SpecText
from plywise.web.caller import caller_of, client_of, finish
from plywise.web.errors import refusing
from plywise.web.live import actions
from plywise.web.live.actions import LARGEST, Count, Name
from plywise.web.live.open_game import BRANCH_MOVES, too_full
from plywise.web.live.room import Room
from plywise.web.live.rooms import Rooms
from plywise.web.settings import HOUR, Settings

router = Routes(prefix="/api", tags=["games"])
REMEMBERED = 1000  #: games in a history, the last changed first
LONGEST_CLOCK = 24 * HOUR  #: seconds; a longer one is a mistake

Id = Annotated[str, Path(max_length=64, description="The id of a game.")]


# Creating


class NewGame(AskPosition):
    """A new game. With `seats` set to `invite` the other seat stays open for an opponent."""

    first: SpecText = "human"
    second: SpecText = "human"
    clock: Annotated[str, Field(max_length=40, examples=["300 + 2", "7 a move"])] | None = None
    seed: Count | None = None
    seats: Literal["mine", "invite"] = "mine"
    side: Side = 1
    toss: StrictBool = False
    name: Name = ""


class Import(Question):
    """A saved game, as text or as JSON."""

    text: str | None = None
    json_: dict[str, Any] | None = Field(default=None, alias="json")


@router.answer("POST", "/games", actions.Game, 409, 429, summary="Start a game", status=201)
async def post_game(request: Request, settings: Server, asked: NewGame) -> Response:
    """Start a game. The caller gets all human seats, or leaves one open for an opponent."""
    record, side = await read(request, lambda: new_record(asked, settings))
    if asked.seats != "invite" or record.players != (HUMAN, HUMAN):
        return await _created(request, record)
    name = name_of(asked.name)
    record = replace(record, names=(name, "") if side == 1 else ("", name))
    return await _created(request, record, (side,))


@router.answer("POST", "/games/import", actions.Game, 409, 429, summary="Import a game", status=201)
async def post_import(request: Request, settings: Server, asked: Import) -> Response:
    """Continue an exported game. The caller gets all human seats."""
    return await _created(request, await read(request, lambda: read_record(asked, settings)))


async def _created(
    request: Request, record: GameRecord, mine: tuple[int, ...] = (1, 2)
) -> Response:
    """Save a game in which the caller gets these seats, unless engines have them."""
    caller, rooms = caller_of(request.scope), _rooms(request)
    finish(request.scope)
    first, second = (
        caller.client if spec == HUMAN and number in mine else None
        for number, spec in enumerate(record.players, 1)
    )
    id = await rooms.create(record, caller, (first, second))
    async with rooms.at(id, caller) as room:
        return _answer(room, caller.client, 201)


def new_record(asked: NewGame, settings: Settings) -> tuple[GameRecord, int]:
    """Return the new game, and the caller's seat if it is for two people."""
    game = read_game(asked.game, settings)
    seed = secrets.randbelow(LARGEST) if asked.seed is None else asked.seed
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
        time=None if asked.clock is None else TimeControl.parse(asked.clock),
        seed=seed,
        moves=tuple(Move(text) for text in position.moves),
        result=Result.on_board(position),
    )
    _check_clock(record.time)
    return record, side


def read_record(asked: Import, settings: Settings) -> GameRecord:
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


def _check_clock(clock: TimeControl | None) -> None:
    if clock is None:
        return
    seconds = max(clock.move or 0.0, clock.total or 0.0, clock.increment)
    if seconds > LONGEST_CLOCK:
        raise SpecError(
            f"a clock of {seconds:g} seconds is too long here: "
            f"the limit is {LONGEST_CLOCK:g} seconds"
        )


# Reading


class Listed(Answer):
    """A game in a list."""

    id: str
    game: str
    title: str
    players: Annotated[list[str], Field(min_length=2, max_length=2)]
    moves: int
    to_move: Side | None
    result: actions.Result | None
    updated: float
    you: list[Side]
    picture: Scene | None


class Games(Answer):
    """The games of a client."""

    games: list[Listed]


class PlayedGame(Answer):
    """A game that the client played or started."""

    id: str
    game: str  #: the name
    title: str
    moves: int
    you: list[Side]
    opponent: str  #: whom the client played, such as `Computer, level 3`
    winner: int | None  #: 0 for a draw; None if it goes on, or nobody won
    over: bool
    created: float
    updated: float


class History(Answer):
    """The games of a client."""

    games: list[PlayedGame]


@router.answer("GET", "/games", Games, summary="List your games")
async def get_games(request: Request) -> Response:
    """The games that the caller started or plays in, most recently changed first."""
    games = await _rooms(request).mine(caller_of(request.scope))
    return await send(request, Games, lambda: {"games": games})


@router.answer("GET", "/history", History, summary="Get your history")
async def get_history(request: Request) -> Response:
    """The games that the caller started or plays in, most recently changed first: no pictures."""
    client, store = client_of(request.scope), request.app.state.store

    def work() -> dict[str, Any]:
        with refusing():
            return {"games": [_played(each, client) for each in store.mine(client, REMEMBERED)]}

    return await send(request, History, work)


def _played(summary: Summary, client: str) -> dict[str, Any]:
    name = Spec.parse(summary.game).name
    kind = catalogue.kinds().get(name)
    you = [number for number, seat in enumerate(summary.seats, 1) if seat == client]
    result = None if summary.result is None else Result.parse(summary.result)
    return {
        "id": summary.id,
        "game": name,
        "title": name if kind is None else kind.title,
        "moves": summary.moves,
        "you": you,
        "opponent": _opponent(summary.players, you),
        "winner": None if result is None else result.winner,
        "over": result is not None,
        "created": summary.created,
        "updated": summary.updated,
    }


def _opponent(players: tuple[str, str], you: list[int]) -> str:
    """Say whom a client played, or who played if the client only watched."""
    if len(you) == 2:
        return "two on one screen"
    if len(you) == 1:
        other = players[2 - you[0]]
        return "a friend" if other == HUMAN else label(other)
    return " against ".join(label(spec) for spec in players)


@router.answer("GET", "/games/{id}", actions.Game, 404, 429, summary="Get a game")
async def get_game(request: Request, id: Id) -> Response:
    """A game as the caller sees it. Anyone who knows the id may view it."""
    async with _room(request, id) as room:
        return _answer(room, client_of(request.scope))


@router.get(
    "/games/{id}/text",
    response_class=PlainTextResponse,
    responses=refusals(404, 429),
    summary="Export a game as text",
)
async def get_text(request: Request, id: Id) -> Response:
    """The game in the format that `plywise play` saves."""
    async with _room(request, id) as room:
        return PlainTextResponse(to_text(room.snapshot.record))


@router.get("/games/{id}/json", responses=refusals(404, 429), summary="Export a game as JSON")
async def get_json(request: Request, id: Id) -> Response:
    """The game as JSON."""
    async with _room(request, id) as room:
        return JSONResponse(to_json(room.snapshot.record))


@router.delete(
    "/games/{id}", status_code=204, responses=refusals(403, 404, 429), summary="Delete a game"
)
async def delete_game(request: Request, id: Id) -> Response:
    """Delete a game for good. Only the player who started it can."""
    finish(request.scope)
    await _rooms(request).remove(id, caller_of(request.scope))
    return Response(status_code=204)


class AskNothing(Question):
    """An empty request."""


@router.answer(
    "POST", "/games/{id}/rematch", actions.Game, 403, 404, 409, 429, summary="Offer a rematch"
)
async def post_rematch(request: Request, id: Id, asked: AskNothing | None = None) -> Response:
    """Offer another game with the sides swapped, or accept it: `next` is its id.

    Like every request that makes a game it counts as a new one, so it is not on the socket.
    """
    rooms, caller = _rooms(request), caller_of(request.scope)
    async with rooms.at(id, caller) as room:
        finish(request.scope)
        await actions.rematch(room, rooms, caller)
        return _answer(room, caller.client)


def _answer(room: Room, client: str, status: int = 200) -> Response:
    return Response(actions.game_text(room, client), status, media_type="application/json")


def _room(request: Request, id: str) -> AbstractAsyncContextManager[Room]:
    return _rooms(request).at(id, caller_of(request.scope))


def _rooms(request: Request) -> Rooms:
    rooms: Rooms = request.app.state.rooms
    return rooms
