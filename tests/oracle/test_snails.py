"""Snails against the slow reference: random games on several sizes."""

from __future__ import annotations

import random

import pytest

import plywise
from plywise import Position
from tests.oracle.snails import Snails

#: rows, cols, territory: games of the quick run and of the long one, most where they are short
BOARDS = {
    (4, 4, False): (100, 1000),
    (4, 5, False): (60, 600),
    (5, 5, False): (40, 400),
    (8, 8, False): (2, 15),
    (4, 12, False): (2, 15),
    (12, 7, False): (1, 8),
    (12, 12, False): (1, 4),
    (4, 4, True): (10, 100),
    (5, 6, True): (3, 15),
    (8, 8, True): (1, 6),
    (11, 12, True): (0, 1),
}


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


def claims_first(reference: Snails, rng: random.Random) -> str:
    """Mostly a claim, so that games fill the board rather than slide to and fro."""
    moves = reference.legal()
    if rng.random() < 0.2:
        return rng.choice(moves)
    mover = reference.mover
    empty = reference.empty()
    claims = [
        move
        for move in moves
        if reference.destination(mover, reference.snail[mover], move) in empty
    ]
    return rng.choice(claims or moves)


def play_games(rows: int, cols: int, territory: bool, count: int, seed: int) -> None:
    rng = random.Random(seed)
    start = plywise.game(spec(rows, cols, territory)).start()
    for number in range(count):
        position, reference = start, Snails(rows, cols, territory)
        agree(position, reference)
        while not position.over:
            move = rng.choice(position.legal) if number % 2 else claims_first(reference, rng)
            position, reference = position.play(move), reference.play(move)
            agree(position, reference)


QUICK = [(*board, few) for board, (few, _) in BOARDS.items() if few]
MANY = [(*board, many) for board, (_, many) in BOARDS.items()]


@pytest.mark.parametrize(("rows", "cols", "territory", "count"), QUICK)
def test_random_games(rows: int, cols: int, territory: bool, count: int) -> None:
    play_games(rows, cols, territory, count, seed=1)


@pytest.mark.long
@pytest.mark.parametrize(("rows", "cols", "territory", "count"), MANY)
def test_many_random_games(rows: int, cols: int, territory: bool, count: int) -> None:
    play_games(rows, cols, territory, count, seed=2)
