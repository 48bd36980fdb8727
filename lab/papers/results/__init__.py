"""What full reports printed, in files: `NAME.json` for each paper that was measured again.

`python -m lab.papers.results NAME` writes one. It holds the command, the commit it ran at, the
machine, the date, and under `report` what `plywise report NAME --json` prints.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

FOLDER = Path(__file__).parent


def names() -> list[str]:
    """Return the games and puzzles whose results are here."""
    return sorted(file.stem for file in FOLDER.glob("*.json"))


def read(name: str) -> dict[str, Any]:
    """Return the results of a game or puzzle."""
    found: dict[str, Any] = json.loads((FOLDER / f"{name}.json").read_text(encoding="utf-8"))
    return found
