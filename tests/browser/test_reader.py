"""A board to a screen reader: every cell with what stands there, and the lines of a puzzle."""

from __future__ import annotations

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.browser import steps

pytestmark = pytest.mark.slow

#: A position of every game, what some of its cells say, and how many there are.
BOARDS = {
    ("tictactoe", "b2 a1"): (["a1, ring", "b2, cross", "c3, empty, playable"], 9),
    ("connect4", "44"): (["d1, stone of player 1", "d3, empty, playable", "d4, empty"], 42),
    ("align", "c3 d4"): (["c3, cross", "d4, ring", "a1, empty, playable"], 36),
    ("andantino", "j10 k10"): (["j10, black stone", "k10, white stone", "j9, empty"], 46),
    ("snails", "ud"): (["a1, trail of player 1", "a2, snail of player 1", "b2, empty"], 64),
    ("makeway:seed=1", "0-3 0-6"): (
        ["0-3, line of player 1", "0-6, line of player 2", "0-2, free, playable"],
        70,
    ),
}


def grid(page: Page) -> Locator:
    return page.get_by_role("grid", name="Board, cell by cell")


def cell(page: Page, words: str) -> Locator:
    return grid(page).get_by_role("gridcell", name=words, exact=True)


def test_every_cell_says_what_stands_there(page: Page) -> None:
    for (game, moves), (said, count) in BOARDS.items():
        page.goto(f"/board?game={game}&moves={moves}")
        expect(grid(page).get_by_role("gridcell").first).to_be_attached()
        texts = grid(page).get_by_role("gridcell").all_text_contents()
        for words in said:
            assert any(text.startswith(words) for text in texts), (game, words, texts)
        assert len(texts) == len(set(texts)) == count, (game, len(texts))
        playable = [text for text in texts if text.endswith("playable")]
        assert len(playable) == steps.targets(page).count(), game


def test_arrows_go_from_cell_to_cell_and_enter_plays(page: Page) -> None:
    page.goto("/board?game=connect4&moves=44")
    cell(page, "d2, stone of player 2").focus()
    page.keyboard.press("ArrowUp")
    expect(cell(page, "d3, empty, playable")).to_be_focused()
    expect(steps.board(page).locator(".read > *")).to_have_count(2)  # seen on the board, with a rim
    page.keyboard.press("Home")
    expect(cell(page, "a3, empty")).to_be_focused()
    page.keyboard.press("Enter")  # no move ends there
    steps.was_shown(page, "a3, empty is not a legal move")
    for _ in range(3):
        page.keyboard.press("ArrowRight")
    page.keyboard.press("Enter")
    steps.expect_moves(page, "4", "4", "4")
    expect(cell(page, "d3, stone of player 1")).to_be_focused()
    page.keyboard.press("ArrowUp")
    expect(cell(page, "d4, empty, playable")).to_be_focused()


def test_lines_are_tied_to_their_clues(page: Page) -> None:
    page.goto("/puzzle/slither?p=.3/2.")
    line = steps.board(page).get_by_role("button", name="line above the 3 in row 1; not drawn")
    expect(line).to_be_attached()
    line.focus()
    page.keyboard.press("Enter")
    drawn = steps.board(page).get_by_role("button", name="line above the 3 in row 1; a line")
    expect(drawn).to_be_focused()
    names = steps.targets(page).evaluate_all(
        "(all) => all.map((e) => e.getAttribute('aria-label'))"
    )
    assert len(names) == len(set(names)) == 12
