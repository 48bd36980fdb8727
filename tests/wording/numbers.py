"""Percentages and large numbers in pages that no command wrote and no run checks.

A figure that was measured stands between marks that `make figures` fills in; a number in code is
checked where the code runs. Any other percentage or number of three digits and more has to be
listed in `numbers.txt` with what it is: a page, a TAB, the number, a TAB, the reason.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

LISTED = Path(__file__).with_name("numbers.txt")
#: What is taken out first: code, marks with what stands between them, comments, where links lead.
NOT_TOLD = re.compile(
    r"^```.*?^```|``.+?``|`[^`\n]+`|<!-- (?:table|figure|results?)\b.*?<!-- end -->|<!--.*?-->"
    r"|\]\([^)\s]+\)(?:\{ width=\d+ \})?|https?://\S+",
    re.DOTALL | re.MULTILINE,
)
NUMBER = re.compile(r"(?<![\w.,])(\d+(?:[.,]\d+)*)(\s?%)?(?!\w)")
DIGITS = 3


class Number(NamedTuple):
    """A number on a page."""

    page: str
    line: int
    text: str

    def __str__(self) -> str:
        return (
            f"{self.page}:{self.line}: {self.text}: quote it from a result (tests/docs/figures.py),"
            f" take it out, or list it in {LISTED.name}"
        )


def numbers(text: str, page: str = "") -> Iterator[Number]:
    """Yield every percentage and large number in a text of Markdown.

    >>> [each.text for each in numbers("12 of 1,024 `999` are 5 %, 3.14 x 27 in 2019")]
    ['1,024', '5 %', '2019']
    """
    blank = NOT_TOLD.sub(lambda match: re.sub(r"[^\n]", " ", match[0]), text)
    for match in NUMBER.finditer(blank):
        whole = re.sub(r"\..*|,", "", match[1])
        if match[2] or len(whole) >= DIGITS:
            yield Number(page, blank.count("\n", 0, match.start()) + 1, " ".join(match[0].split()))


def listed() -> dict[tuple[str, str], str]:
    """Return the reason for every number that a page may have."""
    lines = LISTED.read_text(encoding="utf-8").splitlines()
    rows = (line.split("\t") for line in lines if line and not line.startswith("#"))
    return {(page, number): reason for page, number, reason in rows}


def complaints(pages: dict[str, str]) -> Iterator[str]:
    """Say which numbers of pages are not listed, and what is listed without being there."""
    known, met = listed(), set()
    for page, text in pages.items():
        for each in numbers(text, page):
            met.add((page, each.text))
            if (page, each.text) not in known:
                yield str(each)
    for page, number in known.keys() - met:
        yield f"{LISTED.name}: {page} does not say {number}: take the line out"
