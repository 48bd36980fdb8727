"""What a client sees of a room and may do there; the same for requests and for the socket."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

from plywise.core.spec import Spec
from plywise.play.records.game_record import Move
from plywise.web.errors import Forbidden, NotNow
from plywise.web.live.room import Room

PERSON = "Person"
COMPUTER = "Computer"  #: what `auto` is called


# What there is to see


def game_text(room: Room, client: str) -> str:
    """The game as a client sees it, as JSON. The position is written once for everybody."""
    head = json.dumps(_game(room, client), ensure_ascii=False, separators=(",", ":"))
    return f'{head[:-1]},"position":{room.seen.picture}}}'


def _game(room: Room, client: str) -> dict[str, Any]:
    seen, record = room.seen, room.seen.record
    mine, people, kind = room.seats_of(client), room.people, room.session.game.type
    running = record.result is None
    alone = bool(mine) and mine == people
    turn = seen.position.mover
    clocks = room.clocks
    return {
        "id": room.id,
        "version": seen.version,
        "game": record.game,
        "title": kind.title or kind.name,
        "start": record.start,
        "clock": None if record.time is None else str(record.time),
        "seed": record.seed,
        "players": [
            {
                "spec": spec,
                "name": label(spec),
                "person": number in people,
                "taken": number not in people or room.seat(number) is not None,
                "you": number in mine,
            }
            for number, spec in enumerate(record.players, 1)
        ],
        "you": mine,
        "seat_free": free_seat(room),
        "moves": moves_json(record.moves),
        "undone": moves_json(record.undone),
        "branches": [
            {"at": branch.at, "moves": moves_json(branch.moves)} for branch in record.branches
        ],
        "notes": list(record.notes),
        "result": None
        if record.result is None
        else {
            "winner": record.result.winner,
            "how": record.result.how,
            "reason": record.result.reason,
        },
        "clocks": None if clocks is None else [round(max(0.0, left), 3) for left in clocks],
        "thinking": room.thinking,
        "can": {
            "move": running and turn in mine,
            "undo": alone and seen.can_undo,
            "redo": alone and running and bool(record.undone),
            "resign": running and bool(mine),
            "hint": may_ask(room),
        },
    }


def moves_json(moves: Sequence[Move]) -> list[dict[str, Any]]:
    """Moves as plain data."""
    return [{"text": move.text, "seconds": move.seconds, "note": move.note} for move in moves]


def label(spec: str) -> str:
    """A player in words.

    >>> label("auto:level=3"), label("human")
    ('Computer, level 3', 'Person')
    """
    parsed = Spec.parse(spec)
    if parsed.name == "human":
        return PERSON
    name = COMPUTER if parsed.name == "auto" else parsed.name
    return ", ".join([name, *(f"{key} {value}" for key, value in parsed.given.items())])


def free_seat(room: Room) -> int | None:
    """A person's seat that nobody has taken yet."""
    return next((number for number in room.people if room.seat(number) is None), None)


def may_ask(room: Room) -> bool:
    """May engines be asked about the game? Not while two people play against each other."""
    return room.seen.record.result is not None or not room.shared


# What can be done


async def take_seat(room: Room, client: str) -> None:
    """Sit down on the free seat. Who sits already, stays."""
    number = free_seat(room)
    if number is None or room.seats_of(client):
        if room.seats_of(client):
            return
        raise NotNow("there is no free seat in this game: you can watch it")
    if not await room.sit(number, client):
        raise NotNow("somebody else has just taken the seat: you can watch the game")


async def move(room: Room, client: str, text: str, version: int | None = None) -> None:
    """Play a move for the seat on turn."""
    mine, turn = _seated(room, client), room.seen.position.mover
    running = room.seen.record.result is None
    if running and turn in room.people and turn not in mine:
        raise Forbidden(f"it is the turn of player {turn}, and that is not you")
    await room.do(lambda session: session.play(text), version)


async def undo(room: Room, client: str, to: int | None = None) -> None:
    """Take back until one's own turn, or until there are so many moves."""
    _alone(room, client)
    await room.do(lambda session: session.undo(to))


async def redo(room: Room, client: str, to: int | None = None) -> None:
    """Play again what was taken back."""
    _alone(room, client)
    await room.do(lambda session: session.redo(to))


async def resign(room: Room, client: str) -> None:
    """Give up; with both seats, for the one on turn."""
    mine = _seated(room, client)
    number = mine[0] if len(mine) == 1 else None
    await room.do(lambda session: session.resign(number))


async def hurry(room: Room, client: str) -> None:
    """Make the engine that thinks move at once."""
    _member(room, client)
    if not await room.do(lambda session: session.hurry()):
        raise NotNow("no engine is thinking")


async def note(
    room: Room, client: str, text: str, at: int | None = None, branch: Sequence[str] = ()
) -> None:
    """Say something about a move."""
    _member(room, client)
    await room.do(lambda session: session.note(text, at, branch))


async def add_branch(room: Room, client: str, at: int, moves: Sequence[str]) -> None:
    """Keep another line."""
    _member(room, client)
    await room.do(lambda session: session.branch(at, moves))


async def prune(room: Room, client: str, at: int, moves: Sequence[str]) -> None:
    """Remove another line."""
    _member(room, client)
    await room.do(lambda session: session.prune(at, moves))


def _seated(room: Room, client: str) -> list[int]:
    mine = room.seats_of(client)
    if not mine:
        raise Forbidden("you have no seat in this game: you can watch it")
    return mine


def _member(room: Room, client: str) -> None:
    """Only who plays, or began the game, may write to it."""
    if client != room.owner:
        _seated(room, client)


def _alone(room: Room, client: str) -> None:
    if _seated(room, client) != room.people:
        raise NotNow("moves cannot be taken back here: the other would have to agree")
