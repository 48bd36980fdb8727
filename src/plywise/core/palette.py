"""The colours of a board and its pieces, in a light and a dark theme.

A game or a puzzle defines its own in its folder, or uses INK. The hues are those of Okabe and
Ito, which people with any kind of colour vision can tell apart.
"""

from __future__ import annotations

from dataclasses import dataclass, replace


@dataclass(frozen=True)
class Player:
    """A player's colours: of areas, their outlines and details, of strokes and of trails."""

    fill: str
    rim: str
    detail: str
    ink: str
    trail: str


Players = tuple[Player, Player]
Pair = tuple[str, str]


@dataclass(frozen=True)
class Palette:
    """The colours of a board and its pieces."""

    board: str
    edge: str
    cell: str
    grid: str
    last: str
    winning: str
    players: Players
    legal: str | None = None  #: the theme's by default


@dataclass(frozen=True)
class Palettes:
    """A board's colours in both themes; `name` is also its CSS class.

    `choice` has the names of the players' colours, if a person may choose between them. A game
    whose words or rules speak of its colours leaves it out.
    """

    name: str
    light: Palette
    dark: Palette
    choice: Pair | None = None

    @staticmethod
    def of(
        name: str, light: Players, dark: Players, choice: Pair | None = None, **colours: Pair
    ) -> Palettes:
        """Make both palettes: every colour of a board is given for the light and the dark theme."""
        lights, darks = ({part: pair[n] for part, pair in colours.items()} for n in range(2))
        return Palettes(
            name, Palette(**lights, players=light), Palette(**darks, players=dark), choice
        )

    def under(self, theme: str) -> Palette:
        """Return the colours in a theme."""
        return self.dark if theme == "dark" else self.light

    @property
    def swapped(self) -> Palettes:
        """The same board with the colours of the two players exchanged."""
        light, dark = (
            replace(each, players=each.players[::-1]) for each in (self.light, self.dark)
        )
        return Palettes(self.name, light, dark, self.choice)


#: Strokes on a white or a black page: for boards without colours of their own.
INK = Palettes.of(
    "ink",
    board=("#ffffff", "#14181d"),
    edge=("#aab3bd", "#4c5763"),
    cell=("#ffffff", "#14181d"),
    grid=("#aab3bd", "#4c5763"),
    last=("#fdf3d0", "#2c2f26"),
    winning=("#1c2128", "#e8ebee"),
    light=(
        Player(fill="#d55e00", rim="#8f3f00", detail="#8f3f00", ink="#d55e00", trail="#f2b48a"),
        Player(fill="#0072b2", rim="#004a75", detail="#004a75", ink="#0072b2", trail="#9ccbe8"),
    ),
    dark=(
        Player(fill="#f08a4b", rim="#8f3f00", detail="#8f3f00", ink="#f08a4b", trail="#b86a3a"),
        Player(fill="#56b4e9", rim="#12608f", detail="#12608f", ink="#56b4e9", trail="#3f86b5"),
    ),
)
