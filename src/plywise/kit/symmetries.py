"""The symmetries of a game, found by trying the rotations and reflections of its board.

A turned board is a symmetry of the game if every move has its image: the same game can be played on
both boards side by side, and ends in the same way.
"""

from __future__ import annotations

import math
import random
from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from plywise.core.game import Game
    from plywise.core.position import Position
    from plywise.kit.look import Look

Array = np.ndarray[Any, np.dtype[Any]]

TURNS = 12  #: in a full circle: boards of squares and of hexagons are all tried
GAMES = 4  #: random games that must come out the same
PLIES = 60  #: ... of which this many plies are compared


def symmetries(look: Look, game: Game) -> list[Array]:
    """Return the image of every place under each symmetry; the first leaves all where it is."""
    spots = np.array([place.at for place in look.layout_of(game.board).places], float)
    spots -= (spots.max(0) + spots.min(0)) / 2
    found: dict[bytes, Array] = {}
    for number in range(TURNS):
        angle = 2 * math.pi * number / TURNS
        turned = np.array([[math.cos(angle), -math.sin(angle)], [math.sin(angle), math.cos(angle)]])
        for mirror in (1, -1):
            image = _image(spots, turned @ np.diag([1, mirror]))
            if image is not None and image.tobytes() not in found and _holds(look, game, image):
                found[image.tobytes()] = image
    return list(found.values())


def _image(spots: Array, by: Array) -> Array | None:
    """Return where every place goes, or None if some place has no image."""
    apart = ((spots @ by.T)[:, None] - spots[None]) ** 2
    apart = apart.sum(2)
    image: Array = apart.argmin(1)
    if apart.min(1).max() > 1e-6 or len(set(image.tolist())) < len(image):
        return None
    return image


def _holds(look: Look, game: Game, image: Array) -> bool:
    """Return True if random games can be played on the turned board, too."""
    if (image == np.arange(len(image))).all():
        return True
    return all(_same_game(look, game, image, random.Random(number)) for number in range(GAMES))


def _same_game(look: Look, game: Game, image: Array, rng: random.Random) -> bool:
    """Play a random game on both boards, for as long as each move has its image."""

    def seen(position: Position) -> list[int]:
        return look.standing(game.board, position.state)

    def turned(position: Position) -> list[int]:
        found = np.zeros(len(image), int)
        found[image] = seen(position)
        return found.tolist()

    here = there = game.start()
    for _ in range(PLIES):
        if turned(here) != seen(there) or len(here.legal_codes) != len(there.legal_codes):
            return False
        if here.over or there.over:
            break
        move = rng.choice(here.legal_codes)
        path = [int(image[place]) for place in look.path_of(game.board, move)]
        alike = [
            code
            for code in there.legal_codes
            if not path or list(look.path_of(game.board, code)) == path
        ]
        after = here.play_code(move)
        wanted = turned(after)
        answers = (there.play_code(code) for code in alike)
        answer = next((each for each in answers if seen(each) == wanted), None)
        if answer is None:
            return False
        here, there = after, answer
    return (here.over, here.margin) == (there.over, there.margin)
