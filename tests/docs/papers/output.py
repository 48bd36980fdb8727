"""What a command of docs/papers.md shows, and what it must show: a function for each of them.

A function is bound to its row and its command by `shows`, word by word. It gets a `Output` and
asserts what the row says of it: mostly of the JSON that the command prints; for a report, of its
stored result; for a game, of what is on the screen after some lines were typed.
"""

from __future__ import annotations

import shlex
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any, NamedTuple

from lab import results
from tests.commands import Result
from tests.docs.pages import DOCS

#: Runs a command of ours with these lines typed.
Runner = Callable[[list[str], str], Result]
#: What a part of a report prints; the whole report prints all of it.
PARTS = {
    "games": ("agents", "matches", "claims"),
    "comparisons": ("comparisons",),
    "tables": ("tables",),
}


class Output:
    """What a command shows, each time it is asked."""

    def __init__(self, command: str, runner: Runner) -> None:
        self.words = shlex.split(command)[1:]
        self.runner = runner

    def run(self, *words: str, typed: str = "") -> Result:
        """Run another command to compare with; it must succeed."""
        done = self.runner(list(words), typed)
        assert done.code == 0, done.err
        return done

    @property
    def text(self) -> str:
        """What it prints."""
        return self.run(*self.words).out

    @property
    def json(self) -> Any:
        """What it prints for programs."""
        return self.run(*self.words, "--json").json

    def typed(self, *lines: str) -> str:
        """What is on the screen after these lines were typed."""
        return self.run(*self.words, typed="".join(f"{line}\n" for line in lines)).out

    def but(self, **options: str) -> Any:
        """What it prints for programs with other options."""
        words = list(self.words)
        for name, value in options.items():
            words[words.index(f"--{name}") + 1] = value
        return self.run(*words, "--json").json

    def refusal(self, *words: str) -> str:
        """The one line about a command that is refused."""
        return self.runner(list(words), "").complaint

    def file(self, option: str) -> str:
        """What it writes into the file of an option."""
        assert self.text
        return Path(self.words[self.words.index(option) + 1]).read_text(encoding="utf-8")

    @property
    def result(self) -> Any:
        """The stored result of a report: of its parts, if the command names any."""
        command, name, *options = self.words
        assert command == "report"
        named = [part for option, part in zip(options[::2], options[1::2], strict=True)]
        assert options[::2] == ["--part"] * len(named), "a stored report has no other options"
        found = results.read(f"report-{name}")["found"]
        kept = {key for part in named for key in PARTS[part]} or set(found)
        return {key: each for key, each in found.items() if key in kept}


Check = Callable[[Output], None]


class Key(NamedTuple):
    """What a check is bound to: a row, and a command that shows it."""

    told: str
    command: str


CHECKS: dict[Key, Check] = {}


def shows(told: str, command: str) -> Callable[[Check], Check]:
    """Bind a check to a row and a command."""

    def bind(check: Check) -> Check:
        key = Key(told, command)
        assert key not in CHECKS, key
        CHECKS[key] = check
        return check

    return bind


# ---- what is in a stored report -----------------------------------------------------------------


def nodes(compared: dict[str, Any], agent: str, step: int = -1) -> int:
    """Return the nodes of an agent in a comparison: at the last step, or another."""
    found: int = series(compared, agent)[step]["nodes"]
    return found


def series(compared: dict[str, Any], agent: str) -> list[dict[str, Any]]:
    """Return the steps of an agent in a comparison."""
    (found,) = (each["steps"] for each in compared["series"] if each["agent"] == agent)
    return list(found)


def row_of(table: dict[str, Any], first: str) -> dict[str, Any]:
    """Return the row of a table that begins with this cell."""
    (found,) = (row for row in table["rows"] if next(iter(row.values())) == first)
    return dict(found)


def match_of(found: dict[str, Any], one: str, other: str) -> dict[str, float]:
    """Return the share of points of one agent against another, and its lead in points if any."""
    for each in found["matches"]:
        low, share, high = each["score_low"], each["score"], each["score_high"]
        lead = (each["lead"] or {}).get("mean", 0)
        if (each["a"], each["b"]) == (one, other):
            return {"low": low, "share": share, "high": high, "lead": lead}
        if (each["a"], each["b"]) == (other, one):
            return {"low": 1 - high, "share": 1 - share, "high": 1 - low, "lead": -lead}
    raise LookupError(f"{one} did not play {other}")


# ---- trees and sections --------------------------------------------------------------------------


def walk(node: dict[str, Any]) -> Iterable[dict[str, Any]]:
    """Yield a node of `plywise tree --json` and all below it."""
    yield node
    for child in node["children"]:
        yield from walk(child)


def section(link: str) -> str:
    """Return the part of a page that a link leads to, or all of it."""
    name, _, anchor = link.partition("#")
    text = (DOCS / name).read_text(encoding="utf-8")
    if not anchor:
        return text
    for part in text.split("\n## ")[1:]:
        heading = part.partition("\n")[0]
        if heading.lower().replace(" ", "-") == anchor:
            return part
    raise LookupError(f"{name} has no section {anchor}")
