"""Make Way: what the oracle costs, how many boards are proved, and how `auto` plays."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from functools import partial

import plywise
from bench.measure import Bench, Quantity, Row, alternate
from lab.papers.makeway.survey import survey
from plywise.core.analysis import Limits
from plywise.core.game import Game
from plywise.games.makeway.forests import nodes_of
from plywise.games.makeway.ways import slacks

GAMES, DEEPER_GAMES = 200, 40  #: against each opponent, moving first or second
BOARDS, THINNER = 40, 20  #: boards to solve, of each kind and of each density
TYPED = 60  #: boards of each density whose type in the switching game is counted
FEW = 10  #: in place of each of these numbers in a quick run
PATIENCE = 10.0  #: seconds to solve a board
SECONDS = 0.2  #: per move
DENSITIES = (44, 48, 50, 51, 52, 54, 58, 64, 70)  #: lines on 25 small dots
DEEPER = "textbook:heuristic=seed,depth=4"  #: plain alpha-beta with the paper's scoring


def boards(kind: str, count: int) -> list[Game]:
    """Return boards of a kind, with seeds 1, 2, ..."""
    glue = "," if ":" in kind else ":"
    return [plywise.game(f"{kind}{glue}seed={seed}") for seed in range(1, count + 1)]


def oracle(quick: bool) -> Iterator[Row]:
    """Time one query: both players' forests packed afresh."""
    start = plywise.game("makeway:lines=75").start()
    nodes_of(start.game.board, start.state)
    (seconds,) = alternate(partial(nodes_of, start.game.board, start.state), rounds=3)
    result = Quantity(seconds, "s")
    yield Row("27 dots, 75 lines, both players", result, "", result, at_most=200e-6)


def proofs(quick: bool) -> Iterator[Row]:
    """Measure the share of boards whose result is proved in time."""
    for kind, at_least in (("makeway", 95.0), ("makeway:preset=fair", 80.0)):
        yield _proved(kind, kind, FEW if quick else BOARDS, at_least)


def densities(quick: bool) -> Iterator[Row]:
    """Count the first player's wins, draws and undecided boards by the number of lines."""
    for lines in DENSITIES:
        kind = f"makeway:lines={lines}"
        yield _proved(kind, f"{lines} lines", FEW if quick else THINNER, None)


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


def _proved(kind: str, what: str, count: int, at_least: float | None) -> Row:
    found = survey(kind, boards(kind, count), Limits(time=PATIENCE), progress)
    counts = ", ".join(
        f"{round(found.share(outcome) * count)} {name}"
        for outcome, name in (("win", "wins"), ("draw", "draws"), (None, "undecided"))
    )
    types = "{} Short, {} neutral, {} Cut".format(*found.types)
    return Row(what, counts, types, Quantity(100 * found.proved, "%"), at_least=at_least)


def matches(
    place: str, other: str, count: int, at_least: float | None, quick: bool
) -> Iterator[Row]:
    """Count the wins of `auto`, moving first or second, with a new board for each game."""
    results = []
    for game in boards("makeway", FEW if quick else count):
        results.append(_game(game, other, place == "first"))
        wins, draws = results.count(1), results.count(0)
        tally = f"{wins} wins, {draws} draws, {len(results) - wins - draws} losses"
        progress(f"{game.spec}, {place} against {other}: {tally}")
    yield Row(
        f"auto moving {place} against {other}",
        tally,
        f"{len(results)} boards",
        Quantity(100 * wins / len(results), "%"),
        at_least=at_least,
    )


def progress(text: str) -> None:
    """Print progress: these benchmarks take many minutes."""
    print(text, file=sys.stderr, flush=True)


def _game(game: Game, other: str, first: bool) -> int:
    """Play a game; return 1, 0 or -1 for `auto`."""
    players = [plywise.engine(name, game) for name in ("auto", other)]
    position = game.start()
    while not position.over:
        mover = players[0] if (position.to_move == 1) == first else players[1]
        found = mover.search(position, Limits(time=SECONDS) if mover is players[0] else Limits())
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
PROOFS = Bench(
    "makeway-solve",
    "Make Way: boards whose result is proved",
    f"`solve` has {PATIENCE:g} s for each board; seeds 1, 2, ...",
    "switching game",
    proofs,
)
TYPES = Bench(
    "makeway-types",
    "Make Way: the winner of the switching game, by the number of lines on 25 small dots",
    "Short joins the big dots, Cut removes lines; on neutral boards the first player wins.",
    "",
    types,
)
DENSITY = Bench(
    "makeway-density",
    "Make Way: first player's wins by the number of lines on 25 small dots",
    f"`solve` has {PATIENCE:g} s for each board; seeds 1, 2, ...",
    "switching game",
    densities,
)


def _bench(name: str, place: str, other: str, count: int, at_least: float | None) -> Bench:
    return Bench(
        name,
        f"Make Way: `auto` moving {place} against {other}",
        f"`auto` has {SECONDS:g} s per move; seeds 1, 2, ..., one game per board.",
        "",
        partial(matches, place, other, count, at_least),
    )


MATCHES = (
    _bench("makeway-first", "first", "seed", GAMES, 99.0),
    _bench("makeway-second", "second", "seed", GAMES, 95.0),
    _bench("makeway-first-deeper", "first", DEEPER, DEEPER_GAMES, 50.0),
    _bench("makeway-second-deeper", "second", DEEPER, DEEPER_GAMES, 50.0),
)
