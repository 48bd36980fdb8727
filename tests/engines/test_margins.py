"""In games of points: what an engine says about the end is true, and a margin is a margin."""

from __future__ import annotations

import pytest

import plywise
from plywise import Game, Limits, Position
from plywise.core.analysis import Line, outcome_of
from plywise.engines.scale import UNIT
from tests.engines.toy import toy, true_margin
from tests.positions import random_positions

AGENTS = ("alphabeta", "minimax", "textbook", "mcts", "mcts:playouts=40", "proof", "auto:level=3")
#: Points, points with a player who moves twice, and both with loops of captures.
GAMES = {
    "coins": (lambda: toy(9, 3), range(6)),
    "align:size=3": (lambda: plywise.game("align:size=3"), range(4, 9)),
    "dots": (lambda: plywise.game("./examples/dots.py:dots=3"), range(5, 12)),
    "kalah": (lambda: plywise.game("./examples/kalah.py:seeds=1"), range(12, 20)),
}


def truth(position: Position, move: str) -> int:
    """The margin of a move for the player who makes it, by the whole tree."""
    margin = true_margin(position.play(move))
    return margin if position.turn == 0 else -margin


def check(position: Position, line: Line) -> None:
    real = truth(position, line.move)
    if line.outcome is not None:
        assert line.outcome == outcome_of(real), (position, line)
    if line.margin is not None:
        assert line.margin == real, (position, line)


def positions(name: str, count: int) -> tuple[Game, list[Position]]:
    make, plies = GAMES[name]
    game = make()
    found = [
        each for each in random_positions(game, 4 * count, plies, seed=3) if near_the_end(each)
    ]
    assert len(found) >= count
    return game, found[:count]


def near_the_end(position: Position, most: int = 2000) -> bool:
    """Is the tree small enough for plain Python?"""
    waiting, seen = [position], 0
    while waiting and seen <= most:
        seen += 1
        each = waiting.pop()
        waiting += [] if each.over else [each.play_code(move) for move in each.legal_codes]
    return seen <= most


@pytest.mark.slow
@pytest.mark.parametrize("agent", AGENTS)
@pytest.mark.parametrize("name", GAMES)
def test_what_is_said_to_be_proved_is_true(name: str, agent: str) -> None:
    game, found = positions(name, 12)
    engine = plywise.engine(agent, game)
    for position in found:
        for nodes in (20, 20_000):
            analysis = engine.search(position, Limits(nodes=nodes), lines=True)
            check(position, analysis.line)
            for line in analysis.lines:
                check(position, line)


def test_a_proof_says_who_wins_but_not_by_how_much() -> None:
    game = plywise.game("align:size=3")
    found = plywise.engine("proof", game).search(game.start())
    assert (found.outcome, found.value, found.line.margin) == ("win", 1.0, None)
    assert (found.score, found.score_kind) == (UNIT, "estimate")
    assert plywise.solve(game.start()).line.margin == 6
