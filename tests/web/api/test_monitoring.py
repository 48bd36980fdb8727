"""Health and metrics: right, cheap, and not for strangers."""

from __future__ import annotations

import re
import threading
from typing import Any

import pytest
from fastapi import FastAPI
from fastapi.testclient import TestClient
from prometheus_client.parser import text_string_to_metric_families

from plywise import __version__
from plywise.play.records.store import Store, StoreError
from plywise.web.api import monitoring
from plywise.web.app import create_app
from plywise.web.metrics import Counts, Times, gauge, written
from plywise.web.settings import Settings
from tests.web.conftest import ADDRESS, LIVE
from tests.web.steps import do, fails, look, new_game, refused

NEAR, FAR = ("127.0.0.1", 50_000), ("10.1.2.3", 50_000)


@pytest.fixture
def client(app: FastAPI) -> Any:
    """A program on the machine of the server."""
    with TestClient(app, base_url=ADDRESS, client=NEAR) as client:
        yield client


def samples(text: str) -> dict[str, float]:
    """What Prometheus reads in a text: each name, with its labels, and its number."""
    found: dict[str, float] = {}
    for family in text_string_to_metric_families(text):
        assert family.documentation, family.name
        assert family.type in ("counter", "gauge", "histogram"), family.name
        for sample in family.samples:
            labels = ",".join(f"{key}={value}" for key, value in sample.labels.items())
            assert f"{sample.name}{{{labels}}}" not in found
            found[f"{sample.name}{{{labels}}}"] = sample.value
    return found


def scrape(client: TestClient) -> dict[str, float]:
    answer = client.get("/metrics")
    assert answer.status_code == 200
    assert answer.headers["Content-Type"] == "text/plain; version=0.0.4; charset=utf-8"
    assert "Set-Cookie" not in answer.headers
    return samples(answer.text)


def more(before: dict[str, float], after: dict[str, float]) -> dict[str, float]:
    """What has been added."""
    return {
        key: value - before.get(key, 0)
        for key, value in after.items()
        if value != before.get(key, 0) and not key.startswith("process_")
    }


# ---- health --------------------------------------------------------------------------------------


def test_a_healthy_server(client: TestClient) -> None:
    answer = client.get("/health")
    assert (answer.status_code, answer.json()) == (200, {"status": "ok"})
    assert answer.headers["Cache-Control"] == "no-store"
    assert "Set-Cookie" not in answer.headers
    assert client.head("/health").status_code == 200


