"""Adds legal moves, the best move and scores to a Scene, for any view."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import lru_cache
from typing import NamedTuple

from plywise.core.analysis import Analysis, ScoreKind, moves_to_win, own_figure
from plywise.core.analysis import Line as ScoredMove
from plywise.core.game import Game
from plywise.core.position import Position
from plywise.core.scene import Circle, Label, Path, Role, Scene, Shape, Target, scene_of

LAYER = 9  #: above everything that a game draws
FEW = 0.5  #: legal moves are marked by default if at most this share of the empty cells is legal
GAMES = 128  #: games whose default is kept in memory


class Size(NamedTuple):
    """The size of a mark: a circle relative to its target's room, or the target's outline."""

    radius: float
    width: float  #: of the circle's line; 0: it is filled
    outline: float  #: the line width for a target that has an outline


BEST = Size(0.85, 0.2, 0.13)
LEGAL = Size(0.22, 0, 0.07)
SIZES: dict[Role, Size] = {"best": BEST, "legal": LEGAL}


def marked(
    position: Position,
    analysis: Analysis | None = None,
    *,
    legal: bool = False,
    why: Sequence[Shape] = (),
) -> Scene:
    """Return the Scene of a position with legal moves, their scores and the best move marked.

    A score stands inside the outline of a legal move; where the mark is a dot, it takes its place.
    Of several moves to one place, the best shows its score. `why` are the shapes with which a game
    explains a move, see `marks_of`.
    """
    scene = scene_of(position)
    lines = {} if analysis is None else {line.move: line for line in analysis.lines}
    best = None if analysis is None else analysis.best
    places = {target.move: target.at for target in scene.targets}
    ranked = sorted(lines.values(), key=lambda line: (line.move == best, line.value))
    shown = {places.get(line.move): line.move for line in ranked}  # the last at a place is the best
    shapes: list[Shape] = [*why]
    above: list[Shape] = []  # the best move covers the outlines beside it
    for target in scene.targets:
        line = lines.get(target.move)
        facts: tuple[Role, ...] = ()
        if target.move == best:
            facts = ("best",)
            above.append(_mark(target, BEST, ("best", "legal"), "★"))
        elif legal and (target.outline or line is None):
            facts = ("legal",)
            shapes.append(_mark(target, LEGAL, facts, "◦"))
        if analysis is not None and line is not None and shown[target.at] == target.move:
            text = score_text(line, analysis.score_kind, moves_to_win(position, line))
            above.append(_figure(target, text, facts))
    return replace(scene, shapes=(*scene.shapes, *shapes, *above))


@lru_cache(GAMES)
def shows_legal(game: Game) -> bool:
    """Return True if legal moves are marked by default, as the start position decides.

    They are where a glance at the board does not tell them: few of its empty cells are legal.

    >>> import plywise
    >>> shows_legal(plywise.game("andantino")), shows_legal(plywise.game("tictactoe"))
    (True, False)
    """
    scene = scene_of(game.start())
    stones = {shape.centre for shape in scene.shapes if shape.roles[0] == "stone"}
    cells = {shape.centre for shape in scene.shapes if shape.roles[0] == "cell"}
    return 0 < len(scene.targets) <= FEW * len(cells - stones)


def score_text(line: ScoredMove, kind: ScoreKind, moves: int | None) -> str:
    """Write a move's score in short: `W4` wins in 4 moves, `=` draws, else a number.

    `moves` are those of the winner. Exact scores and points are shown as they are, estimates as
    -100 .. 100.
    """
    if line.outcome is None:
        return f"{round(100 * line.value):+d}"
    if line.outcome == "draw":
        return "="
    exact = line.plies_to_end is not None if own_figure(kind) else abs(line.score) > 1
    if kind != "estimate" and exact:
        return f"{line.score:+g}"
    return f"{line.outcome[0].upper()}{moves or ''}"


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


def _figure(target: Target, text: str, facts: tuple[Role, ...]) -> Shape:
    return Label(
        target.at,
        text,
        score_size(text) * target.room,
        id=f"score {target.move}",
        roles=("score", *facts),
        layer=LAYER + 1,
        glyph=text,
    )
