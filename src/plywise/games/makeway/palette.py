"""White dots on dark lines."""

from __future__ import annotations

from plywise.core.palette import Palette, Palettes, Player

PALETTE = Palettes(
    "net",
    light=Palette(
        board="#3a4652",
        edge="#3a4652",
        cell="#ffffff",
        grid="#9aa5b1",
        last="#fbe7a1",
        winning="#1c2128",
        players=(
            Player(fill="#d55e00", rim="#8f3f00", detail="#8f3f00", ink="#d55e00", trail="#f2b48a"),
            Player(fill="#0072b2", rim="#004a75", detail="#004a75", ink="#0072b2", trail="#9ccbe8"),
        ),
    ),
    dark=Palette(
        board="#aab4be",
        edge="#aab4be",
        cell="#14181d",
        grid="#66727e",
        last="#4d4a2c",
        winning="#e8ebee",
        players=(
            Player(fill="#f08a4b", rim="#8f3f00", detail="#8f3f00", ink="#f08a4b", trail="#b86a3a"),
            Player(fill="#56b4e9", rim="#12608f", detail="#12608f", ink="#56b4e9", trail="#3f86b5"),
        ),
    ),
)
