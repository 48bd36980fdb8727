"""The names of lines by where they are on the board, for people: `the line above the 3 in row 2`.

What must be typed has short names, such as `2 1 t`: see `Puzzle.move_name`.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable

from plywise.kit.words import listing
from plywise.puzzles.slither.grid import CROSS, LINE, NO_CLUE, Puzzle

MOST_NAMED = 4  #: cells whose lines are named in a conclusion; the others are counted
_SIDES = ("above", "below", "left of", "right of")


def place_words(puzzle: Puzzle, line: int, state: int) -> str:
    """Name a line or a cross by the clue next to it, or else by its cell.

    >>> place_words(Puzzle(1, 2, (3, NO_CLUE)), 1, CROSS)
    'the cross above the cell in row 1, column 2'
    >>> place_words(Puzzle(1, 2, (3, NO_CLUE)), 5, LINE)
    'the line right of the 3 in row 1'
    """
    what = "cross" if state == CROSS else "line"
    cell = min(puzzle.cells_beside(line), key=lambda cell: _wordiness(puzzle, cell))
    return f"the {what} {_side(puzzle, cell, line)} {_name(puzzle, cell)}"


def lines_words(puzzle: Puzzle, lines: Iterable[int], first: Collection[int] = ()) -> str:
    """Name lines, those of one cell together; the cells of `first` are preferred.

    >>> puzzle = Puzzle(1, 3, (0, NO_CLUE, 3))
    >>> lines_words(puzzle, [0, 3, 6, 7])
    'all lines around the 0 in row 1'
    >>> lines_words(puzzle, [2, 5, 9])
    'the lines above, below and right of the 3 in row 1'
    """
    left = set(lines)
    names: list[str] = []
    while left and len(names) < MOST_NAMED:
        near: dict[int, list[int]] = {}
        for line in sorted(left):
            for cell in puzzle.cells_beside(line):
                near.setdefault(cell, []).append(line)
        cell = min(near, key=lambda c: (-len(near[c]), c not in first, *_wordiness(puzzle, c), c))
        sides = [_side(puzzle, cell, line) for line in near[cell]]
        which = f"the {'line' if len(sides) == 1 else 'lines'} {listing(sides)}"
        which = "all lines around" if len(sides) == 4 else which
        names.append(f"{which} {_name(puzzle, cell)}")
        left.difference_update(near[cell])
    if left:
        names.append(f"{len(left)} more")
    return listing(names)


def conclusion_words(
    puzzle: Puzzle,
    new: Iterable[tuple[int, int]],
    inside: Iterable[tuple[int, bool]],
    first: Collection[int] = (),
) -> str:
    """Say which lines to draw and to cross out, and which cells are inside."""
    new = tuple(new)
    parts = []
    for verb, wanted in (("draw", LINE), ("cross out", CROSS)):
        if lines := [line for line, state in new if state == wanted]:
            parts.append(f"{verb} {lines_words(puzzle, lines, first)}")
    for cell, within in inside:
        parts.append(f"{puzzle.cell_name(cell)} is {'inside' if within else 'outside'}")
    return "; ".join(parts)


def _side(puzzle: Puzzle, cell: int, line: int) -> str:
    return _SIDES[puzzle.layout.cell_lines[cell].tolist().index(line)]


def _wordiness(puzzle: Puzzle, cell: int) -> tuple[bool, bool]:
    """Order cells by the length of their names: one that has its clue alone in its row is first."""
    return puzzle.clues[cell] == NO_CLUE, not _alone(puzzle, cell)


def _name(puzzle: Puzzle, cell: int) -> str:
    clue = puzzle.clues[cell]
    if clue == NO_CLUE:
        return f"the cell in {puzzle.cell_name(cell)}"
    where = f"row {cell // puzzle.cols + 1}" if _alone(puzzle, cell) else puzzle.cell_name(cell)
    return f"the {clue} in {where}"


def _alone(puzzle: Puzzle, cell: int) -> bool:
    """True if no other cell of this row has the same clue."""
    start = cell // puzzle.cols * puzzle.cols
    return puzzle.clues[start : start + puzzle.cols].count(puzzle.clues[cell]) == 1
