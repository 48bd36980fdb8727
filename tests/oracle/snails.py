"""Snails in the plainest Python there is, to compare with. No code shared.

A cell is a pair (column, row) from the bottom left. `owner` maps cells to "x", "o" or "#".
"""

from __future__ import annotations

from dataclasses import dataclass, field

Cell = tuple[int, int]
STEPS = {"u": (0, 1), "r": (1, 0), "d": (0, -1), "l": (-1, 0)}


@dataclass
class Snails:
    """A game being played; `play` returns a new one."""

    rows: int
    cols: int
    territory: bool = False
    owner: dict[Cell, str] = field(default_factory=dict)
    snail: dict[str, Cell] = field(default_factory=dict)
    mover: str = "x"
    quiet: int = 0

    def __post_init__(self) -> None:
        if not self.snail:
            self.snail = {"x": (0, 0), "o": (self.cols - 1, self.rows - 1)}
            self.owner = {cell: player for player, cell in self.snail.items()}

    def cells(self) -> list[Cell]:
        return [(col, row) for row in range(self.rows) for col in range(self.cols)]

    def empty(self) -> set[Cell]:
        return {cell for cell in self.cells() if cell not in self.owner}

    def score(self, player: str) -> int:
        return list(self.owner.values()).count(player)

    def destination(self, player: str, cell: Cell, move: str) -> Cell | None:
        """Where a move leads on the board as it is; None if it is not allowed."""
        right, up = STEPS[move]
        beside = (cell[0] + right, cell[1] + up)
        if beside in self.empty():
            return beside
        if self.owner.get(beside) != player:
            return None
        while self.owner.get((beside[0] + right, beside[1] + up)) == player:
            beside = (beside[0] + right, beside[1] + up)
        return beside

    def legal(self) -> list[str]:
        here = self.snail[self.mover]
        return [move for move in STEPS if self.destination(self.mover, here, move) is not None]

    def distances(self, player: str, start: Cell) -> dict[Cell, int]:
        """Moves to every cell where the snail could stop, by breadth-first search."""
        known = {start: 0}
        waiting = [start]
        while waiting:
            cell = waiting.pop(0)
            for move in STEPS:
                stop = self.destination(player, cell, move)
                if stop is not None and stop not in known:
                    known[stop] = known[cell] + 1
                    waiting.append(stop)
        return known

    def stuck(self, player: str) -> bool:
        """Slides alone, then a look at the neighbours of every stop."""
        known = {self.snail[player]}
        waiting = [self.snail[player]]
        empty = self.empty()
        while waiting:
            cell = waiting.pop()
            for move, (right, up) in STEPS.items():
                if (cell[0] + right, cell[1] + up) in empty:
                    return False
                stop = self.destination(player, cell, move)
                if stop is not None and stop not in known:
                    known.add(stop)
                    waiting.append(stop)
        return True

    def over(self) -> bool:
        first, second = self.score("x"), self.score("o")
        most, least = max(first, second), min(first, second)
        return (
            (self.stuck("x") and self.stuck("o"))
            or most > self.rows * self.cols / 2
            or most > least + len(self.empty())
            or self.quiet >= 20
        )

    def winner(self) -> int:
        first, second = self.score("x"), self.score("o")
        return 1 if first > second else 2 if second > first else 0

    def play(self, move: str) -> Snails:
        stop = self.destination(self.mover, self.snail[self.mover], move)
        assert stop is not None
        other = "o" if self.mover == "x" else "x"
        after = Snails(
            self.rows,
            self.cols,
            self.territory,
            {**self.owner, stop: self.mover},
            {**self.snail, self.mover: stop},
            other,
        )
        if self.territory:
            reached = {player: set(after.distances(player, after.snail[player])) for player in "xo"}
            for cell in after.empty():
                who = [player for player in "xo" if cell in reached[player]]
                if len(who) < 2:
                    after.owner[cell] = who[0] if who else "#"
        claimed = after.score("x") + after.score("o") > self.score("x") + self.score("o")
        after.quiet = 0 if claimed else self.quiet + 1
        if after.stuck(other) and not after.stuck(self.mover):
            after.mover = self.mover
        return after

    def text(self) -> str:
        """The position as plywise writes it."""
        rows = []
        for row in reversed(range(self.rows)):
            line, run = "", 0
            for col in range(self.cols):
                mark = self.owner.get((col, row))
                if mark is None:
                    run += 1
                    continue
                line += str(run) if run else ""
                run = 0
                line += mark.upper() if (col, row) in self.snail.values() else mark
            rows.append(line + (str(run) if run else ""))
        return f"{'/'.join(rows)} {self.quiet} {self.mover}"
