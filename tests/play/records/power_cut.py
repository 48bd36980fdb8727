"""Records what SQLite writes, and rebuilds the files as a power cut could have left them.

The recorder is a VFS of SQLite, made with ctypes around the usual one: files are opened as always,
but their writes, truncations and syncs pass through here. So the store under test is the real one,
in this process, and nothing has to be installed.

A disk keeps what was synced. Of what was written to a file after its last sync, it may have kept
any part in any order: each write whole, cut off at any byte, or not at all. A file that was deleted
may come back, unless its folder was synced.
"""

from __future__ import annotations

import _sqlite3
import ctypes
import random
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from ctypes import CFUNCTYPE, POINTER, Structure, c_char_p, c_int, c_int64, c_void_p
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

# ---- what is recorded ------------------------------------------------------------------------


@dataclass(frozen=True)
class Event:
    """One thing that happened: `write`, `truncate`, `sync` or `delete` of a file, or a `note`."""

    kind: str
    file: str = ""
    at: int = 0  #: where a write begins, the new size, or whether a folder was synced
    data: bytes = b""
    note: Any = None  #: what the test wants to remember at this moment


class Recording:
    """Events in the order in which they happened."""

    def __init__(self) -> None:
        self.events: list[Event] = []
        self._lock = threading.Lock()

    def add(self, event: Event) -> None:
        with self._lock:
            self.events.append(event)

    def note(self, what: Any) -> None:
        """Remember something, such as that a move was confirmed."""
        self.add(Event("note", note=what))


# ---- rebuilding ------------------------------------------------------------------------------


def after_a_cut(
    before: dict[str, bytes], events: list[Event], rng: random.Random
) -> dict[str, bytes]:
    """Files as they may be if the power goes after these events; `before` is what was there."""
    files = {name: bytearray(data) for name, data in before.items()}
    waiting: dict[str, list[Event]] = {}
    undead: dict[str, bytearray] = {}  # deleted, but the folder may not know it yet
    for event in events:
        if event.kind == "sync":
            if event.file not in files and event.file.endswith(("-wal", "-journal")):
                undead.clear()  # SQLite syncs the folder of a new log or journal as well
            for each in waiting.pop(event.file, ()):
                _apply(files, each)
            files.setdefault(event.file, bytearray())
        elif event.kind == "delete":
            waiting.pop(event.file, None)
            if (data := files.pop(event.file, None)) is not None and not event.at:
                undead[event.file] = data
        elif event.kind != "note":
            waiting.setdefault(event.file, []).append(event)
    for name in sorted(waiting):
        _apply_some(files, waiting[name], rng)
    for name in sorted(undead.keys() - files.keys()):
        if rng.random() < 0.5:
            files[name] = undead[name]
    return {name: bytes(data) for name, data in files.items()}


def _apply_some(files: dict[str, bytearray], waiting: list[Event], rng: random.Random) -> None:
    """What a disk may have done with writes that nobody waited for."""
    way = rng.randrange(4)
    if way == 0:  # nothing
        return
    if way == 1:  # in order, up to some byte
        count = rng.randrange(len(waiting))
        for event in waiting[:count]:
            _apply(files, event)
        _apply(files, _torn(waiting[count], rng))
        return
    chosen = [each for each in waiting if way == 2 or rng.random() < 0.5]
    rng.shuffle(chosen)
    for event in chosen:
        _apply(files, _torn(event, rng) if rng.random() < 0.3 else event)


def _torn(event: Event, rng: random.Random) -> Event:
    if event.kind != "write":
        return event
    return Event("write", event.file, event.at, event.data[: rng.randrange(len(event.data) + 1)])


def _apply(files: dict[str, bytearray], event: Event) -> None:
    data = files.setdefault(event.file, bytearray())
    if event.kind == "truncate":
        del data[event.at :]
        return
    if len(data) < event.at:
        data.extend(bytes(event.at - len(data)))
    data[event.at : event.at + len(event.data)] = event.data


# ---- the recorder ----------------------------------------------------------------------------

_Open = CFUNCTYPE(c_int, c_void_p, c_void_p, c_void_p, c_int, POINTER(c_int))
_Delete = CFUNCTYPE(c_int, c_void_p, c_char_p, c_int)
_Write = CFUNCTYPE(c_int, c_void_p, c_void_p, c_int, c_int64)
_Truncate = CFUNCTYPE(c_int, c_void_p, c_int64)
_Sync = CFUNCTYPE(c_int, c_void_p, c_int)


class _Methods(Structure):
    """`sqlite3_io_methods`: what can be done with an open file."""

    _fields_ = (
        ("version", c_int), ("close", c_void_p), ("read", c_void_p), ("write", c_void_p),
        ("truncate", c_void_p), ("sync", c_void_p), ("rest", c_void_p * 13),
    )  # fmt: skip


