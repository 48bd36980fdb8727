"""The cache of compiled code: folders named by a hash of their sources, files with a checksum.

numba notices changes only in the kernel's own file. So the folder of a kernel is named by a hash of
everything compiled into it: every function it reaches, in any package, and the values of the
constants these use, wherever they come from. Functions of plywise count by the text of their file;
those of an author by their code alone, so that an edit of the drawing in the same file compiles
nothing again. Any change starts a new folder; old ones are removed.

numba keeps compiled code in pickles: an index, and a file for each kernel. It trusts them, so a
file that was cut off by a crash or a full disk breaks every later run, and a garbled one could run
as machine code. Here each file ends with a checksum. A file without the right one is removed, and
its kernel is compiled again. If nothing can be written, the search goes on without the cache.
"""

from __future__ import annotations

import hashlib
import io
import linecache
import os
import pickle
import re
import sys
import tempfile
import warnings
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import cache, partial
from pathlib import Path
from types import BuiltinFunctionType, CodeType, FunctionType, ModuleType
from typing import Any

import numpy as np

from plywise.core import files
from plywise.errors import PlywiseWarning
from plywise.jit.blame import ships_with_plywise

#: The longest rule, in bytes of Python's bytecode, that is always compiled into its callers: calls
#: cost Connect-4 a sixth of its speed. Longer ones are left to the compiler.
INLINED = 450
_KEEP = 4  #: older versions of a folder to keep, for switching back and forth
_FIXED = frozenset({*sys.stdlib_module_names, "numba", "numpy"})  #: change only with their version
LARGEST = 10**6  #: bytes of a constant array that numba puts into compiled code
_PLAIN = (bool, int, float, complex, str, bytes, type(None), np.generic, np.dtype)


def cache_folder(functions: Iterable[Callable[..., Any]]) -> Path | None:
    """Return the folder for a kernel over these functions; None if no folder can be used."""
    import numba

    functions = list(functions)
    found = reach(functions)
    versions = f"py{sys.version_info[0]}{sys.version_info[1]}-numba{numba.__version__}"
    kind = _digest(sorted({function.__code__.co_filename for function in functions}), 8)
    texts = [source_of(file) for file in sorted(found.whole)]
    parts = [*texts, *sorted(found.values), f"inlined {INLINED}"]
    if not all(map(ships_with_plywise, found.functions)):
        parts.append(found.woven)
    if debugs():
        parts.append("debug")
    name = f"{kind}-{_digest(parts, 16)}"
    return _made(f"{versions}-{name}", f"py*-numba*-{kind}-*")


def debugs() -> bool:
    """Return True if compiled code is to check every index: `PLYWISE_DEBUG=1`."""
    return bool(os.environ.get("PLYWISE_DEBUG"))


@dataclass
class Reach:
    """Everything that some functions depend on."""

    files: set[Path] = field(default_factory=set)  #: the files of all functions they reach
    whole: set[Path] = field(default_factory=set)  #: ... of which every word counts
    functions: list[FunctionType] = field(default_factory=list)
    values: set[str] = field(default_factory=set)  #: the constants these use, with their names
    #: The functions by their code, each with everything that it uses, in a fixed order. It tells
    #: apart what the sets do not: two rules from one file, or from one factory.
    woven: str = ""


def reach(functions: Iterable[Callable[..., Any]]) -> Reach:
    """Follow functions through closures, globals and modules to everything they can reach."""
    found = Reach()
    known: dict[int, int] = {}

    def follow(name: str, thing: Any, used: frozenset[str]) -> str:
        """Note a thing and all that it uses, and return it as text."""
        if isinstance(thing, FunctionType):
            if id(thing) in known or _fixed(thing.__module__):
                return f"{thing.__qualname__} {known.get(id(thing))}"
            known[id(thing)] = len(known)
            _note(thing, found)
            named = sorted(_used_by(thing), key=lambda each: each[0])
            parts = [f"{each[0]}: {follow(*each)}" for each in named]
            return f"{_stem(thing.__module__)} {_coded(thing.__code__)} {parts}"
        if isinstance(thing, ModuleType):
            inside = {} if _fixed(thing.__name__) else vars(thing)
            shared = sorted(used & set(inside))
            return str([f"{each}: {follow(each, inside[each], used)}" for each in shared])
        if isinstance(thing, type):
            module = sys.modules.get(thing.__module__)
            if module is not None and not _fixed(thing.__module__) and module.__file__:
                found.files.add(Path(module.__file__))
                found.whole.add(Path(module.__file__))
            return thing.__qualname__
        found.values.add(f"{name}={_written(thing)}")
        return getattr(thing, "__qualname__", "") or _written(thing)

    found.woven = _digest([follow("", each, frozenset()) for each in functions], 64)
    return found


