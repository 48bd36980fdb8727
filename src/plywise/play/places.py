"""Where plywise keeps what belongs to the user."""

from __future__ import annotations

import os
import sys
from pathlib import Path


def data_folder() -> Path:
    """`plywise` among the user's data; `PLYWISE_DATA` names another place."""
    if given := os.environ.get("PLYWISE_DATA"):
        return Path(given)
    if sys.platform == "win32":
        base = Path(os.environ.get("LOCALAPPDATA") or Path.home() / "AppData" / "Local")
    elif sys.platform == "darwin":
        base = Path.home() / "Library" / "Application Support"
    else:
        base = Path(os.environ.get("XDG_DATA_HOME") or Path.home() / ".local" / "share")
    return base / "plywise"
