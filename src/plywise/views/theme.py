"""The colours of a page, light and dark, and how roles are painted; boards have their own palette.

The hues are those of Okabe and Ito, which people with any kind of colour vision can tell apart,
made lighter or darker to suit the background; tests/views/test_theme.py checks the contrasts.
Nothing differs by colour alone: marks and discs also differ in shape.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

from plywise.core.palette import Palette
from plywise.core.scene import Role, Scene, Shape
from plywise.errors import SpecError, suggest

FONT = "system-ui, 'Segoe UI', Roboto, 'Helvetica Neue', Arial, sans-serif"
OUTLINE = 0.045  #: the width of outlines, in board units

#: ASCII replacements for the glyphs of a text board.
ASCII = {"·": ".", "●": "X", "○": "O", "◦": "+", "★": "*", "•": "o", "─": "-", "│": "|"}


class Paint(NamedTuple):
    """The colours of a shape; strokes and text use only the first."""

    colour: str
    outline: str | None = None


@dataclass(frozen=True)
class Theme:
    """The colours of a light or a dark page."""

    name: str
    page: str
    text: str
    muted: str  #: coordinates
    legal: str
    best: str
    threat: str
    dead: str

    def palette(self, scene: Scene) -> Palette:
        """Return the colours of a board in this theme."""
        return scene.palette.under(self.name)

    def paint(self, scene: Scene, shape: Shape) -> Paint:
        """Return the colours of a shape, by its first role and its shade."""
        colour, outline = self._paint(scene, shape)
        if shape.shade == 1.0:
            return Paint(colour, outline)
        faded = None if outline is None else _mixed(outline, self.page, shape.shade)
        return Paint(_mixed(colour, self.page, shape.shade), faded)

    def _paint(self, scene: Scene, shape: Shape) -> Paint:
        palette = self.palette(scene)
        player = None if shape.owner is None else palette.players[shape.owner]
        role: Role = shape.roles[0]
        if role == "board":
            return Paint(palette.board, palette.edge)
        if role == "stone" and player is not None:
            return Paint(player.ink) if _stroked(shape) else Paint(player.fill, player.rim)
        if role == "detail" and player is not None:
            return Paint(player.detail)
        if role == "trail" and player is not None:
            return Paint(player.trail)
        if role == "last":
            return Paint(palette.last, None if player is None else player.rim)
        colours: dict[Role, str] = {
            "cell": palette.cell,
            "grid": palette.grid,
            "winning": palette.winning,
            "legal": palette.legal or self.legal,
            "best": self.best,
            "threat": self.threat,
            "dead": self.dead,
            "coordinate": self.muted,
        }
        return Paint(colours.get(role, self.text))


def _mixed(colour: str, page: str, share: float) -> str:
    """Mix two colours; `share` is that of the first. Where they are variables, the page does it.

    >>> _mixed("#ff0000", "#ffffff", 0.2)
    '#ffcccc'
    """
    if not colour.startswith("#"):
        return f"color-mix(in srgb, {colour} {100 * share:g}%, {page})"
    pairs = [(int(colour[i : i + 2], 16), int(page[i : i + 2], 16)) for i in (1, 3, 5)]
    return "#" + "".join(f"{round(share * one + (1 - share) * two):02x}" for one, two in pairs)


def _stroked(shape: Shape) -> bool:
    """Return True for a shape that is stroked, not filled."""
    return getattr(shape, "width", 0.0) > 0


LIGHT = Theme(
    name="light",
    page="#ffffff",
    text="#1c2128",
    muted="#5c6773",
    legal="#5c6773",
    best="#007a59",
    threat="#d55e00",
    dead="#c3cad2",
)

DARK = Theme(
    name="dark",
    page="#14181d",
    text="#e8ebee",
    muted="#98a3ae",
    legal="#98a3ae",
    best="#2fd0a0",
    threat="#f08a4b",
    dead="#4a535d",
)

THEMES = {theme.name: theme for theme in (LIGHT, DARK)}


def find_theme(name: str) -> Theme:
    """Return a theme by name."""
    if name not in THEMES:
        raise SpecError(f"there is no theme {name!r}: {suggest(name, THEMES)}")
    return THEMES[name]
