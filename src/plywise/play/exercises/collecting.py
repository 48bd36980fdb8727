"""Collecting many exercises: on several processes, and from where the last run stopped."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from concurrent.futures import ProcessPoolExecutor
from functools import cache
from itertools import count as count_from
from multiprocessing import get_context
from pathlib import Path

from plywise import games
from plywise.core.game import Game
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
        for offered in _offers(game, seed, number, workers):
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


def _offers(game: Game, seed: int, first: int, workers: int) -> Iterator[Offered]:
    """Yield what games offer, in the order of their numbers."""
    if workers == 1:
        maker = Maker(game, seed)
        yield from map(maker.of_game, count_from(first))
        return
    pool = ProcessPoolExecutor(workers, mp_context=get_context("spawn"))
    with pool:
        waiting = [
            pool.submit(_of_game, game.spec, seed, number)
            for number in range(first, first + 2 * workers)
        ]
        try:
            for number in count_from(first + 2 * workers):
                yield waiting.pop(0).result()
                waiting.append(pool.submit(_of_game, game.spec, seed, number))
        finally:
            pool.shutdown(cancel_futures=True)


@cache
def _maker(spec: str, seed: int) -> Maker:
    return Maker(games.make(spec), seed)


def _of_game(spec: str, seed: int, number: int) -> Offered:
    """Play a game in a process of a pool."""
    return _maker(spec, seed).of_game(number)
