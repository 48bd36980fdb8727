"""Openings that are fair: judged by the strongest engine, which proves what it can.

An opening is even if it is a proved draw, or if nothing is proved and the estimate is near 0. In a
game without draws none is proved to be even. Then player 1 wins half of those that are taken, and
player 2 the other half: the set is fair as a whole, and each is played from both sides anyway.
Where whoever is to move wins almost always, some of these have one move more.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import chain, islice

from plywise import engines
from plywise.core.analysis import Analysis, Limits
from plywise.core.game import Game
from plywise.core.position import Position, opponent
from plywise.errors import SpecError, Unsupported
from plywise.play.series import random_opening

NEAR = 0.1  #: an estimate within this of 0 is even, on a scale from -1 to 1
CLEAR = 0.4  #: ... and one beyond this favours a side
TRIES = 40  #: openings tried for each that is wanted
TIME = 1.0  #: seconds to judge one, unless it is solved sooner


@dataclass(frozen=True)
class Opening:
    """An opening, and what is known of it."""

    moves: str
    favours: int  #: the player who wins by force or is better off: 1, 2, or 0
    proved: bool

    def __str__(self) -> str:
        who = f"player {self.favours}" if self.favours else ""
        if self.proved:
            return f"{self.moves}  # {f'{who} wins' if who else 'a draw'}, proved"
        return f"{self.moves}  # {f'{who} is better off' if who else 'even'}, estimated"


def openings(
    game: Game,
    count: int,
    plies: int,
    *,
    seed: int = 1,
    unbalanced: bool = False,
    on_try: Callable[[int], None] | None = None,
) -> list[Opening]:
    """Find openings of some random moves that are fair, or that favour a side on purpose.

    `on_try` is called with how many even ones, or how many for the rarer side, there are by now.
    """
    if count < 1:
        raise SpecError(f"count must be at least 1, not {count}")
    even: list[Opening] = []
    sides: tuple[list[Opening], list[Opening]] = ([], [])
    half = TRIES * count // 2
    usual, longer = (islice(_different(game, plies + more, seed), half) for more in (0, 1))
    for position in chain(usual, longer):
        found = judge(position)
        if found is not None:
            (sides[found.favours - 1] if found.favours else even).append(found)
        from_both = 2 * min(map(len, sides))
        enough = from_both if unbalanced else len(even)
        if on_try is not None:
            on_try(enough)
        if enough >= count or (not even and from_both >= count):
            break
    if not unbalanced and (len(even) >= count or not all(sides)):
        chosen = even[:count]
    else:  # from both sides by turns, even ones first
        rest = chain.from_iterable(zip(*sides, strict=False))
        chosen = list(islice(chain(() if unbalanced else even, rest), count))
    if len(chosen) < count:
        raise Unsupported(
            f"{TRIES * count} random openings of {plies} moves have only {len(chosen)} that are "
            f"{'unbalanced for both sides' if unbalanced else 'fair'}: try another number of moves"
        )
    return chosen


def judge(position: Position) -> Opening | None:
    """Say whom a position favours; None if it is neither even nor clear."""
    found: Analysis = engines.make("auto", position.game).search(position, Limits(time=TIME))
    moves = position.game.join_moves(position.moves)
    mover, other = position.mover, opponent(position.mover)
    if found.outcome is not None:
        favours = {"draw": 0, "win": mover, "loss": other}[found.outcome]
        return Opening(moves, favours, proved=True)
    if abs(found.value) <= NEAR:
        return Opening(moves, 0, proved=False)
    if abs(found.value) >= CLEAR:
        return Opening(moves, mover if found.value > 0 else other, proved=False)
    return None


def _different(game: Game, plies: int, seed: int) -> Iterator[Position]:
    """Random openings that lead to different positions; few, if there are not many."""
    seen = set[int]()
    for number in range(TRIES * TRIES * max(1, plies)):
        position = random_opening(game, plies, random.Random(f"openings {seed} {number}"))
        if position.key not in seen:
            seen.add(position.key)
            yield position
