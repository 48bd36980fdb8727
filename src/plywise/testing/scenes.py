"""The law of pictures: a scene shows exactly the legal moves, and every view can draw it."""

from __future__ import annotations

import json
from xml.etree import ElementTree

from plywise.core.position import Position
from plywise.core.scene import Point, Scene, scene_of
from plywise.testing.sample import Sample, demand
from plywise.views import draw_svg, draw_text, marked
from plywise.views.text import Terminal

ENOUGH = 100  #: positions of a sample to check
BUTTONS = 4  #: moves without a target
SLACK = 0.001  #: a shape may touch the frame
WIDTH = 80  #: columns of a terminal
PLACES = (
    Terminal(),
    Terminal(marks=True, width=WIDTH),
    Terminal(unicode=True, colours="truecolor", marks=True, width=WIDTH, height=24),
)


def check_scenes(sample: Sample, enough: int = ENOUGH) -> None:
    """Check that each legal move has one target, shapes are in the frame, and views can draw it.

    A game without its own Scene is drawn by its text board, which has no targets. A few moves that
    point nowhere, such as a pass, need none: they are offered as buttons.
    """
    ends = [positions[-1] for positions in sample.games]
    for position in (ends[: enough // 2] + sample.some(enough))[:enough]:
        scene = scene_of(position)
        if sample.game.type.scene is not None:
            _check_targets(position, scene)
        _check_shapes(position, scene)
        _check_views(position, scene)


def _check_targets(position: Position, scene: Scene) -> None:
    moves = [target.move for target in scene.targets]
    why = f"the targets are {sorted(moves)}, the legal moves {sorted(position.legal)}"
    missing = set(position.legal) - set(moves)
    once = len(moves) == len(set(moves)) and set(moves) <= set(position.legal)
    demand(once and len(missing) <= BUTTONS, "scenes", position, why)
    names = {shape.id for shape in scene.shapes}
    taken: dict[tuple[str, ...], str] = {}
    for target in scene.targets:
        there = 1 <= len(target.shapes) <= 2 and names.issuperset(target.shapes)
        why = f"the target of {target.move!r} must name one or two shapes, not {target.shapes}"
        demand(there, "scenes", position, why)
        other = taken.setdefault(target.shapes, target.move)
        why = f"{target.shapes} stands for both {other!r} and {target.move!r}"
        demand(other == target.move, "scenes", position, why)
        inside = _inside((*target.at, *target.at), scene) and _shown(target.at, scene)
        why = f"the target of {target.move!r} is outside the frame, at {target.at}"
        demand(inside, "scenes", position, why)


def _check_shapes(position: Position, scene: Scene) -> None:
    shapes = (*scene.shapes, *scene.coordinates)
    names = [shape.id for shape in shapes]
    if len(set(names)) < len(names):
        twice = sorted({name for name in names if names.count(name) > 1})
        demand(False, "scenes", position, f"ids are used twice: {twice}")
    own = position.game.type.palette
    why = f"the scene has the palette {scene.palette.name!r}, but its game has {own.name!r}"
    demand(scene.palette == own, "scenes", position, why)
    for shape in shapes:
        demand(shape.roles, "scenes", position, f"{shape.id!r} has no role")
        where = f"{shape.id!r} is not inside the frame {scene.size}: {shape.box}"
        demand(_inside(shape.box, scene), "scenes", position, where)
    moving = scene.motion is None or set(scene.motion.shapes) <= set(names)
    demand(moving, "scenes", position, f"the motion names unknown shapes: {scene.motion}")


def _inside(box: tuple[float, ...], scene: Scene) -> bool:
    left, top, right, bottom = box
    width, height = scene.size
    return -SLACK <= left <= right <= width + SLACK and -SLACK <= top <= bottom <= height + SLACK


def _shown(at: Point, scene: Scene) -> bool:
    """True if a point is in the part of a board that is shown."""
    if scene.window is None:
        return True
    left, top, right, bottom = scene.window.box
    return left <= at[0] <= right and top <= at[1] <= bottom


def _check_views(position: Position, scene: Scene) -> None:
    for place in PLACES:
        text = draw_text(scene, place)
        demand(text.strip() or not scene.shapes, "scenes", position, "the text is empty")
    data = json.loads(json.dumps(scene.to_json(), allow_nan=False))
    complete = len(data["shapes"]) == len(scene.shapes)
    demand(complete, "scenes", position, "shapes are missing from the JSON")
    try:
        ElementTree.fromstring(draw_svg(marked(scene, legal=True)))
    except ElementTree.ParseError as error:
        demand(False, "scenes", position, f"the SVG is not well-formed: {error}")
