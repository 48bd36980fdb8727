"""How far the triangle is solved: `python -m bench.andantino_triangle [--time S] [--memory MB]`.

Up to symmetry there is one way to place the first three stones of Andantino. From there the
solver looks for a forced win of black by ply 5, 7, 9, ..., with white to move.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Iterator
from typing import NamedTuple

import plywise
from plywise import Limits
from plywise.engines.driver import NO_BUDGET, Run
from plywise.games.andantino.solver import Solver

TRIANGLE = "j10 k10 j11"


class Step(NamedTuple):
    """The answer for one ply."""

    through: int  #: the ply by which black should have won
    wins: bool | None  #: None if the time ran out first
    nodes: int
    seconds: float  #: of processor time


def steps(last: int, seconds: float | None = None, memory: float = 256.0) -> Iterator[Step]:
    """Look for longer and longer wins up to a ply, until one is found or time is up."""
    game = plywise.game("andantino")
    position = game.position(TRIANGLE)
    solver = Solver(game, memory)
    run = Run(Limits(seconds))
    for through in range(len(position.moves) + 2, last + 1, 2):
        started = time.process_time()
        found = solver.ask(position, 0, through - len(position.moves), run, NO_BUDGET)
        yield Step(through, found.settled, found.nodes, time.process_time() - started)
        if found.settled is not False:
            break


def main() -> None:
    """Print the answer for each ply."""
    parser = argparse.ArgumentParser(prog="python -m bench.andantino_triangle", description=__doc__)
    parser.add_argument("--time", type=float, help="seconds in total")
    parser.add_argument(
        "--memory", type=float, default=256.0, help="size of the table in megabytes"
    )
    given = parser.parse_args()
    words = {True: "black wins", False: "no forced win", None: "not settled in time"}
    for step in steps(271, given.time, given.memory):
        print(f"through ply {step.through}: {words[step.wins]}, {step.nodes:,} nodes, "
              f"{step.seconds:.1f} s", flush=True)  # fmt: skip


if __name__ == "__main__":
    main()
