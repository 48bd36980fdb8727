"""Numbers that are known about these games."""

from __future__ import annotations

import pytest

import plywise
from plywise.engines.kernels.textbook import FINISHED
from tests.oracle.references import TicTacToe


@pytest.mark.slow
def test_every_position_of_3x3() -> None:
    """5,478 positions, 765 up to symmetry, each with the value the reference gives it."""
    reference = TicTacToe(3, 3, 3)
    game = plywise.game("tictactoe")
    engine = plywise.engine("textbook:depth=9", game)
    seen = {game.start().text: game.start()}
    boards = {game.start().text: reference.empty()}
    queue = list(seen)
    for text in queue:
        position, board = seen[text], boards[text]
        for move in position.legal:
            child = position.play(move)
            if child.text not in seen:
                seen[child.text] = child
                boards[child.text] = reference.play(board, move, "xo"[position.turn])
                queue.append(child.text)
    assert len(seen) == 5_478
    assert len({position.key for position in seen.values()}) == 765
    values: dict[int, set[tuple[object, ...]]] = {}
    for text, position in seen.items():
        if position.over:
            continue
        value, plies = reference.solve(boards[text], "xo"[position.turn])
        analysis = engine.search(position)
        assert analysis.outcome == ("draw", "win", "loss")[value], text
        assert value == 0 or analysis.plies_to_end == plies, text
        values.setdefault(position.key, set()).add((analysis.outcome, analysis.plies_to_end))
    assert all(len(verdicts) == 1 for verdicts in values.values()), "a key with two futures"


def test_the_full_tree_of_3x3() -> None:
    position = plywise.game("tictactoe").start()
    engine = plywise.engine("minimax", position.game)
    analysis = engine.search(position, record=550_000)
    assert analysis.nodes == 549_946
    assert analysis.outcome == "draw"
    assert len(analysis.tree.nodes) == 549_946
    assert (analysis.tree.nodes["state"] == FINISHED).sum() == 255_168


@pytest.mark.parametrize(
    ("moves", "plies", "score"),
    [
        # The published example: the other side wins with its very last disc.
        ("2252576253462244111563365343671351441", 4, -1),
        # Three in a row on the floor, open at both ends: X wins at once, with his fourth disc.
        ("112233", 1, 18),
        # The same, O to move: he can stop one end only, and loses two plies later.
        ("22334", 2, -18),
    ],
)
def test_connect4_exact_score(moves: str, plies: int, score: int) -> None:
    position = plywise.game("connect4").position(moves)
    analysis = plywise.engine("textbook:depth=6", position.game).search(position)
    assert analysis.plies_to_end == plies
    assert analysis.score_kind == "connect4"
    assert analysis.score == score
