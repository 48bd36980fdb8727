"""How stored games stand, many at once, without reading the games themselves."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

import sqlalchemy as sql

from plywise.play.records.store import Seats, Store
from plywise.play.records.tables import games, schema


class Standing(NamedTuple):
    """What changes about a game, apart from its record."""

    version: int
    seats: Seats


def standing(store: Store, ids: Iterable[str]) -> dict[str, Standing]:
    """Return how these games stand, by id; those that were deleted are missing."""
    columns = games.c.id, games.c.version, games.c.seat1, games.c.seat2
    query = sql.select(*columns).where(games.c.id.in_(list(ids)))
    with store.reading() as database:
        rows = database.execute(query).all()
    return {row.id: Standing(row.version, (row.seat1, row.seat2)) for row in rows}


def ping(store: Store) -> None:
    """Ask the database something small; StoreError if it fails."""
    with store.reading() as database:
        database.execute(sql.select(schema.c.version).limit(1)).all()
