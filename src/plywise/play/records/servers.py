"""What servers with one database know together: who is there, clocks, versions of games, a key.

Who is there: each server lists the players connected to it, with an expiry time that it keeps
extending. If the server is killed, its entries soon expire.

Clocks stand still while no server runs, and at no other time. A store knows when the running turn
of a game began. A server that has clocks running says every few seconds that it is alive. When one
starts and no other is up, it moves the beginning of every turn forward by the time since the last
of these signs, so a kill gives back at most the seconds between two of them.

A server signs the cookies of its visitors with a key that is made once, kept with the games and
never changed, so that they stay the same people after a restart, on every server.
"""

from __future__ import annotations

import math
import secrets
import time
from collections.abc import Iterable
from typing import Any, NamedTuple

import sqlalchemy as sql
from sqlalchemy.engine import Connection, Row

from plywise.play.records.changes import anybody_up, ask_alone
from plywise.play.records.store import Seats, Store, StoreError
from plywise.play.records.tables import alive, games, keys, rematches, schema, visits

# ---- who is there ----------------------------------------------------------------------------

REFRESH = 10.0  #: seconds after which a server says again who is there
LASTS = 25.0  #: seconds that this is believed

Seat = tuple[str, int]  #: the id of a game, and player 1 or 2

_STAY = sql.text(
    "INSERT INTO plywise_visits (game, seat, until) VALUES (:game, :seat, :until)"
    " ON CONFLICT (game, seat) DO UPDATE SET until = excluded.until"
)


def come(store: Store, seat: Seat) -> None:
    """Write down that a player is there, and tell other servers."""
    with store.writing() as database:
        database.execute(_STAY, _row(seat))
        store.announce(database, seat[0])


def stay(store: Store, seats: Iterable[Seat]) -> None:
    """Write down that these players are still there."""
    if rows := sorted((_row(seat) for seat in seats), key=lambda row: (row["game"], row["seat"])):
        with store.writing() as database:  # sorted, so that no two servers wait for each other
            database.execute(_STAY, rows)


def leave(store: Store, seat: Seat) -> None:
    """Write down that a player has gone, and tell other servers."""
    game, number = seat
    with store.writing() as database:
        database.execute(visits.delete().where(visits.c.game == game, visits.c.seat == number))
        store.announce(database, game)


def forget(store: Store) -> None:
    """Remove what servers left behind that were killed."""
    with store.writing() as database:
        database.execute(visits.delete().where(visits.c.until < time.time()))


def _row(seat: Seat) -> dict[str, str | int | float]:
    return {"game": seat[0], "seat": seat[1], "until": time.time() + LASTS}


# ---- clocks ----------------------------------------------------------------------------------

EVERY = 2.0  #: seconds between two signs of life; what a killed server gives back at most
#: Seconds without a sign after which no server can be up: one without clocks gives a sign every
#: minute. PostgreSQL may keep the lock of a machine that lost its power for hours.
SILENCE = 150.0


def resume(store: Store) -> None:
    """Take the time when no server was running out of every turn. Call it when a server starts."""
    began = games.c.turn_began
    with store.writing() as database:
        ask_alone(database)  # two that both read the same sign would take its time out twice
        now = time.time()
        seen = database.execute(sql.select(sql.func.max(alive.c.seen))).scalar()
        if not isinstance(seen, int | float) or not math.isfinite(seen):
            seen = 0.0  # nobody knows how long the turns have lasted
        down = max(0.0, now - seen)
        if down < SILENCE and anybody_up(database):
            return
        database.execute(
            games.update()
            .where(began.is_not(None))
            .values(turn_began=sql.case((began < seen, began + down), else_=now))
        )
        mark(database, now)


def sign_of_life(store: Store) -> None:
    """Write down that a server is running."""
    with store.writing() as database:
        mark(database, time.time())


def mark(database: Connection, now: float) -> None:
    """Write down when the clocks were last known to be right."""
    if database.execute(alive.update().values(seen=now)).rowcount == 0:
        database.execute(alive.insert().values(seen=now))


# ---- games, many at once ---------------------------------------------------------------------


class GameStatus(NamedTuple):
    """What changes about a stored game, apart from its record."""

    version: int
    seats: Seats
    next: str | None = None  #: the rematch
    visits: tuple[float, float] = (0.0, 0.0)  #: until when each player is known to be there


def statuses(store: Store, ids: Iterable[str]) -> dict[str, GameStatus]:
    """Return the status of games, by id; those that were deleted are missing."""
    columns = games.c.id, games.c.version, games.c.seat1, games.c.seat2
    query = sql.select(*columns).where(games.c.id.in_(list(ids)))
    with store.reading() as database:
        rows = database.execute(query).all()
        found = [row.id for row in rows]
        after = database.execute(sql.select(rematches).where(rematches.c.game.in_(found))).all()
        there = database.execute(sql.select(visits).where(visits.c.game.in_(found))).all()
    next_of = {row.game: str(row.next) for row in after}
    until = {(row.game, row.seat): row.until for row in there if isinstance(row.until, int | float)}
    return {
        row.id: GameStatus(
            row.version,
            (row.seat1, row.seat2),
            next_of.get(row.id),
            (until.get((row.id, 1), 0.0), until.get((row.id, 2), 0.0)),
        )
        for row in rows
    }


def ping(store: Store) -> None:
    """Ask the database something small; StoreError if it fails."""
    with store.reading() as database:
        database.execute(sql.select(schema.c.version).limit(1)).all()


# ---- keys ------------------------------------------------------------------------------------

CLIENTS = "clients"  #: the name of the key
BYTES = 32  #: of it


def key_of(store: Store) -> bytes:
    """Return the key that signs cookies; the first to ask makes it."""
    query = sql.select(keys).where(keys.c.name == CLIENTS)
    with store.writing() as database:
        row = database.execute(query).one_or_none()
        if row is None:
            made = {"name": CLIENTS, "secret": secrets.token_hex(BYTES)}
            insert = "INSERT INTO plywise_keys VALUES (:name, :secret)"
            database.execute(sql.text(f"{insert} ON CONFLICT DO NOTHING"), made)
            row = database.execute(query).one()  # another server may have been faster
    return _read(row, store.name)


def _read(row: Row[Any], store: str) -> bytes:
    try:
        key = bytes.fromhex(row.secret)
    except (TypeError, ValueError):
        key = b""
    if len(key) != BYTES:
        raise StoreError(
            f"{store} has a damaged key {row.name!r} in plywise_keys: restore a backup, or delete"
            " that row (visitors then lose their seats)"
        )
    return key
