"""Why a cell is good, in words. Each reason is a fact of the board, not an opinion."""

from __future__ import annotations

import numpy as np

from plywise.core.game import Record
from plywise.games.align import rules
from plywise.games.align.look import Paid, paid_lines
from plywise.kit.cells import cell_text
from plywise.kit.words import listing, number_word

FEW = 3  #: up to this many cells are named


def reasons(b: Record, s: Record, move: int) -> list[str]:
    """Return what a legal move does, most important first."""
    after = _after(b, s, move)
    paid = paid_lines(b, after, move)
    found = [f"scores {sum(line.points for line in paid)} for {_lines(b, paid)}"] if paid else []
    if rules.over(b, after):
        return [*found, _end(s, after)]

    # Step 1: what the opponent can score with a reply, and how that compares.
    answers = _payments(b, after)
    most = max(answers.values())
    net = _worth(b, s, move)
    rivals = [_worth(b, s, rival) for rival in _payments(b, s) if rival != move]
    if not most:
        found.append("leaves the opponent nothing to score next move")
    else:
        cells = [cell_text(cell, int(b.side)) for cell, points in answers.items() if points == most]
        where = f", at {listing(cells)}" if len(cells) <= FEW else ""
        found.append(f"leaves the opponent at most {most} points{where}")
    if rivals and max(rivals) < net:
        found.append("gains more than any other move after the opponent's highest-scoring reply")

    # Step 2: from here on, every reply can be mirrored.
    if b.side % 2 == 0:
        for axis, names in enumerate((("left", "right"), ("bottom", "top"))):
            if _is_mirrored(after, int(b.side), axis) and not _is_mirrored(s, int(b.side), axis):
                found.append(f"makes {listing(names)} symmetric, so you can mirror every reply")
    return found


def _end(s: Record, after: Record) -> str:
    """Say how the last cell decides the game."""
    mine, theirs = int(after.score[s.turn]), int(after.score[1 - s.turn])
    if mine == theirs:
        return f"ends the game in a draw, {mine} points each"
    return f"{'wins' if mine > theirs else 'ends the game'}, {mine} points to {theirs}"


def _lines(b: Record, paid: tuple[Paid, ...]) -> str:
    """Name the lines that score, such as "three in row 1 and all of column c"."""
    side = int(b.side)
    return listing(
        [
            f"all of {line.name}"
            if line.points == side
            else f"{number_word(line.points)} in {line.name}"
            for line in paid
        ]
    )


def _payments(b: Record, s: Record) -> dict[int, int]:
    """Return what every legal move would score."""
    out = np.zeros(rules.CELLS, np.int32)
    cells = [int(cell) for cell in out[: rules.moves(b, s, out)]]
    return {cell: int(rules.gain(b, s, cell)) for cell in cells}


def _worth(b: Record, s: Record, move: int) -> int:
    """Return what a move scores, less the most that a reply can score."""
    after = _after(b, s, move)
    return int(rules.gain(b, s, move)) - max(_payments(b, after).values(), default=0)


def _is_mirrored(s: Record, side: int, axis: int) -> bool:
    """True if the board is its own mirror image: left for right (0), or bottom for top (1)."""
    patterns = [int(line) for line in s.lines[1 - axis][:side]]
    return patterns == patterns[::-1]


def _after(b: Record, s: Record, move: int) -> Record:
    after = s.copy()
    rules.play(b, after, move)
    return after
