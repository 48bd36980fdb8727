"""The pages and what they load, the OpenAPI document, start-up and shutdown."""

from __future__ import annotations

import re
import time
from collections.abc import Iterable
from pathlib import Path

import pytest
from fastapi import FastAPI
from fastapi.testclient import TestClient

from plywise import arena, games
from plywise.core.game import Game
from plywise.play.records.game_record import GameRecord, Move, TimeControl
from plywise.play.records.store import Store
from plywise.play.warmup import Task
from plywise.views.css import draw_css
from plywise.web import app as web_app
from plywise.web.app import ARENA, COLOURS, STATIC, STYLE, create_app
from plywise.web.guard import HEADERS
from plywise.web.settings import Settings
from tests.web.conftest import ADDRESS
from tests.web.steps import HOURS, PATIENCE

IMPORT = re.compile(
    r'^(?:import|export|\}).*\bfrom "([^"]+)"|^import "([^"]+)"|\bimport\("([^"]+)"', re.MULTILINE
)


@pytest.mark.parametrize(
    "path", ["/", "/new/connect4", "/game/abc", "/board?game=connect4&moves=44", "/rules/connect4"]
)
def test_pages_are_the_shell(client: TestClient, path: str) -> None:
    answer = client.get(path)
    assert answer.status_code == 200
    assert answer.headers["Content-Type"] == "text/html; charset=utf-8"
    assert answer.content == (STATIC / "index.html").read_bytes()
    assert client.head(path).status_code == 200
    again = client.get(path, headers={"If-None-Match": answer.headers["ETag"]})
    assert again.status_code == 304


def test_style_sheets_close_what_they_open() -> None:
    """A browser leaves out the rules after a brace that is missing, and says nothing."""
    for sheet in STATIC.rglob("*.css"):
        depth = 0
        for letter in sheet.read_text(encoding="utf-8"):
            depth += (letter == "{") - (letter == "}")
            assert 0 <= depth <= 3, sheet.name
        assert depth == 0, sheet.name


@pytest.mark.parametrize("path", ["/nothing", "/new", "/new/", "/game/a/b", "/favicon.ico"])
def test_any_other_page_is_the_shell_with_404(client: TestClient, path: str) -> None:
    answer = client.get(path)
    assert answer.status_code == 404
    assert answer.content == (STATIC / "index.html").read_bytes()


@pytest.mark.parametrize(
    ("method", "path", "status"),
    [
        ("GET", "/api/nothing", 404),
        ("POST", "/api/nothing", 404),
        ("GET", "/api/", 404),
        ("GET", "/api/kinds/", 404),
        ("GET", "/static/nothing.js", 404),
        ("GET", "/static/../app.py", 404),
        ("GET", "/static/%2e%2e/app.py", 404),
        ("GET", "/static/..%2fapp.py", 404),
        ("GET", "/static/js", 404),
        ("POST", "/", 405),
        ("POST", "/nothing", 404),
        ("POST", "/static/index.html", 405),
        ("DELETE", "/api/kinds", 405),
        ("PUT", "/api/positions", 405),
    ],
)
def test_what_is_not_there_is_told_in_json(
    client: TestClient, method: str, path: str, status: int
) -> None:
    answer = client.request(method, path)
    if path.startswith("/static/.."):  # the client itself turns this into /app.py
        path = str(answer.request.url.path)
    if path.startswith(("/api/", "/static/")) or method != "GET":
        assert list(answer.json()) == ["error"]
    assert answer.status_code == status


def test_assets(client: TestClient) -> None:
    answer = client.get("/static/js/dom.js")
    assert answer.headers["Content-Type"].startswith("text/javascript")
    assert answer.headers["Cache-Control"] == "no-cache"
    again = client.get("/static/js/dom.js", headers={"If-None-Match": answer.headers["ETag"]})
    assert again.status_code == 304
    assert again.headers["X-Content-Type-Options"] == "nosniff"


def test_theme(client: TestClient) -> None:
    answer = client.get("/theme.css")
    boards = [kind.palette for kind in map(games.find, games.names())]
    assert answer.text == draw_css(boards)
    assert answer.headers["Content-Type"].startswith("text/css")
    again = client.get("/theme.css", headers={"If-None-Match": answer.headers["ETag"]})
    assert again.status_code == 304


def test_the_style_is_one_sheet(client: TestClient) -> None:
    """Every file of it once, and the colours."""
    text = client.get("/style.css").text
    files = sorted((STATIC / "style").iterdir())
    assert sorted(file.stem for file in files) == sorted(set(STYLE) - {COLOURS, ARENA})
    assert len(set(STYLE)) == len(STYLE)
    files.append(Path(arena.__file__).with_name("tables.css"))
    parts = [file.read_text() for file in files] + [client.get("/theme.css").text]
    assert all(text.count(part) == 1 for part in parts)


def test_pages_and_colours_are_compressed(client: TestClient) -> None:
    for path in ("/", "/style.css", "/theme.css", "/static/js/main.js"):
        assert client.get(path).headers["Content-Encoding"] == "gzip", path


def test_what_the_shell_names_is_there(client: TestClient) -> None:
    shell = client.get("/").text
    named = re.findall(r'(?:href|src)="(/(?:static|theme)[^"]+)"', shell)
    assert len(named) > 5
    for path in named:
        assert client.get(path).status_code == 200, path
    assert not re.search(r'(?:href|src)="(?:https?:)?//', shell)


