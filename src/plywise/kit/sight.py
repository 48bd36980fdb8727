"""What a net sees of a game with a Look: the contents of its places, and patterns of them."""

from __future__ import annotations

from functools import cache, lru_cache
from typing import TYPE_CHECKING, Any

import numpy as np

from plywise.core.game import Record, Verb
from plywise.engines.net.shape import Array, Sight
from plywise.jit import rule
from plywise.jit.bits import ZERO, index_of, lowest
from plywise.kit.patterns import found_patterns
from plywise.kit.symmetries import symmetries

if TYPE_CHECKING:
    from plywise.core.game import Game
    from plywise.kit.look import Look

DOWN = 2  #: the direction in which pieces fall on an upright board, see `square_board`
NUMBERS = 16  #: kinds of contents where the places hold numbers: larger ones count as the largest


@lru_cache(maxsize=32)
def sight(look: Look, game: Game) -> Sight:
    """Return the rule that reads the places, and what finds the patterns of a net."""
    layout = look.layout_of(game.board)
    read, codes = _reader(look, game), len(look.kinds) or NUMBERS
    falls = layout.upright and look.pieces is not None
    below = layout.steps[:, DOWN] if falls else np.full(len(layout), -1)
    codes += int(falls)

    def find() -> tuple[Array, Array]:
        return found_patterns(layout, codes, symmetries(look, game))

    playable = codes - 1 if falls else 0
    return Sight(read, len(layout), codes, below.astype(np.int16), playable, find)


def _reader(look: Look, game: Game) -> Verb:
    """Return a rule that writes what the look shows."""
    if not isinstance(look.contents, str):
        return look.contents
    kind = game.type.state[look.contents]
    if kind.base != np.uint64:
        return _numbers(look.contents, len(kind.shape))
    return _sets(look.contents) if len(kind.shape) < 2 else _long_sets(look.contents)


@cache
def _numbers(name: str, axes: int) -> Verb:
    """Return a rule that reads a field of numbers."""

    @rule
    def read_numbers(b: Record, s: Record, out: Record) -> None:
        found = s[name].ravel() if axes > 1 else s[name]
        for place in range(min(out.size, found.size)):
            out[place] = found[place]

    return read_numbers


@rule
def mark_places(places: Any, first: int, number: int, out: Record) -> None:
    """Write a number on the places of a word, which begins with the place `first`."""
    while places != ZERO:
        bit = lowest(places)
        places ^= bit
        if first + index_of(bit) < out.size:
            out[first + index_of(bit)] = number


@cache
def _sets(name: str) -> Verb:
    """Return a rule that reads a field with a word for each kind of piece."""

    @rule
    def read_sets(b: Record, s: Record, out: Record) -> None:
        sets = s[name]
        for place in range(out.size):
            out[place] = 0
        for number in range(sets.size - 1, -1, -1):
            mark_places(sets[number], 0, number + 1, out)

    return read_sets


@cache
def _long_sets(name: str) -> Verb:
    """Return a rule that reads a field with several words for each kind of piece."""

    @rule
    def read_long_sets(b: Record, s: Record, out: Record) -> None:
        sets = s[name]
        for place in range(out.size):
            out[place] = 0
        for number in range(sets.shape[0] - 1, -1, -1):
            for word in range(sets.shape[1]):
                mark_places(sets[number, word], 64 * word, number + 1, out)

    return read_long_sets
