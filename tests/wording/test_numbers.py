"""A number that nobody can check is noticed in prose, and only there."""

from __future__ import annotations

import pytest

from tests.wording import numbers
from tests.wording.numbers import complaints, listed


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("7 of 42 games, 81.5 % of them in 1,024 s", ["81.5 %", "1,024"]),
        ("at 3 %; 12.5 times; 0.004 s; level=3000 is `5000`", ["3 %", "3000"]),
        ("```sh\nplay 1234\n```\nand 1234", ["1234"]),
        ("<!-- figure: a b -->12,345<!-- end --> of <!-- 777 --> them", []),
        ("<!-- table: games -->\n| 100 % |\n<!-- end -->\n| 100 % |", ["100 %"]),
        ("[a link](page.md#part-123), version 3.11, 0.1.0, v2026", []),
        ("![a phone](phone.webp){ width=390 } of 390", ["390"]),
    ],
)
def test_numbers_in_prose(text: str, found: list[str]) -> None:
    assert [each.text for each in numbers.numbers(text)] == found


def test_a_number_is_listed_or_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(numbers, "listed", lambda: {("a.md", "1995"): "a year"})
    assert list(complaints({"a.md": "In 1995."})) == []
    (told,) = complaints({"a.md": "In 1995 and in 1996."})
    assert told.startswith("a.md:1: 1996: ")
    (told,) = complaints({"a.md": "Now."})
    assert told == "numbers.txt: a.md does not say 1995: take the line out"


def test_every_listed_number_has_a_reason() -> None:
    assert all(reason for reason in listed().values())
