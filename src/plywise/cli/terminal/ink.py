"""Lines of text with colour codes in them: measured, cut and put together."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

RESET = "\x1b[0m"
_CODE = re.compile(r"(\x1b\[[0-9;]*m)")


@dataclass(frozen=True)
class Ink:
    """Applies rich styles ('bold red', '#e8622a'), if the terminal has colours."""

    colours: str | None

    def __call__(self, text: str, style: str) -> str:
        """Return the text in a style."""
        if self.colours is None or not text:
            return text
        from rich.console import COLOR_SYSTEMS
        from rich.style import Style

        return Style.parse(style).render(text, color_system=COLOR_SYSTEMS[self.colours])


def plain(text: str) -> str:
    """Return a line without its colour codes."""
    return _CODE.sub("", text)


def width(text: str) -> int:
    """Return how many columns a line takes."""
    from rich.cells import cell_len

    return cell_len(plain(text))


def cut(text: str, columns: int, start: int = 0) -> str:
    """Return the part of a line in these columns, with its colours.

    >>> red, off = chr(27) + "[31m", RESET
    >>> plain(cut(f"{red}abc{off}def", 3, 1))
    'bcd'
    """
    if start == 0 and width(text) <= columns:
        return text
    parts, at = [], 0
    for part in _CODE.split(text):
        if part.startswith("\x1b"):
            parts.append(part)
            continue
        for letter in part:
            room = width(letter)
            if start <= at and at + room <= start + columns:
                parts.append(letter)
            at += room
    return "".join(parts) + (RESET if "\x1b" in text else "")


def side_by_side(left: Sequence[str], right: Sequence[str], gap: int) -> list[str]:
    """Put two blocks of lines next to each other, with a gap between them."""
    column = max(map(width, left), default=0) + gap
    height = max(len(left), len(right))
    lines = []
    for row in range(height):
        one = left[row] if row < len(left) else ""
        two = right[row] if row < len(right) else ""
        lines.append(f"{one}{' ' * (column - width(one))}{two}" if two else one)
    return lines


def offset(whole: int, part: int, share: float) -> int:
    """Return where to start showing a part, so that the point at this share is inside.

    >>> offset(40, 20, 0.1), offset(40, 20, 0.6), offset(40, 20, 1.0)
    (0, 7, 20)
    """
    ahead = 3  # how much is shown beyond the point
    return max(0, min(round(share * whole) + ahead - part, whole - part))


def crop(
    lines: list[str], columns: int, rows: int, across: float, down: float, labels: int = 0
) -> list[str]:
    """Return what fits of a picture, with the point at these shares of it inside.

    The last lines are labels, which stay.
    """
    if len(lines) > rows:
        top = offset(len(lines), rows - labels, down)
        lines = [*lines[top : top + rows - labels], *lines[len(lines) - labels :]]
    whole = max(map(width, lines), default=0)
    if whole > columns:
        left = offset(whole, columns, across)
        lines = [cut(line, columns, left) for line in lines]
    return lines


def wrap(texts: Iterable[str], columns: int) -> list[str]:
    """Wrap plain text to lines that fit; words that are too long are broken."""
    from textwrap import wrap as fold

    return [line for text in texts for line in fold(text, max(1, columns))]
