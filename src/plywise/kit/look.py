"""What a game looks like, described once: its board, what stands on it, where moves point.

    look=Look(square_board(8), "cells")

is enough for a game whose state has a field `cells` with a number for every place, 0 where it is
empty, and whose moves are the numbers of places. It gives the game move texts, position texts, a
drawing in text and in pictures, and a board to click on. Fields that the author writes into the
GameType go first.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import TYPE_CHECKING, Any, Literal

import numpy as np

from plywise.core.game import Record
from plywise.core.scene import PASS
from plywise.errors import SpecError
from plywise.kit.canvas import draw_places
from plywise.kit.layouts import Layout, Place

if TYPE_CHECKING:
    from plywise.core.game import GameType
    from plywise.core.position import Position
    from plywise.core.scene import Scene

Style = Literal["discs", "marks"]


@dataclass(frozen=True)
class Piece:
    """A kind of piece.

    Attributes:
        letter: as it is written in texts.
        owner: 0 or 1; None for what belongs to nobody, such as a wall.
        label: what is written on its disc.
    """

    letter: str
    owner: int | None = None
    label: str = ""


@dataclass(frozen=True)
class Look:
    """The board of a game and what stands on it.

    Attributes:
        layout: where the places are; a function of the board record if the game has parameters.
        contents: the state's field with what stands on each place, or (b, s) -> those numbers; a
            field of 64-bit words (`u8`) holds a set of places for each piece, see
            `plywise.kit.bits`.
        pieces: what the numbers mean: a letter for each, from 0 (empty) up, that belong to the
            players in turn; or pieces, for numbers from 1 up; or None if the numbers are to be
            shown themselves.
        path: (b, move) -> the places that a move points to: one, or two for a piece that moves from
            the first to the second; none for a pass. By default a move is the number of its place.
        extra: the texts of moves that follow the places in number and point nowhere.
        lands: (b, s, move) -> the place where the piece will stand, if it falls.
        winning: (b, s) -> the places that won the game, to be highlighted when it is over.
        turn: the state's field with the side to move.
        also: further fields of the state that a position text must hold.
        derive: (b, s) -> None: set the other fields of a state after a position text has been read.
        style: discs, or crosses and rings.
    """

    layout: Layout | Callable[[Record], Layout]
    contents: str | Callable[[Record, Record], Sequence[int]]
    pieces: str | Sequence[Piece] | None = ".xo"
    path: Callable[[Record, int], Sequence[int]] | None = None
    extra: tuple[str, ...] = ()
    lands: Callable[[Record, Record, int], int] | None = None
    winning: Callable[[Record, Record], Sequence[int]] | None = None
    turn: str = "turn"
    also: tuple[str, ...] = ()
    derive: Callable[[Record, Record], None] | None = None
    style: Style = "discs"

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
        if self._is_written(kind.state):
            found |= {"to_text": self.to_text, "from_text": self.from_text}
        return {name: value for name, value in found.items() if value is not None}

    def layout_of(self, b: Record) -> Layout:
        """Return the layout for a board."""
        return self.layout if isinstance(self.layout, Layout) else _layout(self.layout, _Frozen(b))

    def standing(self, b: Record, s: Record) -> list[int]:
        """Return what stands on each place."""
        layout = self.layout_of(b)
        found = s[self.contents] if isinstance(self.contents, str) else self.contents(b, s)
        numbers = np.ravel(np.asarray(found))
        if numbers.dtype == np.uint64:
            return _in_sets([int(word) for word in numbers], len(layout))
        return [int(number) for number in numbers[: len(layout)]] + [0] * (
            len(layout) - len(numbers)
        )

    def piece(self, number: int) -> Piece | None:
        """Return what a number on a place means; None if the place is empty."""
        if number == 0:
            return None
        if self.pieces is None:
            return Piece(str(number))
        if not 0 < number < len(self._all):
            most = len(self._all) - 1
            raise SpecError(f"{number} is not a piece: the look has pieces 1 to {most}")
        return self._all[number]

    @cached_property
    def _all(self) -> tuple[Piece, ...]:
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
        path = self.path_of(b, move)
        if not path:
            index = move - len(places)
            return self.extra[index] if 0 <= index < len(self.extra) else PASS
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
            if word in self.extra:
                return len(layout) + self.extra.index(word)
            lines = [place.name for place in layout.places if place.kind == "line"]
            names = lines or [place.name for place in layout.places]
            what = "line" if lines else "place"
            raise ValueError(f"write the name of a {what}, such as {names[0]} or {names[-1]}")

        return read

    # ---- texts ---------------------------------------------------------------------------------

    def _is_written(self, state: np.dtype[Any]) -> bool:
        """True if a position text can hold all of a state."""
        if not isinstance(self.contents, str) or self.turn not in (state.names or ()):
            return False
        known = {self.contents, self.turn, *self.also}
        return self.derive is not None or known.issuperset(state.names or ())

    def to_text(self, b: Record, s: Record) -> str:
        """Write a position: row by row from the top, then the side to move: `3/1xo/3 o`."""
        layout, standing = self.layout_of(b), self.standing(b, s)
        rows = [self._row(standing[place] for place in row) for row in layout.rows]
        further = [",".join(str(int(n)) for n in np.ravel(s[name])) for name in self.also]
        return " ".join(["/".join(rows), self._mover(int(s[self.turn])), *further])

    def _row(self, numbers: Any) -> str:
        if self.pieces is None:
            return ",".join(str(number) for number in numbers)
        empty = self._all[0].letter
        letters = "".join(self._all[number].letter for number in numbers)
        return re.sub(f"{re.escape(empty)}+", lambda run: str(len(run[0])), letters)

    def _mover(self, turn: int) -> str:
        owned = [piece.letter for piece in self._all[1:] if piece.owner == turn]
        return owned[0] if owned else str(turn + 1)

    def from_text(self, b: Record, s: Record, text: str) -> None:
        """Set up a position from its text; ValueError if it cannot be read."""
        layout = self.layout_of(b)
        board, *rest = text.split() or [""]
        rows = board.split("/")
        if len(rows) != len(layout.rows):
            raise ValueError(f"this board has {len(layout.rows)} rows, not {len(rows)}")
        numbers = [0] * len(layout)
        for count, (row, places) in enumerate(zip(rows, layout.rows, strict=True), 1):
            found = self._read_row(row, count)
            if len(found) != len(places):
                raise ValueError(f"row {count} has {len(found)} places, the board {len(places)}")
            for place, number in zip(places, found, strict=True):
                numbers[place] = number
        movers = [self._mover(0), self._mover(1)]
        if len(rest) != 1 + len(self.also) or rest[0] not in movers:
            further = "".join(f", then {name}" for name in self.also)
            raise ValueError(
                f"after the rows, write the side to move, {' or '.join(movers)}{further}"
            )
        field = s[str(self.contents)]
        if field.dtype == np.uint64:
            for index in range(field.size):
                there = (place for place, number in enumerate(numbers) if number == index + 1)
                field.flat[index] = sum(1 << place for place in there)
        else:
            field.flat[: len(numbers)] = numbers
        s[self.turn] = movers.index(rest[0])
        for name, word in zip(self.also, rest[1:], strict=True):
            count = np.size(s[name])
            if re.fullmatch(f"(,-?[0-9]{{1,9}}){{{count}}}", f",{word}", re.ASCII) is None:
                what = "a number" if count == 1 else f"{count} numbers with commas between"
                raise ValueError(f"{name} is {word!r}, but must be {what}")
            s[name] = np.reshape([int(part) for part in word.split(",")], np.shape(s[name]))
        if self.derive is not None:
            self.derive(b, s)

    def _read_row(self, row: str, number: int) -> list[int]:
        if self.pieces is None:
            if re.fullmatch("[0-9]{1,4}(,[0-9]{1,4})*", row, re.ASCII) is None:
                raise ValueError(
                    f"row {number} is {row!r}, but must be numbers with commas between"
                )
            return [int(word) for word in row.split(",")]
        letters = [piece.letter for piece in self._all]
        found: list[int] = []
        for token in re.findall("[0-9]{1,2}|.", row):
            if token.isdigit():
                found += [0] * int(token)
            elif token in letters:
                found.append(letters.index(token))
            else:
                able = ", ".join(letters[1:])
                raise ValueError(f"row {number} is {row!r}, but can hold only {able} and numbers")
        return found

    def draw(self, b: Record, s: Record) -> str:
        """Draw the board in plain text, with its coordinates."""
        layout, standing = self.layout_of(b), self.standing(b, s)
        upper = [piece.letter.upper() for piece in self._all]
        letters = upper if len(set(upper)) == len(upper) else [p.letter for p in self._all]

        def letter(place: Place, number: int) -> str:
            if place.kind == "line":
                (_, y), (_, end) = place.outline
                return "" if number == 0 else "-" if y == end else "|"
            if self.pieces is None:
                return str(number)
            boxed = number == 0 and _is_lined(layout)
            return "" if boxed else letters[number]

        return draw_places(
            layout, [letter(*each) for each in zip(layout.places, standing, strict=True)]
        )

    # ---- the picture ---------------------------------------------------------------------------

    def scene(self, position: Position) -> Scene:
        """Return the picture of a position."""
        from plywise.kit.picture import picture

        return picture(self, position)


def _in_sets(words: Sequence[int], count: int) -> list[int]:
    """Return for each place the number of the set that holds it, from 1 up; 0 if none does."""
    return [
        next((number for number, word in enumerate(words, 1) if word >> place & 1), 0)
        for place in range(count)
    ]


class _Frozen:
    """A board record as the key of a cache."""

    def __init__(self, b: Record) -> None:
        self.b = b
        self.text = b.tobytes()

    def __hash__(self) -> int:
        return hash(self.text)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Frozen) and self.text == other.text


@lru_cache(maxsize=256)
def _layout(make: Callable[[Record], Layout], board: _Frozen) -> Layout:
    return make(board.b)


def _is_lined(layout: Layout) -> bool:
    """True if lines are played on."""
    return any(place.kind == "line" for place in layout.places)
