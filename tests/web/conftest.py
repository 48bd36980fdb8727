"""A server in this process: `client` is a browser of it, `browser()` makes another one.

`server` is one in a process of its own, the same for all tests that want one.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from fastapi import FastAPI
from fastapi.testclient import TestClient

from plywise.play.records.store import Store
from plywise.web.app import create_app
from plywise.web.settings import Settings
from tests.serving import Server, serving

ADDRESS = "http://127.0.0.1:8765"
LIVE = "ws://127.0.0.1:8765/api/live"  #: a socket needs the full URL to send the cookie

Browser = Callable[[], TestClient]


@pytest.fixture
def settings() -> Settings:
    """The limits of the server; a test that needs others overrides this."""
    return Settings(warm_up=False)


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    store = Store(f"sqlite:///{tmp_path / 'games.sqlite'}")
    yield store
    store.close()


@pytest.fixture
def app(settings: Settings, store: Store) -> FastAPI:
    return create_app(settings, store)


@pytest.fixture
def client(app: FastAPI) -> Iterator[TestClient]:
    with TestClient(app, base_url=ADDRESS) as client:
        yield client


@pytest.fixture
def browser(client: TestClient) -> Browser:
    """Makes browsers with their own cookies, on the event loop of the same server."""

    def make() -> TestClient:
        other = TestClient(client.app, base_url=ADDRESS)
        other.portal = client.portal
        return other

    return make


@pytest.fixture(scope="session")
def running() -> Iterator[Server]:
    """A server process with default settings that compiles only what it needs."""
    with serving(warm=False) as server:
        yield server
        assert server.stop() == 0


@pytest.fixture
def server(running: Server) -> Iterator[Server]:
    """The server process; fails the test if it logs a traceback."""
    before = len(running.said)
    yield running
    said = running.said[before:]
    assert "Traceback" not in said, said
