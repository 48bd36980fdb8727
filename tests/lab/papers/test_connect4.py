"""The report on the paper's agent: its verdicts, and the moves that keep the result."""

from __future__ import annotations

import plywise
from lab.papers.connect4 import PERFECT, _choices, kept, perfect, speed, worth
from lab.papers.report.plans import Effort
from plywise.play.statistics import Share


def test_verdicts() -> None:
    rows = [(f"seed:level={level}", share) for level, share in enumerate(
        (Share(80, 100), Share(20, 100), Share(50, 100), Share(90, 100)), 1)]  # fmt: skip
    assert worth(rows) == "helps at levels 1 and 4, harms at level 2, undecided at level 3"
    assert perfect([("seed:level=4", Share(94, 100), "")]).startswith("undecided")
    assert perfect([("seed:level=4", Share(360, 400), "")]) == (
        "refuted: the top level misses 10 % of them"
    )
    assert perfect([("seed:level=4", Share(399, 400), "")]).startswith("confirmed")

    def efforts(*nodes: int) -> dict[int, tuple[Effort, Effort]]:
        return {
            level: (Effort(100, 1.0, 1), Effort(left, 1.0, 1))
            for level, left in enumerate(nodes, 1)
        }

    assert speed(efforts(100, 115, 150, 183)) == "confirmed at level 4 only, in nodes"
    assert speed(efforts(180, 190)) == "confirmed at levels 1 and 2, in nodes"
    assert speed(efforts(100, 150)) == "refuted: the nodes are not nearly halved"


def test_moves_that_keep_the_result_are_found_by_the_exact_solver() -> None:
    game = plywise.game("connect4")
    worse = {"loss": 0, "draw": 1, "win": 2}
    for position, keeping in _choices(game, 1)[8:]:
        assert 0 < len(keeping) < len(position.legal)
        results = {}
        for move in position.legal:
            after = position.play(move)
            ended = {0: "draw", position.to_move: "loss", None: None}[after.winner]
            results[move] = 2 - worse[ended or str(plywise.solve(after).outcome)]
        assert keeping == {move for move in results if results[move] == max(results.values())}


def test_only_the_board_with_a_book_is_judged() -> None:
    assert kept(plywise.game("connect4:cols=6"), PERFECT.cases[0], True) == []
