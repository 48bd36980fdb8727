"""The players' pieces in the terminal: their glyphs, and which of them has which colour."""

from __future__ import annotations

from dataclasses import replace
from functools import cache

from plywise.core.game import Game
from plywise.core.scene import Scene, scene_of
from plywise.errors import SpecError


@cache
def glyphs(game: Game) -> tuple[str, str]:
    """Return the glyphs of the players' pieces, taken from the board after a few moves."""
    position, seen = game.start(), {0: "1", 1: "2"}
    for _ in range(4):
        if position.over:
            break
        position = position.play_code(position.legal_codes[0])
        seen |= {
            shape.owner: shape.glyph
            for shape in scene_of(position).shapes
            if shape.owner is not None and shape.roles[0] == "stone" and shape.glyph
        }
    # Lines look the same for both; what they enclose is then marked as discs are.
    return ("●", "○") if seen[0] == seen[1] else (seen[0], seen[1])


def check_colour(game: Game, colour: str | None) -> None:
    """Refuse a colour that a game does not have."""
    names, title = game.type.palette.choice, game.type.title
    if colour is None or (names and colour.lower() in names):
        return
    if names is None:
        raise SpecError(f"{title} has no choice of colours: leave out --colour")
    raise SpecError(f"{title} has no colour {colour!r}: choose {' or '.join(names)}")


def wants_swap(game: Game, colour: str | None, player: int) -> bool:
    """Return True if this colour is not the usual one of player 0 or 1."""
    names = game.type.palette.choice
    if names is None or colour is None or colour.lower() not in names:
        return False
    return names.index(colour.lower()) != player


def swapped(scene: Scene, game: Game) -> Scene:
    """Return a picture in which the players have exchanged their colours and glyphs."""
    one, two = glyphs(game)
    other = {one: two, two: one}
    shapes = tuple(
        shape if shape.owner is None else replace(shape, glyph=other.get(shape.glyph, shape.glyph))
        for shape in scene.shapes
    )
    return replace(scene, shapes=shapes, palette=scene.palette.swapped)
