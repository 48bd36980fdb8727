"""Pickles and deep copies: every public object makes the round trip, or says why it cannot."""

from __future__ import annotations

import copy
import pickle
import subprocess
import sys
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

import plywise
from plywise import Limits, SpecError, Stop, engines, games, puzzles
from plywise.core.engine import unguarded
from plywise.core.puzzle import Marks
from plywise.core.scene import scene_of
from plywise.puzzles import slither
from tests.awkward import coins
from tests.games.test_registry import NIM

WAYS = {
    "pickle": lambda thing: pickle.loads(pickle.dumps(thing)),
    "deepcopy": copy.deepcopy,
    "copy": copy.copy,
}
POSITION = plywise.game("tictactoe:rows=4,k=3").position("b2 a1 c3")
FEW = Limits(nodes=300)


@pytest.fixture(params=WAYS)
def again(request: pytest.FixtureRequest) -> Callable[[Any], Any]:
    """Returns a copy, in one of three ways."""
    return WAYS[request.param]


#: Every public class that has instances, and how to come by one.
PUBLIC: dict[str, Callable[[], Any]] = {
    "Analysis": lambda: plywise.engine("textbook:depth=2", POSITION.game).search(POSITION),
    "Game": lambda: POSITION.game,
    "GameRecord": lambda: played().record,
    "GameType": lambda: POSITION.game.type,
    "Heuristic": lambda: plywise.game("snails").heuristic("euclid"),
    "Hint": lambda: plywise.hint(POSITION, FEW),
    "Limits": lambda: Limits(time=1.5, nodes=3),
    "Line": lambda: plywise.Line("b2", 0.5, 12, pv=("b2", "a1")),
    "Match": lambda: plywise.match(POSITION.game, "random", "random", games=2, seed=1),
    "Parameter": lambda: POSITION.game.type.parameters[0],
    "Position": lambda: POSITION,
    "PuzzleType": lambda: puzzles.find("slither"),
    "Review": lambda: plywise.review(POSITION, limits=FEW),
    "Rules": lambda: POSITION.game.rules,
}
#: ... those that are not compared with == ...
SPECIAL = {
    "AgentType",
    "Batch",
    "Engine",
    "Notation",
    "Session",
    "Stop",
    "Strength",
    "Words",
    "batch",
}
ERRORS = {name for name in plywise.__all__ if isinstance(getattr(plywise, name), type)} - {
    *PUBLIC,
    *SPECIAL,
}


def played() -> plywise.Session:
    """A game of two moves."""
    session = plywise.Session(plywise.GameRecord("tictactoe", ("human", "human")))
    session.play("b2")
    session.note("the middle")
    session.play("a1")
    return session


def test_nothing_public_is_left_out() -> None:
    assert all(issubclass(getattr(plywise, name), plywise.PlywiseError) for name in ERRORS)
    assert all(isinstance(make(), getattr(plywise, name)) for name, make in PUBLIC.items())


@pytest.mark.parametrize("name", PUBLIC)
def test_public_objects(name: str, again: Callable[[Any], Any]) -> None:
    thing = PUBLIC[name]()
    assert again(thing) == thing


@pytest.mark.parametrize("name", sorted(ERRORS))
def test_errors(name: str, again: Callable[[Any], Any]) -> None:
    kind = getattr(plywise, name)
    error = kind("no", "b7", POSITION) if issubclass(kind, plywise.MoveError) else kind("no")
    found = again(error)
    assert (type(found), str(found), vars(found)) == (kind, "no", vars(error))


def test_a_stop(again: Callable[[Any], Any]) -> None:
    stop = Stop()
    assert not again(stop).is_set()
    stop.set()
    assert again(stop).is_set()


def test_a_batch_has_arrays_of_its_own(again: Callable[[Any], Any]) -> None:
    batch = plywise.batch(POSITION.game, 9, seed=3, restart=True)
    batch.random(20)
    found = again(batch)
    assert found.states.tobytes() == batch.states.tobytes()
    batch.random(10)
    assert found.states.tobytes() != batch.states.tobytes()
    found.random(10)
    for name in ("legal", "turns", "over", "margins", "rewards", "sample", "planes", "states"):
        assert getattr(found, name).tobytes() == getattr(batch, name).tobytes(), name


@pytest.mark.parametrize("name", games.names())
def test_the_parts_of_every_game(name: str, again: Callable[[Any], Any]) -> None:
    game = plywise.game(name)
    position = game.position(game.type.words.sample)
    found = again(position)
    assert (found, found.moves, found.last) == (position, position.moves, position.last)
    assert (found.before, found.gained, found.game) == (position.before, position.gained, game)
    assert found.play(found.legal[0]) == position.play(position.legal[0]) if found.legal else True
    middle = game.from_text(position.text) if game.type.notation.to_text else position
    assert (again(middle).origin, again(middle)) == (middle.origin, middle)
    for thing in (game.type, game.rules, scene_of(position)):
        assert again(thing) == thing
    for agent in engines.names(game):
        kind = engines.find(agent, game)
        assert again(kind).help == kind.help
    for heuristic in game.type.strength.heuristics.values():
        assert again(heuristic) == heuristic


@pytest.mark.parametrize(
    ("name", "agent"),
    [(name, agent) for name in games.names() for agent in engines.names(plywise.game(name))],
)
@pytest.mark.parametrize("way", ["pickle", "deepcopy"])
def test_every_engine(name: str, agent: str, way: str) -> None:
    game = plywise.game(name)
    engine: Any = plywise.engine(agent, game)
    found = WAYS[way](engine)
    assert found is not engine
    assert (found.name, found._game) == (engine.name, game)
    assert type(unguarded(found)) is type(unguarded(engine))


