"""What a client sees of a room, and the commands of the socket that change its game."""

from __future__ import annotations

import inspect
import secrets
from collections.abc import Awaitable, Callable
from typing import TYPE_CHECKING, Annotated, Any, Literal, TypeVar

from pydantic import Field, StrictBool, StrictInt, StrictStr, create_model

from plywise.play.players import label
from plywise.play.records.game_record import OFFERS, GameRecord, OfferKind, name_of, why_no_offer
from plywise.play.session import MAX_NOTE
from plywise.web.api.schemas import Answer, Move, Point, Position, Question, Side
from plywise.web.caller import Caller
from plywise.web.errors import Changed, Forbidden, NotNow
from plywise.web.live.open_game import joined, members
from plywise.web.live.room import Room

if TYPE_CHECKING:
    from plywise.web.live.rooms import Rooms

T = TypeVar("T")
Command = Callable[..., Awaitable[None]]  #: of a room, a client and what a frame holds
LARGEST = 2**31 - 1  #: largest seed, version or move number

Count = Annotated[StrictInt, Field(ge=0, le=LARGEST)]
Moves = Annotated[list[Move], Field(max_length=5000)]
Line = Annotated[list[Move], Field(min_length=1, max_length=5000)]
Note = Annotated[str, Field(max_length=MAX_NOTE)]
#: What is shown is shorter; this only keeps nonsense out.
Name = Annotated[StrictStr, Field(max_length=200, examples=["Ann"])]


# The game as a client sees it


class Player(Answer):
    """A player."""

    spec: str
    name: str
    named: bool
    person: bool
    taken: bool
    present: bool
    you: bool


class Played(Answer):
    """A move of the game, or of a branch."""

    text: str
    seconds: float
    note: str


class Branch(Answer):
    """A variation that leaves the game after `at` moves."""

    at: int
    moves: list[Played]


class Result(Answer):
    """How the game ended."""

    winner: Literal[0, 1, 2]
    how: Literal["rules", "resigned", "time", "forfeit", "agreed"]
    reason: str


class Offer(Answer):
    """What a player has offered the other one."""

    kind: OfferKind
    by: Side
    declined: bool


class Can(Answer):
    """What this client may do now."""

    move: bool
    undo: bool
    redo: bool
    resign: bool
    hint: bool
    draw: bool
    takeback: bool
    rematch: bool
    answer: bool


class Game(Answer):
    """A game as one client sees it."""

    id: str
    version: int
    game: str
    title: str
    start: str | None
    clock: str | None
    seed: int
    players: Annotated[list[Player], Field(min_length=2, max_length=2)]
    you: list[Side]
    seat_free: Side | None
    moves: list[Played]
    undone: list[Played]
    branches: list[Branch]
    notes: list[str]
    result: Result | None
    clocks: Point | None
    clock_runs: bool
    offer: Offer | None
    next: str | None
    thinking: bool
    can: Can
    position: Position


def game_text(room: Room, client: str) -> str:
    """The game as JSON for one client; all that is large is shared by all clients."""
    snapshot = room.snapshot
    return joined({**members(_game(room, client)), **snapshot.large})


def _game(room: Room, client: str) -> dict[str, Any]:
    snapshot, record = room.snapshot, room.snapshot.record
    mine, people, kind = room.seats_of(client), room.people, room.session.game.type
    running = record.result is None
    alone = bool(mine) and mine == people
    turn = snapshot.position.mover
    clocks = room.clocks
    offer = None if room.next is not None else record.offer
    return {
        "id": room.id,
        "version": snapshot.version,
        "game": record.game,
        "title": kind.title,
        "start": record.start,
        "clock": None if record.time is None else str(record.time),
        "seed": record.seed,
        "players": [
            {
                "spec": spec,
                "name": record.names[number - 1] or label(spec),
                "named": record.names[number - 1] != "",
                "person": number in people,
                "taken": number not in people or room.seats[number - 1] is not None,
                "present": number not in people or room.visits.present(number),
                "you": number in mine,
            }
            for number, spec in enumerate(record.players, 1)
        ],
        "you": mine,
        "seat_free": free_seat(room),
        "result": record.result and vars(record.result),
        "clocks": None if clocks is None else [round(max(0.0, left), 3) for left in clocks],
        "clock_runs": snapshot.clock_runs,
        "offer": offer and vars(offer),
        "next": room.next,
        "thinking": room.thinking,
        "can": {
            "move": running and turn in mine,
            "undo": alone and snapshot.can_undo,
            "redo": alone and running and bool(record.undone),
            "resign": running and bool(mine),
            "hint": may_ask(room),
            **_offers(room, mine),
        },
    }


def _offers(room: Room, mine: list[int]) -> dict[str, bool]:
    """What a client may offer, and whether they may answer an offer."""
    record = room.snapshot.record
    facing = len(mine) == 1 and room.shared and free_seat(room) is None and room.next is None
    position, offer = room.snapshot.position, record.offer
    able = [facing and why_no_offer(record, position, mine[0], kind) is None for kind in OFFERS]
    asked = facing and offer is not None and not offer.declined and offer.by != mine[0]
    return {**dict(zip(OFFERS, able, strict=True)), "answer": asked}


def free_seat(room: Room) -> int | None:
    """The number of a human seat that nobody has taken yet, or None."""
    return next((number for number in room.people if room.seats[number - 1] is None), None)


def may_ask(room: Room) -> bool:
    """True if engines may help: not while two people play against each other."""
    return room.snapshot.record.result is not None or not room.shared


# Commands


