"""A blue frame, and discs in orange and yellow."""

from __future__ import annotations

from plywise.core.palette import Palette, Palettes, Player

PALETTE = Palettes(
    "discs",
    light=Palette(
        board="#0b4f8f",
        edge="#07345f",
        cell="#e9eef3",
        grid="#07345f",
        last="#ffffff",
        winning="#ffffff",
        players=(
            Player(fill="#e8622a", rim="#8f3207", detail="#b5400f", ink="#d55e00", trail="#f2b48a"),
            Player(fill="#f5d93b", rim="#8a6a00", detail="#bd9400", ink="#8a6a00", trail="#f3e6a0"),
        ),
    ),
    dark=Palette(
        board="#0f4c86",
        edge="#2f75b5",
        cell="#0b0e12",
        grid="#2f75b5",
        last="#ffffff",
        winning="#ffffff",
        players=(
            Player(fill="#e8622a", rim="#8f3207", detail="#b5400f", ink="#f08a4b", trail="#b86a3a"),
            Player(fill="#f5d93b", rim="#8a6a00", detail="#bd9400", ink="#f5d93b", trail="#a8921f"),
        ),
    ),
    choice=("red", "yellow"),
)
