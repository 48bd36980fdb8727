"""A copy of the project whose sources can be changed, and runs of its tests in forked processes.

A fork has the packages of others loaded already, which saves seconds of each run. It runs the tests
of some files, and stops at the first failure, or when a test takes ten times what it should. The
operating system ends it then, since compiled code hears nobody else.
"""

from __future__ import annotations

import fcntl
import json
import os
import resource
import shutil
import signal
import sys
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from hashlib import sha256
from pathlib import Path
from typing import NamedTuple

import pytest

from tests.mutants.places import ROOT, Place
from tests.mutants.watching import Limited, Watching
from tests.resuming import sources

#: Loaded before the forks: large, and none of them ever changes.
PRELOADED = "httpx hypothesis.extra.numpy numba numba.core.caching schemathesis sqlalchemy.orm"
FACTOR = 10  #: a test may take this many times what it takes without a mutant, ...
SPARE = 20.0  #: ... and these seconds, ...
COMPILING = 200.0  #: ... or these, where compiled code changes and is compiled again
MEMORY = 8 << 30  #: bytes of addresses, for a mutant that allocates without an end
QUICK, SLOW = "not slow and not long", "slow and not long"
#: Tests of what the sources look like, which every change would fail, and of the machine.
NOT_OF_THE_LOGIC = ("docs", "wording", "browser", "environments", "lab/results", "mutants")


class Tests(NamedTuple):
    """What is known of a file of tests."""

    name: str
    level: str
    seconds: float  #: what all of them take
    slowest: float  #: what the longest takes
    failing: tuple[str, ...]  #: those that fail without any mutant, and count for nothing
    called: frozenset[str]  #: the functions that they call, as "file name"
    compiled: frozenset[str]  #: ... and those that compiled code may call

    @property
    def reached(self) -> frozenset[str]:
        """All functions that they may call."""
        return self.called | self.compiled


