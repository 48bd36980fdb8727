"""A tournament, watched: the table grows while another process plays, and games can be replayed."""

from __future__ import annotations

from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from plywise.arena.games import play
from plywise.arena.page import page as written
from plywise.arena.tournament import Tournament
from plywise.core.workers import Workers
from tests.arena.test_tournaments import plan_of
from tests.browser import steps
from tests.browser.conftest import Person
from tests.serving import serving

pytestmark = pytest.mark.slow


class Enough(Exception):
    """A tournament is interrupted."""


def stop(_: object) -> None:
    raise Enough


def test_a_tournament_is_watched_and_a_game_replayed(person: Person, tmp_path: Path) -> None:
    file = tmp_path / "class.sqlite"
    with serving(str(file), warm=False) as server:
        page = person(base_url=server.url, viewport={"width": 390, "height": 800})
        page.goto("/")
        page.get_by_role("link", name="Tournaments").click()
        expect(page.get_by_text("It has not begun yet.")).to_be_visible()
        tournament = Tournament(plan_of("random", "textbook:depth=2"), file)
        with pytest.raises(Enough):
            tournament.run(Workers(play), stop)
        games = page.get_by_role("region", name="Latest games").get_by_role("link", name="replay")
        expect(games).to_have_count(1)
        tournament.run(Workers(play))
        tournament.close()
        expect(games).to_have_count(2)
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
        games.last.click()
        expect(steps.stones(page)).to_have_count(len(tournament.rows[0].played.moves.split()))
        page.goto("about:blank")  # or it would miss its server and say so


def test_the_page_that_is_written_replays_games(person: Person, tmp_path: Path) -> None:
    plan = plan_of("random", "textbook:depth=2", plies=3)
    tournament = Tournament(plan, tmp_path / "results")
    tournament.run(Workers(play))
    tournament.close()
    (tmp_path / "page.html").write_text(written(tournament.snapshot()), encoding="utf-8")
    page: Page = person()
    page.goto((tmp_path / "page.html").as_uri())
    page.get_by_role("button", name="replay").last.click()
    replay = page.get_by_role("dialog", name="Replay")
    board = replay.locator("pre")
    expect(replay.get_by_text("3. ")).to_contain_text("(opening)")
    stones = board.evaluate("(board) => board.textContent.match(/[XO]/g).length")
    assert stones == 3
    replay.get_by_role("button", name="One move on").click()
    expect(replay.get_by_text("4. ")).to_be_visible()
    assert board.evaluate("(board) => board.textContent.match(/[XO]/g).length") == 4
    replay.get_by_role("button", name="Close").click()
    expect(replay).to_be_hidden()
