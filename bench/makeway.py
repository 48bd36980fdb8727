"""Make Way: what the oracle costs, who wins the switching game, and how `auto` plays."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from functools import partial

import plywise
from bench.measure import Bench, Quantity, Row, alternate
from plywise.core.analysis import Limits
from plywise.core.game import Game
from plywise.games.makeway.forests import nodes_of
from plywise.games.makeway.ways import slacks

GAMES = 20  #: against each opponent, moving first or second
TYPED = 60  #: boards of each density whose type in the switching game is counted
FEW = 10  #: in place of each of these numbers in a quick run
NODES = 2_000  #: for each move of `auto`: so the games are the same on every machine
#: The paper's agent, and plain alpha-beta with its scoring.
OPPONENTS = ("seed", "textbook:heuristic=seed,depth=4")


def boards(kind: str, count: int) -> list[Game]:
    """Return boards of a kind, with random seeds 1, 2, ..."""
    glue = "," if ":" in kind else ":"
    return [plywise.game(f"{kind}{glue}seed={seed}") for seed in range(1, count + 1)]


def oracle(quick: bool) -> Iterator[Row]:
    """Time one query: both players' forests packed afresh."""
    start = plywise.game("makeway:lines=75").start()
    nodes_of(start.game.board, start.state)
    (seconds,) = alternate(partial(nodes_of, start.game.board, start.state), rounds=3)
    result = Quantity(seconds, "s")
    yield Row("27 dots, 75 lines, both players", result, "", result, at_most=200e-6)


def types(quick: bool) -> Iterator[Row]:
    """Count the winners of the switching game, by the number of lines."""
    for lines in (50, 51, 52, 58, None):
        kind = "makeway" if lines is None else f"makeway:lines={lines}"
        starts = [game.start() for game in boards(kind, FEW if quick else TYPED)]
        found = [slacks(start.game.board, start.state)[0] for start in starts]
        counts = [found.count(slack) for slack in range(3)]
        yield Row(
            "default" if lines is None else f"{lines} lines",
            "{} Short, {} neutral, {} Cut".format(*counts),
            f"{len(found)} boards",
            Quantity(100 * counts[0] / len(found), "%"),
        )


def first(quick: bool) -> Iterator[Row]:
    """Count the wins of `auto` moving first."""
    return (matches("first", other, FEW if quick else GAMES) for other in OPPONENTS)


def second(quick: bool) -> Iterator[Row]:
    """Count the wins of `auto` moving second."""
    return (matches("second", other, FEW if quick else GAMES) for other in OPPONENTS)


def matches(place: str, other: str, count: int) -> Row:
    """Count the wins of `auto`, with a new board for each game."""
    results = []
    for game in boards("makeway", count):
        results.append(_game(game, other, place == "first"))
        wins, draws = results.count(1), results.count(0)
        tally = f"{wins} wins, {draws} draws, {len(results) - wins - draws} losses"
        progress(f"{game.spec}, {place} against {other}: {tally}")
    share = Quantity(100 * wins / len(results), "%")
    return Row(f"auto moving {place} against {other}", tally, f"{len(results)} boards", share)


def progress(text: str) -> None:
    """Print progress: these benchmarks take many minutes."""
    print(text, file=sys.stderr, flush=True)


def _game(game: Game, other: str, first: bool) -> int:
    """Play a game; return 1, 0 or -1 for `auto`."""
    players = [plywise.engine(name, game) for name in ("auto", other)]
    position = game.start()
    while not position.over:
        mover = players[0] if (position.to_move == 1) == first else players[1]
        found = mover.search(position, Limits(nodes=NODES) if mover is players[0] else Limits())
        assert found.best is not None
        position = position.play(found.best)
    if position.winner == 0:
        return 0
    return 1 if (position.winner == 1) == first else -1


ORACLE = Bench(
    "makeway-oracle",
    "Make Way: the winner of the switching game",
    "Two forests without a common line are packed for both players, from scratch.",
    "",
    oracle,
)
TYPES = Bench(
    "makeway-types",
    "Make Way: the winner of the switching game, by the number of lines on 25 small dots",
    "Short joins the big dots, Cut removes lines; on neutral boards the first player wins.",
    "",
    types,
)
FIRST = Bench(
    "makeway-first",
    "Make Way: `auto` moving first",
    f"`auto` has {NODES:,} nodes a move; seeds 1, 2, ..., one game per board.",
    "",
    first,
)
SECOND = Bench(
    "makeway-second",
    "Make Way: `auto` moving second",
    FIRST.method,
    "",
    second,
)
