"""`python -m tests.wording`: phrases that should be put in plain words, in everything people read.

The phrases are data, in `phrases.txt`; `allowed.txt` names the places where one is right.
"""

from __future__ import annotations

import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

HERE = Path(__file__).parent
ROOT = HERE.parents[1]
READ = {".py", ".md", ".js", ".html", ".css", ".ipynb"}
LEFT_OUT = ("tests/",)  #: nobody reads these but us
#: A space in a phrase: white space, and where a comment goes on in the next line, its sign.
SPACE = r"(?:[ \t]+|\s*\n\s*(?:(?:\#:?|//|\*|>)\s+)?)"


class Phrase(NamedTuple):
    """What not to write, and what to write."""

    pattern: re.Pattern[str]
    instead: str


class Found(NamedTuple):
    """A phrase in a file."""

    file: str
    line: int
    text: str
    instead: str

    def __str__(self) -> str:
        return f"{self.file}:{self.line}: {self.text!r}: write {self.instead!r}"


def phrases() -> list[Phrase]:
    """All of them, as `phrases.txt` has them."""
    found = []
    for line in _lines(HERE / "phrases.txt"):
        pattern, _, instead = line.partition("\t")
        # Not within brackets, where a look-behind has to have a fixed length.
        spaced = re.sub(r"(\(\?<[!=][^)]*\))|( )", lambda m: m[1] or SPACE, pattern)
        found.append(Phrase(re.compile(spaced, re.IGNORECASE | re.MULTILINE), instead.strip()))
    return found


def search(text: str, known: list[Phrase], file: str = "") -> Iterator[Found]:
    """Every phrase in a text."""
    for phrase in known:
        for match in phrase.pattern.finditer(text):
            line = text.count("\n", 0, match.start()) + 1
            yield Found(file, line, " ".join(match[0].split()), phrase.instead)


def files() -> Iterator[Path]:
    """What people read: all that is kept, but the tests."""
    listed = subprocess.run(
        ["git", "ls-files", "-co", "--exclude-standard"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=True,
    )
    for name in listed.stdout.splitlines():
        if Path(name).suffix in READ and not name.startswith(LEFT_OUT) and (ROOT / name).exists():
            yield ROOT / name


def main() -> int:
    """Print what was found; 1 if there is anything."""
    known = phrases()
    allowed = {tuple(line.split("\t")) for line in _lines(HERE / "allowed.txt")}
    found = [
        one
        for path in files()
        for one in search(path.read_text(encoding="utf-8"), known, str(path.relative_to(ROOT)))
        if (one.file, one.text.lower()) not in allowed
    ]
    for one in found:
        print(one)
    print(f"{len(found)} phrases to put in plain words" if found else "wording: nothing found")
    return 1 if found else 0


def _lines(path: Path) -> list[str]:
    lines = path.read_text(encoding="utf-8").splitlines()
    return [line for line in lines if line and not line.startswith("#")]


if __name__ == "__main__":
    sys.exit(main())
