"""The key of a store: a secret that is made once, kept with the games and never changed.

A server signs the cookies of its visitors with it, so that they stay the same people after a
restart, on every server that uses the store.
"""

from __future__ import annotations

import secrets
import time
from typing import NamedTuple

import sqlalchemy as sql
from sqlalchemy import Column, MetaData, Table, Text
from sqlalchemy.schema import CreateTable

from plywise.play.records.store import _OPENING, Store, _games

BYTES = 32  #: of a key

_keys = Table(
    "plywise_keys",
    MetaData(),
    Column("name", Text, primary_key=True),
    Column("secret", Text, nullable=False),
    Column("created", sql.Double, nullable=False),
)


class Key(NamedTuple):
    """A secret, and when it was made."""

    secret: bytes
    created: float  #: seconds since 1970


def key_of(store: Store, name: str = "clients") -> Key:
    """Return the key of this name; the first to ask makes it."""
    with store._writing() as database:
        if database.dialect.name == "postgresql":
            database.execute(sql.select(sql.func.pg_advisory_xact_lock(_OPENING)))
        database.execute(CreateTable(_keys, if_not_exists=True))
        row = database.execute(sql.select(_keys).where(_keys.c.name == name)).one_or_none()
        if row is not None:
            return Key(bytes.fromhex(row.secret), row.created)
        key = Key(secrets.token_bytes(BYTES), time.time())
        made = {"name": name, "secret": key.secret.hex(), "created": key.created}
        database.execute(_keys.insert().values(**made))
        return key


def played_before(store: Store, client: str, when: float) -> bool:
    """True if a client has a game, or a seat in one, that was started before a time."""
    theirs = (_games.c.owner == client, _games.c.seat1 == client, _games.c.seat2 == client)
    query = sql.select(_games.c.id).where(sql.or_(*theirs), _games.c.created < when).limit(1)
    with store._reading() as database:
        return database.execute(query).one_or_none() is not None
