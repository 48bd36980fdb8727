"""How the site reads our docstrings: examples become code blocks, fields have a line of their own.

What stands under `Attributes:` in the docstring of a class describes its fields; elsewhere a `#:`
comment does.

Three functions are shown under the names that `plywise` gives them.
"""

from __future__ import annotations

import re
from typing import Any

import griffe

#: Functions that are public under another name than their own.
NAMES = {
    "plywise.engines.make": "engine",
    "plywise.games.make": "game",
    "plywise.play.series.play_match": "match",
}


class Docstrings(griffe.Extension):
    """Reads what Markdown alone would not understand."""

    def on_object(self, *, obj: griffe.Object, **rest: Any) -> None:
        """Prepare one object's name and docstring."""
        obj.name = NAMES.get(obj.path, obj.name)
        if obj.docstring is not None:
            obj.docstring.value = fenced(obj.docstring.value)
        elif obj.is_attribute and (words := comment(obj)):
            obj.docstring = griffe.Docstring(words, parent=obj)

    def on_class(self, *, cls: griffe.Class, **rest: Any) -> None:
        """Give the fields of a class the words that its docstring has for them."""
        if cls.docstring is None:
            return
        cls.docstring.value, fields = split(cls.docstring.value)
        for name, words in fields.items():
            member = cls.members[name]
            member.docstring = griffe.Docstring(words, parent=member)


def split(text: str) -> tuple[str, dict[str, str]]:
    """Return a docstring without its attributes, and the words for each of them."""
    before, found, attributes = text.partition("\nAttributes:\n")
    if not found:
        return text, {}
    entries = re.split(r"^    (?=\w+: )", attributes, flags=re.MULTILINE)[1:]
    pairs = (entry.partition(": ") for entry in entries)
    return before.rstrip(), {name: " ".join(words.split()) for name, _, words in pairs}


def fenced(text: str) -> str:
    """Put the interactive sessions of a text in fences."""
    lines: list[str] = []
    inside = False
    for line in [*text.splitlines(), ""]:
        if not inside and line.startswith(">>>"):
            lines.append("```pycon")
            inside = True
        elif inside and not line.strip():
            lines.append("```")
            inside = False
        lines.append(line)
    return "\n".join(lines[:-1])


def comment(field: griffe.Object) -> str:
    """The `#:` comment behind a field, or the one in the lines above it."""
    if not isinstance(field.filepath, list) and field.lineno is not None:
        lines = field.filepath.read_text(encoding="utf-8").splitlines()
        _, found, words = lines[(field.endlineno or field.lineno) - 1].partition("#: ")
        if found:
            return words
        above: list[str] = []
        for line in reversed(lines[: field.lineno - 1]):
            if not line.strip().startswith("#:"):
                break
            above.insert(0, line.strip().removeprefix("#:").strip())
        return " ".join(above)
    return ""
