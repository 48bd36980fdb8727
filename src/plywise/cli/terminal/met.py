"""Remembers which games the player has met, so that the rules of a new one are offered once."""

from __future__ import annotations

from plywise import games
from plywise.core.folders import data_folder
from plywise.core.game import Game
from plywise.errors import PlywiseError
from plywise.play.records.files import write_whole

_FILE = "met.txt"  #: in the data folder: one name a line


def offer(game: Game) -> str:
    """Return a line that offers the rules of a game, the first time; otherwise nothing."""
    kind = game.type
    if not (kind.guide or kind.words.summary or games.docstring(kind)) or not meet(kind.name):
        return ""
    return f"New to {kind.title or kind.name}? Type 'rules'."


def meet(name: str) -> bool:
    """Remember a game; returns True if it is new. A folder that fails makes every game new."""
    try:
        file = data_folder() / _FILE
        known = file.read_text(encoding="utf-8").splitlines() if file.exists() else []
        if name in known:
            return False
        file.parent.mkdir(parents=True, exist_ok=True)
        write_whole("".join(f"{each}\n" for each in (*known, name)), file)
    except (OSError, RuntimeError, UnicodeError, PlywiseError):  # no home, or not writable
        pass
    return True
