"""Features for learning: a position as planes of numbers, seen by the side to move.

Every game with a Look has them; a compiled loop writes them. The array has a plane for each of
these, in this order:

    the mover's pieces, a plane for each kind: 1 where one stands, else 0
    the opponent's pieces, in the same order
    pieces of nobody, such as walls, a plane for each kind
    the numbers that `Look.also` names, each the same all over its plane
    the side to move: 0 for the first player, 1 for the second
    the board: 1 where there is a place, if the array has room for more

A look that shows numbers has, in place of pieces, the numbers on the mover's places, on the
opponent's, and on those of nobody. A field of `Look.also` with two numbers has one for each
player: the mover's comes first. Nothing is scaled; an array of bytes keeps numbers modulo 256.

A plane has rows and columns on a board of squares or hexagons, from a1 on, as places are numbered;
a hexagon lies in it with its leaning columns upright. Other boards have one row of places.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property, lru_cache
from typing import TYPE_CHECKING, Any

import numpy as np

from plywise.core.game import Game, Record, Verb
from plywise.errors import RulesError, Unsupported
from plywise.jit import kernel, rule
from plywise.jit.kernels import roomy
from plywise.kit.look import Look
from plywise.kit.sight import reader_of

if TYPE_CHECKING:
    from plywise.core.position import Position

Array = np.ndarray[Any, np.dtype[Any]]


def features(position: Position, out: Array | None = None) -> Array:
    """Return the planes of a position, written into `out` if it is given.

    >>> import plywise
    >>> planes = features(plywise.game("tictactoe").position("a1 b2"))
    >>> planes.shape, planes[0].tolist()
    ((3, 3, 3), [[1.0, 0.0, 0.0], [0.0, 0.0, 0.0], [0.0, 0.0, 0.0]])
    """
    if out is None:
        out = np.empty(features_shape(position.game), np.float32)
    write_features(position.game, position.states, out[None])
    return out


def features_shape(game: Game) -> tuple[int, ...]:
    """Return the shape of the planes of a game's positions.

    >>> import plywise
    >>> features_shape(plywise.game("connect4"))
    (3, 6, 7)
    """
    return writer_of(game).shape


def write_features(game: Game, states: Array, out: Array, players: Array | None = None) -> None:
    """Write the planes of many states, such as `Position.states`, into the rows of `out`.

    They are seen by the side to move, or by the `players` (0 or 1), one for each state.
    """
    shape = (len(states), *features_shape(game))
    if out.shape != shape:
        raise ValueError(f"out has the shape {out.shape}, but must have {shape}")
    if players is None:
        players = np.array([int(game.rules.turn(game.board, state)) for state in states], np.uint8)
    direct = out.flags.c_contiguous and out.dtype in (np.uint8, np.float32)
    planes = out if direct else np.empty(shape, np.float32)
    writer_of(game).write(states, players.astype(np.uint8), planes)
    if not direct:
        out[:] = planes


@lru_cache(maxsize=16)
def writer_of(game: Game) -> PlaneWriter:
    """Return what writes the planes of a game."""
    return PlaneWriter(game)


class PlaneWriter:
    """Writes the planes of one game's states, for one thread at a time."""

    def __init__(self, game: Game) -> None:
        look = game.type.look
        if not isinstance(look, Look):
            raise Unsupported(f"{game.name} has no Look, which its features are made from")
        self.game, self.look = game, look
        layout = look.layout_of(game.board)
        self.count = len(layout)
        shape = layout.shape or (self.count,)
        # Words without a sign: the compiler need not ask whether an index counts from the end.
        self._slots = np.array(layout.slots or range(self.count), np.uint32)
        self._has_gaps = int(np.prod(shape)) > self.count
        #: whose place it is: 0, 1, or 2 for nobody
        self._owners = np.array([2 if at.owner is None else at.owner for at in layout.places])
        #: [turn, kind of piece or owner of the place] -> plane
        self._table = self._owners_table() if look.pieces is None else self._pieces_table()
        self._pieces = int(self._table.max()) + 1
        states = np.zeros(1, game.type.state)
        self._constants = sum(np.size(states[name]) for name in look.also) + 1
        self.shape = (self._pieces + self._constants + self._has_gaps, *shape)
        #: the field of the state with the number of every place, if there is one
        self._field = look.contents if isinstance(look.contents, str) else None
        if self._field is not None and game.type.state[self._field].base == np.uint64:
            self._field = None
        self._scratch = roomy((0, self.count), np.int16)

    @cached_property
    def _paint(self) -> Verb:
        """The kernel that writes planes."""
        in_order = bool((self._slots == np.arange(self.count)).all())
        if self.look.pieces is None:
            return paint_kernel.build(paint=number_on)
        if in_order and self._field is None:
            return stamp_kernel.build()
        return paint_kernel.build(paint=piece_on)

    @cached_property
    def _read(self) -> Verb:
        """The kernel that says what stands on each place, unless a field of the state does."""
        return fill_kernel.build(fill=reader_of(self.look, self.game))

    def _owners_table(self) -> Array:
        """Give the places of the mover, the opponent and nobody a plane, where there are any."""
        table = np.zeros((2, 3), np.uint32)
        owned, nobody = bool((self._owners < 2).any()), bool((self._owners == 2).any())
        if owned:
            for turn in range(2):
                table[turn] = (turn, 1 - turn, 2 if nobody else 0)
        return table

    def _pieces_table(self) -> Array:
        """Give each kind of piece a plane: the mover's first, then the opponent's."""
        kinds = self.look.kinds
        sides = [
            [number for number, piece in enumerate(kinds) if number and piece.owner == owner]
            for owner in (0, 1, None)
        ]
        each = max(len(sides[0]), len(sides[1]))
        table = np.zeros((2, len(kinds)), np.uint32)
        for turn in range(2):
            for first, side in enumerate((sides[turn], sides[1 - turn], sides[2])):
                table[turn, side] = first * each + np.arange(len(side))
        return table

    @property
    def high(self) -> Array:
        """The largest number on each place of the planes: 1, or 255 for numbers that are shown."""
        most = np.ones(self.shape, np.uint8)
        most[self._pieces : self._pieces + self._constants - 1] = 255
        if self.look.pieces is None:
            most[: self._pieces] = 255
        return most

    def write(self, states: Array, turns: Array, out: Array) -> None:
        """Write the planes of each state, seen by the player in `turns`, into a row of `out`."""
        numbers = self._numbers(states)
        constants = turns[None]
        if self._constants > 1:
            found = (*self._also(states, turns), turns)
            constants = np.array([each.astype(out.dtype) for each in found])
        rows = out.reshape(len(states), self.shape[0], -1)
        wrong = self._paint(
            numbers, turns, constants, self._table, self._owners, self._slots, self._has_gaps, rows
        )
        if wrong >= 0:
            state, place = divmod(int(wrong), numbers.shape[1])
            raise RulesError(
                f"{numbers[state, place]} stands on place {place}, but the look of"
                f" {self.game.name} has pieces 1 to {len(self.look.kinds) - 1}"
            )

    def _also(self, states: Array, turns: Array) -> Iterator[Array]:
        """Yield the numbers of `Look.also`, which fill a plane each."""
        for name in self.look.also:
            field = states[name].reshape(len(states), -1)
            if field.shape[1] == 2:
                field = np.where(turns[:, None] == 0, field, field[:, ::-1])
            yield from field.T

    def _numbers(self, states: Array) -> Array:
        """Return what stands on each place of every state."""
        if self._field is not None:
            return states[self._field].reshape(len(states), -1)[:, : self.count]
        if len(self._scratch) < len(states):
            self._scratch = roomy((len(states), self.count), np.int16)
        numbers = self._scratch[: len(states)]
        self._read(self.game.boards, states, numbers)
        return numbers


