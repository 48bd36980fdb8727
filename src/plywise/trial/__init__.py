"""Tries a game that plywise has not seen before, before anything compiled runs its rules.

Compiled code trusts the rules: an index outside an array, a list of moves that is too long or a
position without moves would crash it, or make it answer nonsense. So some random games are played
first, interpreted, and every answer of every function is checked. What is wrong becomes a
`RulesError`, one line with the function and its line in the file.

A game that passed is remembered by its sources, so that the trial costs nothing the next time.
Games that ship with plywise are not tried.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import fields, is_dataclass
from functools import partial
from pathlib import Path
from typing import Any

from plywise.core import __version__, files
from plywise.core.game import Game, GameType
from plywise.errors import RulesError
from plywise.jit.blame import ships_with_plywise
from plywise.jit.cache import fingerprint
from plywise.trial.calls import TooSlow, Watch, explained
from plywise.trial.playing import Trial
from plywise.trial.reading import check_functions

__all__ = ["ensure_tried", "try_game"]

PATIENCE = 3.0  #: seconds of processor time for one call of one function
_KEEP = 500  #: games to remember


def ensure_tried(game: Game) -> None:
    """Try a game, unless it ships with plywise or has passed before; raise a RulesError."""
    known = vars(game)
    if "tried" in known:
        return
    functions = functions_of(game.type)
    if not all(ships_with_plywise(function) for function in functions):
        mark = mark_of(game, functions)
        if not has_passed(mark):
            try_game(game)
            remember(mark)
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


# ---- games that have passed, by the content of their sources -------------------------------------


def functions_of(kind: GameType) -> list[Callable[..., Any]]:
    """Return all functions that an author gave a game."""
    parts: list[Any] = [kind, kind.rules, kind.look, *kind.strength.heuristics.values()]
    values = (
        getattr(part, each.name) for part in parts if is_dataclass(part) for each in fields(part)
    )
    found = (_plain(value) for value in values if callable(value))
    return list(dict.fromkeys(each for each in found if hasattr(each, "__code__")))


def _plain(value: Any) -> Any:
    """Return the function itself of a method or a partial function."""
    while isinstance(value, partial):
        value = value.func
    return getattr(value, "__func__", value)


def mark_of(game: Game, functions: Sequence[Callable[..., Any]]) -> str:
    """Return a name for a game as it is now: another after every edit of its files."""
    kind = game.type
    facts = [__version__, repr(dict(game.params)), repr(kind.points)]
    return fingerprint(functions, [*facts, str(kind.state), str(kind.board), kind.name])


def has_passed(mark: str) -> bool:
    """Return True if a game with this name has passed its trial."""
    try:
        os.utime(_folder() / mark)
    except (OSError, RuntimeError):  # there is no such file, or no home
        return False
    return True


def remember(mark: str) -> None:
    """Remember that a game has passed; forget the oldest."""
    with suppress(OSError, RuntimeError):
        folder = _folder()
        folder.mkdir(parents=True, exist_ok=True, mode=0o700)
        (folder / mark).touch()
        files.keep_newest(folder.iterdir(), _KEEP)


def _folder() -> Path:
    return files.cache_folder() / "tried"
