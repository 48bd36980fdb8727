"""Says in one line what an exception in a rule means, and where it came from."""

from __future__ import annotations

import re

from plywise.core.game import Game, Record
from plywise.errors import PlywiseError, suggest
from plywise.jit.blame import Fault, fault_of, innermost


def explained(error: BaseException, what: str) -> str:
    """Return a message that ends with the line that an exception came from."""
    fault = fault_of(error)
    return what if fault is None else f"{what} ({fault.place})"


def meaning(error: Exception, asked: str, game: Game, s: Record) -> str:
    """Describe an exception that a function of a game raised when `asked` was called."""
    fault = fault_of(error)
    if fault is None or isinstance(error, PlywiseError):
        return explained(error, f"`{asked}` raised {_name(error)}{error}")
    text = _described(error, fault, asked, game, s)
    return f"{text} ({fault.place})"


def _name(error: Exception) -> str:
    return "" if isinstance(error, PlywiseError) else f"{type(error).__name__}: "


def _described(error: Exception, fault: Fault, asked: str, game: Game, s: Record) -> str:
    words = " ".join(str(error).split())
    inside = f"`{fault.function}`"
    outside = re.search(r"index (-?\d+) is out of bounds for axis (\d+) with size (\d+)", words)
    if isinstance(error, IndexError) and outside is not None:
        index, axis, size = outside.groups()
        array = fault.code or "an array"
        if asked in ("moves", "forced") and (_is_out(fault) or _is_given_out(error, fault)):
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


def _is_out(fault: Fault) -> bool:
    """Return True if the array of the expression is the third argument of the function."""
    code = fault.frame.f_code
    name = fault.code.partition("[")[0]
    indexed = re.match(r"\w+\[\w+\]$", fault.code) is not None
    return indexed and code.co_argcount == 3 and name == code.co_varnames[2]


def _is_given_out(error: Exception, fault: Fault) -> bool:
    """Return True if a function of the kit, such as `list_bits`, was to write into `out`."""
    return "(" in fault.code and innermost(error).startswith("out[")


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
