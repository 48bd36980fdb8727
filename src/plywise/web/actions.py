"""What a client sees of a table and may do there; the same for requests and for the socket."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

from plywise.core.spec import Spec
from plywise.play.record import Move
from plywise.web.errors import Forbidden, NotNow
from plywise.web.table import Table

PERSON = "Person"
COMPUTER = "Computer"  #: what `auto` is called


# What there is to see


def game_text(table: Table, client: str) -> str:
    """The game as a client sees it, as JSON. The position is written once for everybody."""
    head = json.dumps(_game(table, client), ensure_ascii=False, separators=(",", ":"))
    return f'{head[:-1]},"position":{table.seen.picture}}}'


def _game(table: Table, client: str) -> dict[str, Any]:
    seen, record = table.seen, table.seen.record
    mine, people, kind = table.seats_of(client), table.people, table.session.game.type
    running = record.result is None
    alone = bool(mine) and mine == people
    turn = seen.position.turn + 1
    clocks = table.clocks
    return {
        "id": table.id,
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
                "taken": number not in people or table.seats[number - 1] is not None,
                "you": number in mine,
            }
            for number, spec in enumerate(record.players, 1)
        ],
        "you": mine,
        "seat_free": free_seat(table),
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
        "thinking": table.thinking,
        "can": {
            "move": running and turn in mine,
            "undo": alone and seen.can_undo,
            "redo": alone and running and bool(record.undone),
            "resign": running and bool(mine),
            "hint": may_ask(table),
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


def free_seat(table: Table) -> int | None:
    """A person's seat that nobody has taken yet."""
    return next((number for number in table.people if table.seats[number - 1] is None), None)


def may_ask(table: Table) -> bool:
    """May engines be asked about the game? Not while two people play against each other."""
    return table.seen.record.result is not None or not table.shared


# What can be done


async def take_seat(table: Table, client: str) -> None:
    """Sit down on the free seat. Who sits already, stays."""
    number = free_seat(table)
    if number is None or table.seats_of(client):
        if table.seats_of(client):
            return
        raise NotNow("there is no free seat in this game: you can watch it")
    if not await table.sit(number, client):
        raise NotNow("somebody else has just taken the seat: you can watch the game")


async def move(table: Table, client: str, text: str, version: int | None = None) -> None:
    """Play a move for the seat on turn."""
    mine, turn = _seated(table, client), table.seen.position.turn + 1
    running = table.seen.record.result is None
    if running and turn in table.people and turn not in mine:
        raise Forbidden(f"it is the turn of player {turn}, and that is not you")
    await table.do(lambda session: session.play(text), version)


async def undo(table: Table, client: str, to: int | None = None) -> None:
    """Take back until one's own turn, or until there are so many moves."""
    _alone(table, client)
    await table.do(lambda session: session.undo(to))


async def redo(table: Table, client: str, to: int | None = None) -> None:
    """Play again what was taken back."""
    _alone(table, client)
    await table.do(lambda session: session.redo(to))


async def resign(table: Table, client: str) -> None:
    """Give up; with both seats, for the one on turn."""
    mine = _seated(table, client)
    number = mine[0] if len(mine) == 1 else None
    await table.do(lambda session: session.resign(number))


async def hurry(table: Table, client: str) -> None:
    """Make the engine that thinks move at once."""
    _member(table, client)
    if not await table.do(lambda session: session.hurry()):
        raise NotNow("no engine is thinking")


async def note(
    table: Table, client: str, text: str, at: int | None = None, branch: Sequence[str] = ()
) -> None:
    """Say something about a move."""
    _member(table, client)
    await table.do(lambda session: session.note(text, at, branch))


async def add_branch(table: Table, client: str, at: int, moves: Sequence[str]) -> None:
    """Keep another line."""
    _member(table, client)
    await table.do(lambda session: session.branch(at, moves))


async def prune(table: Table, client: str, at: int, moves: Sequence[str]) -> None:
    """Remove another line."""
    _member(table, client)
    await table.do(lambda session: session.prune(at, moves))


def _seated(table: Table, client: str) -> list[int]:
    mine = table.seats_of(client)
    if not mine:
        raise Forbidden("you have no seat in this game: you can watch it")
    return mine


def _member(table: Table, client: str) -> None:
    """Only who plays, or began the game, may write to it."""
    if client != table.owner:
        _seated(table, client)


def _alone(table: Table, client: str) -> None:
    if _seated(table, client) != table.people:
        raise NotNow("moves cannot be taken back here: the other would have to agree")
