"""Symmetries of a game's planes, found by playing.

A game says what a symmetry does to its moves. What it does to the planes is found out: a random
game and its image are played side by side, and a place can only go to a place that looks the same
in every position.
"""

from __future__ import annotations

import random

import numpy as np

from plywise.core.game import Game
from plywise.kit import features

from .trees import Array

GAMES = 40  #: random games that are compared


def symmetries(game: Game) -> tuple[Array, Array]:
    """Return where each symmetry takes the moves from, and the places of the planes.

    The images of a position under symmetry `i` are `planes.reshape(channels, -1)[:, places[i]]` and
    `policy[moves[i]]`. The first symmetry changes nothing.
    """
    size = features(game.start())[0].size
    moves, places = [np.arange(game.max_moves)], [np.arange(size)]
    given = game.type.strength.symmetries
    for image in [] if given is None else given(game.board):
        codes = np.array(image)
        source = _places(game, codes)
        if source is not None and (codes != moves[0]).any():
            moves.append(np.argsort(codes))
            places.append(source)
    return np.stack(moves), np.stack(places)


def _places(game: Game, codes: Array) -> Array | None:
    """Return where the places of the image come from, or None if no order of them fits."""
    rng = random.Random(1)
    size = features(game.start())[0].size
    possible = np.ones((size, size), np.bool_)  # [place of the image, where it may come from]
    for _ in range(GAMES):
        one = two = game.start()
        while not one.over:
            code = rng.choice(one.legal_codes)
            one, two = one.play_code(code), two.play_code(int(codes[code]))
            old, new = (features(each).reshape(-1, size) for each in (one, two))
            possible &= (new[:, :, None] == old[:, None, :]).all(axis=0)
    # Places that always look the same, such as those beside the board, are taken in any order.
    source, free = np.zeros(size, np.int64), np.ones(size, np.bool_)
    for place in np.argsort(possible.sum(axis=1), kind="stable"):
        fits = np.flatnonzero(possible[place] & free)
        if not len(fits):
            return None
        source[place] = fits[0]
        free[fits[0]] = False
    return source
