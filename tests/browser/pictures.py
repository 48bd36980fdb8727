"""Take the pictures of the web app in the docs: `python -m tests.browser.pictures [NAME ...]`.

Every name is that of a picture in `docs/pictures`, without `web-` and `.webp`; none means all.
WebP takes a quarter of the bytes that PNG does.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from io import BytesIO
from pathlib import Path
from typing import Any

from PIL import Image
from playwright.sync_api import Browser, Page, expect

import plywise
from plywise.play.exercises.exercise import (
    exercises_file,
    read_exercises,
)
from tests.browser import steps
from tests.browser.chromium import launched
from tests.serving import serving

FOLDER = Path(__file__).parents[2] / "docs" / "pictures"
QUALITY = 84  #: of WebP; with less, letters have halos
DESK = {"viewport": {"width": 1280, "height": 850}}
PHONE = {"viewport": {"width": 390, "height": 844}, "is_mobile": True, "has_touch": True}
DARK = {**DESK, "color_scheme": "dark"}

#: Moves of each game: to a position in the middle, and for the review.
GAMES = {
    "connect4": ("444532445333", "4334334447266346622775565"),
    "andantino": (
        "j10 i10 j9 k9 i9 k8 h10 h11",
        "j10 i10 j9 k9 i9 k8 h10 h11 i11 j8 h12 i8 g12 j11 g11",
    ),
    "snails": ("ududulrdrl", "ududulrdrlrlrlrl"),
}
PUZZLE = "...2..3/222.321/12...2./2..3221/22....2/2....../32.3.3."


@dataclass(frozen=True)
class Visit:
    """A browser at a server."""

    browser: Browser
    url: str

    @contextmanager
    def page(self, options: dict[str, Any] | None = None) -> Iterator[Page]:
        """A page of somebody new."""
        context = self.browser.new_context(base_url=self.url, **(options or DESK))
        context.set_default_timeout(steps.PATIENCE)
        yield context.new_page()
        context.close()


def main() -> None:
    """Take the pictures with these names, or all."""
    expect.set_options(timeout=steps.PATIENCE)
    every = pictures()
    names = sys.argv[1:] or list(every)
    if unknown := [name for name in names if name not in every]:
        sys.exit(f"there is no picture {unknown[0]!r}: there are {', '.join(every)}")
    with serving() as server, launched() as browser:
        server.settle()  # until the engines are compiled
        for name in names:
            every[name](Visit(browser, server.url), name)


def pictures() -> dict[str, Callable[[Visit, str], None]]:
    """Return what takes each picture."""
    found: dict[str, Callable[[Visit, str], None]] = {
        "home": home,
        "analysis": partial(analysed, game="connect4", options=DESK),
        "puzzle": puzzle,
    }
    for game in GAMES:
        found |= {
            f"{game}-game": partial(played, game=game),
            f"{game}-hint": partial(hinted, game=game, options=DESK),
            f"{game}-review": partial(reviewed, game=game),
            f"{game}-exercise": partial(refuted, game=game),
            f"{game}-friend": partial(befriended, game=game),
            f"{game}-phone": partial(hinted, game=game, options=PHONE),
            f"{game}-dark": partial(analysed, game=game, options=DARK),
        }
    return found


def keep(page: Page, name: str) -> None:
    """Write what is on the screen."""
    page.mouse.move(0, 0)
    page.wait_for_timeout(700)  # for animations to end
    with Image.open(BytesIO(page.screenshot())) as shown:
        shown.convert("RGB").save(FOLDER / f"web-{name}.webp", quality=QUALITY, method=6)


def home(visit: Visit, name: str) -> None:
    with visit.page() as page:
        page.goto("/")
        expect(page.locator(".still svg").first).to_be_visible()
        page.wait_for_timeout(4000)  # the first card plays its sample
        keep(page, name)


def played(visit: Visit, name: str, game: str) -> None:
    with visit.page() as page:
        steps.make_game(page, game, second="auto:level=3", moves=GAMES[game][0])
        keep(page, name)


def hinted(visit: Visit, name: str, game: str, options: dict[str, Any]) -> None:
    with visit.page({**options, "reduced_motion": "reduce"}) as page:  # the ring does not pulse
        steps.make_game(page, game, second="auto:level=3", moves=GAMES[game][0])
        steps.control(page, "Hint").click()
        hint = page.get_by_role("group", name="Hint")
        for asked in ("Which move?", "Why?"):
            hint.get_by_role("button", name=asked).click()
        expect(hint.get_by_role("button", name="Why?")).to_have_count(0)
        page.evaluate("scrollTo(0, 0)")
        keep(page, name)


def analysed(visit: Visit, name: str, game: str, options: dict[str, Any]) -> None:
    with visit.page(options) as page:
        page.goto(f"/board?game={game}&moves={GAMES[game][0]}")
        steps.control(page, "Analysis").click()
        expect(steps.board(page).locator(".score").first).to_be_visible()
        expect(steps.region(page, "Analysis")).to_contain_text(re.compile(r"\d (k|M) nodes"))
        page.wait_for_timeout(3000)
        keep(page, name)


def reviewed(visit: Visit, name: str, game: str) -> None:
    with visit.page() as page:
        steps.make_game(page, game, second="human", moves=GAMES[game][1])
        steps.tab(page, "Review")
        page.get_by_role("button", name="Review this game").click()
        expect(page.locator(".fault-board svg").first).to_be_visible()
        keep(page, name)


def refuted(visit: Visit, name: str, game: str) -> None:
    """Show an exercise of three moves after a wrong try."""
    exercise, wrong = next(
        (each, move)
        for each in read_exercises(exercises_file(plywise.game(game).type))
        if each.goal == "win" and each.length == 3
        for move in each.position(plywise.game(each.game)).legal
        if move != each.answer and each.refutation(move)
    )
    with visit.page() as page:
        page.goto(f"/exercises/{game}?e={exercise.name}")
        steps.target(page, wrong).click(force=True)
        last = exercise.refutation(wrong)[-1]
        expect(page.locator(".exercise-message")).to_contain_text(last)
        page.wait_for_timeout(1000 * len(exercise.refutation(wrong)) + 2000)  # it is played
        keep(page, name)


def befriended(visit: Visit, name: str, game: str) -> None:
    """Show a game of two people, one of whom offers a draw."""
    with visit.page() as ann, visit.page() as bob:
        steps.make_game(
            ann, game, seats="invite", name="Ann", clock="300 + 2", moves=GAMES[game][0]
        )
        bob.goto(ann.url)
        bob.get_by_label("Your name").fill("Bob")
        bob.get_by_role("button", name=re.compile("Join")).click()
        steps.control(bob, "Draw").click()
        expect(steps.region(ann, "Offer")).to_be_visible()
        expect(ann.locator(".notice")).to_have_count(0)
        keep(ann, name)


def puzzle(visit: Visit, name: str) -> None:
    """Take fourteen steps with hints, and show the next hint."""
    with visit.page() as page:
        page.goto(f"/puzzle/slither?p={PUZZLE}")
        control = page.get_by_role("button", name="Hint", exact=True)
        hint = page.get_by_role("group", name="Hint")
        for step in range(15):
            control.click()
            hint.get_by_role("button", name="Which technique?").click()
            hint.get_by_role("button", name="Which move?").click()
            if step < 14:
                hint.get_by_role("button", name="Do it").click()
        page.get_by_role("button", name="Colour", exact=True).click()
        keep(page, name)


if __name__ == "__main__":
    main()
