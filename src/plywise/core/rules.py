"""The functions that an author writes, rules and evaluations, and the records they work on."""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass, fields, replace
from functools import cache
from keyword import iskeyword
from operator import itemgetter
from types import ModuleType
from typing import Any, Self

import numpy as np

from plywise.core.spec import Immutable
from plywise.errors import SpecError, suggest

#: A board or a state: one NumPy record. Rules get it as `b` (read only) and `s`.
Record = Any
#: A rule: a plain function over records that also compiles.
Verb = Callable[..., Any]
MEASURES = 16  #: the most numbers that `measures` can write


def turn(b: Record, s: Record) -> int:
    """Return the field `turn`: the rule of a game that has none of its own."""
    return s.turn  # type: ignore[no-any-return]


@cache
def key_of(fields: tuple[str, ...]) -> Verb:
    """Return the rule `key` that hashes these fields of a state."""
    names = ",".join(fields)

    def key(b: Record, s: Record) -> np.uint64:
        return hash_fields(s, names)

    key.fields = fields  # type: ignore[attr-defined]  # what tells it from an author's key
    return key


@dataclass(frozen=True)
class Rules(Immutable):
    """The functions that are the rules of a game: the first five are required.

    `b` is the board, which never changes, and `s` the state. Moves are integers from 0 up to the
    game's `max_moves`. Searches trust these functions: `plywise.check_game` tests them. The last
    five are knowledge about the game, which makes searches stronger; docs/engines.md shows how.

    Attributes:
        setup: (b, s) -> None: write the start position, every field.
        moves: (b, s, out) -> n: write the legal moves into out, in a stable order, and return how
            many they are; not called when the game is over.
        play: (b, s, move) -> None: change s in place; the caller made a copy, and sure that the
            move is legal.
        over: (b, s) -> bool: whether the game is over; if not, there is at least one move.
        margin: (b, s) -> int: by how much player 0 won; called only when the game is over.
        turn: (b, s) -> 0 or 1: the side to move (either, once the game is over). By default the
            field `turn` of the state.
        key: (b, s) -> uint64: equal for equal futures; or the names of the fields that decide the
            future, if the others follow from these or depend on the order of the moves. By default
            all fields.
        evaluate: (b, s) -> int: estimate for the side to move.
        bounds: (b, s) -> (lowest, highest) margin of player 0 still possible with best play.
        forced: (b, s, out) -> n: the only moves that matter; 0 for all of them.
        promise: (b, s, move) -> int: how good a move looks, for move ordering.
        measures: (b, s, out) -> None: up to 16 whole numbers that matter, such as mobility or
            distances, for learning; the same numbers whoever is to move.
    """

    setup: Verb
    moves: Verb
    play: Verb
    over: Verb
    margin: Verb
    turn: Verb = turn
    key: Any = ()
    evaluate: Verb | None = None
    bounds: Verb | None = None
    forced: Verb | None = None
    promise: Verb | None = None
    measures: Verb | None = None

    @classmethod
    def of(cls, module: ModuleType) -> Self:
        """Return the rules that a module defines, each under its own name."""
        return cls(
            **{
                each.name: vars(module)[each.name]
                for each in fields(cls)
                if callable(vars(module).get(each.name))
            }
        )


def completed(rules: Rules, state: np.dtype[Any], game: str) -> Rules:
    """Return the rules for states of this type, with a function for `key`.

    Raises a SpecError if they use a field that the state does not have.
    """
    fields = state.names or ()
    if rules.turn is turn and "turn" not in fields:
        raise SpecError(
            f"{game} does not say whose turn it is: give the state a field `turn`, or Rules a rule"
        )
    if callable(rules.key):
        return rules
    named = (rules.key,) if isinstance(rules.key, str) else tuple(rules.key)
    for name in named:
        if name not in fields:
            raise SpecError(f"the key of {game} names {name!r}: {suggest(name, fields)}")
    return replace(rules, key=key_of(named or fields))


