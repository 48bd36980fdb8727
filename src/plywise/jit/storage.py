"""Compiled code on disk, in files that are checked before they are used.

numba keeps compiled code in pickles: an index, and a file for each kernel. It trusts them, so a
file that was cut off by a crash or a full disk breaks every later run, and a garbled one could run
as machine code. Here each file ends with a checksum. A file without the right one is removed, and
its kernel is compiled again. If nothing can be written, the search goes on without the cache.
"""

from __future__ import annotations

import io
import pickle
import sys
import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import cache, partial
from pathlib import Path
from types import ModuleType
from typing import Any

from plywise.core.files import read_sealed, seal
from plywise.errors import PlywiseWarning

_warned: set[str] = set()  # why compiled code is not kept, once that has been said


def check_files(dispatcher: Any, *, by_folder: bool, why: Callable[[], str]) -> None:
    """Make a compiled function check its cache files; `why` explains code that cannot be kept.

    numba finds a function in its files by its closure, in which an author's functions have the
    name of a module that changes with every edit. With `by_folder` the name of the folder, which
    stands for all sources, is enough.
    """
    numbas: Any = getattr(getattr(dispatcher, "_cache", None), "_cache_file", None)
    known: Any = _numbas_files()
    if isinstance(numbas, known):  # otherwise nothing is compiled, or numba has changed
        dispatcher._cache._cache_file = _checked_files()(
            numbas._cache_path,
            numbas._index_name.removesuffix(".nbi"),
            numbas._source_stamp,
        )
        usual = dispatcher._cache._impl.check_cachable

        def check_cachable(result: Any) -> bool:
            if not result.library.has_dynamic_globals:
                return bool(usual(result))
            warn_once(why())  # numba's own warning names neither the array nor its file
            return False

        dispatcher._cache._impl.check_cachable = check_cachable
        if by_folder:
            dispatcher._cache._index_key = _signature_alone


def _signature_alone(signature: Any, codegen: Any) -> Any:
    return signature, codegen.magic_tuple()


def warn_once(problem: str, cause: str | None = None) -> None:
    """Say that compiled code is not kept; once for each problem, or for all of one cause."""
    if (cause or problem) in _warned:
        return
    _warned.add(cause or problem)
    warnings.warn(
        f"compiled code cannot be kept, so every run compiles again: {problem}",
        PlywiseWarning,
        stacklevel=3,
    )


def _numbas_files() -> type:
    from numba.core.caching import IndexDataCacheFile

    kind: type = IndexDataCacheFile
    return kind


@cache
def _checked_files() -> Any:
    numbas: Any = _numbas_files()

    class CheckedFiles(numbas):  # type: ignore[misc]
        """The index and the files of one kernel."""

        def save(self, key: Any, data: Any) -> None:
            try:
                super().save(key, data)
            except OSError as error:
                warn_once(f"{self._cache_path}: {error.strerror or error}", "the disk")

        def _load_index(self) -> Any:
            try:
                content = io.BytesIO(read_sealed(Path(self._index_path)))
            except OSError:
                return {}
            if pickle.load(content) != self._version:
                return {}
            stamp, overloads = pickle.loads(content.read())
            return overloads if stamp == self._source_stamp else {}

        def _load_data(self, name: str) -> Any:
            data = read_sealed(Path(self._data_path(name)))  # `load` catches an OSError
            return _Unpickler(io.BytesIO(data)).load()

        @contextmanager
        def _open_for_write(self, filepath: str) -> Iterator[io.BytesIO]:
            content = io.BytesIO()
            yield content
            data = content.getvalue()
            with super()._open_for_write(filepath) as file:
                file.write(seal(data))

    return CheckedFiles


class _Unpickler(pickle.Unpickler):
    """Reads compiled code, also that of a module whose name has changed since."""

    def find_class(self, module: str, name: str, /) -> Any:
        """Return what a pickle names."""
        found = super().find_class(module, name)
        return partial(_environment, found) if name == "_rebuild_env" else found


def _environment(rebuild: Any, module: str, *rest: Any) -> Any:
    """Rebuild what compiled code knows of its module: nothing, for a rule of a user's file.

    The module's name holds a digest of the file, which has been edited elsewhere.
    """
    if module in sys.modules or not module.startswith("plywise_game_"):
        return rebuild(module, *rest)
    sys.modules[module] = ModuleType(module)
    try:
        return rebuild(module, *rest)
    finally:
        del sys.modules[module]
