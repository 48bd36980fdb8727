"""A report as a notebook shows it."""

from __future__ import annotations

from lab.papers.report import measure, prepare
from tests.notebook.test_drawn import GAME, whole


def test_a_report_shows_what_it_has_so_far() -> None:
    report = prepare(GAME, ["random", "minimax:depth=1"], games=2)
    assert "nothing measured yet" in whole(report._repr_html_())
    assert "Who beats whom" in whole(measure(report)._repr_html_())
