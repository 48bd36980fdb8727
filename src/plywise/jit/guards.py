"""What keeps a mistake in an author's rules from damaging the process once they are compiled.

Compiled code checks no index. So the arrays that rules write moves into have room to spare around
them, and the number of moves that an author's rules return is checked before it is used. The rules
of shipped games are not checked: tests do that.
"""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np

from plywise.core.game import Record, Verb
from plywise.errors import RulesError

SPARE = 1 << 14  #: bytes of unused memory before and after an array
_NO_BITS = np.uint64(0)
_WRONG = (
    "`moves` found no move in a position that is not over, or more moves than max_moves:"
    " `over` must return True in such a position, or sizes a larger number"
)


def roomy(shape: int | tuple[int, ...], dtype: Any) -> np.ndarray[Any, Any]:
    """Return an array of zeros with unused memory before and after it.

    >>> roomy((2, 3), np.int32).tolist()
    [[0, 0, 0], [0, 0, 0]]
    """
    kind = np.dtype(dtype)
    size = int(np.prod(shape)) * kind.itemsize
    memory = np.zeros(size + 2 * SPARE, np.uint8)
    return np.ndarray(shape, kind, memory.data, SPARE)


@cache
def checked(name: str, verb: Verb) -> Verb:
    """Return a verb that does not return what would do harm.

    An impossible number of moves raises a RulesError; a key that is a float does not compile.
    """
    makers = {"moves": _checked_moves, "forced": _checked_forced, "key": _checked_key}
    return makers[name](verb) if name in makers else verb


def _checked_moves(moves: Verb) -> Verb:
    def checked_moves(b: Record, s: Record, out: Record) -> Any:
        count = moves(b, s, out)
        if np.uint64(count - 1) >= np.uint64(out.size):  # one comparison: 0 becomes a large number
            raise RulesError(_WRONG)
        return count

    return checked_moves


def _checked_forced(forced: Verb) -> Verb:
    def checked_forced(b: Record, s: Record, out: Record) -> Any:
        count = forced(b, s, out)
        if np.uint64(count) > np.uint64(out.size):
            raise RulesError(_WRONG)
        return count

    return checked_forced


def _checked_key(key: Verb) -> Verb:
    def checked_key(b: Record, s: Record) -> Any:
        return key(b, s) | _NO_BITS  # floats have no bits: `translation` knows this line

    return checked_key
