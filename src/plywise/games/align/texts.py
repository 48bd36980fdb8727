"""Align in words: the text of a position, the board in plain text, why a game is over."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from plywise.core.game import Record
from plywise.games.align import rules
from plywise.kit import Layout, Look, square_board


def layout(b: Record) -> Layout:
    """Squared paper; with `checkerboard`, every cell has its owner's tint."""
    size = int(b.side)
    board = square_board(size)
    if not b.checkerboard:
        return board
    dark = int(b.allowed[0])
    places = (replace(place, owner=1 - (dark >> n & 1)) for n, place in enumerate(board.places))
    return replace(board, places=tuple(places))


def put(b: Record, s: Record, marks: Sequence[int]) -> None:
    """Set up a position whose points are known."""
    s.room = 2 * b.side * b.room[0]
    s.left = b.cells
    for cell, mark in enumerate(marks):
        if mark:
            rules.fill_cell(b, s, cell, mark - 1)
    most = int(2 * b.side * b.room[0] - s.room)
    if sum(s.score) > most:
        raise ValueError(f"{sum(s.score)} points are too many: these cells score at most {most}")
    if b.checkerboard:
        _check_colours(b, s)


LOOK = Look(layout, "own", put=put, style="crosses", also=("score",))


def to_text(b: Record, s: Record) -> str:
    """Rows from the top, the points of X and O, then the side to move: `6/6/6/6/6/xox3 3-0 o`."""
    board, mover, points = LOOK.to_text(b, s).split()
    return f"{board} {points.replace(',', '-')} {mover}"


def from_text(b: Record, s: Record, text: str) -> None:
    """Set up a position. Without points in the text, both start at 0."""
    board, *points, mover = text.split() if len(text.split()) > 1 else (text, "")
    if mover.lower() not in ("x", "o"):
        raise ValueError("at the end, write the side to move, x or o")
    one, two = _read_points(points)
    LOOK.from_text(b, s, f"{board} {mover} {one},{two}")


def _read_points(words: list[str]) -> tuple[int, int]:
    if not words:
        return 0, 0
    match = re.fullmatch(r"([0-9]{1,3})-([0-9]{1,3})", " ".join(words), re.ASCII)
    if match is None:
        raise ValueError(
            "between the rows and the side to move come the points of X and O, such as 3-0"
        )
    return int(match[1]), int(match[2])


def _check_colours(b: Record, s: Record) -> None:
    """Check that marks are on their own colour, and that both can play until the board is full."""
    open_cells = [0, 0]
    for player, name in enumerate("xo"):
        allowed, own, other = (int(bits) for bits in (b.allowed[player], *_both(s, player)))
        if own & ~allowed:
            raise ValueError(f"{name} is on a cell of the other colour")
        open_cells[player] = (allowed & ~(own | other)).bit_count()
    if open_cells[s.turn] - open_cells[1 - s.turn] not in (0, 1):
        raise ValueError(
            f"x has {open_cells[0]} cells left and o has {open_cells[1]}: "
            "the side to move must have the same number or one more"
        )


def _both(s: Record, player: int) -> tuple[int, int]:
    return int(s.own[player]), int(s.own[1 - player])


def draw(b: Record, s: Record) -> str:
    """The board with its coordinates, and the points below."""
    return f"{LOOK.draw(b, s)}\npoints: X {int(s.score[0])}, O {int(s.score[1])}"


def reason(b: Record, s: Record) -> str:
    """Say why the game is over."""
    return f"{int(s.score[0])} to {int(s.score[1])} points"
