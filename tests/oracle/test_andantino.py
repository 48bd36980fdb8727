"""Andantino against the slow reference: random games on several sizes."""

from __future__ import annotations

import random

import numpy as np
import pytest

import plywise
from plywise import Position
from plywise.games.andantino import rules
from tests.oracle.andantino import Andantino, Cell

#: side: games of the quick run and of the long one
SIDES = {4: (10, 120), 5: (5, 60), 6: (2, 40), 8: (1, 15), 10: (1, 12)}


def name(cell: Cell) -> str:
    return f"{chr(ord('a') + cell[0] + 9)}{cell[1] + 10}"


def agree(position: Position, reference: Andantino) -> None:
    over = reference.over()
    assert position.over == over
    if over:
        winner = {"x": 1, "o": 2, None: 0}[reference.winner]
        assert position.winner == winner
        return
    assert list(position.legal) == [name(cell) for cell in reference.legal()]
    assert position.to_move == "xo".index(reference.mover) + 1


def careful(position: Position, rng: random.Random) -> str:
    """Stops the other and does not win, so that games grow long and rings large."""
    board, state = position.game.board, position.state
    number, cell = rules.winning(board, state, 1 - position.turn)
    if number:
        return position.text_of(int(cell))
    _, win = rules.winning(board, state, position.turn)
    return position.text_of(rng.choice([c for c in position.legal_codes if c != win] or [int(win)]))


def play_games(side: int, count: int, seed: int) -> None:
    rng = random.Random(seed)
    start = plywise.game(f"andantino:side={side}").start()
    for number in range(count):
        position, reference = start, Andantino(side)
        agree(position, reference)
        while not position.over:
            move = careful(position, rng) if number % 3 == 0 else rng.choice(position.legal)
            cell = (ord(move[0]) - ord("a") - 9, int(move[1:]) - 10)
            position, reference = position.play(move), reference.play(cell)
            agree(position, reference)


@pytest.mark.parametrize("side", SIDES)
def test_random_games(side: int) -> None:
    play_games(side, SIDES[side][0], seed=1)


@pytest.mark.long
@pytest.mark.parametrize("side", SIDES)
def test_many_random_games(side: int) -> None:
    play_games(side, SIDES[side][1], seed=2)


@pytest.mark.parametrize("side", [4, 6, pytest.param(10, marks=pytest.mark.slow)])
def test_random_boards(side: int) -> None:
    """Boards full of stones, as no game leaves them: every ring and line there is."""
    rng = random.Random(side)
    game = plywise.game(f"andantino:side={side}")
    cells = Andantino(side).cells()
    for _ in range(20):
        share = rng.choice([0.3, 0.6, 0.9])
        stones = {cell: rng.choice("xo") for cell in cells if rng.random() < share}
        reference = Andantino(side, stones)
        states = np.zeros(1, game.type.state)
        rules.setup(game.board, states[0])
        done = [0, 0]
        order = sorted(stones, key=lambda cell: rng.random())
        for cell in order:
            player = "xo".index(stones[cell])
            found = rules.place(game.board, states[0], player, cells.index(cell))
            done[player] |= found & 3
            done[1 - player] |= 2 if found & rules.WALKED_IN else 0
        for player, letter in enumerate("xo"):
            assert bool(done[player] & rules.LINE) == reference.line(letter)
            assert bool(done[player] & rules.RING_CLOSED) == bool(reference.caught(letter))


@pytest.mark.parametrize(
    ("side", "games"),
    [
        (4, 4),
        pytest.param(10, 1, marks=pytest.mark.slow),
        pytest.param(10, 4, marks=pytest.mark.long),
    ],
)
def test_winning_cells(side: int, games: int) -> None:
    """`winning` against playing every move, for both players."""
    rng = random.Random(3)
    game = plywise.game(f"andantino:side={side}")
    for _ in range(games):
        position, reference = game.start(), Andantino(side)
        while not position.over:
            for player, letter in enumerate("xo"):
                reference.mover = letter
                wins = [c for c in reference.legal() if reference.play(c).winner == letter]
                number, cell = rules.winning(game.board, position.state, player)
                assert number == min(2, len(wins))
                assert number == 0 or position.text_of(int(cell)) in map(name, wins)
            reference.mover = "xo"[position.turn]
            index = rng.randrange(len(position.legal))
            reference = reference.play(reference.legal()[index])
            position = position.play(position.legal[index])
