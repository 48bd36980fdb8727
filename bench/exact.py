"""Exact work: solving boards of m,n,k games, and counting positions of Connect-4."""

from __future__ import annotations

import time
from collections.abc import Iterator
from functools import partial

import plywise
from bench.measure import Bench, Quantity, Row, alternate
from plywise.engines.perft import perft

WITHIN = 60.0  #: seconds within which a small board must be solved

#: Boards, with the known result for the first player.
SMALL = (
    ("rows=3", "draw"),
    ("rows=3,cols=4,k=3", "win"),
    ("rows=4,k=3", "win"),
    ("rows=4,k=4", "draw"),
    ("rows=5,k=5", "draw"),
)
#: The same, where a proof is welcome but not required.
LARGE = (("rows=5,k=4", "draw"), ("rows=5,cols=6,k=4", "win"))

#: The number of Connect-4 positions exactly so many plies from the start.
POSITIONS = {9: 39_394_572, 10: 268_031_646}


def solve(quick: bool) -> Iterator[Row]:
    """Solve each board from its start, with a fresh solver."""
    patience = 2.0 if quick else WITHIN
    tiny = plywise.game("tictactoe:rows=2")
    for name in ("alphabeta", "proof"):  # compile the solvers before the clock starts
        plywise.engine(name, tiny).search(tiny.start())
    for board, known in (*SMALL, *LARGE):
        start = plywise.game(f"tictactoe:{board}").start()
        begun = time.process_time()
        analysis = plywise.solve(start, plywise.Limits(time=patience))
        seconds = time.process_time() - begun
        unproved = None if quick or (board, known) in LARGE else False
        yield Row(
            board,
            f"{analysis.outcome or 'not proved'}, {Quantity(analysis.nodes, 'nodes')}",
            known,
            Quantity(seconds, "s"),
            at_most=WITHIN if (board, known) in SMALL else None,
            right=unproved if analysis.outcome is None else analysis.outcome == known,
        )


def count_positions(quick: bool) -> Iterator[Row]:
    """Measure leaves per second, and check their number."""
    depth = 9 if quick else 10
    start = plywise.game("connect4").start()
    count = perft(start, depth)
    (seconds,) = alternate(partial(perft, start, depth), rounds=3)
    yield Row(
        f"perft, depth {depth}",
        f"{count:,} leaves",
        f"{POSITIONS[depth]:,} leaves",
        Quantity(count / seconds, "leaves/s"),
        right=count == POSITIONS[depth],
    )


SOLVE = Bench(
    "solve",
    "Exact results of m,n,k boards (tictactoe)",
    "The first player's outcome from the empty board; one run each, in seconds of the processor.",
    "known",
    solve,
)
PERFT = Bench(
    "perft",
    "Counting positions of Connect-4",
    "Every position at a number of plies from the start, one by one; median of three.",
    "known",
    count_positions,
)
