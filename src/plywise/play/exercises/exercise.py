"""One exercise: a position, what is to be reached, and the only move that does."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from hashlib import blake2b
from typing import Any, Literal

from plywise.core.game import Game
from plywise.core.position import Position
from plywise.errors import SpecError

Goal = Literal["win", "draw"]
Moves = tuple[str, ...]

EASIEST, HARDEST = 600, 2400  #: the rating of what every level finds, and of what none does


@dataclass(frozen=True)
class Exercise:
    """A position in which one move reaches the goal, and every other one is refuted.

    Attributes:
        game: the spec of the game.
        moves: the moves so far.
        goal: what the side to move can reach: a win, or a draw where every other move loses.
        length: moves of your own to the end with best play: to the win, or until the wrong move
            that lasts longest has lost. In a game of points: to the end of the game.
        line: best play, beginning with the answer, the only move that reaches the goal.
        usual: how the opponent answers a wrong move, beginning with the reply.
        refutations: the wrong moves that are answered by another line, and that line.
        themes: what it is about, in a word or two each, the main one first.
        rating: how hard it is, from 600 (every level finds the answer) to 2400 (none does).
    """

    game: str
    moves: Moves
    goal: Goal
    length: int
    line: Moves
    usual: Moves = ()
    refutations: Mapping[str, Moves] = field(default_factory=dict)
    themes: Moves = ()
    rating: int = EASIEST

    @cached_property
    def name(self) -> str:
        """A short name that stays the same as long as the position does."""
        text = " ".join((self.game, *self.moves))
        return blake2b(text.encode(), digest_size=5).hexdigest()

    @property
    def answer(self) -> str:
        """The only move that reaches the goal."""
        return self.line[0]

    def refutation(self, move: str) -> Moves:
        """Return how a wrong move is answered."""
        return self.refutations.get(move, self.usual)

    def task(self, game: Game) -> str:
        """Return what to do, as a sentence without its end."""
        if self.goal == "draw":
            return "find the only move that does not lose"
        if game.points:
            return "find the only move that wins"
        return "win at once" if self.length == 1 else f"win in {self.length} moves"

    def position(self, game: Game) -> Position:
        """Return the position to solve."""
        return game.position(list(self.moves))

    def to_json(self) -> dict[str, Any]:
        """Return plain data without the game; wrong moves answered alike are listed together."""
        alike: dict[str, list[str]] = {}
        for move, line in self.refutations.items():
            alike.setdefault(" ".join(line), []).append(move)
        return {
            "moves": " ".join(self.moves),
            "goal": self.goal,
            "length": self.length,
            "line": " ".join(self.line),
            "usual": " ".join(self.usual),
            "refutations": {line: " ".join(moves) for line, moves in alike.items()},
            "themes": list(self.themes),
            "rating": self.rating,
        }

    @classmethod
    def from_json(cls, game: str, found: Any) -> Exercise:
        """Read plain data; SpecError if something is missing or of the wrong kind."""
        try:
            if found["goal"] not in ("win", "draw"):
                raise ValueError(f"its goal is {found['goal']!r}, not win or draw")
            if not found["line"].split():
                raise ValueError("its line is empty")
            return cls(
                game=game,
                moves=tuple(found["moves"].split()),
                goal=found["goal"],
                length=int(found["length"]),
                line=tuple(found["line"].split()),
                usual=tuple(found["usual"].split()),
                refutations={
                    move: tuple(line.split())
                    for line, moves in found["refutations"].items()
                    for move in moves.split()
                },
                themes=tuple(map(str, found["themes"])),
                rating=int(found["rating"]),
            )
        except KeyError as error:
            raise SpecError(f"this is not an exercise: it has no {error.args[0]}") from error
        except (TypeError, AttributeError, ValueError) as error:
            raise SpecError(f"this is not an exercise: {error}") from error


def own_moves(position: Position, line: Sequence[str]) -> int:
    """Return how many moves of a line are played by the side to move."""
    me, count = position.turn, 0
    for move in line:
        count += position.turn == me
        position = position.play(move)
    return count
