"""What a frame of the socket can say to do: what else it has to have, and who does it."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import TYPE_CHECKING, Any

from plywise.web import game_schemas as schemas
from plywise.web.actions import (
    add_branch,
    hurry,
    move,
    note,
    prune,
    redo,
    resign,
    take_seat,
    undo,
)
from plywise.web.table import Table

if TYPE_CHECKING:
    from plywise.web.live import Socket

#: Gives what the answer says besides that it was done; None if the answer comes later.
Action = Callable[["Socket", Any], Awaitable[dict[str, Any] | None]]


def _at_table(action: Callable[[Table, str, Any], Awaitable[None]]) -> Action:
    """What is done at the table of the socket."""

    async def act(socket: Socket, asked: schemas.Frame) -> dict[str, Any]:
        table = socket.at_table()
        await action(table, socket.client, asked)
        return {"version": table.seen.version}

    return act


async def _ping(socket: Socket, asked: schemas.PlainFrame) -> dict[str, Any]:
    return {}


FRAMES: dict[str, tuple[type[schemas.Frame], Action]] = {
    "move": (
        schemas.MoveFrame,
        _at_table(lambda table, client, asked: move(table, client, asked.move, asked.version)),
    ),
    "undo": (
        schemas.UndoFrame,
        _at_table(lambda table, client, asked: undo(table, client, asked.to)),
    ),
    "redo": (
        schemas.UndoFrame,
        _at_table(lambda table, client, asked: redo(table, client, asked.to)),
    ),
    "resign": (schemas.PlainFrame, _at_table(lambda table, client, _: resign(table, client))),
    "hurry": (schemas.PlainFrame, _at_table(lambda table, client, _: hurry(table, client))),
    "seat": (schemas.PlainFrame, _at_table(lambda table, client, _: take_seat(table, client))),
    "note": (
        schemas.NoteFrame,
        _at_table(
            lambda table, client, asked: note(table, client, asked.text, asked.at, asked.branch)
        ),
    ),
    "branch": (
        schemas.BranchFrame,
        _at_table(lambda table, client, asked: add_branch(table, client, asked.at, asked.moves)),
    ),
    "prune": (
        schemas.BranchFrame,
        _at_table(lambda table, client, asked: prune(table, client, asked.at, asked.moves)),
    ),
    "analyse": (schemas.AnalyseFrame, lambda socket, asked: socket.analyse(asked)),
    "quiet": (schemas.PlainFrame, lambda socket, asked: socket.quiet(asked)),
    "hint": (schemas.PositionFrame, lambda socket, asked: socket.hint(asked)),
    "review": (schemas.PositionFrame, lambda socket, asked: socket.review(asked)),
    "ping": (schemas.PlainFrame, _ping),
}
