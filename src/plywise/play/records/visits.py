"""Who is there: the players that have a page of their game open, at any server.

Each server lists the players connected to it, with an expiry time that it keeps extending. If the
server is killed, its entries soon expire.
"""

from __future__ import annotations

import time
from collections.abc import Iterable

import sqlalchemy as sql

from plywise.play.records.changes import announce
from plywise.play.records.store import Store
from plywise.play.records.tables import visits

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
        announce(database, seat[0], store.origin)


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
        announce(database, game, store.origin)


def forget(store: Store) -> None:
    """Remove what servers left behind that were killed."""
    with store.writing() as database:
        database.execute(visits.delete().where(visits.c.until < time.time()))


def _row(seat: Seat) -> dict[str, str | int | float]:
    return {"game": seat[0], "seat": seat[1], "until": time.time() + LASTS}
