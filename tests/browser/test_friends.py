"""Two people at one game, one at a desk and one with a phone."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Page, expect

from tests.browser import steps
from tests.browser.conftest import Person
from tests.browser.test_look import AXE, CALM, SETTLED, violations

pytestmark = pytest.mark.slow

PHONE = {"viewport": {"width": 390, "height": 844}, "has_touch": True}
SMALL = {"viewport": {"width": 360, "height": 740}, "has_touch": True}


def button(page: Page, name: str) -> None:
    page.get_by_role("main").get_by_role("button", name=name, exact=True).click()


def meet(ann: Page, bob: Page, game: str = "tictactoe", **asked: str) -> None:
    """Ann starts a game and plays first; Bob joins."""
    steps.make_game(ann, game, seats="invite", name="Ann", **asked)
    bob.goto(ann.url)
    bob.get_by_label("Your name").fill("Bob")
    button(bob, "Join as player 2")
    expect(steps.region(ann, "Players")).to_contain_text("Bob")


def test_a_game_with_a_takeback_a_draw_and_a_rematch(visitor: Person) -> None:
    ann, bob = visitor(), visitor(**SMALL)
    steps.set_up(ann, "Connect-4", "A friend by link")
    ann.get_by_label("Your name").fill("<i>Ann</i>")
    steps.choose(ann, "Per game")
    steps.begin(ann)
    expect(ann.locator(".facts")).to_have_text("5 + 2")
    invitation = steps.region(ann, "Invitation")
    expect(invitation).to_contain_text("Only this computer can open links to this page.")
    bob.goto(ann.url)
    expect(bob.get_by_role("form", name="Invitation")).to_contain_text(
        "<i>Ann</i> has invited you to a game. The clock is 5 + 2."
    )
    bob.get_by_label("Your name").fill("Bob")
    button(bob, "Join as player 2")
    steps.was_shown(ann, "notice done: Your opponent has joined")
    players = steps.region(ann, "Players")
    expect(players).to_contain_text("Bobonline")
    expect(players).to_contain_text("<i>Ann</i> (you)")
    expect(steps.status(bob, "Waiting for <i>Ann</i>")).to_be_visible()

    steps.target(ann, "4").click()
    expect(steps.your_turn(bob)).to_be_visible()
    expect(bob).to_have_title(re.compile("^Your turn"))
    steps.control(ann, "Takeback").click()
    offer = steps.region(bob, "Offer")
    expect(offer).to_contain_text("<i>Ann</i> asks to take back their last move.")
    expect(bob).to_have_title(re.compile("asks to take back"))
    offer.get_by_role("button", name="Accept").tap()
    expect(steps.stones(ann)).to_have_count(0)
    expect(steps.your_turn(ann)).to_be_visible()

    steps.target(ann, "3").click()
    steps.control(bob, "Draw").tap()
    expect(steps.control(bob, "Draw")).to_be_disabled()
    steps.region(ann, "Offer").get_by_role("button", name="Decline").click()
    expect(steps.region(bob, "Offer")).to_contain_text("Your draw offer was declined.")
    steps.target(bob, "3").tap()  # a move ends the matter
    expect(steps.region(bob, "Offer")).to_have_count(0)
    steps.control(ann, "Draw").click()
    steps.region(bob, "Offer").get_by_role("button", name="Accept").tap()
    for page in (ann, bob):
        expect(steps.result(page).get_by_role("heading")).to_have_text("Draw")
        expect(steps.result(page)).to_contain_text("The players agreed on a draw.")

    first = ann.url
    steps.result(bob).get_by_role("button", name="Rematch").tap()
    expect(steps.result(ann)).to_contain_text("Bob wants a rematch.")
    expect(steps.result(bob)).to_contain_text("You have offered a rematch.")
    steps.result(ann).get_by_role("button", name="Accept rematch").click()
    for page in (ann, bob):
        page.wait_for_url(lambda url: url != first)
    assert ann.url == bob.url
    expect(steps.your_turn(bob)).to_be_visible()
    expect(steps.status(ann, "Waiting for Bob")).to_be_visible()
    bob.goto("about:blank")
    expect(steps.region(ann, "Players")).to_contain_text("Bobaway")
    ann.goto(first)
    expect(ann.get_by_role("link", name="Go to the rematch")).to_be_visible()


def test_clocks_wait_for_the_first_move_and_for_the_second_player(visitor: Person) -> None:
    ann, bob = visitor(), visitor(**PHONE)
    steps.make_game(ann, "tictactoe", seats="invite", clock="2 + 0")
    bob.goto(ann.url)
    steps.target(ann, "b2").click()
    expect(steps.stones(bob)).to_have_count(1)
    clocks = steps.region(ann, "Players").get_by_role("timer")
    ann.wait_for_timeout(2500)  # longer than all of Bob's time
    expect(clocks).to_have_text(["0:02.0", "0:02.0"])
    expect(steps.result(ann)).to_have_count(0)
    button(bob, "Join as player 2")
    expect(steps.result(ann).get_by_role("heading")).to_have_text("You win")
    expect(steps.result(ann)).to_contain_text("Player 2 ran out of time.")


HEARD = """() => {
window.alerts = [];
class Fake { static permission = "granted"; static requestPermission = async () => "granted";
  constructor(title, { body }) { window.alerts.push(body); } }
window.Notification = Fake;
const Oscillator = window.OscillatorNode;
window.OscillatorNode = class extends Oscillator {
  start(when) { window.alerts.push("tone"); super.start(when); } };
}"""


def test_a_turn_is_announced_on_request(visitor: Person) -> None:
    ann, bob = visitor(), visitor(**PHONE)
    meet(ann, bob)
    bob.evaluate(HEARD)
    steps.target(ann, "b2").click()
    expect(steps.your_turn(bob)).to_be_visible()
    assert bob.evaluate("window.alerts") == []  # nobody has asked for it
    for name in ("Sounds", "Notify me"):
        switch = bob.get_by_role("button", name=name)
        expect(switch).to_have_attribute("aria-pressed", "false")
        switch.click()
        expect(switch).to_have_attribute("aria-pressed", "true")
    bob.evaluate("window.alerts = []")
    steps.target(bob, "a1").click()
    bob.evaluate("Object.defineProperty(document, 'hidden', { value: true, configurable: true })")
    steps.target(ann, "c3").click()
    expect(steps.your_turn(bob)).to_be_visible()
    heard = ["Ann played c3. Your turn.", "tone", "tone"]  # both moves, and the words
    assert sorted(bob.evaluate("window.alerts")) == heard
    bob.get_by_role("button", name="Sounds").click()
    bob.evaluate("window.alerts = []")
    steps.control(ann, "Draw").click()
    expect(steps.region(bob, "Offer")).to_be_visible()
    assert bob.evaluate("window.alerts") == ["Ann offers a draw."]


def test_who_watches_sees_names_and_no_offers(visitor: Person) -> None:
    ann, bob = visitor(), visitor(**PHONE)
    third = visitor(viewport={"width": 1000, "height": 700})
    meet(ann, bob)
    third.goto(ann.url)
    expect(steps.region(third, "Players")).to_contain_text("Annonline")
    steps.target(ann, "b2").click()
    steps.control(ann, "Takeback").click()
    expect(steps.region(bob, "Offer")).to_be_visible()
    expect(steps.stones(third)).to_have_count(1)
    expect(steps.region(third, "Offer")).to_have_count(0)
    for name in ("Takeback", "Draw", "Resign"):
        expect(steps.control(third, name)).to_be_hidden()
    ann.goto("/")
    expect(ann.get_by_role("link", name=re.compile("you against Bob"))).to_be_visible()


def test_axe_finds_no_fault_between_friends(visitor: Person) -> None:
    ann, bob = visitor(bypass_csp=True, **CALM), visitor(**PHONE)

    def check() -> None:
        ann.add_script_tag(path=AXE)
        for scheme in ("light", "dark"):
            ann.emulate_media(color_scheme=scheme)
            ann.evaluate(SETTLED)
            assert violations(ann) == [], scheme

    steps.make_game(ann, "tictactoe", seats="invite", name="Ann")
    check()  # the invitation
    bob.goto(ann.url)
    button(bob, "Join as player 2")
    steps.target(ann, "b2").click()
    steps.control(bob, "Draw").click()
    expect(steps.region(ann, "Offer")).to_be_visible()
    check()
    steps.region(ann, "Offer").get_by_role("button", name="Accept").click()
    steps.result(bob).get_by_role("button", name="Rematch").click()
    expect(steps.result(ann)).to_contain_text("wants a rematch")
    check()
