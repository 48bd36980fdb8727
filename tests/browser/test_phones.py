"""On a phone, with fingers: what is in view, what a tap does, how large a board is."""

from __future__ import annotations

from typing import Any

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.browser import steps
from tests.browser.conftest import Person
from tests.browser.hands import fingers, middle, window

pytestmark = pytest.mark.slow

#: The smaller one is the harder one; the other is left to `make long`.
SIZES = [(360, 740), pytest.param((390, 844), marks=pytest.mark.long)]
#: A position of every game; the seed makes the same net of lines every time.
GAMES = {
    "tictactoe": "b2 a1",
    "connect4": "4453",
    "align": "c3 d4",
    "andantino": "j10 i10 j9 k9",
    "snails": "udud",
    "makeway:seed=955": "0-3 3-10",
}

both_sizes = pytest.mark.parametrize("size", SIZES, ids=lambda size: f"{size[0]}x{size[1]}")


def phone(visitor: Person, size: tuple[int, int], **more: Any) -> Page:
    width, height = size
    options = {"has_touch": True, "is_mobile": True, "reduced_motion": "reduce", **more}
    return visitor(viewport={"width": width, "height": height}, **options)


def in_view(element: Locator) -> bool:
    """True if all of an element is on the screen, below the header."""
    found: bool = element.evaluate(
        """(e) => {
            const { top, bottom } = e.getBoundingClientRect();
            const header = document.querySelector("header.top").getBoundingClientRect().bottom;
            return top >= header && bottom <= innerHeight;
        }"""
    )
    return found


def top(element: Locator) -> float:
    box = element.bounding_box()
    assert box is not None
    return box["y"]


def ask_all(page: Page) -> None:
    """Ask for all steps of a hint, each of which must be seen, between the board and the tools."""
    steps.control(page, "Hint").tap()
    hint = page.get_by_role("group", name="Hint")
    for asked in ("Which move?", "Why?"):
        hint.get_by_role("button", name=asked).tap()
        assert in_view(hint), page.url
    above = page.locator(".game-board").bounding_box()
    assert above is not None
    assert above["y"] + above["height"] - 1 <= top(hint) < top(steps.control(page, "Hint"))


@both_sizes
def test_hint_result_and_review_come_into_view(visitor: Person, size: tuple[int, int]) -> None:
    page = phone(visitor, size)
    steps.make_game(page, "tictactoe:rows=4,cols=3,k=3", second="human", moves="b2 a1 b1 a2")
    ask_all(page)
    page.evaluate("() => scrollTo(0, 0)")
    steps.target(page, "b3").tap()
    expect(steps.result(page)).to_be_visible()
    assert in_view(steps.result(page))
    assert top(steps.result(page)) < top(steps.control(page, "Hint"))
    steps.result(page).get_by_role("button", name="Review").tap()
    table = steps.region(page, "Review").get_by_role("table")
    expect(table).to_be_visible()
    assert in_view(table)


@both_sizes
def test_home_is_two_screens_at_most(visitor: Person, size: tuple[int, int]) -> None:
    page = phone(visitor, size)
    page.goto("/")
    expect(page.get_by_role("link", name="Play Slither")).to_be_visible()
    assert page.evaluate("() => document.documentElement.scrollHeight") <= 2 * size[1]
    for link in page.get_by_role("link", name="Play ").all():
        box = link.bounding_box()
        assert box is not None
        assert box["height"] >= 32


