"""Clocks that survive a restart: they stand still while no server runs, and at no other time.

A store knows when the running turn of a game began. A server that has clocks running says every
few seconds that it is alive. When one starts and no other is up, it moves the beginning of every
turn forward by the time since the last of these signs, so a kill gives back at most the seconds
between two of them.
"""

from __future__ import annotations

import math
import time

import sqlalchemy as sql
from sqlalchemy.engine import Connection

from plywise.play.records.presence import anybody_up, ask_alone
from plywise.play.records.store import Store
from plywise.play.records.tables import alive, games

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
