"""Pieces of HTML for notebooks, in the light or dark theme of the page around them.

Every colour is a variable that falls back to the light theme; a style sheet of one rule sets the
variables where the page is dark. So a page that removes style sheets shows the light theme.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Sequence
from dataclasses import replace
from html import escape

from plywise.core.analysis import Analysis, Line, ScoreKind
from plywise.core.palette import INK, Palettes
from plywise.core.scene import Scene
from plywise.kit.words import counted
from plywise.views.css import colours, declared, symbolic
from plywise.views.marks import score_text
from plywise.views.svg import draw_svg
from plywise.views.theme import DARK, FONT, LIGHT

#: How notebooks say that they are dark: JupyterLab, VS Code, Colab, and our own documentation.
_DARK_PAGES = (
    '[data-jp-theme-light="false"]',
    ".vscode-dark",
    ".vscode-high-contrast",
    '[theme="dark"]',
    '[data-md-color-scheme="slate"]',
)
FEW = 12  #: rows that are shown before the others have to be opened
LONGEST = 10  #: moves of a line that are shown
_BAR = "display:inline-block;vertical-align:middle;width:6em;height:0.7em;border-radius:0.2em;"

_TEXT, _MUTED = f"var(--text, {LIGHT.text})", f"var(--muted, {LIGHT.muted})"
_BEST, _DEAD = f"var(--best, {LIGHT.best})", f"var(--dead, {LIGHT.dead})"
_PAGE = f"var(--page, {LIGHT.page})"
_FRAME = f"background:{_PAGE};color:{_TEXT};font-family:{FONT};padding:0.5em;max-width:60em;"
_TABLE = "border-collapse:collapse;margin:0.3em 0;font-size:inherit"
_CELL = "padding:0.15em 0.8em 0.15em 0;border:0;background:none;vertical-align:top;text-align:left;"


def framed(*parts: str, palette: Palettes = INK) -> str:
    """Return parts one below the other, with the colours of a dark page."""
    dark = declared(colours(DARK, palette))
    name = f"plywise-{hashlib.sha256(dark.encode()).hexdigest()[:8]}"
    rule = f":is({', '.join(_DARK_PAGES)}) .{name} {{ {dark} }}"
    return f'<div class="{name}" style="{_FRAME}"><style>{rule}</style>{"".join(parts)}</div>'


def picture(scene: Scene) -> str:
    """Draw a Scene, for a frame with its palette."""
    theme, palette = symbolic(scene.palette)
    return draw_svg(replace(scene, palette=palette), theme)


def heading(text: str, below: str = "") -> str:
    """Return a heading, with a line of details below it."""
    small = f'<div style="color:{_MUTED};font-size:0.9em">{escape(below)}</div>' if below else ""
    return f'<div style="margin-bottom:0.4em"><strong>{escape(text)}</strong>{small}</div>'


def table(head: Sequence[str], rows: Sequence[Sequence[str]], few: int = FEW) -> str:
    """Return a table of texts, or of pieces made by `bar`; after a few rows the rest is folded."""
    found = _table(head, rows[:few])
    if len(rows) <= few:
        return found
    more = f'<summary style="cursor:pointer;color:{_MUTED}">{len(rows) - few} more</summary>'
    return f"{found}<details>{more}{_table(head, rows[few:])}</details>"


class Piece(str):
    """HTML that is put into a table as it is."""


def bar(shares: Iterable[tuple[float, str]]) -> Piece:
    """Return a bar of shares that add up to 1, each with its colour."""
    stops, at = [], 0.0
    for share, colour in shares:
        stops.append(f"{colour} {100 * at:.1f}% {100 * (at + share):.1f}%")
        at += share
    return Piece(f'<span style="{_BAR}background:linear-gradient(90deg,{",".join(stops)})"></span>')


def expected(value: float) -> Piece:
    """Return a bar for a value from -1 to 1: the share of the point that may be expected."""
    share = (1 + value) / 2
    return bar([(share, _BEST), (1 - share, _DEAD)])


def results(wins: float, draws: float, losses: float) -> Piece:
    """Return a bar of won, drawn and lost games."""
    whole = (wins + draws + losses) or 1
    return bar([(wins / whole, _BEST), (draws / whole, _MUTED), (losses / whole, _DEAD)])


def _table(head: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    def row(tag: str, cells: Sequence[str], style: str) -> str:
        texts = (cell if isinstance(cell, Piece) else escape(cell) for cell in cells)
        whole = "".join(f'<{tag} style="{style}">{text}</{tag}>' for text in texts)
        return f"<tr>{whole}</tr>"

    top = row("th", head, f"{_CELL}color:{_MUTED};font-weight:normal") if any(head) else ""
    body = "".join(row("td", cells, f"{_CELL}color:{_TEXT}") for cells in rows)
    return f'<table style="{_TABLE}">{top}{body}</table>'


# ---- analyses ------------------------------------------------------------------------------


def analysis_html(analysis: Analysis) -> str:
    """Draw an Analysis: the verdict, and every scored move with its line, the best first."""
    effort = f"depth {analysis.depth}, {analysis.nodes:,} nodes, {analysis.seconds:.2f} s"
    best = analysis.line
    if analysis.best is None:
        return framed(heading("No move", effort))
    others = [line for line in analysis.lines if line.move != analysis.best]
    known = next((line for line in analysis.lines if line.move == analysis.best), best)
    lines = [known, *sorted(others, key=_worth, reverse=True)]
    rows = [
        [
            line.move,
            _score(line, analysis.score_kind),
            expected(line.value),
            " ".join([*line.pv[:LONGEST], *(["..."] if len(line.pv) > LONGEST else [])]),
        ]
        for line in lines
    ]
    said = heading(f"{analysis.best}: {_verdict(best)}", effort)
    return framed(said, table(["move", "score", "", "line"], rows))


def _worth(line: Line) -> tuple[float, float, float]:
    """Return a sort key: the better result, the faster win or the slower loss, the score."""
    plies = line.plies_to_end or 0
    return line.value, plies if line.value < 0 else -plies, line.score


def _score(line: Line, kind: ScoreKind) -> str:
    text = score_text(line, kind, None)
    return _verdict(line) if text in ("W", "L") else text


def _verdict(line: Line) -> str:
    """Say what a move brings, for the player who makes it; an analysis knows plies alone."""
    if line.outcome is None:
        return f"{50 * (1 + line.value):.0f} % expected"
    if line.outcome == "draw":
        return "draws"
    verb = "wins" if line.outcome == "win" else "loses"
    return (
        verb
        if line.plies_to_end is None
        else f"{verb} in {counted(line.plies_to_end, 'ply', 'plies')}"
    )
