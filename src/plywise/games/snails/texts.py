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
from plywise.games.snails.board import QUIET, WORDS
from plywise.jit import rule
from plywise.jit.bits import ONE, ZERO
from plywise.kit import Look, Piece, square_board

MOVES = "urdl"
SPOKEN = ("up", "right", "down", "left")  #: the moves, as people say them
LETTERS = "xo"
PIECES = (
    Piece("x", 0, name="trail of player 1"),
    Piece("o", 1, name="trail of player 2"),
    Piece("X", 0, name="snail of player 1"),
    Piece("O", 1, name="snail of player 2"),
    Piece("#", name="wall"),
)
MARKS = ".xoXO#"  #: an empty cell and the pieces, by number
WALL = 5
WALL_WORD = np.uint64(WALL)
CODES = {".": 0, "x": 1, "o": 2, "X": 11, "O": 22, "#": -1}  #: of the paper, and of walls


def read_move(b: Record, text: str) -> int:
    """Read a direction by its letter."""
    letter = text.lower()
    if len(letter) != 1 or letter not in MOVES:
        raise ValueError("write a direction: u, r, d or l")
    return MOVES.index(letter)


@rule
def cells(b: Record, s: Record, out: Record) -> None:
    """Write what is on each cell, by its number in MARKS, from a1."""
    for word in range(WORDS):  # without branches, since a net reads it at every node
        mine, theirs, free = s.own[0, word], s.own[1, word], s.free[word]
        for cell in range(64 * word, min(64 * word + 64, b.cells)):
            one, two = mine & ONE, theirs & ONE
            out[cell] = one + two + two + (ONE - (one | two | (free & ONE))) * WALL_WORD
            mine >>= ONE
            theirs >>= ONE
            free >>= ONE
    out[s.at[0]] = 3
    out[s.at[1]] = 4


def codes(b: Record, s: Record) -> list[list[int]]:
    """Return the board as the numbers of the paper's figure 3, row by row from the top.

    An empty cell is 0, a trail 1 or 2, a snail 11 or 22. A wall, which the paper does not have,
    is -1.

    >>> import plywise
    >>> position = plywise.game("snails:rows=4,cols=4").position("rl")
    >>> codes(position.game.board, position.state)
    [[0, 0, 22, 2], [0, 0, 0, 0], [0, 0, 0, 0], [1, 11, 0, 0]]
    """
    found = LOOK.standing(b, s)
    return [[CODES[MARKS[found[cell]]] for cell in row] for row in LOOK.layout_of(b).rows]


def put(b: Record, s: Record, found: Sequence[int]) -> None:
    """Set up a position: any trails, with one snail each."""
    for player, letter in enumerate("XO"):
        snails = [cell for cell, number in enumerate(found) if MARKS[number] == letter]
        if len(snails) != 1:
            raise ValueError(f"there must be one snail {letter}, not {len(snails)}")
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
    quiet = int(s.quiet)
    for cell, number in enumerate(found):
        if number:
            rules.take(b, s, "xo#".index(MARKS[number].lower()), cell)
    s.quiet = quiet
    for player in range(2):
        s.stuck[player] = rules.is_stuck(b, s, player)
    rules.pass_turn(s, int(s.turn))


LOOK: Look = Look(
    lambda b: square_board(int(b.rows), int(b.cols)),
    cells,
    PIECES,
    path=lambda b, move: (),  # a direction is not a place
    also=("quiet",),
    put=put,
)


def to_text(b: Record, s: Record) -> str:
    """The canonical text."""
    board, mover, quiet = LOOK.to_text(b, s).split()
    return f"{board} {quiet} {mover}"


def from_text(b: Record, s: Record, text: str) -> None:
    """Set up a position from its text."""
    words = text.split()
    if len(words) != 3 or words[2] not in LETTERS:
        raise ValueError(
            "after the rows come the moves since the last claim and the side to move: '... 0 x'"
        )
    board, quiet, mover = words
    if not re.fullmatch(r"[0-9]{1,2}", quiet, re.ASCII) or int(quiet) > QUIET:
        raise ValueError(f"the moves since the last claim are {quiet!r}, not 0 to {QUIET}")
    LOOK.from_text(b, s, f"{board} {mover} {quiet}")


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


def ending(b: Record, s: Record) -> str:
    """Say how the game was won, in a word or two."""
    if 2 * max(map(int, s.score)) > int(b.cells):
        return "half the board"
    return "both stuck" if s.stuck[0] and s.stuck[1] else "out of reach"
