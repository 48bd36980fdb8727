"""Playing: by mouse and by keyboard, against an engine, a friend, or watching two engines."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Page, expect

from plywise.play.new_game import swaps
from tests.browser import steps
from tests.browser.conftest import Complaints

pytestmark = pytest.mark.slow


def test_a_game_of_connect4_by_clicks_to_its_review(page: Page) -> None:
    steps.set_up(page, "Connect-4", "The computer")
    page.get_by_role("slider", name="Level").fill("3")
    steps.begin(page)
    going, played = True, 0
    while going:
        free = steps.targets(page).all()
        free[played * 5 % len(free)].click()
        going = steps.answered(page, played)
        played += 2
    expect(steps.result(page).get_by_role("heading")).to_have_text(
        re.compile("You win|You lose|Draw")
    )
    expect(steps.targets(page)).to_have_count(0)
    steps.result(page).get_by_role("button", name="Review").click()
    review = steps.region(page, "Review")
    table = review.get_by_role("table")
    expect(table).to_be_visible()
    expect(table.get_by_role("row", name="Player 1")).to_contain_text("%")
    expect(table.get_by_role("columnheader")).to_have_text(
        ["Accuracy", "✓Best", "Good", "?!Inaccuracies", "?Mistakes", "??Blunders"]
    )
    counts = [
        int(text)
        for player in ("Player 1", "Player 2")
        for text in table.get_by_role("row", name=player).get_by_role("cell").all_inner_texts()[1:]
    ]
    steps.tab(page, "Moves")
    assert sum(counts) == steps.moves(page).count()


def test_a_colour_is_chosen_whoever_moves_first(page: Page) -> None:
    fills = "nodes => nodes.map(node => getComputedStyle(node).fill)"
    steps.set_up(page, "Connect-4", "The computer")
    stones = page.get_by_role("group", name="Your side").locator(".stone-sign .stone")
    red, yellow = stones.evaluate_all(fills)
    assert red != yellow
    steps.choose(page, "Yellow")
    assert stones.evaluate_all(fills) == [yellow, red]
    steps.choose(page, "Second")
    assert stones.evaluate_all(fills) == [red, yellow]
    steps.choose(page, "First")
    steps.begin(page)
    steps.target(page, "4").click()
    for _ in range(2):  # at once, and when the page is opened again
        expect(steps.stones(page)).to_have_count(2, timeout=steps.PATIENCE)
        for player, colour in enumerate((yellow, red), 1):
            assert steps.stones_of(page, player).evaluate_all(fills) == [colour]
        page.reload()
    page.goto("/new/connect4")  # the choice is remembered
    expect(page.get_by_role("radio", name="Yellow", exact=True)).to_be_checked()
    steps.set_up(page, "Tic-Tac-Toe", "The computer")
    expect(page.get_by_role("group", name="Your colour")).to_have_count(0)


def test_other_marks_are_chosen_and_shown_everywhere(page: Page) -> None:
    """1 and 0 are strokes of a pen; of X and O, only X is."""
    kinds = "nodes => nodes.map(node => node.tagName)"
    steps.set_up(page, "Tic-Tac-Toe", "The computer")
    signs = page.get_by_role("group", name="Your side").locator(".stone-sign .stone")
    assert signs.evaluate_all(kinds) == ["path", "circle"]
    page.get_by_label("marks of the players").select_option("digits")
    assert signs.evaluate_all(kinds) == ["path", "path"]
    page.get_by_label("marks of the players").select_option("crosses")
    assert signs.evaluate_all(kinds) == ["path", "circle"]
    page.get_by_label("marks of the players").select_option("digits")
    one, nought = signs.evaluate_all("nodes => nodes.map(node => node.getAttribute('d'))")
    steps.begin(page)
    players = page.get_by_role("region", name="Players").locator(".stone-sign .stone")
    assert players.evaluate_all("nodes => nodes.map(node => node.getAttribute('d'))") == [
        one,
        nought,
    ]
    steps.target(page, "b2").hover()  # the preview of a move
    ghost = steps.board(page).locator(":scope > g[aria-hidden] .stone")
    assert ghost.first.get_attribute("d") == one
    steps.target(page, "b2").click()
    for _ in range(2):  # at once, and when the page is opened again
        expect(steps.stones(page)).to_have_count(2, timeout=steps.PATIENCE)
        assert steps.stones(page).evaluate_all(kinds) == ["path", "path"]
        page.reload()
    page.goto("/new/tictactoe")  # the choice is remembered
    expect(page.get_by_label("marks of the players")).to_have_value("digits")
    assert signs.evaluate_all(kinds) == ["path", "path"]


def test_a_game_of_tictactoe_by_keyboard_alone(page: Page) -> None:
    page.goto("/")
    steps.press_until(page, "Tab", "Options to play Tic-Tac-Toe")
    page.keyboard.press("Enter")
    steps.press_until(page, "Tab", "Level")
    page.keyboard.press("Home")  # the weakest
    steps.press_until(page, "Tab", "Play")
    page.keyboard.press("Enter")
    expect(steps.your_turn(page)).to_be_visible()
    steps.press_until(page, "Tab", "play b2")
    for key, name in [("ArrowUp", "play b3"), ("ArrowLeft", "play a3"), ("End", "play c1")]:
        page.keyboard.press(key)
        expect(steps.target(page, name.removeprefix("play "))).to_be_focused()
    page.keyboard.press("Enter")
    played = 0
    while steps.answered(page, played):
        move = steps.targets(page).first.get_attribute("aria-label") or ""
        page.keyboard.type(move.removeprefix("play "))
        played += 2
    expect(steps.result(page)).to_be_visible()
    steps.press_until(page, "Tab", "Rematch")


def test_undo_and_redo_go_to_ones_own_turn(page: Page) -> None:
    steps.make_game(page, "connect4", second="auto:level=1")
    for count, move in enumerate(["4", "3"]):
        steps.target(page, move).click()
        assert steps.answered(page, 2 * count)
    before = steps.moves(page).locator(".move-text").all_inner_texts()
    steps.control(page, "Undo").click()
    expect(steps.stones(page)).to_have_count(2)
    expect(steps.moves(page).nth(3)).to_have_accessible_name(re.compile("undone"))
    page.keyboard.press("u")
    expect(steps.stones(page)).to_have_count(0)
    expect(steps.control(page, "Undo")).to_be_disabled()
    page.keyboard.press("r")
    expect(steps.stones(page)).to_have_count(2)
    steps.control(page, "Redo").click()
    expect(steps.stones(page)).to_have_count(4)
    expect(steps.control(page, "Redo")).to_be_disabled()
    steps.expect_moves(page, *before)
    expect(steps.your_turn(page)).to_be_visible()


def test_a_hint_says_where_then_which_then_why(page: Page) -> None:
    steps.make_game(page, "connect4", second="auto:level=1", moves="414142")
    hint = page.get_by_role("group", name="Hint", exact=True)
    steps.control(page, "Hint").click()
    expect(hint.get_by_role("paragraph")).to_have_count(1)
    expect(hint).not_to_contain_text("Play 4")
    hint.get_by_role("button", name="Which move?").click()
    expect(hint.get_by_role("paragraph")).to_have_count(2)
    expect(hint.get_by_role("paragraph").nth(1)).to_contain_text("4")
    hint.get_by_role("button", name="Why?").click()
    expect(hint.get_by_role("paragraph").nth(2)).to_contain_text(re.compile("four|win", re.I))
    steps.target(page, "4").click()
    expect(hint).to_be_hidden()


def test_few_legal_moves_are_shown_without_a_click(page: Page) -> None:
    marks = steps.board(page).locator(".marks [data-dot]")
    steps.make_game(page, "andantino", second="human")
    expect(marks).to_have_count(1)  # of 271 cells
    expect(steps.control(page, "Legal")).to_have_attribute("aria-pressed", "true")
    steps.target(page, "j10").click()
    expect(marks).to_have_count(6)
    steps.control(page, "Legal").click()
    expect(marks).to_have_count(0)
    page.reload()  # what a person chose is remembered, for this game alone
    expect(steps.control(page, "Legal")).to_have_attribute("aria-pressed", "false")
    expect(steps.stones(page)).to_have_count(1)
    expect(marks).to_have_count(0)
    steps.make_game(page, "snails", second="human")
    expect(marks).to_have_count(2)
    steps.make_game(page, "tictactoe", second="human")
    expect(steps.control(page, "Legal")).to_have_attribute("aria-pressed", "false")
    expect(marks).to_have_count(0)


def test_the_four_levels_of_the_paper_can_be_chosen(page: Page) -> None:
    steps.set_up(page, "Connect-4", "The computer")
    expect(page.get_by_role("combobox", name="Engine")).to_be_hidden()  # most people need none
    page.get_by_text("More options").click()
    page.get_by_role("combobox", name="Engine").select_option("seed")
    level = steps.number(page, "^level$")
    expect(level).to_have_value("2")
    expect(level).to_have_attribute("min", "1")
    expect(level).to_have_attribute("max", "4")
    level.fill("3")
    steps.begin(page)
    expect(steps.region(page, "Players")).to_contain_text("seed, level 3")
    steps.target(page, "4").click()
    assert steps.answered(page, 0)


def test_two_people_on_one_screen(page: Page) -> None:
    steps.set_up(page, "Tic-Tac-Toe", "Two on this screen")
    steps.begin(page)
    for number, move in enumerate(["b2", "a1", "b1", "a2", "b3"]):
        expect(steps.status(page, f"Player {number % 2 + 1} to move")).to_be_visible()
        steps.target(page, move).click()
        expect(steps.moves(page)).to_have_count(number + 1)
    expect(steps.result(page).get_by_role("heading")).to_have_text("Player 1 wins")
    expect(page.get_by_role("status").first).to_contain_text("Player 1: b3. Player 1 wins")


def test_two_engines_are_watched_to_the_end(page: Page) -> None:
    steps.set_up(page, "Tic-Tac-Toe", "Watch two computers")
    for side in ("Plays first", "Plays second"):
        page.get_by_role("group", name=side).get_by_role("slider", name="Level").fill("1")
    steps.begin(page)
    expect(steps.targets(page)).to_have_count(0)
    expect(steps.control(page, "Resign")).to_be_hidden()
    expect(steps.result(page)).to_be_visible()
    assert 5 <= steps.moves(page).count() <= 9


def test_other_board_sizes(page: Page) -> None:
    steps.set_up(page, "Tic-Tac-Toe", "Two on this screen")
    steps.number(page, "rows").fill("4")
    steps.number(page, "columns").fill("5")
    steps.number(page, "marks in a line").fill("3")
    picture = page.get_by_role("main").get_by_role("img").last
    expect(picture).to_contain_text("1234abcde")
    steps.begin(page)
    expect(steps.targets(page)).to_have_count(20)
    expect(page.get_by_role("main")).to_contain_text("rows 4, cols 5, k 3")


def test_a_board_that_cannot_be_is_said_beside_its_field(
    page: Page, complaints: Complaints
) -> None:
    complaints.expect("422")
    steps.set_up(page, "Connect-4", "Two on this screen")
    steps.number(page, "rows").fill("12")
    steps.number(page, "columns").fill("12")
    expect(page.get_by_role("alert").filter(has_text="64")).to_be_visible()


def test_resigning_asks_first(page: Page) -> None:
    steps.make_game(page, "connect4", second="auto:level=1", moves="44")
    steps.control(page, "Resign").click()
    page.get_by_role("dialog").get_by_role("button", name="Cancel").click()
    expect(steps.your_turn(page)).to_be_visible()
    steps.control(page, "Resign").click()
    page.get_by_role("dialog").get_by_role("button", name="Resign").click()
    expect(steps.result(page).get_by_role("heading")).to_have_text("You lose")


def test_a_clock_runs_out(page: Page) -> None:
    steps.make_game(page, "connect4", second="auto:level=1", moves="44", clock="1 + 0")
    expect(steps.result(page).get_by_role("heading")).to_have_text("You lose")
    expect(steps.result(page)).to_contain_text("time")


#: Presses "Move now" as soon as the engine reports a depth: it thinks for ten seconds at most,
#: and a test on a busy machine may be too late.
HURRY = """() => {
    window.pressed = 0;
    const main = document.querySelector("main");
    new MutationObserver(() => {
        const buttons = [...main.querySelectorAll("button")];
        const now = buttons.find((each) => each.textContent === "Move now");
        if (window.pressed > 0 || !now?.checkVisibility()) return;
        if (!main.textContent.includes("thinking… · depth")) return;
        window.pressed += 1;
        now.click();
    }).observe(main, { attributes: true, characterData: true, childList: true, subtree: true });
}"""


def test_an_engine_can_be_told_to_move_now(page: Page) -> None:
    steps.make_game(page, "connect4:rows=7,cols=8", second="auto:time=10", moves="44")
    page.evaluate(HURRY)
    steps.target(page, "3").click()
    assert steps.answered(page, 2)
    assert page.evaluate("() => window.pressed") == 1
    assert page.evaluate("() => window.shown") == []  # nothing was refused


def test_moves_are_typed_and_refused_in_words(page: Page) -> None:
    steps.make_game(page, "tictactoe", second="human")
    page.evaluate(LASTING)
    field = page.get_by_role("textbox", name="Type a move")
    notice = page.get_by_role("alert").locator(".notice")
    field.fill("B2")
    field.press("Enter")
    expect(steps.stones(page)).to_have_count(1)
    field.fill("z9")
    field.press("Enter")
    expect(notice).to_contain_text("z9 is not a legal move here")
    expect(steps.stones(page)).to_have_count(1)
    steps.target(page, "a1").click()
    expect(notice).to_have_count(0)
    expect(steps.stones(page)).to_have_count(2)
    for wrong in ("z8", "z7"):
        field.fill(wrong)
        expect(notice).to_have_count(0)
        field.press("Enter")
        expect(notice).to_contain_text(wrong)
    page.evaluate("document.activeElement.value = ''; document.activeElement.blur()")
    steps.targets(page).first.focus()
    page.keyboard.press("c")
    expect(notice).to_have_count(0)


#: Notices stay until something takes them away.
LASTING = """() => {
    const later = window.setTimeout;
    window.setTimeout = (then, wait, ...rest) => wait === 6000 ? 0 : later(then, wait, ...rest);
}"""


def test_a_snail_by_arrows_by_a_click_on_the_run_and_refused(page: Page) -> None:
    steps.make_game(page, "snails", second="human")
    page.evaluate("document.activeElement.blur()")  # arrow keys still move the snail
    for key, move in [("ArrowUp", "u"), ("ArrowRight", "r"), ("ArrowLeft", "r")]:
        page.keyboard.press(key)
        expect(steps.target(page, move)).to_be_focused()
    page.keyboard.press("Enter")
    for move in "lrlrl":
        steps.target(page, move).click()
    steps.expect_moves(page, *"rlrlrl")
    # Player 1 is on d1 with a trail to a1: the middle of the run is a cell like any other.
    box = board_cell(page, "b1")
    page.mouse.click(box[0], box[1])
    steps.expect_moves(page, *"rlrlrll")
    assert page.evaluate("() => window.shown") == []
    page.mouse.click(*board_cell(page, "d5"))
    steps.was_shown(page, "alert: notice error: d5 is not a legal move here")
    steps.expect_moves(page, *"rlrlrll")


def test_points_are_shown_and_announced(page: Page) -> None:
    steps.make_game(page, "align", second="human", moves="a1 f6 b1 e5")
    steps.target(page, "c1").click()
    steps.expect_moves(page, "a1", "f6", "b1", "e5", "c1")
    expect(steps.status(page, "Player 1 scores 3 points; player 2 to move")).to_be_visible()
    heard = page.locator("#announcer")
    expect(heard).to_have_text("Player 1: c1. Player 1 scores 3 points; player 2 to move.")
    expect(steps.board(page).locator('[data-id="band row 1"]')).to_be_visible()
    expect(steps.board(page).locator('[data-id="points row 1"]')).to_have_text("+3")
    steps.target(page, "d1").click()
    expect(steps.board(page).locator('[data-id="band row 1"]')).to_have_count(0)


def test_a_coin_is_tossed_and_the_nearest_line_is_played(page: Page) -> None:
    steps.set_up(page, "Make Way", "The computer")
    expect(page.get_by_role("radio", name="Coin toss")).to_be_checked()
    page.get_by_role("slider", name="Level").fill("1")
    steps.begin(page)
    steps.was_shown(page, ": toss: (You go first|Your opponent goes first)")
    steps.was_shown(page, "alert: notice done: Coin toss:")
    expect(page.locator(".toss")).to_have_count(0)
    expect(steps.your_turn(page)).to_be_visible()


def test_every_game_has_another_board_and_says_which(page: Page) -> None:
    numbers = []
    for _ in range(2):
        steps.set_up(page, "Make Way", "Two on this screen")
        number = page.get_by_role("spinbutton", name="number of the board")
        numbers.append(number.input_value())
    page.get_by_role("button", name="Random").click()
    numbers.append(number.input_value())
    assert len(set(numbers)) > 1  # one in 10,000 is the same as the one before
    steps.begin(page)
    expect(page.locator(".facts")).to_have_text(f"seed {numbers[-1]}")


def test_the_computer_waits_for_the_coin(page: Page) -> None:
    """The first line is claimed only when the coin has landed. (The big dots are stones, too.)"""
    engine_first = next(seed for seed in range(100) if swaps(seed))
    steps.set_up(page, "Make Way", "The computer")
    page.get_by_role("slider", name="Level").fill("1")
    page.get_by_text("More").click()
    page.get_by_role("spinbutton", name="Seed").fill(str(engine_first))
    page.evaluate(
        """() => {
          window.inTheAir = [];
          const running = (motion) => motion.playState === "running";
          const flying = () => document.querySelector(".coin")?.getAnimations().some(running);
          new MutationObserver(() => {
            const claimed = document.querySelectorAll("svg[role=group] .stone").length;
            if (claimed > 2) window.inTheAir.push(Boolean(flying()));
            const top = document.querySelector(".coin .face:not(.back) svg");
            if (top) window.landed = top.innerHTML;
          }).observe(document, { childList: true, subtree: true });
        }"""
    )
    steps.begin(page)
    steps.was_shown(page, ": toss: Your opponent goes first")
    expect(steps.your_turn(page)).to_be_visible()
    expect(steps.board(page).locator(".stone")).to_have_count(3)
    seen = page.evaluate("window.inTheAir")
    assert seen
    assert not any(seen)
    signs = page.locator(".player .stone-sign")  # the opponent, player 1, is the first of the two
    first, second = (sign.inner_html() for sign in signs.all())
    assert page.evaluate("window.landed") == first != second


def test_a_click_near_a_line_plays_it_and_no_other(page: Page) -> None:
    steps.make_game(page, "makeway:seed=1", second="human")
    played = []
    for move in ("16-20", "21-26", "22-25"):  # the last two cross each other
        place = steps.target(page, move)
        x, y = hover(page, move)
        page.mouse.click(x, y)
        expect(place).to_have_count(0)
        played.append(move)
        steps.expect_moves(page, *played)


def test_a_pointer_that_stays_on_a_place_shows_it_after_a_move_elsewhere(page: Page) -> None:
    game = steps.make_game(page, "makeway:seed=1", second="human")
    x, y = hover(page, "16-20")
    assert steps.command(page, game, "move", move="21-26")["ok"]
    steps.expect_moves(page, "21-26")
    page.mouse.move(x + 1, y)
    expect(page.locator('.ghost line[data-id="area 16-20"]')).to_be_visible(timeout=5000)


def hover(page: Page, move: str) -> tuple[float, float]:
    """Point beside the middle of a line until it is shown: the board may still move at first."""
    ghost = page.locator(f'.ghost line[data-id="area {move}"]')
    for _ in range(40):
        x, y, unit = middle(page, f"area {move}")
        page.mouse.move(x, y + 0.04 * unit)
        page.wait_for_timeout(50)
        if ghost.count():
            break
    expect(ghost).to_be_visible()
    return x, y + 0.04 * unit


def middle(page: Page, shape: str) -> tuple[float, float, float]:
    """The middle of a line on the page, and the pixels per unit."""
    found = page.evaluate(
        """(id) => {
          const line = document.querySelector(`[data-place="${id}"] line`);
          const { x1, y1, x2, y2 } = line;
          const at = (one, other) => (one.baseVal.value + other.baseVal.value) / 2;
          const matrix = line.getScreenCTM();
          const { x, y } = new DOMPoint(at(x1, x2), at(y1, y2)).matrixTransform(matrix);
          return [x, y, matrix.a];
        }""",
        shape,
    )
    return found[0], found[1], found[2]


def board_cell(page: Page, name: str) -> tuple[float, float]:
    """The middle of a cell on the screen."""
    box = steps.board(page).locator(f'[data-id="cell {name}"]').bounding_box()
    assert box is not None
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


def test_the_board_is_flipped_and_the_same_moves_are_played(page: Page) -> None:
    steps.make_game(page, "connect4", second="human")
    steps.target(page, "1").hover()
    left = steps.target(page, "1").bounding_box()
    page.keyboard.press("f")
    expect(steps.control(page, "Flip")).to_have_attribute("aria-pressed", "true")
    right = steps.target(page, "1").bounding_box()
    assert left is not None
    assert right is not None
    assert right["x"] > left["x"] + 3 * left["width"]
    steps.target(page, "1").click()
    steps.expect_moves(page, "1")


def test_the_back_button_goes_the_way_one_came(page: Page) -> None:
    steps.set_up(page, "Connect-4", "The computer")
    steps.begin(page)
    steps.target(page, "4").click()
    assert steps.answered(page, 0)
    page.go_back()
    expect(page).to_have_url(re.compile("/new/connect4"))
    expect(steps.board(page)).to_have_count(0)
    page.go_forward()
    expect(steps.your_turn(page)).to_be_visible()
    expect(steps.stones(page)).to_have_count(2)
