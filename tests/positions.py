"""Positions for tests."""

from __future__ import annotations

import random

from plywise import Game, Position


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
