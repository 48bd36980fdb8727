"""Learning: the same seed gives the same weights, nothing is lost, and it learns."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

import plywise
from plywise.core.workers import Workers, start_workers
from plywise.engines.alphabeta import AlphaBeta
from plywise.engines.hooks import SearchRules
from plywise.engines.kernels.alphabeta import alphabeta_kernel
from plywise.engines.net import Net
from plywise.engines.net.weights import learned_file, shipped_file
from plywise.errors import SpecError
from plywise.games.andantino import search as andantino_search
from plywise.games.andantino.expert import Expert
from plywise.games.snails.expert.evaluate import LARGE
from plywise.games.snails.expert.search import Searcher
from plywise.learn.kernels import Errors, Rates, Samples, selfplay_kernel
from plywise.learn.learner import Learner, Settings
from plywise.learn.selfplay import play_task
from plywise.learn.strength import Curve, SearchSettings, player_of, search_settings
from plywise.play.grade import labelled
from plywise.play.statistics import Share

SMALL = Settings(positions=2000, hidden=8)


def learned(spec: str, rounds: int, threads: int = 1, settings: Settings = SMALL) -> Learner:
    learner = Learner(plywise.game(spec), settings, threads=threads)
    learner.run(rounds=rounds)
    return learner


def test_players_search_as_the_agent_that_will_use_the_net() -> None:
    game = plywise.game("andantino")
    assert player_of(game) == "expert"
    search = search_settings(game)
    assert (search.rules.tactics, search.rules.threats) == (
        andantino_search.tactics,
        andantino_search.threats,
    )
    assert search.look_up == Expert.look_up
    snails = plywise.game("snails:rows=9,cols=9")
    assert search_settings(snails).rules.assess is LARGE.assess
    assert search_settings(snails)[1:] == (Searcher.look_up, Searcher.decided)
    for spec, name in (
        ("tictactoe", "alphabeta"),
        ("connect4", "expert"),
        ("makeway", "alphabeta"),
    ):
        assert player_of(plywise.game(spec)) == name
        rules = SearchRules.extending(plywise.game(spec).rules)
        assert search_settings(plywise.game(spec)) == SearchSettings(rules)


#: The compiler takes ten seconds for a game with a net: in `make test` a few games are interpreted.
COMPILED = pytest.mark.parametrize("compiled", [False, pytest.param(True, marks=pytest.mark.long)])


def a_few(compiled: bool, monkeypatch: pytest.MonkeyPatch) -> Settings:
    """Settings for a few games that are played without the compiler, or for the usual ones."""
    if compiled:
        return SMALL
    for each in (selfplay_kernel, alphabeta_kernel):
        monkeypatch.setattr(each, "build", each.plain)
    return replace(SMALL, positions=80)


@COMPILED
def test_a_net_can_be_learned_that_is_added_to_the_evaluation(
    compiled: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    settings = a_few(compiled, monkeypatch)
    learner = learned("connect4:rows=4,cols=4", 2, settings=replace(settings, added=True))
    assert learner.net().added
    assert np.abs(learner.replay[-1].own).max() > 0.1
    instead = learned("connect4:rows=4,cols=4", 1, settings=settings)
    assert not instead.replay[-1].own.any()


@pytest.mark.slow
def test_a_net_plays_against_auto_with_the_net_that_it_has(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PLYWISE_DATA", str(tmp_path))
    played = []

    def never(net: Net, other: str, time: float, pairs: int) -> Share:
        played.append(other)
        return Share(1.0, 4)

    monkeypatch.setattr("plywise.learn.strength.at_equal_time", never)
    for spec in ("tictactoe", "andantino"):
        game = plywise.game(spec)
        curve = Curve(Learner(game, SMALL))
        judged = curve.judged(curve.learner.net(), 2, 0.01)
        assert not judged.about["better"]
    shipped = shipped_file(game)
    assert played == ["auto:net=no", f"auto:net={shipped}"]
    learned_file(game).parent.mkdir()
    learned_file(game).write_bytes(replace(judged, about={}).to_bytes())
    curve.judged(judged, 2, 0.01)
    assert played[-1] == f"auto:net={learned_file(game)}"


def test_workers_play_what_threads_play() -> None:
    by_workers = Learner(plywise.game("tictactoe"), SMALL, threads=1, workers=Workers(play_task))
    by_workers.run(rounds=2)
    assert same(learned("tictactoe", 2), by_workers)
    assert by_workers.last.games == learned("tictactoe", 2).last.games
    with pytest.raises(SpecError, match="give either rules or workers"):
        Learner(by_workers.game, SMALL, rules=by_workers.game.rules, workers=Workers(play_task))


@pytest.mark.long
def test_other_processes_play_what_threads_play() -> None:
    with start_workers(play_task, 2) as workers:
        elsewhere = Learner(plywise.game("examples/hex.py:size=4"), SMALL, workers=workers)
        elsewhere.run(rounds=3)
    assert same(learned("examples/hex.py:size=4", 3), elsewhere)


def test_later_searches_are_deeper(monkeypatch: pytest.MonkeyPatch) -> None:
    settings = replace(SMALL, deeper=4, random=3)
    learner = Learner(plywise.game("tictactoe"), settings, threads=1)
    learner.replay.append(Samples.room(0, learner.weights.inputs))
    depths = []

    def played(pool: object) -> tuple[int, Errors]:
        depths.append(int(learner.selfplay["depth"][0]))
        return 0, Errors(0.0, 0, 0.0, 0)

    monkeypatch.setattr(learner, "_round", played)
    learner.run(rounds=4)
    assert depths == [2, 4, 4, 4]
    assert learner.selfplay["random"] == 3


def same(one: Learner, two: Learner) -> bool:
    arrays = one.weights.arrays
    return all((array == two.weights.arrays[name]).all() for name, array in arrays.items())


def test_the_same_seed_gives_the_same_weights_on_any_number_of_threads() -> None:
    one = learned("tictactoe", 4)
    assert same(one, learned("tictactoe", 4))
    assert same(one, learned("tictactoe", 4, threads=3))
    other = learned("tictactoe", 4, settings=Settings(seed=2, positions=2000, hidden=8))
    assert not same(one, other)


def test_it_learns_tictactoe(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("plywise.play.grade.cache_folder", lambda: tmp_path)
    learner = learned("tictactoe", 30)
    engine = AlphaBeta(learner.game, depth=1, net=learner.net())
    asked = labelled(learner.game, 100, 5, (1, 6))
    kept = 0
    for one in asked:
        position = learner.game.position(list(one.moves))
        best = engine.search(position).best
        kept += one.values[position.legal.index(best or "")] == one.best
    assert kept / len(asked) > 0.9  # 0.97 with this seed; a random mover has 0.45
    assert learner.last.training_error < learner.rounds[2].training_error


def test_the_validation_set_is_not_learned_from() -> None:
    learner = learned("tictactoe", 2)
    samples = learner.replay[-1]
    assert 0.01 < samples.validation.mean() < 0.2
    before = {name: array.copy() for name, array in learner.weights.arrays.items()}
    everything = samples._replace(validation=np.ones(samples.size, np.bool_))
    order = np.arange(samples.size)
    errors = learner.weights.learn(everything, order, Rates(rows=0.1, layers=0.01, batch=64))
    assert (errors.training, errors.trained, errors.validated) == (0.0, 0, samples.size)
    for name, array in before.items():
        assert (array == learner.weights.arrays[name]).all()


def test_positions_are_in_the_validation_set_by_what_they_are() -> None:
    """A position that comes up twice is in it both times, in whatever round."""
    learner = learned("tictactoe", 3)
    known: dict[bytes, bool] = {}
    for each in learner.replay:
        for row, turn, out in zip(each.contents, each.turns, each.validation, strict=True):
            assert known.setdefault(row.tobytes() + bytes([turn]), bool(out)) == out


@COMPILED
def test_games_of_points_are_learned_in_points(
    compiled: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    settings = a_few(compiled, monkeypatch)
    learner = learned("examples/othello.py:side=4", 3, settings=settings)
    position = learner.game.start()
    found = AlphaBeta(learner.game, depth=2, net=learner.net()).search(position)
    assert abs(found.score) <= 100 * learner.game.max_margin
    values = learner.replay[-1].values
    assert len(values) == settings.positions
    assert 0.0 < np.abs(values).max() <= 1.0


def test_a_run_goes_on_from_its_checkpoint(tmp_path: Path) -> None:
    file, game = tmp_path / "kept", plywise.game("tictactoe")
    first = Learner(game, SMALL, checkpoint=file)
    first.run(rounds=3)
    again = Learner(game, SMALL, checkpoint=file)
    assert again.rounds == first.rounds
    assert same(first, again)
    again.run(rounds=5)
    assert again.last.number == 5
    assert again.last.games > first.last.games
    with pytest.raises(SpecError, match="was begun with other settings"):
        Learner(game, Settings(seed=9), checkpoint=file)
    with pytest.raises(SpecError, match="is a checkpoint of tictactoe"):
        Learner(plywise.game("connect4"), SMALL, checkpoint=file)
    file.write_bytes(file.read_bytes()[:-100])
    with pytest.raises(SpecError, match="is not a checkpoint: remove it"):
        Learner(game, SMALL, checkpoint=file)


@pytest.mark.long
def test_a_killed_run_loses_at_most_the_rounds_since_its_checkpoint(tmp_path: Path) -> None:
    file = tmp_path / "kept"
    code = (
        "import sys, plywise; from pathlib import Path; from plywise.learn import learner as l;"
        "l.CHECKPOINT = 0.2; l.Learner(plywise.game('tictactoe'), l.Settings(positions=2000),"
        " checkpoint=Path(sys.argv[1])).run(seconds=600)"
    )
    rounds = 0
    for attempt in range(5):
        child = subprocess.Popen([sys.executable, "-c", code, str(file)])
        known = file.stat().st_mtime_ns if file.exists() else 0
        while not file.exists() or file.stat().st_mtime_ns == known:
            assert child.poll() is None
            time.sleep(0.05)
        time.sleep(0.1 * attempt)
        os.kill(child.pid, signal.SIGKILL)
        child.wait()
        kept = Learner(plywise.game("tictactoe"), Settings(positions=2000), checkpoint=file)
        assert kept.last.number > rounds
        rounds = kept.last.number


def test_nets_stay_small(monkeypatch: pytest.MonkeyPatch) -> None:
    learner = learned("tictactoe", 3)
    whole = len(learner.net().to_bytes())
    monkeypatch.setattr("plywise.learn.weights.LARGEST", whole // 2)
    small = learner.net()
    assert len(small.to_bytes()) <= whole // 2
    assert not small.weights["rows"][small.inputs.first].any()
