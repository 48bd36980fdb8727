"""Writes the planes of many states as bytes, compiled: what batches of games show.

The planes are those of `plywise.kit.planes`. Numbers are kept modulo 256, so -1 is 255. First comes
what stands on each place, a row of numbers for every state:

    a field of numbers      is that already
    a field of sets         is spread by `spread_kernel`
    a function              is computed by its compiled twin, `Look.fill`

Then `paint_kernel` writes the planes. A function without a compiled twin is left to NumPy and
Python, which is right too but slow.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from plywise.core.game import Game, Record, Verb
from plywise.errors import RulesError
from plywise.jit import kernel, rule
from plywise.jit.guards import roomy
from plywise.kit.planes import Array, plan_of, write_features
from plywise.kit.sight import mark_places


class PlaneWriter:
    """Writes the planes of one game's states, for one thread at a time."""

    def __init__(self, game: Game) -> None:
        self.game, self.plan = game, plan_of(game)
        look, self.shape = self.plan.look, self.plan.shape
        slots = np.ravel_multi_index(self.plan.slots, self.shape[1:])
        # Words without a sign: the compiler need not ask whether an index counts from the end.
        self._slots = slots.astype(np.uint32)
        self._table = self.plan.table.astype(np.uint32)
        self._constants = self.shape[0] - self.plan.pieces - int(self.plan.has_gaps)
        self._field = look.contents if isinstance(look.contents, str) else None
        self._sets = self._field is not None and game.type.state[self._field].base == np.uint64
        in_order = bool((slots == np.arange(len(slots))).all())
        if look.pieces is None:
            self._paint = paint_kernel.build(paint=number_on)
        elif in_order and (self._sets or self._field is None):
            self._paint = stamp_kernel.build()
        else:
            self._paint = paint_kernel.build(paint=piece_on)
        self._fill = None if look.fill is None else fill_kernel.build(fill=look.fill)
        self._spread = spread_kernel.build()
        self._compiled = self._field is not None or self._fill is not None
        self._scratch = roomy((0, self.plan.count), np.int16)

    @property
    def high(self) -> Array:
        """The largest number on each place of the planes: 1, or 255 for numbers that are shown."""
        plan = self.plan
        most = np.ones(self.shape, np.uint8)
        most[plan.pieces : plan.pieces + self._constants - 1] = 255
        if plan.look.pieces is None:
            most[: plan.pieces] = 255
        return most

    def write(self, states: Array, turns: Array, out: Array) -> None:
        """Write the planes of each state, seen by the player in `turns`, into a row of `out`."""
        if not self._compiled:
            write_features(self.game, states, out, turns)
            return
        numbers, plan = self._numbers(states), self.plan
        if self._constants == 1:  # the side to move alone
            constants = turns[None]
        else:
            found = plan.constants(states, turns)
            constants = np.array([each.astype(np.uint8) for each in found])
        rows = out.reshape(len(states), self.shape[0], -1)
        wrong = self._paint(
            numbers, turns, constants, self._table, plan.owners, self._slots, plan.has_gaps, rows
        )
        if wrong >= 0:
            state, place = divmod(int(wrong), numbers.shape[1])
            raise RulesError(
                f"{numbers[state, place]} stands on place {place}, but the look of"
                f" {self.game.name} has pieces 1 to {len(plan.look.kinds) - 1}"
            )

    def _numbers(self, states: Array) -> Array:
        """Return what stands on each place of every state."""
        if self._field is not None and not self._sets:
            return states[self._field].reshape(len(states), -1)[:, : self.plan.count]
        if len(self._scratch) < len(states):
            self._scratch = roomy((len(states), self.plan.count), np.int16)
        numbers = self._scratch[: len(states)]
        if self._fill is not None:
            self._fill(self.game.boards, states, numbers)
        else:
            sets = states[self._field]
            self._spread(sets if sets.ndim == 3 else sets.reshape(len(states), -1, 1), numbers)
        return numbers


@kernel
def fill_kernel(fill: Verb) -> Verb:
    """Write what stands on the places of each state, by the look's own rule."""

    def fill_all(board: Record, states: Record, numbers: Record) -> None:
        for i in range(states.size):
            fill(board[0], states[i], numbers[i])

    return fill_all


@kernel
def spread_kernel() -> Verb:
    """Write for each place the number of the first set that holds it, from 1 up."""

    def spread(sets: Record, numbers: Record) -> None:
        for i in range(sets.shape[0]):
            row = numbers[i]
            row[:] = 0
            for k in range(sets.shape[1] - 1, -1, -1):
                for word in range(sets.shape[2]):
                    mark_places(sets[i, k, word], 64 * word, k + 1, row)

    return spread


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
