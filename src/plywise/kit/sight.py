"""What a net sees of a game with a Look: the contents of its places, and patterns of them.

A line runs along an axis, a block along two axes; on a board without axes, a place and its
neighbours are a pattern. On a small board every pattern has a table of its own, which its images
under the symmetries of the game share. On a large one all patterns of the same form share a table,
wherever they lie.
"""

from __future__ import annotations

import math
import random
from collections.abc import Iterable, Iterator, Sequence
from functools import cache, lru_cache
from itertools import combinations
from typing import TYPE_CHECKING, Any

import numpy as np

from plywise.core.game import Record, Verb
from plywise.engines.net.inputs import Array, Sight
from plywise.jit import rule
from plywise.jit.bits import ZERO, index_of, lowest
from plywise.kit.layouts import Layout

if TYPE_CHECKING:
    from plywise.core.game import Game
    from plywise.core.position import Position
    from plywise.kit.look import Look

Pattern = tuple[int, ...]  #: places; -1 is off the board
Kinds = dict[str, Iterable[Pattern]]

DOWN = 2  #: the direction in which pieces fall on an upright board, see `square_board`
NUMBERS = 16  #: kinds of contents where the places hold numbers: larger ones count as the largest

SMALL = 100  #: places of a board whose patterns have tables of their own
ROWS = 24_000  #: the most rows of patterns that have tables of their own
SHARED_ROWS = 60_000  #: ... and of those that share tables, of which fewer are used
#: The length of lines and the sides of blocks, the largest first ...
LOCATED = ((6, (2, 3)), (5, (2, 3)), (4, (2, 3)), (5, (2, 2)), (4, (2, 2)))
SHARED = (
    *((7, (2, 4)), (7, (2, 3)), (6, (2, 3)), (5, (2, 3))),
    *((5, (2, 2)), (4, (2, 2)), (3, (1, 2)), (2, (1, 2))),
)
HEXAGONS = 3  #: axes of a board of hexagons

TURNS = 12  #: in a full circle: boards of squares and of hexagons are all tried
GAMES = 4  #: random games that must come out the same
PLIES = 60  #: ... of which this many plies are compared


@lru_cache(maxsize=32)
def sight(look: Look, game: Game) -> Sight:
    """Return the rule that reads the places, and what finds the patterns of a net."""
    layout = look.layout_of(game.board)
    read, codes = reader_of(look, game), len(look.kinds) or NUMBERS
    falls = layout.upright and look.pieces is not None
    below = layout.steps[:, DOWN] if falls else np.full(len(layout), -1)
    codes += int(falls)

    def find() -> tuple[Array, Array]:
        return found_patterns(layout, codes, symmetries(look, game))

    playable = codes - 1 if falls else 0
    return Sight(read, len(layout), codes, below.astype(np.int16), playable, find)


def reader_of(look: Look, game: Game) -> Verb:
    """Return a rule (b, s, out) that writes what the look shows on every place."""
    if not isinstance(look.contents, str):
        return look.contents
    kind = game.type.state[look.contents]
    if kind.base != np.uint64:
        return _numbers(look.contents, len(kind.shape))
    if not kind.shape:
        return _set(look.contents)
    return _sets(look.contents, 1 if len(kind.shape) < 2 else kind.shape[1])


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
def _set(name: str) -> Verb:
    """Return a rule that reads a field with a single word."""

    @rule
    def read_set(b: Record, s: Record, out: Record) -> None:
        for place in range(out.size):
            out[place] = 0
        mark_places(s[name], 0, 1, out)

    return read_set


