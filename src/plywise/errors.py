"""The exceptions that plywise raises.

PlywiseError
├── SpecError          a game, agent or parameter that does not exist or is invalid (ValueError)
├── MoveError          something is wrong with a move (ValueError); carries input and position
│   ├── InvalidMove      the text cannot be read as a move
│   ├── AmbiguousMove    the text can be read in more than one way
│   └── IllegalMove      the text is a move, but not legal here
├── InvalidPosition    a position text that cannot be read or is impossible (ValueError)
├── RulesError         the rules of a game are wrong, or cannot be compiled
├── Unsupported        an engine was asked for something it cannot do with this game
└── AgentError         an agent or a game file failed (raised, or gave an invalid answer)

Every message is one line that says what was wrong and what would be right.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from difflib import get_close_matches
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from plywise.core.position import Position

__all__ = [
    "AgentError",
    "AmbiguousMove",
    "IllegalMove",
    "InvalidMove",
    "InvalidPosition",
    "MoveError",
    "PlywiseError",
    "PlywiseWarning",
    "RulesError",
    "SpecError",
    "Unsupported",
    "describe",
    "suggest",
    "to_install",
]


class PlywiseError(Exception):
    """The base class of all plywise exceptions."""


class PlywiseWarning(UserWarning):
    """Something is not as it should be, but the result is right."""


class SpecError(PlywiseError, ValueError):
    """A game, agent or parameter does not exist or is invalid."""


class MoveError(PlywiseError, ValueError):
    """Something is wrong with a move: `text` is the input, `position` where it was played."""

    def __init__(self, message: str, text: str = "", position: Position | None = None) -> None:
        super().__init__(message)
        self.text = text
        self.position = position


class InvalidMove(MoveError):
    """The text cannot be read as a move."""


class AmbiguousMove(MoveError):
    """The text can be read as more than one move."""


class IllegalMove(MoveError):
    """The text is a move, but not a legal one here."""


class InvalidPosition(PlywiseError, ValueError):
    """A position text cannot be read, or the position is impossible."""


class RulesError(PlywiseError):
    """The rules of a game are wrong, or cannot be compiled: says which function, and where."""


class Unsupported(PlywiseError):
    """An engine was asked for something it cannot do with this game."""


class AgentError(PlywiseError):
    """An agent or a game file failed."""


def suggest(word: str, known: Iterable[str]) -> str:
    """Return the end of an error message: the closest known name, or all of them.

    >>> suggest("conect4", ["tictactoe", "connect4"])
    "did you mean 'connect4'?"
    >>> suggest("chess", ["tictactoe", "connect4"])
    'choose from connect4, tictactoe'
    """
    names = sorted(known)
    close = get_close_matches(word, names, n=1, cutoff=0.7)
    if close:
        return f"did you mean {close[0]!r}?"
    return "choose from " + ", ".join(names) if names else "there are none"


def to_install(extra: str) -> str:
    """Return the end of an error message: how to install what an extra of plywise needs."""
    return f'run `pip install ".[{extra}]"` in a clone of plywise'


def describe(error: BaseException, file: Path | None = None) -> str:
    """Describe an exception in one line, with the line of `file` it came from if known."""
    # numba reports one section per enclosing call; the last one names the actual error.
    report = str(error).rpartition("Failed in nopython mode pipeline (step: nopython frontend)\n")[
        2
    ]
    message = " ".join(report.partition("\n")[0].split())
    text = f"{type(error).__name__}: {message}" if message else type(error).__name__
    line = None if file is None else _line_in(file, error, report)
    return text if line is None else f"{text} (line {line})"


def _line_in(file: Path, error: BaseException, report: str) -> int | None:
    """Return the line of a file that raised: from the traceback or the compiler's report."""
    import traceback

    for frame in reversed(traceback.extract_tb(error.__traceback__)):
        if Path(frame.filename).resolve() == file.resolve():
            return frame.lineno
    place = re.search(rf'{re.escape(file.name)}", line ([0-9]+)', report)
    return None if place is None else int(place[1])
