"""`python -m tests.wording`: phrases to put in plain words, names that tell nothing, bare numbers.

Phrases are looked for in everything people read, names in all code. Both are data, in `phrases.txt`
and `names.txt`; `allowed.txt` says where one is right. For numbers see `numbers.py`.
"""

from __future__ import annotations

import io
import re
import subprocess
import sys
import tokenize
from collections.abc import Container, Iterator
from pathlib import Path
from typing import NamedTuple

from tests.docs.pages import PAGES
from tests.wording.numbers import complaints

HERE = Path(__file__).parent
ROOT = HERE.parents[1]
CODE = {".py", ".js"}
READ = {".py", ".md", ".js", ".html", ".css", ".ipynb"}
LEFT_OUT = ("tests/",)  #: nobody reads these but us
#: A space in a phrase: white space, and where a comment goes on in the next line, its sign.
SPACE = r"(?:[ \t]+|\s*\n\s*(?:(?:\#:?|//|\*|>)\s+)?)"

#: A part of a name: of WordOfMany, of word_of_many, of wordOfMany, of WORD_OF_MANY.
PART = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+")
#: What is not a name in JavaScript, and then the names.
JS = re.compile(r"""//.*|/\*.*?\*/|"[^"\n]*"|'[^'\n]*'|([A-Za-z_$][\w$]*)""", re.DOTALL)


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


def banned() -> dict[str, str]:
    """Return the names of `names.txt`, and what to write instead."""
    return dict(line.split("\t") for line in _lines(HERE / "names.txt"))


def search_names(text: str, known: dict[str, str], file: str) -> Iterator[Found]:
    """Yield every name in the code of a file, and its own, that is known or has a known part."""
    seen = set()
    for name, line in [(Path(file).name, 1), *_names(text, file)]:
        for each in (name, *(part.lower() for part in PART.findall(name))):
            if each in known and name not in seen:
                seen.add(name)
                yield Found(file, line, name, known[each])


def _names(text: str, file: str) -> Iterator[tuple[str, int]]:
    if file.endswith(".js"):
        for match in JS.finditer(text):
            if match[1]:
                yield match[1], text.count("\n", 0, match.start()) + 1
        return
    for token in tokenize.generate_tokens(io.StringIO(text).readline):
        if token.type == tokenize.NAME:
            yield token.string, token.start[0]


def files(kinds: Container[str], left_out: tuple[str, ...] = ()) -> Iterator[Path]:
    """Yield every file of some kinds that is kept."""
    listed = subprocess.run(
        ["git", "ls-files", "-co", "--exclude-standard"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=True,
    )
    for name in listed.stdout.splitlines():
        if Path(name).suffix in kinds and not name.startswith(left_out) and (ROOT / name).exists():
            yield ROOT / name


def main() -> int:
    """Print what was found; 1 if there is anything."""
    known, names = phrases(), banned()
    allowed = {tuple(line.split("\t")) for line in _lines(HERE / "allowed.txt")}
    every: list[Found] = []
    for path in files(READ, LEFT_OUT):
        every += search(path.read_text(encoding="utf-8"), known, str(path.relative_to(ROOT)))
    for path in files(CODE):
        every += search_names(path.read_text(encoding="utf-8"), names, str(path.relative_to(ROOT)))
    found = [one for one in every if (one.file, one.text.lower()) not in allowed]
    pages = {str(page.relative_to(ROOT)): page.read_text(encoding="utf-8") for page in PAGES}
    said = [*map(str, found), *complaints(pages)]
    print("\n".join(said))
    print(f"{len(said)} things to change" if said else "wording: nothing found")
    return 1 if said else 0


def _lines(path: Path) -> list[str]:
    lines = path.read_text(encoding="utf-8").splitlines()
    return [line for line in lines if line and not line.startswith("#")]


if __name__ == "__main__":
    sys.exit(main())
