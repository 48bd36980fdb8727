"""The connection to the server: reloaded pages, killed servers, players on different machines."""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest
from playwright.sync_api import Page, expect

from tests.browser import steps
from tests.browser.conftest import Complaints, Person
from tests.serving import Server, serving

pytestmark = pytest.mark.slow


def test_a_reload_in_mid_game_keeps_everything(page: Page) -> None:
    steps.make_game(page, "connect4", second="auto:level=1")
    for count, move in enumerate("43"):
        steps.target(page, move).click()
        assert steps.answered(page, 2 * count)
    page.keyboard.press("u")
    expect(steps.stones(page)).to_have_count(2)
    before = steps.moves(page).locator(".move-text").all_inner_texts()
    assert len(before) == 4
    page.reload()
    expect(steps.stones(page)).to_have_count(2)
    steps.expect_moves(page, *before)
    expect(steps.your_turn(page)).to_be_visible()
    expect(steps.control(page, "Redo")).to_be_enabled()
    page.goto("/")
    mine = steps.region(page, "Your games")
    expect(mine.get_by_role("listitem")).to_have_count(1)
    mine.get_by_role("link", name="Connect-4").click()
    expect(steps.your_turn(page)).to_be_visible()
    page.keyboard.press("r")
    expect(steps.stones(page)).to_have_count(4)


@pytest.fixture
def mortal() -> Iterator[Server]:
    """A server that a test may kill."""
    with serving(warm=False) as server:
        yield server


def test_a_server_that_is_killed_loses_no_confirmed_move(
    person: Person, mortal: Server, complaints: Complaints
) -> None:
    complaints.expect("WebSocket|ERR_CONNECTION")
    page = person(base_url=mortal.url)
    steps.make_game(page, "connect4", second="auto:level=1")
    for count, move in enumerate("43"):
        steps.target(page, move).click()
        assert steps.answered(page, 2 * count)
        before = steps.moves(page).locator(".move-text").all_inner_texts()
        mortal.kill()
        expect(page.get_by_text("Connection lost")).to_be_visible()
        mortal.start()
        steps.was_shown(page, "done: Reconnected", count + 1)
        expect(page.get_by_text("Connection lost")).to_be_hidden()
        steps.expect_moves(page, *before)
    page.reload()
    steps.expect_moves(page, *before)
    steps.target(page, "4").click()
    steps.answered(page, 4)


def test_a_friend_comes_by_the_link_and_a_third_watches(person: Person) -> None:
    host, friend, third = person(), person(), person()
    steps.set_up(host, "Tic-Tac-Toe", "A friend by link")
    steps.begin(host)
    link = host.get_by_role("textbox", name="Link to this game").input_value()
    friend.goto(link)
    friend.get_by_role("button", name="Join as player 2").click()
    expect(steps.status(friend, "Waiting for your opponent")).to_be_visible()
    expect(steps.region(host, "Invitation")).to_be_hidden()
    third.goto(link)
    expect(third.get_by_text("Watching", exact=True)).to_be_visible()
    expect(third.get_by_role("button", name=re.compile("^Join"))).to_have_count(0)
    expect(host.get_by_text("people viewing this game")).to_have_text(re.compile("people"))
    for name in ("Hint", "Analysis", "Undo"):
        expect(steps.control(host, name)).to_be_hidden()
    for number, move in enumerate(["b2", "a1", "b1", "a2", "b3"]):
        mover, other = (host, friend) if number % 2 == 0 else (friend, host)
        expect(steps.your_turn(mover)).to_be_visible()
        expect(steps.targets(other)).to_have_count(0)
        expect(steps.targets(third)).to_have_count(0)
        steps.target(mover, move).click()
        for each in (host, friend, third):
            expect(steps.moves(each)).to_have_count(number + 1)
    for each, words in [(host, "You win"), (friend, "You lose"), (third, "Player 1 wins")]:
        expect(steps.result(each).get_by_role("heading")).to_have_text(words)
    expect(steps.control(host, "Analysis")).to_be_enabled()


def test_a_seat_belongs_to_the_browser_that_took_it(person: Person) -> None:
    owner, stranger = person(), person()
    game = steps.make_game(owner, "connect4", second="auto:level=1", moves="44")
    stranger.goto(f"/game/{game}")
    expect(stranger.get_by_text("Watching", exact=True)).to_be_visible()
    assert steps.command(stranger, game, "move", move="4")["status"] == 403
    expect(steps.stones(owner)).to_have_count(2)


def test_two_pages_of_one_person_show_the_same(page: Page) -> None:
    game = steps.make_game(page, "connect4", second="human")
    other = page.context.new_page()
    other.goto(f"/game/{game}")
    steps.target(page, "4").click()
    expect(steps.stones(other)).to_have_count(1)
    steps.target(other, "3").click()
    expect(steps.stones(page)).to_have_count(2)
