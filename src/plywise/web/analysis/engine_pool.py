"""A pool of engines: each is used by one search at a time, and all together fit in memory.

An engine with a transposition table takes megabytes, and hundreds of games would each have one. So
games and analyses own none: they borrow one while they search, if possible the one they had last.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import lru_cache
from itertools import count
from threading import Lock

from plywise import engines
from plywise.core.analysis import Analysis, Limits, OnInfo, Stop
from plywise.core.engine import Engine, Randomized, unguarded
from plywise.core.game import Game
from plywise.core.position import Position
from plywise.core.spec import Spec
from plywise.engines.auto import Weaker
from plywise.engines.eager import hurry

ROOM = 512.0  #: megabytes of the free engines in the pool
USUAL = 32.0  #: largest size in megabytes of an engine whose spec has no `memory`
SMALL = 1.0  #: megabytes counted for an engine without a table
SPECS = 1024  #: cached specs

Key = tuple[Game, str]  #: of an engine: its game and its spec


@dataclass(frozen=True)
class Lent:
    """A borrowed engine. Its `number` can be used to borrow the same one again."""

    number: int
    engine: Engine
    key: Key
    megabytes: float


class Lender:
    """The pool of engines. Called from the search threads."""

    def __init__(self, room: float | None = None) -> None:
        self._room = ROOM if room is None else room
        self._lock = Lock()
        self._numbers = count(1)
        self._free: OrderedDict[int, Lent] = OrderedDict()  # least recently used first

    @contextmanager
    def lend(self, agent: str, game: Game, again: int = 0) -> Iterator[Lent]:
        """Lend an engine of a spec for a game, the one with number `again` if it is free."""
        spec, megabytes = modest(agent, game)
        lent = self._take((game, spec), again)
        if lent is None:
            engine = engines.make(spec, game)
            hurry(engine)
            lent = Lent(next(self._numbers), engine, (game, spec), megabytes)
        try:
            yield lent
        finally:
            self._put_back(lent)

    def _take(self, key: Key, again: int) -> Lent | None:
        with self._lock:
            if again in self._free and self._free[again].key == key:
                return self._free.pop(again)
            fits = (number for number, lent in reversed(self._free.items()) if lent.key == key)
            number = next(fits, None)
            return None if number is None else self._free.pop(number)

    def _put_back(self, lent: Lent) -> None:
        with self._lock:
            self._free[lent.number] = lent
            while self.megabytes > self._room:
                self._free.popitem(last=False)

    @property
    def megabytes(self) -> float:
        """The size of all free engines."""
        return sum(lent.megabytes for lent in self._free.values())


@lru_cache(SPECS)
def modest(agent: str, game: Game) -> tuple[str, float]:
    """Return the spec of the engine behind an agent with a small table, and the table's size.

    An agent may stand for another engine, whose name says what it is.
    """
    spec = Spec.parse(agent)
    engine = engines.make(spec, game)
    if isinstance(unguarded(engine), Weaker):
        return agent, SMALL
    named = Spec.parse(engine.name)
    if named.name != spec.name:
        spec = named
    known = {each.name: each for each in engines.find(spec.name, game).parameters}
    if "memory" not in known:
        return agent, SMALL
    if "memory" in spec.given:
        return str(spec), float(spec.given["memory"])
    usual = known["memory"].default
    size = min(USUAL, float(usual)) if isinstance(usual, int | float) else USUAL
    return str(Spec(spec.name, {**spec.given, "memory": f"{size:g}"})), size


class Borrower:
    """The engine of a player in a game: it borrows an engine and respects the time limit.

    An engine without a table is not borrowed but kept, since it may have its own random seed.
    """

    def __init__(self, engine: Engine, game: Game, lender: Lender, seconds: float) -> None:
        self.name = engine.name
        self._game = game
        self._lender = lender
        self._most = Limits(time=seconds)
        self._again = 0
        self._own = engine if modest(engine.name, game)[1] == SMALL else None
        hurry(engine)
        if isinstance(found := unguarded(engine), Randomized):
            self.random = found.random  # so that this engine counts as a random one too

    def search(
        self,
        position: Position,
        limits: Limits = Limits(),  # noqa: B008 - it never changes
        on_info: OnInfo | None = None,
        stop: Stop | None = None,
        *,
        lines: bool = False,
    ) -> Analysis:
        """Search a position within the time limit of a move."""
        limits = limits & self._most
        if self._own is not None:
            return self._own.search(position, limits, on_info, stop, lines=lines)
        with self._lender.lend(self.name, self._game, self._again) as lent:
            self._again = lent.number
            return lent.engine.search(position, limits, on_info, stop, lines=lines)
