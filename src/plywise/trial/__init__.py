"""Tries a game that plywise has not seen before, before anything compiled runs its rules.

Compiled code trusts the rules: an index outside an array, a list of moves that is too long or a
position without moves would crash it, or make it answer nonsense. So some random games are played
first, interpreted, and every answer of every function is checked. What is wrong becomes a
`RulesError`, one line with the function and its line in the file.

A game that passed is remembered by its sources, so that the trial costs nothing the next time.
Games that ship with plywise are not tried.
"""

from __future__ import annotations

from plywise.core.game import Game
from plywise.errors import RulesError
from plywise.jit.blame import ships_with_plywise
from plywise.trial import memory
from plywise.trial.playing import Trial
from plywise.trial.raised import explained
from plywise.trial.reading import check_functions
from plywise.trial.watch import TooSlow, Watch

__all__ = ["ensure_tried", "try_game"]

PATIENCE = 3.0  #: seconds of processor time for one call of one function


def ensure_tried(game: Game) -> None:
    """Try a game, unless it ships with plywise or has passed before; raise a RulesError."""
    known = vars(game)
    if "tried" in known:
        return
    functions = memory.functions_of(game.type)
    if not all(ships_with_plywise(function) for function in functions):
        mark = memory.mark_of(game, functions)
        if not memory.has_passed(mark):
            try_game(game)
            memory.remember(mark)
    known["tried"] = True


def try_game(game: Game, patience: float = PATIENCE) -> None:
    """Read the functions of a game, then play random games; raise a RulesError."""
    check_functions(game)
    watch = Watch(patience)
    try:
        with watch:
            Trial(game, watch).run()
    except TooSlow as error:
        what = f"`{watch.what}` did not return within {patience:g} s: is there a loop without end?"
        raise RulesError(explained(error, what)) from None
