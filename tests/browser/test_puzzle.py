"""Solving a puzzle by mouse and by keyboard; hints, checks, and what is saved."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Locator, Page, expect

from plywise.puzzles.slither import PUZZLE
from plywise.views.guide import sample_solution
from tests.browser import steps
from tests.browser.conftest import Complaints

pytestmark = pytest.mark.slow

MOVES = sample_solution(PUZZLE)
SMALL = "33"
SMALL_LOOP = ("1 1 t", "1 2 t", "1 2 r", "1 2 b", "1 1 b", "1 1 l")


def line(page: Page, move: str) -> Locator:
    """Where to click for a line."""
    return steps.board(page).locator(f'[data-place="area {move}"]')


def control(page: Page, name: str) -> Locator:
    tools = page.get_by_role("toolbar", name="Puzzle", exact=True)
    return tools.get_by_role("button", name=name, exact=True)


def drawn(page: Page) -> Locator:
    return steps.board(page).locator(":scope > g:not([aria-hidden]) > .stone")


def open_text(page: Page, text: str) -> None:
    control(page, "Open").click()
    dialog = page.get_by_role("dialog")
    dialog.get_by_label("Puzzle").fill(text)
    dialog.get_by_role("button", name="Open", exact=True).click()


def test_the_usual_puzzle_by_clicks_from_the_first_page(page: Page) -> None:
    page.goto("/")
    page.get_by_role("link", name="Play Slither").click()
    expect(page.get_by_role("heading", name="Slither", level=1)).to_be_visible()
    # A line, a cross, nothing; a cross at once with a right click.
    wrong = line(page, "2 1 t")
    for words in ("a line", "a cross", "not drawn"):
        wrong.click()
        expect(wrong).to_have_attribute("aria-label", re.compile(f"; {words}$"))
    wrong.click(button="right")
    expect(wrong).to_have_attribute("aria-label", re.compile("; a cross$"))
    control(page, "Undo").click()
    expect(wrong).to_have_attribute("aria-label", re.compile("; not drawn$"))
    wrong.click()
    # A check and a hint name the mistake.
    control(page, "Check").click()
    expect(
        page.get_by_text("There is a mistake: the line above the 2 in row 2, column 1.").first
    ).to_be_visible()
    hint = page.get_by_role("group", name="Hint")
    control(page, "Hint").click()
    expect(hint).to_contain_text("There is a mistake next to row 1, column 1.")
    hint.get_by_role("button", name="Which technique?").click()
    hint.get_by_role("button", name="Which move?").click()
    expect(hint).to_contain_text("The line above the 2 in row 2, column 1 is not part of the loop.")
    hint.get_by_role("button", name="Do it").click()
    expect(drawn(page)).to_have_count(0)
    # Half of the solution; it is still there after a reload.
    for move in MOVES[:16]:
        line(page, move).click()
    expect(drawn(page)).to_have_count(16)
    page.reload()
    expect(drawn(page)).to_have_count(16)
    for move in MOVES[16:]:
        line(page, move).click()
    result = page.get_by_role("region", name="Result")
    expect(result).to_contain_text("The loop is right")
    result.get_by_text(re.compile(r"Your \d+ moves")).click()
    expect(result).to_contain_text(MOVES[-1])
    expect(steps.targets(page)).to_have_count(0)
    expect(steps.board(page).locator(".trail").first).to_be_visible()  # inside and outside


def test_the_computer_solves_it_and_undo_takes_it_back(page: Page) -> None:
    page.goto(f"/puzzle/slither?p={SMALL}")
    line(page, "1 2 l").click()  # a mistake of mine, and a note
    line(page, "1 1 t").click(button="right")
    control(page, "Solve").click()
    result = page.get_by_role("region", name="Result")
    expect(result).to_contain_text("Solved by the computer")
    expect(result).to_contain_text(re.compile(r"It took [\d.]+ m?s\."))
    expect(result).to_contain_text("1 1 t, 1 2 t, 1 2 r, 1 2 b, 1 1 b, 1 1 l")
    expect(result).not_to_contain_text("The loop is right")
    expect(drawn(page)).to_have_count(6)
    expect(control(page, "Solve")).to_be_disabled()
    page.reload()  # it does not become my own success
    expect(result).to_contain_text("Solved by the computer")
    expect(drawn(page)).to_have_count(6)
    control(page, "Undo").click()
    expect(result).to_have_count(0)
    expect(line(page, "1 2 l")).to_have_attribute("aria-label", re.compile("; a line$"))
    expect(line(page, "1 1 t")).to_have_attribute("aria-label", re.compile("; a cross$"))
    expect(drawn(page)).to_have_count(1)
    expect(steps.board(page).locator(".trail")).to_have_count(0)
    control(page, "Redo").click()
    expect(result).to_contain_text("Solved by the computer")
    result.get_by_role("button", name="Undo").click()
    expect(result).to_have_count(0)
    # The rest by hand is a success of one's own.
    line(page, "1 2 l").click(button="right")
    for move in SMALL_LOOP:
        if move == "1 1 t":
            line(page, move).click()  # the cross
        line(page, move).click()
    expect(result).to_contain_text("The loop is right")
    expect(result).not_to_contain_text("computer")
    expect(control(page, "Undo")).to_be_disabled()


def test_what_the_computer_cannot_solve(page: Page) -> None:
    page.goto("/puzzle/slither?p=44/..")
    expect(page.get_by_text("This puzzle has no solution.")).to_be_visible()
    control(page, "Solve").click()
    steps.was_shown(page, "error: This puzzle has no solution")
    expect(control(page, "Solve")).to_be_enabled()
    expect(drawn(page)).to_have_count(0)
    page.goto("/puzzle/slither?p=3../.../...")
    control(page, "Solve").click()
    expect(page.get_by_role("region", name="Result")).to_contain_text("Solved by the computer")


def test_a_puzzle_from_a_file(page: Page, complaints: Complaints) -> None:
    complaints.expect("422")
    page.goto("/puzzle/slither")
    control(page, "Open").click()
    dialog = page.get_by_role("dialog")
    chosen = dialog.get_by_label("Or choose a file")
    alert = dialog.get_by_role("alert")

    def choose(name: str, content: bytes) -> None:
        chosen.set_input_files({"name": name, "mimeType": "text/plain", "buffer": content})

    for name, content, words in (
        ("large.txt", b"." * 20_001, "large.txt is too large: at most 20,000 characters"),
        ("huge.txt", b"." * 100_000, "huge.txt is too large: at most 20,000 characters"),
        ("picture.png", b"\x89PNG\xff\xfe", "picture.png is not a text file."),
        ("empty.txt", b" \n", "empty.txt is empty."),
    ):
        choose(name, content)
        expect(alert.filter(has_text=words)).to_be_visible()
    expect(dialog.get_by_label("Puzzle")).to_have_value("")
    send = dialog.get_by_role("button", name="Open", exact=True)
    send.click()
    expect(alert.filter(has_text="Nothing to open yet")).to_be_visible()
    choose("wrong.txt", b"..5")
    expect(dialog.get_by_label("Puzzle")).to_have_value("..5")
    send.click()
    expect(alert.filter(has_text="line 1, column 3")).to_be_visible()
    choose("right.lisp", b"((3 3))\n")
    expect(dialog.get_by_label("Puzzle")).to_have_value("((3 3))\n")
    send.click()
    expect(page.get_by_text("1 x 2 · 2 clues")).to_be_visible()


def test_a_puzzle_by_keyboard_alone(page: Page) -> None:
    page.goto(f"/puzzle/slither?p={SMALL}")
    steps.press_until(page, "Tab", "line right of the 3 in row 1, column 1; not drawn")
    page.keyboard.press("ArrowLeft")
    expect(line(page, "1 1 l")).to_be_focused()
    page.keyboard.press("Enter")
    expect(drawn(page)).to_have_count(1)
    for key, move in (("w", "1 1 t"), ("s", "1 1 b"), ("ArrowRight", "1 2 b"), ("d", "1 2 r")):
        page.keyboard.press(key)
        expect(line(page, move)).to_be_focused()
        page.keyboard.press("x")
        expect(line(page, move)).to_have_attribute("aria-label", re.compile("; a cross$"))
        page.keyboard.press("Backspace")
        page.keyboard.press("Enter")
        expect(line(page, move)).to_have_attribute("aria-label", re.compile("; a line$"))
    page.keyboard.press("u")
    expect(drawn(page)).to_have_count(4)
    page.keyboard.press("r")
    expect(drawn(page)).to_have_count(5)
    page.keyboard.press("w")
    expect(line(page, "1 2 t")).to_be_focused()
    page.keyboard.press("Enter")
    expect(page.get_by_role("region", name="Result")).to_contain_text("The loop is right")


def test_a_new_puzzle_and_one_from_a_text(page: Page, complaints: Complaints) -> None:
    complaints.expect("422")
    page.goto("/puzzle/slither?new")
    dialog = page.get_by_role("dialog")
    dialog.get_by_label("Rows").fill("4")
    dialog.get_by_label("Columns").fill("6")
    dialog.get_by_label("Grade").select_option("tricky")
    dialog.get_by_label("Seed").fill("3")
    dialog.get_by_role("button", name="Create").click()
    made = page.get_by_text(re.compile(r"4 x 6 · \d+ clues · tricky"))
    expect(made).to_be_visible()
    open_text(page, "..5")
    expect(dialog.get_by_role("alert").filter(has_text="line 1, column 3")).to_be_visible()
    page.keyboard.press("Escape")
    open_text(page, "((3 3))")
    expect(page.get_by_text("1 x 2 · 2 clues")).to_be_visible()
    line(page, SMALL_LOOP[0]).click()
    control(page, "Clear").click()
    expect(drawn(page)).to_have_count(0)
    open_text(page, "3../.../...")
    expect(page.get_by_text("This puzzle has several solutions")).to_be_visible()
    page.get_by_role("button", name="Rules").click()
    expect(page.get_by_role("dialog")).to_contain_text("one closed loop")
    expect(page.get_by_role("dialog")).to_contain_text("Click or tap a place for a line, again")
