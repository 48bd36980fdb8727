"""`plywise snails book`."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.commands import Run
from tests.levels import sampled


@pytest.mark.slow
@pytest.mark.parametrize(
    ("plies", "told"),
    sampled([("4", "player 1, 4 plies: "), ("6", "player 2, 2 plies: ")], every=2),
)
def test_a_book_of_a_small_board(run: Run, tmp_path: Path, plies: str, told: str) -> None:
    file = tmp_path / "book.xz"
    done = run("snails", "book", "snails:rows=4,cols=4", "--plies", plies, "--out", str(file))
    assert done.code == 0
    assert told in done.out
    assert file.exists()


@pytest.mark.parametrize(
    ("spec", "complaint"),
    [
        (
            "snails:rows=9,cols=9",
            "snails:rows=9,cols=9 has no book: only boards of up to 64 cells have one",
        ),
        (
            "snails:territory=yes",
            "snails:territory=yes has no book: only the rules without territory have one",
        ),
        ("connect4", "connect4 is not snails: write 'snails:rows=7,cols=7'"),
    ],
)
def test_boards_that_have_no_book(run: Run, spec: str, complaint: str, tmp_path: Path) -> None:
    assert run("snails", "book", spec, "--out", str(tmp_path / "b")).complaint == complaint