def test_an_engine_searches_as_before(again: Callable[[Any], Any]) -> None:
    engine = plywise.engine("alphabeta:depth=4", POSITION.game)
    one, two = (replace(each.search(POSITION), seconds=0) for each in (engine, again(engine)))
    assert one == two


@pytest.mark.parametrize("way", ["pickle", "deepcopy"])
def test_a_random_engine_goes_on_where_it_was(way: str) -> None:
    engine = plywise.engine("random:seed=3", POSITION.game)
    for _ in range(3):
        engine.search(POSITION)
    found = WAYS[way](engine)
    expected = [engine.search(POSITION).best for _ in range(8)]
    assert [found.search(POSITION).best for _ in range(8)] == expected


def test_a_session_says_what_to_copy(again: Callable[[Any], Any]) -> None:
    session = played()
    with pytest.raises(TypeError, match=r"a session cannot be pickled .*: use session\.record"):
        again(session)
    assert again(session.record) == session.record


def test_a_long_game(again: Callable[[Any], Any]) -> None:
    """Each position knows the one before it, but a pickle does not go that deep."""
    game = plywise.game("tictactoe:rows=19,k=19")
    position = game.start()
    while not position.over:
        position = position.play_code(position.legal_codes[0])
    assert len(position.moves) > 300
    assert again(position) == position


def test_puzzles(again: Callable[[Any], Any]) -> None:
    puzzle = slither.read("..2.0\n232.2\n21..3\n.12.3\n.2...")
    solved = slither.solve(puzzle)
    assert again(puzzle) == puzzle
    assert again(solved).solution == solved.solution
    kind = puzzles.find("slither")
    read, states = kind.read(kind.default)
    scene = kind.scene(read, states, Marks(new=frozenset({1})))
    assert again(scene) == scene


# ---- games that are not registered ---------------------------------------------------------------


def test_a_game_of_a_file(tmp_path: Path, again: Callable[[Any], Any]) -> None:
    file = tmp_path / "nim.py"
    file.write_text(NIM)
    position = plywise.game(str(file)).position("3 2")
    found = again(position)
    assert (found, found.game.spec) == (position, position.game.spec)
    engine = again(plywise.engine("random", position.game))
    assert engine.search(found).best in found.legal


UNPICKLE = """
import pickle, sys
position = pickle.load(open(sys.argv[1], "rb"))
print(position.game.spec, *position.moves, *position.legal)
"""


@pytest.mark.slow
def test_a_game_of_a_file_in_another_process(tmp_path: Path) -> None:
    file, kept = tmp_path / "nim.py", tmp_path / "position"
    file.write_text(NIM.replace("HEAP = 10", "HEAP = 9"))
    position = plywise.game(str(file)).position("3 2")
    kept.write_bytes(pickle.dumps(position))

    def elsewhere() -> subprocess.CompletedProcess[str]:
        command = [sys.executable, "-c", UNPICKLE, str(kept)]
        return subprocess.run(command, capture_output=True, text=True, check=False, cwd="/")

    assert elsewhere().stdout.split() == [str(file), "3", "2", "1", "2", "3"]
    file.write_text(NIM.replace("HEAP = 10", "HEAP = 7"))
    changed = elsewhere()
    assert "nim.py has changed since its game was pickled" in changed.stderr.splitlines()[-1]


@pytest.mark.slow
def test_a_game_that_is_a_variable(again: Callable[[Any], Any]) -> None:
    """As in a notebook, or in a module of the user's own."""
    position = coins.COINS().start()
    assert again(position) == position


def test_a_game_that_is_nowhere() -> None:
    nameless = replace(POSITION.game.type, name="nameless")()
    assert copy.deepcopy(nameless.start()) == nameless.start()
    with pytest.raises(pickle.PicklingError, match="the game 'nameless' cannot be pickled: it"):
        pickle.dumps(nameless.start())


# ---- too large -----------------------------------------------------------------------------------


def test_an_engine_that_does_not_fit_into_memory(monkeypatch: pytest.MonkeyPatch) -> None:
    def too_large(*_: object) -> None:
        raise MemoryError("Unable to allocate 64.0 GiB for an array")

    monkeypatch.setattr("plywise.engines.alphabeta.TranspositionTable", too_large)
    words = "^there is not enough memory for alphabeta:memory=65536: use a smaller board, or a"
    with pytest.raises(SpecError, match=words):
        plywise.engine("alphabeta:memory=65536", POSITION.game)
    expert = plywise.engine("expert", plywise.game("connect4"))
    with pytest.raises(SpecError, match=r"^there is not enough memory for expert"):
        expert.search(plywise.game("connect4").start(), FEW)
    with pytest.raises(SpecError, match=r"^there is not enough memory for solving tictactoe"):
        plywise.solve(POSITION)


def test_moves_that_are_not_texts() -> None:
    anything: Any = POSITION
    with pytest.raises(plywise.InvalidMove, match=r"^4 is not a move: moves are texts, such as"):
        anything.play(4)
    with pytest.raises(plywise.InvalidMove, match=r"^None is not a move: moves are texts"):
        anything.play(None)
    with pytest.raises(plywise.InvalidMove, match=r"^44 is not a text of moves: put it in quotes"):
        anything.game.position(44)
