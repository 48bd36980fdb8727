"""What makes the page an app: the worker, and the icons."""

from __future__ import annotations

import json
import re
import shutil
from io import BytesIO
from pathlib import Path

import pytest
from fastapi.testclient import TestClient
from PIL import Image

from plywise.web import offline


def test_the_worker_keeps_every_file_of_the_page(client: TestClient) -> None:
    answer = client.get("/worker.js")
    assert answer.headers["Content-Type"].startswith("text/javascript")
    assert answer.headers["Cache-Control"] == "no-cache"
    found = re.search(r"^const FILES = (.*);$", answer.text, re.MULTILINE)
    assert found is not None
    files = json.loads(found[1])
    assert {"/", "/style.css", "/static/js/main.js"} <= set(files)
    for path in files:
        assert client.get(path).status_code == 200, path
    assert not [path for path in files if "embed" in path or "worker" in path]


def test_another_file_is_another_version(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    shutil.copytree(offline.STATIC, tmp_path / "static")
    monkeypatch.setattr(offline, "STATIC", tmp_path / "static")
    first = offline.version.__wrapped__()
    assert first == offline.version()
    (tmp_path / "static" / "js" / "main.js").write_text("new")
    assert offline.version.__wrapped__() != first


def test_icons(client: TestClient) -> None:
    with Image.open(BytesIO(client.get("/icon-192.png").content)) as icon:
        assert icon.size == (192, 192)
        assert icon.getpixel((129, 63)) == (0xF5, 0xD9, 0x3B)  # the yellow disc
    assert client.get("/icon-77.png").status_code == 404


def test_facts(client: TestClient) -> None:
    assert client.get("/api/server").json() == {"version": offline.version(), "embed": False}
