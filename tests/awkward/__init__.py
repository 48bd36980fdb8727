"""The awkward games: every generic test runs over this list, so each oddity is met everywhere.

An entry says in a sentence why its game is awkward, and names the kinds that it is there for;
`test_list.py` looks whether it really is of these kinds. The shipped games stand beside it, on
boards so small that the truth about them can be known.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cache, partial
from pathlib import Path

import pytest

import plywise
from plywise import Game
from tests.awkward import tangle as tangles
from tests.awkward.book_tree import book_tree
from tests.awkward.coins import coin_row
from tests.awkward.nim import nim
from tests.awkward.tangle import tangle

EXAMPLES = Path(__file__).parents[2] / "examples"


@dataclass(frozen=True)
class Awkward:
    """A game, and why an engine or a page may stumble over it."""

    name: str
    make: Callable[[], Game]
    why: str
    kinds: frozenset[str]
    most: int = 300  #: positions of an ending of which the truth is worked out


def awkward(name: str, make: Callable[[], Game], kinds: str, why: str, most: int = 300) -> Awkward:
    return Awkward(name, cache(make), why, frozenset(kinds.split(", ")), most)


def example(name: str, kinds: str, why: str) -> Awkward:
    """A game of `examples/`, with parameters as in a spec."""
    stem, _, given = name.partition(":")
    spec = f"{EXAMPLES / stem}.py:{given}".rstrip(":")
    return awkward(stem, partial(plywise.game, spec), kinds, why)


def map_of(
    shape: str, seed: int, kinds: str, why: str, kind: str = "POINTS", most: int = 300
) -> Awkward:
    """A tangle of some shape."""
    made = partial(tangle, shape, seed, getattr(tangles, kind))
    return awkward(f"tangle-{shape}-{kind.lower()}", made, kinds, why, most)


LIST = (
    awkward(
        "coins",
        partial(coin_row, 9, 3),
        "points, moves twice, parameters",
        "Whoever takes an odd coin moves again, and what counts is points.",
    ),
    awkward(
        "nim",
        partial(nim, 9),
        "no evaluation, one legal move, parameters",
        "Nothing says how good a position is, and with one left there is no choice.",
    ),
    awkward(
        "book",
        lambda: book_tree(3, [3, 12, 8, 2, 4, 6, 14, 5, 2])(),
        "points, no evaluation, very short",
        "Two plies, no draws, and margins that are all on one side.",
    ),
    map_of(
        "usual",
        1,
        "points, moves twice, one legal move, parameters",
        "Lines meet again after different numbers of plies, with another player to move.",
    ),
    map_of(
        "usual",
        2,
        "moves twice, no evaluation",
        "Turns follow no order, and there is no estimate that could hide it.",
        "BARE",
    ),
    map_of(
        "wide",
        3,
        "wide, very short",
        "Two thousand moves, nearly all of which end the game.",
        "RESULTS",
        most=2200,
    ),
    map_of(
        "long",
        4,
        "very long, one legal move",
        "Fifteen hundred plies, more than Python may call itself.",
        "RESULTS",
        most=40,
    ),
    map_of(
        "narrow",
        5,
        "one legal move, moves twice",
        "Hardly ever a choice, so that nearly every move is the best and the worst.",
        "RESULTS",
    ),
    map_of("short", 6, "points, very short", "Over after one move, which has no reply."),
    map_of(
        "lopsided",
        1,
        "asymmetric, moves twice, one legal move",
        "Player 2 has nearly all moves, many in a row, and nearly all choices.",
        "RESULTS",
    ),
    map_of(
        "loops",
        1,
        "loops, moves twice",
        "The same place comes up again and again, until the limit makes it a draw.",
        "RESULTS",
    ),
    map_of(
        "twilight",
        9,
        "points, partly proved",
        "Some moves are proved at once, and the others never.",
        most=60,
    ),
    example("amazons", "moves twice", "A turn is two moves, and each of many kinds."),
    example(
        "breakthrough:rows=5,cols=2",
        "parameters",
        "The rules leave it to the last move who has won, by a capture or by going through.",
    ),
    example(
        "checkers",
        "moves twice, one legal move",
        "A jump goes on with the same player, captures are forced, and quiet games are drawn.",
    ),
    example("clobber", "no evaluation", "Whoever cannot move loses, and nothing is estimated."),
    example("col", "one legal move", "The players have different moves in the same position."),
    example(
        "domineering:rows=4,cols=4",
        "parameters",
        "No move of one player is a move of the other.",
    ),
    example("dots:dots=3", "points, moves twice", "A box gives a point and another move."),
    example(
        "gomoku:size=6", "parameters", "Without a line in the end, a board full of stones is drawn."
    ),
    example(
        "hex:size=3", "parameters", "It cannot be drawn, and states differ by the order of moves."
    ),
    example(
        "kalah:seeds=1",
        "points, moves twice, parameters",
        "The last seed may give another move, and the rest of a board is swept at the end.",
    ),
    example("loa", "very long", "Either player may win by any move, and the limit is far away."),
    example(
        "morris",
        "moves twice, very long",
        "A mill takes a man with a second move, and men go back to where they were.",
    ),
    example(
        "othello:side=4",
        "points, passes, parameters",
        "A player without a place must pass, and one legal move may be no move at all.",
    ),
)
every_awkward_game = pytest.mark.parametrize("awkward", LIST, ids=lambda each: each.name)

#: The shipped games on boards of which endings can be known, with the size of such an ending:
#: Snails may slide in circles, and the searches without a table walk every circle.
SHIPPED = {
    "tictactoe": 300,
    "tictactoe:rows=3,cols=4,k=3": 300,
    "tictactoe:rows=4,cols=4,k=3": 300,
    "connect4:rows=4,cols=4": 300,
    "connect4": 300,
    "align:size=3": 300,
    "align:size=4,checkerboard=yes": 300,
    "snails:rows=4,cols=4": 50,
    "snails:rows=4,cols=5,territory=yes": 50,
    "makeway:dots=3,lines=6": 300,
    "makeway:dots=6,lines=11": 300,
    "andantino:side=4": 300,
}
