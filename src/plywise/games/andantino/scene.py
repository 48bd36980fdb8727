"""What Andantino adds to its look: pockets inside rings, enclosed stones crossed out, a banner."""

from __future__ import annotations

from plywise.core.position import Position
from plywise.core.scene import Circle, Path, Point, Scene, Shape
from plywise.games.andantino.texts import COLOURS, LOOK, enclosed
from plywise.kit.picture import picture

ABOVE = 0.6  #: the strip for the banner
AROUND = 1.0  #: cells that are shown around those in use


def scene(position: Position) -> Scene:
    """The board with its stones; after the end also the line or ring, and the winner."""
    b = position.game.board
    places = LOOK.layout_of(b).places
    shapes: list[Shape] = []
    for player in range(2):
        inside, caught = enclosed(b, position.state, player)
        shapes += [
            _pocket(places[cell].at, player, places[cell].name) for cell in sorted(inside - caught)
        ]
        shapes += [_cross(places[cell].at, places[cell].name) for cell in sorted(caught)]
    banner = _banner(position.winner) if position.winner else ""
    room = (0.0, ABOVE, 0.0, 0.0)
    return picture(LOOK, position, over=shapes, room=room, banner=banner, last="dot", window=AROUND)


def _pocket(at: Point, player: int, name: str) -> Shape:
    """Mark an empty cell inside a ring, where the opponent must not play."""
    name = f"pocket {COLOURS[player]} {name}"
    return Circle(at, 0.16, 0.05, id=name, roles=("trail",), layer=4, owner=player)


def _cross(at: Point, name: str) -> Shape:
    (x, y), arm = at, 0.2
    strokes = (((x - arm, y - arm), (x + arm, y + arm)), ((x - arm, y + arm), (x + arm, y - arm)))
    return Path(strokes, 0.09, id=f"enclosed {name}", roles=("threat",), layer=8)


def _banner(winner: int) -> str:
    return f"Player {winner} ({COLOURS[winner - 1]}) wins!"
