"""Positions for tests: from anywhere in random games, or so late that all that comes is known."""

from __future__ import annotations

import random
from collections.abc import Iterator

from plywise import Game, Position
from tests.oracle.minimax import Known, TooLarge, minimax


def random_positions(game: Game, count: int, plies: range, seed: int) -> list[Position]:
    """Positions that are not over, so many plies into random games."""
    rng = random.Random(seed)
    found: list[Position] = []
    while len(found) < count:
        position = game.start()
        for _ in range(rng.choice(plies)):
            if not position.over:
                position = position.play_code(rng.choice(position.legal_codes))
        if not position.over:
            found.append(position)
    return found


def random_game(game: Game, rng: random.Random) -> Position:
    """Return the end of a random game."""
    position = game.start()
    while not position.over:
        position = position.play_code(rng.choice(position.legal_codes))
    return position


def ending(game: Game, most: int, rng: random.Random) -> Known:
    """Return the truth about some `most` positions: all that can come late in a random game."""
    known: Known = {}
    try:
        for position in reversed(random_game(game, rng).history):
            minimax(position, known, most)
    except TooLarge:
        pass
    return known


def endings(
    game: Game, count: int, seed: int, most: int = 300, share: float = 0.2
) -> Iterator[tuple[Position, Known]]:
    """Yield positions with their truth, so many all told: a share of those of each ending."""
    rng = random.Random(f"{game.spec} {seed}")
    while count > 0:
        known = ending(game, most, rng)
        left = [position for position in known if not position.over]
        some = rng.sample(left, min(count, max(1, round(share * len(left))))) if left else []
        for position in some:
            yield position, known
        count -= max(1, len(some))
