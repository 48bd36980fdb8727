"""OpenSpiel: its own tests of a game, pickles, observers, and bots on both sides."""

from __future__ import annotations

import os
import pickle
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import plywise
from plywise import AgentError, SpecError, Unsupported
from plywise.kit import features
from tests.adapters.cases import FILE, every_game
from tests.awkward.coins import coin_row

pytest.importorskip("pyspiel")

import pyspiel
from open_spiel.python.algorithms import mcts
from open_spiel.python.observation import make_observation

from plywise.adapters import openspiel

SMALL = {"snails": "snails:rows=4,cols=4", "andantino": "andantino:side=4"}  #: shorter games


@pytest.mark.slow
@every_game
def test_the_tests_of_openspiel(spec: str) -> None:
    game = openspiel.load(SMALL.get(spec, spec))
    pyspiel.random_sim_test(game, num_sims=1, serialize=True, verbose=False)


@pytest.mark.long
@every_game
def test_the_tests_of_openspiel_at_length(spec: str) -> None:
    pyspiel.random_sim_test(openspiel.load(spec), num_sims=5, serialize=True, verbose=False)


def mcts_bot(game: Any, simulations: int = 30) -> Any:
    """OpenSpiel's search, with a random generator of its own."""
    rng = np.random.RandomState(1)
    evaluator = mcts.RandomRolloutEvaluator(1, rng)
    return mcts.MCTSBot(game, 2.0, simulations, evaluator, solve=True, random_state=rng)


def test_their_search_against_ours_in_openspiel() -> None:
    game = openspiel.load("tictactoe")
    ours = openspiel.EngineBot("alphabeta:depth=9", game)
    for place in range(2):
        bots = [mcts_bot(game), ours] if place else [ours, mcts_bot(game)]
        returns = pyspiel.evaluate_bots(game.new_initial_state(), bots, 7)
        assert returns[place] >= 0
        assert sum(returns) == 0


def test_their_search_against_ours_in_plywise() -> None:
    game = plywise.game("tictactoe")
    theirs = openspiel.BotEngine(mcts_bot, game)
    ours = plywise.engine("alphabeta:depth=9", game)
    for first in (ours, theirs):
        position = game.start()
        while not position.over:
            mover = first if position.turn == 0 else ours if first is theirs else theirs
            position = position.play(str(mover.search(position).best))
        loser = 2 if first is ours else 1
        assert position.winner in (0, 3 - loser)


@pytest.mark.slow
def test_their_search_as_an_agent_file(tmp_path: Path) -> None:
    agent = tmp_path / "theirs.py"
    agent.write_text(
        "import numpy as np\n"
        "from open_spiel.python.algorithms import mcts\n"
        "from plywise.adapters import openspiel\n\n"
        "def bot(game):\n"
        "    rng = np.random.RandomState(1)\n"
        "    return mcts.MCTSBot(game, 2.0, 20, mcts.RandomRolloutEvaluator(1, rng))\n\n"
        "get_move = openspiel.agent(bot)\n"
    )
    found = plywise.match(plywise.game("tictactoe"), "alphabeta:depth=9", str(agent), games=2)
    assert found.wins + found.draws == 2
    assert found.forfeits == ()


class Listener(pyspiel.Bot):  # type: ignore[misc]
    """Plays the first move and writes down what it is told."""

    def __init__(self) -> None:
        super().__init__()
        self.heard: list[Any] = []

    def step(self, state: Any) -> int:
        return int(state.legal_actions()[0])

    def inform_action(self, state: Any, player: int, action: int) -> None:
        self.heard.append((player, action))

    def restart(self) -> None:
        self.heard.append("restart")


def test_a_bot_is_told_what_others_play() -> None:
    game = plywise.game("tictactoe")
    engine = openspiel.BotEngine(lambda _: Listener(), game)
    assert engine.search(game.start()).best == "a1"
    assert engine.search(game.position("a1 b2")).best == "b1"
    assert engine.bot.heard == [(1, 4)]
    engine.search(game.position("c3"))
    assert engine.bot.heard[1:] == ["restart", (0, 8)]
    assert engine.search(game.from_text("3/3/x2 o")).best == "b1"
    assert engine.name == "Listener"


def test_a_bot_that_cheats() -> None:
    game = plywise.game("tictactoe")

    class Cheat(Listener):
        def step(self, state: Any) -> int:
            return 4

    with pytest.raises(AgentError, match="Cheat made an illegal move: 4"):
        openspiel.BotEngine(lambda _: Cheat(), game).search(game.position("b2"))


