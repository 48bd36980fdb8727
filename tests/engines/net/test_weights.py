"""The file of a net: what is written is read again, and nothing else is taken for a net."""

from __future__ import annotations

import io
import json
import random
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import plywise
from plywise import games
from plywise.core.game import Game
from plywise.core.spec import Spec
from plywise.engines.alphabeta import search_of
from plywise.engines.auto import auto
from plywise.engines.net import Net
from plywise.engines.net.weights import LARGEST, learned_file, named, net_of, shipped_file, spec_of
from plywise.errors import SpecError
from plywise.learn.strength import player_of, search_settings
from tests.engines.net.nets import random_line, random_net, whole_output

#: Boards without a net.
OTHER = {"andantino": "side=5", "connect4": "rows=5", "snails": "rows=5", "tictactoe": "rows=5"}


@pytest.fixture
def file(tmp_path: Path) -> Path:
    net, _ = random_net("tictactoe")
    file = tmp_path / "net.npz"
    file.write_bytes(net.to_bytes())
    return file


def test_a_net_is_the_same_after_it_was_written(file: Path) -> None:
    net, _ = random_net("tictactoe")
    again = Net.load(file, net.game)
    for name, array in net.weights.items():
        assert (again.weights[name] == array).all()
    for position in random_line(net.game, 2):
        assert whole_output(again, position) == whole_output(net, position)
    assert not again.added
    file.write_bytes(replace(net, added=True).to_bytes())
    assert Net.load(file, net.game).added


@pytest.mark.parametrize(
    ("spec", "words"),
    [
        ("connect4", "is a net for tictactoe, not for connect4"),
        ("tictactoe:rows=4,cols=4", "not for tictactoe:rows=4"),
    ],
)
def test_a_net_of_another_board_is_refused(file: Path, spec: str, words: str) -> None:
    with pytest.raises(SpecError, match=words):
        plywise.engine(f"alphabeta:net={file}", plywise.game(spec))


def test_what_is_not_a_net_is_refused_in_one_line(tmp_path: Path) -> None:
    game = plywise.game("tictactoe")
    with pytest.raises(SpecError, match="cannot be used: No such file"):
        plywise.engine("alphabeta:net=missing.npz", game)
    other = tmp_path / "other.npz"
    other.write_text("hello")
    with pytest.raises(SpecError, match="is not a net"):
        plywise.engine(f"mcts:net={other}", game)
    np.savez(other, rows=np.zeros(3))
    with pytest.raises(SpecError, match="is not a net"):
        plywise.engine(f"mcts:net={other}", game)


def test_a_damaged_net_never_reaches_a_search(file: Path) -> None:
    """Compiled code checks no index: whatever is read must fit, or be refused."""
    game, whole = plywise.game("tictactoe"), file.read_bytes()
    rng = random.Random(4)
    for _ in range(60):
        damaged = bytearray(whole)
        for _ in range(rng.randint(1, 4)):
            damaged[rng.randrange(len(damaged))] = rng.randrange(256)
        file.write_bytes(bytes(damaged))
        try:
            net = Net.load(file, game)
        except SpecError:
            continue
        plywise.engines.alphabeta.AlphaBeta(game, depth=2, net=net).search(game.start())


@pytest.mark.parametrize("name", ["patterns", "families", "below", "rows", "inner", "outer"])
@pytest.mark.parametrize("how", ["short", "large", "negative"])
def test_arrays_that_do_not_fit_are_refused(file: Path, name: str, how: str) -> None:
    arrays = dict(np.load(file))
    array = arrays[name].copy()
    if how == "short":
        array = array[:-1]
    elif name in ("rows", "inner", "outer"):
        array = array[..., :-1]
    else:
        array.flat[0] = 30_000 if how == "large" else -7
    out = io.BytesIO()
    np.savez(out, **{**arrays, name: array})
    file.write_bytes(out.getvalue())
    with pytest.raises(SpecError, match="is a damaged net"):
        Net.load(file, plywise.game("tictactoe"))


def test_specs_with_a_net_count_as_reading_a_file() -> None:
    assert Spec.parse("alphabeta:net=/etc/passwd").reads_file
    assert Spec.parse("auto:net=learned").reads_file


