"""Draws Scenes as text, SVG, PNG, animated PNG and JSON, whatever the game."""

from __future__ import annotations

from plywise.views.animation import draw_apng
from plywise.views.html import analysis_html
from plywise.views.json import draw_json
from plywise.views.marks import marked, shows_legal
from plywise.views.png import draw_png
from plywise.views.svg import draw_svg
from plywise.views.text import draw_text, terminal

__all__ = [
    "analysis_html",
    "draw_apng",
    "draw_json",
    "draw_png",
    "draw_svg",
    "draw_text",
    "marked",
    "shows_legal",
    "terminal",
]
