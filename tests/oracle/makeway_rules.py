"""Make Way in the plainest Python there is, to compare with. No code shared.

A line is a pair of dots, the lower one first. `owner` maps lines to "x" or "o".
"""

from __future__ import annotations

from dataclasses import dataclass, field

Line = tuple[int, int]


@dataclass
class MakeWay:
    """A game being played; `play` returns a new one."""

    dots: int
    lines: list[Line]
    owner: dict[Line, str] = field(default_factory=dict)
    mover: str = "x"

    def joined(self, lines: set[Line]) -> bool:
        """Does a way along these lines lead from the first dot to the last?"""
        reached = {0}
        while True:
            more = {
                dot for line in lines if reached & set(line) for dot in line if dot not in reached
            }
            if not more:
                return self.dots - 1 in reached
            reached |= more

    def has_joined(self, player: str) -> bool:
        return self.joined({line for line in self.lines if self.owner.get(line) == player})

    def can_join(self, player: str) -> bool:
        return self.joined({line for line in self.lines if self.owner.get(line) in (None, player)})

    def over(self) -> bool:
        if any(self.has_joined(player) for player in "xo"):
            return True
        return not any(self.can_join(player) for player in "xo")

    def winner(self) -> int:
        return 1 if self.has_joined("x") else 2 if self.has_joined("o") else 0

    def legal(self) -> list[Line]:
        return [line for line in self.lines if line not in self.owner]

    def play(self, line: Line) -> MakeWay:
        assert line not in self.owner
        other = "o" if self.mover == "x" else "x"
        return MakeWay(self.dots, self.lines, {**self.owner, line: self.mover}, other)

    def fewest(self, player: str) -> int | None:
        """How many free lines a player needs at least; None if no number will do."""
        cost = {0: 0}
        for _ in range(self.dots):
            for line in self.lines:
                if self.owner.get(line) not in (None, player):
                    continue
                price = 0 if line in self.owner else 1
                for near, far in (line, line[::-1]):
                    if near in cost and cost[near] + price < cost.get(far, 10**6):
                        cost[far] = cost[near] + price
        return cost.get(self.dots - 1)

    def useful(self, player: str) -> set[Line]:
        """The free lines on some way from the start to the end without a dot twice."""
        found: set[Line] = set()

        def walk(way: list[int], used: list[Line]) -> None:
            if way[-1] == self.dots - 1:
                found.update(used)
                return
            for line in self.lines:
                if way[-1] in line and self.owner.get(line) in (None, player):
                    far = sum(line) - way[-1]
                    if far not in way:
                        walk([*way, far], [*used, line])

        walk([0], [])
        return {line for line in found if line not in self.owner}

    def text(self) -> str:
        """The position as plywise writes it."""
        text, run = "", 0
        for line in [*self.lines, None]:
            mark = "" if line is None else self.owner.get(line)
            if mark is None:
                run += 1
                continue
            text += (str(run) if run else "") + mark
            run = 0
        return f"{text} {self.mover}"
