"""How the site reads our docstrings: examples become code blocks, `#:` comments describe fields.

Three functions are shown under the names that `plywise` gives them.
"""

from __future__ import annotations

from typing import Any

import griffe

#: Functions that are public under another name than their own.
NAMES = {
    "plywise.engines.make": "engine",
    "plywise.games.make": "game",
    "plywise.play.match.play_match": "match",
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
