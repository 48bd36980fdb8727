"""Collecting many exercises: with any number of workers, and from where the last run stopped."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from functools import cache, partial
from itertools import count as count_from
from pathlib import Path

from plywise import games
from plywise.core.game import Game
from plywise.core.workers import start_workers
from plywise.errors import SpecError
from plywise.play.exercises import files
from plywise.play.exercises.choosing import Choice
from plywise.play.exercises.exercise import Exercise
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
    ray: str | None = None,
    on_made: Callable[[Exercise], None] | None = None,
) -> Choice:
    """Add exercises to a file until it has `count` of this board; started again, it goes on.

    It stops early if it finds no more. Exercises in the file stay; use another random seed to add
    new ones. The candidates of each game played are kept beside the file until the run is complete.
    The number of workers does not change the result.
    """
    choice = Choice(game, count)
    if out.exists():
        choice.take(each for each in files.read(out) if each.game == game.spec)
    kept = out.with_name(f"{out.name}.part")
    number = barren = 0
    for offered in _kept(kept, game.spec, seed):
        number += 1
        barren = 0 if _take(choice, offered, on_made) else barren + 1
    with open(kept, "a") as part:
        if number == 0 and part.tell() == 0:
            part.write(json.dumps(_head(game.spec, seed)) + "\n")
        for offered in _offers(game, seed, number, workers, ray):
            if choice.is_complete or barren >= BARREN:
                break
            part.write(json.dumps([exercise.to_json() for exercise in offered]) + "\n")
            part.flush()
            barren = 0 if _take(choice, offered, on_made) else barren + 1
    kept.unlink()
    if not choice.made:
        raise SpecError(f"{barren} games of {game.spec} have no exercises")
    files.replace(out, game.spec, choice.made)
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


def _offers(game: Game, seed: int, first: int, workers: int, ray: str | None) -> Iterator[Offered]:
    """Yield what games offer, in the order of their numbers."""
    alone = workers == 1 and ray is None
    work = Maker(game, seed).of_game if alone else partial(_of_game, game.spec, seed)
    with start_workers(work, workers, ray) as working:
        yield from working.in_order(count_from(first))


@cache
def _maker(spec: str, seed: int) -> Maker:
    return Maker(games.make(spec), seed)


def _of_game(spec: str, seed: int, number: int) -> Offered:
    """Play a game in any process."""
    return _maker(spec, seed).of_game(number)
