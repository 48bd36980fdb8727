"""Black and white stones on wood; legal moves are red, as in the paper."""

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
        cell="#2a323b",
        grid="#4c5763",
        last="#e0572a",
        winning="#56b4e9",
        players=(
            Player(fill="#05070a", rim="#98a3ae", detail="#4c5763", ink="#98a3ae", trail="#0b0e12"),
            Player(fill="#f2f4f6", rim="#98a3ae", detail="#98a3ae", ink="#f2f4f6", trail="#7b858f"),
        ),
        legal="#ff6b6b",
    ),
)
