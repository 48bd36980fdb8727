"""Studying a game: analysis, variations, notes, export and import, the rules."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
from playwright.sync_api import Page, WebSocketRoute, expect

import plywise
from plywise.core.scene import scene_of
from plywise.play.review import review
from plywise.views.marks import BEST, LEGAL
from tests.browser import steps
from tests.browser.conftest import Complaints

pytestmark = pytest.mark.slow


OPEN_THREE = "3141"  #: player 1 plays 5, and then 2 or 6 wins


def engine(page: Page) -> None:
    steps.tab(page, "Analysis")
    page.get_by_role("switch", name="Engine").click()


def test_analysis_scores_every_move_until_it_is_switched_off(page: Page) -> None:
    page.goto(f"/board?game=connect4&moves={OPEN_THREE}")
    steps.control(page, "Analysis").click()
    scores = steps.board(page).locator(".score")
    expect(scores).to_have_count(7)
    panel = steps.region(page, "Analysis")
    expect(panel.get_by_role("switch", name="Engine")).to_be_checked()
    expect(panel).to_contain_text(re.compile(r"depth \d+ · .* nodes"))
    expect(panel.get_by_role("meter")).to_have_attribute("aria-valuenow", re.compile(r"\d+"))
    best = panel.get_by_role("list", name="Moves, best first").get_by_role("listitem").first
    expect(best.get_by_role("button").first).to_have_text("5")
    expect(panel).to_contain_text("Player 1 wins in 2 moves")
    expect(best).to_contain_text("wins in 2")
    expect(steps.target(page, "5").locator("title")).to_have_text("wins in 2")
    expect(steps.target(page, "1").locator("title")).to_have_text(re.compile("loses|draws|wins"))
    page.keyboard.press("a")
    expect(scores).to_have_count(0)
    expect(panel.get_by_role("switch", name="Engine")).not_to_be_checked()


@pytest.mark.parametrize(
    ("spec", "moves", "shape", "scaled"),
    [("connect4", "3141", "circle", True), ("andantino", "j10", "polygon", False)],
)
def test_the_best_move_is_marked_as_in_pictures(
    page: Page, spec: str, moves: str, shape: str, scaled: bool
) -> None:
    page.goto(f"/board?game={spec}&moves={moves}")
    steps.control(page, "Analysis").click()
    mark = steps.board(page).locator(f".marks {shape}.best")
    expect(mark).to_have_count(1)
    expect(mark).to_have_css("stroke-width", f"{BEST.width if scaled else BEST.outline}px")
    if scaled:
        expect(mark).to_have_css("r", f"{BEST.radius}px")
        rooms = [target.room for target in scene_of(plywise.game(spec).start()).targets]
        assert f"scale({rooms[0]:g})" in (mark.get_attribute("transform") or "")


def test_outlines_scores_and_the_best_move_are_seen_together(page: Page) -> None:
    page.goto("/board?game=andantino:side=4&moves=j10 i11 j11 i10 j9")
    legal = plywise.game("andantino:side=4").position("j10 i11 j11 i10 j9").legal
    outlines = steps.board(page).locator(".marks polygon[data-dot]")
    expect(outlines).to_have_count(len(legal))
    steps.control(page, "Analysis").click()
    expect(steps.board(page).locator(".marks .score")).to_have_count(len(legal))
    expect(steps.board(page).locator(".marks polygon.best")).to_have_count(1)
    expect(outlines).to_have_count(len(legal) - 1)  # the best one is green
    expect(outlines.first).to_have_css("stroke", "rgb(194, 31, 48)")
    expect(outlines.first).to_have_css("stroke-width", f"{LEGAL.outline}px")
    steps.control(page, "Legal").click()
    expect(outlines).to_have_count(0)
    expect(steps.board(page).locator(".marks .score")).to_have_count(len(legal))


def test_a_score_takes_the_place_of_a_dot(page: Page) -> None:
    page.goto(f"/board?game=connect4&moves={OPEN_THREE}")
    dots = steps.board(page).locator(".marks circle[data-dot]")
    expect(dots).to_have_count(7)
    steps.control(page, "Analysis").click()
    expect(steps.board(page).locator(".marks .score")).to_have_count(7)
    expect(dots).to_have_count(0)


def test_the_line_of_the_engine_can_be_played_through(page: Page) -> None:
    page.goto(f"/board?game=connect4&moves={OPEN_THREE}")
    engine(page)
    panel = steps.region(page, "Analysis")
    best = panel.get_by_role("list", name="Moves, best first").get_by_role("listitem").first
    expect(best.get_by_role("button")).to_have_count(3)
    best.get_by_role("button").nth(2).click()
    expect(steps.stones(page)).to_have_count(7)
    line = panel.get_by_role("group", name="Engine line")
    line.get_by_role("button", name="Previous move in the line").click()
    expect(steps.stones(page)).to_have_count(6)
    line.get_by_role("button", name=re.compile("^Back to")).click()
    expect(steps.stones(page)).to_have_count(4)
    expect(line).to_be_hidden()


def test_analysis_follows_the_game(page: Page) -> None:
    steps.make_game(page, "connect4", second="auto:level=1")
    page.keyboard.press("a")
    expect(steps.board(page).locator(".score")).to_have_count(7)
    steps.target(page, "4").click()
    expect(steps.stones(page)).to_have_count(2)
    expect(steps.board(page).locator(".score")).to_have_count(7)
    expect(steps.region(page, "Analysis")).to_contain_text(re.compile(r"depth \d+"))


def test_branches_and_notes_are_kept(page: Page) -> None:
    steps.make_game(page, "connect4", second="human", moves="4435")
    page.keyboard.press("[")
    page.keyboard.press("[")
    expect(steps.stones(page)).to_have_count(2)
    steps.target(page, "1").click()
    expect(page.get_by_text("Variation after move 2")).to_be_visible()
    steps.target(page, "7").click()
    expect(steps.stones(page)).to_have_count(4)
    write_note(page, "Too far from the middle")
    page.get_by_role("button", name="Back to the game").click()
    write_note(page, "This is where it begins")
    page.reload()
    panel = steps.region(page, "Moves")
    expect(panel.get_by_text("Too far from the middle")).to_be_visible()
    expect(panel.get_by_text("This is where it begins")).to_be_visible()
    expect(steps.moves(page)).to_have_count(6)
    steps.moves(page).filter(has_text="7").click()
    expect(steps.stones(page)).to_have_count(4)
    panel.get_by_role("button", name="Delete", exact=True).click()
    expect(steps.moves(page)).to_have_count(5)
    page.reload()
    expect(steps.moves(page)).to_have_count(5)


def write_note(page: Page, text: str) -> None:
    panel = steps.region(page, "Moves")
    panel.get_by_role("button", name="Add note").click()
    panel.get_by_role("textbox").fill(text)
    panel.get_by_role("button", name="Save").click()
    expect(panel.get_by_role("button", name=text)).to_be_visible()


def test_a_mistake_can_be_played_again_from_before_it(page: Page) -> None:
    game = steps.make_game(page, "connect4", second="auto:level=1", moves="3137323")
    steps.result(page).get_by_role("button", name="Review").click()
    review = steps.region(page, "Review")
    fault = review.get_by_role("listitem").filter(has_text="player 2").first
    fault.get_by_role("button", name="Show").click()
    expect(page.get_by_text(re.compile(r"Move \d of 7"))).to_be_visible()
    review.get_by_role("button", name="Try again from here").first.click()
    page.wait_for_url(lambda url: "/game/" in url and game not in url)
    expect(steps.result(page)).to_be_hidden()


@pytest.mark.parametrize(("words", "ending"), [("Text", "txt"), ("JSON", "json")])
def test_a_game_goes_out_and_comes_in_again(
    page: Page, tmp_path: Path, words: str, ending: str
) -> None:
    first = steps.make_game(page, "connect4", second="auto:level=1", moves="4435")
    write_note(page, "Kept with the game")
    steps.tab(page, "Share")
    with page.expect_download() as download:
        steps.region(page, "Share").get_by_role("link", name=words).click()
    path = tmp_path / download.value.suggested_filename
    assert path.suffix == f".{ending}"
    download.value.save_as(path)
    page.goto("/")
    page.get_by_role("button", name="Import a game").click()
    dialog = page.get_by_role("dialog", name="Import a game")
    dialog.get_by_label("Or choose a file").set_input_files(path)
    expect(dialog.get_by_role("textbox")).to_have_value(re.compile("connect4"))
    dialog.get_by_role("button", name="Import").click()
    page.wait_for_url(lambda url: "/game/" in url and first not in url)
    steps.expect_moves(page, *"4435")
    expect(page.get_by_text("Kept with the game")).to_be_visible()


def test_what_is_no_game_is_refused_in_words(page: Page, complaints: Complaints) -> None:
    complaints.expect("422")
    page.goto("/")
    page.get_by_role("button", name="Import a game").click()
    dialog = page.get_by_role("dialog")
    dialog.get_by_role("textbox").fill("game chess\nfirst human\n")
    dialog.get_by_role("button", name="Import").click()
    expect(dialog.get_by_role("alert")).not_to_be_empty()
    dialog.get_by_role("textbox").fill('{"plywise": ')
    dialog.get_by_role("button", name="Import").click()
    expect(dialog.get_by_role("alert")).to_contain_text("JSON")


def test_a_link_carries_the_whole_position(page: Page) -> None:
    steps.make_game(page, "connect4:rows=7,cols=8", second="human", moves="4435")
    steps.tab(page, "Share")
    link = page.get_by_role("textbox", name="Link to this position")
    expect(link).to_have_value(re.compile("moves=4435"))
    page.goto(link.input_value())
    expect(steps.stones(page)).to_have_count(4)
    expect(steps.targets(page)).to_have_count(8)
    steps.target(page, "8").click()
    expect(page).to_have_url(re.compile("moves=44358"))
    page.reload()
    expect(steps.stones(page)).to_have_count(5)


def test_a_position_is_set_up_from_its_text(page: Page) -> None:
    page.goto("/board?game=tictactoe&moves=b2+a1")
    steps.tab(page, "Share")
    field = page.get_by_role("textbox", name="Position as text")
    expect(field).not_to_have_value("")
    text = field.input_value()
    page.goto("/board?game=tictactoe")
    steps.tab(page, "Share")
    page.get_by_role("textbox", name="Set up a position").fill(text)
    steps.region(page, "Share").get_by_role("button", name="Open").click()
    expect(steps.targets(page)).to_have_count(7)
    expect(page).to_have_url(re.compile("start="))


def test_a_free_board_is_saved_as_a_game(page: Page) -> None:
    page.goto("/board?game=tictactoe&moves=b2+a1")
    steps.tab(page, "Share")
    with page.expect_download() as download:
        steps.region(page, "Share").get_by_role("button", name="JSON").click()
    record = json.loads(download.value.path().read_text())
    assert [move["text"] for move in record["moves"]] == ["b2", "a1"]


def test_the_rules_of_every_game(page: Page) -> None:
    kinds = page.request.get("/api/kinds").json()["kinds"]
    assert len(kinds) >= 2
    for kind in kinds:
        page.goto("/")
        page.get_by_role("link", name=f"Rules of {kind['title']}").click()
        expect(page.get_by_role("heading", name=kind["title"], level=1)).to_be_visible()
        assert page.get_by_role("figure").count() >= 2
    page.get_by_role("figure").first.get_by_role("link").click()
    expect(steps.board(page)).to_be_visible()


NOWHERE = (
    "/nowhere",
    "/game/0123456789abcdef",
    "/rules/chess",
    "/new/chess",
    "/board?game=chess",
    "/board?game=connect4:rows=99",
)


def test_a_page_that_is_not_there(page: Page, complaints: Complaints) -> None:
    complaints.expect("404|422")
    for path in NOWHERE:
        page.goto(path)
        expect(page.get_by_role("heading", level=1)).to_have_text("Page not found")
        expect(page.get_by_role("button", name="Try again")).to_have_count(0)
        if "chess" in path:
            expect(page.get_by_text("there is no game 'chess': choose from align")).to_be_visible()
        page.get_by_role("link", name="All games").click()
        expect(page.get_by_role("heading", name="Games", exact=True)).to_be_visible()


def test_a_page_comes_back_with_the_server(page: Page, complaints: Complaints) -> None:
    complaints.expect("ERR_FAILED")
    page.goto("/rules/tictactoe")
    link = page.get_by_role("link", name="Try it on a board", exact=True)
    expect(link).to_be_visible()
    gone = re.compile("/api/|/health")
    page.route(gone, lambda route: route.abort())
    link.click()
    expect(page.get_by_role("heading", name="The server is not responding")).to_be_visible()
    expect(page.get_by_text("tries again by itself")).to_be_visible()
    page.unroute(gone)
    expect(steps.board(page)).to_be_visible()
    assert page.url.endswith("/board?game=tictactoe")


def test_coordinates_are_not_capitalised(page: Page) -> None:
    page.goto("/board?game=tictactoe")
    said = ["i10 was better", "u was better", "a draw", "gives away the win; c3 was better"]
    told = page.evaluate(
        "async (said) => said.map((await import('/static/js/room/room.js')).capital)", said
    )
    assert told == [*said[:2], "A draw", "Gives away the win; c3 was better"]


def test_a_review_shows_the_worst_moments_first_with_an_arrow(page: Page) -> None:
    """The first mistake gives away a draw, the three after it a whole win.

    The review is made here, to the end: that of the server has a clock.
    """
    game = plywise.game("tictactoe")
    limits = plywise.Limits(depth=9)
    moves = "b1 c3 a1 c2 a3 c1"
    ready = review(game.position(moves), plywise.engine("auto", game), limits).to_json()

    def join(line: WebSocketRoute) -> None:
        server = line.connect_to_server()

        def pass_on(message: str | bytes) -> None:
            asked = json.loads(message)
            if asked["do"] == "review":
                line.send(json.dumps({"re": asked["n"], "ok": True, "review": ready}))
            else:
                server.send(message)

        line.on_message(pass_on)

    page.route_web_socket("**/api/live*", join)
    page.goto(f"/board?game=tictactoe&moves={moves.replace(' ', '+')}")
    steps.tab(page, "Review")
    page.get_by_role("button", name="Review this game").click()
    moments = steps.region(page, "Review").locator(".fault")
    heads = moments.locator(".fault-head b")
    expect(heads).to_have_text(["3. a1", "4. c2", "5. a3", "2. c3"])
    first = moments.first
    picture = first.get_by_role("img")
    expect(picture).to_have_accessible_name("The board before move 3: a1 was played, c1 was better")
    expect(picture.locator(".stone")).to_have_count(2)  # before the move
    expect(picture.locator("polygon.better")).to_have_count(1)
    expect(picture.locator("circle.was")).to_have_count(1)
    expect(first).to_contain_text("c1 was better")
    tip, ring = (
        picture.locator(name).evaluate(
            "node => { const { x, y, width, height } ="
            " node.getBoundingClientRect(); return [x + width / 2, y + height / 2]; }"
        )
        for name in ("polygon.better", "circle.was")
    )
    assert tip[0] > ring[0]  # c1 is to the right of a1
    expect(first).to_be_in_viewport()
