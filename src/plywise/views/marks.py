"""Adds legal moves, the best move and scores to a Scene, for any view."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import NamedTuple

from plywise.core.analysis import Analysis, ScoreKind, own_figure
from plywise.core.analysis import Line as ScoredMove
from plywise.core.scene import Circle, Label, Path, Role, Scene, Shape, Target

LAYER = 9  #: above everything that a game draws


class Size(NamedTuple):
    """The size of a mark: a circle relative to its target's room, or the target's outline."""

    radius: float
    width: float  #: of the circle's line; 0: it is filled
    outline: float  #: the line width for a target that has an outline


BEST = Size(0.85, 0.2, 0.13)
LEGAL = Size(0.22, 0, 0.07)
SIZES: dict[Role, Size] = {"best": BEST, "legal": LEGAL}


def marked(
    scene: Scene,
    analysis: Analysis | None = None,
    *,
    legal: bool = False,
    why: Sequence[Shape] = (),
) -> Scene:
    """Return the Scene with the legal moves marked, or with their scores and the best move.

    `why` are the shapes with which a game explains a move, see `marks_of`.
    """
    lines = {} if analysis is None else {line.move: line for line in analysis.lines}
    best = None if analysis is None else analysis.best
    shapes: list[Shape] = [*why]
    for target in scene.targets:
        line = lines.get(target.move)
        if target.move == best:
            shapes.append(_mark(target, BEST, ("best", "legal"), "★"))
        if analysis is not None and line is not None:
            shapes.append(_figure(target, score_text(line, analysis.score_kind), best))
        elif legal and target.move != best:
            shapes.append(_mark(target, LEGAL, ("legal",), "◦"))
    return replace(scene, shapes=(*scene.shapes, *shapes))


def score_text(line: ScoredMove, kind: ScoreKind) -> str:
    """Write a move's score in short: `W7` wins in 7 plies, `=` draws, else a number.

    Exact scores and points are shown as they are, estimates as -100 .. 100.
    """
    if line.outcome is None:
        return f"{round(100 * line.value):+d}"
    if line.outcome == "draw":
        return "="
    exact = line.plies_to_end is not None if own_figure(kind) else abs(line.score) > 1
    if kind != "estimate" and exact:
        return f"{line.score:+g}"
    return f"{line.outcome[0].upper()}{line.plies_to_end or ''}"


def score_size(text: str) -> float:
    """Return the text size of a score, relative to its target's room."""
    return min(0.8, 2.1 / len(text))


def _mark(target: Target, size: Size, roles: tuple[Role, ...], glyph: str) -> Shape:
    """Return a circle, or the target's outline if it has one."""
    name = f"{roles[0]} {target.move}"
    if target.outline:
        stroke = (*target.outline, target.outline[0])
        return Path((stroke,), size.outline, id=name, roles=roles, layer=LAYER, glyph=glyph)
    radius, width = size.radius * target.room, size.width * target.room
    return Circle(target.at, radius, width, id=name, roles=roles, layer=LAYER, glyph=glyph)


def _figure(target: Target, text: str, best: str | None) -> Shape:
    return Label(
        target.at,
        text,
        score_size(text) * target.room,
        id=f"score {target.move}",
        roles=("score", "best") if target.move == best else ("score",),
        layer=LAYER + 1,
        glyph=text,
    )
