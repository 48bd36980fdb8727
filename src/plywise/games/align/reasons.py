"""Why a cell is good, in words. Everything said here is true on the board, not an opinion."""

from __future__ import annotations

import numpy as np

from plywise.core.game import Record
from plywise.games.align import rules
from plywise.games.align.lines import Paid, paid_lines
from plywise.kit.grid import cell_text
from plywise.kit.words import listing, number_word

FEW = 3  #: cells that are named; more say little


def reasons(b: Record, s: Record, move: int) -> list[str]:
    """What a legal move does, the weightiest first."""
    after = _after(b, s, move)
    paid = paid_lines(b, after, move)
    found = [f"pays {sum(line.points for line in paid)}, for {_lines(b, paid)}"] if paid else []
    if after.left == 0:
        return [*found, _end(s, after)]

    # Step 1: what the other can be paid for the answer, and how that compares.
    answers = _payments(b, after)
    most = max(answers.values())
    net = _worth(b, s, move)
    rivals = [_worth(b, s, rival) for rival in _payments(b, s) if rival != move]
    if not most:
        found.append("leaves the other nothing that pays at once")
    else:
        cells = [cell_text(cell, int(b.side)) for cell, points in answers.items() if points == most]
        where = f", at {listing(cells)}" if len(cells) <= FEW else ""
        found.append(f"leaves the other {most} points at most{where}")
    if rivals and max(rivals) < net:
        found.append("brings more than any other move if the other answers with what pays most")

    # Step 2: a board that can be mirrored from here on.
    if b.side % 2 == 0:
        for axis, names in enumerate((("left", "right"), ("bottom", "top"))):
            if _is_mirrored(after, int(b.side), axis) and not _is_mirrored(s, int(b.side), axis):
                found.append(
                    f"makes {listing(names)} alike, so that every answer has its mirror image"
                )
    return found


def _end(s: Record, after: Record) -> str:
    """How the last cell decides the game."""
    mine, theirs = int(after.score[s.turn]), int(after.score[1 - s.turn])
    if mine == theirs:
        return f"ends the game in a draw, {mine} points each"
    return f"{'wins' if mine > theirs else 'ends the game'}, {mine} points to {theirs}"


def _lines(b: Record, paid: tuple[Paid, ...]) -> str:
    """Three in row 1 and the whole of column c."""
    side = int(b.side)
    return listing(
        [
            f"the whole of {line.name}"
            if line.points == side
            else f"{number_word(line.points)} in {line.name}"
            for line in paid
        ]
    )


def _payments(b: Record, s: Record) -> dict[int, int]:
    """What every legal move would pay."""
    out = np.zeros(rules.CELLS, np.int32)
    cells = [int(cell) for cell in out[: rules.moves(b, s, out)]]
    return {cell: int(rules.gain(b, s, cell)) for cell in cells}


def _worth(b: Record, s: Record, move: int) -> int:
    """What a move pays, less the most that the answer can be paid."""
    after = _after(b, s, move)
    return int(rules.gain(b, s, move)) - max(_payments(b, after).values(), default=0)


def _is_mirrored(s: Record, side: int, axis: int) -> bool:
    """Is the board the same in the mirror: left for right (0), or bottom for top (1)?"""
    patterns = [int(line) for line in s.lines[1 - axis][:side]]
    return patterns == patterns[::-1]


def _after(b: Record, s: Record, move: int) -> Record:
    states = np.zeros(1, rules.State)
    states[0] = s
    rules.play(b, states[0], move)
    return states[0]
