"""The pages of the documentation, taken apart: code blocks, links, tables kept by a program."""

from __future__ import annotations

import os
import re
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).parents[2]
DOCS = ROOT / "docs"
TUTORIALS = DOCS / "tutorials"  #: followed from top to bottom: see tutorials.py
#: What is written by hand, and so may go stale.
PAGES = [ROOT / "README.md", ROOT / "CONTRIBUTING.md", ROOT / "CHANGELOG.md"]
PAGES += sorted(DOCS.rglob("*.md"))

_BLOCK = re.compile(r"^```(?P<info>[^\n`]*)\n(?P<text>.*?)^```$", re.DOTALL | re.MULTILINE)
_LINK = re.compile(r"!?\[[^\]]*\]\(([^)\s]+)\)")


@dataclass(frozen=True)
class Block:
    """A fenced block: the word after the fence, what else stands there, the text."""

    page: Path
    line: int  #: of the first line inside
    language: str
    remark: str
    text: str

    @property
    def name(self) -> str:
        """Where it is, for the names of tests."""
        return f"{self.page.relative_to(ROOT)}:{self.line}"


def blocks(page: Path, language: str | None = None) -> list[Block]:
    """The code blocks of a page, all or those in one language."""
    source = page.read_text(encoding="utf-8")
    found = []
    for match in _BLOCK.finditer(source):
        word, _, remark = match["info"].strip().partition(" ")
        line = source.count("\n", 0, match.start()) + 2
        found.append(Block(page, line, word, remark, match["text"]))
    return [block for block in found if language in (None, block.language)]


def prose(page: Path) -> str:
    """A page without its code blocks."""
    return _BLOCK.sub("", page.read_text(encoding="utf-8"))


def links(page: Path) -> list[str]:
    """Where a page points to."""
    return links_in(prose(page))


def links_in(text: str) -> list[str]:
    """Where a text points to."""
    return _LINK.findall(text)


def anchors(page: Path) -> set[str]:
    """The headings of a page, as links write them."""
    headings = re.findall(r"^#+ (.+)$", prose(page), re.MULTILINE)
    plain = (re.sub(r"[^\w\- ]", "", heading.lower()) for heading in headings)
    return {heading.strip().replace(" ", "-") for heading in plain}


def kept_file(name: str, text: str) -> Path:
    """A file in the same place on every run: compiled code is kept by the path of its source."""
    file = ROOT / ".pytest_cache" / "docs" / name
    if not file.exists() or file.read_text(encoding="utf-8") != text:
        file.parent.mkdir(parents=True, exist_ok=True)
        written = file.with_suffix(f".{os.getpid()}")
        written.write_text(text, encoding="utf-8")
        written.replace(file)  # at once: several processes may run tests
    return file


def the_game(page: Path = DOCS / "writing-a-game.md") -> str:
    """Return the complete game that a page shows: its first Python block that is not a session."""
    return next(block.text for block in blocks(page, "python") if ">>>" not in block.text)
