"""Where the user's games and the compiled code are kept."""

from __future__ import annotations

import os
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path

import pytest

from plywise.core import files
from plywise.core.files import cache_folder, data_folder, temporary_folder, trusted

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


def test_a_folder_is_created_with_those_above_it(tmp_path: Path) -> None:
    assert trusted(tmp_path / "not" / "there" / "yet").is_dir()


POSIX = pytest.mark.skipif(os.name != "posix", reason="owners and modes are those of POSIX")


@pytest.fixture
def temporary(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Stands for the system's temporary folder; returns ours in it, which is not there yet."""
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    files._private_folder.cache_clear()
    return tmp_path / f"plywise-{os.getuid()}"


@POSIX
def test_a_temporary_folder_is_private(temporary: Path) -> None:
    before = os.umask(0)
    try:
        assert temporary_folder() == temporary
    finally:
        os.umask(before)
    assert temporary.stat().st_mode & 0o777 == 0o700
    assert temporary_folder() == temporary, "and it is used again"


@POSIX
@pytest.mark.parametrize("mode", [0o777, 0o770, 0o702])
def test_others_may_write_to_it(temporary: Path, mode: int) -> None:
    temporary.mkdir()
    temporary.chmod(mode)
    found = temporary_folder()
    assert found != temporary
    assert found.stat().st_mode & 0o777 == 0o700
    assert temporary_folder() == found, "one is enough for a process"


@POSIX
def test_somebody_else_owns_it(temporary: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    temporary.mkdir(mode=0o700)
    user = os.getuid()
    monkeypatch.setattr(os, "getuid", lambda: user + 1)
    other = temporary.with_name(f"plywise-{user + 1}")
    temporary.rename(other)
    assert temporary_folder() not in (temporary, other)
    with pytest.raises(PermissionError, match="belongs to somebody else, or others may write"):
        trusted(other)


@POSIX
def test_a_link_stands_in_its_place(temporary: Path, tmp_path: Path) -> None:
    (tmp_path / "elsewhere").mkdir(mode=0o700)
    temporary.symlink_to(tmp_path / "elsewhere")
    assert temporary_folder() != temporary


@POSIX
def test_the_users_own_cache(tmp_path: Path) -> None:
    """Some systems let the group write to every folder; the whole world never should."""
    folder = tmp_path / "cache"
    assert trusted(folder).stat().st_mode & 0o777 == 0o700
    folder.chmod(0o775)
    assert trusted(folder) == folder
    folder.chmod(0o777)
    with pytest.raises(PermissionError, match="others may write to it"):
        trusted(folder)