def test_a_database_that_fails_and_comes_back(
    client: TestClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(monitoring, "FRESH", 0.0)

    def fail(store: Store) -> None:
        raise StoreError("the database at secret.example.org failed")

    with monkeypatch.context() as patch:
        patch.setattr(monitoring, "ping", fail)
        answer = client.get("/health")
        assert answer.status_code == 503
        assert answer.json() == {"status": "failing", "error": "the database failed"}
    assert client.get("/health").status_code == 200


def test_a_database_that_hangs_is_asked_once(
    client: TestClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked, go_on = [], threading.Event()

    def hang(store: Store) -> None:
        asked.append(store)
        go_on.wait()

    monkeypatch.setattr(monitoring, "FRESH", 0.0)
    monkeypatch.setattr(monitoring, "ANSWER", 0.01)
    monkeypatch.setattr(monitoring, "ping", hang)
    try:
        for _ in range(5):
            answer = client.get("/health")
            assert answer.status_code == 503
            assert answer.json()["error"] == "the database does not answer"
        assert len(asked) == 1
    finally:
        go_on.set()


def test_many_who_ask_cost_the_database_nothing(
    client: TestClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked = []
    monkeypatch.setattr(monitoring, "FRESH", 3600.0)
    monkeypatch.setattr(monitoring, "ping", asked.append)
    for _ in range(20):
        assert client.get("/health").status_code == 200
    assert len(asked) == 1


# ---- metrics -------------------------------------------------------------------------------------


def test_requests_moves_and_refusals_are_counted(client: TestClient) -> None:
    before = scrape(client)
    id = new_game(client, second="human")["id"]
    do(client, id, "move", move="b2")
    do(client, id, "move", move="a1")
    fails(client, id, "move", 422, move="a1")
    look(client, id)
    look(client, id)
    client.get("/api/games/nothing")
    client.get("/api/kinds", headers={"Host": "evil.example.org"})
    found = more(before, scrape(client))
    requests = "plywise_requests_total{method=%s,route=%s,status=%s}"
    assert found[requests % ("POST", "/api/games", 201)] == 1
    assert found[requests % ("GET", "/api/games/{id}", 200)] == 2
    assert found[requests % ("GET", "/api/games/{id}", 404)] == 1
    assert found[requests % ("GET", "none", 421)] == 1
    assert found["plywise_moves_total{}"] == 2
    assert found["plywise_refusals_total{reason=invalid}"] == 1
    assert found["plywise_refusals_total{reason=not found}"] == 1
    assert found["plywise_refusals_total{reason=host}"] == 1
    assert found["plywise_request_seconds_count{route=/api/games/{id}}"] == 3
    assert found["plywise_request_seconds_bucket{route=/api/games/{id},le=+Inf}"] == 3


def test_what_is_there_at_the_moment(client: TestClient) -> None:
    id = new_game(client)["id"]
    with client.websocket_connect(f"{LIVE}?game={id}") as socket:
        socket.receive_text()
        found = scrape(client)
        assert found["plywise_sockets{}"] == 1
        assert found["plywise_rooms{}"] == 1
    assert found["plywise_searches{state=running}"] >= 0
    assert found["plywise_searches{state=waiting}"] == 0
    assert found[f"plywise_info{{version={__version__}}}"] == 1
    assert found["process_cpu_seconds_total{}"] > 0
    assert found["process_resident_memory_bytes{}"] > 1e7
    assert found["process_start_time_seconds{}"] > 1.6e9
    assert any("route=/api/live,status=101" in name for name in found)


def test_failures_of_the_database_are_counted(
    client: TestClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = scrape(client)

    def fail(*_: Any) -> int:
        raise StoreError("the disk is full")

    monkeypatch.setattr(Store, "count", fail)
    client.post("/api/games", json={"game": "tictactoe", "first": "human", "second": "human"})
    assert more(before, scrape(client))["plywise_database_errors_total{}"] == 1


def test_paths_that_anybody_invents_are_not_routes(client: TestClient) -> None:
    before = scrape(client)
    for number in range(20):
        client.get(f"/no/such/page/{number}")
        client.request(f"VERB{number}", "/")
    added = {name for name in scrape(client) if name not in before}
    assert len([name for name in added if "requests_total" in name]) < 4


def test_who_may_read_them(store: Store) -> None:
    settings = Settings(warm_up=False, metrics=("10.1.0.0/16",))
    with TestClient(create_app(settings, store), base_url=ADDRESS, client=FAR) as allowed:
        assert allowed.get("/metrics").status_code == 200
    app = create_app(Settings(warm_up=False), store)
    with TestClient(app, base_url=ADDRESS, client=FAR) as stranger:
        assert "--metrics" in refused(stranger.get("/metrics"), 403)
        assert stranger.get("/health").status_code == 200
    with TestClient(app, base_url=ADDRESS, client=NEAR) as proxy:
        headers = {"X-Forwarded-For": "127.0.0.1"}  # said by anybody, passed on by the proxy
        assert proxy.get("/metrics", headers=headers).status_code == 403


def test_with_a_token_both_need_it(store: Store) -> None:
    settings = Settings(warm_up=False, token="correct-horse")
    with TestClient(create_app(settings, store), base_url=ADDRESS, client=NEAR) as client:
        for path in ("/health", "/metrics"):
            assert client.get(path).status_code == 401
            bearer = {"Authorization": "Bearer correct-horse"}
            assert client.get(path, headers=bearer).status_code == 200


# ---- the text ------------------------------------------------------------------------------------


def test_labels_and_words_are_escaped() -> None:
    odd = 'a "quote", a \\ and\na line'
    counts = Counts("odd_total", "Two\nlines and a \\.", "what")
    counts.add(odd)
    (family,) = text_string_to_metric_families(written(counts.lines()))
    assert family.documentation == "Two\nlines and a \\."
    assert family.samples[0].labels == {"what": odd}
    (other,) = text_string_to_metric_families(written(gauge("odd", "Odd.", {odd: 1.5}, "what")))
    assert (other.samples[0].labels, other.samples[0].value) == ({"what": odd}, 1.5)


def test_classes_of_a_histogram_hold_all_smaller_ones() -> None:
    times = Times("took_seconds", "How long it took.", "what")
    for seconds in (0.001, 0.005, 0.3, 99.0):
        times.add("x", seconds)
    found = samples(written(times.lines()))
    buckets = {
        re.search("le=(.*)}", name)[1]: value  # type: ignore[index]
        for name, value in found.items()
        if "_bucket" in name
    }
    assert buckets["0.005"] == 2
    assert buckets["0.25"] == 2
    assert buckets["0.5"] == 3
    assert buckets["10.0"] == 3
    assert buckets["+Inf"] == found["took_seconds_count{what=x}"] == 4
    assert found["took_seconds_sum{what=x}"] == pytest.approx(99.306)
