"""Every colour of plywise: light and dark, and how a role is painted.

The hues are those of Okabe and Ito, which people with any kind of colour vision tell apart,
made lighter or darker where the ground asks for it; tests/views/test_theme.py holds the contrasts.
No two things differ by colour alone: marks and discs also differ in their shape.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import NamedTuple

from plywise.core.scene import Role, Scene, Shape
from plywise.errors import SpecError, suggest

FONT = "system-ui, 'Segoe UI', Roboto, 'Helvetica Neue', Arial, sans-serif"
OUTLINE = 0.045  #: the width of outlines, in board units

#: What stands for the glyphs of a text board where there is only ASCII.
ASCII = {"·": ".", "●": "X", "○": "O", "◦": "+", "★": "*"}


class Paint(NamedTuple):
    """How a shape is drawn; strokes and letters have only the first colour."""

    colour: str
    outline: str | None = None


@dataclass(frozen=True)
class Player:
    """A player's colours: of areas, of what is around them and on them, of strokes, of trails."""

    fill: str
    rim: str
    detail: str
    ink: str
    trail: str


@dataclass(frozen=True)
class Palette:
    """The colours of a board and of what lies on it."""

    board: str
    edge: str
    cell: str
    grid: str
    last: str
    winning: str
    players: tuple[Player, Player]
    legal: str | None = None  #: unless it is that of the theme


@dataclass(frozen=True)
class Theme:
    """All colours there are, for a light or a dark page."""

    name: str
    page: str
    text: str
    muted: str  #: coordinates
    legal: str
    best: str
    threat: str
    dead: str
    palettes: Mapping[str, Palette]

    def paint(self, scene: Scene, shape: Shape) -> Paint:
        """The colours of a shape: its first role says which, its shade how much of it."""
        colour, outline = self._paint(scene, shape)
        if shape.shade == 1.0:
            return Paint(colour, outline)
        faded = None if outline is None else _mixed(outline, self.page, shape.shade)
        return Paint(_mixed(colour, self.page, shape.shade), faded)

    def _paint(self, scene: Scene, shape: Shape) -> Paint:
        palette = self.palettes[scene.palette]
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
    """So much of one colour, the rest of the other.

    >>> _mixed("#ff0000", "#ffffff", 0.2)
    '#ffcccc'
    """
    pairs = [(int(colour[i : i + 2], 16), int(page[i : i + 2], 16)) for i in (1, 3, 5)]
    return "#" + "".join(f"{round(share * one + (1 - share) * two):02x}" for one, two in pairs)


