"""The user's folders, files with checksums, damaged archives, and Python files as modules."""

from __future__ import annotations

import atexit
import hashlib
import importlib.util
import os
import shutil
import stat
import sys
import tempfile
import zipfile
import zlib
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from functools import cache
from importlib.machinery import ModuleSpec, PathFinder, SourceFileLoader
from pathlib import Path
from types import CodeType, ModuleType
from typing import Any

from plywise.errors import AgentError, SpecError, describe

# ---- folders -------------------------------------------------------------------------------------


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


def keep_newest(found: Iterable[Path], count: int) -> None:
    """Remove all but the most recently used files or folders; others may be doing the same."""
    with suppress(OSError):
        newest = sorted(found, key=lambda each: each.stat().st_mtime, reverse=True)
        for old in newest[count:]:
            if old.is_dir():
                shutil.rmtree(old, ignore_errors=True)
            else:
                old.unlink(missing_ok=True)


# ---- contents ------------------------------------------------------------------------------------

#: What reading a damaged zip file, such as an `.npz` file, raises. Anything else that a library
#: raises is not the file's fault.
UNREADABLE = (
    zipfile.BadZipFile,
    zlib.error,
    NotImplementedError,
    RuntimeError,
    EOFError,
    ValueError,
    KeyError,
    TypeError,
)
_CHECKSUM = hashlib.sha256
_LENGTH = _CHECKSUM().digest_size


def seal(data: bytes) -> bytes:
    """Return data with its checksum."""
    return data + _CHECKSUM(data).digest()


def read_sealed(path: Path) -> bytes:
    """Return a file without its checksum; remove one that is damaged, and raise an OSError."""
    content = path.read_bytes()
    data, checksum = content[:-_LENGTH], content[-_LENGTH:]
    if _CHECKSUM(data).digest() != checksum:
        with suppress(OSError):
            path.unlink()
        raise OSError(f"{path} is damaged")
    return data


def write_sealed(path: Path, data: bytes) -> None:
    """Write a file with a checksum; whoever reads it meanwhile finds the old one or none."""
    number, name = tempfile.mkstemp(dir=path.parent)
    try:
        with open(number, "wb") as file:
            file.write(seal(data))
        os.replace(name, path)
    except BaseException:
        with suppress(OSError):
            os.unlink(name)
        raise


# ---- Python files --------------------------------------------------------------------------------

# In a user's file, `import helper` finds `helper.py` in the same folder. Such modules are loaded
# from their source for this one file, and taken out of `sys.modules` again: another folder may have
# a `helper` of its own, and an edit must be noticed.

_NEIGHBOURS = "__plywise_beside__"  #: where a module keeps the files that were loaded for it


class _FromSource(SourceFileLoader):
    """Compiles the source itself: there may be bytecode of an older version beside the file."""

    def get_code(self, fullname: str) -> CodeType:
        """Return the code of a module."""
        code: CodeType = compile(self.get_data(self.path), self.path, "exec", dont_inherit=True)
        return code


class _Finder:
    """Finds modules and packages of one folder, none of which has the name of a Python module."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.found: list[str] = []

    def find_spec(
        self, name: str, path: Sequence[str] | None = None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        """Return where a module is, or None if it is not in the folder."""
        top = name.partition(".")[0]
        if top in sys.stdlib_module_names or (path is not None and top not in self.found):
            return None
        spec = PathFinder.find_spec(name, [str(self.folder)] if path is None else path)
        if spec is None or spec.origin is None or not spec.origin.endswith(".py"):
            return None
        self.found.append(name)
        return importlib.util.spec_from_file_location(
            name,
            spec.origin,
            loader=_FromSource(name, spec.origin),
            submodule_search_locations=spec.submodule_search_locations,
        )


@contextmanager
def _importing_neighbours(module: ModuleType, file: Path) -> Iterator[None]:
    """Let a module import its neighbours while it is executed."""
    finder: Any = _Finder(file.resolve().parent)
    sys.meta_path.insert(0, finder)
    try:
        yield
    finally:
        sys.meta_path.remove(finder)
        loaded = [sys.modules.pop(name) for name in finder.found if name in sys.modules]
        files = [Path(each.__file__) for each in loaded if each.__file__]
        setattr(module, _NEIGHBOURS, {each: _digest(each) for each in files})


def _is_current(module: ModuleType, file: Path) -> bool:
    """Return True if a module is as its file and the modules beside it say."""
    beside: dict[Path, str] = getattr(module, _NEIGHBOURS, {})
    here = Path(module.__file__ or "").resolve().parent == file.resolve().parent
    return not beside or (here and all(_digest(each) == old for each, old in beside.items()))


def load_module(file: Path, what: str) -> ModuleType:
    """Run a user's Python file as a module; a file that has not changed is not run again."""
    try:
        source = file.read_bytes()
    except (OSError, ValueError) as error:
        reason = error.strerror if isinstance(error, OSError) else error
        raise SpecError(f"the {what} file {str(file)!r} cannot be read: {reason}") from error
    name = f"plywise_{what}_{file.stem}_{hashlib.sha256(source).hexdigest()[:12]}"
    if name in sys.modules and _is_current(sys.modules[name], file):
        return sys.modules[name]
    loader = importlib.util.spec_from_file_location(name, file)
    if loader is None or loader.loader is None:
        raise SpecError(f"the {what} file {file} is not a Python file: its name must end in .py")
    module = importlib.util.module_from_spec(loader)
    sys.modules[name] = module
    try:  # from the source itself: there may be bytecode of an older version beside the file
        with _importing_neighbours(module, file):
            exec(compile(source, file, "exec", dont_inherit=True), module.__dict__)
    except (Exception, SystemExit) as error:
        del sys.modules[name]
        raise AgentError(f"the {what} file {file} raised {describe(error, file)}") from error
    return module


def _digest(file: Path) -> str:
    with suppress(OSError):
        return hashlib.sha256(file.read_bytes()).hexdigest()
    return ""
