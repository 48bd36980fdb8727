"""Compiling in the background after the start, so that the first game does not wait."""

from __future__ import annotations

import logging
import os
import sys
import threading

from plywise import puzzles
from plywise.errors import Unsupported
from plywise.play.warmup import puzzle_tasks, usual_tasks
from plywise.web.api import catalogue
from plywise.web.settings import Settings

HEAD_START = 1.0  #: seconds for the first page, which must not be slowed down
NICEST = 19  #: the lowest priority there is

log = logging.getLogger("plywise.web")


class WarmUp:
    """A thread that prepares the answers that never change and compiles what games need."""

    def __init__(self, settings: Settings) -> None:
        self._settings = settings
        self._stop = threading.Event()
        self._thread = threading.Thread(target=self._run, name="warm-up", daemon=True)

    def start(self) -> None:
        """Start the thread."""
        self._thread.start()

    def wait(self, seconds: float | None = None) -> bool:
        """Wait until everything is ready; False if it is not ready in time."""
        self._thread.join(seconds)
        return not self._thread.is_alive()

    def close(self) -> None:
        """Stop soon, without waiting for a kernel that is being compiled."""
        self._stop.set()

    @property
    def at_work(self) -> bool:
        """True while it is still running."""
        return self._thread.is_alive()

    def _run(self) -> None:
        if sys.platform == "linux":  # elsewhere a priority applies to the whole process
            os.setpriority(os.PRIO_PROCESS, threading.get_native_id(), NICEST)
        if self._stop.wait(HEAD_START):
            return
        import plywise.web.handshakes  # noqa: F401 - for the first game that is opened

        catalogue.get_kinds(self._settings)
        for name, kind in catalogue.kinds().items():
            catalogue.get_kind(name, self._settings)
            catalogue.get_guide(name, self._settings)
            for spec, work in usual_tasks(kind()):
                if self._stop.is_set():
                    return
                try:
                    work()
                except Unsupported:
                    continue  # this agent does not play this game
                except Exception as error:
                    if self._stop.is_set():
                        return  # the threads of the searches are gone
                    log.error("%s cannot play %s", spec, name, exc_info=error)
        for name in puzzles.names():
            try:
                for _, work in puzzle_tasks(puzzles.find(name)):
                    if not self._stop.is_set():
                        work()
            except Exception as error:
                log.error("the puzzle %s cannot be made ready", name, exc_info=error)
