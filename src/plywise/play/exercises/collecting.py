"""Collecting many exercises: with any number of workers, and from where the last run stopped.

Those that games offer are chosen from: of all lengths, and no position twice.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from functools import cache, partial
from itertools import count as count_from
from pathlib import Path

from plywise import games
from plywise.core.game import Game
from plywise.core.position import Position
from plywise.core.workers import start_workers
from plywise.errors import SpecError
from plywise.play.exercises.exercise import Exercise, Goal, read_exercises, replace_exercises
from plywise.play.exercises.making import Maker

Offered = list[Exercise]

BARREN = 400  #: games in a row without a new exercise after which there are no more


def collect(
    game: Game,
    count: int,
    out: Path,
    *,
    seed: int = 0,
    workers: int = 1,
    on_made: Callable[[Exercise], None] | None = None,
) -> Choice:
    """Add exercises to a file until it has `count` of this board; started again, it goes on.

    It stops early if it finds no more. Exercises in the file stay; use another random seed to add
    new ones. The candidates of each game played are kept beside the file until the run is complete.
    The number of workers does not change the result.
    """
    choice = Choice(game, count)
    if out.exists():
        choice.take(each for each in read_exercises(out) if each.game == game.spec)
    kept = out.with_name(f"{out.name}.part")
    number = barren = 0
    for offered in _kept(kept, game.spec, seed):
        number += 1
        barren = 0 if _take(choice, offered, on_made) else barren + 1
    with open(kept, "a") as part:
        if number == 0 and part.tell() == 0:
            part.write(json.dumps(_head(game.spec, seed)) + "\n")
        for offered in _offers(game, seed, number, workers):
            if choice.is_complete or barren >= BARREN:
                break
            part.write(json.dumps([exercise.to_json() for exercise in offered]) + "\n")
            part.flush()
            barren = 0 if _take(choice, offered, on_made) else barren + 1
    kept.unlink()
    if not choice.made:
        raise SpecError(f"{barren} games of {game.spec} have no exercises")
    replace_exercises(out, game.spec, choice.made)
    return choice


def _take(choice: Choice, offered: Offered, on_made: Callable[[Exercise], None] | None) -> bool:
    """Take what is wanted; return whether there was anything."""
    taken = choice.take(offered)
    if on_made is not None:
        for exercise in taken:
            on_made(exercise)
    return bool(taken)


def _head(game: str, seed: int) -> dict[str, str | int]:
    return {"game": game, "seed": seed}


def _kept(path: Path, game: str, seed: int) -> Iterator[Offered]:
    """Yield what games offered in an earlier run with the same game and random seed."""
    if not path.exists():
        return
    lines = path.read_text().splitlines(keepends=True)
    whole = [line for line in lines if line.endswith("\n")]  # the last one may be cut off
    if not whole or json.loads(whole[0]) != _head(game, seed):
        path.unlink()
        return
    path.write_text("".join(whole))
    for line in whole[1:]:
        yield [Exercise.from_json(game, found) for found in json.loads(line)]


def _offers(game: Game, seed: int, first: int, workers: int) -> Iterator[Offered]:
    """Yield what games offer, in the order of their numbers."""
    with start_workers(partial(_of_game, game.spec, seed), workers) as working:
        yield from working.in_order(count_from(first))


@cache
def _maker(spec: str, seed: int) -> Maker:
    return Maker(games.make(spec), seed)


def _of_game(spec: str, seed: int, number: int) -> Offered:
    """Play a game in any process."""
    return _maker(spec, seed).of_game(number)


# ---- choosing --------------------------------------------------------------------------------

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
        before = len(self.made)
        for exercise in offered:
            kind = exercise.goal, exercise.length
            if self.is_complete or self.kinds[kind] >= self.most:
                continue
            place = least_key(exercise.position(self.game))
            if place not in self.seen:
                self.kinds[kind] += 1
                self.seen.add(place)
                self.made.append(exercise)
        return self.made[before:]


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
