"""`plywise learn`: a net for a game, which `auto` then uses if it is better."""

from __future__ import annotations

from pathlib import Path

import pytest

import plywise
from plywise.engines.net import Net
from plywise.learn import learner, strength
from plywise.learn.kernels import Errors, Samples
from plywise.learn.learner import Learner, Settings
from plywise.learn.strength import Strength
from plywise.play.statistics import Share
from tests.commands import Run

EVEN = {"search": 0.5, "playouts": 0.5}


@pytest.fixture(autouse=True)
def small(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Small rounds, few games to measure with, and a data folder of its own.

    The nets are as small as those in `tests/learn`, so that games are not compiled again for them.
    """
    monkeypatch.setenv("PLYWISE_DATA", str(tmp_path))
    defaults = dict(zip(Settings.__match_args__, Settings.__init__.__defaults__ or (), strict=True))
    defaults |= {"positions": 2000, "hidden": 8}
    monkeypatch.setattr(Settings.__init__, "__defaults__", tuple(defaults.values()))
    monkeypatch.setattr(strength, "PAIRS", 1)
    monkeypatch.setattr("plywise.cli.commands.learn.PAIRS", 2)
    monkeypatch.setattr("plywise.cli.commands.learn.MOVE", 0.002)
    return tmp_path


def test_a_net_is_learned_and_kept_where_auto_finds_it(run: Run, small: Path) -> None:
    found = run("learn", "tictactoe", "--rounds", "4", "--json").json
    assert found["game"] == "tictactoe"
    assert len(found["rounds"]) == 4
    assert found["measured"][-1]["scores"].keys() == {"search", "playouts"}
    assert found["final"]["count"] == 4
    file = small / "nets" / "tictactoe.npz"
    assert found["file"] == str(file)
    assert file.stat().st_size < 300_000
    assert not file.with_name("tictactoe.npz.checkpoint").exists()
    game = plywise.game("tictactoe")
    assert plywise.engine("auto", game).search(game.start(), plywise.Limits(time=0.01)).best


def test_the_table_says_how_strong_it_is(run: Run, small: Path) -> None:
    file = small / "mine.npz"
    told = run("learn", "tictactoe", "--rounds", "2", "--out", str(file)).out
    assert told.splitlines()[0].split() == ["seconds", "games", "error", "search", "playouts"]
    assert "s a move it scores" in told
    assert f"weights: {file} (" in told
    assert not (small / "nets").exists()
    assert run("match", "tictactoe", f"alphabeta:net={file},depth=2", "random").code == 0


def test_a_worse_net_does_not_take_the_place_of_a_better_one(
    run: Run, small: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    points = iter((3.0, 1.0))
    monkeypatch.setattr(
        "plywise.learn.strength.at_equal_time", lambda *given: Share(next(points), 4)
    )
    assert "auto uses it" in run("learn", "tictactoe", "--rounds", "1").out
    kept = small / "nets" / "tictactoe.npz"
    before = kept.read_bytes()
    told = run("learn", "tictactoe", "--rounds", "2").out
    assert "so auto does not use it" in told
    assert f"weights: {kept.with_name('tictactoe-worse.npz')} (" in told
    assert kept.read_bytes() == before


@pytest.fixture
def unmeasured(monkeypatch: pytest.MonkeyPatch) -> None:
    """No games to measure with: the net is better, whatever it is."""
    monkeypatch.setattr("plywise.learn.strength.at_equal_time", lambda *given: Share(3.0, 4))
    monkeypatch.setattr("plywise.learn.strength.measure", lambda net, at: Strength(at, EVEN))


def says_that_only_alphabeta_takes_it(run: Run, small: Path) -> None:
    assert "but alphabeta does" in run("learn", "makeway", "--rounds", "1", "--added").out
    (file,) = (small / "nets").iterdir()
    assert Net.load(file, plywise.game("makeway")).added


@pytest.mark.slow
@pytest.mark.usefixtures("unmeasured")
def test_a_game_whose_expert_takes_no_net_says_so(
    run: Run, small: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def nothing(self: Learner, pool: object) -> tuple[int, Errors]:
        """In place of a round: its games would take ten seconds to compile."""
        self.replay.append(Samples.room(0, self.weights.inputs))
        return 0, Errors(0.0, 0, 0.0, 0)

    monkeypatch.setattr(Learner, "_round", nothing)
    says_that_only_alphabeta_takes_it(run, small)


@pytest.mark.usefixtures("unmeasured")
def test_a_net_that_is_kept_elsewhere_must_be_named(run: Run, small: Path) -> None:
    file = small / "mine.npz"
    told = run("learn", "tictactoe", "--rounds", "1", "--out", str(file)).out
    assert f"auto:net={file} plays with it" in told


@pytest.mark.usefixtures("unmeasured")
def test_a_game_without_measures_needs_patterns(run: Run, small: Path) -> None:
    said = run("learn", "tictactoe", "--rounds", "1", "--no-patterns")
    assert said.code == 2
    assert "tictactoe has no measures" in said.err


@pytest.mark.long
@pytest.mark.usefixtures("unmeasured")
def test_a_game_whose_expert_takes_no_net_is_learned(run: Run, small: Path) -> None:
    says_that_only_alphabeta_takes_it(run, small)


def test_a_run_that_was_stopped_goes_on(
    run: Run, small: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def stopped(*given: object) -> None:
        raise KeyboardInterrupt

    with monkeypatch.context() as for_now:
        for_now.setattr("plywise.learn.strength.measure", stopped)
        assert run("learn", "tictactoe", "--rounds", "4").code == 130
    checkpoint = small / "nets" / "tictactoe.npz.checkpoint"
    assert checkpoint.exists()
    found = run("learn", "tictactoe", "--rounds", "4")
    assert found.code == 0
    assert "going on after" in found.err
    assert not checkpoint.exists()
    assert learner.PLAYERS == 8


@pytest.mark.parametrize(
    ("given", "words"),
    [
        (("learn", "nosuch"), "there is no game 'nosuch'"),
        (("learn", "tictactoe", "--minutes", "0"), "minutes must be more than 0, not 0"),
        (("learn", "tictactoe", "--rounds", "-3"), "rounds must be more than 0, not -3"),
        (("learn", "tictactoe", "--workers", "0"), "there can be 1 to 256 workers, not 0"),
        (("learn", "tictactoe", "--deeper", "0"), "deeper must be more than 0, not 0"),
        (("learn", "tictactoe", "--random", "-1"), "random must be more than 0, not -1"),
        (("learn", "tictactoe", "--minutes", "nan"), "minutes must be more than 0, not nan"),
        (("analyze", "connect4", "--agent", "alphabeta:net=missing"), "cannot be used: No such"),
        (("analyze", "connect4", "--agent", "alphabeta:net=learned"), "has no net yet"),
    ],
)
def test_what_cannot_be_learned_is_refused(run: Run, given: tuple[str, ...], words: str) -> None:
    assert words in run(*given).complaint
