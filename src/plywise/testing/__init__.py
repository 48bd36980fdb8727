"""Laws that every game must obey, for testing your own games.

>>> from plywise.testing import check_game
>>> check_game("tictactoe", games=2)
{}

`check_game` plays random games and checks every law of `LAWS` on them. A broken law raises
`LawBroken`, an AssertionError that names the law and the moves that lead to where it broke. The
result lists the laws that could not be checked for this game, each with the reason. A law can also
be checked on its own:

>>> from plywise.testing import check_moves, random_games
>>> check_moves(random_games("connect4", games=3, seed=7))
"""

from __future__ import annotations

import re
from collections.abc import Callable

import numpy as np

from plywise.core.game import Game, GameType
from plywise.errors import RulesError
from plywise.testing.compiled import check_compiled, check_heuristics
from plywise.testing.judgement import check_bounds, check_evaluation, check_forced, check_symmetry
from plywise.testing.rules import (
    check_copies,
    check_ends,
    check_facts,
    check_keys,
    check_looking,
    check_moves,
    check_setup,
    check_turn,
)
from plywise.testing.sample import LawBroken, Sample, lacks, random_games
from plywise.testing.surface import (
    check_move_texts,
    check_position_texts,
    check_scenes,
    check_words,
)
from plywise.trial import ensure_tried

__all__ = [
    "LAWS",
    "LawBroken",
    "Sample",
    "check_bounds",
    "check_compiled",
    "check_copies",
    "check_ends",
    "check_evaluation",
    "check_facts",
    "check_forced",
    "check_game",
    "check_heuristics",
    "check_keys",
    "check_looking",
    "check_move_texts",
    "check_moves",
    "check_position_texts",
    "check_scenes",
    "check_setup",
    "check_symmetry",
    "check_turn",
    "check_words",
    "random_games",
]

#: Every law by name, those that others rely on first. A check returns why it was skipped, or None.
LAWS: dict[str, Callable[[Sample], str | None]] = {
    "ends": check_ends,
    "moves": check_moves,
    "facts": check_facts,
    "turn": check_turn,
    "setup": check_setup,
    "looking": check_looking,
    "copies": check_copies,
    "keys": check_keys,
    "move texts": check_move_texts,
    "position texts": check_position_texts,
    "words": check_words,
    "scenes": check_scenes,
    "evaluation": check_evaluation,
    "symmetry": check_symmetry,
    "compiled": check_compiled,
    "bounds": check_bounds,
    "heuristics": check_heuristics,
    "forced": check_forced,
}
#: The laws that need compiled code, which takes seconds the first time.
COMPILED = frozenset({"compiled", "bounds", "heuristics", "forced"})


def explained(law: str) -> str:
    """Return what a law says, in one sentence.

    >>> explained("turn")
    'The player to move is 0 or 1.'
    """
    words = (LAWS[law].__doc__ or "").partition("\n\n")[0]
    text = re.sub(r"^Check that,? ", "", " ".join(words.split()))
    return text[:1].upper() + text[1:]


def check_game(
    game: str | GameType | Game,
    games: int = 20,
    seed: int = 0,
    most: int | None = None,
    *,
    compiled: bool = True,
    on_law: Callable[[str], None] | None = None,
) -> dict[str, str]:
    """Check every law on random games; return the laws that were skipped, and why.

    `most` limits the number of positions that each law is checked on. Without `compiled`, only the
    laws that need no compiled code are checked. `on_law` is told each law before it is checked.
    """
    sample = random_games(game, games, seed, most)
    skipped = {}
    for law, check in LAWS.items():
        if on_law is not None:
            on_law(law)
        if law in COMPILED and not compiled:
            skipped[law] = lacks(law, sample.game) or "it needs compiled code"
            continue
        try:
            if law in COMPILED:
                ensure_tried(sample.game)
            with np.errstate(over="ignore"):  # compiled words overflow silently
                reason = check(sample)
        except (LawBroken, RulesError):
            raise
        except Exception as error:
            problem = " ".join(f"{type(error).__name__}: {error}".split())
            raise LawBroken(law, sample.game, f"checking it raised {problem}") from error
        if reason is not None:
            skipped[law] = reason
    return skipped