def test_the_net_learned_here_goes_first(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, file: Path
) -> None:
    game = plywise.game("tictactoe")
    monkeypatch.setenv("PLYWISE_DATA", str(tmp_path))
    assert net_of(game) is None
    with pytest.raises(SpecError, match="has no net yet: `plywise learn tictactoe` makes one"):
        named("learned", game)
    learned = learned_file(game)
    learned.parent.mkdir()
    learned.write_bytes(file.read_bytes())
    assert net_of(game) is not None
    assert plywise.engine("alphabeta:net=learned,depth=2", game).search(game.start()).best
    net, _ = random_net("tictactoe")
    worse = Net(net.game, net.inputs, net.weights, {"better": False})
    learned.write_bytes(worse.to_bytes())
    assert net_of(game) is None  # auto does not use what lost against its own evaluation
    learned.write_text("nonsense")
    assert net_of(game) is None


def net_in(engine: Any) -> bool:
    """True if the search of an engine evaluates with a net."""
    search = search_of(engine)
    return search is not None and "net_sums" in (search.stage.state.names or ())


def test_auto_plays_with_the_net_learned_here(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, file: Path
) -> None:
    game = plywise.game("tictactoe")
    monkeypatch.setenv("PLYWISE_DATA", str(tmp_path))
    learned = learned_file(game)
    learned.parent.mkdir()
    learned.write_bytes(file.read_bytes())
    assert net_in(auto(game, 10, 0, None, None, None).engine)
    assert not net_in(auto(game, 10, 0, None, None, "no").engine)


@pytest.mark.parametrize(
    "spec",
    [
        "andantino",
        "connect4:rows=7,cols=8",
        "snails:rows=12,cols=12",
        "tictactoe:rows=15,cols=15,k=5",
    ],
)
def test_a_shipped_net_is_what_the_expert_plays_with(
    spec: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PLYWISE_DATA", str(tmp_path))
    game = plywise.game(spec)
    shipped = shipped_file(game)
    assert shipped is not None
    assert shipped.stat().st_size <= LARGEST
    assert net_in(auto(game, 10, 0, None, None, None).engine)
    assert not net_in(auto(game, 10, 0, None, None, "no").engine)
    assert shipped_file(plywise.game(f"{game.name}:{OTHER[game.name]}")) != shipped


def test_a_net_is_for_a_board_and_not_for_its_spec() -> None:
    """The same board in other words has the same net, and marks have nothing to do with it."""
    for spec in ("rows=15,k=5", "rows=15,cols=15,k=5", "rows=15,k=5,marks=digits"):
        assert spec_of(plywise.game(f"tictactoe:{spec}")) == "tictactoe:rows=15,k=5"
    assert spec_of(plywise.game("tictactoe:rows=15")) == "tictactoe:rows=15"
    assert spec_of(plywise.game("examples/hex.py:size=5")) == "hex:size=5"


def shipped() -> Iterator[tuple[Path, Game]]:
    """Every net that is shipped, and the game on the board that it names."""
    for name in games.names():
        kind = plywise.game(name).type
        assert kind.folder is not None
        for file in (kind.folder / "nets").glob("*"):
            yield file, plywise.game(json.loads(str(np.load(file)["about"]))["game"])


def test_every_shipped_net_is_for_a_board_of_its_game() -> None:
    """Its verbs run as plain Python here, since each net would take seconds to compile."""
    found = list(shipped())
    assert found
    for file, game in found:
        assert shipped_file(game) == file
        net = Net.load(file, game)
        assert net.about["games"] > 0
        stage, middle = net.stage(search_settings(game).rules), random_line(game, 1)[8]
        assert stage.rules.evaluate is not None
        assert stage.rules.outlook is not None
        state = stage.lift(middle.states)[0]
        with np.errstate(over="ignore"):  # compiled words overflow silently
            assert stage.rules.evaluate(stage.boards[0], state) != 0
            outlook = stage.rules.outlook(stage.boards[0], state)
        if not net.added:
            assert outlook == pytest.approx(np.tanh(whole_output(net, middle)), abs=1e-9)


@pytest.mark.long
def test_a_search_can_use_every_shipped_net() -> None:
    for file, game in shipped():
        engine = plywise.engine(f"{player_of(game)}:net={file}", game)
        assert engine.search(game.start(), plywise.Limits(depth=1)).best
