"""Tunes the weights of Andantino's `seed-tuned`: `python -m bench.andantino_seed --terms T`.

Two searches of depth 2, like the paper's, play each other from random openings, each from both
sides. Each weight in turn is tried at other values, and a value is kept if it wins more games
against the paper's agent and against the best so far. The last lines are from games with other
openings, which were not used for tuning.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from typing import NamedTuple

import plywise
from lab.papers.andantino.duels import (
    CHAINS,
    OPPOSED,
    OWNED,
    RING,
    ROW,
    SEED,
    Duels,
)

TRAINING, FRESH = (7, 8), (1234, 1235)  #: random seeds of the games to tune with and to test with
MORE = 5  #: times as many games test the result
MARGIN = 0.02  #: how much more a value must win to be kept
KINDS = ("open", "half-open", "broken")
LENGTHS = ("two", "three", "four")
BASE = (1.0, 10.0, 100.0)  #: the paper's weights, by length; a ring counts like a four
FACTORS = (0.0, 0.1, 0.25, 0.5, 1.0, 2.0, 4.0)  #: of these are tried


class Knob(NamedTuple):
    """Weights that have the same value."""

    name: str
    who: int  #: 0: own, 1: the opponent's
    places: tuple[int, ...]
    base: float


def knobs(terms: str) -> Iterator[Knob]:
    """Yield what is tuned: the paper's weights, all chains and rings, or every pattern."""
    for who, owner in ((OWNED, "own"), (OPPOSED, "opponent's")):
        for length, word in enumerate(LENGTHS):
            start, base = ROW * length, BASE[length]
            if terms == "patterns":
                for kind, name in enumerate(KINDS):
                    yield Knob(f"{owner} {name} {word}", who, (start + kind,), base)
            else:
                yield Knob(f"{owner} {word}", who, (start, start + 1), base)
        if terms == "weights":
            return
        yield Knob(f"{owner} ring", who, (RING,), BASE[-1])


def main() -> None:
    """Climb uphill, print every step, then test."""
    parser = argparse.ArgumentParser(prog="python -m bench.andantino_seed", description=__doc__)
    parser.add_argument("--games", type=int, default=1000, help="games per match")
    parser.add_argument("--rounds", type=int, default=2)
    parser.add_argument(
        "--terms",
        choices=("weights", "chains", "patterns"),
        default="chains",
        help="the paper's three weights; chains of both sides and rings; or open, half-open and "
        "broken rows too, starting from the tuned chains",
    )
    given = parser.parse_args()
    duels = Duels(plywise.game("andantino"))
    start = CHAINS if given.terms == "patterns" else SEED
    best = start.copy()
    score = duels.share(best, SEED, given.games, TRAINING[0]).value
    for number in range(given.rounds):
        for knob in knobs(given.terms):
            for value in (factor * knob.base for factor in FACTORS):
                tried = best.copy()
                tried[knob.who, knob.places] = value
                if (tried == best).all():
                    continue
                against = [
                    duels.share(tried, other, given.games, seed).value
                    for other, seed in zip((SEED, best), TRAINING, strict=True)
                ]
                kept = sum(against) > score + 0.5 + MARGIN
                print(f"round {number + 1}: {knob.name} = {value:g}: {against[0]:.1%} against "
                      f"seed, {against[1]:.1%} against the last{', kept' * kept}",
                      flush=True)  # fmt: skip
                if kept:
                    score, best = against[0], tried
    for owner, row in zip(("own", "opponent's"), best, strict=True):
        print(f"{owner}: {', '.join(f'{weight:g}' for weight in row)}")
    for name, other, seed in zip(("seed", "the start"), (SEED, start), FRESH, strict=True):
        fresh = duels.share(best, other, MORE * given.games, seed)
        print(f"in {fresh.count:,} new games against {name}: {fresh}")


if __name__ == "__main__":
    main()
