"""The names of cells on a rectangular board.

Cell numbers run from a1 = 0 along the bottom row, then up:

    3 | 6 7 8
    2 | 3 4 5
    1 | 0 1 2
        a b c
"""

from __future__ import annotations

import re


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
