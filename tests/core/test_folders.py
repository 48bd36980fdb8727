"""Where the user's games and the compiled code are kept."""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from plywise.core.folders import cache_folder, data_folder

BOTH = [
    (data_folder, "PLYWISE_DATA", "XDG_DATA_HOME"),
    (cache_folder, "PLYWISE_CACHE", "XDG_CACHE_HOME"),
]


@pytest.mark.parametrize(("folder", "own", "system"), BOTH)
def test_a_place_can_be_named(
    folder: Callable[[], Path], own: str, system: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(own, "/somewhere/else")
    assert folder() == Path("/somewhere/else")


@pytest.mark.skipif(sys.platform != "linux", reason="other systems have other places")
@pytest.mark.parametrize(("folder", "own", "system"), BOTH)
def test_the_place_that_the_system_has(
    folder: Callable[[], Path], own: str, system: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv(own, raising=False)
    monkeypatch.setenv(system, "/of/the/user")
    assert folder() == Path("/of/the/user/plywise")
