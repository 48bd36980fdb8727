"""The cube coordinates in which the paper counts cells."""

from __future__ import annotations

from plywise.core.game import Record
from plywise.games.andantino.look import LOOK


def to_cube(b: Record, cell: int) -> tuple[int, int, int]:
    """Return the cube coordinates (q, r, s) of a cell, as the paper counts them.

    Direction d of the paper's table 1 is direction d here, so the step to the right is (1, -1, 0)
    and the step up to the right (1, 0, -1). The sum is always 0.

    >>> import plywise
    >>> from plywise.games.andantino.look import read_move
    >>> b = plywise.game("andantino").board
    >>> to_cube(b, read_move(b, "k10")), to_cube(b, read_move(b, "j11"))
    ((1, -1, 0), (1, 0, -1))
    """
    q, r = int(b.q[cell]), int(b.r[cell])
    return q + r, -q, -r


def from_cube(b: Record, cube: tuple[int, int, int]) -> int:
    """Return the cell with these cube coordinates; ValueError if there is none."""
    if sum(cube) != 0:
        raise ValueError(f"{cube} is not a cell: the three numbers must add up to 0")
    most = int(b.side) - 1
    if max(map(abs, cube)) > most:
        raise ValueError(f"{cube} is off the hexagon: each number is at most {most} either way")
    _, q, r = (-number for number in cube)
    return next(cell for cell in LOOK.layout_of(b).rows[most - r] if b.q[cell] == q)
