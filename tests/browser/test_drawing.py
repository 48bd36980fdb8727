"""Drawing a puzzle by dragging, with a mouse, fingers and keys; zoom, and a large puzzle."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Page, expect

from plywise.puzzles.slither import CROSS, Drawing, Puzzle
from plywise.puzzles.slither.generator import Wish, generate
from tests.browser import steps
from tests.browser.conftest import Person
from tests.browser.hands import (
    Fingers,
    control,
    drag,
    drawn,
    fingers,
    line,
    loop_of,
    middle,
    spots,
    unit,
    window,
)

pytestmark = pytest.mark.slow

EMPTY = "4/4".replace("4", "....")  # two rows of four cells without clues
PHONES = {
    "small": {"viewport": {"width": 360, "height": 740}, "has_touch": True, "is_mobile": True},
    "usual": {"viewport": {"width": 390, "height": 844}, "has_touch": True, "is_mobile": True},
}
every_phone = pytest.mark.parametrize("phone", PHONES)
FINGER = 36  #: pixels that a place needs for a finger


def opened(page: Page, text: str) -> Page:
    page.goto(f"/puzzle/slither?p={text}")
    expect(steps.board(page)).to_be_visible()
    return page


def marks(page: Page, *moves: str) -> list[str]:
    """What these places hold."""
    labels = [line(page, move).get_attribute("aria-label") or "" for move in moves]
    return [label.rpartition("; ")[2] for label in labels]


def test_a_path_with_the_mouse(page: Page) -> None:
    opened(page, EMPTY)
    drag(page, (0, 0), (0, 2), (1, 2))
    expect(drawn(page)).to_have_count(3)
    assert marks(page, "1 1 t", "1 2 t", "1 3 l", "1 3 t") == ["a line"] * 3 + ["not drawn"]
    # Back along the path: the last line is taken back.
    drag(page, (2, 0), (2, 2), (2, 1))
    expect(drawn(page)).to_have_count(4)
    assert marks(page, "2 1 b", "2 2 b") == ["a line", "not drawn"]
    # Back to where it began: nothing is drawn, and no click comes after it.
    drag(page, (1, 3), (1, 4), (1, 3))
    expect(drawn(page)).to_have_count(4)
    # A path is one step.
    control(page, "Undo").click()
    expect(drawn(page)).to_have_count(3)
    control(page, "Undo").click()
    expect(drawn(page)).to_have_count(0)
    control(page, "Redo").click()
    expect(drawn(page)).to_have_count(3)
    page.reload()
    expect(drawn(page)).to_have_count(3)


def test_a_fast_mouse_and_corners(page: Page) -> None:
    """Few events: dots that were passed over count, and a diagonal goes around a corner."""
    opened(page, EMPTY)
    start, end = spots(page, [(0, 0), (0, 4)])
    page.mouse.move(*start)
    page.mouse.down()
    page.mouse.move(*end)
    page.mouse.up()
    expect(drawn(page)).to_have_count(4)
    start, end = spots(page, [(1, 0), (2, 1)])
    page.mouse.move(*start)
    page.mouse.down()
    page.mouse.move(*end)
    page.mouse.up()
    expect(drawn(page)).to_have_count(6)


def test_a_path_from_between_two_dots_takes_the_line_it_began_on(page: Page) -> None:
    opened(page, EMPTY)
    drag(page, (1, 1.5), (1, 3))
    expect(drawn(page)).to_have_count(2)
    assert marks(page, "2 2 t", "2 3 t") == ["a line"] * 2


def test_a_path_replaces_crosses_and_keeps_lines(page: Page) -> None:
    opened(page, EMPTY)
    line(page, "1 1 t").click(button="right")
    line(page, "1 2 t").click()
    drag(page, (0, 0), (0, 3))
    expect(drawn(page)).to_have_count(3)
    control(page, "Undo").click()
    expect(drawn(page)).to_have_count(1)
    assert marks(page, "1 1 t", "1 2 t") == ["a cross", "a line"]


@every_phone
def test_a_path_with_a_finger(visitor: Person, phone: str) -> None:
    page = opened(visitor(**PHONES[phone]), EMPTY)
    assert unit(page) >= FINGER
    with fingers(page) as hand:
        hand.draw((0, 0), (0, 1), (0, 2), (1, 2), (1, 3), (1, 2))
        expect(drawn(page)).to_have_count(3)
        (spot,) = spots(page, [(2, 0.5)])
        for words in ("a line", "a cross", "not drawn"):
            hand.tap(spot)
            expect(line(page, "2 1 b")).to_have_attribute("aria-label", re.compile(f"; {words}$"))
        scrolled = page.evaluate("() => scrollY")
        hand.draw((0, 4), (1, 4), (2, 4))
        expect(drawn(page)).to_have_count(5)
        assert page.evaluate("() => scrollY") == scrolled  # it draws instead


@every_phone
def test_two_fingers_zoom_and_pan_and_draw_nothing(visitor: Person, phone: str) -> None:
    page = opened(visitor(**PHONES[phone]), "25x25t0:" + "z" * 24 + "a")
    before = unit(page)
    assert before >= FINGER
    with fingers(page) as hand:
        x, y = middle(window(page))
        hand.two(((x - 40, y), (x + 40, y)), ((x - 80, y), (x + 80, y)))
        assert unit(page) == pytest.approx(2 * before, rel=0.05)
        hand.two(((x - 80, y), (x + 80, y)), ((x - 40, y), (x + 40, y)))
        assert unit(page) == pytest.approx(before, rel=0.05)
        (corner,) = spots(page, [(0, 0)])
        hand.pan(-150, -200)
        (moved,) = spots(page, [(0, 0)])
        assert moved == pytest.approx((corner[0] - 150, corner[1] - 200), abs=3)
        # One finger that has begun a path, and then a second one: the path is off.
        one = spots(page, [(9, 7), (9, 8)])
        hand.send("touchStart", one[0])
        hand.send("touchMove", one[1])
        hand.send("touchStart", one[1], (x, y + 120))
        hand.send("touchMove", (one[1][0], one[1][1] + 9), (x, y + 130))
        hand.send("touchEnd")
        expect(drawn(page)).to_have_count(0)
        expect(page.get_by_text("0 lines drawn")).to_be_visible()


def test_places_too_small_for_a_finger_zoom_in_first(visitor: Person) -> None:
    page = opened(visitor(**PHONES["usual"]), "25x25t0:" + "z" * 24 + "a")
    page.get_by_role("button", name="Show the whole board").click()
    assert unit(page) < FINGER
    box, seen = steps.board(page).bounding_box(), window(page)
    assert box is not None
    assert box["width"] <= seen["width"]
    with fingers(page) as hand:
        hand.tap(spots(page, [(5, 5.5)])[0])
        assert unit(page) >= FINGER
        expect(drawn(page)).to_have_count(0)
        hand.tap(spots(page, [(5, 5.5)])[0])
        expect(drawn(page)).to_have_count(1)


def test_zoom_by_buttons_keys_and_wheel(page: Page) -> None:
    opened(page, EMPTY)
    start = unit(page)
    page.get_by_role("button", name="Zoom out").click()
    assert unit(page) < start
    page.keyboard.press("+")
    assert unit(page) == pytest.approx(start)
    page.keyboard.press("-")
    page.keyboard.press("0")
    assert unit(page) == pytest.approx(start)
    expect(page.get_by_role("button", name="Show the whole board")).to_be_disabled()


def test_a_path_by_keys(page: Page) -> None:
    opened(page, EMPTY)
    line(page, "1 1 t").focus()
    page.keyboard.press("Enter")
    for key in ("Right", "Down", "Down", "Left"):
        page.keyboard.press(f"Shift+Arrow{key}")
    expect(drawn(page)).to_have_count(5)
    assert marks(page, "1 1 t", "1 2 t", "1 3 l", "2 3 l", "2 2 b") == ["a line"] * 5
    expect(line(page, "2 2 b")).to_be_focused()
    page.keyboard.press("Shift+ArrowRight")  # back again
    expect(drawn(page)).to_have_count(4)
    page.keyboard.press("Shift+ArrowRight")  # and on
    expect(drawn(page)).to_have_count(5)
    assert marks(page, "2 2 b", "2 3 b") == ["not drawn", "a line"]


# ---- a large puzzle on a phone -------------------------------------------------------------------


def comb(size: int) -> Drawing:
    """A loop around a comb with teeth from top to bottom."""
    inside = {(0, col) for col in range(size)}
    inside |= {(row, col) for col in range(0, size, 7) for row in range(size)}
    empty = Puzzle(size, size, (-1,) * size**2)
    cells = empty.layout.line_cells[: empty.lines].tolist()
    ours = [
        number
        for number, pair in enumerate(cells)
        if sum(divmod(cell, size) in inside for cell in pair if cell < size**2) == 1
    ]
    drawing = Drawing.of_lines(empty, ours)
    around = empty.layout.cell_lines[: size**2].tolist()
    clues = tuple(sum(number in set(ours) for number in lines) for lines in around)
    return Drawing(Puzzle(size, size, clues), drawing.states)


@pytest.mark.parametrize("size", [15, pytest.param(30, marks=pytest.mark.long)])
def test_a_large_puzzle_is_solved_on_a_phone(visitor: Person, size: int) -> None:
    solution = comb(size) if size < 30 else generate(Wish(size, size, "normal", "none")).solution
    assert solution.solved
    assert CROSS in solution.states
    page = opened(visitor(**PHONES["usual"]), str(solution.puzzle).replace("\n", "/"))
    assert unit(page) >= FINGER
    with fingers(page) as hand:
        draw_loop(page, hand, loop_of(solution))
    result = page.get_by_role("region", name="Result")
    expect(result).to_contain_text("The loop is right")
    expect(drawn(page)).to_have_count(len(solution.lines))


def draw_loop(page: Page, hand: Fingers, path: list[tuple[int, int]]) -> None:
    """Draw a loop with one finger, as far as it is in view; two fingers bring the next part."""
    seen = window(page)
    high = [seen["x"] + seen["width"] - 12, seen["y"] + seen["height"] - 12]
    at = 0
    while at < len(path) - 1:
        (spot,) = spots(page, [path[at]])
        x, y = seen["x"] + seen["width"] / 2, seen["y"] + seen["height"] / 2
        hand.pan(x - spot[0], y - spot[1])
        ahead = spots(page, path[at:])
        inside = [seen["x"] + 12 < x < high[0] and seen["y"] + 12 < y < high[1] for x, y in ahead]
        count = inside.index(False) if False in inside else len(inside)
        assert count > 1, "the next line is not in view"
        turns = [k for k in range(count) if k in (0, count - 1) or turns_at(path, at + k)]
        hand.slide([ahead[k] for k in turns])  # a fast finger: straight from one turn to the next
        at += count - 1


def turns_at(path: list[tuple[int, int]], at: int) -> bool:
    (top, left), (row, col), (down, right) = path[at - 1 : at + 2]
    return (row - top, col - left) != (down - row, right - col)