class _File(Structure):
    """`sqlite3_file`: an open file begins with a pointer to its methods."""

    _fields_ = (("methods", POINTER(_Methods)),)


class _Vfs(Structure):
    """`sqlite3_vfs`: how files are opened and deleted."""

    _fields_ = (
        ("version", c_int), ("size", c_int), ("longest", c_int), ("next", c_void_p),
        ("name", c_char_p), ("data", c_void_p), ("open", c_void_p), ("delete", c_void_p),
        ("rest", c_void_p * 14),
    )  # fmt: skip


def _library() -> Any:
    """The SQLite that Python uses; skips the test if it cannot be reached."""
    try:
        found = ctypes.CDLL(getattr(_sqlite3, "__file__", None))
        found.sqlite3_vfs_find.restype = POINTER(_Vfs)
        found.sqlite3_vfs_find.argtypes = (c_char_p,)
        found.sqlite3_vfs_register.argtypes = (POINTER(_Vfs), c_int)
    except (OSError, AttributeError):
        pytest.skip("this Python hides the functions of its SQLite")
    return found


class _Recorder:
    """A VFS that records. SQLite keeps pointers into it, so it is never freed."""

    def __init__(self, library: Any) -> None:
        self.usual = library.sqlite3_vfs_find(None)
        self.recording: Recording | None = None
        self._names: dict[int, str] = {}  # of open files, by their address
        self._methods: dict[int, tuple[_Methods, Any]] = {}  # ours, by the address of the usual
        usual = self.usual.contents
        self._open, self._delete = _Open(usual.open), _Delete(usual.delete)
        self.vfs = _Vfs.from_buffer_copy(usual)
        self.vfs.name, self.vfs.next = b"plywise-recorder", None
        self._callbacks = _Open(self.open), _Delete(self.delete)
        self.vfs.open, self.vfs.delete = (ctypes.cast(each, c_void_p) for each in self._callbacks)

    def record(self, kind: str, file: str, at: int = 0, data: bytes = b"") -> None:
        if self.recording is not None:
            self.recording.add(Event(kind, file, at, data))

    def open(self, vfs: int, name: int | None, file: int, flags: int, out: Any) -> int:
        done: int = self._open(vfs, name, file, flags, out)
        opened = ctypes.cast(file, POINTER(_File)).contents
        if done == 0 and name and opened.methods:
            self._names[file] = Path(ctypes.string_at(name).decode()).name
            opened.methods = ctypes.pointer(self._recording(opened.methods))
        return done

    def delete(self, vfs: int, name: bytes, sync: int) -> int:
        done: int = self._delete(vfs, name, sync)
        if done == 0:
            self.record("delete", Path(name.decode()).name, sync)
        return done

    def _recording(self, usual: Any) -> _Methods:
        """The methods of a file, with ours in place of those that change it."""
        address = ctypes.addressof(usual.contents)
        if address not in self._methods:
            methods = _Methods.from_buffer_copy(usual.contents)
            write, truncate = _Write(methods.write), _Truncate(methods.truncate)
            sync = _Sync(methods.sync)

            def writes(file: int, data: int, count: int, at: int) -> int:
                done: int = write(file, data, count, at)
                if done == 0:
                    self.record("write", self._names[file], at, ctypes.string_at(data, count))
                return done

            def truncates(file: int, size: int) -> int:
                done: int = truncate(file, size)
                if done == 0:
                    self.record("truncate", self._names[file], size)
                return done

            def syncs(file: int, flags: int) -> int:
                done: int = sync(file, flags)
                if done == 0:
                    self.record("sync", self._names[file])
                return done

            ours = _Write(writes), _Truncate(truncates), _Sync(syncs)
            methods.write, methods.truncate, methods.sync = (
                ctypes.cast(each, c_void_p) for each in ours
            )
            self._methods[address] = methods, ours
        return self._methods[address][0]


_recorder: _Recorder | None = None


@contextmanager
def recorded() -> Iterator[Recording]:
    """Record what SQLite writes to files that are opened meanwhile."""
    global _recorder
    library = _library()
    if _recorder is None:
        _recorder = _Recorder(library)
    _recorder.recording = Recording()
    library.sqlite3_vfs_register(ctypes.byref(_recorder.vfs), 1)
    try:
        yield _recorder.recording
    finally:
        library.sqlite3_vfs_register(_recorder.usual, 1)
        _recorder.recording = None


def files_of(database: Path) -> dict[str, bytes]:
    """A database and what SQLite keeps beside it, except what it makes again after a crash."""
    found = database.parent.glob(f"{database.name}*")
    return {file.name: file.read_bytes() for file in found if not file.name.endswith("-shm")}
