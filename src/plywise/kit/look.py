"""What a game looks like, described once: its board, what stands on it, where moves point.

    look=Look(square_board(8), "cells")

is enough for a game whose state has a field `cells` with a number for every place, 0 where it is
empty, and whose moves are the numbers of places. It gives the game move texts, position texts, a
drawing in text and in pictures, and a board to click on. Fields that the author writes into the
GameType go first.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import TYPE_CHECKING, Any, Literal, get_args

import numpy as np

from plywise.core.game import Record
from plywise.core.scene import PASS
from plywise.errors import SpecError
from plywise.kit.layouts import Layout
from plywise.kit.texts import draw as draw_text
from plywise.kit.texts import read as read_text
from plywise.kit.texts import write as write_text

if TYPE_CHECKING:
    from plywise.core.game import Game, GameType
    from plywise.core.position import Position
    from plywise.core.scene import Scene
    from plywise.engines.net.inputs import Sight
    from plywise.kit.planes import PlaneWriter

Style = Literal["discs", "crosses", "digits"]
TURN = "turn"  #: the state's field with the side to move
STYLES: tuple[Style, ...] = get_args(Style)  #: a board's field says the style by its number here


@dataclass(frozen=True)
class Piece:
    """A kind of piece.

    Attributes:
        letter: as it is written in texts.
        owner: 0 or 1; None for what belongs to nobody, such as a wall.
        label: what is written on its disc.
        name: what screen readers call it; by default after the style and the owner, such as `stone
            of player 1`.
    """

    letter: str
    owner: int | None = None
    label: str = ""
    name: str = ""


@dataclass(frozen=True)
class Look:
    """The board of a game and what stands on it.

    Attributes:
        layout: where the places are; a function of the board record if the game has parameters.
        contents: the state's field with what stands on each place; or a rule (b, s, out) that
            writes these numbers. A field of 64-bit words (`u8`) holds a set of places for each
            piece, see `plywise.kit.bits`; with two axes, every set has several words.
        pieces: what the numbers mean: a letter for each, from 0 (empty) up, that belong to the
            players in turn; or pieces, for numbers from 1 up; or None if the numbers are to be
            shown themselves.
        path: (b, move) -> the places that a move points to: one, or two for a piece that moves from
            the first to the second; none for a pass. By default a move is the number of its place,
            and the first number after the places is a pass.
        winning: (b, s) -> the lines that won the game, each as its places in order; see
            `Layout.runs`.
        also: further fields of the state that a position text must hold.
        put: (b, s, numbers) -> None: set up a state with these numbers on its places, after the
            side to move has been read; needed if fields of the state follow from them. ValueError
            refuses them.
        style: discs, crosses and rings (`crosses`), or the digits 1 and 0; or the field of the
            board with the number of one of these, see `STYLES`.
    """

    layout: Layout | Callable[[Record], Layout]
    contents: str | Callable[[Record, Record, Any], None]
    pieces: str | Sequence[Piece] | None = ".xo"
    path: Callable[[Record, int], Sequence[int]] | None = None
    winning: Callable[[Record, Record], Iterable[Sequence[int]]] | None = None
    also: tuple[str, ...] = ()
    put: Callable[[Record, Record, Sequence[int]], None] | None = None
    style: str = "discs"

    # ---- what a GameType is given --------------------------------------------------------------

    def fields(self, kind: GameType) -> Mapping[str, Any]:
        """Return the fields of a GameType that this look fills in where they are left out."""
        there = kind.state.names or ()
        if isinstance(self.contents, str) and self.contents not in there:
            raise SpecError(
                f"the look of {kind.name} shows the field {self.contents!r},"
                f" but the state has {', '.join(there)}"
            )
        found: dict[str, Any] = {
            "move_text": self.move_text,
            "read_move": self._reader(),
            "draw": self.draw,
            "scene": self.scene,
        }
        if self.is_written(kind.state):
            found |= {"to_text": self.to_text, "from_text": self.from_text}
        return {name: value for name, value in found.items() if value is not None}

    def own_fields(self, kind: GameType) -> Sequence[str]:
        """Return the fields of the board that only the look reads, and no rule."""
        return () if self.style in STYLES else (self.style,)

    def layout_of(self, b: Record) -> Layout:
        """Return the layout for a board."""
        return self.layout if isinstance(self.layout, Layout) else _layout(self.layout, _Frozen(b))

    def style_of(self, b: Record) -> Style:
        """Return how the pieces of a board are drawn."""
        return self.style if self.style in STYLES else STYLES[b[self.style]]

    def standing(self, b: Record, s: Record) -> list[int]:
        """Return what stands on each place."""
        layout = self.layout_of(b)
        if isinstance(self.contents, str):
            found = s[self.contents]
        else:
            found = np.zeros(len(layout), np.int16)
            self.contents(b, s, found)
        if (sets := np.asarray(found)).dtype == np.uint64:
            sets = sets[..., None] if sets.ndim < 2 else sets
            return [int(number) for number in in_sets(np.atleast_2d(sets), len(layout))]
        numbers = np.ravel(sets)[: len(layout)].tolist()
        return [*map(int, numbers), *[0] * (len(layout) - len(numbers))]

    def piece(self, number: int) -> Piece | None:
        """Return what a number on a place means; None if the place is empty."""
        if number == 0:
            return None
        if self.pieces is None:
            return Piece(str(number))
        if not 0 < number < len(self.kinds):
            most = len(self.kinds) - 1
            raise SpecError(f"{number} is not a piece: the look has pieces 1 to {most}")
        return self.kinds[number]

    def spoken(self, b: Record, number: int) -> str:
        """Say what a number on a place means.

        >>> from plywise.kit import square_board
        >>> [Look(square_board(3), "cells", style="crosses").spoken(None, n) for n in range(3)]
        ['empty', 'cross', 'ring']
        """
        piece = self.piece(number)
        if piece is None:
            return "empty"
        if piece.name:
            return piece.name
        if self.pieces is None or piece.owner is None:
            return piece.label or piece.letter
        style = self.style_of(b)
        if style != "discs":
            return (("cross", "ring") if style == "crosses" else ("1", "0"))[piece.owner]
        return f"{piece.label or 'stone'} of player {piece.owner + 1}"

    @cached_property
    def kinds(self) -> tuple[Piece, ...]:
        """The pieces by number; the first stands for an empty place."""
        if self.pieces is None:
            return ()
        if not isinstance(self.pieces, str):
            return (Piece("."), *self.pieces)
        plain = (
            Piece(letter, (number - 1) % 2, "" if number <= 2 else letter.upper())
            for number, letter in enumerate(self.pieces[1:], 1)
        )
        return (Piece(self.pieces[:1]), *plain)

    # ---- moves ---------------------------------------------------------------------------------

    def path_of(self, b: Record, move: int) -> tuple[int, ...]:
        """Return the places that a move points to."""
        count = len(self.layout_of(b))
        if self.path is None:
            return (move,) if move < count else ()
        path = tuple(int(place) for place in self.path(b, move))
        for place in path:
            if not 0 <= place < count:
                raise SpecError(
                    f"move {move} points to place {place}, but the places are 0 to {count - 1}"
                )
        return path

    def move_text(self, b: Record, move: int) -> str:
        """Write a move: the names of its places one after the other, or `pass`."""
        places = self.layout_of(b).places
        if self.path is None and move < len(places):
            return places[move].name
        path = self.path_of(b, move)
        if not path:
            return PASS
        names = [places[place].name for place in path]
        simple = all(re.fullmatch(r"[a-z]+[0-9]+", name) for name in names)
        return ("" if simple else "-").join(names)

    def _reader(self) -> Callable[[Record, str], int] | None:
        """Return a reader of moves that are places; others are looked up among the legal moves."""
        if self.path is not None:
            return None

        def read(b: Record, text: str) -> int:
            layout, word = self.layout_of(b), text.lower()
            if word in layout.numbers:
                return layout.numbers[word]
            if word == PASS:
                return len(layout)
            lines = [place.name for place in layout.places if place.kind == "line"]
            names = lines or [place.name for place in layout.places]
            what = "line" if lines else "place"
            raise ValueError(f"write the name of a {what}, such as {names[0]} or {names[-1]}")

        return read

    # ---- texts ---------------------------------------------------------------------------------

    def is_written(self, state: np.dtype[Any]) -> bool:
        """True if a position text can hold all of a state."""
        names = state.names or ()
        if TURN not in names or (self.put is None and not isinstance(self.contents, str)):
            return False
        return self.put is not None or {self.contents, TURN, *self.also}.issuperset(names)

    to_text, from_text, draw = write_text, read_text, draw_text

    # ---- the picture and the planes ------------------------------------------------------------

    def scene(self, position: Position) -> Scene:
        """Return the picture of a position."""
        from plywise.kit.picture import picture

        return picture(self, position)

    def planes(self, game: Game) -> PlaneWriter:
        """Return what writes the planes of many states at once."""
        from plywise.kit.planes import PlaneWriter

        return PlaneWriter(game)

    def sight(self, game: Game) -> Sight:
        """Return what a net sees: the contents of the places, and patterns of them."""
        from plywise.kit.sight import sight

        return sight(self, game)


def in_sets(sets: np.ndarray[Any, Any], count: int) -> np.ndarray[Any, Any]:
    """Return for each place the number of the set that holds it, from 1 up; 0 if none does.

    The last two axes of `sets` are the sets and their words, the lowest places first.

    >>> in_sets(np.array([[0b0011], [0b1000]], np.uint64), 5).tolist()
    [1, 1, 0, 2, 0]
    """
    octets = np.ascontiguousarray(sets, "<u8").view(np.uint8)
    bits = np.unpackbits(octets, axis=-1, bitorder="little")[..., :count]
    numbers = np.zeros((*sets.shape[:-2], count), np.int64)
    for number in reversed(range(sets.shape[-2])):
        numbers[..., : bits.shape[-1]][bits[..., number, :] != 0] = number + 1
    return numbers


class _Frozen:
    """A board record as the key of a cache: by itself if it cannot change, else by its contents."""

    def __init__(self, b: Record) -> None:
        self.b = b  # kept, so that no other record gets its id
        self.key = b.tobytes() if b.flags.writeable else id(b)

    def __hash__(self) -> int:
        return hash(self.key)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Frozen) and self.key == other.key


@lru_cache(maxsize=256)
def _layout(make: Callable[[Record], Layout], board: _Frozen) -> Layout:
    return make(board.b)
