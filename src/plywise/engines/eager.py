"""An engine that answers before it is compiled: until then a simple search stands in for it.

On a machine where nothing is compiled yet, the strongest engine of a game takes many seconds to
get ready. People who play would wait for it, so for them the first moves come from an interpreted
search. Whoever asks for a number of nodes or a depth waits, and gets what they always get.
"""

from __future__ import annotations

import random
import threading
import time
from collections.abc import Callable
from functools import cached_property
from weakref import WeakKeyDictionary

from plywise.core.analysis import Analysis, Limits, OnInfo, Stop
from plywise.core.engine import Engine, unguarded
from plywise.core.game import Game, Verb
from plywise.core.position import Position
from plywise.engines.alphabeta import search_of
from plywise.engines.driver import GameAgent
from plywise.engines.kernels.textbook import meet
from plywise.engines.mcts import MonteCarlo
from plywise.engines.random import wander
from plywise.engines.textbook import Textbook
from plywise.jit.background import Ahead

LOADING = 0.3  #: seconds in which kernels are loaded from the disk, unless they must be compiled
STAND_IN = 2.5  #: seconds for a move of the search that stands in
LATER = 6  #: plies until a random game has left the book
POLL = 0.05  #: seconds between two looks whether it is ready
_MOMENT = Limits(time=0.02)  #: engines compile before their clock starts

_waiting: WeakKeyDictionary[Verb, dict[str, Ahead]] = WeakKeyDictionary()  # by a game's rules


def hurry(engine: Engine) -> None:
    """Let an engine answer sooner and weaker while it is being compiled: people wait for it."""
    found = unguarded(engine)
    if isinstance(found, GameAgent):
        found.hurried = True


class Eager(GameAgent):
    """An engine, and what answers in its place until it is compiled, if `hurried` is set."""

    def __init__(
        self,
        game: Game,
        make: Callable[[], Engine],
        kind: str,
        usual: Callable[[], MonteCarlo] | None = None,
    ) -> None:
        self.game = game
        self.kind = kind  #: equal for engines that share what they compile
        self.usual = usual  #: makes what stands in if it is compiled already, as for another board
        self._make = make

    @cached_property
    def engine(self) -> Engine:
        """The engine itself, made when it is needed."""
        return self._make()

    @property
    def ahead(self) -> Ahead:
        """Compiles the engine in the background, once for each kind of game."""
        known = _waiting.setdefault(self.game.rules.setup, {})
        return known.setdefault(self.kind, Ahead(self._prepare))

    def _prepare(self) -> None:
        """Compile all that a game needs: the start may be in a book, a later position is not."""
        engine = self._make()  # another engine: this one must learn nothing
        later = wander(self.game, LATER, random.Random(1))
        for each in (self.game.start(), later):
            engine.search(each, _MOMENT)
        if (search := search_of(engine)) is not None:
            search.warm(later)

    def think(
        self, position: Position, limits: Limits, on_info: OnInfo | None, stop: Stop, lines: bool
    ) -> Analysis:
        """Search with the engine, or with what stands in for it."""
        fixed = limits.nodes is not None or limits.depth is not None
        if self.hurried and not fixed and not self.ahead.ready(LOADING):
            found = self._stand_in(position, limits, on_info, stop, lines)
            # Whoever has every move scored wants to know, and waits as long as they said.
            left = limits.time - found.seconds if lines and limits.time is not None else 0.0
            if not self._comes(left, stop):
                return found
        return self.engine.search(position, limits, on_info, stop, lines=lines)

    def _comes(self, seconds: float, stop: Stop) -> bool:
        """Wait for the engine; True if it is ready within some seconds, and not stopped before."""
        last = time.monotonic() + seconds
        while not self.ahead.ready(0.0):
            if stop.is_set() or time.monotonic() >= last:
                return False
            self.ahead.ready(POLL)
        return True

    def _stand_in(
        self, position: Position, limits: Limits, on_info: OnInfo | None, stop: Stop, lines: bool
    ) -> Analysis:
        """Search with something else, until the time is up or the engine is ready."""
        usual = None if self.usual is None else self.usual()
        searcher: Engine
        if usual is not None and usual.ahead.ready(LOADING):
            searcher = usual
        else:
            searcher = Textbook(self.game, meet, order="promise").uncompiled()
        over = threading.Event()
        both = Stop()

        def watch() -> None:
            while not over.wait(POLL):
                if stop.is_set() or self.ahead.ready(0.0):
                    both.set()
                    return

        threading.Thread(target=watch, name="plywise-eager", daemon=True).start()
        try:
            short = limits & Limits(time=STAND_IN)
            return searcher.search(position, short, on_info, both, lines=lines)
        finally:
            over.set()
