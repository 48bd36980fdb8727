"""Modules beside a user's file: `import helper` finds `helper.py` in the same folder.

They are loaded from their source for this one file, and taken out of `sys.modules` again: another
folder may have a `helper` of its own, and an edit must be noticed.
"""

from __future__ import annotations

import hashlib
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from importlib.machinery import ModuleSpec, PathFinder, SourceFileLoader
from importlib.util import spec_from_file_location
from pathlib import Path
from types import CodeType, ModuleType
from typing import Any

_NAME = "__plywise_beside__"  #: where a module keeps the files that were loaded for it


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
        return spec_from_file_location(
            name,
            spec.origin,
            loader=_FromSource(name, spec.origin),
            submodule_search_locations=spec.submodule_search_locations,
        )


@contextmanager
def importing(module: ModuleType, file: Path) -> Iterator[None]:
    """Let a module import its neighbours while it is executed."""
    finder: Any = _Finder(file.resolve().parent)
    sys.meta_path.insert(0, finder)
    try:
        yield
    finally:
        sys.meta_path.remove(finder)
        loaded = [sys.modules.pop(name) for name in finder.found if name in sys.modules]
        files = [Path(each.__file__) for each in loaded if each.__file__]
        setattr(module, _NAME, {each: _digest(each) for each in files})


def is_current(module: ModuleType, file: Path) -> bool:
    """Return True if a module is as its file and the modules beside it say."""
    beside: dict[Path, str] = getattr(module, _NAME, {})
    here = Path(module.__file__ or "").resolve().parent == file.resolve().parent
    return not beside or (here and all(_digest(each) == old for each, old in beside.items()))


def _digest(file: Path) -> str:
    with suppress(OSError):
        return hashlib.sha256(file.read_bytes()).hexdigest()
    return ""
