"""A server in this process: `client` is a browser of it, `browser()` makes another one."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from fastapi import FastAPI
from fastapi.testclient import TestClient

from plywise.play.store import Store
from plywise.web.app import create_app
from plywise.web.settings import Settings

ADDRESS = "http://127.0.0.1:8765"
LIVE = (
    "ws://127.0.0.1:8765/api/live"  #: a socket needs the whole address, for the cookie to go along
)

Browser = Callable[[], TestClient]


@pytest.fixture
def settings() -> Settings:
    """The limits of the server; a test that wants others overrides this."""
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
    """Makes browsers with cookies of their own, on the event loop of the same server."""

    def make() -> TestClient:
        other = TestClient(client.app, base_url=ADDRESS)
        other.portal = client.portal
        return other

    return make
