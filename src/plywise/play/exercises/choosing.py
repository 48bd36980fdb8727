"""Choosing from the exercises that games offer: of all lengths, and no position twice."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

from plywise.core.game import Game
from plywise.core.position import Position
from plywise.play.exercises.exercise import Exercise, Goal

#: At most this share has one goal and one length, so that short ones do not crowd out the others.
SHARE = 0.3


class Choice:
    """The exercises chosen so far."""

    def __init__(self, game: Game, count: int) -> None:
        self.game = game
        self.count = count
        self.most = max(1, round(SHARE * count))
        self.made: list[Exercise] = []
        self.kinds: Counter[tuple[Goal, int]] = Counter()
        self.seen: set[int] = set()

    @property
    def is_complete(self) -> bool:
        """True if there are enough."""
        return len(self.made) >= self.count

    def take(self, offered: Iterable[Exercise]) -> list[Exercise]:
        """Take those that are wanted, and return them."""
        return [exercise for exercise in offered if self._is_taken(exercise)]

    def _is_taken(self, exercise: Exercise) -> bool:
        kind = exercise.goal, exercise.length
        if self.is_complete or self.kinds[kind] >= self.most:
            return False
        place = least_key(exercise.position(self.game))
        if place in self.seen:
            return False
        self.kinds[kind] += 1
        self.seen.add(place)
        self.made.append(exercise)
        return True


def least_key(position: Position) -> int:
    """Return a key that is the same for all images of a position under the game's symmetries."""
    game = position.game
    symmetries = game.type.strength.symmetries
    if symmetries is None:
        return position.key
    codes, first = list[int](), position
    while first.before is not None and first.last is not None:
        codes.append(first.last)
        first = first.before
    keys = []
    for image in symmetries(game.board):
        seen = first
        for code in reversed(codes):
            seen = seen.play_code(int(image[code]))
        keys.append(seen.key)
    return min(keys)
