"""The tables of docs/papers.md: what a paper says, where it is here, and what shows it."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from tests.docs.pages import DOCS

PAGE = DOCS / "papers.md"
HEAD = ("in the paper", "here", "shown by")
PAPERS = ["Align", "Andantino", "Slither", "Snails", "Tic-Tac-Toe, Connect-4 and Make Way"]
#: One thing that shows a row: a command or a test in backticks, or a link.
PROOF = re.compile(r"`(?P<code>[^`]+)`|\[[^\]]+\]\((?P<link>[^)]+)\)")


class Row(NamedTuple):
    """A row of a table: the paper, and the three cells."""

    paper: str
    told: str
    here: str
    shown: str

    @property
    def proofs(self) -> list[str]:
        """The commands, tests and links that show it."""
        return [match["code"] or match["link"] for match in PROOF.finditer(self.shown)]


def rows(text: str) -> Iterator[Row]:
    """Yield the rows of all tables on a page, without their heads and the marks of figures."""
    paper = ""
    for line in re.sub(r"<!--.*?-->", "", text).splitlines():
        if line.startswith("## "):
            paper = line.removeprefix("## ")
        if line.startswith("|") and paper in PAPERS:
            cells = [cell.strip() for cell in line.strip("|").split("|")]
            assert len(cells) == len(HEAD), line
            if tuple(cells) != HEAD and set("".join(cells)) != {"-"}:
                yield Row(paper, *cells)


ROWS = list(rows(PAGE.read_text(encoding="utf-8")))
