"""Rectangular boards as text: `a1` cells, position texts like `3/1x1/2o x`, drawings.

A grid is a list of rows from the bottom up, each a list of 0 (empty), 1 (x) or 2 (o). Cell
numbers run from a1 = 0 along the bottom row, then up:

    3 | 6 7 8
    2 | 3 4 5
    1 | 0 1 2
        a b c
"""

from __future__ import annotations

import re
from collections.abc import Sequence

MARKS = ".xo"
Grid = Sequence[Sequence[int]]


def column_text(col: int) -> str:
    """Return the letter of a column; after z come aa, ab and so on.

    >>> column_text(2), column_text(27)
    ('c', 'ab')
    """
    beyond, letter = divmod(col, 26)
    return ("" if beyond == 0 else column_text(beyond - 1)) + chr(ord("a") + letter)


def cell_text(cell: int, cols: int) -> str:
    """Return the name of a cell.

    >>> cell_text(5, 3)
    'c2'
    """
    row, col = divmod(cell, cols)
    return f"{column_text(col)}{row + 1}"


def read_cell(text: str, rows: int, cols: int) -> int:
    """Return the number of the cell that a text names, or raise ValueError.

    >>> read_cell("c2", 3, 3)
    5
    """
    match = re.fullmatch(r"([a-z])([1-9][0-9]?)", text.lower(), re.ASCII)
    last = cell_text(rows * cols - 1, cols)
    if match is None:
        raise ValueError(f"write a column letter and a row number, a1 to {last}")
    col, row = ord(match[1]) - ord("a"), int(match[2]) - 1
    if col >= cols or row >= rows:
        raise ValueError(f"the board goes from a1 to {last}")
    return row * cols + col


def grid_text(grid: Grid, turn: int) -> str:
    """Write a grid: top row first, runs of empty cells as numbers, then the player to move.

    >>> grid_text([[1, 0, 0], [0, 2, 0], [0, 0, 0]], 0)
    '3/1o1/x2 x'
    """
    rows = []
    for row in reversed(grid):
        marks = "".join(MARKS[int(cell)] for cell in row)
        rows.append(re.sub(r"\.+", lambda run: str(len(run[0])), marks))
    return f"{'/'.join(rows)} {MARKS[turn + 1]}"


def read_grid(text: str, rows: int, cols: int) -> tuple[list[list[int]], int]:
    """Return the grid and the turn of a text, or raise ValueError.

    >>> read_grid("3/1o1/x2 x", 3, 3)
    ([[1, 0, 0], [0, 2, 0], [0, 0, 0]], 0)
    """
    board, _, mover = text.strip().lower().partition(" ")
    mover = mover.strip()
    if mover not in ("x", "o"):
        raise ValueError("after the rows, write a space and the player to move, x or o")
    parts = board.split("/")
    if len(parts) != rows:
        raise ValueError(f"this board has {rows} rows, not {len(parts)}")
    grid = [_read_row(part, cols, rows - index) for index, part in enumerate(parts)]
    return grid[::-1], MARKS.index(mover) - 1


def _read_row(part: str, cols: int, number: int) -> list[int]:
    if re.fullmatch(r"([.xo]|[1-9][0-9]?)*", part, re.ASCII) is None:
        raise ValueError(f"row {number} is {part!r}, but can contain only x, o and numbers")
    row: list[int] = []
    for token in re.findall(r"[.xo]|[1-9][0-9]?", part, re.ASCII):
        row += [0] * int(token) if token.isdigit() else [MARKS.index(token)]
    if len(row) != cols:
        raise ValueError(f"row {number} has {len(row)} cells, but the board has {cols} columns")
    return row


def draw_grid(
    grid: Grid, columns: Sequence[str], numbered: bool = True, marks: str = MARKS.upper()
) -> str:
    """Draw the board in plain text, with its coordinates; `marks` are empty, first and second.

    >>> print(draw_grid([[1, 0, 0], [0, 2, 0], [0, 0, 0]], "abc"))
    3  . . .
    2  . O .
    1  X . .
       a b c
    """
    width = max(len(column) for column in columns)
    margin = len(str(len(grid)))
    lines = []
    for number in range(len(grid), 0, -1):
        cells = " ".join(marks[int(cell)].rjust(width) for cell in grid[number - 1])
        lines.append(f"{number:>{margin}}  {cells}" if numbered else cells)
    foot = " ".join(column.rjust(width) for column in columns)
    lines.append(" " * (margin + 2) + foot if numbered else foot)
    return "\n".join(lines)
