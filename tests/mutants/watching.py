"""What a run of tests is asked to note, and when it is ended."""

from __future__ import annotations

import json
import shutil
import signal
import sys
import threading
from collections.abc import Callable, Iterable
from pathlib import Path
from types import CodeType, FrameType
from typing import Any

import pytest
from platformdirs import user_cache_dir

HANGS = 900.0  #: seconds after which a test that is watched is given up, with its file


class Watching:
    """Notes how long the tests of a file take, and which functions of plywise they call.

    Python tells of every call. Compiled code calls nothing of Python's: of a kernel everything
    counts that it can reach.
    """

    def __init__(self, ended: Path) -> None:
        self.ended = ended
        self.seconds = self.slowest = 0.0
        self.failing: list[str] = []
        self.codes: set[CodeType] = set()
        self.kernels: dict[int, Any] = {}

    @staticmethod
    def nothing(name: str) -> dict[str, Any]:
        """What is noted if the run never ends well: all its tests count for nothing."""
        return {"seconds": 0.0, "slowest": 0.0, "failing": [name], "called": [], "compiled": []}

    def pytest_sessionstart(self) -> None:
        """Watch all threads, and what is compiled."""
        from plywise.jit.kernels import KernelFactory

        build = KernelFactory.build

        def watched(factory: Any, *given: Any, **named: Any) -> Any:
            kernel = build(factory, *given, **named)
            self.kernels[id(kernel)] = kernel
            return kernel

        KernelFactory.build = watched  # type: ignore[method-assign]
        self._take_over()
        add = self.codes.add

        def called(frame: FrameType, event: str, argument: Any) -> None:
            add(frame.f_code)

        threading.settrace(called)
        sys.settrace(called)

    def _take_over(self) -> None:
        """Take what `make test` has compiled: folders from the same sources end with one hash."""
        from numba.core.caching import _CacheLocator

        from plywise.jit import kernels

        usual, others = kernels.cache_folder, Path(user_cache_dir("plywise", appauthor=False))

        def cache_folder(functions: Iterable[Callable[..., Any]]) -> Path | None:
            functions = list(functions)
            folder = usual(functions)
            if folder is not None and not any(folder.iterdir()):
                below = _CacheLocator.get_suitable_cache_subpath(functions[0].__code__.co_filename)
                for each in list(others.glob(f"*-{folder.name.rpartition('-')[2]}/*"))[:1]:
                    shutil.copytree(each, folder / below)
            return folder

        kernels.cache_folder = cache_folder

    def pytest_runtest_logstart(self) -> None:
        """End the process if a test hangs, such as one that Python cannot watch."""
        signal.signal(signal.SIGALRM, signal.SIG_DFL)
        signal.setitimer(signal.ITIMER_REAL, HANGS)

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """Note a phase of a test."""
        self.seconds += report.duration
        self.slowest = max(self.slowest, report.duration)
        if report.failed:
            self.failing.append(report.nodeid)

    def pytest_sessionfinish(self) -> None:
        """Write everything down."""
        sys.settrace(None)
        from plywise.jit.cache import reach

        loops = [getattr(each, "py_func", each) for each in self.kernels.values()]
        compiled = {each.__code__ for each in reach(loops).functions}
        found = {
            "seconds": self.seconds,
            "slowest": self.slowest,
            "failing": self.failing,
            "called": _named(self.codes - compiled),
            "compiled": _named(compiled),
        }
        self.ended.write_text(json.dumps(found))


def _named(codes: set[CodeType]) -> list[str]:
    """Return the functions of plywise among codes, as places name them."""
    named = set()
    for code in codes:
        _, found, file = code.co_filename.rpartition("/src/plywise/")
        name = code.co_qualname.replace(".<locals>", "").partition(".<")[0]
        if found and not name.startswith("<"):
            named.add(f"src/plywise/{file} {name}")
    return sorted(named)


class Limited:
    """Has the operating system end the process when a test takes too much processor time.

    A test that waits for ever takes none: it has five times as long by the clock.
    """

    def __init__(self, ended: Path, limits: dict[str, float]) -> None:
        self.ended = ended
        self.limits = limits

    def pytest_sessionstart(self) -> None:
        """Loading what is tested may not end either."""
        for each in signal.SIGPROF, signal.SIGALRM:
            signal.signal(each, signal.SIG_DFL)
        self.pytest_runtest_logstart("loading")

    def pytest_runtest_logstart(self, nodeid: str) -> None:
        """Give the next test its time."""
        self.ended.write_text(nodeid)
        seconds = self.limits.get(nodeid.partition("::")[0], max(self.limits.values()))
        signal.setitimer(signal.ITIMER_PROF, seconds)
        signal.setitimer(signal.ITIMER_REAL, 5 * seconds)