NET = "makeway:seed=1"
#: Taps beside the middle of every line, on both sides; counts lines for which another is shown.
BESIDE = """(svg, pixels) => {
    const matrix = svg.getScreenCTM();
    const missed = new Set();
    const press = (kind, x, y) => document.elementFromPoint(x, y).dispatchEvent(new PointerEvent(
        kind, { bubbles: true, clientX: x, clientY: y, detail: 1, pointerType: "touch" }));
    const places = [...svg.querySelectorAll("[data-place]")];
    for (const place of places) {
        const line = place.querySelector(".cover");
        const [x1, y1, x2, y2] = ["x1", "y1", "x2", "y2"].map((name) => +line.getAttribute(name));
        const { x, y } = new DOMPoint((x1 + x2) / 2, (y1 + y2) / 2).matrixTransform(matrix);
        const length = Math.hypot(x2 - x1, y2 - y1) / pixels;
        for (const side of [1, -1]) {
            const spot = [x - side * (y2 - y1) / length, y + side * (x2 - x1) / length];
            press("pointerdown", ...spot);
            press("click", ...spot);
            const shown = svg.querySelector(".ghost [data-id]")?.getAttribute("data-id");
            if (shown !== place.getAttribute("data-place")) missed.add(place);
        }
    }
    return [places.length, missed.size];
}"""


@both_sizes
def test_a_tap_beside_a_line_shows_this_line(visitor: Person, size: tuple[int, int]) -> None:
    page = phone(visitor, size)
    page.goto(f"/board?game={NET}")
    expect(steps.targets(page)).to_have_count(70)
    lines, missed = steps.board(page).evaluate(BESIDE, 4)
    assert lines == 70
    assert missed <= 7  # it was 29
    expect(steps.stones(page)).to_have_count(2)  # those above the board


@both_sizes
def test_the_first_tap_shows_a_line_and_the_second_plays(
    visitor: Person, size: tuple[int, int]
) -> None:
    page = phone(visitor, size)
    page.goto(f"/board?game={NET}")
    expect(steps.targets(page)).to_have_count(70)
    with fingers(page) as hand:
        box = steps.target(page, "7-13").bounding_box()
        assert box is not None
        spot = middle(dict(box))
        hand.tap(spot)
        expect(steps.board(page).locator('.ghost [data-id="area 7-13"]')).to_be_visible()
        steps.was_shown(page, "done: Tap again to play 7-13")
        assert steps.moves(page).count() == 0
        hand.tap(spot)
        steps.expect_moves(page, "7-13")
        # Another line needs two taps again.
        box = steps.target(page, "8-12").bounding_box()
        assert box is not None
        hand.tap(middle(dict(box)))
        expect(steps.board(page).locator('.ghost [data-id="area 8-12"]')).to_be_visible()
        steps.expect_moves(page, "7-13")


@both_sizes
def test_two_fingers_zoom_the_board_of_a_game(visitor: Person, size: tuple[int, int]) -> None:
    page = phone(visitor, size)
    page.goto("/board?game=tictactoe:rows=19,k=5")
    expect(steps.targets(page)).to_have_count(361)
    box = steps.target(page, "j10").bounding_box()
    assert box is not None
    assert box["width"] < 20
    x, y = middle(dict(box))
    with fingers(page) as hand:
        hand.two(((x - 20, y), (x + 20, y)), ((x - 60, y), (x + 60, y)))
        after = steps.target(page, "j10").bounding_box()
        assert after is not None
        assert after["width"] > 2.5 * box["width"]
        assert abs(middle(dict(after))[0] - x) < 10
        assert window(page)["width"] <= size[0]
        hand.tap(middle(dict(after)))  # large enough for one tap
        steps.expect_moves(page, "j10")
    page.get_by_role("button", name="Show the whole board").tap()
    again = steps.board(page).bounding_box()
    assert again is not None
    assert again["width"] <= size[0]


#: The luminance of what fills an element, as the WCAG count it.
LUMINANCE = """(e) => {
    const canvas = document.createElement("canvas").getContext("2d");
    canvas.fillStyle = getComputedStyle(e).fill;
    canvas.fillRect(0, 0, 1, 1);
    const [red, green, blue] = [...canvas.getImageData(0, 0, 1, 1).data].map((value) => {
        const c = value / 255;
        return c <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4;
    });
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}"""


