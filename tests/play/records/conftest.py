"""An empty database of each kind for the tests of the store."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.postgres import postgres  # noqa: F401 - a fixture


@pytest.fixture(params=["sqlite", "postgresql"])
def url(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """An empty database of each kind."""
    if request.param == "sqlite":
        return f"sqlite:///{tmp_path / 'games.db'}"
    made: str = request.getfixturevalue("postgres")()
    return made