class Frame(Question):
    """What every frame has: a command and a number."""

    do: StrictStr
    n: Annotated[StrictInt, Field(ge=-LARGEST, le=LARGEST)] | None = None


#: The commands by name, each with what its frame holds.
COMMANDS: dict[str, tuple[type[Frame], Command]] = {}


def command(work: Command) -> Command:
    """Make a function a command: what follows the room and the client is read from the frame."""
    _, _, *asked = inspect.signature(work, eval_str=True).parameters.values()
    fields: dict[str, Any] = {
        each.name: (each.annotation, ... if each.default is each.empty else each.default)
        for each in asked
    }
    COMMANDS[work.__name__] = create_model(work.__name__, __base__=Frame, **fields), work
    return work


@command
async def seat(room: Room, client: str, name: Name = "") -> None:
    """Take the open seat, with a name. A client who already has a seat keeps it."""
    name = name_of(name)  # refused before anything happens
    number = free_seat(room)
    if number is None or room.seats_of(client):
        if room.seats_of(client):
            return
        raise NotNow("there is no open seat in this game, but you can watch it")
    if not await room.sit(number, client):
        raise NotNow("someone else has just taken the seat, but you can watch the game")
    if name:
        await _twice(lambda: room.do(lambda session: session.rename(number, name)))


@command
async def move(room: Room, client: str, move: Move, version: Count | None = None) -> None:
    """Play a move for the player to move; with a version, only if it is still that of the game."""
    mine, turn = _seated(room, client), room.snapshot.position.mover
    running = room.snapshot.record.result is None
    if running and turn in room.people and turn not in mine:
        raise Forbidden(f"it is player {turn}'s turn, not yours")
    await room.do(lambda session: session.play(move), version)


@command
async def undo(room: Room, client: str, to: Count | None = None) -> None:
    """Take back moves until it is your turn, or until there are `to` moves."""
    _alone(room, client)
    await room.do(lambda session: session.undo(to))


@command
async def redo(room: Room, client: str, to: Count | None = None) -> None:
    """Repeat moves until it is your turn, or until there are `to` moves."""
    _alone(room, client)
    await room.do(lambda session: session.redo(to))


@command
async def resign(room: Room, client: str) -> None:
    """Resign; a client with both seats resigns for the player to move."""
    mine = _seated(room, client)
    number = mine[0] if len(mine) == 1 else None
    await room.do(lambda session: session.resign(number))


@command
async def offer(room: Room, client: str, kind: Literal["draw", "takeback"]) -> None:
    """Offer a draw or a takeback; what the opponent has offered already is agreed."""
    number = _facing(room, client)
    await _twice(lambda: room.do(lambda session: session.offer(number, kind)))


@command
async def answer(room: Room, client: str, accept: StrictBool) -> None:
    """Accept or decline what the opponent has offered, or take their own back."""
    number = _facing(room, client)
    found = room.snapshot.record.offer
    if accept and found is not None and found.kind == "rematch":
        raise NotNow("a rematch is accepted by offering one too")
    await _twice(lambda: room.do(lambda session: session.answer(number, accept)))


@command
async def hurry(room: Room, client: str) -> None:
    """Make the thinking engine move at once."""
    _member(room, client)
    if not await room.do(lambda session: session.hurry()):
        raise NotNow("no engine is thinking")


@command
async def note(
    room: Room, client: str, text: Note, at: Count | None = None, branch: Moves | None = None
) -> None:
    """Write a note on move number `at`, or on the last move of a branch."""
    _member(room, client)
    await room.do(lambda session: session.note(text, at, branch or ()))


@command
async def branch(room: Room, client: str, at: Count, moves: Line) -> None:
    """Save a variation that leaves the game after `at` moves."""
    _member(room, client)
    await room.do(lambda session: session.branch(at, moves))


@command
async def prune(room: Room, client: str, at: Count, moves: Line) -> None:
    """Delete the end of a variation, from the last of these moves on."""
    _member(room, client)
    await room.do(lambda session: session.prune(at, moves))


async def rematch(room: Room, rooms: Rooms, caller: Caller) -> None:
    """Offer another game with the sides swapped; if both players do, it is made.

    A request and not a command, since it counts as a new game.
    """
    number = _facing(room, caller.client)
    if room.next is not None:
        return
    await rooms.may_start(caller)
    if await _twice(lambda: room.do(lambda session: session.offer(number, "rematch"))):
        old, (one, two) = room.snapshot.record, room.seats
        names = old.names[1], old.names[0]
        seed = secrets.randbelow(LARGEST)
        again = GameRecord(old.game, old.players, old.start, old.time, seed, names=names)
        await room.rematch(again, caller.client, (two, one))


async def _twice(work: Callable[[], Awaitable[T]]) -> T:
    """Do something again if another server has just changed the game."""
    try:
        return await work()
    except Changed:
        return await work()


def _facing(room: Room, client: str) -> int:
    """Return the player that a client is, in a game against another client."""
    mine = _seated(room, client)
    if len(mine) > 1 or not room.shared or free_seat(room) is not None:
        raise NotNow("there is nobody to make an offer to")
    return mine[0]


def _seated(room: Room, client: str) -> list[int]:
    mine = room.seats_of(client)
    if not mine:
        raise Forbidden("you have no seat in this game, but you can watch it")
    return mine


def _member(room: Room, client: str) -> None:
    """Raise Forbidden unless the client plays in the game or started it."""
    if client != room.owner:
        _seated(room, client)


def _alone(room: Room, client: str) -> None:
    if _seated(room, client) != room.people:
        raise NotNow("moves cannot be undone here: you are playing against another person")
