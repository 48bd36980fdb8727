"""Answers before anything is compiled: the same moves at a level, a stand-in at full strength."""

from __future__ import annotations

import random
import threading
from collections.abc import Callable
from typing import Any

import pytest

import plywise
from plywise import Limits
from plywise.core.engine import unguarded
from plywise.core.position import Position
from plywise.engines import textbook
from plywise.engines.alphabeta import search_of
from plywise.engines.auto import WAIT, Weaker
from plywise.engines.eager import LOADING, POLL, Eager
from plywise.jit.background import Ahead


@pytest.fixture
def cold(monkeypatch: pytest.MonkeyPatch) -> list[float | None]:
    """Nothing is ever compiled; returns how long each caller was ready to wait."""
    waits: list[float | None] = []

    def never(self: Ahead, seconds: float | None = None) -> bool:
        waits.append(seconds)
        return seconds is None  # whoever waits for good gets it compiled

    monkeypatch.setattr(Ahead, "ready", never)
    return waits


def some_positions(name: str, count: int) -> list[Position]:
    rng, game = random.Random(7), plywise.game(name)
    found: list[Position] = []
    while len(found) < count:
        position = game.start()
        for _ in range(rng.randrange(1, 14)):
            if not position.over:
                position = position.play(rng.choice(position.legal))
        if not position.over:
            found.append(position)
    return found


@pytest.mark.parametrize("name", ["tictactoe", "connect4", "snails", "andantino"])
@pytest.mark.parametrize("level", [1, 3])
def test_a_level_plays_the_same_before_and_after_compiling(
    name: str, level: int, cold: list[float | None]
) -> None:
    game = plywise.game(name)
    early = plywise.engine(f"auto:level={level},seed=3", game)
    for position in some_positions(name, 4):
        found = early.search(position, lines=True)
        with pytest.MonkeyPatch.context() as warm:
            warm.setattr(Ahead, "ready", lambda self, seconds=None: True)
            later = plywise.engine(f"auto:level={level},seed=3", game).search(position, lines=True)
        assert (found.best, found.nodes, found.lines) == (later.best, later.nodes, later.lines)
    assert None not in cold, "nobody had to wait for the compiler"


@pytest.mark.parametrize("name", ["andantino", "connect4"])
def test_all_that_a_game_needs_is_compiled_ahead(name: str) -> None:
    """The first position is in a book, so a search of it alone would not compile the estimates."""
    game, made = plywise.game(name), list[Any]()

    def make() -> Any:
        made.append(plywise.engine("expert", game))
        return made[-1]

    Eager(game, make, "test")._prepare()
    (engine,) = made
    search = search_of(engine)
    assert search is not None
    assert search.is_warm


def test_a_search_that_takes_too_long_waits_for_the_compiler(
    cold: list[float | None], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("plywise.engines.auto.SHORT", 0.0)
    game = plywise.game("connect4")
    found = plywise.engine("auto:level=5", game).search(game.start())
    assert found.best in game.start().legal
    assert None in cold


def test_at_full_strength_a_stand_in_answers_only_those_who_are_in_a_hurry(
    cold: list[float | None], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("plywise.engines.eager.STAND_IN", 0.2)
    game = plywise.game("connect4")
    auto = unguarded(plywise.engine("auto", game))
    assert isinstance(auto, Eager)
    asked: list[Limits] = []
    engine: Any = unguarded(auto.engine)
    search = engine.search

    def expert(position: Position, limits: Limits, *more: Any, **options: Any) -> plywise.Analysis:
        asked.append(limits)
        return search(position, limits, *more, **options)

    monkeypatch.setattr(engine, "search", expert)
    auto.search(game.start(), Limits(time=0.05))
    assert len(asked) == 1, "nobody is in a hurry: it is compiled first"
    auto.hurried = True
    found = auto.search(game.position("1 1 2 2 3 3"), Limits(time=0.05))
    assert (found.best, len(asked)) == ("4", 1)
    auto.search(game.start(), Limits(nodes=500))
    auto.search(game.start(), Limits(depth=2))
    assert len(asked) == 3, "nodes and depths always get what they always get"


def test_an_analysis_goes_on_with_the_engine(monkeypatch: pytest.MonkeyPatch) -> None:
    """Its time is not over when that of the stand-in is."""
    monkeypatch.setattr("plywise.engines.eager.STAND_IN", 0.1)
    game = plywise.game("connect4")
    auto = unguarded(plywise.engine("auto", game))
    assert isinstance(auto, Eager)
    auto.hurried = True
    waited: list[float | None] = []

    def ready(self: Ahead, seconds: float | None = None) -> bool:
        waited.append(seconds)
        return POLL in waited  # as soon as somebody waits

    monkeypatch.setattr(Ahead, "ready", ready)
    position, limits = game.position("444532445333"), Limits(time=60)
    assert auto.search(position, limits).outcome is None, "a move comes at once"
    stop = plywise.Stop()
    stop.set()
    assert auto.search(position, limits, stop=stop, lines=True).outcome is None
    assert POLL not in waited
    assert auto.search(position, limits, lines=True).outcome == "win"


def test_the_stand_in_makes_way_as_soon_as_the_engine_is_ready(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    game = plywise.game("andantino")
    auto = unguarded(plywise.engine("auto", game))
    assert isinstance(auto, Eager)
    auto.hurried = True
    answers = iter([False, False])
    monkeypatch.setattr(Ahead, "ready", lambda self, seconds=None: next(answers, True))
    started: list[Callable[[], object]] = []
    monkeypatch.setattr(textbook.Textbook, "uncompiled", lambda self: started.append(self) or self)
    found = auto.search(game.position("j10 k10 j11 i11 i10"), Limits(time=0.2))
    assert len(started) == 1
    assert found.best is not None


@pytest.mark.slow
def test_a_level_that_people_wait_for_looks_less_far_until_it_is_compiled(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    game = plywise.game("makeway")  # its rules take long, interpreted
    level = unguarded(plywise.engine("auto:level=5", game))
    assert isinstance(level, Weaker)
    waited: list[float | None] = []

    def ready(ahead: Ahead, seconds: float | None = None) -> bool:
        waited.append(seconds)
        return seconds is None

    monkeypatch.setattr(Ahead, "ready", ready)
    assert level.search(game.start()).depth > 1
    assert waited == [LOADING, None], "nobody is in a hurry: it is compiled first"
    level.hurried = True
    assert level.search(game.start()).depth == 1
    assert waited[2:] == [LOADING, WAIT]
    assert level.search(game.start(), Limits(depth=2)).depth == 2
    assert waited[4:] == [LOADING, None], "a depth always gets what it always gets"


def test_work_in_the_background_is_done_once_and_its_error_is_heard() -> None:
    done: list[str] = []
    gate = threading.Event()

    def work() -> None:
        gate.wait(60)
        done.append(threading.current_thread().name)

    ahead = Ahead(work)
    assert not ahead.ready(0.0)
    assert not ahead.ready(0.0)
    gate.set()
    assert ahead.ready()
    assert done == ["plywise-ahead"]

    def fail() -> None:
        raise plywise.SpecError("it does not compile")

    with pytest.raises(plywise.SpecError, match="it does not compile"):
        Ahead(fail).ready()
