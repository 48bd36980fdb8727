"""What results look like in a notebook: drawn without any package for notebooks, in both themes."""

from __future__ import annotations

import re
from xml.etree import ElementTree

import plywise
from plywise import Limits, Match
from plywise.play.drawn import MOST
from plywise.play.match import Forfeit
from plywise.play.trees import grow
from plywise.views.html import FEW, framed, table
from plywise.views.theme import DARK, LIGHT

GAME = plywise.game("tictactoe")


def whole(html: str) -> str:
    """The same text, if all that is opened in it is closed."""
    ElementTree.fromstring(re.sub(r"<style>.*?</style>", "", html))
    return html


def test_an_analysis_shows_its_verdict_and_every_move_the_best_first() -> None:
    position = GAME.position("b2 a2 a1")
    html = whole(plywise.engine("minimax", GAME).search(position, lines=True)._repr_html_())
    assert "<strong>c3: loses in 4 plies</strong>" in html
    moves = re.findall(r"<tr><td[^>]*>(\w\w)</td>", html)
    assert moves[0] == "c3"
    assert sorted(moves) == sorted(position.legal)


def test_an_analysis_without_lines_still_has_its_best_line() -> None:
    position = GAME.position("a1 b1 a2 b2")
    html = plywise.solve(position)._repr_html_()
    assert "a3: wins in 1 ply" in html
    assert html.count("<tr>") == 2


def test_a_review_shows_the_graph_and_what_was_wrong() -> None:
    html = whole(plywise.review(GAME.position("b2 a2 a1"))._repr_html_())
    assert "Tic-Tac-Toe, 3 moves: player 2 to move" in html
    assert "2. a2??" in html
    assert html.count("<svg") == 1


def test_a_match_shows_the_score_and_what_was_forfeited() -> None:
    lost = Forfeit(2, "b", "a1", "./my <agent>.py crashed")
    match = Match("tictactoe", "auto", "./my <agent>.py", 7, wins=2, draws=1, points=(1, 1, 0.5))
    html = whole(plywise.Match(**{**vars(match), "forfeits": (lost,)})._repr_html_())
    assert "83.3%" in html
    assert "./my &lt;agent&gt;.py forfeited 1 game" in html
    assert whole(Match("tictactoe", "auto", "random", 7)._repr_html_())  # before the first game


def test_a_tree_is_drawn_and_a_very_large_one_is_text() -> None:
    assert "<svg" in whole(grow(GAME.position("b2 a1 c3 b3 a2"))._repr_html_())
    large = grow(GAME.position("b2 a1"), "minimax", limit=20_000)
    assert large.nodes > MOST
    html = whole(large._repr_html_())
    assert "<svg" not in html
    assert "the tree as text" in html


def test_colours_are_light_unless_the_page_says_that_it_is_dark() -> None:
    html = plywise.review(GAME.position("b2 a2"), limits=Limits(depth=1))._repr_html_()
    rule = re.findall(r"<style>(.*?)</style>", html)[0]
    assert '[data-jp-theme-light="false"]' in rule
    assert f"--page: {DARK.page}" in rule
    drawn = html.replace(rule, "")
    assert f"var(--page, {LIGHT.page})" in drawn
    assert not re.findall(r'(?:fill|stroke)="#', drawn)  # no colour that stays as it is


def test_different_colours_have_different_rules() -> None:
    from plywise.core.scene import scene_of

    other = scene_of(plywise.game("connect4").start()).palette
    names = {re.findall(r'class="([^"]+)"', framed("", palette=each))[0] for each in (other,)}
    assert not names & set(re.findall(r'class="([^"]+)"', framed("")))


def test_after_a_few_rows_a_table_is_folded() -> None:
    rows = [[str(number)] for number in range(FEW + 3)]
    assert "<summary" not in table([""], rows[:FEW])
    assert "3 more</summary>" in table([""], rows)