@cache
def _sets(name: str, words: int) -> Verb:
    """Return a rule that reads a field with so many words for each kind of piece."""

    @rule
    def read_sets(b: Record, s: Record, out: Record) -> None:
        sets = s[name].ravel() if words > 1 else s[name]
        for place in range(out.size):
            out[place] = 0
        for at in range(sets.size - 1, -1, -1):
            mark_places(sets[at], 64 * (at % words), at // words + 1, out)

    return read_sets


# ---- patterns ------------------------------------------------------------------------------------


def found_patterns(layout: Layout, codes: int, images: Sequence[Array]) -> tuple[Array, Array]:
    """Return the patterns of a board, a row of places for each, and their families.

    `codes` is the number of kinds of contents; `images` are the symmetries of the places. The
    largest patterns are taken that do not need too many rows. Shorter ones end with the number of
    places, which stands for no place.
    """
    for length, block in LOCATED if len(layout) <= SMALL else ():
        places, families = located(kinds(layout, length, block), images)
        if _rows(places, families, codes) <= ROWS:
            return _arrays(places, families, len(layout))
    places, families = located({"single": singles(layout)}, images)
    for length, block in SHARED:
        more = shared(kinds(layout, length, block, large=True), max(families) + 1)
        if more[0] and _rows(*more, codes) <= SHARED_ROWS:
            return _arrays([*places, *more[0]], [*families, *more[1]], len(layout))
    return _arrays(places, families, len(layout))


def kinds(layout: Layout, length: int, block: tuple[int, int], *, large: bool = False) -> Kinds:
    """Return the patterns of every kind."""
    found: Kinds = {} if large else {"single": singles(layout)}
    ways = axes(layout)
    if not ways:
        return found | {"around": around(layout, length)}
    found["line"] = lines(layout, length)
    if large and len(ways) == HEXAGONS:
        return found | {"around": around(layout), "strip": strips(layout, *block)}
    return found | {"block": blocks(layout, *block)}


def axes(layout: Layout) -> list[tuple[int, int]]:
    """Return the directions of a board in pairs, each with the way back.

    >>> from plywise.kit import square_board
    >>> axes(square_board(3))
    [(0, 2), (1, 3), (4, 6), (5, 7)]
    """
    steps, there = layout.steps, np.arange(len(layout))

    def returns(way: int, back: int) -> bool:
        inside = steps[:, way] >= 0
        return bool((steps[steps[inside, way], back] == there[inside]).all())

    pairs = combinations(range(steps.shape[1]), 2)
    return [(way, back) for way, back in pairs if returns(way, back) and returns(back, way)]


def walk(layout: Layout, place: int, ways: Iterable[int]) -> int:
    """Follow directions from a place; return -1 off the board."""
    for way in ways:
        if place >= 0:
            place = int(layout.steps[place, way])
    return place


def lines(layout: Layout, length: int) -> Iterator[Pattern]:
    """Yield the straight lines from every place."""
    for way, _ in axes(layout):
        for place in range(len(layout)):
            yield tuple(walk(layout, place, [way] * far) for far in range(length))


def blocks(layout: Layout, wide: int, long: int) -> Iterator[Pattern]:
    """Yield the blocks along the first two axes, lying and standing, from every place."""
    if len(sides := axes(layout)[:2]) < 2:
        return
    (one, _), (two, _) = sides
    yield from _block(layout, wide, long, one, two)
    if wide != long:
        yield from _block(layout, wide, long, two, one)


def strips(layout: Layout, wide: int, long: int) -> Iterator[Pattern]:
    """Yield the blocks of a board of hexagons that lie along its axes, from every place."""
    for along in range(HEXAGONS):
        yield from _block(layout, wide, long, along + 1, along)


def _block(layout: Layout, wide: int, long: int, across: int, along: int) -> Iterator[Pattern]:
    for place in range(len(layout)):
        yield tuple(
            walk(layout, place, [across] * i + [along] * j)
            for i in range(wide)
            for j in range(long)
        )


def around(layout: Layout, most: int | None = None) -> Iterator[Pattern]:
    """Yield every place with its neighbours, the first few if there are many."""
    for place in range(len(layout)):
        if (layout.steps[place] >= 0).any():
            yield (place, *map(int, layout.steps[place]))[:most]


def located(every: Kinds, images: Sequence[Array]) -> tuple[list[Pattern], list[int]]:
    """Return the patterns on the board, each once; a family is what symmetries map to each other.

    The places of a pattern are in the order of the one that its family began with.
    """
    places: list[Pattern] = []
    families: list[int] = []
    number = 0
    for patterns in every.values():
        known: dict[frozenset[int], tuple[Pattern, int]] = {}
        for pattern in patterns:
            inside = tuple(place for place in pattern if place >= 0)
            whole = len(inside) == len(pattern) or "around" in every
            if not whole or frozenset(inside) in known:
                continue
            found = (inside, number)
            for image in images:
                back = {int(image[place]): place for place in inside}
                if frozenset(back) in known:
                    first, family = known[frozenset(back)]
                    found = tuple(back[place] for place in first), family
                    break
            number += found[1] == number
            known[frozenset(inside)] = found
            places.append(found[0])
            families.append(found[1])
    return places, families


def singles(layout: Layout) -> Iterator[Pattern]:
    """Yield every place by itself."""
    for place in range(len(layout)):
        yield (place,)


def shared(every: Kinds, first: int) -> tuple[list[Pattern], list[int]]:
    """Return the patterns on the board; a family is a kind: all lines, all blocks."""
    places: list[Pattern] = []
    families: list[int] = []
    for family, patterns in enumerate(every.values(), first):
        for pattern in patterns:
            if min(pattern) >= 0:
                places.append(pattern)
                families.append(family)
    return places, families


def _rows(places: Sequence[Pattern], families: Sequence[int], codes: int) -> int:
    sizes = dict(zip(families, map(len, places), strict=True))
    return sum(codes**size for size in sizes.values())


def _arrays(places: Sequence[Pattern], families: Sequence[int], count: int) -> tuple[Array, Array]:
    found = np.full((len(places), max(map(len, places))), count, np.int16)
    for row, pattern in enumerate(places):
        found[row, : len(pattern)] = pattern
    return found, np.array(families, np.int32)


# ---- the symmetries of a game --------------------------------------------------------------------
# They are found by trying the rotations and reflections of its board: a turned board is a symmetry
# if every move has its image, so that the same game can be played on both boards side by side, and
# ends in the same way.


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
