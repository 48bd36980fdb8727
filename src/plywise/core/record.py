"""Records with fast field access from interpreted code."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Sequence
from functools import cache
from keyword import iskeyword
from operator import itemgetter
from typing import Any

import numpy as np

from plywise.errors import SpecError

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


def hash_fields(record: Any, names: Iterable[str]) -> np.uint64:
    """Return a hash of some fields, taken in words of eight bytes; padding does not count.

    >>> one, two = np.zeros(2, [("cells", "i1", 9), ("turn", "i8")])
    >>> two["turn"] = 1
    >>> hash_fields(one, ["cells"]) == hash_fields(two, ["cells"])
    np.True_
    >>> hash_fields(one, ["cells", "turn"]) == hash_fields(two, ["cells", "turn"])
    np.False_
    """
    hashed = HASH_FIRST
    for name in names:
        octets = record[name].tobytes()
        for at in range(0, len(octets), 8):
            word = int.from_bytes(octets[at : at + 8], sys.byteorder)
            hashed = (hashed ^ word) * HASH_FACTOR & _WORD
            hashed ^= hashed >> 32
    return np.uint64(hashed)
