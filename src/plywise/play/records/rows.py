"""A stored game as a row of the database, and back.

The record's text is what counts; the other columns serve to find it. A row may be damaged, by a
faulty disk or by hand: a value of the wrong kind never gets further than here.
"""

from __future__ import annotations

import math
import re
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from sqlalchemy.engine import Row

from plywise.core.spec import Spec
from plywise.errors import PlywiseError
from plywise.play.records.game_record import GameRecord, Result
from plywise.play.records.saves import from_text, to_text
from plywise.play.records.tables import Damaged, games

_ID = re.compile("[A-Za-z0-9_-]{22}")  # 128 bits

Seats = tuple[str | None, str | None]


@dataclass(frozen=True)
class Summary:
    """A game's entry in a list."""

    id: str  #: impossible to guess
    version: int  #: goes up with every save
    game: str
    players: tuple[str, str]
    moves: int
    result: str | None  #: as in a save text; None while the game goes on
    owner: str  #: the client who started it
    seats: Seats  #: the clients who play as 1 and 2; None if free, or an agent's
    created: float  #: seconds since 1970
    updated: float
    turn_began: float | None  #: when the running turn began, if there is a clock

    @property
    def elapsed(self) -> float:
        """The seconds that the running turn has lasted, if there is a clock."""
        return 0.0 if self.turn_began is None else max(0.0, time.time() - self.turn_began)


@dataclass(frozen=True)
class Kept(Summary):
    """A stored game with its record."""

    record: GameRecord


#: The columns of a Summary.
SUMMARY = [column for column in games.c if column.name != "text"]
#: What the values of a column must be, by the Python type of the column, and in words.
_KINDS: dict[type, tuple[tuple[type, ...], str]] = {
    str: ((str,), "a text"),
    int: ((int,), "a whole number"),
    float: ((int, float), "a number"),
}


def check_id(text: str) -> None:
    """ValueError if a text cannot be the id of a game."""
    if _ID.fullmatch(text) is None:
        raise ValueError("an id has 22 letters, digits, - or _")


#: How the text of a column is read, and what it must be.
_READERS: dict[str, tuple[Callable[[str], object], str]] = {
    "id": (check_id, "an id"),
    "game": (Spec.parse, "a game"),
    "first": (Spec.parse, "a player"),
    "second": (Spec.parse, "a player"),
    "result": (Result.parse, "a result"),
}


def columns_of(record: GameRecord) -> dict[str, Any]:
    """Return the columns of a record, and its text."""
    return {**_columns(record), "text": to_text(record)}


def _columns(record: GameRecord) -> dict[str, Any]:
    return {
        "game": record.game,
        "first": record.players[0],
        "second": record.players[1],
        "moves": len(record.moves),
        "result": None if record.result is None else str(record.result),
    }


def summary_of(row: Row[Any]) -> Summary:
    """Read a row without its text; Damaged if a value is not of its kind."""
    return Summary(**_fields(dict(row._mapping)))


def kept_of(row: Row[Any]) -> Kept:
    """Read a whole row; Damaged if there is anything wrong that its text does not put right."""
    values = dict(row._mapping)
    text = values.pop("text")
    if what := complaint("text", text):
        raise Damaged(f"{_name(values)} is damaged: {what}")
    try:
        record = from_text(text, _name(values), files=False)
    except PlywiseError as error:  # such as a game that is no longer installed
        raise Damaged(str(error)) from None
    if complaint("turn_began", values["turn_began"]):
        values["turn_began"] = None
    return Kept(**_fields({**values, **_columns(record)}), record=record)


def complaint(name: str, value: object) -> str | None:
    """Say what is wrong with the value of a column, without repeating it; None if nothing is."""
    column = games.c[name]
    if value is None:
        return None if column.nullable else f"{name} is missing"
    kinds, words = _KINDS[column.type.python_type]
    if not isinstance(value, kinds):
        return f"{name} is not {words}"
    if isinstance(value, str):
        if "\0" in value or not encodable(value):
            return f"{name} is not a text"
    elif isinstance(value, int | float) and not (math.isfinite(value) and value >= 0):
        return f"{name} is out of range"
    if name in _READERS:
        read, words = _READERS[name]
        try:
            read(str(value))
        except ValueError:
            return f"{name} is not {words}"
    return None


def _fields(values: dict[str, Any]) -> dict[str, Any]:
    """Return the values of a row as the fields of a Summary, once they are checked."""
    for name, value in values.items():
        if what := complaint(name, value):
            raise Damaged(f"{_name(values)} is damaged: {what}")
    values["players"] = values.pop("first"), values.pop("second")
    values["seats"] = values.pop("seat1"), values.pop("seat2")
    return values


def _name(values: dict[str, Any]) -> str:
    """What to call a row in a message, whatever is in it."""
    return "a game" if complaint("id", values["id"]) else f"the game {values['id']}"


def encodable(text: str) -> bool:
    """True if a text can be written as UTF-8."""
    try:
        text.encode()
    except UnicodeEncodeError:  # a byte that is not UTF-8 was read as half a character
        return False
    return True
