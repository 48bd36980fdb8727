"""Proof-number search by itself: settled questions, limits, going on after an interruption."""

from __future__ import annotations

import numpy as np

import plywise
from plywise import Limits
from plywise.engines.driver import NO_LIMITS, Run
from plywise.engines.kernels.proof import SLOTS, disproof_in, note, numbers
from plywise.engines.proof import Prover
from tests.positions import random_positions


def test_a_question_taken_up_again_is_settled_in_the_end() -> None:
    game = plywise.game("connect4:rows=4,cols=5")
    prover = Prover(game, megabytes=4)
    position = game.start()
    turns = 0
    while (answer := prover.ask(position, 0, Run(NO_LIMITS), budget=20_000)).settled is None:
        assert answer.nodes < 40_000
        turns += 1
    assert turns > 1
    assert answer.settled is False


def test_a_table_smaller_than_the_tree_still_settles() -> None:
    game = plywise.game("tictactoe:rows=4,cols=4,k=4")
    prover = Prover(game, megabytes=1)
    assert prover.ask(game.start(), 0, Run(NO_LIMITS)).settled is False


def test_keys_of_one_bucket_do_not_drive_each_other_out_while_there_is_room() -> None:
    table = np.zeros(2 * SLOTS, np.uint64)
    keys = [np.uint64(key) for key in range(1, SLOTS + 1)]
    for key in keys:
        note(table, key, 7, int(key), 1, 0)
    assert [disproof_in(numbers(table, key, 0)) for key in keys] == keys
    note(table, keys[1], 7, 50, 100, 0)
    for late in (21, 22, 23, 24, 25):  # what took work stays
        note(table, np.uint64(late), 7, 9, 1, 0)
    assert disproof_in(numbers(table, keys[1], 0)) == 50
    note(table, np.uint64(30), 7, 9, 1, 1)  # a later search has the whole table
    assert disproof_in(numbers(table, np.uint64(30), 1)) == 9


def test_either_side_may_be_the_attacker() -> None:
    game = plywise.game("tictactoe:rows=3,cols=4,k=3")
    prover, minimax = Prover(game, megabytes=1), plywise.engine("minimax:depth=12", game)
    for position in random_positions(game, 100, range(4, 10), seed=1):
        outcome = minimax.search(position).outcome
        wins = [bool(prover.ask(position, player, Run(NO_LIMITS)).settled) for player in (0, 1)]
        assert wins[position.turn] == (outcome == "win")
        assert wins[1 - position.turn] == (outcome == "loss")


def test_without_an_answer_it_still_moves() -> None:
    game = plywise.game("connect4")
    analysis = plywise.engine("proof", game).search(game.start(), Limits(nodes=5_000))
    assert analysis.outcome is None
    assert analysis.best in game.start().legal
