"""The key of a store: a secret that is made once, kept with the games and never changed.

A server signs the cookies of its visitors with it, so that they stay the same people after a
restart, on every server that uses the store.
"""

from __future__ import annotations

import secrets
import time
from typing import Any, NamedTuple

import sqlalchemy as sql
from sqlalchemy.engine import Row

from plywise.play.records.store import Store, StoreError
from plywise.play.records.tables import games, keys

BYTES = 32  #: of a key


class Key(NamedTuple):
    """A secret, and when it was made."""

    secret: bytes
    created: float  #: seconds since 1970


def key_of(store: Store, name: str = "clients") -> Key:
    """Return the key of this name; the first to ask makes it."""
    query = sql.select(keys).where(keys.c.name == name)
    with store.writing() as database:
        row = database.execute(query).one_or_none()
        if row is None:
            made = {"name": name, "secret": secrets.token_hex(BYTES), "created": time.time()}
            insert = "INSERT INTO plywise_keys VALUES (:name, :secret, :created)"
            database.execute(sql.text(f"{insert} ON CONFLICT DO NOTHING"), made)
            row = database.execute(query).one()  # another server may have been faster
    return _read(row, store.name)


def _read(row: Row[Any], store: str) -> Key:
    try:
        key = Key(bytes.fromhex(row.secret), float(row.created))
    except (TypeError, ValueError):
        key = Key(b"", 0.0)
    if len(key.secret) != BYTES:
        raise StoreError(
            f"{store} has a damaged key {row.name!r} in plywise_keys: restore a backup, or delete"
            " that row (visitors then lose their seats)"
        )
    return key


def played_before(store: Store, client: str, when: float) -> bool:
    """True if a client has a game, or a seat in one, that was started before a time."""
    theirs = (games.c.owner == client, games.c.seat1 == client, games.c.seat2 == client)
    query = sql.select(games.c.id).where(sql.or_(*theirs), games.c.created < when).limit(1)
    with store.reading() as database:
        return database.execute(query).one_or_none() is not None
