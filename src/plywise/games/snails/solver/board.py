"""What the solver of Snails works on: boards of up to 64 cells, so that a set is one word.

A node is a position of the search, with everything computed about it. Rotating the board by half a
turn swaps the two players, and on a square board the mirror image is the same game, so a trail is
kept in four views: as it is, mirrored, rotated, rotated and mirrored.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from plywise.core.game import Record
from plywise.games.snails.board import QUIET
from plywise.games.snails.reach import moves_of
from plywise.games.snails.words import one
from plywise.jit import rule
from plywise.jit.bits import ONE, ZERO, popcount

CELLS = 64
VIEWS = 4
LAYERS = 16  #: sets kept of the cells that a snail reaches in so many moves
MOST_MOVES = 4
beside, ends_of, slid, next_stops = moves_of(one)

BoardTables = np.dtype(
    (
        np.record,
        [
            ("mirrors", "i8"),  # 2 on a square board: each view has a mirror image
            ("turns", "i8"),  # 1 if rotating swaps the players: there are no walls
            ("shift", "u8", (4,)),  # how many bits a step is
            ("leave", "u8", (4, 1)),  # cells from which a step stays on the board
            ("step", "i8", (4, CELLS)),  # the neighbour, or -1
            ("image", "i8", (VIEWS, CELLS)),  # where a cell is in a view
        ],
    )
)

#: A position being searched, and what is known about it.
Node = np.dtype(
    (
        np.record,
        [
            ("own", "u8", (2,)),
            ("free", "u8"),
            ("trail", "u8", (VIEWS, 2)),  # the trails in every view
            ("at", "i8", (2,)),
            ("turn", "i8"),
            ("clock", "i8"),  # plies left without a claim until the game ends
            ("chaser", "i8"),  # the player who fails if the clock runs out
            ("move", "i8"),  # the move that led here
            ("claim", "i8"),  # 1 if that was a claim
            ("reach", "u8", (2,)),  # cells that a snail can still reach
            ("layers", "u8", (2, LAYERS)),  # cells that it reaches in 0, 1, 2 ... moves
            ("depth", "i8", (2,)),  # how many layers there are
            ("key", "u8", (3,)),
            ("fails", "i8"),  # from the table, see table.py
            ("wins", "i8"),
            ("winner", "i8"),  # the player who succeeds, or OPEN
            ("bound", "i8"),  # for which clocks that holds, see kernel.py
            ("proof", "i8"),  # the work left until player 0 is proved to succeed
            ("disproof", "i8"),  # the same for player 1
            ("most_proof", "i8"),  # the search leaves the node when proof reaches this,
            ("most_disproof", "i8"),  # or disproof this
            ("children", "i8"),
            ("nodes", "i8"),  # the count when its search began
        ],
    )
)


def tables_of(board: Any, walls: bool) -> Any:
    """Fill the tables of a board of at most 64 cells."""
    rows, cols, cells = int(board.rows), int(board.cols), int(board.cells)
    tables = np.zeros(1, BoardTables).view(np.recarray)[0]
    tables.mirrors = 2 if rows == cols and not walls else 1
    tables.turns = 0 if walls else 1
    tables.shift[:] = board.shift
    tables.leave[:] = board.leave[:, :1]
    tables.step[:] = board.step[:, :CELLS]
    for cell in range(cells):
        row, col = divmod(cell, cols)
        mirrored = col * cols + row if rows == cols else cell
        tables.image[:, cell] = cell, mirrored, cells - 1 - cell, cells - 1 - mirrored
    return tables


def write_node(tables: Any, state: Any, node: Any) -> None:
    """Write a position into a node, without what is computed later."""
    node.own[:] = state.own[:, 0]
    node.free = state.free[0]
    node.at[:] = state.at
    node.turn = state.turn
    node.clock = QUIET - int(state.quiet)
    for view in range(VIEWS):
        for player in range(2):
            cells = int(state.own[player, 0])
            image = [int(tables.image[view, cell]) for cell in range(CELLS) if cells >> cell & 1]
            node.trail[view, player] = sum(1 << cell for cell in image)


@rule
def reach(b: Record, own: Any, free: Any, at: int) -> Any:
    """The empty cells that a snail can reach."""
    ends = ends_of(b, own)
    front = ONE << np.uint64(at)
    seen = front
    while front != ZERO:
        front = next_stops(b, own, free, ends, seen, front)
        seen |= front
    return seen & free


@rule
def spread_out(b: Record, node: Record, player: int) -> None:
    """Compute the layers of a snail, and its reach. The last layer has all the rest."""
    own = node.own[player]
    free = node.free
    ends = ends_of(b, own)
    front = ONE << np.uint64(node.at[player])
    seen = front
    depth = 0
    while front != ZERO:
        if depth < LAYERS:
            node.layers[player, depth] = seen & free
            depth += 1
        front = next_stops(b, own, free, ends, seen, front)
        seen |= front
    node.layers[player, depth - 1] = seen & free
    node.depth[player] = depth
    node.reach[player] = seen & free


@rule
def within(node: Record, player: int, moves: int) -> Any:
    """A superset of the empty cells that a snail can reach within so many moves."""
    return node.layers[player, min(moves, node.depth[player] - 1)]


@rule
def nearer(node: Record) -> int:
    """Empty cells that player 0 reaches in fewer moves than player 1, less the opposite."""
    lead = 0
    before = ZERO
    others_before = ZERO
    for moves in range(max(node.depth[0], node.depth[1])):
        mine = within(node, 0, moves)
        others = within(node, 1, moves)
        lead += popcount(mine & ~before & ~others) - popcount(others & ~others_before & ~mine)
        before = mine
        others_before = others
    return lead


@rule
def lead_of(node: Record) -> int:
    """How many cells player 0 is ahead."""
    return popcount(node.own[0]) - popcount(node.own[1])
