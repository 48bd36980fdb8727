"""The board editor in the browser."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Page, expect

from tests.browser import steps

pytestmark = pytest.mark.slow


def put(page: Page, place: str) -> None:
    steps.board(page).get_by_role("button", name=re.compile(f"^{place}, ")).click()


def test_pieces_are_placed_and_analysed(page: Page) -> None:
    page.goto("/board?game=tictactoe&moves=b2")
    steps.tab(page, "Share")
    page.get_by_role("button", name="Edit the board").click()
    expect(page.get_by_role("heading", name="board editor")).to_be_visible()
    expect(steps.stones(page)).to_have_count(1)
    page.get_by_text("Player 2", exact=True).first.click()
    put(page, "a1")
    expect(steps.stones_of(page, 2)).to_have_count(1)
    put(page, "b2")  # it was the other player's
    expect(steps.stones_of(page, 1)).to_have_count(0)
    put(page, "b2")  # and once more: gone
    expect(steps.stones(page)).to_have_count(1)
    page.get_by_role("group", name="To move").get_by_text("Player 1").click()
    expect(page.get_by_role("textbox", name="Position as text")).to_have_value("3/3/o2 x")
    page.get_by_role("button", name="Analyse").click()
    page.wait_for_url(re.compile(r"/board\?.*start="))
    expect(steps.stones(page)).to_have_count(1)


def test_what_is_wrong_with_a_draft_is_said(page: Page) -> None:
    page.goto("/edit?game=snails")
    page.get_by_role("button", name="Clear").click()
    expect(page.get_by_role("alert").filter(has_text="one snail")).to_be_visible()
    expect(page.get_by_role("button", name="Analyse")).to_be_disabled()
    page.get_by_role("button", name="Start over").click()
    expect(page.get_by_role("button", name="Analyse")).to_be_enabled()
