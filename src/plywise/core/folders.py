"""The folders for the user's games and settings, and for compiled code."""

from __future__ import annotations

import atexit
import os
import shutil
import stat
import tempfile
from functools import cache
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


def temporary_folder() -> Path:
    """Return a folder of this user's in the system's temporary folder, where anybody may write.

    It is used only if nobody else could have put a file into it. Otherwise it is a new folder,
    which is removed when the process ends.
    """
    user = getattr(os, "getuid", os.getpid)()
    folder = Path(tempfile.gettempdir()) / f"plywise-{user}"
    try:
        return trusted(folder, strict=True)
    except OSError:
        return _private_folder()


@cache
def _private_folder() -> Path:
    folder = Path(tempfile.mkdtemp(prefix="plywise-"))
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    return folder


def trusted(folder: Path, *, strict: bool = False) -> Path:
    """Return a folder, created if needed; PermissionError if others could have written into it.

    Compiled code is loaded from it as pickles, which can run anything. A folder that the user's
    group may write to is trusted, because some systems create all folders like that; but not with
    `strict`.
    """
    folder.mkdir(parents=True, exist_ok=True, mode=0o700)
    if hasattr(os, "getuid"):
        found = folder.lstat() if strict else folder.stat()
        others = stat.S_IWOTH | (stat.S_IWGRP if strict else 0)
        if found.st_uid != os.getuid() or found.st_mode & others or not stat.S_ISDIR(found.st_mode):
            raise PermissionError(f"{folder} belongs to somebody else, or others may write to it")
    return folder
