"""Andantino: the expert's speed, how far the triangle is solved, and which wins are found."""

from __future__ import annotations

import random
import time
from collections.abc import Iterator

import plywise
from bench.andantino_triangle import steps
from bench.measure import Bench, Quantity, Row
from plywise import Engine, Limits, Position
from plywise.engines import make
from plywise.games.andantino import rules
from plywise.games.andantino.solver import Solver

THROUGH = 25  #: the ply up to which black is known to have no forced win
WITHIN = 9  #: plies of the longest forced wins to find
NODES = 400_000  #: of a search whose speed is measured


def middle_games(count: int, seed: int, plies: tuple[int, int]) -> Iterator[Position]:
    """Yield random middle-game positions in which neither side wins at once."""
    game, rng = plywise.game("andantino"), random.Random(seed)
    while count:
        position = game.start()
        for _ in range(rng.randrange(*plies)):
            if not position.over:
                position = position.play_code(rng.choice(position.legal_codes))
        quiet = not position.over and not any(
            rules.winning(game.board, position.state, player)[0] for player in range(2)
        )
        if quiet:
            count -= 1
            yield position


def speed() -> Row:
    """Measure nodes per second of the expert's search, in processor time."""
    engine = make("expert", plywise.game("andantino"))
    nodes, seconds = 0, 0.0
    for position in middle_games(12, seed=7, plies=(12, 24)):
        engine.search(position, Limits(nodes=1))  # the first search compiles
        started = time.process_time()
        nodes += engine.search(position, Limits(nodes=NODES)).nodes
        seconds += time.process_time() - started
    rate = Quantity(nodes / seconds, "nodes/s")
    return Row("search, random middle games", rate, "", rate, at_least=2e6)


def triangle(last: int) -> Row:
    """Look for a forced win of black from the triangle up to a ply, with white to move."""
    found = list(steps(last))
    took = Quantity(sum(step.seconds for step in found), "s")
    wins, nodes = bool(found[-1].wins), sum(step.nodes for step in found)
    answer = "black wins" if wins else "no forced win"
    return Row(
        f"triangle, {answer} through ply {found[-1].through}, {nodes / 1e6:,.1f} M nodes",
        took,
        "",
        took,
        at_most=60.0,
        right=not wins,
    )


def forced_wins(count: int) -> Iterator[Row]:
    """Take wins that plain minimax finds: `solve` must prove them, `auto` play them out."""
    game = plywise.game("andantino")
    minimax = [
        make(f"textbook:depth={plies},order=promise", game) for plies in range(3, WITHIN + 1, 2)
    ]
    solver, auto = Solver(game), make("auto:time=1", game)
    seen = proved = played = 0
    for position in middle_games(50 * count, seed=11, plies=(8, 26)):
        searches = (engine.search(position, Limits(time=3)) for engine in minimax)
        known = next((found for found in searches if found.outcome == "win"), None)
        if known is None:
            continue
        seen += 1
        found = solver.solve(position, Limits(time=10))
        proved += (found.outcome, found.plies_to_end) == ("win", known.plies_to_end)
        played += play_out(position, auto)
        if seen == count:
            break
    yield Row(
        f"forced wins within {WITHIN} plies, proved", f"{proved}", f"{seen}", Quantity(proved, ""),
        at_least=seen, right=proved == seen,
    )  # fmt: skip
    yield Row(
        "... and played out against auto", f"{played}", f"{seen}", Quantity(played, ""),
        at_least=seen, right=played == seen,
    )  # fmt: skip


def play_out(position: Position, engine: Engine) -> bool:
    """Return True if the side to move wins the game against the same engine."""
    winner = position.turn + 1
    while not position.over:
        best = engine.search(position).best
        assert best is not None
        position = position.play(best)
    return position.winner == winner


def everything(quick: bool) -> Iterator[Row]:
    """Measure all rows."""
    yield speed()
    yield triangle(THROUGH - 4 if quick else THROUGH)
    yield from forced_wins(5 if quick else 100)


ANDANTINO = Bench(
    "andantino",
    "Andantino: speed, the triangle, forced wins",
    "One thread; seconds are processor time. White is to move at the triangle.",
    "wanted",
    everything,
)
