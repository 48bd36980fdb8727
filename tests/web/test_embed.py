"""Boards on other sites: off by default, and only where the server allows them."""

from __future__ import annotations

import gzip
import re

import pytest
from fastapi.testclient import TestClient

from plywise.cli import main
from plywise.games import find, names
from plywise.play.records.store import Store
from plywise.web.app import create_app
from plywise.web.guard import HEADERS
from plywise.web.settings import Settings
from tests.web.conftest import ADDRESS
from tests.web.steps import complaint

PATHS = ["/embed/board?game=connect4", "/embed/plywise-board.js"]
MOST = 60_000  #: bytes that a page with a board loads from this server
BLOG = "https://blog.example"


@pytest.mark.parametrize("path", PATHS)
def test_off_by_default(client: TestClient, path: str) -> None:
    answer = client.get(path)
    assert "plywise serve --embed ORIGIN" in complaint(answer, 403)
    assert answer.headers["X-Frame-Options"] == "DENY"
    assert "frame-ancestors 'none'" in answer.headers["Content-Security-Policy"]


def test_only_the_board_may_be_shown_and_only_by_those_who_may(store: Store) -> None:
    settings = Settings(warm_up=False, embedders=(BLOG, "https://other.example"))
    with TestClient(create_app(settings, store), base_url=ADDRESS) as client:
        for path in PATHS:
            answer = client.get(path)
            assert answer.status_code == 200
            assert "X-Frame-Options" not in answer.headers
            policy = answer.headers["Content-Security-Policy"]
            assert policy.endswith(f"frame-ancestors 'self' {BLOG} https://other.example")
            assert answer.headers["Cross-Origin-Resource-Policy"] == "cross-origin"
            assert "Set-Cookie" not in answer.headers  # it names nobody
        for path in ("/", "/board?game=connect4", "/static/js/main.js", "/api/kinds", "/embed"):
            headers = client.get(path).headers
            assert headers.items() >= {name.lower(): text for name, text in HEADERS.items()}.items()


@pytest.mark.slow
def test_everything_together_is_small(store: Store) -> None:
    with TestClient(
        create_app(Settings(warm_up=False, embedders=("*",)), store), base_url=ADDRESS
    ) as client:
        page = client.get("/embed/board").text
        named = set(re.findall(r'(?:href|src)="(/[^"]+)"', page)) | {*PATHS}
        fixed = sum(len(gzip.compress(client.get(path).content)) for path in named)
        for name in names():
            asked = {"game": name, "moves": find(name).words.sample}
            film = client.get("/api/pictures/film", params=asked)
            assert film.headers["Content-Encoding"] == "gzip"
            assert fixed + int(film.headers["Content-Length"]) < MOST, name


@pytest.mark.parametrize("origin", ["blog.example", f"{BLOG}/page", f"{BLOG}; x", "", "'self'"])
def test_what_is_not_a_site(origin: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["serve", "--port", "0", "--embed", origin]) == 2
    assert "such as https://blog.example" in capsys.readouterr().err
