"""The folders for the user's games and settings, and for compiled code."""

from __future__ import annotations

import os
from pathlib import Path


def data_folder() -> Path:
    """Return `plywise` in the user's data folder, or the folder that `PLYWISE_DATA` names."""
    from platformdirs import user_data_path

    given = os.environ.get("PLYWISE_DATA")
    return Path(given) if given else user_data_path("plywise", appauthor=False)


def cache_folder() -> Path:
    """Return `plywise` in the user's cache folder, or the folder that `PLYWISE_CACHE` names."""
    from platformdirs import user_cache_path

    given = os.environ.get("PLYWISE_CACHE")
    return Path(given) if given else user_cache_path("plywise", appauthor=False)
