"""A look in text: what is written for a position, how it is read, the board in plain text."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from plywise.core.game import Record
from plywise.kit.canvas import draw_places

if TYPE_CHECKING:
    from plywise.kit.layouts import Layout, Place
    from plywise.kit.look import Look

NUMBER = "[1-9][0-9]{0,2}"  #: how many empty places follow each other
MASK = (1 << 64) - 1  #: a word
SHOWN = 40  #: the most letters of a row in a message


def write(look: Look, b: Record, s: Record) -> str:
    """Write a position: row by row from the top, then the side to move, then other fields."""
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
    letters = [piece.letter for piece in look.kinds]
    if len({letter.lower() for letter in letters}) == len(letters):
        text = text.lower()  # no two pieces differ only in that
    board, *rest = text.split() or [""]
    numbers = _read_rows(look, look.layout_of(b), board)
    movers = [_mover(look, 0).lower(), _mover(look, 1).lower()]
    if len(rest) != 1 + len(look.also) or rest[0] not in movers:
        further = "".join(f", then {name}" for name in look.also)
        raise ValueError(f"after the rows, write the side to move, {' or '.join(movers)}{further}")
    s.turn = movers.index(rest[0])
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
        elif token in letters:
            found.append(letters.index(token))
        else:
            able = ", ".join(letters[1:])
            raise ValueError(f"row {name} is {row[:SHOWN]!r}, but can hold only {able} and numbers")
    return found


# ---- plain text ----------------------------------------------------------------------------------


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
