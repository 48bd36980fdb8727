"""Calls of an author's functions: interrupted if they do not return, explained if they raise."""

from __future__ import annotations

import ctypes
import re
import threading
import time
from contextlib import suppress
from types import TracebackType
from typing import Any

import numpy as np

from plywise.core.game import Game, Record
from plywise.errors import PlywiseError, suggest
from plywise.jit.blame import Fault, fault_of, innermost

# ---- the time of a call --------------------------------------------------------------------------

_POLL_SECONDS = 0.05  #: between checks of the clock


class TooSlow(BaseException):
    """A function took too long. Not an Exception, so that no rule catches it."""


class Watch:
    """Raises TooSlow in the thread that opened it if one call uses too much processor time.

    The time of the process is counted, not the clock on the wall, so that a busy machine does not
    matter. Only Python code is interrupted; a rule is nothing else while it is interpreted.
    """

    def __init__(self, patience: float) -> None:
        self.patience = patience
        self.ended = threading.Event()
        self.watcher = threading.Thread(target=self._watch, daemon=True)

    def begin(self, what: str) -> None:
        """Start the time of a call."""
        self.what = what
        self.since = time.process_time()

    def _watch(self) -> None:
        while not self.ended.wait(_POLL_SECONDS):
            if time.process_time() - self.since > self.patience:
                thread, kind = ctypes.c_ulong(self.thread), ctypes.py_object(TooSlow)
                ctypes.pythonapi.PyThreadState_SetAsyncExc(thread, kind)
                return

    def __enter__(self) -> Watch:
        self.thread = threading.get_ident()
        self.begin("")
        self.watcher.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: object, traceback: TracebackType | None
    ) -> None:
        # Asked for at the last moment, it is raised here. It is not taken back: in Python 3.11 that
        # leaves the thread looking for it, and under a debugger it looks for ever.
        with suppress(TooSlow):
            self.ended.set()
            self.watcher.join()


# ---- what a call raised --------------------------------------------------------------------------

OUT = "out"  #: what the list of moves is called, whatever its author calls it


def explained(error: BaseException, what: str) -> str:
    """Return a message that ends with the line that an exception came from."""
    fault = fault_of(error)
    return what if fault is None else f"{what} ({fault.place})"


def meaning(error: Exception, asked: str, game: Game, s: Record) -> str:
    """Describe an exception that a function of a game raised when `asked` was called."""
    fault = fault_of(error)
    if isinstance(error, PlywiseError):
        return explained(error, f"`{asked}` raised {error}")
    if fault is None:
        return f"`{asked}` raised {type(error).__name__}: {error}"
    return f"{_described(error, fault, asked, game, s)} ({fault.place})"


def _described(error: Exception, fault: Fault, asked: str, game: Game, s: Record) -> str:
    words = " ".join(str(error).split())
    inside = f"`{fault.function}`"
    outside = re.search(r"index (-?\d+) is out of bounds for axis (\d+) with size (\d+)", words)
    if isinstance(error, IndexError) and outside is not None:
        index, axis, size = outside.groups()
        array = _array_of(error, fault, game, s)
        if asked in ("moves", "forced") and array == OUT:
            return (
                f"{inside} writes more than {game.max_moves} moves into out: "
                "the first number that sizes returns, max_moves, is too small"
            )
        along = "" if axis == "0" else f" along axis {axis}"
        return f"{inside} uses {array} with index {index}, but the array has {size} places{along}"
    missing = re.search(r"'Record' object has no attribute '(\w+)'", words)
    if isinstance(error, AttributeError) and missing is not None:
        return f"{inside}: {_no_field(missing[1], fault, game)}"
    if isinstance(error, FloatingPointError | ZeroDivisionError) and "zero" in words:
        return f"{inside} divides by zero"
    if isinstance(error, ValueError) and "read-only" in words:
        if asked in ("setup", "play") or _written_to(fault) == "board":
            return f"{inside} changes the board record b, which never changes: use the state s"
        return f"{inside} changes the state s, but only `setup` and `play` may do that"
    return f"{inside} raised {type(error).__name__}: {words}"


def _array_of(error: Exception, fault: Fault, game: Game, s: Record) -> str:
    """Name the array that was used with a wrong index, as the author calls it.

    The index may have been used by a function of the kit, such as `list_bits`.
    """
    code, frame = innermost(error)
    array = None if frame is None else frame.f_locals.get(code.partition("[")[0])
    if array is not None and array is _third_argument(error):
        return OUT
    if frame is None or frame is fault.frame or not isinstance(array, np.ndarray):
        return fault.code or "an array"
    return f"{_name_of(array, fault, game, s)} in `{frame.f_code.co_name}`"


def _third_argument(error: Exception) -> Any:
    """Return what a verb was given besides the board and the state, such as `out`."""
    step = error.__traceback__
    if step is None or step.tb_next is None:
        return None
    verb = step.tb_next.tb_frame  # the first frame is that of its caller
    return verb.f_locals.get(verb.f_code.co_varnames[2]) if verb.f_code.co_argcount > 2 else None


def _name_of(array: np.ndarray[Any, Any], fault: Fault, game: Game, s: Record) -> str:
    """Return the name of an array that an author's function has given to another one."""
    for name, value in fault.frame.f_locals.items():
        if value is array:
            return name
    for letter, record in (("s", s), ("b", game.board)):
        for name in record.dtype.names or ():
            if isinstance(record[name], np.ndarray) and np.shares_memory(record[name], array):
                return f"{letter}.{name}"
    return "an array"


def _written_to(fault: Fault) -> str:
    """Return which record an assignment is to: by the first word of the expression."""
    word = re.match(r"\w+", fault.code)
    code = fault.frame.f_code
    first = code.co_varnames[0] if code.co_argcount else ""
    return "board" if word is not None and word[0] == first else "state"


def _no_field(name: str, fault: Fault, game: Game) -> str:
    """Describe a field that does not exist."""
    board = _written_to(fault) == "board"
    fields = (game.type.board if board else game.type.state).names or ()
    return f"the {'board' if board else 'state'} has no field {name!r}: {suggest(name, fields)}"