def test_parameters_both_ways() -> None:
    game = pyspiel.load_game("plywise_connect4(rows=7,cols=8)")
    assert game.game == plywise.game("connect4:rows=7,cols=8")
    assert game.num_distinct_actions() == 8
    assert openspiel.load("align:checkerboard=yes").game.spec == "align:checkerboard=yes"
    assert openspiel.load("align").max_utility() == plywise.game("align").max_margin
    assert openspiel.load("tictactoe:rows=4").game.spec == "tictactoe:rows=4"
    with pytest.raises(SpecError, match="rows=99 is not valid"):
        pyspiel.load_game("plywise_connect4(rows=99)")


def test_states() -> None:
    state = openspiel.load(FILE).new_initial_state()
    state.apply_action(2)
    assert state.current_player() == 0  # the last seed fell into the own store
    assert state.position.moves == (state.position.game.start().legal[2],)
    copy = state.clone()
    copy.apply_action(copy.legal_actions()[0])
    assert len(state.position.moves) == 1
    assert len(copy.position.moves) == 2
    assert state.legal_actions(1) == []
    with pytest.raises(Unsupported, match="2 is not a legal action"):
        state.apply_action(2)
    unsorted = openspiel.load(str(Path(FILE).with_name("loa.py"))).new_initial_state()
    assert unsorted.legal_actions() == sorted(unsorted.position.legal_codes)
    assert unsorted.legal_actions() != list(unsorted.position.legal_codes)
    state = openspiel.load("connect4").new_initial_state()
    for move in (0, 1, 0, 1, 0, 1, 0):
        state.apply_action(move)
    assert state.is_terminal()
    assert state.returns() == [1.0, -1.0]
    assert state.legal_actions() == []


@pytest.mark.parametrize("spec", ["connect4", "andantino:side=4", FILE])
def test_observers(spec: str) -> None:
    game = openspiel.load(spec)
    seen = make_observation(game)
    state = game.new_initial_state()
    for _ in range(7):
        state.apply_action(state.legal_actions()[-1])
    seen.set_from(state, state.position.turn)
    assert (seen.dict["observation"] == features(state.position)).all()
    before = seen.tensor.copy()
    seen.set_from(state, 1 - state.position.turn)
    assert (seen.tensor != before).any()
    assert seen.string_from(state, 0) == state.position.text
    with pytest.raises(ValueError, match="observation parameters are not supported"):
        make_observation(game, params={"a": 1})


def test_a_game_without_a_look_shows_its_bytes() -> None:
    game = openspiel.load(coin_row(9, 1))
    seen, state = make_observation(game), game.new_initial_state()
    seen.set_from(state, 0)
    assert bytes(seen.tensor.astype(np.uint8)) == state.position.states.tobytes()


def test_pickles_are_read_in_another_process(tmp_path: Path) -> None:
    game = openspiel.load(FILE)
    state = game.new_initial_state()
    state.apply_action(2)
    assert pickle.loads(pickle.dumps(game)).game == game.game
    (tmp_path / "state").write_bytes(pickle.dumps(state))
    code = "import pickle, sys; print(pickle.load(open(sys.argv[1], 'rb')).history())"
    done = subprocess.run(
        [sys.executable, "-c", code, str(tmp_path / "state")],
        capture_output=True, text=True, check=False, env=dict(os.environ),
    )  # fmt: skip
    assert (done.stdout, done.returncode) == ("[2]\n", 0), done.stderr


def test_an_edited_file_is_another_game(tmp_path: Path) -> None:
    file = tmp_path / "mygame.py"
    file.write_text(Path(FILE).read_text())
    first = openspiel.load(str(file))
    file.write_text(Path(FILE).read_text() + "\n# changed\n")
    second = openspiel.load(str(file))
    names = [str(game).partition("(")[0] for game in (first, second)]
    assert names[0] != names[1]
    assert openspiel.load(str(file)).get_type().short_name == names[1]


def test_engines_as_bots() -> None:
    game = openspiel.load("connect4")
    bot = openspiel.EngineBot(plywise.engine("alphabeta:depth=2", game.game), game)
    state = game.new_initial_state()
    for move in (0, 1, 0, 1, 0, 1):
        state.apply_action(move)
    policy, move = bot.step_with_policy(state)
    assert move == 0
    assert dict(policy) == {action: float(action == 0) for action in range(7)}
    with pytest.raises(SpecError, match="human cannot play here"):
        openspiel.EngineBot("human", game)
