"""Andantino in text: moves, positions, the drawing.

A position is its rows from the top (number 19 on the largest board), black as x, white as o, runs
of empty cells as numbers; then the side to move. After j10 k10 j11 on side 4:

    4/5/6/3xo2/3x2/5/4 o
"""

from __future__ import annotations

import re

from plywise.core.game import Record
from plywise.games.andantino import rules
from plywise.games.andantino.board import EMPTY, OUT
from plywise.jit.bits import ZERO
from plywise.kit.words import number_word

MARKS = ".xo"
COLOURS = ("black", "white")


def rows_of(b: Record) -> list[list[int]]:
    """The cells row by row, from the bottom."""
    side, rows = int(b.side), []
    cell = 0
    for r in range(1 - side, side):
        rows.append(list(range(cell, cell + 2 * side - 1 - abs(r))))
        cell += len(rows[-1])
    return rows


def read_move(b: Record, text: str) -> int:
    """Read a cell by its letter and its number."""
    low, high = 10 - int(b.side), 8 + int(b.side)
    match = re.fullmatch(r"([a-z])([1-9][0-9]?)", text.lower(), re.ASCII)
    if match is None:
        raise ValueError("write a letter and a number: j10 is the middle")
    letter, number = ord(match[1]) - ord("a"), int(match[2]) - 1
    q, r = letter - 9, number - 9
    if max(abs(q), abs(r), abs(q + r)) >= b.side:
        raise ValueError(
            f"{text} is off the hexagon: its letters go from {chr(ord('a') + low)} to "
            f"{chr(ord('a') + high)}, its numbers from {low + 1} to {high + 1}"
        )
    return from_cube(b, (q + r, -q, -r))


def to_cube(b: Record, cell: int) -> tuple[int, int, int]:
    """Return the cube coordinates (q, r, s) of a cell, as the paper counts them.

    Direction d of the paper's table 1 is direction d here, so the step to the right is (1, -1, 0)
    and the step up to the right (1, 0, -1). The sum is always 0.

    >>> import plywise
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
    return next(cell for cell in rows_of(b)[r + most] if b.q[cell] == q)


def to_text(b: Record, s: Record) -> str:
    """The canonical text."""
    lines = ["".join(MARKS[s.mark[cell]] for cell in row) for row in reversed(rows_of(b))]
    short = "/".join(re.sub(r"\.+", lambda run: str(len(run[0])), line) for line in lines)
    return f"{short} {MARKS[s.turn + 1]}"


def from_text(b: Record, s: Record, text: str) -> None:
    """Set up a position: any stones that leave a legal move or end the game."""
    board, _, mover = text.strip().lower().partition(" ")
    if mover.strip() not in ("x", "o"):
        raise ValueError("after the rows come a space and the side to move, x or o")
    turn = MARKS.index(mover.strip()) - 1
    rows, parts = rows_of(b), board.split("/")
    if len(parts) != len(rows):
        raise ValueError(f"{len(parts)} rows are given, the board has {len(rows)}")
    done = [0, 0]
    for row, part in zip(reversed(rows), parts, strict=True):
        for cell, mark in zip(row, _read_row(b, part, row), strict=True):
            if mark != ".":
                player = MARKS.index(mark) - 1
                found = rules.place(b, s, player, cell)
                done[player] |= found & (rules.LINE | rules.RING_CLOSED)
                if found & rules.WALKED_IN:
                    done[1 - player] |= rules.RING_CLOSED
    if all(did & rules.LINE for did in done):
        raise ValueError("both players have five in a line")
    s.turn = turn
    last = 1 - turn  # the player who moved last takes precedence
    winner = last if done[last] else turn if done[turn] else None
    s.won = 0 if winner is None else winner + 1
    if winner is None and s.filled < b.cells and all(word == ZERO for word in s.legal):
        raise ValueError("no empty cell touches two stones, so there is no legal move")


def _read_row(b: Record, part: str, row: list[int]) -> str:
    """The marks of a row, one for each cell."""
    number = int(b.r[row[0]]) + 10
    if re.fullmatch(r"([.xo]|[1-9][0-9]?)*", part, re.ASCII) is None:
        raise ValueError(f"row {number} is {part!r}, but may hold only x, o and numbers")
    marks = re.sub(r"[0-9]+", lambda run: "." * int(run[0]), part)
    if len(marks) != len(row):
        raise ValueError(f"row {number} has {len(marks)} cells, the board has {len(row)} there")
    return marks


def draw(b: Record, s: Record) -> str:
    """The board with its coordinates: numbers of rows, letters of leaning columns."""
    side = int(b.side)
    rows: dict[int, dict[int, str]] = {r: {} for r in range(-side, side)}
    for cell in range(int(b.cells)):
        q, r = int(b.q[cell]), int(b.r[cell])
        rows[r][2 * q + r] = MARKS[s.mark[cell]].upper()
    for end in range(1 - side, side):
        letter, number = label_places(side, end)
        rows[letter[1]][2 * letter[0] + letter[1]] = letter_of(end)
        rows[number[1]][2 * number[0] + number[1]] = str(end + 10)
    left = min(min(row) for row in rows.values())
    lines = []
    for r in reversed(rows):
        line = ""
        for place in sorted(rows[r]):
            line = line.ljust(place - left) + rows[r][place]
        lines.append(line)
    return "\n".join(lines)


def label_places(side: int, end: int) -> tuple[tuple[int, int], tuple[int, int]]:
    """Where to put the letter of q = end and the number of r = end: just beyond the rim."""
    return (end, max(-side, -side - end)), (min(side, side - end), end)


def letter_of(q: int) -> str:
    """The letter of a column."""
    return chr(ord("j") + q)


def reason(b: Record, s: Record) -> str:
    """Say why the game is over."""
    if s.won == 0:
        return "the board is full"
    winner = int(s.won) - 1
    if s.count[winner, 5]:
        return f"{COLOURS[winner]} has five in a line"
    count = len(enclosed(b, s, winner)[1])
    stones = "a stone" if count == 1 else f"{number_word(count)} stones"
    return f"{COLOURS[winner]} encloses {stones}"


def enclosed(b: Record, s: Record, player: int) -> tuple[set[int], set[int]]:
    """The cells inside a player's rings, and the opponent's stones among them."""
    mine, inside = player + 1, set(range(int(b.cells)))
    waiting = [cell for cell in inside if OUT in b.step[cell] and s.mark[cell] != mine]
    inside -= set(waiting)
    while waiting:  # everything connected to the rim is outside
        for beside in map(int, b.step[waiting.pop()]):
            if beside in inside and s.mark[beside] != mine:
                inside.remove(beside)
                waiting.append(beside)
    inside = {cell for cell in inside if s.mark[cell] != mine}
    caught = {cell for cell in inside if s.mark[cell] != EMPTY}
    return inside, caught
