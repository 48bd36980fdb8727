"""plywise: write a game's rules as plain Python functions, get an engine, a solver and a board.

>>> import plywise
>>> game = plywise.game("tictactoe")
>>> position = game.position("b2 a1 c3")
>>> position.to_move, position.legal
(2, ('b1', 'c1', 'a2', 'c2', 'a3', 'b3'))
>>> plywise.solve(position).outcome
'draw'
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

from plywise.core import __version__ as __version__

if TYPE_CHECKING:
    from plywise import engines
    from plywise import games as games
    from plywise import puzzles as puzzles
    from plywise import views as views
    from plywise.adapters.notebook import board as board
    from plywise.core.analysis import Analysis as Analysis
    from plywise.core.analysis import Limits as Limits
    from plywise.core.analysis import Line as Line
    from plywise.core.analysis import Stop as Stop
    from plywise.core.engine import Engine as Engine
    from plywise.core.game import AgentType as AgentType
    from plywise.core.game import Game as Game
    from plywise.core.game import GameType as GameType
    from plywise.core.game import Heuristic as Heuristic
    from plywise.core.game import Notation as Notation
    from plywise.core.game import Rules as Rules
    from plywise.core.game import Strength as Strength
    from plywise.core.game import Words as Words
    from plywise.core.position import Position as Position
    from plywise.core.puzzle import PuzzleType as PuzzleType
    from plywise.core.spec import Parameter as Parameter
    from plywise.engines.batch import Batch as Batch
    from plywise.engines.batch import batch as batch
    from plywise.engines.solve import solve as solve
    from plywise.errors import AgentError as AgentError
    from plywise.errors import AmbiguousMove as AmbiguousMove
    from plywise.errors import IllegalMove as IllegalMove
    from plywise.errors import InvalidMove as InvalidMove
    from plywise.errors import InvalidPosition as InvalidPosition
    from plywise.errors import MoveError as MoveError
    from plywise.errors import PlywiseError as PlywiseError
    from plywise.errors import RulesError as RulesError
    from plywise.errors import SpecError as SpecError
    from plywise.errors import Unsupported as Unsupported
    from plywise.jit import rule as rule
    from plywise.play import series
    from plywise.play.hints import Hint as Hint
    from plywise.play.hints import hint as hint
    from plywise.play.match import Match as Match
    from plywise.play.records.game_record import GameRecord as GameRecord
    from plywise.play.records.saves import load as load
    from plywise.play.records.saves import save as save
    from plywise.play.review import Review as Review
    from plywise.play.review import review as review
    from plywise.play.session import Session as Session
    from plywise.testing import check_game as check_game

    engine, game, match = engines.make, games.make, series.play_match

#: The public names, by the module that they come from; some are called otherwise there. Modules are
#: imported on first use, so that `import plywise` stays fast.
_HOMES = {
    "adapters.notebook": "board",
    "core.analysis": "Analysis Limits Line Stop",
    "core.engine": "Engine",
    "core.game": "AgentType Game GameType Heuristic Notation Rules Strength Words",
    "core.position": "Position",
    "core.puzzle": "PuzzleType",
    "core.spec": "Parameter",
    "engines": "engine:make",
    "engines.batch": "Batch batch",
    "engines.solve": "solve",
    "errors": "AgentError AmbiguousMove IllegalMove InvalidMove InvalidPosition MoveError"
    " PlywiseError RulesError SpecError Unsupported",
    "games": "game:make",
    "jit": "rule",
    "play.hints": "Hint hint",
    "play.match": "Match",
    "play.records.game_record": "GameRecord",
    "play.records.saves": "load save",
    "play.review": "Review review",
    "play.series": "match:play_match",
    "play.session": "Session",
    "testing": "check_game",
}
_HOME = {
    name: (module, there or name)
    for module, names in _HOMES.items()
    for name, _, there in (each.partition(":") for each in names.split())
}

#: Packages that may be named like this, too: the core asks them for pictures of positions, and for
#: where a pickle finds a game again, without importing what is above it.
_PACKAGES = frozenset({"games", "puzzles", "views"})

__all__ = sorted(_HOME)


def __getattr__(name: str) -> Any:
    if name in _PACKAGES:
        return import_module(f"plywise.{name}")
    if name not in _HOME:
        raise AttributeError(f"module 'plywise' has no attribute {name!r}")
    module, there = _HOME[name]
    value = getattr(import_module(f"plywise.{module}"), there)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
