"""The record of a game: the game, its players and clock, the moves, the result.

Plain immutable data: a session holds one and replaces it.
"""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from plywise.core.position import Position
from plywise.errors import SpecError

#: How a game ended: on the board, by resigning, on the clock, or by breaking the rules.
How = Literal["rules", "resigned", "time", "forfeit"]
_NUMBER = r"([0-9]{1,9}(?:\.[0-9]{1,3})?)"
_CONTROL = re.compile(r"[\x00-\x1f\x7f-\x9f]")
_SURROGATE = re.compile(r"[\ud800-\udfff]")  # half a character: no encoding has it
_MOVES_TO_GO = 20  #: an agent plans its remaining time for this many moves


@dataclass(frozen=True)
class TimeControl:
    """Seconds for each move, or for the whole game with some added after each move.

    >>> TimeControl.parse("300 + 2")
    TimeControl(move=None, total=300.0, increment=2.0)
    >>> str(TimeControl(move=7.5))
    '7.5 a move'
    """

    move: float | None = None
    total: float | None = None
    increment: float = 0.0

    def __post_init__(self) -> None:
        if (self.move is None) == (self.total is None):
            raise SpecError("a clock needs either seconds per move or seconds for the whole game")
        for seconds in (self.move, self.total, self.increment):
            if seconds is not None and not (0 <= seconds < 1e9 and math.isfinite(seconds)):
                raise SpecError(f"a clock cannot have {seconds:g} seconds")

    @classmethod
    def parse(cls, text: str) -> TimeControl:
        """Read `7 a move`, `300` or `300 + 2`."""
        if found := re.fullmatch(rf"{_NUMBER} a move", text):
            return cls(move=float(found[1]))
        if found := re.fullmatch(rf"{_NUMBER}(?: *\+ *{_NUMBER})?", text):
            return cls(total=float(found[1]), increment=float(found[2] or 0))
        raise SpecError(
            f"{text!r} is not a clock: write '7 a move', or '300' or '300 + 2' for the whole game"
        )

    def __str__(self) -> str:
        if self.move is not None:
            return f"{self.move:.12g} a move"
        assert self.total is not None
        added = f" + {self.increment:.12g}" if self.increment else ""
        return f"{self.total:.12g}{added}"

    def left(self, spent: Sequence[float]) -> float:
        """Return what a player has for their next move, after spending these times."""
        if self.move is not None:
            return self.move
        assert self.total is not None
        return round(self.total + self.increment * len(spent) - sum(spent), 3)

    def share(self, left: float) -> float:
        """Return how much of its remaining time an agent should use for a move."""
        if self.move is not None:
            return left
        return max(0.0, min(left / 2, left / _MOVES_TO_GO + self.increment))


@dataclass(frozen=True)
class Move:
    """A move that was played, how long it took, and a note about it."""

    text: str
    seconds: float = 0.0  #: to the millisecond
    note: str = ""  #: one line


@dataclass(frozen=True)
class Result:
    """How a game ended."""

    winner: int  #: 1, 2, or 0 for a draw
    how: How
    reason: str  #: one line in words

    def __str__(self) -> str:
        won = f"player {self.winner} wins" if self.winner else "draw"
        return f"{won}, {self.how}: {self.reason}"

    @classmethod
    def parse(cls, text: str) -> Result:
        """Read what `str` writes; ValueError for anything else.

        >>> Result.parse("player 2 wins, resigned: player 1 resigned").winner
        2
        """
        kinds = "rules|resigned|time|forfeit"
        found = re.fullmatch(rf"(?:player ([12]) wins|draw), ({kinds}): (\S.*)", text)
        if found is None:
            right = "'player 1 wins, resigned: ...' or 'draw, rules: ...'"
            raise ValueError(f"{text[:40]!r} is not a result: write {right}")
        return cls(int(found[1] or 0), found[2], found[3])  # type: ignore[arg-type]

    @classmethod
    def on_board(cls, position: Position) -> Result | None:
        """Return the result by the rules; None while the game goes on."""
        if position.winner is None or position.reason is None:
            return None
        return cls(position.winner, "rules", position.reason)


@dataclass(frozen=True)
class Branch:
    """A line that leaves the main line after `at` moves. Lines may share a beginning."""

    at: int
    moves: tuple[Move, ...]

    @property
    def texts(self) -> tuple[str, ...]:
        """The texts of its moves."""
        return tuple(move.text for move in self.moves)


@dataclass(frozen=True)
class GameRecord:
    """A game, finished or not.

    Attributes:
        game: its spec.
        players: the specs of both; `human` is a person.
        start: the position it began with, if not the usual one.
        time: the clock, if there is one.
        seed: the random seed of the agents.
        notes: lines about the game as a whole.
        moves: the moves so far.
        undone: what redo would play, in this order.
        result: how it ended; None while it goes on.
        branches: variations: other moves that were tried.
    """

    game: str
    players: tuple[str, str]
    start: str | None = None
    time: TimeControl | None = None
    seed: int = 0
    notes: tuple[str, ...] = ()
    moves: tuple[Move, ...] = ()
    undone: tuple[Move, ...] = ()
    result: Result | None = None
    branches: tuple[Branch, ...] = ()

    @property
    def line(self) -> tuple[Move, ...]:
        """The main line: what was played, and what redo would play."""
        return self.moves + self.undone


def one_line(text: str) -> str:
    r"""Return a text as one line, for a line of a file.

    >>> one_line("so  far,\n so\0good")
    'so far, so good'
    """
    return " ".join(printable(text).split())


def printable(text: str) -> str:
    """Return a text without control characters and lone surrogates."""
    return _SURROGATE.sub("\N{REPLACEMENT CHARACTER}", _CONTROL.sub(" ", text))
