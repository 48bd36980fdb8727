"""The files of compiled code: damaged, on a full disk, or without a folder at all."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import plywise
from plywise.core.files import read_sealed
from plywise.errors import PlywiseWarning
from plywise.jit import cache, kernels
from tests.games.test_registry import NIM
from tests.jit.test_cache import search

DAMAGE = {
    "empty": lambda content: b"",
    "cut": lambda content: content[: len(content) // 2],
    "garbled": lambda content: (
        content[:100] + bytes(b ^ 85 for b in content[100:200]) + content[200:]
    ),
    "one bit": lambda content: content[:-200] + bytes([content[-200] ^ 1]) + content[-199:],
    "another file": lambda content: b"plywise game 1\n" * 100,
}


def hits(folder: Path | None, monkeypatch: pytest.MonkeyPatch) -> int:
    """Make a small kernel with its code in this folder, as a new process would; was it there?"""

    def add(one: int, two: int) -> int:
        return one + two

    monkeypatch.setattr(kernels, "cache_folder", lambda functions: folder)
    compiled: Any = kernels._compile(add, ())
    assert compiled(2, 3) == 5
    return sum(compiled.stats.cache_hits.values())


@pytest.mark.parametrize("kind", ["nbi", "nbc"])
@pytest.mark.parametrize("damage", DAMAGE)
def test_a_damaged_file_is_compiled_again(
    kind: str, damage: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert [hits(tmp_path, monkeypatch) for _ in range(2)] == [0, 1]
    (damaged,) = tmp_path.rglob(f"*.{kind}")
    damaged.write_bytes(DAMAGE[damage](damaged.read_bytes()))
    assert [hits(tmp_path, monkeypatch) for _ in range(2)] == [0, 1], "and then it is whole again"


@pytest.mark.slow
def test_a_process_that_finds_only_damaged_files(tmp_path: Path) -> None:
    file, cache = tmp_path / "nim.py", tmp_path / "cache"
    file.write_text(NIM)
    first = search(cache, str(file), "minimax:depth=10")
    for each in [*cache.rglob("*.nbi"), *cache.rglob("*.nbc")]:
        each.write_bytes(each.read_bytes()[:-100])
    second = search(cache, str(file), "minimax:depth=10")
    assert (second["best"], second["compiled"]) == (first["best"], first["compiled"])


FULL = """
import resource, sys
from plywise.cli import main
resource.setrlimit(resource.RLIMIT_FSIZE, (1000, 1000))
sys.exit(main(["analyze", sys.argv[1], "--agent", "minimax:depth=10"]))
"""


@pytest.mark.slow
@pytest.mark.skipif(os.name != "posix", reason="needs a limit of the size of files")
def test_a_full_disk_is_mentioned_once(tmp_path: Path) -> None:
    """As on a full disk, files can be created but not written; Python would cut off its own."""
    file = tmp_path / "nim.py"
    file.write_text(NIM)
    done = subprocess.run(
        [sys.executable, "-B", "-c", FULL, str(file)],
        env={**os.environ, "PLYWISE_CACHE": str(tmp_path / "cache")},
        capture_output=True,
        text=True,
        check=False,
        timeout=1200,
    )
    assert done.returncode == 0, done.stderr
    assert "2" in done.stdout.split()
    warnings = [line for line in done.stderr.splitlines() if "cannot be kept" in line]
    assert len(warnings) == 1, done.stderr
    assert warnings[0].startswith("plywise: compiled code cannot be kept, so every run compiles")
    assert "File too large" in warnings[0]
    assert "Traceback" not in done.stderr


def test_a_second_kernel_is_not_mentioned(
    monkeypatch: pytest.MonkeyPatch, recwarn: pytest.WarningsRecorder
) -> None:
    """Each has a folder of its own, but the disk is the same."""
    monkeypatch.setattr(cache, "_warned", set())
    for folder in ("one", "two"):
        cache.warn_once(f"{folder}: No space left on device", "the disk")
    assert [str(each.message).rpartition(": ")[0][-3:] for each in recwarn] == ["one"]


def test_a_damaged_file_is_removed(tmp_path: Path) -> None:
    """Even if nothing can be written in its place."""
    file = tmp_path / "kernel.nbc"
    file.write_bytes(b"x" * 100)
    with pytest.raises(OSError, match="is damaged"):
        read_sealed(file)
    assert not file.exists()


@pytest.mark.skipif(os.name != "posix", reason="only POSIX files have modes")
def test_a_cache_that_anybody_can_write_to_is_not_used(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    open_to_all, own = tmp_path / "open", tmp_path / "own"
    open_to_all.mkdir()
    open_to_all.chmod(0o777)
    monkeypatch.setattr(cache.files, "cache_folder", lambda: open_to_all)
    monkeypatch.setattr(cache.files, "temporary_folder", lambda: own)
    assert cache._made("open to all", "nothing") == own / "open to all"
    assert list(open_to_all.iterdir()) == []


def test_no_folder_at_all(
    monkeypatch: pytest.MonkeyPatch, recwarn: pytest.WarningsRecorder
) -> None:
    """Neither a cache nor a temporary folder: it compiles, says so once, and answers."""

    def none() -> Path:
        raise PermissionError(13, "Permission denied", "/nowhere")

    monkeypatch.setattr(cache.files, "cache_folder", none)
    monkeypatch.setattr(cache.files, "temporary_folder", none)
    monkeypatch.setattr(cache, "_warned", set())
    for name in ("one", "two"):
        assert cache._made(f"no folder {name}", "nothing") is None
    texts = [str(each.message) for each in recwarn if each.category is PlywiseWarning]
    assert len(texts) == 1
    assert texts[0].endswith("[Errno 13] Permission denied: '/nowhere'")
    assert hits(None, monkeypatch) == 0


WORDS = np.arange(20)[::2]  #: with gaps, so that compiled code has to point to it
TABLE = np.zeros(200_000)


@pytest.mark.parametrize(
    ("use", "words"),
    [
        (plywise.rule(lambda at: WORDS[at]), "WORDS in test_storage.py is a view with gaps: write"),
        (plywise.rule(lambda at: TABLE[at]), "TABLE in test_storage.py has more than a million"),
    ],
)
def test_says_which_array_keeps_code_from_being_kept(
    use: Callable[[int], int], words: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def look(at: int) -> int:
        return use(at)

    monkeypatch.setattr(kernels, "cache_folder", lambda functions: tmp_path)
    compiled = kernels._compile(look, (use,))
    with pytest.warns(PlywiseWarning) as caught:
        assert compiled(0) == 0
    (warning,) = caught  # none of numba's
    assert f"every run compiles again: {words}" in str(warning.message)
    assert list(tmp_path.rglob("*.nbc")) == []