def _stroked(shape: Shape) -> bool:
    """Is it drawn with a pen, and not filled?"""
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
    palettes={
        "discs": Palette(
            board="#0b4f8f",
            edge="#07345f",
            cell="#e9eef3",
            grid="#07345f",
            last="#ffffff",
            winning="#ffffff",
            players=(
                Player(
                    fill="#e8622a", rim="#8f3207", detail="#b5400f", ink="#d55e00", trail="#f2b48a"
                ),
                Player(
                    fill="#f5d93b", rim="#8a6a00", detail="#bd9400", ink="#8a6a00", trail="#f3e6a0"
                ),
            ),
        ),
        "ink": Palette(
            board="#ffffff",
            edge="#aab3bd",
            cell="#ffffff",
            grid="#aab3bd",
            last="#fdf3d0",
            winning="#1c2128",
            players=(
                Player(
                    fill="#d55e00", rim="#8f3f00", detail="#8f3f00", ink="#d55e00", trail="#f2b48a"
                ),
                Player(
                    fill="#0072b2", rim="#004a75", detail="#004a75", ink="#0072b2", trail="#9ccbe8"
                ),
            ),
        ),
        "garden": Palette(
            board="#f5f6f0",
            edge="#b9c2ad",
            cell="#f5f6f0",
            grid="#ccd3c2",
            last="#ffffff",
            winning="#1c2128",
            players=(
                Player(
                    fill="#e0702a", rim="#6b2c00", detail="#6b2c00", ink="#8f3f00", trail="#f2b48a"
                ),
                Player(
                    fill="#3d9bd4", rim="#00385a", detail="#00385a", ink="#004a75", trail="#9ccbe8"
                ),
            ),
        ),
        "net": Palette(
            board="#3a4652",
            edge="#3a4652",
            cell="#ffffff",
            grid="#9aa5b1",
            last="#fbe7a1",
            winning="#1c2128",
            players=(
                Player(
                    fill="#d55e00", rim="#8f3f00", detail="#8f3f00", ink="#d55e00", trail="#f2b48a"
                ),
                Player(
                    fill="#0072b2", rim="#004a75", detail="#004a75", ink="#0072b2", trail="#9ccbe8"
                ),
            ),
        ),
        "stones": Palette(
            board="#ffffff",
            edge="#b39c6b",
            cell="#efe3c8",
            grid="#c9b68a",
            last="#e0572a",
            winning="#0072b2",
            players=(
                Player(
                    fill="#23282f", rim="#000000", detail="#5c6773", ink="#1c2128", trail="#a89f8c"
                ),
                Player(
                    fill="#ffffff", rim="#4c5763", detail="#aab3bd", ink="#5c6773", trail="#ffffff"
                ),
            ),
            legal="#c21f30",
        ),
    },
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
    palettes={
        "discs": Palette(
            board="#0f4c86",
            edge="#2f75b5",
            cell="#0b0e12",
            grid="#2f75b5",
            last="#ffffff",
            winning="#ffffff",
            players=(
                Player(
                    fill="#e8622a", rim="#8f3207", detail="#b5400f", ink="#f08a4b", trail="#b86a3a"
                ),
                Player(
                    fill="#f5d93b", rim="#8a6a00", detail="#bd9400", ink="#f5d93b", trail="#a8921f"
                ),
            ),
        ),
        "ink": Palette(
            board="#14181d",
            edge="#4c5763",
            cell="#14181d",
            grid="#4c5763",
            last="#2c2f26",
            winning="#e8ebee",
            players=(
                Player(
                    fill="#f08a4b", rim="#8f3f00", detail="#8f3f00", ink="#f08a4b", trail="#b86a3a"
                ),
                Player(
                    fill="#56b4e9", rim="#12608f", detail="#12608f", ink="#56b4e9", trail="#3f86b5"
                ),
            ),
        ),
        "garden": Palette(
            board="#1b2127",
            edge="#3a444e",
            cell="#1b2127",
            grid="#333c45",
            last="#ffffff",
            winning="#e8ebee",
            players=(
                Player(
                    fill="#f5a36b", rim="#3a1800", detail="#3a1800", ink="#ffc9a3", trail="#b86a3a"
                ),
                Player(
                    fill="#8fd0f5", rim="#06263b", detail="#06263b", ink="#c2e6fb", trail="#3f86b5"
                ),
            ),
        ),
        "net": Palette(
            board="#aab4be",
            edge="#aab4be",
            cell="#14181d",
            grid="#66727e",
            last="#4d4a2c",
            winning="#e8ebee",
            players=(
                Player(
                    fill="#f08a4b", rim="#8f3f00", detail="#8f3f00", ink="#f08a4b", trail="#b86a3a"
                ),
                Player(
                    fill="#56b4e9", rim="#12608f", detail="#12608f", ink="#56b4e9", trail="#3f86b5"
                ),
            ),
        ),
        "stones": Palette(
            board="#14181d",
            edge="#4c5763",
            cell="#2a323b",
            grid="#4c5763",
            last="#e0572a",
            winning="#56b4e9",
            players=(
                Player(
                    fill="#05070a", rim="#98a3ae", detail="#4c5763", ink="#98a3ae", trail="#0b0e12"
                ),
                Player(
                    fill="#f2f4f6", rim="#98a3ae", detail="#98a3ae", ink="#f2f4f6", trail="#7b858f"
                ),
            ),
            legal="#ff6b6b",
        ),
    },
)

THEMES = {theme.name: theme for theme in (LIGHT, DARK)}


def find_theme(name: str) -> Theme:
    """A theme by its name."""
    if name not in THEMES:
        raise SpecError(f"there is no theme {name!r}: {suggest(name, THEMES)}")
    return THEMES[name]
