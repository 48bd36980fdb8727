"""The commands of the socket: the schema and the handler of each."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Any, Protocol

from plywise.web.api import game_schemas as schemas
from plywise.web.live.actions import (
    add_branch,
    answer,
    hurry,
    move,
    note,
    offer,
    prune,
    redo,
    resign,
    take_seat,
    undo,
)
from plywise.web.live.room import Room


class Socket(Protocol):
    """What commands need of a socket."""

    client: str

    def at_room(self) -> Room:
        """Return the room of the socket; a Refusal if it has none."""
        ...

    async def analyse(self, asked: schemas.AnalyseFrame) -> dict[str, Any] | None:
        """Start an analysis."""
        ...

    async def quiet(self, asked: schemas.PlainFrame) -> dict[str, Any] | None:
        """Stop the analysis."""
        ...

    async def hint(self, asked: schemas.PositionFrame) -> dict[str, Any] | None:
        """Look for a hint."""
        ...

    async def review(self, asked: schemas.PositionFrame) -> dict[str, Any] | None:
        """Review a whole game."""
        ...


#: Returns further fields of the answer, or None if the answer comes later.
Action = Callable[[Socket, Any], Awaitable[dict[str, Any] | None]]


def _at_room(action: Callable[[Room, str, Any], Awaitable[None]]) -> Action:
    """Make a command out of an action on the room of the socket."""

    async def act(socket: Socket, asked: schemas.Frame) -> dict[str, Any]:
        room = socket.at_room()
        await action(room, socket.client, asked)
        return {"version": room.seen.version}

    return act


async def _ping(socket: Socket, asked: schemas.PlainFrame) -> dict[str, Any]:
    return {}


FRAMES: dict[str, tuple[type[schemas.Frame], Action]] = {
    "move": (
        schemas.MoveFrame,
        _at_room(lambda room, client, asked: move(room, client, asked.move, asked.version)),
    ),
    "undo": (
        schemas.UndoFrame,
        _at_room(lambda room, client, asked: undo(room, client, asked.to)),
    ),
    "redo": (
        schemas.UndoFrame,
        _at_room(lambda room, client, asked: redo(room, client, asked.to)),
    ),
    "resign": (schemas.PlainFrame, _at_room(lambda room, client, _: resign(room, client))),
    "hurry": (schemas.PlainFrame, _at_room(lambda room, client, _: hurry(room, client))),
    "seat": (
        schemas.SeatFrame,
        _at_room(lambda room, client, asked: take_seat(room, client, asked.name)),
    ),
    "offer": (
        schemas.OfferFrame,
        _at_room(lambda room, client, asked: offer(room, client, asked.kind)),
    ),
    "answer": (
        schemas.AnswerFrame,
        _at_room(lambda room, client, asked: answer(room, client, asked.accept)),
    ),
    "note": (
        schemas.NoteFrame,
        _at_room(
            lambda room, client, asked: note(room, client, asked.text, asked.at, asked.branch)
        ),
    ),
    "branch": (
        schemas.BranchFrame,
        _at_room(lambda room, client, asked: add_branch(room, client, asked.at, asked.moves)),
    ),
    "prune": (
        schemas.BranchFrame,
        _at_room(lambda room, client, asked: prune(room, client, asked.at, asked.moves)),
    ),
    "analyse": (schemas.AnalyseFrame, lambda socket, asked: socket.analyse(asked)),
    "quiet": (schemas.PlainFrame, lambda socket, asked: socket.quiet(asked)),
    "hint": (schemas.PositionFrame, lambda socket, asked: socket.hint(asked)),
    "review": (schemas.PositionFrame, lambda socket, asked: socket.review(asked)),
    "ping": (schemas.PlainFrame, _ping),
}
