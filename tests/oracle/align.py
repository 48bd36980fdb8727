"""Align in the plainest Python there is, and the paper's agent as it stands there. No code shared.

A cell is a pair (row from the top, column), as in the course's harness.
"""

from __future__ import annotations

from functools import cache

Cell = tuple[int, int]


class Align:
    """A game being played."""

    def __init__(self, size: int = 6, checkerboard: bool = False) -> None:
        self.size = size
        self.checkerboard = checkerboard
        self.marks: dict[Cell, str] = {}
        self.points = {"x": 0, "o": 0}
        self.mover = "x"

    def name(self, cell: Cell) -> str:
        row, col = cell
        return f"{'abcdefgh'[col]}{self.size - row}"

    def cell(self, name: str) -> Cell:
        return self.size - int(name[1]), "abcdefgh".index(name[0])

    def legal(self) -> list[str]:
        """From the bottom row upwards, each from the left."""
        cells = [(row, col) for row in reversed(range(self.size)) for col in range(self.size)]
        return [self.name(cell) for cell in cells if cell not in self.marks and self.allowed(cell)]

    def allowed(self, cell: Cell) -> bool:
        corner = (self.size - 1, 0)  # a1
        distance = abs(cell[0] - corner[0]) + abs(cell[1] - corner[1])
        return not self.checkerboard or (distance % 2 == 0) == (self.mover == "x")

    def payment(self, cell: Cell) -> int:
        """What a cell is paid that was just filled: walk away from it in four directions."""
        total = 0
        for ways in (((0, 1), (0, -1)), ((1, 0), (-1, 0))):
            length = 1
            for down, right in ways:
                row, col = cell[0] + down, cell[1] + right
                while (row, col) in self.marks:
                    length += 1
                    row, col = row + down, col + right
            if length == self.size or length == 3:
                total += length
        return total

    def play(self, name: str) -> int:
        cell = self.cell(name)
        assert cell not in self.marks
        self.marks[cell] = self.mover
        paid = self.payment(cell)
        self.points[self.mover] += paid
        self.mover = "o" if self.mover == "x" else "x"
        return paid

    def text(self) -> str:
        """The position as plywise writes it."""
        rows = []
        for row in range(self.size):
            line, run = "", 0
            for col in range(self.size):
                mark = self.marks.get((row, col))
                if mark is None:
                    run += 1
                    continue
                line += (str(run) if run else "") + mark
                run = 0
            rows.append(line + (str(run) if run else ""))
        return f"{'/'.join(rows)} {self.points['x']}-{self.points['o']} {self.mover}"


def remaining(size: int, checkerboard: bool = False) -> int:
    """By how much the first player wins a whole game: minimax over the sets of filled cells."""
    cells = [(row, col) for row in range(size) for col in range(size)]

    def paid(filled: frozenset[Cell], cell: Cell) -> int:
        game = Align(size)
        game.marks = dict.fromkeys(filled, "x")
        return game.payment(cell)

    @cache
    def best(filled: frozenset[Cell]) -> int:
        first = len(filled) % 2 == 0
        values = []
        for cell in cells:
            mine = (cell[0] + cell[1] + size - 1) % 2 == (0 if first else 1)
            if cell not in filled and (mine or not checkerboard):
                after = filled | {cell}
                values.append(paid(after, cell) - best(after))
        return max(values, default=0)

    return best(frozenset())


# ---- the paper's agent ------------------------------------------------------------------------


def report_cells(game: Align, last: str | None, fewest: int = 9) -> list[Cell]:
    """Its `get_possible_cells`, with one more than eight, or another number."""
    cells: list[Cell] = []
    if last is not None:
        x, y = game.cell(last)
        for cell in [
            (x - 1, y - 1),
            (x, y - 1),
            (x + 1, y - 1),
            (x - 1, y),
            (x + 1, y),
            (x - 1, y + 1),
            (x, y + 1),
            (x + 1, y + 1),
        ]:
            on_board = 0 <= cell[0] < game.size and 0 <= cell[1] < game.size
            if on_board and cell not in game.marks:
                cells.append(cell)
    if len(cells) < fewest:
        for row in range(game.size):
            for col in range(game.size):
                if (row, col) not in cells and (row, col) not in game.marks:
                    cells.append((row, col))
            if len(cells) >= fewest:
                return cells
    return cells


def report_move(
    game: Align,
    last: str | None,
    *,
    fewest: int = 9,
    rows: bool = False,
    depth: int = 36,
    pruned: bool = True,
) -> tuple[int, str]:
    """Its `find_move_mini_Max` from the root: the value and the move.

    Also with the list read by rows, with a depth, or without pruning.
    """
    mover = game.mover
    other = "o" if mover == "x" else "x"
    cells = report_cells(game, last, fewest)
    cells = sorted(cells) if rows else cells
    own, theirs = game.points[mover], game.points[other]
    value, cell = _search(game, cells, own, theirs, True, -1000, 1000, depth, pruned)
    assert cell is not None
    return value, game.name(cell)


def _search(
    game: Align,
    cells: list[Cell],
    own: int,
    other: int,
    largest: bool,
    alpha: int,
    beta: int,
    depth: int,
    pruned: bool,
) -> tuple[int, Cell | None]:
    if not cells or depth == 0:
        return 0, None
    below_it = depth - 1, pruned
    most, least = -1000, 1000
    chosen = None
    for number, cell in enumerate(cells):
        rest = cells[:number] + cells[number + 1 :]
        game.marks[cell] = "x"  # whose it is does not matter
        paid = game.payment(cell)
        if largest:
            below, _ = _search(game, rest, own + paid, other, False, alpha, beta, *below_it)
            value = own + paid + below - other
            alpha = max(alpha, value)
            if value > most:
                most, chosen = value, cell
        else:
            below, _ = _search(game, rest, own, other + paid, True, alpha, beta, *below_it)
            value = own + below - (other + paid)
            beta = min(beta, value)
            if value < least:
                least, chosen = value, cell
        del game.marks[cell]
        if pruned and beta <= alpha:
            break
    return (most if largest else least), chosen
