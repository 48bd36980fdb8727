"""Where compiled code is kept: folders of the user's cache, named by what it was made from.

numba notices an edit of the kernel's own file only. So the folder of a kernel carries a hash of
every source that can end up inside it: those of its functions, and all of plywise that they import.
An edit of one of these starts a new folder; old ones are removed.
"""

from __future__ import annotations

import hashlib
import linecache
import os
import re
import shutil
import sys
import tempfile
from collections.abc import Callable, Iterable, Iterator
from functools import cache
from pathlib import Path
from typing import Any

_KEEP = 4  #: folders with the same functions in other versions, for switching to and fro
_HOME = Path(__file__).parents[1]
_IMPORT = re.compile(
    r"^from plywise\b([\w.]*) import (?:\(([^)]*)\)|(.*))|^import plywise\b([\w.]*)", re.MULTILINE
)


def cache_folder(functions: Iterable[Callable[..., Any]]) -> Path:
    """The folder for a kernel over these functions."""
    import numba

    files = sorted(_files(functions))
    versions = f"py{sys.version_info[0]}{sys.version_info[1]}-numba{numba.__version__}"
    kind = _digest([str(file) for file in files], 8)
    name = f"{kind}-{_digest([_text(file) for file in _sources(files)], 16)}"
    return _made(f"{versions}-{name}", f"py*-numba*-{kind}-*")


def _files(functions: Iterable[Callable[..., Any]]) -> set[Path]:
    """Where functions are written, and those that they are closures over."""
    pending, seen = list(functions), set[Callable[..., Any]]()
    while pending:
        function = pending.pop()
        if function not in seen:
            seen.add(function)
            cells = [cell.cell_contents for cell in function.__closure__ or ()]
            pending += [inner for inner in cells if hasattr(inner, "__code__")]
    return {Path(function.__code__.co_filename) for function in seen}


def _sources(files: Iterable[Path]) -> list[Path]:
    """These files and all files of plywise that they import, directly or not."""
    pending, seen = list(files), set[Path]()
    while pending:
        file = pending.pop()
        if file not in seen:
            seen.add(file)
            pending += _imported(file)
    return sorted(seen)


@cache
def _imported(file: Path) -> list[Path]:
    """The files of plywise that a file imports at its left margin."""
    found: list[Path] = []
    for match in _IMPORT.finditer(_text(file)):
        start, several, one, alone = match.groups(default="")
        module = _HOME.joinpath(*(start or alone).split("."))
        found += _file_of(module)
        for name in re.findall(r"\w+", several or one):
            found += _file_of(module / name)
    return found


def _text(file: Path) -> str:
    """What is written in a file; in a notebook's cell, which is none, what was typed."""
    try:
        return file.read_text(encoding="utf-8")
    except OSError:
        return "".join(linecache.getlines(str(file)))


def _file_of(module: Path) -> Iterator[Path]:
    """The file of a module, if there is one by that name."""
    for file in (module.with_suffix(".py"), module / "__init__.py"):
        if file.is_file():
            yield file


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
def _made(name: str, alike: str) -> Path:
    """A folder, made if need be; of those that are alike the oldest go."""
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
    _remove_old(folder, alike)
    return folder


def _digest(texts: Iterable[str], length: int) -> str:
    digest = hashlib.sha256()
    for text in texts:
        digest.update(text.encode())
        digest.update(b"\0")
    return digest.hexdigest()[:length]


def _remove_old(folder: Path, alike: str) -> None:
    """Keep the few folders used last; another process may be doing the same."""
    try:
        others = [other for other in folder.parent.glob(alike) if other != folder]
        others.sort(key=lambda other: other.stat().st_mtime, reverse=True)
        for other in others[_KEEP:]:
            shutil.rmtree(other, ignore_errors=True)
    except OSError:
        pass
