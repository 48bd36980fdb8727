"""The list of awkward games: each kind is on it, and each game is of the kinds it is there for."""

from __future__ import annotations

import random
from collections.abc import Callable
from itertools import pairwise

import numpy as np
import pytest

import plywise
from plywise import Game, Position
from plywise.jit.kernels import KernelFactory
from plywise.testing import LAWS, random_games
from tests.awkward import LIST, Awkward, every_awkward_game
from tests.oracle.minimax import TooLarge, minimax
from tests.positions import random_game

History = list[Position]


def lopsided(games: list[History]) -> bool:
    """Does player 2 have most of the turns, and all choices?"""
    every = [position for game in games for position in game[:-1]]
    choices = {position.turn for position in every if len(position.legal) > 1}
    return np.mean([position.turn for position in every]) > 0.6 and choices == {1}


def partly_proved(game: Game) -> bool:
    """Does a first move end the game, while another one leads to more than can be looked at?"""
    ends, deep = False, False
    for move in game.start().legal:
        try:
            ends |= minimax(game.start().play(move), {}, 250).plies == 0
        except TooLarge:
            deep = True
    return ends and deep


KINDS: dict[str, Callable[[Game, list[History]], bool]] = {
    "points": lambda game, games: game.points,
    "moves twice": lambda game, games: any(
        one.turn == two.turn for each in games for one, two in pairwise(each[:-1])
    ),
    "passes": lambda game, games: any("pass" in one.legal for each in games for one in each),
    "no evaluation": lambda game, games: game.rules.evaluate is None,
    "one legal move": lambda game, games: any(
        len(one.legal) == 1 for each in games for one in each
    ),
    "very short": lambda game, games: game.max_plies <= 2,
    "very long": lambda game, games: max(map(len, games)) > 90,
    "wide": lambda game, games: len(game.start().legal) >= 2000,
    "partly proved": lambda game, games: partly_proved(game),
    "asymmetric": lambda game, games: lopsided(games),
    "parameters": lambda game, games: bool(game.params),
    "loops": lambda game, games: any(len({str(one) for one in each}) < len(each) for each in games),
}


def test_every_kind_is_on_the_list() -> None:
    assert {kind for each in LIST for kind in each.kinds} == set(KINDS)
    assert len({each.name for each in LIST}) == len(LIST)
    assert all(each.why.endswith(".") for each in LIST)


@every_awkward_game
def test_an_awkward_game_is_what_it_is_there_for(awkward: Awkward) -> None:
    rng, game = random.Random(2), awkward.make()
    games = [random_game(game, rng).history for _ in range(6)]
    for kind in sorted(awkward.kinds):
        assert KINDS[kind](game, games), kind


OURS = [each for each in LIST if ".py" not in each.make().spec]  #: tests/examples has the others


@pytest.mark.parametrize("awkward", OURS, ids=lambda each: each.name)
def test_an_awkward_game_keeps_the_laws(awkward: Awkward) -> None:
    """A search may only be blamed for a game that is one."""
    sample = random_games(awkward.make(), games=2, seed=1, most=8)
    for law, check in LAWS.items():
        if law != "compiled":
            check(sample)


@every_awkward_game
def test_a_batch_plays_as_positions_do(awkward: Awkward, monkeypatch: pytest.MonkeyPatch) -> None:
    """Two games side by side, move by move, whoever moves."""
    monkeypatch.setattr(KernelFactory, "build", KernelFactory.plain)
    game, rng = awkward.make(), random.Random(3)
    batch, positions = plywise.batch(game, 2), [game.start(), game.start()]
    for step in range(30):
        for number, position in enumerate(positions):
            where = (game, position.moves)
            assert batch.over[number] == position.over, where
            assert set(np.flatnonzero(batch.legal[number])) == set(position.legal_codes), where
            if position.over:
                sign = np.sign(position.margin) if len(position.moves) == step else 0
                assert batch.margins[number] == position.margin, where
                assert batch.rewards[number].tolist() == [sign, -sign], where
            else:
                assert batch.turns[number] == position.turn, where
        moves = [rng.choice(position.legal_codes or (0,)) for position in positions]
        batch.step(moves)
        positions = [
            position if position.over else position.play_code(move)
            for position, move in zip(positions, moves, strict=True)
        ]
