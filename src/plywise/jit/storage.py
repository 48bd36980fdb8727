"""Compiled code on disk, in files that are checked before they are used.

numba keeps compiled code in pickles: an index, and a file for each kernel. It trusts them, so a
file that was cut off by a crash or a full disk breaks every later run, and a garbled one could run
as machine code. Here each file ends with a checksum. A file without the right one is removed, and
its kernel is compiled again. If nothing can be written, the search goes on without the cache.
"""

from __future__ import annotations

import hashlib
import io
import pickle
import warnings
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from functools import cache
from pathlib import Path
from typing import Any

from plywise.errors import PlywiseWarning

_CHECKSUM = hashlib.sha256
_LENGTH = _CHECKSUM().digest_size


def check_files(dispatcher: Any) -> None:
    """Make a compiled function check its cache files."""
    numbas: Any = getattr(getattr(dispatcher, "_cache", None), "_cache_file", None)
    known: Any = _numbas_files()
    if isinstance(numbas, known):  # otherwise nothing is compiled, or numba has changed
        dispatcher._cache._cache_file = _checked_files()(
            numbas._cache_path,
            numbas._index_name.removesuffix(".nbi"),
            numbas._source_stamp,
        )


@cache
def warn_once(problem: str) -> None:
    """Say that compiled code is not kept; the first time only."""
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
                warn_once(f"{self._cache_path}: {error.strerror or error}")

        def _load_index(self) -> Any:
            try:
                content = io.BytesIO(_read(self._index_path))
            except OSError:
                return {}
            if pickle.load(content) != self._version:
                return {}
            stamp, overloads = pickle.loads(content.read())
            return overloads if stamp == self._source_stamp else {}

        def _load_data(self, name: str) -> Any:
            return pickle.loads(_read(self._data_path(name)))  # `load` catches an OSError

        @contextmanager
        def _open_for_write(self, filepath: str) -> Iterator[io.BytesIO]:
            content = io.BytesIO()
            yield content
            data = content.getvalue()
            with super()._open_for_write(filepath) as file:
                file.write(data + _CHECKSUM(data).digest())

    return CheckedFiles


def _read(path: str) -> bytes:
    """Return a file without its checksum; remove one that is damaged, and raise an OSError."""
    content = Path(path).read_bytes()
    data, checksum = content[:-_LENGTH], content[-_LENGTH:]
    if _CHECKSUM(data).digest() != checksum:
        with suppress(OSError):
            Path(path).unlink()
        raise OSError(f"{path} is damaged")
    return data