@kernel
def fill_kernel(fill: Verb) -> Verb:
    """Write what stands on the places of each state."""

    def fill_all(board: Record, states: Record, numbers: Record) -> None:
        for i in range(states.size):
            fill(board[0], states[i], numbers[i])

    return fill_all


@rule
def piece_on(number: int, owner: int) -> tuple[int, int]:
    """Give a piece the plane of its kind, with a 1."""
    return number, 1


@rule
def number_on(number: int, owner: int) -> tuple[int, int]:
    """Give a number the plane of its place's owner."""
    return owner, number


@rule
def paint_constants(row: Record, constants: Record, i: int, slots: Record, has_gaps: bool) -> None:
    """Write the planes with one number each, and the shape of the board if it has gaps."""
    last = row.shape[0] - 1
    first = last + 1 - constants.shape[0] - int(has_gaps)
    for k in range(constants.shape[0]):
        row[first + k] = constants[k, i]
    if has_gaps:
        row[last] = 0
        for slot in slots:
            row[last, slot] = 1


@kernel
def paint_kernel(paint: Verb) -> Verb:
    """Write planes; return -1, or the state and place (as one number) of an unknown piece."""

    def paint_all(
        numbers: Record,
        turns: Record,
        constants: Record,
        table: Record,
        owners: Record,
        slots: Record,
        has_gaps: bool,
        out: Record,
    ) -> Any:
        places = numbers.shape[1]
        first = out.shape[1] - constants.shape[0] - int(has_gaps)
        for i in range(numbers.shape[0]):
            row, turn = out[i], turns[i]
            row[:first] = 0
            for place in range(places):
                number = np.int64(numbers[i, place])
                if number != 0:
                    kind, value = paint(number, owners[place])
                    if kind < 0 or kind >= table.shape[1]:
                        return i * places + place
                    row[table[turn, np.uint64(kind)], slots[place]] = value
            paint_constants(row, constants, i, slots, has_gaps)
        return -1

    return paint_all


@kernel
def stamp_kernel() -> Verb:
    """Do the same for pieces on places in order: kind after kind, many places at a time."""

    def stamp_all(
        numbers: Record,
        turns: Record,
        constants: Record,
        table: Record,
        owners: Record,
        slots: Record,
        has_gaps: bool,
        out: Record,
    ) -> Any:
        places = numbers.shape[1]
        first = out.shape[1] - constants.shape[0] - int(has_gaps)
        for i in range(numbers.shape[0]):
            row, standing, turn = out[i], numbers[i], turns[i]
            row[:first] = 0
            most = np.uint16(0)
            for place in range(places):
                most = max(most, np.uint16(standing[place]))  # a negative number becomes large
            if most >= table.shape[1]:
                for place in range(places):
                    if np.uint16(standing[place]) == most:
                        return i * places + place
            for kind in range(1, table.shape[1]):
                plane = row[table[turn, kind]]
                for place in range(places):
                    plane[place] = standing[place] == kind
            paint_constants(row, constants, i, slots, has_gaps)
        return -1

    return stamp_all
