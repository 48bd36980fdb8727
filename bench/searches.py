"""Alpha-beta: against OpenSpiel's, against easyAI's, and on two threads against one."""

from __future__ import annotations

import time
from collections.abc import Iterator
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

import plywise
from bench.measure import OPENINGS, Bench, Quantity, Row, alternate, compare
from plywise.core.spec import Spec

if TYPE_CHECKING:
    from bench.openspiel import Evaluation

HEX = Path(__file__).parent.parent / "examples" / "hex.py"
ROUNDS = 3  #: times that each search is timed

#: Positions with depths that keep one thread busy for a second or two.
DEEP = (("", 16), ("4444", 16), ("44443265", 20), ("4453", 18), ("35333571", 16))


def against_openspiel(quick: bool) -> Iterator[Row]:
    """Compare nodes per second and time to depth, with an evaluation and without."""
    from bench import openspiel

    game = plywise.game("connect4")
    bare = replace(game.type, rules=replace(game.rules, evaluate=None))()
    depth = 7 if quick else 10
    target = None if quick else 100.0
    yield _nodes_a_second("nodes per second", game, openspiel.fours_in_reach, 60.0)
    for moves in OPENINGS[:2]:
        what = f"time to depth {depth} from {moves or 'the start'}"
        yield _time_to_depth(what, game.position(moves), depth, openspiel.fours_in_reach, target)
    yield _nodes_a_second("nodes per second, no evaluation", bare, openspiel.nothing, 20.0)
    for moves in OPENINGS[:2]:
        what = f"time to depth {depth} from {moves or 'the start'}, no evaluation"
        yield _time_to_depth(what, bare.position(moves), depth, openspiel.nothing)


def _nodes_a_second(
    what: str, game: plywise.Game, evaluation: Evaluation, at_least: float | None = None
) -> Row:
    """Search to a depth that takes some tenths of a second; speed hardly depends on depth."""
    from bench import openspiel

    engine = plywise.engine("alphabeta", game)
    nodes, seconds, their_nodes, their_seconds = 0, 0.0, 0, 0.0
    for moves in OPENINGS:
        search = partial(engine.search, game.position(moves), plywise.Limits(depth=13))
        their_search = openspiel.alphabeta(moves, 7, evaluation)
        nodes += search().nodes
        their_nodes += openspiel.nodes_of(their_search)
        ours, theirs = alternate(search, their_search, rounds=ROUNDS)
        seconds += ours
        their_seconds += theirs
    return compare(
        what,
        Quantity(nodes / seconds, "nodes/s"),
        Quantity(their_nodes / their_seconds, "nodes/s"),
        at_least,
    )


def _time_to_depth(
    what: str,
    position: plywise.Position,
    depth: int,
    evaluation: Evaluation,
    at_least: float | None = None,
) -> Row:
    from bench import openspiel

    engine = plywise.engine("alphabeta", position.game)
    search = partial(engine.search, position, plywise.Limits(depth=depth))
    search()  # the system allocates the table's memory on the first write
    their_search = openspiel.alphabeta("".join(position.moves), depth, evaluation)
    ours, theirs = alternate(search, their_search, rounds=ROUNDS)
    return compare(what, Quantity(ours, "s"), Quantity(theirs, "s"), at_least)


def connection(quick: bool) -> Iterator[Row]:
    """Compare nodes per second on Hex: ours with its shortest paths and without."""
    import pyspiel

    from bench import openspiel

    for size, depth in ((7, 3), (11, 2)):
        root = pyspiel.load_game(f"hex(board_size={size})").new_initial_state()
        their_search = openspiel.alphabeta_from(root, depth)
        their_nodes = openspiel.nodes_of(their_search)
        spec = Spec(str(HEX), {"size": str(size)})
        game = plywise.game(str(spec))
        bare = replace(game.type, rules=replace(game.rules, evaluate=None))(spec)
        for what, ours in (("with the shortest paths", game), ("without", bare)):
            limits = plywise.Limits(nodes=20_000 if quick else 200_000)
            search = partial(plywise.engine("alphabeta", ours).search, ours.start(), limits)
            nodes = search().nodes
            seconds, their_seconds = alternate(search, their_search, rounds=ROUNDS)
            yield compare(
                f"nodes per second, {size} x {size}, {what}",
                Quantity(nodes / seconds, "nodes/s"),
                Quantity(their_nodes / their_seconds, "nodes/s"),
                at_least=1 if ours is game else None,
            )


def against_easyai(quick: bool) -> Iterator[Row]:
    """Compare the time to the same depth from the empty board."""
    from bench import easyai

    game = plywise.game("connect4")
    engine = plywise.engine("alphabeta", game)
    for depth in (4, 6) if quick else (6, 8):
        search = partial(engine.search, game.start(), plywise.Limits(depth=depth))
        search()
        ours, theirs = alternate(search, easyai.negamax(depth), rounds=ROUNDS)
        yield compare(f"time to depth {depth}", Quantity(ours, "s"), Quantity(theirs, "s"))


def two_threads(quick: bool) -> Iterator[Row]:
    """Compare the time to fixed depths, all positions together."""
    game = plywise.game("connect4")
    engines = [plywise.engine(f"alphabeta:threads={count}", game) for count in (2, 1)]
    for engine in engines:
        engine.search(game.start(), plywise.Limits(depth=12))
    totals = [0.0, 0.0]
    for moves, depth in DEEP:
        limits = plywise.Limits(depth=depth - 2 if quick else depth)
        jobs = [partial(engine.search, game.position(moves), limits) for engine in engines]
        rounds = 1 if quick else ROUNDS
        for index, seconds in enumerate(alternate(*jobs, rounds=rounds, clock=time.perf_counter)):
            totals[index] += seconds
    two, one = (Quantity(total, "s") for total in totals)
    yield compare(f"time to depth, {len(DEEP)} positions", two, one, at_least=1.4)


OPENSPIEL = Bench(
    "alphabeta",
    "Alpha-beta on Connect-4, against OpenSpiel's in Python",
    "plywise with everything it has against `minimax.alpha_beta_search`. Nodes a second are over "
    "three positions, ours to depth 13 and theirs to depth 7: our node is a position entered, "
    "theirs a call of the recursive function, counted in a run of its own. Our time to a depth has "
    "all smaller depths in it. OpenSpiel evaluates by the fours in reach, a weighted sum over its "
    "observation. Below that, both have an evaluation that is always 0.",
    "OpenSpiel",
    against_openspiel,
    needs="pyspiel",
)
HEX_BENCH = Bench(
    "hex",
    "Alpha-beta on Hex, against OpenSpiel's in Python",
    "`examples/hex.py` evaluates by the shortest paths of both players, OpenSpiel by 0: the "
    "least that it can do. The rows `without` show what the shortest paths cost.",
    "OpenSpiel",
    connection,
    needs="pyspiel",
)
EASYAI = Bench(
    "easyai",
    "Alpha-beta on Connect-4, against easyAI's Negamax",
    "From the empty board; the `ConnectFour` that easyAI includes scores only lost games.",
    "easyAI",
    against_easyai,
    needs="easyAI",
)
THREADS = Bench(
    "threads",
    "Alpha-beta on Connect-4, two threads against one",
    "Five positions to depths that take one thread a second or two each; the ratio of the sums.",
    "one thread",
    two_threads,
)
