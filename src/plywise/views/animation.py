"""Draws a game as an animated PNG: one picture for each Scene, of which only changes are stored.

Every frame is drawn as in `draw_png`. All frames share one palette, and what a frame does not
change is clear in it, so that a whole game is smaller than a photograph.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from io import BytesIO
from typing import TYPE_CHECKING, Any

import numpy as np

from plywise.core.analysis import check_cancelled
from plywise.core.scene import Scene
from plywise.errors import SpecError
from plywise.views.png import FINER, Brush
from plywise.views.svg import pixels_per_unit
from plywise.views.theme import Theme, find_theme

if TYPE_CHECKING:
    from PIL.Image import Image as Canvas

PACE = 0.8  #: seconds on each position
SLOWEST = 60  #: the longest pace: the file has room for a minute
REST = 3.0  #: ... and on the last one, before it begins again
SIDE = 480  #: pixels of the longer side of the frame
EXACT = 160  #: colours that are kept as they are; the rest of the palette is for smooth edges
CLEAR = 255  #: the index of a pixel that stays as it was

Pixels = np.ndarray[Any, np.dtype[Any]]
Change = tuple[Pixels, Pixels]  #: the pixels that differ from the frame before, and their colours


def draw_apng(scenes: Iterable[Scene], theme: str = "light", pace: float = PACE) -> bytes:
    """Draw Scenes as an animated PNG file that repeats for ever.

    Each is shown for `pace` seconds. A program that shows no animations shows the last one.

    >>> import plywise
    >>> start = plywise.game("tictactoe").start()
    >>> len(start.play("b2").apng()) > 1000
    True
    """
    if not 0 < pace <= SLOWEST:
        raise SpecError(f"a pace of {pace:g} seconds: it must be more than 0 and at most {SLOWEST}")
    listed = []
    for scene in scenes:
        check_cancelled()
        listed.append(scene)
    assert listed, "an animation needs at least one scene"
    size, colours = _frame(listed[-1]), find_theme(theme)
    now = np.full(size[::-1], -1, np.int32)
    changes: list[Change] = []
    for scene in listed:
        check_cancelled()
        before, now = now, drawn(scene, size, colours)
        places = np.flatnonzero(now != before)
        changes.append((places, now.flat[places]))
    palette = Palette([pixels for _, pixels in changes])
    deltas = []
    for places, pixels in changes:
        delta = np.full(now.shape, CLEAR, np.uint8)
        delta.flat[places] = palette.indexed(pixels)
        deltas.append(palette.image(delta))
    return _file(palette.image(palette.indexed(now)), deltas, pace)


def _frame(largest: Scene) -> tuple[int, int]:
    """Return the width and height of the frames, in pixels, for a Scene that just fits."""
    scale = min(SIDE / max(largest.size), pixels_per_unit(largest))
    width, height = (max(1, round(side * scale)) for side in largest.size)
    return width, height


def drawn(scene: Scene, size: tuple[int, int], theme: Theme) -> Pixels:
    """Draw a Scene on a canvas of this size; return its colours, each as one number."""
    from PIL import Image

    paper = Image.new("RGB", (FINER * size[0], FINER * size[1]), theme.page)
    brush = Brush(paper, FINER * min(size[0] / scene.size[0], size[1] / scene.size[1]))
    for shape in scene.painted:
        brush.draw(shape, theme.paint(scene, shape))
    red, green, blue = np.moveaxis(np.asarray(paper.reduce(FINER), np.int32), 2, 0)
    pixels: Pixels = red << 16 | green << 8 | blue
    return pixels


class Palette:
    """At most 255 colours for all frames: the frequent ones exactly, the others nearly."""

    def __init__(self, changed: Sequence[Pixels]) -> None:
        from PIL import Image

        counted = Counter[int]()
        for pixels in changed:
            colours, counts = np.unique(pixels, return_counts=True)
            counted.update(dict(zip(colours.tolist(), counts.tolist(), strict=True)))
        often = [colour for colour, _ in counted.most_common()]
        kept, rest = _parts(often[:EXACT]), _parts(often[EXACT:])
        if len(often) > CLEAR:
            few = Image.fromarray(rest[np.newaxis].astype(np.uint8))
            flat = few.quantize(CLEAR - EXACT, Image.Quantize.MEDIANCUT).getpalette() or []
            rest = np.array(flat[: 3 * (CLEAR - EXACT)]).reshape(-1, 3)
        self.colours = np.concatenate([kept, rest])
        known = np.array(sorted(counted))
        apart = _parts(known)[:, np.newaxis] - self.colours
        self._nearest = np.zeros(1 << 24, np.uint8)  # by colour: memory is used where it is set
        self._nearest[known] = (apart**2).sum(axis=2).argmin(axis=1)

    def indexed(self, pixels: Pixels) -> Pixels:
        """Return the indices of colours; all of them are known."""
        found: Pixels = self._nearest[pixels]
        return found

    def image(self, indices: Pixels) -> Canvas:
        """Return the picture of indices; CLEAR is transparent."""
        from PIL import Image

        made = Image.fromarray(indices)
        made.putpalette(self.colours.astype(np.uint8).tobytes().ljust(3 * (CLEAR + 1), b"\0"))
        made.info["transparency"] = b"\xff" * CLEAR + b"\0"
        return made


def _parts(colours: Sequence[int] | Pixels) -> Pixels:
    """Return the red, green and blue of colours, one in each row."""
    packed = np.asarray(colours, np.int32)
    return np.stack([packed >> 16, packed >> 8 & 255, packed & 255], axis=-1)


def _file(still: Canvas, deltas: list[Canvas], pace: float) -> bytes:
    """Write the file: a picture for programs that show no animations, and the frames."""
    from PIL.PngImagePlugin import Blend

    seconds = [*[pace] * (len(deltas) - 1), REST]
    file = BytesIO()
    still.save(
        file, "PNG", save_all=True, default_image=True, append_images=deltas, blend=Blend.OP_OVER,
        duration=[round(1000 * each) for each in seconds],
    )  # fmt: skip
    return file.getvalue()
