"""The key of a store: a secret that is made once, kept with the games and never changed.

A server signs the cookies of its visitors with it, so that they stay the same people after a
restart, on every server that uses the store.
"""

from __future__ import annotations

import secrets
from typing import Any

import sqlalchemy as sql
from sqlalchemy.engine import Row

from plywise.play.records.store import Store, StoreError
from plywise.play.records.tables import keys

BYTES = 32  #: of a key


def key_of(store: Store, name: str = "clients") -> bytes:
    """Return the key of this name; the first to ask makes it."""
    query = sql.select(keys).where(keys.c.name == name)
    with store.writing() as database:
        row = database.execute(query).one_or_none()
        if row is None:
            made = {"name": name, "secret": secrets.token_hex(BYTES)}
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
