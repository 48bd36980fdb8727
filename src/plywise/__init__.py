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

from plywise import core
from plywise.core import __version__ as __version__

if TYPE_CHECKING:
    from plywise.adapters.notebook import board
    from plywise.core.analysis import Analysis, Limits, Line, Stop
    from plywise.core.engine import Engine
    from plywise.core.game import (
        AgentType,
        Game,
        GameType,
        Heuristic,
        Notation,
        Rules,
        Strength,
        Words,
    )
    from plywise.core.position import Position
    from plywise.core.puzzle import PuzzleType
    from plywise.core.spec import Parameter
    from plywise.engines import make as engine
    from plywise.engines.batch import Batch, batch
    from plywise.engines.solve import solve
    from plywise.errors import (
        AgentError,
        AmbiguousMove,
        IllegalMove,
        InvalidMove,
        InvalidPosition,
        MoveError,
        PlywiseError,
        RulesError,
        SpecError,
        Unsupported,
    )
    from plywise.games import make as game
    from plywise.jit import rule
    from plywise.play.hints import Hint, hint
    from plywise.play.match import Match
    from plywise.play.records.game_record import GameRecord
    from plywise.play.records.saves import load, save
    from plywise.play.review import Review, review
    from plywise.play.series import play_match as match
    from plywise.play.session import Session
    from plywise.testing import check_game

#: Every public name and the module it comes from. Modules are imported on first use, so that
#: `import plywise` stays fast.
_HOME = {
    "AgentError": "errors",
    "AgentType": "core.game",
    "AmbiguousMove": "errors",
    "Analysis": "core.analysis",
    "Batch": "engines.batch",
    "Engine": "core.engine",
    "Game": "core.game",
    "GameRecord": "play.records.game_record",
    "GameType": "core.game",
    "Heuristic": "core.game",
    "Hint": "play.hints",
    "IllegalMove": "errors",
    "InvalidMove": "errors",
    "InvalidPosition": "errors",
    "Limits": "core.analysis",
    "Line": "core.analysis",
    "Match": "play.match",
    "MoveError": "errors",
    "Notation": "core.game",
    "Parameter": "core.spec",
    "PlywiseError": "errors",
    "Position": "core.position",
    "PuzzleType": "core.puzzle",
    "Review": "play.review",
    "Rules": "core.game",
    "RulesError": "errors",
    "Session": "play.session",
    "SpecError": "errors",
    "Stop": "core.analysis",
    "Strength": "core.game",
    "Unsupported": "errors",
    "Words": "core.game",
    "batch": "engines.batch",
    "board": "adapters.notebook",
    "check_game": "testing",
    "engine": "engines:make",
    "game": "games:make",
    "hint": "play.hints",
    "load": "play.records.saves",
    "match": "play.series:play_match",
    "review": "play.review",
    "rule": "jit",
    "save": "play.records.saves",
    "solve": "engines.solve:solve",
}

__all__ = [
    "AgentError",
    "AgentType",
    "AmbiguousMove",
    "Analysis",
    "Batch",
    "Engine",
    "Game",
    "GameRecord",
    "GameType",
    "Heuristic",
    "Hint",
    "IllegalMove",
    "InvalidMove",
    "InvalidPosition",
    "Limits",
    "Line",
    "Match",
    "MoveError",
    "Notation",
    "Parameter",
    "PlywiseError",
    "Position",
    "PuzzleType",
    "Review",
    "Rules",
    "RulesError",
    "Session",
    "SpecError",
    "Stop",
    "Strength",
    "Unsupported",
    "Words",
    "batch",
    "board",
    "check_game",
    "engine",
    "game",
    "hint",
    "load",
    "match",
    "review",
    "rule",
    "save",
    "solve",
]


def _views() -> core.Views:
    from plywise import views

    return views


def _games() -> core.Registry:
    from plywise import games

    return games


def _puzzles() -> core.Registry:
    from plywise import puzzles

    return puzzles


core.views, core.games, core.puzzles = _views, _games, _puzzles


def __getattr__(name: str) -> Any:
    if name not in _HOME:
        raise AttributeError(f"module 'plywise' has no attribute {name!r}")
    module, _, attribute = _HOME[name].partition(":")
    value = getattr(import_module(f"plywise.{module}"), attribute or name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
