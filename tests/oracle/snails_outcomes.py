"""Outcomes of Snails by plain minimax. Every position is kept with its quiet plies.

Written for small boards and many positions: a set of cells is a number, and a position is a
tuple (trail of x, trail of o, cell of x, cell of o, mover, quiet plies).
"""

from __future__ import annotations

from tests.oracle.snails import Snails

Place = tuple[int, int, int, int, int, int]


class Outcomes:
    """1, 0 or -1 for player x, of any position with few empty cells."""

    def __init__(self, rows: int, cols: int) -> None:
        self.rows, self.cols, self.known = rows, cols, dict[Place, int]()
        self.beside = [
            [
                (row + up) * cols + col + right
                if 0 <= row + up < rows and 0 <= col + right < cols
                else -1
                for up, right in ((1, 0), (0, 1), (-1, 0), (0, -1))
            ]
            for row in range(rows)
            for col in range(cols)
        ]

    def of(self, position: Snails) -> int:
        return self.search(self.place(position))

    def place(self, position: Snails) -> Place:
        trails = [
            sum(1 << self.number(cell) for cell, owner in position.owner.items() if owner == player)
            for player in "xo"
        ]
        x, o = (self.number(position.snail[player]) for player in "xo")
        return (trails[0], trails[1], x, o, "xo".index(position.mover), position.quiet)

    def number(self, cell: tuple[int, int]) -> int:
        return cell[1] * self.cols + cell[0]

    def search(self, place: Place) -> int:
        if place not in self.known:
            x, o, *_, mover, _ = place
            if self.over(place):
                first, second = x.bit_count(), o.bit_count()
                self.known[place] = (first > second) - (first < second)
            else:
                best = -1
                for child in self.children(place):
                    best = max(best, self.search(child) * (1, -1)[mover])
                    if best == 1:
                        break
                self.known[place] = best * (1, -1)[mover]
        return self.known[place]

    def over(self, place: Place) -> bool:
        x, o, *_, quiet = place
        first, second = x.bit_count(), o.bit_count()
        most, least, cells = max(first, second), min(first, second), self.rows * self.cols
        far = 2 * most > cells or most > least + cells - first - second or quiet >= 20
        return far or (self.stuck(place, 0) and self.stuck(place, 1))

    def stuck(self, place: Place, player: int) -> bool:
        own, taken = place[player], place[0] | place[1]
        seen, waiting = {place[2 + player]}, [place[2 + player]]
        for cell in waiting:
            for direction, next_cell in enumerate(self.beside[cell]):
                if next_cell >= 0 and not taken >> next_cell & 1:
                    return False
                if next_cell >= 0 and own >> next_cell & 1:
                    stop = self.end(own, next_cell, direction)
                    if stop not in seen:
                        seen.add(stop)
                        waiting.append(stop)
        return True

    def end(self, own: int, cell: int, direction: int) -> int:
        following = self.beside[cell][direction]
        while following >= 0 and own >> following & 1:
            cell, following = following, self.beside[following][direction]
        return cell

    def children(self, place: Place) -> list[Place]:
        mover, quiet = place[4:]
        found = []
        for direction, cell in enumerate(self.beside[place[2 + mover]]):
            if cell < 0 or place[1 - mover] >> cell & 1:
                continue
            trails, at, plies = list(place[:2]), list(place[2:4]), 0
            if trails[mover] >> cell & 1:
                cell, plies = self.end(trails[mover], cell, direction), quiet + 1
            trails[mover] |= 1 << cell
            at[mover] = cell
            child = (trails[0], trails[1], at[0], at[1], 1 - mover, plies)
            if self.stuck(child, 1 - mover) and not self.stuck(child, mover):
                child = (*child[:4], mover, plies)
            found.append(child)
        return found
