"""What a search thinks, laid over a Scene: the result is a Scene again, for any view."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from plywise.core.analysis import Analysis, ScoreKind, own_figure
from plywise.core.analysis import Line as ScoredMove
from plywise.core.scene import Circle, Label, Path, Role, Scene, Shape, Target

LAYER = 9  #: above whatever a game draws


def marked(
    scene: Scene,
    analysis: Analysis | None = None,
    *,
    legal: bool = False,
    why: Sequence[Shape] = (),
) -> Scene:
    """The Scene with the legal moves, or with what is known of them and the best one marked.

    `why` is what a game shows beside a move that it explains, see `marks_of`.
    """
    lines = {} if analysis is None else {line.move: line for line in analysis.lines}
    best = None if analysis is None else analysis.best
    shapes: list[Shape] = [*why]
    for target in scene.targets:
        line = lines.get(target.move)
        if target.move == best:
            shapes.append(_ring(target))
        if analysis is not None and line is not None:
            shapes.append(_figure(target, score_text(line, analysis.score_kind), best))
        elif legal and target.move != best:
            shapes.append(_dot(target))
    return replace(scene, shapes=(*scene.shapes, *shapes))


def score_text(line: ScoredMove, kind: ScoreKind) -> str:
    """A move's score in a few letters: `W7` wins in 7 plies, `=` draws, else a figure.

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


def _ring(target: Target) -> Shape:
    if target.outline:
        return _outline(target, 0.13, f"best {target.move}", ("best", "legal"), "★")
    radius, width = 0.85 * target.room, 0.2 * target.room
    return Circle(
        target.at,
        radius,
        width,
        id=f"best {target.move}",
        roles=("best", "legal"),
        layer=LAYER,
        glyph="★",
    )


def _dot(target: Target) -> Shape:
    if target.outline:
        return _outline(target, 0.07, f"legal {target.move}", ("legal",), "◦")
    return Circle(
        target.at,
        0.22 * target.room,
        id=f"legal {target.move}",
        roles=("legal",),
        layer=LAYER,
        glyph="◦",
    )


def _outline(target: Target, width: float, name: str, roles: tuple[Role, ...], glyph: str) -> Shape:
    stroke = (*target.outline, target.outline[0])
    return Path((stroke,), width, id=name, roles=roles, layer=LAYER, glyph=glyph)


def _figure(target: Target, text: str, best: str | None) -> Shape:
    size = target.room * min(0.8, 2.1 / len(text))
    return Label(
        target.at,
        text,
        size,
        id=f"score {target.move}",
        roles=("score", "best") if target.move == best else ("score",),
        layer=LAYER + 1,
        glyph=text,
    )