@dataclass(frozen=True)
class Heuristic(Immutable):
    """One player's evaluation of an undecided position, for the textbook searches.

    A won game is worth `win` minus the plies it took, a lost one the negative; in a game of
    points a finished game is worth its margin times `win`.

    Attributes:
        function: (b, s, player) -> float: how good the position is for a player; it need not be the
            negative of the opponent's evaluation.
        win: what a won game is worth.
        help: what it measures, in one line.
    """

    function: Verb
    win: float = 1000.0
    help: str = ""


# ---- records -------------------------------------------------------------------------------------

#: A hash of fields begins with this word, and multiplies by this one (2^64 over the golden ratio).
HASH_FIRST, HASH_FACTOR = 0x243F6A8885A308D3, 0x9E3779B97F4A7C15
_WORD = (1 << 64) - 1
#: Attributes of a NumPy record that no field can replace.
_TAKEN = frozenset({"view", "dtype", "tobytes"})
_RIGHT = "it must be a list of fields, such as [('cells', 'i1', 9), ('turn', 'i8')]"


def record_type(
    fields: np.dtype[Any] | Sequence[tuple[Any, ...]], what: str = "a record"
) -> np.dtype[Any]:
    """Return a list of fields as a record type; a record type is returned as it is.

    >>> record_type([("cells", "i1", 9), ("turn", "i8")]).names
    ('cells', 'turn')
    """
    try:
        kind = fields if isinstance(fields, np.dtype) else np.dtype((np.record, list(fields)))
    except (TypeError, ValueError) as error:
        raise SpecError(f"{what} is {fields!r:.60}: {_RIGHT} ({error})") from error
    if not kind.names:
        raise SpecError(f"{what} is {fields!r:.60}: {_RIGHT}")
    for name in kind.names:
        if name in _TAKEN or name.startswith("__") or iskeyword(name) or not name.isidentifier():
            raise SpecError(f"{what} has a field {name!r}, which rules could not read: rename it")
    return kind


@cache
def quick(dtype: np.dtype[Any]) -> np.dtype[Any]:
    """Return the same record type, with a property for each field.

    NumPy's own records look up every attribute in Python code, which makes interpreted rules
    several times slower. Compiled code is not affected.

    >>> point = quick(np.dtype((np.record, [("x", "i4"), ("y", "i4")])))
    >>> points = np.zeros(2, point)
    >>> points[1].y = 7
    >>> points[1].y, points.tolist()
    (np.int32(7), [(0, 0), (0, 7)])
    """
    if dtype.names is None:
        return dtype
    fields = {name: _field(name) for name in dtype.names}
    # Without __slots__, a misspelt field would become an attribute of the record, and be lost.
    kind = type("Record", (np.void,), {"__slots__": (), **fields})
    return np.dtype((kind, dtype))


def _field(name: str) -> property:
    def write(record: Any, value: Any) -> None:
        record[name] = value

    return property(itemgetter(name), write)


def hash_fields(record: Any, names: str) -> np.uint64:
    """Return a hash of some fields, taken in words of eight bytes; padding does not count.

    What it compiles to is in `jit.machine`.

    >>> one, two = np.zeros(2, [("cells", "i1", 9), ("turn", "i8")])
    >>> two["turn"] = 1
    >>> hash_fields(one, "cells") == hash_fields(two, "cells")
    np.True_
    >>> hash_fields(one, "cells,turn") == hash_fields(two, "cells,turn")
    np.False_
    """
    hashed = HASH_FIRST
    for name in names.split(","):
        octets = record[name].tobytes()
        for at in range(0, len(octets), 8):
            word = int.from_bytes(octets[at : at + 8], sys.byteorder)
            hashed = (hashed ^ word) * HASH_FACTOR & _WORD
            hashed ^= hashed >> 32
    return np.uint64(hashed)
