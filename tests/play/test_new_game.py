"""New games to be played: what a spec leaves open is drawn at random."""

from __future__ import annotations

import plywise
from plywise.play.new_game import fresh_game, may_be


def test_a_random_board_is_another_one_for_another_seed() -> None:
    drawn = [fresh_game("makeway", seed) for seed in range(20)]
    assert len({game.spec for game in drawn}) > 15
    assert [fresh_game("makeway", seed) for seed in range(20)] == drawn
    assert drawn[0].start().legal != drawn[1].start().legal


def test_what_is_given_stays() -> None:
    assert fresh_game("makeway:seed=7", 1).spec == "makeway:seed=7"
    small = fresh_game("makeway:dots=12", 1)
    assert small.spec.startswith("makeway:dots=12,seed=")
    word = plywise.game("makeway:dots=5").whole_spec
    assert fresh_game(word, 1) == plywise.game(word)
    assert fresh_game("makeway:seed=7", 1, again=True).spec != "makeway:seed=7"


def test_games_without_chance_are_what_they_were() -> None:
    for spec in ("connect4", "snails:rows=6,cols=6", "andantino"):
        assert fresh_game(spec, 5) == plywise.game(spec)


def test_which_game_a_spec_may_have_become() -> None:
    drawn = fresh_game("makeway", 3)
    assert may_be("makeway", drawn.spec)
    assert may_be("makeway", drawn.whole_spec)
    assert may_be("makeway:seed=3", "makeway:seed=3")
    assert not may_be("makeway:seed=3", drawn.spec)
    assert not may_be("makeway:dots=12", drawn.spec)
    assert not may_be("connect4", drawn.spec)
