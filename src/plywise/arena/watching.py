"""The results of a tournament that another process plays, read while it writes."""

from __future__ import annotations

import threading
import zlib
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from plywise.arena.plan import Plan
from plywise.arena.results import Row, read_results
from plywise.arena.standings import Table, table_of
from plywise.errors import SpecError


@dataclass(frozen=True)
class Seen:
    """A tournament at one moment."""

    plan: Plan
    rows: Sequence[Row]  #: the games that count
    challenges: Sequence[Row]  #: ... and those that do not
    table: Table
    version: str  #: changes with every game


class Watched:
    """A file of results. It need not be there yet: somebody may start the tournament later."""

    def __init__(self, file: Path) -> None:
        if not file.parent.is_dir():
            raise SpecError(f"{file.parent} is not a folder: name the file of a tournament in one")
        if file.is_dir():
            raise SpecError(f"{file} is a folder: name a file of results, such as arena.sqlite")
        self.file = file
        if file.exists():
            read_results(file)  # refuses what is not one
        self._lock = threading.Lock()
        self._seen: Seen | None = None

    def now(self) -> Seen | None:
        """Return the tournament as it is now; None if it has not begun."""
        with self._lock:
            if self.file.exists():
                plan, rows, challenges = read_results(self.file)
                version = f"{len(rows)}-{len(challenges)}-{zlib.crc32(repr(plan).encode()):08x}"
                if self._seen is None or self._seen.version != version:
                    table = table_of(plan, rows)
                    self._seen = Seen(plan, rows, challenges, table, version)
            return self._seen
