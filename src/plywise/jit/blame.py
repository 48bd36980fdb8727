"""Finds the place in an author's file: of a function, and of an exception in it.

Messages about rules end with it: `(line 31 of mygame.py)`.
"""

from __future__ import annotations

import linecache
import re
from collections.abc import Callable
from itertools import islice
from pathlib import Path
from types import FrameType, TracebackType
from typing import Any, NamedTuple

import numpy as np

_HOME = Path(__file__).resolve().parents[1]  #: of plywise itself
_LIBRARIES = (str(_HOME), str(Path(np.__file__).resolve().parent))


class Fault(NamedTuple):
    """The innermost line of an author's code that an exception went through."""

    function: str
    place: str  #: such as `line 31 of mygame.py`
    code: str  #: the expression that raised, if it is short
    frame: FrameType


def ships_with_plywise(function: Callable[..., Any]) -> bool:
    """Return True for a function that plywise itself defines."""
    module = getattr(function, "__module__", None) or ""
    return module == "plywise" or module.startswith("plywise.")


def name_of(function: Callable[..., Any]) -> str:
    """Return the name of a function; a lambda has that of the variable it was assigned to."""
    name: str = getattr(function, "__name__", type(function).__name__)
    if name != "<lambda>":
        return name
    named = getattr(function, "__globals__", {})
    return next((key for key, value in list(named.items()) if value is function), name)


def place_of(function: Callable[..., Any]) -> str:
    """Return where a function is defined, as the end of a message; empty if no author wrote it."""
    code = getattr(function, "__code__", None)
    if code is None or hasattr(function, "fields"):  # a key of fields has no line of its own
        return ""
    first = code.co_firstlineno
    text = re.compile(r"\s*(async\s+)?def\b|.*\blambda\b")
    below = islice(linecache.getlines(code.co_filename), first - 1, first + 20)
    line = next((first + n for n, line in enumerate(below) if text.match(line)), first)
    return f" ({written_place(code.co_filename, line)})"


def written_place(file: str, line: int) -> str:
    """Write a place in a file."""
    return f"line {line} of {Path(file).name}"


def fault_of(error: BaseException) -> Fault | None:
    """Return the innermost line of an exception that is neither plywise's nor NumPy's."""
    found: TracebackType | None = None
    step = error.__traceback__
    while step is not None:
        file = step.tb_frame.f_code.co_filename
        if not str(Path(file).resolve()).startswith(_LIBRARIES) and not file.startswith("<frozen"):
            found = step
        step = step.tb_next
    if found is None:
        return None
    code = found.tb_frame.f_code
    line = found.tb_lineno
    name = code.co_name
    if name == "<lambda>":
        named = found.tb_frame.f_globals.items()
        name = next((key for key, value in named if getattr(value, "__code__", 0) is code), name)
    place = written_place(code.co_filename, line)
    return Fault(name, place, _expression(found), found.tb_frame)


def innermost(error: BaseException) -> tuple[str, FrameType | None]:
    """Return the expression that raised, whoever wrote it, and its frame."""
    step = error.__traceback__
    while step is not None and step.tb_next is not None:
        step = step.tb_next
    return ("", None) if step is None else (_expression(step), step.tb_frame)


def _expression(step: TracebackType) -> str:
    """Return the part of the line that raised."""
    code = step.tb_frame.f_code
    at = next(islice(code.co_positions(), step.tb_lasti // 2, None), None)
    if at is None:
        return ""
    line, last, start, end = at
    if line is None or line != last or start is None or end is None:
        return ""
    text = linecache.getline(code.co_filename, line).encode()[start:end].decode(errors="replace")
    return text if len(text) <= 60 else ""
