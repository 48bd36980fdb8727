"""Reload game files when they change, and tell the pages, which then show the new rules.

The files are those that the server was started with; a request never names one.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from plywise import games
from plywise.errors import PlywiseError
from plywise.web.errors import brief, log
from plywise.web.live.rooms import Rooms

POLL_SECONDS = 0.5  #: between two checks of the files

Frame = dict[str, Any]


class OwnGames:
    """Watches the files of games. Created, used and closed on the event loop."""

    def __init__(self, rooms: Rooms, forget: Iterable[Callable[[], None]]) -> None:
        self._rooms = rooms
        self._forget = tuple(forget)  # what was made from the old rules
        self._pages: set[Callable[[Frame], None]] = set()
        self._watching: asyncio.Task[None] | None = None
        self._stamps = {name: _stamp(file) for name, file in games.added().items()}
        if self._stamps:
            self._watching = asyncio.get_running_loop().create_task(self._watch())

    @contextmanager
    def telling(self, page: Callable[[Frame], None]) -> Iterator[None]:
        """Tell an open page about edits."""
        self._pages.add(page)
        try:
            yield
        finally:
            self._pages.discard(page)

    def close(self) -> None:
        """Stop watching."""
        if self._watching is not None:
            self._watching.cancel()

    async def _watch(self) -> None:
        while True:
            await asyncio.sleep(POLL_SECONDS)
            for name, file in games.added().items():
                stamp = _stamp(file)
                if stamp != self._stamps.get(name):
                    self._stamps[name] = stamp
                    await self._edited(name, file)

    async def _edited(self, name: str, file: Path) -> None:
        """Load a file again. If that fails, the game stays as it was, and pages say why."""
        error = None
        try:
            kind = await asyncio.to_thread(games.add, file)
            self._stamps.setdefault(kind.name, _stamp(file))
        except PlywiseError as found:
            error = brief(str(found))
            log.warning("%s", error)
        else:
            for forget in self._forget:
                forget()
            self._rooms.edited(name)
        frame = {"type": "edited", "game": name, "file": file.name, "error": error}
        for page in list(self._pages):
            page(frame)


def _stamp(file: Path) -> tuple[int, int] | None:
    """Return what changes when a file is written; None if there is no file."""
    try:
        found = file.stat()
    except OSError:
        return None
    return found.st_mtime_ns, found.st_size