def test_modules_import_only_what_is_there() -> None:
    for file in STATIC.rglob("*.js"):
        for name in map("".join, IMPORT.findall(file.read_text("utf-8"))):
            assert name.startswith((".", "/static/")), f"{file.name} imports {name}"
            found = STATIC / name.removeprefix("/static/") if name[0] == "/" else file.parent / name
            assert found.exists(), f"{file.name} imports {name}"


def test_the_shell_names_the_client(client: TestClient) -> None:
    assert client.get("/").headers["Set-Cookie"].startswith("plywise=")
    assert "Set-Cookie" not in client.get("/").headers


# ---- the OpenAPI document -----------------------------------------------------------------------


def test_the_api_describes_itself(client: TestClient) -> None:
    answer = client.get("/api/openapi.json")
    for name, value in HEADERS.items():
        assert answer.headers[name] == value
    paths = answer.json()["paths"]
    assert {"/api/kinds", "/api/positions", "/api/analysis", "/api/games"} <= set(paths)
    assert all(path.startswith("/api/") for path in paths)


def test_every_refusal_is_described_as_one_line(client: TestClient) -> None:
    document = client.get("/api/openapi.json").json()
    assert "HTTPValidationError" not in document["components"]["schemas"]
    assert list(document["components"]["schemas"]["Error"]["properties"]) == ["error"]
    for path, methods in document["paths"].items():
        for method, route in methods.items():
            answers = route["responses"]
            refused = {status for status in answers if status.startswith("4")}
            assert {"403", "421", "422"} <= refused, f"{method} {path}"
            for status in refused:
                schema = answers[status]["content"]["application/json"]["schema"]
                assert schema == {"$ref": "#/components/schemas/Error"}, f"{method} {path}"


def test_no_docs_page_from_other_hosts(client: TestClient) -> None:
    for path in ("/docs", "/redoc", "/api/docs"):
        assert client.get(path).status_code == 404


# ---- in and out ----------------------------------------------------------------------------------


def test_it_can_be_opened_and_closed_again(app: FastAPI) -> None:
    for _ in range(2):
        with TestClient(app, base_url="http://127.0.0.1:8765") as client:
            assert client.get("/api/kinds").status_code == 200


class TestWarmUp:
    @pytest.fixture
    def settings(self) -> Settings:
        return Settings(warm_up=True)

    @pytest.fixture(autouse=True)
    def at_the_usual_priority(self, monkeypatch: pytest.MonkeyPatch) -> None:
        """On a busy machine a thread of the lowest priority might never finish."""
        monkeypatch.setattr(web_app, "NICEST", 0)
        monkeypatch.setattr(web_app, "HEAD_START", 0.0)

    @pytest.mark.slow
    def test_makes_a_game_ready(
        self,
        settings: Settings,
        store: Store,
        monkeypatch: pytest.MonkeyPatch,
        caplog: pytest.LogCaptureFixture,
    ) -> None:
        asked: list[str] = []
        usual = web_app.usual_tasks

        def of_one_game(game: Game) -> Iterable[Task]:
            """Of every game it is asked what to do, and done for the smallest."""
            asked.append(game.spec)
            return usual(game) if game.spec == "tictactoe" else ()

        monkeypatch.setattr(web_app, "usual_tasks", of_one_game)
        app = create_app(settings, store)
        with TestClient(app, base_url=ADDRESS) as client:
            assert client.get("/").status_code == 200  # meanwhile
            app.state.warm_up.join(PATIENCE)
            assert not app.state.warm_up.is_alive()
            assert client.get("/api/kinds").status_code == 200
        assert asked == list(games.names())
        assert "cannot play" not in caplog.text

    @pytest.mark.slow
    @pytest.mark.long
    def test_makes_everything_ready(
        self, client: TestClient, app: FastAPI, caplog: pytest.LogCaptureFixture
    ) -> None:
        assert client.get("/").status_code == 200  # meanwhile
        app.state.warm_up.join(HOURS)  # everything may have to be compiled
        assert not app.state.warm_up.is_alive()
        assert client.get("/api/kinds").status_code == 200
        assert "cannot play" not in caplog.text


def test_clocks_stood_still_while_no_server_ran(settings: Settings, store: Store) -> None:
    moves = Move("a1"), Move("a2")
    record = GameRecord(
        "tictactoe", ("human", "human"), time=TimeControl(total=86_400.0), moves=moves
    )
    id = store.add(record, "anne", ("anne", "bob")).id
    with store.writing() as database:  # a server was seen ten hours ago, an hour into this turn
        database.exec_driver_sql("UPDATE plywise_games SET turn_began = turn_began - 39600")
        database.exec_driver_sql("DELETE FROM plywise_alive")
        database.exec_driver_sql(f"INSERT INTO plywise_alive VALUES ({time.time() - 36_000})")
    with TestClient(create_app(settings, store), base_url=ADDRESS) as client:
        left = client.get(f"/api/games/{id}").json()["clocks"]
    assert 86_400 - 7200 < left[0] <= 86_400 - 3600 + 1
    assert left[1] == 86_400
