"""Snails in text: moves, positions, the drawing.

A position is its rows from the top, trails as x and o, snails as X and O, walls as #, runs of
empty cells as numbers; then the plies since the last claim, then the side to move:

    7O/7o/8/8/8/8/8/xxX5 0 x
"""

from __future__ import annotations

import re
from collections.abc import Sequence

import numpy as np

from plywise.core.game import Record
from plywise.games.snails import rules
from plywise.games.snails.board import QUIET, WORDS, has
from plywise.jit.bits import ZERO

MOVES = "urdl"
SPOKEN = ("up", "right", "down", "left")  #: the moves, as people say them
LETTERS = "xo"
CODES = {".": 0, "x": 1, "o": 2, "X": 11, "O": 22, "#": -1}  #: of the paper, and of walls


def read_move(b: Record, text: str) -> int:
    """Read a direction by its letter."""
    letter = text.lower()
    if len(letter) != 1 or letter not in MOVES:
        raise ValueError("write a direction: u, r, d or l")
    return MOVES.index(letter)


def split_moves(b: Record, text: str) -> Sequence[str]:
    """One letter per move, with or without spaces."""
    return [letter for letter in text.replace(",", " ") if not letter.isspace()]


def join_moves(b: Record, moves: Sequence[str]) -> str:
    """Write a game the usual way: `ruulrd`."""
    return "".join(moves)


def mark(s: Record, cell: int) -> str:
    """A cell as one letter: `.` empty, `#` a wall, `x` and `o` trails, `X` and `O` snails."""
    if has(s.free, cell):
        return "."
    for player, letter in enumerate(LETTERS):
        if has(s.own[player], cell):
            return letter.upper() if s.at[player] == cell else letter
    return "#"


def marks(b: Record, s: Record) -> list[list[str]]:
    """Every cell, row by row from the bottom."""
    rows, cols = int(b.rows), int(b.cols)
    return [[mark(s, row * cols + col) for col in range(cols)] for row in range(rows)]


def codes(b: Record, s: Record) -> list[list[int]]:
    """Return the board as the numbers of the paper's figure 3, row by row from the top.

    An empty cell is 0, a trail 1 or 2, a snail 11 or 22. A wall, which the paper does not have,
    is -1.

    >>> import plywise
    >>> position = plywise.game("snails:rows=4,cols=4").position("rl")
    >>> codes(position.game.board, position.state)
    [[0, 0, 22, 2], [0, 0, 0, 0], [0, 0, 0, 0], [1, 11, 0, 0]]
    """
    return [[CODES[letter] for letter in row] for row in reversed(marks(b, s))]


def to_text(b: Record, s: Record) -> str:
    """The canonical text."""
    rows = ["".join(row) for row in reversed(marks(b, s))]
    short = "/".join(re.sub(r"\.+", lambda run: str(len(run[0])), row) for row in rows)
    return f"{short} {int(s.quiet)} {LETTERS[s.turn]}"


def from_text(b: Record, s: Record, text: str) -> None:
    """Set up a position: any trails, with one snail each."""
    words = text.split()
    if len(words) != 3 or words[2] not in LETTERS:
        raise ValueError(
            "after the rows come the moves since the last claim and the side to move: '... 0 x'"
        )
    if not re.fullmatch(r"[0-9]{1,2}", words[1], re.ASCII) or int(words[1]) > QUIET:
        raise ValueError(f"the moves since the last claim are {words[1]!r}, not 0 to {QUIET}")
    cells = _read_rows(words[0], int(b.rows), int(b.cols))
    for player, letter in enumerate(LETTERS):
        snails = [cell for cell, found in enumerate(cells) if found == letter.upper()]
        if len(snails) != 1:
            raise ValueError(f"there must be one snail {letter.upper()}, not {len(snails)}")
        s.at[player] = snails[0]
        s.score[player] = 0
        s.stuck[player] = 0
    for word in range(WORDS):
        s.own[:, word] = ZERO
        s.free[word] = b.full[word]
    s.left = b.cells
    for symmetry in range(2):
        s.keys[symmetry] = np.bitwise_xor(
            b.place[symmetry, 0, s.at[0]], b.place[symmetry, 1, s.at[1]]
        )
    for cell, found in enumerate(cells):
        if found != ".":
            rules.take(b, s, "xo#".index(found.lower()), cell)
    s.quiet = int(words[1])
    for player in range(2):
        s.stuck[player] = rules.is_stuck(b, s, player)
    rules.pass_turn(s, LETTERS.index(words[2]))


def _read_rows(text: str, rows: int, cols: int) -> list[str]:
    """The letters of all cells, from a1."""
    parts = text.split("/")
    if len(parts) != rows:
        raise ValueError(f"{len(parts)} rows are given, the board has {rows}")
    cells: list[str] = []
    for number, part in enumerate(reversed(parts), 1):
        if re.fullmatch(r"([.xXoO#]|[1-9][0-9]?)*", part, re.ASCII) is None:
            raise ValueError(
                f"row {number} is {part!r}, but may hold only x, X, o, O, # and numbers"
            )
        row = re.sub(r"[1-9][0-9]?", lambda run: "." * int(run[0]), part)
        if len(row) != cols:
            raise ValueError(f"row {number} has {len(row)} cells, the board has {cols} columns")
        cells += row
    return cells


def draw(b: Record, s: Record) -> str:
    """The board with its coordinates: trails small, snails large."""
    margin = len(str(int(b.rows)))
    lines = [f"{number:>{margin}}  {' '.join(row)}" for number, row in enumerate(marks(b, s), 1)]
    letters = (chr(ord("a") + col) for col in range(int(b.cols)))
    return "\n".join([*reversed(lines), f"{'':>{margin}}  {' '.join(letters)}"])


def reason(b: Record, s: Record) -> str:
    """Say why the game is over."""
    high, low = max(map(int, s.score)), min(map(int, s.score))
    cells = f"{int(s.score[0])} cells to {int(s.score[1])}"
    if 2 * high > int(b.cells):
        return f"{cells}, more than half of the board"
    if s.stuck[0] and s.stuck[1]:
        return f"{cells}, both snails are stuck"
    if high > low + int(s.left):
        return f"{cells}, and {int(s.left)} left" if s.left else f"{cells}, the board is full"
    return f"{cells}, {QUIET} moves without a claim"