RUN = "j10 k10 k9 l9 l10 m9 m10 n9 n10 o9 o10 n11"  #: a game that goes to the right
#: The width of the smallest target, and what lies outside the board or the screen.
USED = """(svg) => {
    const frame = svg.getBoundingClientRect();
    const [low, high] = [Math.max(0, frame.left), Math.min(innerWidth, frame.right)];
    const places = [...svg.querySelectorAll("[data-place]")];
    const outside = [...places, ...svg.querySelectorAll(".stone")].filter((each) => {
        const { left, right, top, bottom } = each.getBoundingClientRect();
        return left < low || right > high || top < frame.top || bottom > frame.bottom;
    });
    const widths = places.map((each) => each.getBoundingClientRect().width);
    return [Math.min(...widths), outside.map((each) => each.outerHTML)];
}"""


@both_sizes
def test_a_large_board_is_shown_where_it_is_used(visitor: Person, size: tuple[int, int]) -> None:
    page = phone(visitor, size, color_scheme="dark")
    page.goto("/rules/andantino")
    figure = page.get_by_role("figure").first
    expect(figure).to_be_visible()
    assert figure.locator(".cell").count() < 100  # of 271
    shown = []
    for moves in ("j10", RUN):
        page.goto(f"/board?game=andantino&moves={moves}")
        expect(steps.stones(page)).to_have_count(len(moves.split()))
        least, outside = steps.board(page).evaluate(USED)
        assert outside == []
        shown.append(least)
    assert shown[0] >= 40
    assert 30 <= shown[1] < shown[0], "it grows"
    black, cell = (
        steps.board(page).locator(each).first.evaluate(LUMINANCE)
        for each in (".stone.player-1", ".cell")
    )
    assert (cell + 0.05) / (black + 0.05) >= 3


#: Lays a score over every move of a position; returns how many are drawn, and pairs that overlap.
SCORED = """async ([game, moves]) => {
    const { Board } = await import("/static/js/board/board.js");
    const asked = { method: "POST", headers: { "Content-Type": "application/json" },
        body: JSON.stringify({ game, moves }) };
    const position = await (await fetch("/api/positions", asked)).json();
    const board = new Board(document.querySelector("main"), { onMove: () => {} });
    const marks = position.legal.map((move) => ({ kind: "score", move, text: "+38", size: 0.7 }));
    board.show(position, { marks });
    const drawn = [...board.svg.querySelectorAll(".score")];
    const boxes = (each) => each.map((e) => e.getBBox()).map(({ x, y, width, height }) =>
        [x, y + 0.2 * height, x + width, y + 0.8 * height]);
    const meet = (a, b) => a[0] < b[2] && b[0] < a[2] && a[1] < b[3] && b[1] < a[3];
    const found = boxes(drawn);
    const pairs = found.flatMap((one, i) => found.slice(i + 1).filter((two) => meet(one, two)));
    const marked = [...board.svg.querySelectorAll('[data-id^="mark "]')];
    const over = boxes(marked).filter((one) => found.some((two) => meet(one, two)));
    board.destroy();
    return [position.legal.length, drawn.length, pairs.length, over.length];
}"""


def test_scores_do_not_cover_each_other(page: Page) -> None:
    page.goto("/interface")
    moves, drawn, pairs, _ = page.evaluate(SCORED, [NET, ""])
    assert moves == 70
    assert drawn >= 65  # the others are left to the list
    assert pairs == 0
    moves, drawn, pairs, over = page.evaluate(SCORED, ["snails", "ududrlrl"])
    assert (moves, drawn, pairs, over) == (4, 4, 0, 0)  # also not the marks of a trail


def test_a_wide_screen_is_used(visitor: Person) -> None:
    page = visitor(viewport={"width": 1600, "height": 900})
    page.goto(f"/board?game={NET}")
    box = steps.board(page).bounding_box()
    assert box is not None
    assert box["height"] >= 650  # between the header and the tools there are 692 pixels


@pytest.mark.long
@both_sizes
@pytest.mark.parametrize("game", GAMES)
def test_hints_come_into_view_in_every_game(
    visitor: Person, size: tuple[int, int], game: str
) -> None:
    page = phone(visitor, size)
    page.goto(f"/board?game={game}&moves={GAMES[game]}")
    ask_all(page)
