"""The tables of the report hold what exact play says."""

from __future__ import annotations

from statistics import mean

import pytest

import plywise
from lab.papers import align as report
from lab.papers.report.plans import Effort
from plywise.errors import SpecError
from plywise.games.align.agents import nearby
from plywise.play.statistics import Mean, Share

SMALL = plywise.game("align:size=4")


def test_what_a_move_gives_away() -> None:
    for position, given in report.exact(SMALL, 6, True):
        assert len(position.moves) == 6
        assert set(given) == set(position.legal)
        best = plywise.solve(position).score
        for move, lost in given.items():
            assert best - lost == -plywise.solve(position.play(move)).score


def test_what_the_few_cells_leave_out() -> None:
    row = report.listed(SMALL, "6", True)
    losses = []
    for position, _ in report.exact(SMALL, 6, True):
        cells = [position.text_of(cell) for cell in nearby(position)]
        best = max(-plywise.solve(position.play(move)).score for move in cells)
        losses.append(plywise.solve(position).score - best)
    assert row[0] == 10
    assert row[2:] == (Share(losses.count(0), 8), Mean.of(losses))
    assert report.listed(SMALL, "10", True) == ()  # nine cells or fewer: all are listed


def test_what_a_choice_gives_away() -> None:
    share, lost, gain, nodes = report.chosen(SMALL, "seed:depth=1", True)
    assert (report.losses(SMALL, "textbook:depth=10", True)[0]) == [0] * 8  # to the end
    whole = report.losses(SMALL, "seed", True)[0]
    assert isinstance(lost, Mean)
    assert isinstance(gain, Mean)
    assert gain.value == pytest.approx(mean(whole) - lost.value)
    assert isinstance(share, Share)
    assert share.count == 8
    assert isinstance(nodes, int)


def test_verdicts() -> None:
    ends = {9: (Effort(10, 1, 4), Effort(200, 1, 3))}
    assert report.pruning(ends).startswith("confirmed, with 20 times fewer nodes")
    assert "only 3 of 4 moves" in report.pruning(ends)
    assert report.tabled(ends).startswith("confirmed: ")
    assert report.tabled({9: (Effort(10, 1, 4), Effort(200, 1, 4))}).startswith("refuted: with a")
    three = {10: (Effort(15, 1, 4), Effort(20, 1, 4), Effort(10, 1, 4))}
    assert report.ordered(three).startswith("at depth 10 it saves 25% of the nodes")
    assert report.ordered(three).endswith("would save 50%")
    always, often = ("6", 30, 9, Share(400, 400), Mean(0, 0, 400)), Share(300, 400)
    assert report.enough([always]).startswith("confirmed")
    assert report.enough([(*always[:3], often, Mean(0.5, 0.1, 400))]).startswith("refuted")
    lost = Mean(2, 0.1, 9)
    rows = [
        ("seed:depth=1", often, lost, Mean(0.9, 0.2, 9), 5),
        (report.WHOLE, often, lost, Mean(-0.5, 0.2, 9), 5),
        ("seed:cells=36,depth=2", often, lost, Mean(0.1, 0.2, 9), 5),
    ]
    one, two, three_ = report.deeper(rows).split("; ")
    assert one.endswith("0.9 points less than seed")
    assert two.endswith("0.5 points more than seed")
    assert three_.endswith("as much as seed")


def test_a_table_has_few_cells() -> None:
    with pytest.raises(SpecError, match="search=table takes up to 12 cells, not 13"):
        plywise.engine("seed:search=table,cells=13", SMALL)


def test_small_boards_leave_out_what_they_do_not_have() -> None:
    from lab.papers.report import measure, prepare

    game = plywise.game("align:size=3")
    found = prepare(game, quick=True, parts=["comparisons", "tables"])
    assert [each.comparison.title for each in found.measured] == []
    assert [filled.verdict for filled in measure(found).tables] == [None, None]
