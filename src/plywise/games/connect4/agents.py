"""The paper's own agent: alpha-beta on active threes, four levels, and its rules for ties."""

from __future__ import annotations

import random
from collections.abc import Sequence
from functools import cache
from typing import Any

import numpy as np

from plywise.core.game import AgentType, Game, Heuristic, Record
from plywise.core.position import Position
from plywise.core.spec import Parameter, format_spec
from plywise.engines.kernels.textbook import meet
from plywise.engines.textbook import Result, Textbook
from plywise.games.connect4.rules import FOUR
from plywise.jit import rule
from plywise.jit.bits import popcount

WIN = 1000.0  #: the value of a won game, less its plies


@cache
def threes(factor: int) -> Heuristic:
    """Ten for each active three; the opponent's count twice, because not losing comes first.

    That is the paper's factor; 1 shows what it brings.
    """
    weight = 10.0 * factor

    @rule
    def view(b: Record, s: Record, player: int) -> float:
        mover, other = active_threes(b, s.own, s.mask), active_threes(b, s.own ^ s.mask, s.mask)
        mine, theirs = mover, other
        if player != s.turn:
            mine, theirs = other, mover
        return 10.0 * mine - weight * theirs

    # Known to the module by a name of its own, so that it can be pickled.
    view.__qualname__ = f"threes_{factor}"
    globals()[view.__qualname__] = view
    return Heuristic(view, WIN, "the paper's: own threes less twice the opponent's")


@rule
def active_threes(b: Record, discs: Any, mask: Any) -> int:
    """Count the lines with one empty cell and else these discs: threes, where four win."""
    empty = b.cells ^ mask
    count = 0
    if b.inarow != FOUR:
        for i in range(b.directions):
            for gap in range(b.inarow):
                line = b.cells
                for step in range(b.inarow):
                    wanted = empty if step == gap else discs
                    line &= wanted >> (b.shift[i] * np.uint64(step))
                count += popcount(line)
        return count
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
    """Searches every column by itself; ties go to the better row, then to the middle.

    `factor`, `row` and `ties` leave out ideas of the paper one by one, to see what each brings.
    """

    weighs_all = True

    def __init__(
        self,
        game: Game,
        level: int,
        seed: int,
        order: str = "middle",
        factor: int = 2,
        row: bool = True,
        ties: str = "middle",
    ) -> None:
        by = "promise" if order == "middle" else "rules"  # the rules list moves from left to right
        super().__init__(game, meet, 2 * level, threes(factor), by, middle_first)
        self.row, self.ties = row, ties
        changed = {
            "order": None if order == "middle" else order,
            "factor": None if factor == 2 else factor,
            "row": None if row else row,
            "ties": None if ties == "middle" else ties,
        }
        self.name = format_spec("seed", {"level": level, **changed})
        self.random = random.Random(seed)

    def pick(self, position: Position, scored: Sequence[tuple[int, Result]]) -> int:
        """Half a point for a good row, then the preferred column, then at random."""
        b = self.game.board
        wanted = 1 if position.turn == 0 else 0  # odd rows for the player who began, else even
        ranks = []
        for column, result in scored:
            row = (int(position.state.mask) & int(b.column[column])).bit_count() + 1
            bonus = 0.5 if self.row and row % 2 == wanted else 0.0
            preferred = {"middle": int(b.middle[column]), "left": -column, "random": 0}[self.ties]
            ranks.append((result.value + bonus, preferred))
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
            Parameter("factor", 2, "how many times an opponent's three counts", low=1, high=2),
            Parameter("row", True, "half a point for odd or even rows"),
            Parameter(
                "ties",
                "middle",
                "which of several best columns is played",
                choices=("middle", "left", "random"),
            ),
        ),
        "the paper's own: alpha-beta on active threes",
    )
}
