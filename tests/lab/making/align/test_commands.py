"""`plywise align`: a whole board solved, and a book of it; all best moves by `plywise solve`."""

from __future__ import annotations

import pytest


def test_a_board_and_its_book(run, tmp_path):
    solution, book = tmp_path / "solution.npz", tmp_path / "book.xz"
    told = run("align", "solve-all", "align:size=4", "--plies", "4", "--out", str(solution)).out
    assert "align:size=4: 65,536 sets of cells" in told
    assert "the first player scores -8 with best play, starting at b1 c1 a2 " in told
    assert f"{solution}: " in told
    told = run("align", "book", str(solution), "--plies", "3", "--out", str(book)).out
    assert told == f"{book}: 102 positions of align:size=4, {book.stat().st_size:,} bytes\n"


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["solve-all", "tictactoe"], "tictactoe is not align: write 'align:size=5'"),
        (["solve-all", "align"], "align is too large for the CPU: it needs a GPU (--gpu)"),
        (["solve-all", "align:size=7", "--gpu"], "size=7 is too large to solve completely"),
        (["solve-all", "align:size=9"], "size=9 is not valid: size must be a whole number from 3"),
        (["solve-all", "--plies", "-1"], "invalid value for '--plies': "),
        (["book", "nothing.npz"], "nothing.npz: No such file or directory"),
        (
            ["book", __file__],
            "test_commands.py is not a solution: `plywise align solve-all` writes one",
        ),
    ],
)
def test_bad_input(run, arguments, message):
    assert message in run("align", *arguments).complaint


def test_a_book_takes_a_layer_more_than_it_has(run, tmp_path):
    solution = str(tmp_path / "solution.npz")
    run("align", "solve-all", "align:size=3", "--plies", "4", "--out", solution)
    complaint = run("align", "book", solution, "--plies", "4").complaint
    assert (
        complaint == "a book of 4 plies needs the values of 5: this solution has those of up to 4"
    )
