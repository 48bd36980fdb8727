"""Tangles: a token goes from place to place, on a map that is drawn from a shape and a seed.

The board is a table: who moves at a place, where one can go from there, and what it is worth to
end there. So rules that are compiled once are as many games as there are maps, and a map can have
whatever is awkward. A game that has gone on for as many plies as the map allows is drawn.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from random import Random
from typing import NamedTuple

from plywise.core.game import Game, GameType, Notation, Record, Rules, Words
from plywise.core.spec import Parameter, Spec
from plywise.jit import rule

PLACES, WAYS = 4096, 8192  #: most of them
MOST = 9  #: points
BOARD = [
    ("first", "i4", PLACES + 1),  # of the ways that lead on from a place; there may be none
    ("goals", "i4", WAYS),
    ("mover", "i1", PLACES),
    ("margin", "i2", PLACES),
    ("low", "i2", PLACES),  # the margins that can still come ...
    ("high", "i2", PLACES),  # ... from a place
    ("guess", "i2", PLACES),
    ("widest", "i4"),
    ("plies", "i4"),
]
STATE = [("place", "i4"), ("plies", "i4")]


class Map(NamedTuple):
    """Where one can go from each place, and who moves there; by default either player."""

    ways: list[list[int]]
    movers: list[int] | None = None
    plies: int = 0  #: of a map with loops; else as many as its longest way has


# ---- the shapes ----------------------------------------------------------------------------------


def usual(rng: Random) -> Map:
    """Ways that part and meet again, for whoever moves there."""
    return Map([_onwards(rng, place, rng.randint(1, 4)) for place in range(40)])


def _onwards(rng: Random, place: int, count: int, step: int = 12) -> list[int]:
    """Ways to later places of forty; the game ends at the last eight."""
    ahead = range(place + 1, min(place + step, 40))
    return sorted(rng.sample(ahead, min(count, len(ahead)))) if place < 32 else []


def wide(rng: Random) -> Map:
    """Two thousand moves, of which a dozen do not end the game."""
    ways: list[list[int]] = [list(range(1, 2001)), *([] for _ in range(2060))]
    for number, place in enumerate(rng.sample(range(1, 2001), 12)):
        ways[place] = [2001 + 5 * number + each for each in range(5)]
    return Map(ways)


def long(rng: Random) -> Map:
    """Fifteen hundred plies, along two lanes that one may sometimes change."""
    ways = [_lanes(rng, place + 2 - place % 2) for place in range(3000)]
    return Map([*ways, [], []])


def _lanes(rng: Random, next_two: int) -> list[int]:
    return sorted(rng.sample((next_two, next_two + 1), rng.choice((1, 1, 2))))


def narrow(rng: Random) -> Map:
    """Hardly ever a choice."""
    return Map([_onwards(rng, place, 1 if rng.random() < 0.7 else 2, 6) for place in range(40)])


def short(rng: Random) -> Map:
    """One move."""
    return Map([[1, 2, 3], [], [], []], [0, 1, 1, 1])


def lopsided(rng: Random) -> Map:
    """Player 1 has one place in six, and one way on from it."""
    movers = [int(place % 6 > 0) for place in range(40)]
    counts = [1 if mover == 0 else rng.randint(2, 4) for mover in movers]
    return Map([_onwards(rng, place, counts[place]) for place in range(40)], movers)


def loops(rng: Random) -> Map:
    """Ways that lead back, so that the game may never end but for its limit."""
    ways = [sorted(rng.sample(range(10), rng.randint(1, 3))) for _ in range(8)]
    ways[0] = sorted({*ways[0], 1})  # at least there it goes on, for the other player
    return Map([*ways, [], []], plies=8)


def twilight(rng: Random) -> Map:
    """Half of the first moves end the game at once, and nobody sees to the end of the others."""
    ways = [[1, 2, 3, 8, 9, 10], *[[] for _ in range(3)]]
    ways += [[place + step for step in (4, 5, 6, 7)] for place in range(4, 600)]
    return Map(ways + [[] for _ in range(8)])


SHAPES: dict[str, Callable[[Random], Map]] = {
    each.__name__: each for each in (usual, wide, long, narrow, short, lopsided, loops, twilight)
}


# ---- the board -----------------------------------------------------------------------------------


def prepare(b: Record, shape: str, seed: int, most: int) -> None:
    """Draw the map; `most` is the largest margin."""
    rng = Random(f"{shape} {seed}")
    ways, movers, plies = SHAPES[shape](rng)
    count = 0
    for place, goals in enumerate(ways):
        b.first[place] = count
        b.goals[count : count + len(goals)] = goals
        count += len(goals)
        b.mover[place] = rng.randrange(2) if movers is None else movers[place]
        b.margin[place] = rng.randint(-most, most)
        b.guess[place] = rng.randint(-most, most)
    if movers is None:  # nobody may be left out
        b.mover[ways[0]] = 1
        b.mover[0] = 0  # even if a way leads back to it
    b.first[len(ways) :] = count
    b.widest = max(map(len, ways))
    b.plies = plies or _longest(ways)
    for place in reversed(range(len(ways))):  # without loops all ways lead on
        goals = ways[place]
        b.low[place], b.high[place] = (-most, most) if plies else (b.margin[place],) * 2
        if goals and not plies:
            b.low[place], b.high[place] = b.low[goals].min(), b.high[goals].max()


def _longest(ways: list[list[int]]) -> int:
    plies = [0] * len(ways)
    for place in reversed(range(len(ways))):
        plies[place] = 1 + max((plies[goal] for goal in ways[place]), default=-1)
    return plies[0]


# ---- the rules -----------------------------------------------------------------------------------


@rule
def setup(b: Record, s: Record) -> None:
    """The token is at the first place."""
    s.place, s.plies = 0, 0


@rule
def moves(b: Record, s: Record, out: Record) -> int:
    """All ways on."""
    count = b.first[s.place + 1] - b.first[s.place]
    for way in range(count):
        out[way] = way
    return count


@rule
def play(b: Record, s: Record, move: int) -> None:
    """Go there."""
    s.place = b.goals[b.first[s.place] + move]
    s.plies += 1


@rule
def over(b: Record, s: Record) -> bool:
    """No way on, or too many plies."""
    return s.plies == b.plies or b.first[s.place + 1] == b.first[s.place]


@rule
def margin(b: Record, s: Record) -> int:
    """What the last place is worth."""
    return b.margin[s.place] if b.first[s.place + 1] == b.first[s.place] else 0


@rule
def turn(b: Record, s: Record) -> int:
    """Who moves here: perhaps whoever moved before."""
    return b.mover[s.place]


@rule
def evaluate(b: Record, s: Record) -> int:
    """A guess that knows nothing."""
    return 100 * b.guess[s.place]


@rule
def bounds(b: Record, s: Record) -> tuple[int, int]:
    """All that can come."""
    return b.low[s.place], b.high[s.place]


@rule
def promise(b: Record, s: Record, move: int) -> int:
    """Another guess."""
    return b.guess[b.goals[b.first[s.place] + move]]


#: A tangle that is won by points ...
POINTS = GameType(
    name="tangle",
    state=STATE,
    board=BOARD,
    parameters=(
        Parameter("shape", "usual", "what the map is like", choices=tuple(SHAPES)),
        Parameter("seed", 0, "of the map"),
        Parameter("most", MOST, "the largest margin", low=1, high=MOST),
    ),
    prepare=prepare,
    sizes=lambda b: (b.widest, b.plies),
    rules=Rules(
        setup, moves, play, over, margin, turn, evaluate=evaluate, bounds=bounds, promise=promise
    ),
    points=MOST,
    notation=Notation(
        move_text=lambda b, move: f"way{move}", draw=lambda b, s: f"at place {s.place}"
    ),
    words=Words(summary="Go from place to place until there is no way on."),
)
#: ... won, lost or drawn, and with nothing but what every game must have.
RESULTS = replace(POINTS, points=0)
BARE = replace(
    POINTS, points=0, rules=Rules(setup, moves, play, over, margin, turn), title="Bare tangle"
)


def tangle(shape: str, seed: int = 0, kind: GameType = POINTS) -> Game:
    """A tangle on such a map."""
    most = MOST if kind.points else 1
    return kind(Spec("tangle", {"shape": shape, "seed": str(seed), "most": str(most)}))
