"""Andantino in the plainest Python there is, to compare with. No code shared.

`stones` maps cells (q, r) to "x" or "o". Everything is found anew from the whole board.
"""

from __future__ import annotations

from dataclasses import dataclass, field

Cell = tuple[int, int]
WAYS = ((1, 0), (0, 1), (-1, 1), (-1, 0), (0, -1), (1, -1))


@dataclass
class Andantino:
    """A game being played; `play` returns a new one."""

    side: int = 10
    stones: dict[Cell, str] = field(default_factory=dict)
    mover: str = "x"
    winner: str | None = None

    def on_board(self, cell: Cell) -> bool:
        q, r = cell
        return max(abs(q), abs(r), abs(q + r)) <= self.side - 1

    def cells(self) -> list[Cell]:
        reach = range(1 - self.side, self.side)
        return [(q, r) for r in reach for q in reach if self.on_board((q, r))]

    def beside(self, cell: Cell) -> list[Cell]:
        """The neighbours on the board."""
        around = [(cell[0] + dq, cell[1] + dr) for dq, dr in WAYS]
        return [other for other in around if self.on_board(other)]

    def legal(self) -> list[Cell]:
        if not self.stones:
            return [(0, 0)]
        need = 1 if len(self.stones) == 1 else 2
        empty = [cell for cell in self.cells() if cell not in self.stones]
        return [c for c in empty if sum(o in self.stones for o in self.beside(c)) >= need]

    def over(self) -> bool:
        return self.winner is not None or len(self.stones) == len(self.cells())

    def play(self, cell: Cell) -> Andantino:
        other = "o" if self.mover == "x" else "x"
        after = Andantino(self.side, {**self.stones, cell: self.mover}, other)
        if after.line(self.mover) or after.caught(self.mover):
            after.winner = self.mover
        elif after.caught(other):
            after.winner = other
        return after

    def line(self, player: str) -> bool:
        """Five in a row anywhere?"""
        mine = {cell for cell, owner in self.stones.items() if owner == player}
        return any(
            all((q + i * dq, r + i * dr) in mine for i in range(5))
            for q, r in mine
            for dq, dr in WAYS[:3]
        )

    def caught(self, player: str) -> set[Cell]:
        """The other's stones in regions that have none of this player's stones and no rim cell."""
        found: set[Cell] = set()
        left = {cell for cell in self.cells() if self.stones.get(cell) != player}
        while left:
            region, waiting = set(), [left.pop()]
            while waiting:
                cell = waiting.pop()
                region.add(cell)
                new = left.intersection(self.beside(cell))
                left -= new
                waiting += new
            if all(len(self.beside(cell)) == 6 for cell in region):
                found |= {cell for cell in region if cell in self.stones}
        return found
