"""What Align adds to its look: a band around every line that scored, and its points beyond it."""

from __future__ import annotations

from collections.abc import Iterator

from plywise.core.position import Position
from plywise.core.scene import Label, Polygon, Scene, Shape, rectangle
from plywise.games.align.lines import Paid, paid_lines
from plywise.games.align.texts import LOOK
from plywise.kit.layouts import Layout
from plywise.kit.picture import picture

BESIDE = 0.4  #: room right of the board, for the points of a row
ABOVE = 0.3  #: ... and above it, for those of a column
BAND = 0.42  #: half the width of the band around a line that scored


def scene(position: Position) -> Scene:
    """The board, the totals, and what the last move scored for."""
    b = position.game.board
    paid = paid_lines(b, position.state, position.last)
    layout = LOOK.layout_of(b)
    return picture(
        LOOK,
        position,
        over=[shape for line in paid for shape in _band(line, layout)],
        won={cell for line in paid for cell in line.cells},
        room=(0.0, ABOVE, BESIDE, 0.0),
        told="".join(f". {line.name.capitalize()} scored {line.points}" for line in paid),
    )


def _band(line: Paid, layout: Layout) -> Iterator[Shape]:
    """Draw a band around a line that scored, and its points where the line leaves the board."""
    (left, bottom), (right, top) = (
        layout.places[end].at for end in (line.cells[0], line.cells[-1])
    )
    around = rectangle(left, top, right, bottom, BAND)
    beyond = (layout.shape[1] + 0.35, bottom) if line.level else (left, -0.3)
    yield Polygon(around, BAND, id=f"band {line.name}", roles=("winning",), layer=1, shade=0.16)
    yield Label(beyond, f"+{line.points}", 0.36, id=f"points {line.name}", roles=("text",), layer=5)
