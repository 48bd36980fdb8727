"""Where plywise keeps what belongs to the user: games and settings, and compiled code."""

from __future__ import annotations

import os
from pathlib import Path


def data_folder() -> Path:
    """Return `plywise` among the user's data; `PLYWISE_DATA` names another place."""
    from platformdirs import user_data_path

    given = os.environ.get("PLYWISE_DATA")
    return Path(given) if given else user_data_path("plywise", appauthor=False)


def cache_folder() -> Path:
    """Return `plywise` in the user's cache; `PLYWISE_CACHE` names another place."""
    from platformdirs import user_cache_path

    given = os.environ.get("PLYWISE_CACHE")
    return Path(given) if given else user_cache_path("plywise", appauthor=False)
