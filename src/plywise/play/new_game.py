"""A new game to be played: what its spec leaves open, and who begins, is drawn at random."""

from __future__ import annotations

import random

from plywise import games
from plywise.core.game import Game, GameType
from plywise.core.spec import Spec, format_value


def fresh_game(spec: str, seed: int, *, again: bool = False) -> Game:
    """Make the game of a spec, with random values for parameters that are drawn and not given.

    The same seed draws the same board. With `again` they are drawn even if they are given.

    >>> fresh_game("connect4", 1).spec
    'connect4'
    """
    parsed = Spec.parse(spec)
    kind = games.make(spec).type
    if again:
        open_ones = drawn_by(kind, Spec(parsed.name))
        kept = {name: text for name, text in parsed.given.items() if name not in open_ones}
        parsed = Spec(parsed.name, kept)
    params = kind.bind(parsed, random.Random(f"board {seed}"))
    drawn = {name: format_value(params[name]) for name in drawn_by(kind, parsed)}
    return games.make(Spec(parsed.name, {**parsed.given, **drawn}))


def drawn_by(kind: GameType, spec: Spec) -> frozenset[str]:
    """Return the parameters that a spec leaves open and a new game draws.

    A game that draws its board tosses a coin, too, for the first move.

    >>> sorted(drawn_by(games.find("makeway"), Spec.parse("makeway:preset=fair")))
    ['seed']
    """
    one, other = (kind.bind(spec, random.Random(seed)) for seed in range(2))
    return frozenset(name for name in one if one[name] != other[name])


def may_be(spec: str, found: str) -> bool:
    """Return True if a new game of `spec` may have become the game `found`.

    >>> may_be("connect4", "connect4"), may_be("connect4", "connect4:rows=7")
    (True, False)
    """
    game, other, given = games.make(spec), Spec.parse(found), Spec.parse(spec)
    if game.spec == found:
        return True
    drawn = drawn_by(game.type, given)
    names = drawn | game.type.whole(game.board).keys()
    rest = {name: value for name, value in other.given.items() if name not in names}
    return bool(drawn) and other.name == game.type.name and rest == given.given


def swaps(seed: int) -> bool:
    """Return True if the toss puts the second player first; the same seed repeats the toss.

    >>> [swaps(seed) for seed in range(6)]
    [False, False, False, True, False, True]
    """
    return random.Random(f"toss {seed}").random() < 0.5
