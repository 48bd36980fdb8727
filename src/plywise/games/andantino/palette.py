"""Black and white stones on wood, which is dark enough for white and light enough for black.

Legal moves are red, as in the paper.
"""

from __future__ import annotations

from plywise.core.palette import Palette, Palettes, Player

PALETTE = Palettes(
    "stones",
    light=Palette(
        board="#ffffff",
        edge="#b39c6b",
        cell="#efe3c8",
        grid="#c9b68a",
        last="#e0572a",
        winning="#0072b2",
        players=(
            Player(fill="#23282f", rim="#000000", detail="#5c6773", ink="#1c2128", trail="#a89f8c"),
            Player(fill="#ffffff", rim="#4c5763", detail="#aab3bd", ink="#5c6773", trail="#ffffff"),
        ),
        legal="#c21f30",
    ),
    dark=Palette(
        board="#14181d",
        edge="#4c5763",
        cell="#6b5c3f",
        grid="#3b3222",
        last="#e0572a",
        winning="#7cc8f2",
        players=(
            Player(fill="#05070a", rim="#98a3ae", detail="#4c5763", ink="#98a3ae", trail="#1c170d"),
            Player(fill="#f2f4f6", rim="#3b3222", detail="#98a3ae", ink="#f2f4f6", trail="#b3a685"),
        ),
        legal="#ff9d9d",
    ),
)
