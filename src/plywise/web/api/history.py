"""The history of a client's games: who played, how it ended; no pictures, so it may be long."""

from __future__ import annotations

from typing import Any

from fastapi import APIRouter, Request
from starlette.responses import Response

from plywise.core.spec import Spec
from plywise.play.players import HUMAN, label
from plywise.play.records.game_record import Result
from plywise.play.records.rows import Summary
from plywise.play.records.store import StoreError
from plywise.web.api import catalogue
from plywise.web.api.routes import in_thread
from plywise.web.api.schemas import Answer, Side, refusals
from plywise.web.caller import client_of
from plywise.web.errors import broken

MOST = 1000  #: games, the last changed first

router = APIRouter(prefix="/api/history")


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


@router.get("", response_model=History, responses=refusals(), summary="Get your history")
async def get_history(request: Request) -> Response:
    """The games that the caller started or plays in, most recently changed first."""
    client, store = client_of(request.scope), request.app.state.store

    def work() -> dict[str, Any]:
        try:
            return {"games": [_played(each, client) for each in store.mine(client, MOST)]}
        except StoreError as error:
            raise broken(error) from error

    return await in_thread(request, work)


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
