"""`plywise andantino check`."""

from __future__ import annotations

from pathlib import Path

import plywise
from lab.making.andantino.book import EASY
from plywise.engines.book import WON, Book
from tests.commands import Run


def test_a_book_that_ends_too_soon_is_no_proof(run: Run, tmp_path: Path) -> None:
    game, file = plywise.game("andantino"), tmp_path / "book.xz"
    file.write_bytes(Book.of(game, {game.position("j10").key: WON}).pack())
    done = run("andantino", "check", str(file))
    assert done.code == 0
    first, last = done.out.splitlines()
    assert first.startswith("not proved: j10 ")
    assert last.startswith("not a proof: 0 positions in the book, 1 after it")
    found = run("andantino", "check", str(file), "--json").json
    assert (found["positions"], found["leaves"], found["open"]) == (0, 1, 1)
    assert found["nodes"] > EASY


def test_files_that_are_no_book(run: Run, tmp_path: Path) -> None:
    missing = tmp_path / "none.xz"
    assert run("andantino", "check", str(missing)).complaint == (
        f"{missing} cannot be read: No such file or directory"
    )
    missing.write_bytes(b"something else")
    assert run("andantino", "check", str(missing)).complaint.startswith(
        f"{missing} is not a book for andantino: its first line must be"
    )
