"""The part of a large board that is in use: what stands on it, where moves lead, a margin.

A look with a `window` shows only this part, which grows with the game. The coordinates move along
with it: each is written next to the first place of its row that is shown.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from math import dist

from plywise.core.scene import Box, Label, Point, Window
from plywise.kit.layouts import Layout, Place

LEAST = 7.0  #: the least width and height of the part that is shown
NEARLY = 0.8  #: if more than this share of the places would be shown, all of them are
MARGIN = 0.3  #: around the places
BESIDE = 0.15  #: ... and around the coordinates
LETTER = 0.34  #: the height of a coordinate


def window_of(
    layout: Layout, used: Iterable[int], around: float, banner: Label | None, above: float
) -> Window | None:
    """Return the part of a board around the places in use, in the units of the layout.

    It has a strip of height `above` for a banner, if there is one. None shows the whole board.
    """
    middles = [layout.places[number].at for number in used]
    if not middles:
        return None
    box = _grown(middles, around)
    shown = [place for place in layout.places if _holds(box, place.at)]
    if len(shown) > NEARLY * len(layout.places):
        return None
    labels = list(_coordinates(layout, shown))
    corners = [corner for place in shown for corner in (place.outline or (place.at,))]
    boxes = [(*corner, *corner, MARGIN) for corner in corners]
    boxes += [(*label.box, BESIDE) for label in labels]
    left, top = (min(each[side] - each[4] for each in boxes) for side in (0, 1))
    right, bottom = (max(each[side] + each[4] for each in boxes) for side in (2, 3))
    if banner is not None:
        labels.append(
            Label(
                (left + MARGIN, top),
                banner.text,
                banner.size,
                "start",
                id=banner.id,
                roles=banner.roles,
            )
        )
        top -= above
    return Window(box, (left, top, right, bottom), tuple(labels))


def _grown(middles: Sequence[Point], around: float) -> Box:
    """Return a box around points with a margin, and at least as large as LEAST."""
    sides = []
    for values in zip(*middles, strict=True):
        low, high = min(values) - around, max(values) + around
        lack = max(0.0, LEAST - 1.0 - (high - low)) / 2
        sides.append((low - lack, high + lack))
    (left, right), (top, bottom) = sides
    return left - 0.01, top - 0.01, right + 0.01, bottom + 0.01


def _holds(box: Box, point: Point) -> bool:
    return box[0] <= point[0] <= box[2] and box[1] <= point[1] <= box[3]


def _coordinates(layout: Layout, shown: Sequence[Place]) -> Iterator[Label]:
    """Move the coordinates to the ends of the rows that are shown."""
    rows, seen = _rows(layout.places), _rows(shown)
    for index, (text, at) in enumerate(layout.labels):
        if text not in seen:
            continue
        end, first = (
            min(each[text], key=lambda place: dist(place.at, at)).at for each in (rows, seen)
        )
        beside = first[0] + at[0] - end[0], first[1] + at[1] - end[1]
        yield Label(beside, text, LETTER, id=f"coordinate {index} {text}", roles=("coordinate",))


def _rows(places: Iterable[Place]) -> dict[str, list[Place]]:
    """Group places by their coordinates."""
    rows: dict[str, list[Place]] = {}
    for place in places:
        for part in _parts(place.name):
            rows.setdefault(part, []).append(place)
    return rows


def _parts(name: str) -> tuple[str, ...]:
    """Return the coordinates in the name of a place.

    >>> _parts("k10")
    ('k', '10')
    """
    found = re.fullmatch(r"([a-z]+)([0-9]+)", name)
    return () if found is None else found.groups()
