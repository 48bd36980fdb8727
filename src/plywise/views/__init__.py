"""Draws Scenes as text, SVG, PNG and animated PNG, whatever the game."""

from __future__ import annotations

from plywise.views.animation import draw_apng
from plywise.views.html import analysis_html
from plywise.views.marks import marked, shows_legal
from plywise.views.png import draw_png
from plywise.views.svg import draw_svg
from plywise.views.text import draw_text, terminal

__all__ = [
    "analysis_html",
    "draw_apng",
    "draw_png",
    "draw_svg",
    "draw_text",
    "marked",
    "shows_legal",
    "terminal",
]
