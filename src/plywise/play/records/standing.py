"""How stored games stand, many at once, without reading the games themselves."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

import sqlalchemy as sql

from plywise.play.records.store import Seats, Store
from plywise.play.records.tables import games, rematches, schema, visits


class Standing(NamedTuple):
    """What changes about a game, apart from its record."""

    version: int
    seats: Seats
    next: str | None = None  #: the rematch
    visits: tuple[float, float] = (0.0, 0.0)  #: until when each player is known to be there


def standing(store: Store, ids: Iterable[str]) -> dict[str, Standing]:
    """Return how these games stand, by id; those that were deleted are missing."""
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
        row.id: Standing(
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
