"""A game without an evaluation: `auto` measures which engine plays it best, and keeps that."""

from __future__ import annotations

import threading
from dataclasses import replace
from pathlib import Path

import pytest

import plywise
from plywise import Game, Limits, engines
from plywise.core import files
from plywise.core.engine import unguarded
from plywise.engines import choice
from plywise.engines.choice import Choice, choose, is_open, measure
from plywise.engines.driver import TwoSpeeds
from plywise.engines.eager import Eager
from plywise.engines.mcts import MonteCarlo

TICTACTOE = plywise.game("tictactoe").type
BLIND = replace(
    TICTACTOE, rules=replace(TICTACTOE.rules, evaluate=None, bounds=None, forced=None, promise=None)
)()


@pytest.fixture
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty folder for choices, and none in memory."""
    monkeypatch.setattr(files, "cache_folder", lambda: tmp_path)
    choose.cache_clear()
    return tmp_path


def count(monkeypatch: pytest.MonkeyPatch) -> list[Game]:
    measured: list[Game] = []

    def quick(game: Game) -> Choice:
        measured.append(game)
        return Choice("mcts", "alphabeta", 7.5, 12)

    monkeypatch.setattr(choice, "measure", quick)
    return measured


def test_only_games_that_leave_it_open_are_measured() -> None:
    assert is_open(BLIND)
    assert not is_open(TICTACTOE())
    assert not is_open(plywise.game("andantino"))


def test_a_choice_is_measured_once_and_announced(
    cache: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    measured, heard = count(monkeypatch), list[str]()
    stop = engines.on_choice(heard.append)
    try:
        for _ in range(2):
            assert choose(BLIND).agent == "mcts"
            choose.cache_clear()  # another process
    finally:
        stop()
    assert measured == [BLIND]
    assert heard == [
        "auto is mcts here: it scored 7.5 of 12 points against alphabeta in test games"
    ]


def test_other_rules_and_other_boards_are_measured_again(
    cache: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    measured = count(monkeypatch)
    larger = BLIND.type(plywise.core.spec.Spec.parse("tictactoe:rows=4"))
    other = replace(BLIND.type, rules=replace(BLIND.rules, key=TICTACTOE.rules.turn))()
    for game in (BLIND, larger, other):
        choose(game)
    assert measured == [BLIND, larger, other]


@pytest.mark.parametrize("damage", ["", "nonsense", "[]", '{"agent": 1}'])
def test_a_damaged_file_is_measured_again(
    damage: str, cache: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    measured = count(monkeypatch)
    choose(BLIND)
    choose.cache_clear()
    (file,) = (cache / "choices").iterdir()
    file.write_text(damage)
    assert choose(BLIND).agent == "mcts"
    assert len(measured) == 2


def test_the_measured_engine_plays(cache: Path) -> None:
    found = measure(BLIND)
    assert found.games == 2 * choice.PAIRS
    assert found.points >= found.games / 2
    auto = unguarded(plywise.engine("auto", BLIND))
    assert isinstance(auto, Eager)
    assert auto.search(BLIND.position("a1 a2 b1 b2"), Limits(nodes=500)).best == "c1"
    assert auto.engine.name.startswith(choose(BLIND).agent)


@pytest.mark.parametrize("level", [1, 4, 9])
def test_levels_use_playouts_and_see_a_win(level: int) -> None:
    engine = plywise.engine(f"auto:level={level},seed=2", BLIND)
    assert engine.search(BLIND.position("a1 a2 b1 b2")).best == "c1"
    again = plywise.engine(f"auto:level={level},seed=2", BLIND)
    middle = BLIND.position("b2 a1")
    assert engine.search(middle).best == again.search(middle).best


def test_another_board_is_measured_in_the_background_while_playouts_answer(
    cache: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    gate, measured = threading.Event(), list[Game]()

    def slow(game: Game) -> Choice:
        if game != BLIND:
            assert gate.wait(60)
        measured.append(game)
        return Choice("alphabeta", "mcts", 7.5, 12)

    monkeypatch.setattr(choice, "measure", slow)
    monkeypatch.delattr(TwoSpeeds, "uncompiled")  # nothing interpreted has to stand in
    assert MonteCarlo(BLIND).ahead.ready(), "playouts are compiled from now on"
    larger = BLIND.type(plywise.core.spec.Spec.parse("tictactoe:rows=4,k=3"))
    for game in (BLIND, larger):
        auto = unguarded(plywise.engine("auto", game))
        assert isinstance(auto, Eager)
        if game is BLIND:
            assert auto.ahead.ready()
        auto.hurried = True
        found = auto.search(game.start(), Limits(time=0.05))
        assert found.best in game.start().legal
    assert measured == [BLIND], "nobody waited for the second"
    gate.set()
    assert auto.ahead.ready()
    assert measured == [BLIND, larger]
    assert auto.engine.name.startswith("alphabeta")


def test_two_who_ask_at_once_measure_once(cache: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    begun, gate, measured = threading.Event(), threading.Event(), list[Game]()

    def slow(game: Game) -> Choice:
        measured.append(game)
        begun.set()
        assert gate.wait(60)
        return Choice("mcts", "alphabeta", 7.5, 12)

    monkeypatch.setattr(choice, "measure", slow)
    both = [threading.Thread(target=choose, args=(BLIND,)) for _ in range(2)]
    for thread in both:
        thread.start()
    assert begun.wait(60)
    gate.set()
    for thread in both:
        thread.join(60)
    assert measured == [BLIND]