def fingerprint(functions: Iterable[Callable[..., Any]], facts: Iterable[str]) -> str:
    """Return a name for functions and facts as they are now: another after an edit of their files.

    It outlasts the process, so that what was found out about a game can be kept under it.
    """
    found = reach(functions)
    texts = [source_of(file) for file in sorted(found.files)]
    return _digest([*facts, *sorted(found.values), *texts], 32)


def not_kept(functions: Iterable[Callable[..., Any]]) -> str:
    """Return why numba does not keep the code of functions: a constant that it has to point to."""
    for function in reach(functions).functions:
        for name, value, _ in _used_by(function):
            called = f"{name.rpartition('.')[2]} in {Path(function.__code__.co_filename).name}"
            if isinstance(value, np.ndarray) and value.nbytes > LARGEST:
                return f"{called} has more than a million bytes: put it into the board record"
            if isinstance(value, np.ndarray) and not value.flags.forc:
                return f"{called} is a view with gaps: write np.ascontiguousarray(...) around it"
    return "a rule uses an address"


def _note(function: FunctionType, found: Reach) -> None:
    """Note a function: by its file if that may hold more than can be seen, else by its code."""
    file = Path(function.__code__.co_filename)
    found.functions.append(function)
    found.files.add(file)
    used = [value for _, value, _ in _used_by(function)]
    if ships_with_plywise(function) or not all(map(_is_clear, used)):
        found.whole.add(file)


def _is_clear(value: Any) -> bool:
    """Return True if a change of a value that a function uses is noticed."""
    if isinstance(value, ModuleType):
        return not value.__name__.startswith("numba")
    if isinstance(value, tuple | list):
        return all(map(_is_clear, value))
    return isinstance(
        value, (*_PLAIN, FunctionType, BuiltinFunctionType, type, np.ndarray, np.ufunc)
    )


def _coded(code: CodeType) -> str:
    """Write the code of a function, without its place in the file."""
    constants = [
        _coded(each) if isinstance(each, CodeType)
        else repr(sorted(map(repr, each))) if isinstance(each, frozenset)
        else repr(each)
        for each in code.co_consts
    ]  # fmt: skip
    names = code.co_names, code.co_varnames, code.co_freevars, code.co_cellvars
    facts = code.co_argcount, code.co_flags, code.co_code.hex(), code.co_exceptiontable.hex()
    return f"{code.co_name} {facts} {names} {constants}"


def _stem(module: str | None) -> str:
    """Return the name of a module without the digest that one made from a file ends with."""
    return re.sub(r"^(plywise_\w+)_[0-9a-f]{12}$", r"\1", module or "")


def _fixed(module: str | None) -> bool:
    """Return True for a module that changes only with its version."""
    return (module or "").partition(".")[0] in _FIXED


def _used_by(function: FunctionType) -> Iterator[tuple[str, Any, frozenset[str]]]:
    """Yield what a function uses by name: its closure, its globals, its defaults."""
    codes = [function.__code__]
    for code in codes:  # nested functions, too
        codes += [each for each in code.co_consts if isinstance(each, CodeType)]
    used = frozenset(name for code in codes for name in code.co_names)
    for name, cell in zip(function.__code__.co_freevars, function.__closure__ or (), strict=True):
        yield f"{_stem(function.__module__)}.{name}", cell.cell_contents, used
    for name in used & function.__globals__.keys():
        yield f"{_stem(function.__module__)}.{name}", function.__globals__[name], used
    defaults = [*(function.__defaults__ or ()), *(function.__kwdefaults__ or {}).values()]
    for number, value in enumerate(defaults):
        yield f"{_stem(function.__module__)}.{function.__name__} default {number}", value, used


def _written(value: Any) -> str:
    """Write a constant as text, the same in every process; anything else by its type alone."""
    if isinstance(value, np.ndarray):
        digest = hashlib.sha256(np.ascontiguousarray(value).tobytes()).hexdigest()
        return f"{value.dtype} {value.shape} {digest}"
    if isinstance(value, _PLAIN):
        return repr(value)
    if isinstance(value, tuple | list):
        return f"({', '.join(map(_written, value))})"
    return type(value).__qualname__


