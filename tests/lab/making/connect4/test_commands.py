"""`plywise connect4 book`."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from tests.commands import Run


def test_no_gpu_no_file(run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "cupy", None)
    found = run("connect4", "book", "--gpu", "--plies", "2", "--out", str(tmp_path / "book.xz"))
    assert found.complaint.startswith("there is no GPU that CuPy can use: ")
    assert list(tmp_path.iterdir()) == []
