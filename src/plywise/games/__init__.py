"""The registry of games: every folder here, every entry point `plywise.games`, any file.

A game's folder exposes `GAME`, a `GameType`. Each is imported only when it is asked for.
"""

from __future__ import annotations

import re
import sys
from contextlib import suppress
from functools import cache
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING, Any

from plywise.core.files import load_module
from plywise.core.spec import are_own, registered, variable_of
from plywise.errors import SpecError, suggest

if TYPE_CHECKING:
    from plywise.core.game import Game, GameType
    from plywise.core.spec import Spec, Value

#: How to write a game, by its name alone and with parameters: for help texts and messages.
EXAMPLE, EXAMPLE_WITH_PARAMETERS = "connect4", "tictactoe:rows=4,cols=4,k=3"


#: Games of files that were registered by `add`: their files, and what they define.
_added: dict[str, tuple[Path, GameType]] = {}


def names() -> tuple[str, ...]:
    """The names of all registered games."""
    return tuple(sorted((*registered(__name__), *_added)))


def find(name: str) -> GameType:
    """The game registered under a name."""
    return _added[name][1] if name in _added else _find(name)


def add(file: Path) -> GameType:
    """Register the game of a file under its own name; again, if the file has changed.

    A file that cannot be loaded leaves the registered game as it was.
    """
    kind = load(file)
    if not re.fullmatch(r"[a-z][a-z0-9_-]*", kind.name):
        raise SpecError(
            f"{file} calls its game {kind.name!r}: write small letters and digits, such as 'hex'"
        )
    if kind.name in registered(__name__):
        raise SpecError(f"{file} calls its game {kind.name!r}, which is taken: choose another name")
    other = _added.get(kind.name, (file,))[0]
    if other != file:
        raise SpecError(f"{other} and {file} both call their game {kind.name!r}: rename one")
    for name in [name for name, (known, _) in _added.items() if known == file]:
        del _added[name]
    _added[kind.name] = file, kind
    return kind


def added() -> dict[str, Path]:
    """The files that were registered, by the names of their games."""
    return {name: file for name, (file, _) in _added.items()}


def are_shipped() -> bool:
    """Return True if every registered game comes with plywise."""
    return not _added and are_own(__name__)


@cache
def _find(name: str) -> GameType:
    if name not in registered(__name__):
        hint = suggest(name, names())
        with suppress(OSError, ValueError):  # what cannot be a file name is none
            if Path(f"{name}.py").is_file():
                hint = f"did you mean ./{name}.py?"
        raise SpecError(f"there is no game {name[:60]!r}: {hint}")
    return _game_of(registered(__name__)[name].load(), name)


def make(spec: str | Spec, **options: Value) -> Game:
    """Return the game that a spec means: `connect4`, `tictactoe:rows=4,cols=4`, `./mygame.py`.

    Parameters may be part of the text or given as options:

    >>> import plywise
    >>> plywise.game("connect4", rows=7) == plywise.game("connect4:rows=7")
    True
    """
    from plywise.core.spec import Spec

    parsed = Spec.of(spec, options)
    game = (load(Path(parsed.name)) if parsed.is_file else find(parsed.name))(parsed)
    from plywise.trial import ensure_tried

    ensure_tried(game)
    return game


def load(file: Path) -> GameType:
    """The game that a Python file defines as `GAME`."""
    module = load_module(file, "game")
    return _game_of(module, str(file))


def reference(kind: GameType) -> tuple[Any, ...]:
    """Return how a pickle finds a game again: by its name, its file, or the variable it is in."""
    if kind.name in registered(__name__) and find(kind.name) is kind:
        return find, (kind.name,)
    module = _module_of(kind)
    if module is not None:
        return _load_again, (str(Path(module.__file__ or "").resolve()), module.__name__)
    return variable_of(kind, (kind.rules.setup.__module__, "__main__"), f"the game {kind.name!r}")


def _load_again(file: str, module: str) -> GameType:
    """Return the game of a file that is still as it was."""
    if module not in sys.modules:
        load(Path(file))
    if module not in sys.modules:
        raise SpecError(f"the game file {file} has changed since its game was pickled")
    return _game_of(sys.modules[module], file)


def docstring(kind: GameType) -> str:
    """The docstring of the file that a game was loaded from; empty if it has none."""
    module = _module_of(kind)
    return "" if module is None else (module.__doc__ or "").strip()


def file_of(kind: GameType) -> Path | None:
    """The file that a game was loaded from; None for a game that is installed."""
    module = _module_of(kind)
    return None if module is None or module.__file__ is None else Path(module.__file__)


def _module_of(kind: GameType) -> ModuleType | None:
    """Return the module that was loaded from the file of a game."""
    for name, module in list(sys.modules.items()):
        if name.startswith("plywise_game_") and vars(module).get("GAME") is kind:
            return module
    return None


def _game_of(found: object, where: str) -> GameType:
    from plywise.core.game import GameType  # it imports NumPy, which `--help` does not need

    game = found if isinstance(found, GameType) else getattr(found, "GAME", None)
    if not isinstance(game, GameType):
        raise SpecError(f"{where} defines no game: it must set GAME = plywise.GameType(...)")
    return game
