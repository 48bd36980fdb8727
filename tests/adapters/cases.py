"""The games that every adapter is tried with: all that are shipped, and one from a file."""

from __future__ import annotations

from pathlib import Path

import pytest

from plywise import games

FILE = str(Path(__file__).parents[2] / "examples" / "kalah.py")
SPECS = [*games.names(), FILE]
every_game = pytest.mark.parametrize("spec", SPECS, ids=[Path(spec).stem for spec in SPECS])
