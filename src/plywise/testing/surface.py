"""Laws of what people read and see: texts are read back, scenes show the legal moves."""

from __future__ import annotations

import json
from xml.etree import ElementTree

from plywise.core.game import Game
from plywise.core.position import Position
from plywise.core.scene import Point, Scene, scene_of
from plywise.errors import MoveError
from plywise.testing.sample import Sample, demand, differences, outlook
from plywise.views import draw_svg, draw_text, marked
from plywise.views.text import Terminal

# ---- texts ---------------------------------------------------------------------------------------

ENOUGH = 60  #: positions of a sample to check
ON = 8  #: plies to play on from a position that was read


def check_move_texts(sample: Sample) -> None:
    """Check that move texts are distinct and read back as the same moves, alone and in a game."""
    game = sample.game
    for position in sample.some(ENOUGH):
        _check_moves_of(position)
    seen = set[int]()
    for position in sample:  # every move at least once, such as a pass that is rare
        if not position.over and not seen.issuperset(position.legal_codes):
            seen.update(position.legal_codes)
            _check_moves_of(position)
    for positions in sample.games:
        last = positions[-1]
        text = game.join_moves(last.moves)
        again = game.split_moves(text)
        demand(again == last.moves, "move texts", last, f"{text!r} is split into {again}")


def _check_moves_of(position: Position) -> None:
    texts = position.legal
    demand(len(set(texts)) == len(texts), "move texts", position, f"two are the same: {texts}")
    for move, text in zip(position.legal_codes, texts, strict=True):
        for written in (text, f" {text} "):
            try:
                read = position.code_of(written)
            except MoveError as error:
                demand(False, "move texts", position, f"it is written, but not read: {error}")
            demand(read == move, "move texts", position, f"{written!r} is read as {read}")


def check_position_texts(sample: Sample) -> None:
    """Check that a position read from its text is the same, also when play continues."""
    game, rng = sample.game, sample.random()
    ends = [positions[-1] for positions in sample.games]
    for position in sample.some(ENOUGH) + ends[:ENOUGH]:
        text = position.text
        read = game.from_text(text)
        demand(read.text == text, "position texts", position, f"{text!r} became {read.text!r}")
        original: Position = position
        for _ in range(ON):
            changed = differences(outlook(original), outlook(read))
            demand(not changed, "position texts", original, f"read from {text!r}: {changed}")
            if original.over:
                break
            move = rng.choice(original.legal_codes)
            original, read = original.play_code(move), read.play_code(move)


def check_words(sample: Sample) -> None:
    """Check that there is a drawing, a one-line reason, correct scores, and a sample game."""
    _check_sample_game(sample.game.type())
    for position in sample.some(ENOUGH):
        demand(str(position).strip() or not position.moves, "words", position, "draw gave no text")
        demand(position.reason is None, "words", position, "a reason, but the game is not over")
    for positions in sample.games:
        last = positions[-1]
        reason = last.reason or ""
        one_line = len(reason.splitlines()) == 1
        demand(one_line, "words", last, f"the reason {reason!r} is not one line")
        if last.scores is not None:
            first, second = last.scores
            fits = not last.game.points or first - second == last.margin
            demand(fits, "words", last, f"scores {last.scores}, but the margin is {last.margin}")


def _check_sample_game(game: Game) -> None:
    """Play the moves that pictures show, on the default board."""
    position = game.start()
    try:
        for move in game.split_moves(game.type.words.sample):
            position = position.play(move)
    except MoveError as error:
        demand(False, "words", position, f"Words.sample: {error}")


# ---- scenes --------------------------------------------------------------------------------------

DRAWN = 100  #: positions of a sample to draw
BUTTONS = 4  #: moves without a target
SLACK = 0.001  #: a shape may touch the frame
WIDTH = 80  #: columns of a terminal
PLACES = (
    Terminal(),
    Terminal(marks=True, width=WIDTH),
    Terminal(unicode=True, colours="truecolor", marks=True, width=WIDTH, height=24),
)


def check_scenes(sample: Sample, enough: int = DRAWN) -> None:
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
        ElementTree.fromstring(draw_svg(marked(position, legal=True)))
    except ElementTree.ParseError as error:
        demand(False, "scenes", position, f"the SVG is not well-formed: {error}")
