"""The budget of lines says which package has grown, and is never raised by itself."""

from __future__ import annotations

from pathlib import Path

from tests.budget import BUDGET, Size, complaints, lowered, read, sizes, written


def test_what_is_too_large_is_named() -> None:
    budget = {"core": Size(100, 3), "kit": Size(50, 16)}
    found = {"core": Size(101, 4), "kit": Size(50, 16), "new": Size(1, 1)}
    assert complaints(found, budget) == [
        "core has 101 lines, and its budget is 100",
        "core has 4 modules, and its budget is 3",
        "new has no budget: add its line to budget.txt",
    ]
    assert complaints({"kit": Size(9, 9)}, budget) == []


def test_a_budget_is_lowered_and_never_raised() -> None:
    budget = {"core": Size(100, 20), "kit": Size(50, 16)}
    found = {"core": Size(90, 22), "kit": Size(60, 12), "new": Size(7, 2)}
    assert lowered(found, budget) == {
        "core": Size(90, 20),
        "kit": Size(50, 12),
        "new": Size(7, 16),
    }


def test_the_file_is_read_as_it_is_written() -> None:
    text = BUDGET.read_text(encoding="utf-8")
    assert written(read(text)) == text


def test_lines_and_modules_are_counted(tmp_path: Path) -> None:
    for name, lines in (
        ("core/a.py", 3),
        ("core/deep/b.py", 2),
        ("core/deep/c.py", 1),
        ("d.py", 5),
    ):
        file = tmp_path / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text("x = 1\n" * lines)
    assert sizes(tmp_path) == {".": Size(5, 1), "core": Size(6, 2)}
