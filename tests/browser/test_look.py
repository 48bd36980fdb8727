"""How it looks: dark, on a phone, without motion, to a screen reader, over a slow connection."""

from __future__ import annotations

from pathlib import Path

import axe_playwright_python
import pytest
from playwright.sync_api import Page, Response, expect

from tests.browser import steps
from tests.browser.conftest import Complaints, Person

pytestmark = pytest.mark.slow

AXE = Path(axe_playwright_python.__file__).with_name("axe.min.js")
HEAVIEST = 300_000  #: bytes of everything a page loads
PHONE = {"viewport": {"width": 360, "height": 740}, "has_touch": True, "is_mobile": True}
CALM = {"reduced_motion": "reduce"}
#: Waits for two frames and the end of all transitions.
SETTLED = """async () => {
    for (let frame = 0; frame < 2; frame += 1) await new Promise(requestAnimationFrame);
    await Promise.allSettled(document.getAnimations()
        .filter((each) => each instanceof CSSTransition).map((each) => each.finished));
}"""


def open_home(page: Page) -> None:
    page.goto("/")
    expect(page.get_by_role("link", name="Play Connect-4")).to_be_visible()


def open_set_up(page: Page) -> None:
    page.goto("/new/tictactoe")
    expect(page.get_by_role("main").get_by_role("button", name="Play")).to_be_visible()


def open_rules(page: Page) -> None:
    page.goto("/rules/connect4")
    expect(page.get_by_role("figure").first).to_be_visible()


def open_game(page: Page) -> None:
    steps.make_game(page, "connect4", second="auto:level=1", moves="4435")
    expect(steps.your_turn(page)).to_be_visible()


def open_finished(page: Page) -> None:
    steps.make_game(page, "connect4", second="auto:level=1", moves="4142434")
    steps.result(page).get_by_role("button", name="Review").click()
    expect(steps.region(page, "Review").get_by_role("table")).to_be_visible()


def open_analysis(page: Page) -> None:
    page.goto("/board?game=connect4&moves=4141")
    steps.control(page, "Analysis").click()
    expect(steps.board(page).locator(".score")).to_have_count(7)


def open_share(page: Page) -> None:
    page.goto("/board?game=tictactoe&moves=b2")
    steps.tab(page, "Share")


def open_choice(page: Page) -> None:
    page.goto("/board")
    expect(page.get_by_role("heading", name="Analysis")).to_be_visible()


def open_large(page: Page) -> None:
    page.goto("/board?game=tictactoe:rows=19,k=5")
    expect(steps.targets(page)).to_have_count(361)


def open_invitation(page: Page) -> None:
    steps.make_game(page, "connect4", second="human", seats="invite")
    expect(steps.region(page, "Invitation")).to_be_visible()


def open_import(page: Page) -> None:
    open_home(page)
    page.get_by_role("button", name="Import a game").click()
    expect(page.get_by_role("dialog")).to_be_visible()


def open_keys(page: Page) -> None:
    open_game(page)
    page.keyboard.press("?")
    expect(page.get_by_role("dialog")).to_be_visible()


def open_missing(page: Page) -> None:
    page.goto("/board?game=chess")
    expect(page.get_by_role("heading", level=1)).to_be_visible()


def open_puzzle(page: Page) -> None:
    page.goto("/puzzle/slither?p=10x10t0:" + "2a" * 50)
    expect(steps.targets(page)).to_have_count(220)


def open_film(page: Page) -> None:
    page.goto("/puzzle/slither?p=33")
    steps.board(page).get_by_role("button").first.click()
    page.keyboard.press("p")  # a save point too
    page.keyboard.press("e")
    expect(page.get_by_role("region", name="Explanation")).to_be_visible()
    page.keyboard.press("ArrowRight")


def open_puzzle_rules(page: Page) -> None:
    page.goto("/rules/slither")
    expect(page.get_by_role("figure").first).to_be_visible()


def open_daily(page: Page) -> None:
    page.goto("/puzzle/slither?daily")
    expect(page.get_by_role("dialog")).to_be_visible()


def open_share_puzzle(page: Page) -> None:
    page.goto("/puzzle/slither?p=33")
    page.get_by_role("button", name="Share").click()
    expect(page.get_by_role("dialog")).to_be_visible()


def open_editor(page: Page) -> None:
    page.goto("/edit?game=snails")
    expect(page.get_by_role("button", name="Analyse")).to_be_enabled()


def open_history(page: Page) -> None:
    asked = {"game": "tictactoe", "second": "auto:level=1", "moves": "a1 b1 a2 c1 a3"}
    page.request.post("/api/games", data=asked)
    page.goto("/history")
    expect(page.get_by_role("table")).to_be_visible()


PAGES = {
    "editor": open_editor,
    "history": open_history,
    "home": open_home,
    "set-up": open_set_up,
    "game": open_game,
    "finished": open_finished,
    "analysis": open_analysis,
    "share": open_share,
    "choice": open_choice,
    "large": open_large,
    "invitation": open_invitation,
    "import": open_import,
    "keys": open_keys,
    "rules": open_rules,
    "missing": open_missing,
    "puzzle": open_puzzle,
    "puzzle explained": open_film,
    "puzzle rules": open_puzzle_rules,
    "puzzles of the day": open_daily,
    "puzzle shared": open_share_puzzle,
}
every_page = pytest.mark.parametrize("name", PAGES)


