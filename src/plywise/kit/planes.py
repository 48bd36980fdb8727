"""Features for learning: a position as planes of numbers, seen by the side to move.

Every game with a Look has them. The array has a plane for each of these, in this order:

    the mover's pieces, a plane for each kind: 1 where one stands, else 0
    the opponent's pieces, in the same order
    pieces of nobody, such as walls, a plane for each kind
    the numbers that `Look.also` names, each the same all over its plane
    the side to move: 0 for the first player, 1 for the second
    the board: 1 where there is a place, if the array has room for more

A look that shows numbers has, in place of pieces, the numbers on the mover's places, on the
opponent's, and on those of nobody. A field of `Look.also` with two numbers has one for each
player: the mover's comes first. Nothing is scaled.

A plane has rows and columns on a board of squares or hexagons, from a1 on, as places are numbered;
a hexagon lies in it with its leaning columns upright. Other boards have one row of places.
"""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, Any

import numpy as np

from plywise.errors import Unsupported
from plywise.kit.look import Look, in_sets

if TYPE_CHECKING:
    from plywise.core.game import Game
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
    return plan_of(game).shape


def write_features(game: Game, states: Array, out: Array, players: Array | None = None) -> None:
    """Write the planes of many states, such as `Position.states`, into the rows of `out`.

    They are seen by the side to move, or by the `players` (0 or 1), one for each state.
    """
    plan = plan_of(game)
    if out.shape != (len(states), *plan.shape):
        raise ValueError(
            f"out has the shape {out.shape}, but must have {(len(states), *plan.shape)}"
        )
    numbers = plan.numbers(states)
    turns = plan.turns(states) if players is None else players.astype(np.intp)
    out[:] = 0
    row, place = np.nonzero(numbers)
    found = numbers[row, place]
    if plan.look.pieces is None:
        plane = plan.table[turns[row], plan.owners[place]]
        value: Any = found
    else:
        plane = plan.table[turns[row], found]
        value = 1
    at: tuple[Any, ...] = (row, plane, *(axis[place] for axis in plan.slots))
    out[at] = value
    flat = (len(states), *[1] * (out.ndim - 2))
    for number, constant in enumerate(plan.constants(states, turns), plan.pieces):
        out[:, number] = constant.reshape(flat)
    if plan.has_gaps:
        at = (slice(None), -1, *plan.slots)
        out[at] = 1


class Plan:
    """Where everything goes in the planes of one game."""

    def __init__(self, game: Game) -> None:
        look = game.type.look
        if not isinstance(look, Look):
            raise Unsupported(f"{game.name} has no Look, which its features are made from")
        self.game, self.look = game, look
        layout = look.layout_of(game.board)
        self.count = len(layout)
        shape = layout.shape or (self.count,)
        #: where each place is, one array for each axis of a plane
        self.slots = np.unravel_index(np.array(layout.slots or range(self.count)), shape)
        self.has_gaps = int(np.prod(shape)) > self.count
        #: whose place it is: 0, 1, or 2 for nobody
        self.owners = np.array([2 if at.owner is None else at.owner for at in layout.places])
        #: [turn, kind of piece or owner of the place] -> plane
        self.table = self._owners_table() if look.pieces is None else self._pieces_table()
        self.pieces = int(self.table.max()) + 1
        states = np.zeros(1, game.type.state)
        constants = sum(np.size(states[name]) for name in look.also) + 1
        self.shape = (self.pieces + constants + self.has_gaps, *shape)

    def _owners_table(self) -> Array:
        """Give the places of the mover, the opponent and nobody a plane, where there are any."""
        table = np.zeros((2, 3), np.intp)
        owned, nobody = bool((self.owners < 2).any()), bool((self.owners == 2).any())
        for turn in range(2):
            table[turn] = (turn, 1 - turn, 2) if owned and nobody else (turn, 1 - turn, 0)
        return table if owned else np.zeros((2, 3), np.intp)

    def _pieces_table(self) -> Array:
        """Give each kind of piece a plane: the mover's first, then the opponent's."""
        kinds = self.look.kinds
        sides = [
            [number for number, piece in enumerate(kinds) if number and piece.owner == owner]
            for owner in (0, 1, None)
        ]
        each = max(len(sides[0]), len(sides[1]))
        table = np.zeros((2, len(kinds)), np.intp)
        for turn in range(2):
            for first, side in enumerate((sides[turn], sides[1 - turn], sides[2])):
                table[turn, side] = first * each + np.arange(len(side))
        return table

    def numbers(self, states: Array) -> Array:
        """Return what stands on each place of every state."""
        if not isinstance(self.look.contents, str):
            board = self.game.board
            return np.array([self.look.standing(board, state) for state in states])
        found = states[self.look.contents]
        if found.dtype != np.uint64:
            return found.reshape(len(states), -1)[:, : self.count]
        shape = found.shape if found.ndim == 3 else (len(states), -1, 1)
        return in_sets(found.reshape(shape), self.count)

    def turns(self, states: Array) -> Array:
        """Return the side to move of every state."""
        if self.look.turn in (states.dtype.names or ()):
            return states[self.look.turn].astype(np.intp)
        turn, board = self.game.rules.turn, self.game.board
        return np.array([int(turn(board, state)) for state in states])

    def constants(self, states: Array, turns: Array) -> list[Array]:
        """Return the numbers that fill a plane each: those of `also`, then the side to move."""
        found: list[Array] = []
        for name in self.look.also:
            field = states[name].reshape(len(states), -1)
            if field.shape[1] == 2:
                field = np.where(turns[:, None] == 0, field, field[:, ::-1])
            found += list(field.T)
        return [*found, turns]


@lru_cache(maxsize=64)
def plan_of(game: Game) -> Plan:
    """Return where everything goes in the planes of a game."""
    return Plan(game)
