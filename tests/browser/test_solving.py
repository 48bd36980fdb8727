"""Comforts while solving a puzzle: auto-check, rewind, save points, best times, the film."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Page, expect

from plywise.play import puzzle_help
from plywise.puzzles import slither
from plywise.puzzles.slither import PUZZLE
from plywise.puzzles.slither.formats import WRITERS
from plywise.views.guide import sample_solution
from tests.browser import steps
from tests.browser.conftest import Complaints
from tests.browser.hands import control, drag, drawn, line, spots

pytestmark = pytest.mark.slow

SMALL = "33"
LOOP = ((0, 0), (0, 2), (1, 2), (1, 0), (0, 0))  # its solution, dot by dot
MOVES = sample_solution(PUZZLE)


def clue(page: Page, row: int, col: int) -> str:
    """How a clue is painted: text, dead if it is complete, threat if it is broken."""
    shape = steps.board(page).locator(f'[data-id="clue {row} {col}"]')
    return shape.get_attribute("class") or ""


def expect_clue(page: Page, row: int, col: int, look: str) -> None:
    shape = steps.board(page).locator(f'[data-id="clue {row} {col}"]')
    expect(shape).to_have_class(look)


def broken(page: Page) -> list[str]:
    """The marks that are painted as breaking a rule."""
    shapes = steps.board(page).locator('[data-id^="mark"].threat')
    return sorted(each.get_attribute("data-id") or "" for each in shapes.all())


def test_complete_clues_are_grey_and_contradictions_are_marked(page: Page) -> None:
    page.goto("/puzzle/slither?p=1.0/.../...")
    expect_clue(page, 1, 1, "text")
    line(page, "1 1 t").click()
    expect_clue(page, 1, 1, "dead")
    line(page, "1 1 l").click()
    expect_clue(page, 1, 1, "threat")
    # Three lines at a dot, and a path that cannot go on.
    drag(page, (2, 1), (2, 3))
    drag(page, (2, 2), (3, 2))
    expect(steps.board(page).locator('[data-id^="mark"].threat')).to_have_count(3)
    assert broken(page) == ["mark 1.0 3 2 t", "mark 1.0 3 3 l", "mark 1.0 3 3 t"]
    # It can be turned off, and stays off.
    control(page, "Auto-check").click()
    expect_clue(page, 1, 1, "text")
    assert broken(page) == []
    page.reload()
    expect(drawn(page)).to_have_count(5)
    expect(control(page, "Auto-check")).to_have_attribute("aria-pressed", "false")
    assert clue(page, 1, 1) == "text"
    page.keyboard.press("g")
    expect_clue(page, 1, 1, "threat")


def test_clues_turn_grey_while_a_path_is_dragged(page: Page) -> None:
    page.goto("/puzzle/slither?p=2../.../...")
    expect_clue(page, 1, 1, "text")
    first, *rest = spots(page, [(1, 0), (0, 0), (0, 1)])
    page.mouse.move(*first)
    page.mouse.down()
    for spot in rest:
        page.mouse.move(*spot, steps=4)
    expect_clue(page, 1, 1, "dead")
    expect(drawn(page)).to_have_count(0)
    page.mouse.up()
    expect(drawn(page)).to_have_count(2)


def test_rewind_goes_back_to_the_first_mistake(page: Page) -> None:
    page.goto("/puzzle/slither")
    for move in MOVES[:3]:
        line(page, move).click()
    line(page, "2 1 t").click()  # the mistake
    for move in MOVES[3:6]:
        line(page, move).click()
    expect(drawn(page)).to_have_count(7)
    control(page, "Rewind").click()
    expect(drawn(page)).to_have_count(3)
    steps.was_shown(page, "Undone: 4 steps. Everything is right so far.")
    control(page, "Rewind").click()  # nothing more to undo
    steps.was_shown(page, "done: Everything is right so far.")
    expect(drawn(page)).to_have_count(3)


def test_save_points(page: Page) -> None:
    page.goto("/puzzle/slither")
    line(page, "1 1 t").click()
    control(page, "Save point").click()
    points = page.get_by_role("region", name="Save points")
    expect(points).to_contain_text("Return to 1 line")
    line(page, "1 2 t").click()
    line(page, "1 3 t").click()
    page.keyboard.press("p")
    expect(points).to_contain_text("Return to 3 lines")
    points.get_by_role("button", name="Return to 1 line", exact=True).click()
    expect(drawn(page)).to_have_count(1)
    page.reload()  # they are kept
    expect(drawn(page)).to_have_count(1)
    page.keyboard.press("b")  # the last one
    expect(drawn(page)).to_have_count(3)
    control(page, "Undo").click()
    expect(drawn(page)).to_have_count(1)
    points.get_by_role("button", name="Delete save point 1").click()
    expect(points.get_by_role("listitem")).to_have_count(1)


def test_best_times_are_kept(page: Page) -> None:
    for number, words in enumerate(["Your first time for this size", "Your best is|A new best"]):
        page.goto(f"/puzzle/slither?p={SMALL if number == 0 else '.3'}")
        drag(page, *LOOP)
        result = page.get_by_role("region", name="Result")
        expect(result).to_contain_text(re.compile(words))
        expect(page.get_by_text(re.compile(r"^Best \d+:\d\d$"))).to_be_visible()


def test_sharing_in_every_format(page: Page) -> None:
    page.goto("/puzzle/slither")
    line(page, "1 1 t").click()
    control(page, "Share").click()
    dialog = page.get_by_role("dialog", name="Share")
    text = dialog.get_by_label("Text")
    expect(text).to_have_value(re.compile(r"/puzzle/slither\?p="))
    for name in WRITERS:
        dialog.get_by_label("Format").select_option(name)
        drawing = PUZZLE.read(text.input_value())
        assert drawing[0] == PUZZLE.read(PUZZLE.default)[0]
        assert any(drawing[1]) == name.startswith("pzprv3")
    dialog.get_by_label("Format").select_option("puzz.link")
    link = dialog.get_by_role("link", name="Open it there")
    expect(link).to_have_attribute("href", re.compile(r"^https://puzz\.link/p\?slither/5/5/"))


def test_what_is_drawn_in_a_file_is_opened_with_it(page: Page) -> None:
    page.goto("/puzzle/slither")
    drawing = slither.Drawing.empty(slither.read("33")).change([(0, slither.LINE)])
    control(page, "Open").click()
    dialog = page.get_by_role("dialog")
    dialog.get_by_label("Puzzle").fill(slither.write(drawing, "pzprv3"))
    dialog.get_by_role("button", name="Open", exact=True).click()
    expect(page.get_by_text("1 x 2 · 2 clues")).to_be_visible()
    expect(drawn(page)).to_have_count(1)


def test_an_address_that_is_no_puzzle_can_be_mended(page: Page, complaints: Complaints) -> None:
    complaints.expect("422")
    page.goto("/puzzle/slither?p=hello")
    dialog = page.get_by_role("dialog", name="Open a puzzle")
    expect(dialog.get_by_role("alert").last).to_contain_text("puzz.link address")
    expect(dialog.get_by_label("Puzzle")).to_have_value("hello")
    dialog.get_by_label("Puzzle").fill("https://puzz.link/p?slither/2/1/33")
    dialog.get_by_role("button", name="Open", exact=True).click()
    expect(page.get_by_text("1 x 2 · 2 clues")).to_be_visible()


def test_the_puzzle_of_the_day(page: Page) -> None:
    page.clock.set_fixed_time("2026-05-17T12:00:00")
    page.goto(f"/puzzle/slither?p={SMALL}")
    expect(page.get_by_text("1 x 2")).to_be_visible()
    dialog = page.get_by_role("dialog", name="Puzzles of the day")
    first = dialog.get_by_role("listitem").first
    page.keyboard.press("y")
    expect(dialog).to_contain_text("The puzzles of 2026-05-17")
    expect(first).to_have_text("5 x 5")
    dialog.get_by_role("button", name="5 x 5", exact=True).click()
    expect(page.get_by_text(re.compile(r"^5 x 5 · \d+ clues · easy$"))).to_be_visible()
    line(page, "1 1 t").click()
    expect(drawn(page)).to_have_count(1)
    made, _ = PUZZLE.read(page.url.rpartition("p=")[2].replace("%2F", "/"))
    assert made == puzzle_help.of_the_day(PUZZLE, "2026-05-17", "5 x 5", None).puzzle
    control(page, "Daily").click()
    expect(first).to_have_text(re.compile(r"^5 x 5begun, \d:\d\d$"))


def test_the_film_forwards_and_backwards(page: Page) -> None:
    page.goto("/puzzle/slither")
    line(page, "1 1 t").click()
    control(page, "Explain").click()
    film = page.get_by_role("region", name="Explanation")
    place = film.get_by_role("heading", name=re.compile("^Step "))
    expect(place).to_have_text(re.compile(r"^Step 0 of \d+$"))
    expect(drawn(page)).to_have_count(0)
    expect(steps.targets(page)).to_have_count(0)
    film.get_by_role("button", name="Next step").click()
    expect(place).to_have_text(re.compile("^Step 1 of"))
    expect(film).to_contain_text("Counting lines around a clue")
    new = steps.board(page).locator('[data-id^="mark"].best')
    expect(new.first).to_be_visible()  # the conclusion
    expect(steps.board(page).locator(".last").first).to_be_visible()  # the cell it follows from
    first = steps.board(page).locator('[data-id^="mark"]').count()
    page.keyboard.press("ArrowRight")
    page.keyboard.press("ArrowRight")
    expect(place).to_have_text(re.compile("^Step 3 of"))
    expect(steps.board(page).locator('[data-id^="mark"].threat').first).to_be_visible()  # a premise
    page.keyboard.press("ArrowLeft")
    page.keyboard.press("ArrowLeft")
    expect(place).to_have_text(re.compile("^Step 1 of"))
    assert steps.board(page).locator('[data-id^="mark"]').count() == first
    page.keyboard.press("End")
    expect(steps.board(page).locator('[data-id^="mark 1."]')).to_have_count(len(MOVES))
    page.keyboard.press("Escape")
    expect(film).to_be_hidden()
    expect(drawn(page)).to_have_count(1)  # what the player had drawn


def test_the_rules_with_pictures(page: Page) -> None:
    page.goto("/puzzle/slither")
    page.get_by_role("button", name="Rules").click()
    page.get_by_role("link", name="The rules with pictures").click()
    expect(page.get_by_role("heading", name="Slither", level=1)).to_be_visible()
    expect(page.get_by_role("figure")).to_have_count(8)
    page.get_by_role("link", name=re.compile("^Two 3s side by side")).click()
    expect(page.get_by_text("3 x 5 · 2 clues")).to_be_visible()