def source_of(file: Path) -> str:
    """Return the source in a file, or in a notebook cell, which has no file."""
    try:
        return file.read_text(encoding="utf-8")
    except OSError:
        return "".join(linecache.getlines(str(file)))


@cache
def _made(name: str, alike: str) -> Path | None:
    """Return a folder, created if needed; the oldest of its other versions are removed."""
    problem = "there is no folder for it"
    for find in (files.cache_folder, files.temporary_folder):
        try:
            folder = files.trusted(find()) / name
            if not os.path.isdir(folder) or os.access(folder, os.W_OK):
                folder.mkdir(exist_ok=True, mode=0o700)
                with tempfile.TemporaryFile(dir=folder):
                    pass
                os.utime(folder)
        except (OSError, RuntimeError) as error:  # no home, or one that cannot be written
            problem = str(error)
            continue
        others = [each for each in folder.parent.glob(alike) if each != folder]
        files.keep_newest(others, _KEEP)
        return folder
    warn_once(problem)
    return None


def _digest(texts: Iterable[str], length: int) -> str:
    digest = hashlib.sha256()
    for text in texts:
        digest.update(text.encode())
        digest.update(b"\0")
    return digest.hexdigest()[:length]


# ---- the files -----------------------------------------------------------------------------------

_warned: set[str] = set()  # why compiled code is not kept, once that has been said


def check_files(dispatcher: Any, functions: Iterable[Any], why: Callable[[], str]) -> None:
    """Make a compiled function check its cache files; `why` explains code that cannot be kept.

    numba finds a function in its files by its pickled closure. That is another one when Python has
    just compiled a source than when it reads it from its own cache, and after an author's edit.
    What the functions of the kernel are made of is the same.
    """
    numbas: Any = getattr(getattr(dispatcher, "_cache", None), "_cache_file", None)
    checked = _checked_files()
    if isinstance(numbas, checked.__base__):  # else nothing is compiled, or numba has changed
        dispatcher._cache._cache_file = checked(
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
        dispatcher._cache._index_key = partial(_key, reach(functions).woven)


def _key(woven: str, signature: Any, codegen: Any) -> Any:
    return signature, codegen.magic_tuple(), woven


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


@cache
def _checked_files() -> Any:
    from numba.core.caching import IndexDataCacheFile

    class CheckedFiles(IndexDataCacheFile):  # type: ignore[misc]
        """The index and the files of one kernel."""

        def save(self, key: Any, data: Any) -> None:
            try:
                super().save(key, data)
            except OSError as error:
                warn_once(f"{self._cache_path}: {error.strerror or error}", "the disk")

        def _load_index(self) -> Any:
            try:
                content = io.BytesIO(files.read_sealed(Path(self._index_path)))
            except OSError:
                return {}
            if pickle.load(content) != self._version:
                return {}
            stamp, overloads = pickle.loads(content.read())
            return overloads if stamp == self._source_stamp else {}

        def _load_data(self, name: str) -> Any:
            data = files.read_sealed(Path(self._data_path(name)))  # `load` catches an OSError
            return _Unpickler(io.BytesIO(data)).load()

        @contextmanager
        def _open_for_write(self, filepath: str) -> Iterator[io.BytesIO]:
            content = io.BytesIO()
            yield content
            data = content.getvalue()
            with super()._open_for_write(filepath) as file:
                file.write(files.seal(data))

    return CheckedFiles


class _Unpickler(pickle.Unpickler):
    """Reads compiled code, also that of a module whose name has changed since."""

    def find_class(self, module: str, name: str, /) -> Any:
        """Return what a pickle names."""
        found = super().find_class(module, name)
        return partial(_environment, found) if name == "_rebuild_env" else found


def _environment(rebuild: Any, module: str, *rest: Any) -> Any:
    """Rebuild what compiled code knows of its module: nothing, for a rule of a user's file.

    The module's name holds a digest of the file, which has been edited elsewhere. If it was no
    longer loaded when its rules were compiled, numba has called it dynamic.
    """
    if module in sys.modules or not module.startswith(("plywise_game_", "<dynamic>")):
        return rebuild(module, *rest)
    sys.modules[module] = ModuleType(module)
    try:
        return rebuild(module, *rest)
    finally:
        del sys.modules[module]
