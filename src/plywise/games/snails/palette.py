"""A green ground, and trails in orange and blue."""

from __future__ import annotations

from plywise.core.palette import Palette, Palettes, Player

PALETTE = Palettes(
    "garden",
    light=Palette(
        board="#f5f6f0",
        edge="#b9c2ad",
        cell="#f5f6f0",
        grid="#ccd3c2",
        last="#ffffff",
        winning="#1c2128",
        players=(
            Player(fill="#e0702a", rim="#6b2c00", detail="#6b2c00", ink="#8f3f00", trail="#f2b48a"),
            Player(fill="#3d9bd4", rim="#00385a", detail="#00385a", ink="#004a75", trail="#9ccbe8"),
        ),
    ),
    dark=Palette(
        board="#1b2127",
        edge="#3a444e",
        cell="#1b2127",
        grid="#333c45",
        last="#ffffff",
        winning="#e8ebee",
        players=(
            Player(fill="#f5a36b", rim="#3a1800", detail="#3a1800", ink="#ffc9a3", trail="#b86a3a"),
            Player(fill="#8fd0f5", rim="#06263b", detail="#06263b", ink="#c2e6fb", trail="#3f86b5"),
        ),
    ),
)
