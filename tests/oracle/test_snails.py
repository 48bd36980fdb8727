"""Snails against the slow reference: thousands of random games on several sizes."""

from __future__ import annotations

import random

import pytest

import plywise
from plywise import Position
from tests.oracle.snails import Snails

#: rows, cols, territory
BOARDS = [
    (4, 4, False),
    (4, 5, False),
    (5, 5, False),
    (8, 8, False),
    (4, 12, False),
    (12, 7, False),
    (12, 12, False),
    (4, 4, True),
    (5, 6, True),
    (8, 8, True),
    (11, 12, True),
]


def spec(rows: int, cols: int, territory: bool) -> str:
    return f"snails:rows={rows},cols={cols}" + (",territory=yes" if territory else "")


def agree(position: Position, reference: Snails) -> None:
    over = reference.over()
    assert position.over == over
    assert position.text == reference.text()
    assert position.scores == (reference.score("x"), reference.score("o"))
    assert list(position.legal) == ([] if over else reference.legal())
    assert position.to_move == (None if over else "xo".index(reference.mover) + 1)
    assert position.winner == (reference.winner() if over else None)


def claims_first(position: Position, dice: random.Random) -> str:
    """Mostly a claim, so that games fill the board rather than slide to and fro."""
    if dice.random() < 0.2:
        return dice.choice(position.legal)
    claims = [
        move
        for move in position.legal
        if sum(position.play(move).scores or ()) > sum(position.scores or ())
    ]
    return dice.choice(claims or position.legal)


def play_games(rows: int, cols: int, territory: bool, count: int, seed: int) -> None:
    dice = random.Random(seed)
    start = plywise.game(spec(rows, cols, territory)).start()
    for number in range(count):
        position, reference = start, Snails(rows, cols, territory)
        agree(position, reference)
        while not position.over:
            move = dice.choice(position.legal) if number % 2 else claims_first(position, dice)
            position, reference = position.play(move), reference.play(move)
            agree(position, reference)


@pytest.mark.parametrize(("rows", "cols", "territory"), BOARDS)
def test_random_games(rows: int, cols: int, territory: bool) -> None:
    play_games(rows, cols, territory, 10 if cols <= 6 else 1, seed=1)


@pytest.mark.slow
@pytest.mark.parametrize(("rows", "cols", "territory"), BOARDS)
def test_many_random_games(rows: int, cols: int, territory: bool) -> None:
    cells = rows * cols
    play_games(rows, cols, territory, 1000 if cols <= 6 else 40 if cells <= 64 else 5, seed=2)
