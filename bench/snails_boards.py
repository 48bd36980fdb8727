"""Solving Snails: the outcome of whole boards, and of the one reply that loses on the usual one."""

from __future__ import annotations

from collections.abc import Iterator

import plywise
from bench.measure import Bench, Quantity, Row
from plywise.games.snails.solver import SnailsSolver

#: Rows, columns and the outcome for the first player.
SMALL = (
    (4, 4, "draw"),
    (4, 5, "draw"),
    (4, 6, "draw"),
    (4, 7, "draw"),
    (4, 8, "draw"),
    (4, 9, "draw"),
    (4, 10, "draw"),
    (5, 5, "win"),
    (5, 6, "draw"),
    (5, 7, "win"),
    (5, 8, "draw"),
    (6, 6, "draw"),
    (6, 7, "draw"),
    (7, 7, "win"),
)
LARGE = (
    (5, 9, "win"),
    (5, 10, "draw"),
    (6, 8, "draw"),
    (6, 9, "draw"),
    (7, 8, "draw"),
    (7, 9, "win"),
    (8, 8, "draw"),
)


def solve(quick: bool) -> Iterator[Row]:
    """Solve each board from its start, then the reply that loses, each with a fresh solver."""
    for rows, cols, known in SMALL if quick else (*SMALL, *LARGE):
        yield solved(rows, cols, "", known)
    if not quick:
        yield solved(8, 8, "ul", "win")


def solved(rows: int, cols: int, moves: str, known: str) -> Row:
    """Solve a position."""
    own = SnailsSolver(plywise.game(f"snails:rows={rows},cols={cols}"))
    analysis = own.solve(own.game.position(moves))
    return Row(
        f"{rows} x {cols}{moves and f', after {moves}'}",
        f"{analysis.outcome}, {Quantity(analysis.nodes, 'nodes')}",
        Quantity(own.table.nbytes / 1e6, "MB"),
        Quantity(analysis.seconds, "s"),
        right=analysis.outcome == known,
    )


BOARDS = Bench(
    "snails-boards",
    "Outcomes of whole boards of Snails",
    "The first player's outcome from the start; one run each, in thread time.",
    "table",
    solve,
)
