"""How far the triangle is solved: `python -m bench.andantino_triangle --through PLY`.

Up to symmetry there is one way to place the first three stones of Andantino. From there the
solver looks for a forced win of black by ply 5, 7, 9, ..., with white to move.
"""

from __future__ import annotations

import argparse
import json
import sys
import time
from collections.abc import Iterator
from typing import NamedTuple

import plywise
from plywise.engines.driver import NO_BUDGET, NO_LIMITS, Run
from plywise.games.andantino.solver import Solver

TRIANGLE = "j10 k10 j11"


class Step(NamedTuple):
    """The answer for one ply."""

    through: int  #: the ply by which black should have won
    wins: bool
    nodes: int
    seconds: float  #: of processor time


def steps(last: int, memory: float = 256.0) -> Iterator[Step]:
    """Look for longer and longer wins up to a ply, until one is found."""
    game = plywise.game("andantino")
    position = game.position(TRIANGLE)
    solver = Solver(game, memory)
    run = Run(NO_LIMITS)
    for through in range(len(position.moves) + 2, last + 1, 2):
        started = time.process_time()
        found = solver.ask(position, 0, through - len(position.moves), run, NO_BUDGET)
        yield Step(through, found.settled is True, found.nodes, time.process_time() - started)
        if found.settled:
            break


def main() -> None:
    """Print the answer for each ply."""
    parser = argparse.ArgumentParser(prog="python -m bench.andantino_triangle", description=__doc__)
    parser.add_argument("--through", type=int, default=25, metavar="PLY", help="the last ply")
    parser.add_argument(
        "--memory", type=float, default=256.0, help="size of the table in megabytes"
    )
    parser.add_argument("--json", action="store_true", help="print one JSON object at the end")
    given = parser.parse_args()
    found = []
    for step in steps(given.through, given.memory):
        found.append(step)
        answer = "black wins" if step.wins else "no forced win"
        print(f"through ply {step.through}: {answer}, {step.nodes:,} nodes, {step.seconds:.1f} s",
              file=sys.stderr if given.json else sys.stdout, flush=True)  # fmt: skip
    if given.json:
        print(json.dumps({"steps": [step._asdict() for step in found]}))


if __name__ == "__main__":
    main()
