"""Levels of `auto`: a weak person, not a random player; full strength at ten."""

from __future__ import annotations

import threading
from dataclasses import replace
from pathlib import Path

import pytest

import plywise
from plywise import Game, Limits, SpecError, engines
from plywise.core import files
from plywise.core.engine import unguarded
from plywise.engines.auto import TEST_PAIRS, Choice, choose, is_open, measure
from plywise.engines.driver import TwoSpeeds
from plywise.engines.eager import Eager
from plywise.engines.mcts import MonteCarlo
from plywise.play.series import play_match

WIN_IN_ONE = [("connect4", "414141", "4"), ("tictactoe", "a1 b1 a2 b2", "a3")]
THREAT = [("connect4", "41414", "4"), ("tictactoe", "a1 b2 a2", "a3")]
AHEAD = Limits(depth=8)  #: no level below the last looks further


@pytest.mark.parametrize("level", [1, 3, 6, 9, 10])
@pytest.mark.parametrize(("spec", "moves", "wins"), WIN_IN_ONE)
def test_every_level_takes_a_win_in_one(level: int, spec: str, moves: str, wins: str) -> None:
    game = plywise.game(spec)
    for seed in range(20):
        engine = plywise.engine(f"auto:level={level},seed={seed}", game)
        assert engine.search(game.position(moves), AHEAD).best == wins


@pytest.mark.parametrize(("level", "least"), [(1, 24), (5, 36), (9, 40), (10, 40)])
@pytest.mark.parametrize(("spec", "moves", "stops"), THREAT)
def test_threats_are_mostly_seen(level: int, least: int, spec: str, moves: str, stops: str) -> None:
    game = plywise.game(spec)
    seen = 0
    for seed in range(40):
        engine = plywise.engine(f"auto:level={level},seed={seed}", game)
        seen += engine.search(game.position(moves), AHEAD).best == stops
    assert seen >= least
    assert level > 1 or seen < 40  # a beginner does overlook one now and then


def test_a_low_level_errs_in_plans_and_varies() -> None:
    game = plywise.game("connect4")
    moves = {
        plywise.engine(f"auto:level=1,seed={seed}", game).search(game.position("44")).best
        for seed in range(30)
    }
    assert len(moves) >= 3


def test_the_same_seed_plays_the_same() -> None:
    game = plywise.game("connect4")
    one, two = (plywise.engine("auto:level=2,seed=5", game) for _ in range(2))
    position = game.position("4453")
    one.search(game.start())  # what was asked before does not matter
    assert one.search(position).best == two.search(position).best


@pytest.mark.slow
@pytest.mark.parametrize("games", [12, pytest.param(30, marks=pytest.mark.long)])
@pytest.mark.parametrize(("strong", "weak"), [(4, 1), (7, 4), (9, 5)])
def test_levels_are_in_order(strong: int, weak: int, games: int) -> None:
    players = f"auto:level={strong}", f"auto:level={weak}"
    match = play_match(plywise.game("connect4"), *players, games=games, seed=1, limits=AHEAD)
    assert match.wins > 2 * match.losses


@pytest.mark.parametrize("level", ["0", "11", "x", "2.5"])
def test_levels_go_from_one_to_ten(level: str) -> None:
    with pytest.raises(SpecError, match="level must be a whole number from 1 to 10"):
        plywise.engine(f"auto:level={level}", plywise.game("connect4"))


# ---- a game without an evaluation: the better engine is measured, and that is kept --------------

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

    monkeypatch.setattr("plywise.engines.auto.measure", quick)
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
    assert found.games == 2 * TEST_PAIRS
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

    monkeypatch.setattr("plywise.engines.auto.measure", slow)
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

    monkeypatch.setattr("plywise.engines.auto.measure", slow)
    both = [threading.Thread(target=choose, args=(BLIND,)) for _ in range(2)]
    for thread in both:
        thread.start()
    assert begun.wait(60)
    gate.set()
    for thread in both:
        thread.join(60)
    assert measured == [BLIND]
