"""Positions in text: written and read by a look, drawn in plain text; and a canvas for drawings."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from plywise.core.game import Record
from plywise.core.scene import Point

if TYPE_CHECKING:
    from plywise.kit.layouts import Layout, Place
    from plywise.kit.look import Look

NUMBER = "[1-9][0-9]{0,2}"  #: how many empty places follow each other
MASK = (1 << 64) - 1  #: a word
SHOWN = 40  #: the most letters of a row in a message
BEYOND = 0.2  #: how far above or below the board a coordinate has a line of its own
CORNER = -1  #: stands for a place that is not played on: an end of a line
MOST_SHEETS = 64  #: drawings without letters that a layout keeps


def write(look: Look, b: Record, s: Record) -> str:
    """Write a position: rows from the top, the side to move, other fields: `3/1xo/3 o`."""
    further = [np.ravel(s[name]) for name in look.also]
    return written(look, b, look.standing(b, s), int(s.turn), further)


def written(
    look: Look,
    b: Record,
    standing: Sequence[int],
    turn: int,
    further: Iterable[Sequence[int] | np.ndarray[Any, Any]],
) -> str:
    """Write what stands on each place, the side to move and further fields."""
    rows = [_row(look, (standing[place] for place in row)) for row in look.layout_of(b).rows]
    fields = [",".join(str(int(number)) for number in numbers) for numbers in further]
    return " ".join(["/".join(rows), _mover(look, turn), *fields])


def _row(look: Look, numbers: Iterable[int]) -> str:
    if look.pieces is None:
        return ",".join(str(number) for number in numbers)
    empty = look.kinds[0].letter
    letters = "".join(look.kinds[number].letter for number in numbers)
    return re.sub(f"{re.escape(empty)}+", lambda run: str(len(run[0])), letters)


def _mover(look: Look, turn: int) -> str:
    owned = [piece.letter for piece in look.kinds[1:] if piece.owner == turn]
    return owned[0] if owned else str(turn + 1)


def read(look: Look, b: Record, s: Record, text: str) -> None:
    """Set up a position from its text; ValueError if it cannot be read."""
    board, *rest = text.split() or [""]
    numbers = _read_rows(look, look.layout_of(b), board)
    movers = [_mover(look, 0), _mover(look, 1)]
    turn = _find(movers, rest[0]) if len(rest) == 1 + len(look.also) else None
    if turn is None:
        further = "".join(f", then {name}" for name in look.also)
        raise ValueError(f"after the rows, write the side to move, {' or '.join(movers)}{further}")
    s.turn = turn
    for name, word in zip(look.also, rest[1:], strict=True):
        count = np.size(s[name])
        if re.fullmatch(f"(,-?[0-9]{{1,9}}){{{count}}}", f",{word}", re.ASCII) is None:
            what = "a number" if count == 1 else f"{count} numbers with commas between"
            raise ValueError(f"{name} is {word!r}, but must be {what}")
        s[name] = np.reshape([int(part) for part in word.split(",")], np.shape(s[name]))
    if look.put is not None:
        look.put(b, s, numbers)
        return
    field = np.asarray(s[str(look.contents)])
    if field.dtype == np.uint64:
        kinds = field.shape[0] if field.ndim else 1
        sets = [
            sum(1 << p for p, n in enumerate(numbers) if n == kind + 1) for kind in range(kinds)
        ]
        words = [each >> 64 * word & MASK for each in sets for word in range(field.size // kinds)]
        s[str(look.contents)] = np.reshape(np.array(words, np.uint64), field.shape)
    else:
        field.flat[: len(numbers)] = numbers


def _read_rows(look: Look, layout: Layout, board: str) -> list[int]:
    """Return what stands on each place."""
    rows = board.split("/")
    if len(rows) != len(layout.rows):
        raise ValueError(f"this board has {len(layout.rows)} rows, not {len(rows)}")
    numbers = [0] * len(layout)
    for count, (row, places) in enumerate(zip(rows, layout.rows, strict=True), 1):
        # A row is called what is written beside it, if anything is.
        beside = {re.sub("^[a-z]+", "", layout.places[place].name) for place in places}
        name = beside.pop() if len(beside) == 1 else str(count)
        found = _read_row(look, row, name)
        if len(found) != len(places):
            there = "there" if len(rows) > 1 else "in all"
            raise ValueError(
                f"row {name} has {len(found)} places, the board has {len(places)} {there}"
            )
        for place, number in zip(places, found, strict=True):
            numbers[place] = number
    return numbers


def _find(letters: Sequence[str], text: str) -> int | None:
    """Return which of these a text is: capital or small, unless two differ only in that."""
    small = [letter.lower() for letter in letters]
    if len(set(small)) == len(small):
        letters, text = small, text.lower()
    return letters.index(text) if text in letters else None


def _read_row(look: Look, row: str, name: str) -> list[int]:
    if look.pieces is None:
        if re.fullmatch("[0-9]{1,4}(,[0-9]{1,4})*", row, re.ASCII) is None:
            raise ValueError(
                f"row {name} is {row[:SHOWN]!r}, but must be numbers with commas between"
            )
        return [int(word) for word in row.split(",")]
    letters = [piece.letter for piece in look.kinds]
    found: list[int] = []
    for token in re.findall(f"{NUMBER}|.", row):
        if re.fullmatch(NUMBER, token):
            found += [0] * int(token)
        elif (number := _find(letters, token)) is not None:
            found.append(number)
        else:
            able = ", ".join(letters[1:])
            raise ValueError(f"row {name} is {row[:SHOWN]!r}, but can hold only {able} and numbers")
    return found


# ---- boards in plain text ------------------------------------------------------------------------


def draw(look: Look, b: Record, s: Record) -> str:
    """Draw the board in plain text, with its coordinates."""
    layout, standing = look.layout_of(b), look.standing(b, s)
    letters = [piece.letter for piece in look.kinds]
    upper = [letter.upper() for letter in letters]
    if len(set(upper)) == len(upper):
        letters = upper
    if look.style_of(b) == "digits":
        letters[1:3] = "10"

    def letter(place: Place, number: int) -> str:
        if place.kind == "line":
            (_, y), (_, end) = place.outline
            return "" if number == 0 else "-" if y == end else "|"
        if look.pieces is None:
            return str(number)
        boxed = number == 0 and layout.is_lined
        return "" if boxed else letters[number]

    return draw_places(
        layout, [letter(*each) for each in zip(layout.places, standing, strict=True)]
    )


def draw_places(layout: Layout, letters: Sequence[str]) -> str:
    """Put letters where the places are: a line of text for every height that is in use."""
    widths = tuple(map(len, letters))
    if widths not in layout.sheets:
        if len(layout.sheets) == MOST_SHEETS:
            layout.sheets.clear()
        layout.sheets[widths] = _sheet(layout, widths)
    sheet = layout.sheets[widths]
    lines = [list(line) for line in sheet.lines]
    for number, line, start in sheet.holes:
        letter = letters[number]
        lines[line][start : start + len(letter)] = letter
    return "\n".join("".join(line).rstrip() for line in lines)


class Sheet(NamedTuple):
    """A drawing without its letters."""

    lines: list[str]
    holes: list[tuple[int, int, int]]  #: the number of a place, and its line and column


def _sheet(layout: Layout, widths: tuple[int, ...]) -> Sheet:
    """Lay out letters of these widths, with strokes and coordinates."""
    spots: dict[Point, int] = {
        place.at: number for number, place in enumerate(layout.places) if place.kind != "area"
    }
    corners = [at for place in layout.places if place.kind == "line" for at in place.outline]
    for at in corners:
        spots[at] = CORNER
    heights = sorted({y for _, y in spots})
    line_of = {y: number for number, y in enumerate(heights)}
    low, high = heights[0] - BEYOND, heights[-1] + BEYOND
    edges = ["", *(text for text, (_, y) in layout.labels if not low <= y <= high)]
    wide = max([*(widths[number] for number in spots.values() if number != CORNER),
                *(1 for _ in corners), *map(len, edges)])  # fmt: skip
    apart = min(
        (there - here
         for y in heights
         for here, there in pairwise(sorted(x for x, at in spots if at == y))),
        default=1.0,
    )  # fmt: skip
    left = min(x for x, _ in spots)

    def column(x: float) -> int:
        return round((x - left) * (1 + wide) / apart)

    signs: dict[tuple[int, int], str] = {}  # by their lines and columns
    for stroke in layout.strokes:
        if stroke.start in spots and stroke.end in spots:
            ends = ((line_of[y], column(x)) for x, y in (stroke.start, stroke.end))
            signs |= _stroke(*sorted(ends))
    holes = []
    for (x, y), number in spots.items():
        width = 1 if number == CORNER else widths[number]
        start = column(x) + 1 - max(width, 1)
        sign = "o" if number == CORNER else " "
        signs |= dict.fromkeys(((line_of[y], start + i) for i in range(width)), sign)
        if number != CORNER:
            holes.append((number, line_of[y], start))
    inset = max(0, *(-start for _, _, start in holes), *(len(text) - 1 for text in edges))
    for text, (x, y) in layout.labels:
        line = line_of[min(heights, key=lambda height: abs(height - y))]
        taken = [column for at, column in signs if at == line]
        if not low <= y <= high:
            line, start = (-1 if y < low else len(heights)), column(x) + 1 - len(text)
        elif column(x) < min(taken, default=0):
            start = min(taken, default=0) - 2 - len(text)
            inset = max(inset, len(text) + 2)
        else:
            start = max(taken) + 3
        signs |= {(line, start + offset): sign for offset, sign in enumerate(text)}
    used = {0, len(heights) - 1, *(line for line, _ in signs)}
    above = min(used)
    lines = [""] * (max(used) + 1 - above)
    for line, place in sorted(signs):
        lines[line - above] = lines[line - above].ljust(place + inset) + signs[line, place]
    return Sheet(lines, [(number, line - above, start + inset) for number, line, start in holes])


def _stroke(start: tuple[int, int], end: tuple[int, int]) -> dict[tuple[int, int], str]:
    """Draw a line from a place to one further down or to the right: level, upright or slanted."""
    (first, one), (last, two) = start, end
    if first == last:
        return dict.fromkeys(((first, column) for column in range(one + 1, two)), "-")
    sign = "|" if one == two else "\\" if one < two else "/"
    shares = {line: (line - first) / (last - first) for line in range(first + 1, last)}
    return {(line, round(one + share * (two - one))): sign for line, share in shares.items()}


# ---- a canvas ------------------------------------------------------------------------------------

TALL = 2.0  #: the height of a character relative to its width


@dataclass
class Canvas:
    """A grid of characters over an area of `size`; later drawing covers earlier drawing.

    Every character can have a tag, which the caller can use to colour it.
    """

    size: Point
    columns: int
    cells: dict[tuple[int, int], tuple[str, Any]] = field(default_factory=dict)

    @property
    def rows(self) -> int:
        """The number of lines."""
        return max(1, round(self.columns * self.size[1] / self.size[0] / TALL))

    def cell(self, at: Point, fine: tuple[int, int] = (1, 1)) -> tuple[int, int]:
        """Return the row and column of a point; with `fine`, of a dot within the cells."""
        down, across = fine
        column = int(at[0] / self.size[0] * self.columns * across)
        row = int(at[1] / self.size[1] * self.rows * down)
        last_row, last_column = self.rows * down - 1, self.columns * across - 1
        return min(max(row, 0), last_row), min(max(column, 0), last_column)

    def along(
        self, start: Point, end: Point, fine: tuple[int, int] = (1, 1)
    ) -> Iterator[tuple[int, int]]:
        """Yield the cells from one point to another, each once and without gaps."""
        (row, column), (end_row, end_column) = self.cell(start, fine), self.cell(end, fine)
        steps = max(abs(end_row - row), abs(end_column - column), 1)
        for step in range(steps + 1):
            share = step / steps
            yield (
                round(row + share * (end_row - row)),
                round(column + share * (end_column - column)),
            )

    def stroke(self, start: Point, end: Point, letter: str, tag: Any = None) -> None:
        """Draw a line of one character."""
        for cell in self.along(start, end):
            self.cells[cell] = letter, tag

    def put(self, at: Point, text: str, tag: Any = None, share: float = 0.5) -> None:
        """Write a word, with the given share of it before the point, within the canvas."""
        row, column = self.cell(at)
        first = min(max(column - int(share * len(text)), 0), max(self.columns - len(text), 0))
        for index, letter in enumerate(text):
            self.cells[row, first + index] = letter, tag

    def lines(self) -> Iterator[list[tuple[str, Any]]]:
        """Yield the characters with their tags, line by line."""
        for row in range(self.rows):
            yield [self.cells.get((row, column), (" ", None)) for column in range(self.columns)]

    def __str__(self) -> str:
        return "\n".join("".join(letter for letter, _ in line).rstrip() for line in self.lines())
