"""One exercise: a position, what is to be reached, and the only move that does."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from hashlib import blake2b
from typing import Any, Literal

from plywise.core.game import Game
from plywise.core.position import Position
from plywise.errors import SpecError

Goal = Literal["win", "draw"]

EASIEST, HARDEST = 600, 2400  #: the rating of what every level finds, and of what none does


@dataclass(frozen=True)
class Exercise:
    """A position in which one move reaches the goal, and every other one is refuted.

    Attributes:
        moves: the game so far.
        goal: what the side to move can reach: a win, or a draw where every other move loses.
        answer: the only move that reaches it.
        length: moves of your own to the end with best play: to the win, or until the wrong move
            that lasts longest has lost.
        line: best play, beginning with the answer.
        refutations: for every wrong move how the opponent answers it, beginning with the answer.
        theme: what it is about, in a word or two; see `THEMES`.
        rating: how hard it is, from 600 (every level finds the answer) to 2400 (none does).
    """

    moves: tuple[str, ...]
    goal: Goal
    answer: str
    length: int
    line: tuple[str, ...]
    refutations: Mapping[str, tuple[str, ...]]
    theme: str
    rating: int

    @cached_property
    def name(self) -> str:
        """A short name that stays the same as long as the position does."""
        return blake2b(" ".join(self.moves).encode(), digest_size=5).hexdigest()

    @property
    def task(self) -> str:
        """What to do, as a sentence without its end."""
        if self.goal == "draw":
            return "find the only move that does not lose"
        return "win at once" if self.length == 1 else f"win in {self.length} moves"

    def position(self, game: Game) -> Position:
        """Return the position to solve."""
        return game.position(list(self.moves))

    def to_json(self) -> dict[str, Any]:
        """Return plain data."""
        return {
            "moves": " ".join(self.moves),
            "goal": self.goal,
            "answer": self.answer,
            "length": self.length,
            "line": " ".join(self.line),
            "refutations": {move: " ".join(line) for move, line in self.refutations.items()},
            "theme": self.theme,
            "rating": self.rating,
        }

    @classmethod
    def from_json(cls, found: Any) -> Exercise:
        """Read plain data; SpecError if something is missing or of the wrong kind."""
        try:
            if found["goal"] not in ("win", "draw"):
                raise ValueError(f"its goal is {found['goal']!r}, not win or draw")
            return cls(
                moves=tuple(found["moves"].split()),
                goal=found["goal"],
                answer=str(found["answer"]),
                length=int(found["length"]),
                line=tuple(found["line"].split()),
                refutations={
                    move: tuple(line.split()) for move, line in found["refutations"].items()
                },
                theme=str(found["theme"]),
                rating=int(found["rating"]),
            )
        except KeyError as error:
            raise SpecError(f"this is not an exercise: it has no {error.args[0]}") from error
        except (TypeError, AttributeError, ValueError) as error:
            raise SpecError(f"this is not an exercise: {error}") from error
