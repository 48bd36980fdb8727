"""The rules of Snails. A move is a direction: 0 up, 1 right, 2 down, 3 left."""

from __future__ import annotations

from typing import Any

import numpy as np

from plywise.core.game import Record
from plywise.games.snails.board import CELLS, QUIET, WORDS
from plywise.games.snails.reach import reach, reached_first
from plywise.games.snails.words.three import Words, cells_of, count, some, union, without
from plywise.jit import rule
from plywise.jit.bits import ONE, ZERO, has, index_of, lowest

CELL = 10  #: value of a claimed cell, where a cell reached first counts 1, see evaluate
NEARER = 8
EVERY = CELLS + 1  #: more than all cells: do not stop early
WALL = 2  #: the owner of cells that nobody can reach


@rule
def setup(b: Record, s: Record) -> None:
    """Player 0 bottom left, player 1 top right, each on a cell of its own."""
    s.quiet = 0
    s.turn = 0
    place(b, s, 0, b.cells - 1)
    take(b, s, 0, 0)
    take(b, s, 1, b.cells - 1)


@rule
def place(b: Record, s: Record, first: int, second: int) -> None:
    """Put the snails on an empty board; the cells below them are not taken yet."""
    for word in range(WORDS):
        s.free[word] = b.full[word]
        for player in range(2):
            s.own[player, word] = ZERO
    s.left = b.cells
    s.at[0], s.at[1] = first, second
    for player in range(2):
        s.score[player] = 0
        s.stuck[player] = 0
    for symmetry in range(2):
        s.keys[symmetry] = b.place[symmetry, 0, first] ^ b.place[symmetry, 1, second]


@rule
def moves(b: Record, s: Record, out: Record) -> int:
    """The directions in which the next cell is empty or the mover's own."""
    me = s.turn
    here = s.at[me]
    n = 0
    for direction in range(4):
        cell = b.step[direction, here]
        if cell >= 0 and (has(s.free, cell) or has(s.own[me], cell)):
            out[n] = direction
            n += 1
    return n


@rule
def landing(b: Record, s: Record, move: int) -> int:
    """The cell a legal move ends on: the empty neighbour, or the end of the slide."""
    me = s.turn
    cell = b.step[move, s.at[me]]
    if has(s.free, cell):
        return cell
    following = b.step[move, cell]
    while following >= 0 and has(s.own[me], following):
        cell = following
        following = b.step[move, cell]
    return cell


@rule
def play(b: Record, s: Record, move: int) -> None:
    """Move the snail; decide who is stuck and who moves next."""
    me = s.turn
    cell = landing(b, s, move)
    before = s.left
    for symmetry in range(2):
        s.keys[symmetry] ^= b.place[symmetry, me, s.at[me]] ^ b.place[symmetry, me, cell]
    s.at[me] = cell
    s.quiet += 1
    if has(s.free, cell):
        take(b, s, me, cell)
        s.quiet = 0
    if b.territory == 1 and share(b, s):
        s.quiet = 0
    if s.stuck[me] == 0 and is_stuck(b, s, me):
        s.stuck[me] = 1
    # The opponent's moves have changed only if an empty cell is gone.
    if s.left < before and s.stuck[1 - me] == 0 and is_stuck(b, s, 1 - me):
        s.stuck[1 - me] = 1
    pass_turn(s, 1 - me)


@rule
def pass_turn(s: Record, player: int) -> None:
    """Give the turn to this player, unless they are stuck and the opponent is not."""
    skipped = s.stuck[player] == 1 and s.stuck[1 - player] == 0
    s.turn = 1 - player if skipped else player


@rule
def take(b: Record, s: Record, owner: int, cell: int) -> None:
    """Give an empty cell to a player, or make it a wall."""
    bit = ONE << np.uint64(cell & 63)
    s.free[cell >> 6] &= ~bit
    s.left -= 1
    if owner != WALL:
        s.own[owner, cell >> 6] |= bit
        s.score[owner] += 1
    for symmetry in range(2):
        s.keys[symmetry] ^= b.hash[symmetry, owner, cell]


@rule
def is_stuck(b: Record, s: Record, player: int) -> bool:
    """True if no sequence of slides brings this snail next to an empty cell."""
    here = s.at[player]
    for direction in range(4):
        cell = b.step[direction, here]
        if cell >= 0 and has(s.free, cell):
            return False
    return not some(reach(b, s, player, 1))


@rule
def share(b: Record, s: Record) -> bool:
    """Apply the territory option: cells that only one snail can reach become its own.

    Cells that neither can reach become walls. True if somebody got a cell, which counts as a claim.
    """
    first, second = reach(b, s, 0, EVERY), reach(b, s, 1, EVERY)
    before = s.score[0] + s.score[1]
    give(b, s, 0, without(first, second))
    give(b, s, 1, without(second, first))
    give(b, s, WALL, without(cells_of(s.free), union(first, second)))
    return s.score[0] + s.score[1] > before


@rule
def give(b: Record, s: Record, owner: int, cells: Words) -> None:
    """Give a set of empty cells to a player, or make them walls."""
    for word in range(WORDS):
        rest = cells[word]
        while rest != ZERO:
            bit = lowest(rest)
            rest ^= bit
            take(b, s, owner, 64 * word + index_of(bit))


@rule
def over(b: Record, s: Record) -> bool:
    """Both stuck, more than half, an unbeatable lead, or too long without a claim."""
    high = max(s.score[0], s.score[1])
    low = min(s.score[0], s.score[1])
    if s.stuck[0] == 1 and s.stuck[1] == 1:
        return True
    return 2 * high > b.cells or high > low + s.left or s.quiet >= QUIET


@rule
def margin(b: Record, s: Record) -> int:
    """1 if player 0 has more cells, -1 if fewer. The difference means little: games stop early."""
    return sign(s.score[0] - s.score[1])


@rule
def sign(number: int) -> int:
    """1, 0 or -1."""
    return 1 if number > 0 else -1 if number < 0 else 0


@rule
def key(b: Record, s: Record) -> Any:
    """The smaller hash of the position and its mirror image, with the turn and the quiet plies.

    The quiet plies matter: the same cells with fewer plies left are another position.
    """
    least = s.keys[0]
    if b.symmetries == 2:
        least = min(least, s.keys[1])
    return least ^ b.clock[s.turn, s.quiet]


@rule
def evaluate(b: Record, s: Record) -> int:
    """Cells owned, and empty cells reached in fewer moves than the opponent needs."""
    score = CELL * (s.score[0] - s.score[1]) + NEARER * reached_first(b, s)
    return score if s.turn == 0 else -score


@rule
def bounds(b: Record, s: Record) -> tuple[int, int]:
    """A player who is behind and can reach too few cells to catch up can no longer win."""
    lead = s.score[0] - s.score[1]
    lowest_margin = -1
    highest_margin = 1
    if lead >= 0:
        lowest_margin = sign(lead - count(reach(b, s, 1, lead + 1)))
    if lead <= 0:
        highest_margin = sign(lead + count(reach(b, s, 0, 1 - lead)))
    return lowest_margin, highest_margin


@rule
def promise(b: Record, s: Record, move: int) -> int:
    """Claims first, and among them cells with few exits, which are soonest lost."""
    me = s.turn
    cell = b.step[move, s.at[me]]
    if not has(s.free, cell):
        return 0
    ways = 0
    for direction in range(4):
        following = b.step[direction, cell]
        if following >= 0 and has(s.free, following):
            ways += 1
    return 5 - ways if ways > 0 else 1
