"""Sharing: pictures from the Share panel, and boards on the pages of other sites."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from io import BytesIO
from pathlib import Path
from threading import Thread

import pytest
from PIL import Image
from playwright.sync_api import Page, expect

import plywise
from tests.browser import steps
from tests.browser.conftest import Complaints, Person

pytestmark = pytest.mark.slow

MOST = 60_000  #: bytes of everything that a board on another page loads


def saved(page: Page, words: str) -> Path:
    with page.expect_download() as download:
        steps.region(page, "Share").get_by_role("button", name=words).click()
    assert download.value.suggested_filename.endswith(".png")
    return download.value.path()


def test_pictures_of_a_position_and_of_the_whole_game(visitor: Person) -> None:
    page = visitor(color_scheme="dark")
    steps.make_game(page, "connect4", second="human", moves="4435")
    page.keyboard.press("[")
    steps.tab(page, "Share")
    expect(page.get_by_role("textbox", name="Moves so far")).to_have_value("443")
    picture = saved(page, "Picture (PNG)").read_bytes()
    assert picture == plywise.game("connect4").position("443").png("dark")
    with Image.open(BytesIO(saved(page, "Animation").read_bytes())) as film:
        assert film.n_frames == 1 + 5  # a still one, the start, and four moves


@contextmanager
def another_site(page: str) -> Iterator[str]:
    """A server with one page; its address."""

    class Answer(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            self.send_response(200 if self.path == "/blog" else 404)
            self.send_header("Content-Type", "text/html")
            self.end_headers()
            self.wfile.write(page.encode())

        def log_message(self, format: str, *values: object) -> None:
            pass

    site = ThreadingHTTPServer(("127.0.0.1", 0), Answer)
    Thread(target=site.serve_forever, daemon=True).start()
    try:
        yield f"http://127.0.0.1:{site.server_port}/blog"
    finally:
        site.shutdown()
        site.server_close()


def test_a_board_on_another_page(person: Person, complaints: Complaints) -> None:
    complaints.expect("favicon")
    page = person()
    page.goto("/board?game=tictactoe&moves=b2+a1+c3")
    steps.tab(page, "Share")
    expect(steps.region(page, "Share")).to_contain_text("Only this computer can open links")
    code = page.get_by_role("textbox", name="Embed")
    expect(code).to_have_value(re.compile("plywise-board"))
    blog = f"<!doctype html><title>Blog</title><h1>Blog</h1>{code.input_value()}"
    sizes: list[int] = []
    page.on("response", lambda each: sizes.append(each.request.sizes()["responseBodySize"]))
    with another_site(blog) as address:
        page.goto(address)
        look_through(page)
    assert sum(sizes) < MOST


def look_through(page: Page) -> None:
    """Step through the game in the frame."""
    frame = page.frame_locator("iframe")
    stones = frame.locator(".stone")
    expect(stones).to_have_count(3)
    expect(frame.get_by_text("3 of 3: c3")).to_be_visible()
    frame.get_by_role("button", name="First").click()
    expect(stones).to_have_count(0)
    frame.get_by_role("button", name="Next").click()
    expect(stones).to_have_count(1)
    frame.get_by_role("button", name="Play").click()
    expect(stones).to_have_count(3)
    expect(frame.get_by_role("link", name="plywise")).to_have_attribute(
        "href", re.compile("/board")
    )
    box = page.locator("iframe").bounding_box()
    inside = frame.locator("main").bounding_box()
    assert box is not None
    assert inside is not None
    assert abs(box["height"] - inside["height"]) <= 1, "the frame is as high as the board"


def test_a_board_that_does_not_exist(person: Person, complaints: Complaints) -> None:
    complaints.expect("422")
    page = person()
    page.goto("/embed/board?game=chess")
    expect(page.get_by_role("alert")).to_contain_text("there is no game 'chess'")
