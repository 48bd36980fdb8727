"""The tables of a store, and what can go wrong with it."""

from __future__ import annotations

import sqlalchemy as sql
from sqlalchemy import Column, Integer, MetaData, Table, Text

from plywise.errors import PlywiseError

SCHEMA = 3  #: the version of the tables below; `migrations.py` says what the earlier ones were


class StoreError(PlywiseError):
    """The store cannot be opened or does not answer."""


class NotKept(StoreError, LookupError):
    """There is no such game."""


class StoreConflict(StoreError):
    """Someone else has changed the game since it was read."""


class Damaged(StoreError):
    """What is stored of a game cannot be read."""


TABLES = MetaData()
schema = Table("plywise_schema", TABLES, Column("version", Integer, nullable=False))
games = Table(
    "plywise_games",
    TABLES,
    Column("id", Text, primary_key=True),
    Column("version", Integer, nullable=False),
    Column("game", Text, nullable=False),
    Column("first", Text, nullable=False),
    Column("second", Text, nullable=False),
    Column("moves", Integer, nullable=False),
    Column("result", Text),
    Column("owner", Text, nullable=False, index=True),
    Column("seat1", Text, index=True),
    Column("seat2", Text, index=True),
    Column("created", sql.Double, nullable=False),
    Column("updated", sql.Double, nullable=False),
    Column("text", Text, nullable=False),
    # When the running turn began; NULL if no clock runs.
    Column("turn_began", sql.Double, index=True),
)
#: Secrets of the servers, such as the one that signs cookies.
keys = Table(
    "plywise_keys",
    TABLES,
    Column("name", Text, primary_key=True),
    Column("secret", Text, nullable=False),
    Column("created", sql.Double, nullable=False),
)
#: The game that two players went on with after this one.
rematches = Table(
    "plywise_rematches",
    TABLES,
    Column("game", Text, primary_key=True),
    Column("next", Text, nullable=False),
)
#: Players who have a page of their game open, at any server, and until when that is known.
visits = Table(
    "plywise_visits",
    TABLES,
    Column("game", Text, primary_key=True),
    Column("seat", Integer, primary_key=True),
    Column("until", sql.Double, nullable=False),
)
#: One row: when a server was last known to run.
alive = Table("plywise_alive", TABLES, Column("seen", sql.Double))
