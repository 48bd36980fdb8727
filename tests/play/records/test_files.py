"""Files that are written whole or not at all, also where a file cannot have two names."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from plywise.play.records.files import whole_file


def without_links(*names: object) -> None:
    raise PermissionError("this file system has no links")


@pytest.mark.parametrize("links", [True, False])
def test_a_name_that_is_taken_is_left_alone(
    links: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    if not links:
        monkeypatch.setattr(os, "link", without_links)
    file = tmp_path / "backup"
    for text in ("first", "second"):
        try:
            with whole_file(file, replace=False) as out:
                out.write(text)
        except FileExistsError:
            assert text == "second"
        else:
            assert text == "first"
    assert file.read_text(encoding="utf-8") == "first"
    assert list(tmp_path.iterdir()) == [file], "nothing is left over"
