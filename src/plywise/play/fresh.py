"""A new game to be played: what its spec leaves open is drawn at random."""

from __future__ import annotations

import random

from plywise import games
from plywise.core.game import Game
from plywise.core.spec import Spec


def fresh_game(spec: str, seed: int, *, again: bool = False) -> Game:
    """Make the game of a spec, with random values for parameters that are drawn and not given.

    The same seed draws the same board. With `again` they are drawn even if they are given.

    >>> fresh_game("connect4", 1).spec
    'connect4'
    """
    parsed, game = Spec.parse(spec), games.make(spec)
    lot = random.Random(f"board {seed}")
    left_open = [
        parameter
        for parameter in game.type.parameters
        if parameter.drawn
        and (again or parameter.name not in parsed.given)
        and not parsed.given.keys() & set(parameter.unless)
    ]
    if not left_open:
        return game
    drawn = {parameter.name: str(lot.randint(1, parameter.drawn)) for parameter in left_open}
    return games.make(Spec(parsed.name, {**parsed.given, **drawn}))


def may_be(spec: str, found: str) -> bool:
    """Return True if a new game of `spec` may have become the game `found`.

    >>> may_be("connect4", "connect4"), may_be("connect4", "connect4:rows=7")
    (True, False)
    """
    game, other = games.make(spec), Spec.parse(found)
    if game.spec == found:
        return True
    drawn = [parameter for parameter in game.type.parameters if parameter.drawn]
    names = {name for parameter in drawn for name in (parameter.name, *parameter.unless)}
    given = Spec.parse(spec).given
    if not drawn or names & given.keys():
        return False
    rest = {name: value for name, value in other.given.items() if name not in names}
    return other.name == game.type.name and rest == given
