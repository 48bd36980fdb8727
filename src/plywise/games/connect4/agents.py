"""The paper's own agent: alpha-beta on active threes, four levels, and its rules for ties."""

from __future__ import annotations

import random
from collections.abc import Sequence
from typing import Any

from plywise.core.game import AgentType, Game, Record
from plywise.core.position import Position
from plywise.core.spec import Parameter, format_spec
from plywise.engines.kernels.textbook import meet
from plywise.engines.textbook import Result, Textbook
from plywise.jit import rule
from plywise.jit.bits import popcount


@rule
def threes(b: Record, s: Record, player: int) -> float:
    """Ten for each active three; the opponent's count twice, because not losing comes first."""
    mover, other = active_threes(b, s.own, s.mask), active_threes(b, s.own ^ s.mask, s.mask)
    mine, theirs = mover, other
    if player != s.turn:
        mine, theirs = other, mover
    return 10.0 * mine - 2.0 * 10.0 * theirs


@rule
def active_threes(b: Record, discs: Any, mask: Any) -> int:
    """Count the lines of four with three of these discs and one empty cell."""
    empty = b.cells ^ mask
    count = 0
    for i in range(b.directions):
        one = b.shift[i]
        two = one + one
        three = two + one
        count += popcount(empty & (discs >> one) & (discs >> two) & (discs >> three))
        count += popcount(discs & (empty >> one) & (discs >> two) & (discs >> three))
        count += popcount(discs & (discs >> one) & (empty >> two) & (discs >> three))
        count += popcount(discs & (discs >> one) & (discs >> two) & (empty >> three))
    return count


@rule
def middle_first(b: Record, s: Record, move: int) -> int:
    """The paper's move order: column 4, then 3, 5, 2, 6, 1, 7."""
    return b.middle[move]


class Seed(Textbook):
    """Searches every column by itself; ties go to the better row, then to the middle."""

    weighs_all = True

    def __init__(self, game: Game, level: int, seed: int, order: str = "middle") -> None:
        by = "promise" if order == "middle" else "rules"  # the rules list moves from left to right
        super().__init__(game, meet, 2 * level, "seed", by, middle_first)
        self.name = format_spec(
            "seed", {"level": level, "order": None if by == "promise" else order}
        )
        self.random = random.Random(seed)

    def pick(self, position: Position, scored: Sequence[tuple[int, Result]]) -> int:
        """Half a point for a good row, then the column nearest the middle, then at random."""
        b = self.game.board
        wanted = 1 if position.turn == 0 else 0  # odd rows for the player who began, else even
        ranks = []
        for column, result in scored:
            row = (int(position.state.mask) & int(b.column[column])).bit_count() + 1
            bonus = 0.5 if row % 2 == wanted else 0.0
            ranks.append((result.value + bonus, int(b.middle[column])))
        best = max(ranks)
        return self.random.choice([index for index, rank in enumerate(ranks) if rank == best])


AGENTS = {
    "seed": AgentType(
        Seed,
        (
            Parameter("level", 2, "1 to 4: looks 2, 4, 6 or 8 plies ahead", low=1, high=4),
            Parameter("seed", 0, "random seed, for ties between columns equally near the middle"),
            Parameter(
                "order", "middle", "which columns are searched first", choices=("middle", "left")
            ),
        ),
        "the paper's own: alpha-beta on active threes",
    )
}
