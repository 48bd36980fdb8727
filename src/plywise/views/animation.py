"""Draws a game as an animated PNG: one picture for each Scene, of which only changes are stored.

Every frame is drawn as in `draw_png`, but only where shapes came, went or changed. All frames share
one palette, and what a frame does not change is clear in it, so that a whole game is smaller than a
photograph.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from io import BytesIO
from typing import TYPE_CHECKING, Any

import numpy as np

from plywise.core.analysis import check_cancelled
from plywise.core.scene import Box, Label, Scene, Shape
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
AROUND = 2  #: pixels around what changed, for the smooth edges

Pixels = np.ndarray[Any, np.dtype[Any]]
Rectangle = tuple[int, int, int, int]  #: left, top, right, bottom in pixels
Patch = tuple[Rectangle, Pixels]  #: its colours, each as one number


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
    reel = Reel(listed[-1], find_theme(theme))
    frames: list[list[Patch]] = []
    for scene in listed:
        check_cancelled()
        frames.append(reel.next(scene))
    palette = Palette([pixels for frame in frames for _, pixels in frame])
    last = np.full(reel.size[::-1], CLEAR, np.uint8)
    deltas = [palette.image(_delta(patches, palette, last)) for patches in frames]
    return _file(palette.image(last), deltas, pace)


class Reel:
    """Draws one Scene after another on the same canvas, and says which parts changed."""

    def __init__(self, largest: Scene, theme: Theme) -> None:
        from PIL import Image

        self.theme = theme
        scale = min(SIDE / max(largest.size), pixels_per_unit(largest))
        self.size = _pixels(largest.size[0] * scale), _pixels(largest.size[1] * scale)
        self._paper = Image.new("RGB", (FINER * self.size[0], FINER * self.size[1]), theme.page)
        self._before: Scene | None = None

    def next(self, scene: Scene) -> list[Patch]:
        """Draw a Scene; return the rectangles that changed, with what they show now."""
        whole = (0, 0, *self.size)
        unit = min(self.size[0] / scene.size[0], self.size[1] / scene.size[1])
        changes = None if self._before is None else _changes(self._before, scene)
        self._before = scene
        if changes is None:
            rectangles = [whole]
        else:
            rectangles = _outermost([_around(box, unit, self.size) for box in changes])
        self._draw(scene, unit, rectangles)
        patches = []
        for left, top, right, bottom in rectangles:
            fine = self._paper.crop((FINER * left, FINER * top, FINER * right, FINER * bottom))
            patches.append(((left, top, right, bottom), _packed(fine.reduce(FINER))))
        return patches

    def _draw(self, scene: Scene, unit: float, rectangles: list[Rectangle]) -> None:
        """Draw every shape that reaches into one of the rectangles; what is outside is wrong."""
        for left, top, right, bottom in rectangles:
            box = FINER * left, FINER * top, FINER * right, FINER * bottom
            self._paper.paste(self.theme.page, box)
        brush = Brush(self._paper, FINER * unit)
        for shape in scene.painted:
            reach = _around(_reach(shape), unit, self.size)
            if any(_meet(reach, rectangle) for rectangle in rectangles):
                brush.draw(shape, self.theme.paint(scene, shape))


def _changes(before: Scene, after: Scene) -> list[Box] | None:
    """Return the boxes of shapes that differ; None if the whole picture does."""
    if before.size != after.size or before.palette != after.palette:
        return None
    old, new = before.painted, after.painted
    left, came = set(old) - set(new), set(new) - set(old)
    if [shape for shape in old if shape not in left] != [
        shape for shape in new if shape not in came
    ]:
        return None  # something lies over what it lay under
    return [_reach(shape) for shape in (*left, *came)]


def _reach(shape: Shape) -> Box:
    """Return a box that the drawn shape is certainly in."""
    x1, y1, x2, y2 = shape.box
    more = shape.size if isinstance(shape, Label) else 0.05  # the width of a text is a guess
    return x1 - more, y1 - more, x2 + more, y2 + more


def _around(box: Box, unit: float, size: tuple[int, int]) -> Rectangle:
    """Return the pixels of a box in board units, within the picture."""
    left, top = (max(0, int(edge * unit) - AROUND) for edge in box[:2])
    right, bottom = (
        min(most, int(edge * unit) + 1 + AROUND) for edge, most in zip(box[2:], size, strict=True)
    )
    return left, top, max(left, right), max(top, bottom)


def _outermost(rectangles: list[Rectangle]) -> list[Rectangle]:
    """Return the rectangles that lie in no other one, each of them once.

    They may overlap: a union would reach over shapes that neither of two touches.
    """
    found: list[Rectangle] = []
    for one in sorted(set(rectangles), key=_area, reverse=True):
        if not any(_joined(one, other) == other for other in found):
            found.append(one)
    return found


def _area(rectangle: Rectangle) -> int:
    left, top, right, bottom = rectangle
    return (right - left) * (bottom - top)


def _meet(one: Rectangle, other: Rectangle) -> bool:
    across = one[0] <= other[2] and other[0] <= one[2]
    return across and one[1] <= other[3] and other[1] <= one[3]


def _joined(one: Rectangle, other: Rectangle) -> Rectangle:
    left, top = min(one[0], other[0]), min(one[1], other[1])
    return left, top, max(one[2], other[2]), max(one[3], other[3])


def _pixels(length: float) -> int:
    return max(1, round(length))


class Palette:
    """At most 255 colours for all frames: the frequent ones exactly, the others nearly."""

    def __init__(self, patches: Sequence[Pixels]) -> None:
        from PIL import Image

        counted = Counter[int]()
        for pixels in patches:
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


def _packed(image: Canvas) -> Pixels:
    """Return the colours of an image, each as one number."""
    red, green, blue = np.moveaxis(np.asarray(image, np.int32), 2, 0)
    found: Pixels = red << 16 | green << 8 | blue
    return found


def _parts(colours: Sequence[int] | Pixels) -> Pixels:
    """Return the red, green and blue of colours, one in each row."""
    packed = np.asarray(colours, np.int32)
    return np.stack([packed >> 16, packed >> 8 & 255, packed & 255], axis=-1)


def _delta(patches: list[Patch], palette: Palette, now: Pixels) -> Pixels:
    """Draw patches on `now`; return what changed, with what stays the same left clear."""
    before = now.copy()
    for (left, top, right, bottom), pixels in patches:
        now[top:bottom, left:right] = palette.indexed(pixels)
    return np.where(now == before, np.uint8(CLEAR), now)


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
