"""What can go wrong, and whose fault it was.

PlywiseError
├── SpecError          a game, agent or parameter that does not exist or cannot be (ValueError)
├── MoveError          something is wrong with a move (ValueError); carries input and position
│   ├── InvalidMove      the text cannot be read as a move
│   ├── AmbiguousMove    the text can be read in more than one way
│   └── IllegalMove      the text is a move, but not here
├── InvalidPosition    a position text that makes no sense (ValueError)
├── Unsupported        an engine was asked for something it cannot do with this game
└── AgentError         an agent or a game file broke its promises (raised, or answered nonsense)

Every message is one line that says what was wrong and what would be right.
"""

from __future__ import annotations

from collections.abc import Iterable
from difflib import get_close_matches
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
    "SpecError",
    "Unsupported",
    "suggest",
]


class PlywiseError(Exception):
    """The root of everything plywise raises on purpose."""


class SpecError(PlywiseError, ValueError):
    """A game, agent or parameter that does not exist or cannot be."""


class MoveError(PlywiseError, ValueError):
    """Something is wrong with a move; `text` is the input, `position` where it was tried."""

    def __init__(self, message: str, text: str = "", position: Position | None = None) -> None:
        super().__init__(message)
        self.text = text
        self.position = position


class InvalidMove(MoveError):
    """The text cannot be read as a move."""


class AmbiguousMove(MoveError):
    """The text can be read as more than one move."""


class IllegalMove(MoveError):
    """The text is a move, but the rules forbid it here."""


class InvalidPosition(PlywiseError, ValueError):
    """A position text that makes no sense."""


class Unsupported(PlywiseError):
    """An engine was asked for something it cannot do with this game."""


class AgentError(PlywiseError):
    """An agent or a game file broke its promises."""


def suggest(word: str, known: Iterable[str]) -> str:
    """The tail of an error message: the nearest known words, or all of them.

    >>> suggest("conect4", ["tictactoe", "connect4"])
    "did you mean 'connect4'?"
    >>> suggest("chess", ["tictactoe", "connect4"])
    'there is: connect4, tictactoe'
    """
    names = sorted(known)
    close = get_close_matches(word, names, n=1, cutoff=0.7)
    if close:
        return f"did you mean {close[0]!r}?"
    return "there is: " + ", ".join(names) if names else "there is none"
