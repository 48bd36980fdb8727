"""Which net a game has: one that is given, one that was learned here, one that ships with it."""

from __future__ import annotations

from contextlib import suppress
from functools import lru_cache
from pathlib import Path

from plywise.core import files
from plywise.core.game import Game, Rules
from plywise.engines.net.weights import Net, spec_of
from plywise.engines.stage import Stage, plain
from plywise.errors import SpecError

LEARNED = "learned"  #: in place of a file: the net that `auto` uses
NONE = "no"  #: ... and none at all
NET = f"a learned evaluation: its file, or {LEARNED!r} for the one that auto uses"
_PLAIN = str.maketrans({":": "-", ",": "-", "=": ""})
EXPERT_NET = f"a learned evaluation: its file, or {NONE!r}; by default the best there is"


def staged(game: Game, rules: Rules, net: str | Net | None) -> Stage:
    """Return the rules with a net, or as they are without one."""
    if net is None or net == NONE:
        return plain(game, rules)
    return (net if isinstance(net, Net) else named(net, game)).stage(rules)


def named(text: str, game: Game) -> Net:
    """Return the net of a file, or the one that a game has."""
    if text != LEARNED:
        return _read(Path(text), game)
    found = net_of(game)
    if found is None:
        raise SpecError(f"{game.spec} has no net yet: `plywise learn {game.spec}` makes one")
    return found


def usual(text: str | None, game: Game) -> Net | None:
    """Return the net that an expert uses: the game's own, if nothing else is said."""
    if text == NONE:
        return None
    return net_of(game) if text is None else named(text, game)


def net_of(game: Game) -> Net | None:
    """Return the net that a game has, or None."""
    file = file_of(game)
    return None if file is None else _read(file, game)


def file_of(game: Game) -> Path | None:
    """Return the file of the net that was learned here, else of the one that ships with the game.

    One that lost against what was there before is not taken, and neither is one that was learned
    for another board under the same name.
    """
    for file in (learned_file(game), shipped_file(game)):
        if file is not None and file.exists():
            with suppress(SpecError):
                if _read(file, game).about.get("better", True):
                    return file
    return None


def shipped_file(game: Game) -> Path | None:
    """Return where the net of a board would be among those that ship with a game."""
    folder = game.type.folder
    return None if folder is None else folder / "nets" / _name(game)


def learned_file(game: Game) -> Path:
    """Return where `plywise learn` keeps the net of a board."""
    return files.data_folder() / "nets" / _name(game)


def _name(game: Game) -> str:
    """Return the name of a file, without what has a meaning in a spec: connect4-rows7-cols8.npz."""
    return f"{spec_of(game).translate(_PLAIN)}.npz"


def _read(file: Path, game: Game) -> Net:
    """Read a file, or take it from memory if it has not changed."""
    try:
        changed = file.stat().st_mtime_ns
    except OSError:
        changed = 0
    return _load(file, game, changed)


@lru_cache(maxsize=16)
def _load(file: Path, game: Game, changed: int) -> Net:
    return Net.load(file, game)
