"""Where compiled code is kept: a folder of the user's cache, named by what it was made from.

numba notices an edit of the kernel's own file only, so the folder carries a hash of every
source that can end up inside a kernel. An edit starts a new folder; old ones are removed.
"""

from __future__ import annotations

import hashlib
import os
import shutil
import sys
import tempfile
from collections.abc import Callable, Iterable
from functools import cache
from pathlib import Path
from typing import Any

import plywise

_KEEP = 4  #: folders of other versions left in place, for switching to and fro
_ROOMS = ("core", "jit", "engines", "games", "puzzles", "testing")


def cache_folder(functions: Iterable[Callable[..., Any]]) -> Path:
    """The folder for kernels over these functions; those of other packages count by source."""
    files = {Path(function.__code__.co_filename) for function in functions}
    home = Path(plywise.__file__).parent
    outside = sorted(file for file in files if home not in file.parents)
    folder = _own_folder()
    return folder / f"outside-{_digest(outside)}" if outside else folder


def user_folder() -> Path:
    """`plywise` in the user's cache; `PLYWISE_CACHE` names another place."""
    if given := os.environ.get("PLYWISE_CACHE"):
        return Path(given)
    if sys.platform == "win32":
        base = Path(os.environ.get("LOCALAPPDATA") or Path.home() / "AppData" / "Local")
    elif sys.platform == "darwin":
        base = Path.home() / "Library" / "Caches"
    else:
        base = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache")
    return base / "plywise"


@cache
def _own_folder() -> Path:
    import numba

    home = Path(plywise.__file__).parent
    sources = [file for room in _ROOMS for file in sorted((home / room).rglob("*.py"))]
    versions = f"py{sys.version_info[0]}{sys.version_info[1]}-numba{numba.__version__}"
    name = f"{versions}-{_digest(sources)}"
    try:
        folder = user_folder() / name
        folder.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryFile(dir=folder):
            pass
    except (OSError, RuntimeError):  # no home, or one that cannot be written
        user = getattr(os, "getuid", os.getpid)()
        folder = Path(tempfile.gettempdir()) / f"plywise-{user}" / name
        folder.mkdir(parents=True, exist_ok=True, mode=0o700)
    os.utime(folder)
    _remove_old(folder)
    return folder


def _digest(files: Iterable[Path]) -> str:
    digest = hashlib.sha256()
    for file in files:
        digest.update(file.read_bytes())
        digest.update(b"\0")
    return digest.hexdigest()[:16]


def _remove_old(folder: Path) -> None:
    """Keep the few folders used last; another process may be doing the same."""
    try:
        others = [other for other in folder.parent.glob("py*-numba*") if other != folder]
        others.sort(key=lambda other: other.stat().st_mtime, reverse=True)
        for other in others[_KEEP:]:
            shutil.rmtree(other, ignore_errors=True)
    except OSError:
        pass