@every_page
def test_a_phone_is_wide_enough(visitor: Person, complaints: Complaints, name: str) -> None:
    complaints.expect("422")
    page = visitor(**PHONE, **CALM)
    PAGES[name](page)
    wide = page.evaluate(
        """() => [...document.querySelectorAll('body *')]
            .filter((e) => e.getBoundingClientRect().right > innerWidth + 1 && scrolls(e))
            .map((e) => e.outerHTML.slice(0, 120));
        function scrolls(e) {
            for (let up = e.parentElement; up; up = up.parentElement)
                if (getComputedStyle(up).overflowX !== 'visible' && up !== document.body
                    && up !== document.documentElement) return false;
            return true;
        }"""
    )
    room = page.evaluate("() => [document.documentElement.scrollWidth, innerWidth]")
    assert room[0] <= room[1] == 360, wide


def test_a_game_by_taps_on_a_phone(visitor: Person) -> None:
    page = visitor(**PHONE)
    steps.set_up(page, "Tic-Tac-Toe", "Two on this screen")
    steps.begin(page)
    for number, move in enumerate(["b2", "a1", "b1", "a2", "b3"]):
        box = steps.target(page, move).bounding_box()
        assert box is not None
        assert min(box["width"], box["height"]) >= 40
        steps.target(page, move).tap()
        expect(steps.stones(page)).to_have_count(number + 1)
    expect(steps.result(page)).to_be_visible()


def test_columns_can_be_tapped_on_a_phone(visitor: Person) -> None:
    page = visitor(**PHONE)
    steps.make_game(page, "connect4", second="human")
    for number, move in enumerate("1747"):
        box = steps.target(page, move).bounding_box()
        assert box is not None
        assert box["width"] >= 40
        steps.target(page, move).tap()
        expect(steps.stones(page)).to_have_count(number + 1)


def brightness(page: Page) -> float:
    """The brightness of the page's background, from 0 to 1."""
    found: float = page.evaluate(
        """() => {
            const canvas = document.createElement("canvas").getContext("2d");
            canvas.fillStyle = getComputedStyle(document.body).backgroundColor;
            canvas.fillRect(0, 0, 1, 1);
            const [red, green, blue] = canvas.getImageData(0, 0, 1, 1).data;
            return (red + green + blue) / 765;
        }"""
    )
    return found


def test_dark_as_the_system_has_it_or_as_chosen(person: Person) -> None:
    assert brightness(opened(person(color_scheme="light"))) > 0.8
    page = opened(person(color_scheme="dark"))
    assert brightness(page) < 0.3
    button = page.get_by_role("button", name="Theme")
    button.click()
    expect(button).to_have_accessible_name("Theme: light")
    assert brightness(page) > 0.8
    page.reload()
    assert brightness(page) > 0.8
    button.click()
    expect(button).to_have_accessible_name("Theme: dark")
    assert brightness(page) < 0.3


def opened(page: Page) -> Page:
    open_home(page)
    return page


@pytest.mark.parametrize("motion", ["reduce", "no-preference"])
def test_discs_fall_only_for_those_who_want_it(person: Person, motion: str) -> None:
    page = person(reduced_motion=motion)
    page.add_init_script(
        "window.animated = 0; const animate = Element.prototype.animate;"
        "Element.prototype.animate = function (...a)"
        " { window.animated += 1; return animate.apply(this, a); }"
    )
    steps.make_game(page, "connect4", second="human")
    steps.target(page, "4").click()
    expect(steps.stones(page)).to_have_count(1)
    assert (page.evaluate("() => window.animated") > 0) == (motion == "no-preference")


def violations(page: Page) -> list[str]:
    """The violations that axe finds."""
    found = page.evaluate("() => axe.run(document, { resultTypes: ['violations'] })")
    assert len(found["passes"]) > 10, "axe has not looked"
    return [
        f"{each['impact']}: {each['id']}: {each['help']}: "
        + "; ".join(
            f"{node['html'][:160]} ({node['failureSummary']})" for node in each["nodes"][:3]
        )
        for each in found["violations"]
    ]


@every_page
def test_axe_finds_no_fault(visitor: Person, complaints: Complaints, name: str) -> None:
    complaints.expect("422")
    page = visitor(bypass_csp=True, **CALM)
    PAGES[name](page)
    page.add_script_tag(path=AXE)  # bypasses the page's own policy
    for scheme in ("light", "dark"):
        page.emulate_media(color_scheme=scheme)
        page.evaluate(SETTLED)
        assert (brightness(page) > 0.5) == (scheme == "light")
        assert violations(page) == [], scheme


@pytest.mark.parametrize("name", ["home", "game", "finished", "analysis"])
def test_pages_are_light(person: Person, name: str) -> None:
    page = person()  # one that has loaded nothing yet
    answers: list[Response] = []
    page.on("response", lambda answer: answers.append(answer))
    PAGES[name](page)
    sent = {each.url: each.request.sizes()["responseBodySize"] for each in answers}
    assert sum(sent.values()) < HEAVIEST, sent
