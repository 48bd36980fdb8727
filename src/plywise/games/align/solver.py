"""Exact results of Align: an endgame table of all later positions, and alpha-beta above it."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

from plywise.core.analysis import Analysis
from plywise.core.game import Game
from plywise.core.position import Position
from plywise.engines.driver import NO_LIMITS, Run, first_move
from plywise.engines.scale import analysis_of, line_of, proved
from plywise.engines.solve import ExactSolver, Search
from plywise.games.align.book import BoardSymmetry, shipped
from plywise.games.align.table import EndgameTable, filled_in

LARGEST = 1 << 29  #: bytes of the largest table
KEPT = 1 << 24  #: bytes of the largest table that is kept for the next search
SMALL = 1 << 16  #: entries of a table that is filled without a time limit: milliseconds
LENGTH = 12  #: most moves in a line
FAR = 1000  #: beyond any value


class LimitReached(Exception):
    """A limit was reached before the answer."""


@dataclass
class Range:
    """Known bounds of a value."""

    low: int = -FAR
    high: int = FAR


class Solver(ExactSolver):
    """Exact margins. A table holds the value of every later position."""

    def __init__(self, game: Game, *, book: bool = True) -> None:
        self.game = game
        self.cells = int(game.board.cells)
        self.book = shipped(game) if book else None
        self.table: EndgameTable | None = None  #: the last table, if it is small
        self.ranges: dict[
            tuple[int, int], Range
        ] = {}  #: by the set of filled cells and the side to move
        full = (1 << self.cells) - 1
        EndgameTable(game, full, 0).fill(Run(NO_LIMITS))  # compiles, before any clock starts
        if self.book is not None:
            self.book.value(0, 0)  # so does this

    @cached_property
    def symmetry(self) -> BoardSymmetry:
        """The symmetries of the board."""
        return BoardSymmetry(self.game)

    def find(self, search: Search) -> Analysis:
        """Find the exact margin, and that of every move in `lines`; no outcome if time runs out.

        In the last layer of the book there are always a margin and a best move, but no lines.
        Nodes are the values that were computed.
        """
        values = _Values(self, search)
        try:
            analysis = values.analysis(search.position)
        except LimitReached:
            analysis = self.looked_up(search.position) or first_move(search.position)
        if values.table is not None and values.table.bytes <= KEPT:
            self.table = values.table
        return analysis

    def looked_up(self, position: Position) -> Analysis | None:
        """Only the margin and a best move, if this is in the last layer of the book."""
        if self.book is None:
            return None
        found = self.book.answer(filled_in(position), position.turn)
        if found is None:
            return None
        cell, value = found
        seen = proved(position, lead(position) + value, None)
        return analysis_of((position.text_of(cell),), seen)

    def reaches(self, position: Position) -> bool:
        """True if the book has the result, or one table is enough to find it."""
        filled = filled_in(position)
        if self.in_book(filled.bit_count()):
            return True
        return EndgameTable(self.game, filled, position.turn).bytes <= LARGEST

    def in_book(self, count: int) -> bool:
        """True if the book has positions with at least so many filled cells."""
        return self.book is not None and count <= self.book.plies

    def points(self, filled: int, cell: int) -> int:
        """What filling a cell scores."""
        board = self.game.board
        side = int(board.side)
        row, col = divmod(cell, side)
        filled |= 1 << cell
        across = filled >> row * side & (1 << side) - 1
        upright = sum((filled >> at * side + col & 1) << at for at in range(side))
        return int(board.pay[across, col]) + int(board.pay[upright, row])

    def open_cells(self, filled: int, turn: int) -> list[int]:
        """The cells that may be filled."""
        free = int(self.game.board.allowed[turn]) & ~filled
        return [cell for cell in range(self.cells) if free >> cell & 1]


class _Values:
    """The values of one search, and the table that they come from now."""

    def __init__(self, solver: Solver, search: Search) -> None:
        self.solver = solver
        self.search = search
        self.table = solver.table

    def analysis(self, position: Position) -> Analysis:
        """Every move with its margin."""
        filled, turn = filled_in(position), position.turn
        if not self.solver.in_book(filled.bit_count() + 1):
            self.by_table(filled, turn)  # one for all moves, if it is not too large
        ahead = lead(position)
        lines = []
        for cell in position.legal_codes:
            after = self.value(filled | 1 << cell, 1 - turn, -FAR, FAR)
            seen = proved(position, ahead + self.solver.points(filled, cell) - after, None)
            pv = (position.text_of(cell), *self.followed(position.play_code(cell)))
            lines.append(line_of(pv, seen))
        best = max(lines, key=lambda line: line.score)
        seen = proved(position, int(best.score), None)
        depth = self.solver.cells - filled.bit_count()
        return analysis_of(best.pv, seen, lines=tuple(lines), depth=depth)

    def followed(self, position: Position) -> tuple[str, ...]:
        """The best play from here, if there is a table of it."""
        moves: list[str] = []
        filled, turn = filled_in(position), position.turn
        if self.table is None or not self.table.has(filled, turn):
            return ()
        while (cells := self.solver.open_cells(filled, turn)) and len(moves) < LENGTH:
            worth = {
                cell: self.solver.points(filled, cell) - self.table.value(filled | 1 << cell)
                for cell in cells
            }
            cell = max(cells, key=lambda cell: worth[cell])
            moves.append(position.text_of(cell))
            filled, turn = filled | 1 << cell, 1 - turn
        return tuple(moves)

    def at_hand(self, filled: int, turn: int) -> int | None:
        """The value if it can be looked up."""
        if self.table is not None and self.table.has(filled, turn):
            return self.table.value(filled)
        book = self.solver.book
        return None if book is None else book.value(filled, turn)

    def value(self, filled: int, turn: int, low: int, high: int) -> int:
        """What the mover still gains, or a bound if that is outside low and high."""
        solver = self.solver
        known = self.at_hand(filled, turn)
        if known is None and not solver.in_book(filled.bit_count()):
            known = self.by_table(filled, turn)
        if known is not None:
            return known
        if self.search.run.stopped:
            raise LimitReached
        place = solver.symmetry.least_image(filled), turn
        found = solver.ranges.setdefault(place, Range())
        if found.low >= high or found.low == found.high:
            return found.low
        if found.high <= low:
            return found.high
        best, alpha = -FAR, low
        cells = solver.open_cells(filled, turn)
        for cell in sorted(cells, key=lambda cell: -solver.points(filled, cell)):
            paid = solver.points(filled, cell)
            after = self.value(filled | 1 << cell, 1 - turn, paid - high, paid - alpha)
            best = max(best, paid - after)
            alpha = max(alpha, best)
            if best >= high:
                break
        if best > low:
            found.low = best
        if best < high:
            found.high = best
        return best

    def by_table(self, filled: int, turn: int) -> int | None:
        """The value from a table, a new one if needed; None if it would be too large."""
        if self.table is not None and self.table.has(filled, turn):
            return self.table.value(filled)
        table = EndgameTable(self.solver.game, filled, turn)
        if table.bytes > LARGEST:
            return None
        hurry = table.entries > SMALL
        if table.entries > self.search.left or (hurry and self.search.run.stopped):
            raise LimitReached
        self.table = None  # so that there are never two large ones
        if not table.fill(self.search.run, hurry=hurry):
            raise LimitReached
        self.search.nodes += table.entries
        self.table = table
        return table.value(filled)


def lead(position: Position) -> int:
    """The points of the mover, less the opponent's."""
    scores = position.state.score
    return int(scores[position.turn]) - int(scores[1 - position.turn])
