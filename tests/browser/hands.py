"""Drawing on the board of a puzzle with a mouse and with fingers, by what is at which dot."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any

from playwright.sync_api import Locator, Page

from plywise.puzzles.slither import Drawing, Puzzle
from plywise.puzzles.slither.scene import MARGIN
from tests.browser import steps

Dot = tuple[int, int]  #: row and column, from 0
Spot = tuple[float, float]  #: x and y on the screen

#: Several touches at once are not in Playwright's own API.
AREA = """(svg, dots) => {
    const matrix = svg.getScreenCTM();
    return dots.map(([x, y]) => {
        const point = new DOMPoint(x, y).matrixTransform(matrix);
        return [point.x, point.y];
    });
}"""


def spots(page: Page, dots: Sequence[tuple[float, float]]) -> list[Spot]:
    """Where dots are on the screen; halves are between them."""
    points = [(MARGIN + col, MARGIN + row) for row, col in dots]
    found: list[Spot] = steps.board(page).evaluate(AREA, points)
    return found


def unit(page: Page) -> float:
    """Pixels between two dots."""
    one, two = spots(page, [(0, 0), (0, 1)])
    return two[0] - one[0]


def drag(page: Page, *dots: tuple[float, float]) -> None:
    """Drag the mouse along dots; it goes straight from one to the next."""
    first, *rest = spots(page, dots)
    page.mouse.move(*first)
    page.mouse.down()
    for spot in rest:
        page.mouse.move(*spot, steps=4)
    page.mouse.up()


class Fingers:
    """Fingers on a touch screen: every event goes through the browser as a real one does."""

    def __init__(self, page: Page) -> None:
        self.page = page
        self.session = page.context.new_cdp_session(page)

    def send(self, kind: str, *points: Spot) -> None:
        touches = [{"x": x, "y": y, "id": number} for number, (x, y) in enumerate(points)]
        self.session.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": touches})

    def tap(self, spot: Spot) -> None:
        self.send("touchStart", spot)
        self.send("touchEnd")

    def slide(self, path: Sequence[Spot]) -> None:
        """Put one finger down, move it along a path and lift it."""
        self.send("touchStart", path[0])
        for spot in path[1:]:
            self.send("touchMove", spot)
        self.send("touchEnd")

    def draw(self, *dots: tuple[float, float]) -> None:
        """Draw along dots with one finger."""
        self.slide(spots(self.page, dots))

    def two(self, start: tuple[Spot, Spot], end: tuple[Spot, Spot], moves: int = 4) -> None:
        """Move two fingers at the same time."""
        self.send("touchStart", start[0])
        self.send("touchStart", *start)
        for step in range(1, moves + 1):
            share = step / moves
            self.send(
                "touchMove", *(_between(a, b, share) for a, b in zip(start, end, strict=True))
            )
        self.send("touchEnd")

    def pan(self, right: float, down: float) -> None:
        """Move the board with two fingers."""
        x, y = middle(window(self.page))
        x, y = x - right / 2, y - down / 2
        start = (x - 30, y), (x + 30, y)
        self.two(start, ((x - 30 + right, y + down), (x + 30 + right, y + down)))


def _between(one: Spot, two: Spot, share: float) -> Spot:
    return one[0] + share * (two[0] - one[0]), one[1] + share * (two[1] - one[1])


@contextmanager
def fingers(page: Page) -> Iterator[Fingers]:
    found = Fingers(page)
    yield found
    found.session.detach()


def window(page: Page) -> dict[str, Any]:
    """The box in which the board is seen."""
    box = page.locator(".board-window").bounding_box()
    assert box is not None
    return dict(box)


def middle(box: dict[str, Any]) -> Spot:
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


def line(page: Page, move: str) -> Locator:
    """The place of a line."""
    return steps.board(page).locator(f'[data-place="area {move}"]')


def drawn(page: Page) -> Locator:
    """All lines that are drawn; not those of a path that is being dragged."""
    return steps.board(page).locator(":scope > g:not([aria-hidden]) > .stone")


def control(page: Page, name: str) -> Locator:
    tools = page.get_by_role("toolbar", name="Puzzle", exact=True)
    return tools.get_by_role("button", name=name, exact=True)


def loop_of(drawing: Drawing) -> list[Dot]:
    """The dots of a loop in order; the last is the first again."""
    puzzle: Puzzle = drawing.puzzle
    near: dict[int, list[int]] = {}
    for number in drawing.lines:
        one, two = (int(dot) for dot in puzzle.layout.line_dots[number])
        near.setdefault(one, []).append(two)
        near.setdefault(two, []).append(one)
    path = [next(iter(near))]
    path.append(near[path[0]][0])
    while path[-1] != path[0]:
        before, here = path[-2:]
        path.append(next(dot for dot in near[here] if dot != before))
    return [divmod(dot, puzzle.cols + 1) for dot in path]