class Tree:
    """The copy, its cache of compiled code, and what is known of its test files."""

    def __init__(self, folder: Path) -> None:
        self.root, self.cache = folder / "tree", folder / "cache"
        self._mutants_cache, self._known = folder / "cache of the mutant", folder / "tests"
        for each in self._known, self.cache:
            each.mkdir(parents=True, exist_ok=True)
        self._lock = open(folder / "lock", "w")  # noqa: SIM115 - until the process ends
        fcntl.flock(self._lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))  # and with it what it has started
        self._copy()

    def _copy(self) -> None:
        """Bring the copy up to date; a file that stays keeps its time, and its compiled code."""
        names = set(sources())
        for file in [each for each in self.root.rglob("*") if each.is_file()]:
            name = file.relative_to(self.root).as_posix()
            if name not in names and "__pycache__" not in name:
                file.unlink()
        for name in names:
            source, copy = ROOT / name, self.root / name
            if not copy.is_file() or copy.read_bytes() != source.read_bytes():
                copy.parent.mkdir(parents=True, exist_ok=True)
                shutil.copy2(source, copy)

    def test_files(self) -> list[str]:
        """Return the names of all files with tests of the logic."""
        files = sorted((self.root / "tests").rglob("test_*.py"))
        names = [each.relative_to(self.root).as_posix() for each in files]
        without = tuple(f"tests/{each}/" for each in NOT_OF_THE_LOGIC)
        return [name for name in names if not name.startswith(without)]

    def digest(self, name: str) -> str:
        """Return a hash of a file."""
        return sha256((self.root / name).read_bytes()).hexdigest()[:16]

    def tests(self, name: str, level: str) -> Tests:
        """Return what is known of the tests of a file; run them if it has changed."""
        file = self._known / f"{name.replace('/', '.')} {level} {self.digest(name)}.json"
        if not file.exists():
            with tempfile.TemporaryDirectory() as temporary:
                ended = Path(temporary) / "ended.json"
                self._forked([name], level, self.cache, Watching(ended), ())
                found = json.loads(ended.read_text()) if ended.exists() else Watching.nothing(name)
            file.write_text(json.dumps(found))
        found = json.loads(file.read_text())
        called, compiled = map(frozenset, (found.pop("called"), found.pop("compiled")))
        return Tests(name, level, **found, called=called, compiled=compiled)

    @contextmanager
    def changed(self, place: Place) -> Iterator[None]:
        """Have the mutant in the copy, with a time of its own: Python compares times and sizes."""
        file = self.root / place.file
        text, stat = file.read_text(encoding="utf-8"), file.stat()
        try:
            file.write_text(place.changed(text), encoding="utf-8")
            os.utime(file, (stat.st_atime, stat.st_mtime + 100))
            yield
        finally:
            file.write_text(text, encoding="utf-8")
            os.utime(file, ns=(stat.st_atime_ns, stat.st_mtime_ns))

    def killer(self, chosen: Sequence[Tests], compiled: bool) -> str:
        """Run tests; return the one that noticed the mutant, and "" if none did."""
        if not chosen:
            return ""
        spare = COMPILING if compiled else SPARE
        limits = {each.name: FACTOR * each.slowest + spare for each in chosen}
        failing = [test for each in chosen for test in each.failing]
        shutil.rmtree(self._mutants_cache, ignore_errors=True)
        shutil.copytree(self.cache, self._mutants_cache, copy_function=os.link)
        with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as temporary:
            ended = Path(temporary) / "ended.json"
            limited = Limited(ended, limits)
            code = self._forked(
                list(limits), chosen[0].level, self._mutants_cache, limited, failing
            )
            if code in (pytest.ExitCode.OK, pytest.ExitCode.NO_TESTS_COLLECTED):
                return ""
            test = ended.read_text() if ended.exists() else "loading"
        return f"{test} (too long)" if -code in (signal.SIGPROF, signal.SIGALRM) else test

    def _forked(
        self,
        names: Sequence[str],
        level: str,
        cache: Path,
        plugin: Watching | Limited,
        failing: Sequence[str],
    ) -> int:
        """Run tests in a fork; return its exit code, or the negative signal that ended it."""
        for package in PRELOADED.split():
            with suppress(ImportError):
                __import__(package)
        sys.stdout.flush()
        child = os.fork()
        if child == 0:
            code = 70
            try:
                code = self._run(names, level, cache, plugin, failing)
            finally:
                os._exit(code)
        try:
            _, status = os.waitpid(child, 0)
        finally:
            with suppress(ProcessLookupError):
                os.killpg(child, signal.SIGKILL)  # what a killed test has left running
        return os.waitstatus_to_exitcode(status)

    def _run(
        self,
        names: Sequence[str],
        level: str,
        cache: Path,
        plugin: Watching | Limited,
        failing: Sequence[str],
    ) -> int:
        """Be the fork: a session of its own, in the copy, with nothing of ours loaded."""
        os.setsid()
        signal.signal(signal.SIGTERM, signal.SIG_DFL)
        self._lock.close()
        temporary = plugin.ended.parent
        os.chmod(temporary, 0o711)  # some tests run a server as another user
        resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
        out = os.open(temporary / "output.txt", os.O_CREAT | os.O_WRONLY)
        for number, file in enumerate((os.open(os.devnull, os.O_RDONLY), out, out)):
            os.dup2(file, number)
        os.chdir(self.root)
        for name in [each for each in sys.modules if each.split(".")[0] in ("tests", "plywise")]:
            del sys.modules[name]
        paths = [str(self.root / "src"), str(self.root)]
        sys.path[:] = [*paths, *(each for each in sys.path if each not in ("", str(ROOT)))]
        os.environ |= {
            "PYTHONPATH": os.pathsep.join(paths),
            "PLYWISE_CACHE": str(cache),
            "TMPDIR": str(temporary),
        }
        tempfile.tempdir = None
        if isinstance(plugin, Limited):  # the mutant is not to be found again
            sys.dont_write_bytecode = True
            os.environ["PYTHONDONTWRITEBYTECODE"] = "1"
        else:
            sys.dont_write_bytecode = False
            os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
        left_out = [f"--deselect={each}" for each in failing]
        options = ["-p", "no:cacheprovider", "-p", "no:randomly", "-m", level, *left_out]
        options += ["-x"] if isinstance(plugin, Limited) else []
        return int(pytest.main([*options, *names], plugins=[plugin]))
