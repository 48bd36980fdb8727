"""The paper's own agent, which looks only near the last move, and the one that mirrors.

Both need the last move, which `Position` knows; a position that was set up has none.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np

from plywise.core.analysis import Analysis, Limits, OnInfo, Stop
from plywise.core.game import AgentType, Game, Record, Verb
from plywise.core.position import Position
from plywise.core.spec import Parameter
from plywise.engines.driver import NO_LIMITS, GameAgent, Run
from plywise.engines.kernels.textbook import meet, never
from plywise.engines.scale import UNIT, analysis_of, estimated
from plywise.errors import SpecError
from plywise.games.align.rules import CELLS, fill_cell, gain, promise
from plywise.jit import kernel, rule
from plywise.jit.bits import ONE, ZERO

FEW = 9  #: the paper's agent looks at least at this many cells
MOST = 12  #: cells with which a table is allowed: with the rest of a row, it has 2^19 entries
WIDE = 1000  #: the paper's initial search window
VALUE, NODES = 0, 1  #: what the search returns besides its choice
#: The neighbours of a cell as the paper lists them: rows from the top, columns from the left.
NEIGHBOURS = ((-1, -1), (0, -1), (1, -1), (-1, 0), (1, 0), (-1, 1), (0, 1), (1, 1))

Frame = np.dtype(
    (
        np.record,
        [
            ("alpha", "i8"),
            ("beta", "i8"),
            ("best", "i8"),
            ("choice", "i8"),  # the best move's index in the list
            ("next", "i8"),  # the index to look at next
            ("added", "i8"),  # both totals after the current move, own less the opponent's
        ],
    )
)


@kernel
def seed_kernel(play: Verb, cut: Verb) -> Verb:
    """The paper's search over a list of cells; returns the index of its choice, -1 for none yet.

    The side to move at the root maximises. The value of a move is the value below it plus both
    totals after it, own less the opponent's, so the totals count once for every ply; an empty list
    is 0. Bounds are passed down unchanged. All this is as in the paper. At `depth` the list counts
    as empty. `facts` gets the value and the nodes.
    """

    def seed(
        board: Record,
        states: Record,
        frames: Record,
        cells: Record,
        depth: int,
        taken: Record,
        facts: Record,
        stop: Record,
        halt: Record,
    ) -> int:
        b = board[0]
        me = states[0].turn
        nodes = 1
        value = 0
        d = 0
        frames[0].alpha = -WIDE
        frames[0].beta = WIDE
        entering = True
        while True:
            f = frames[d]
            s = states[d]
            largest = s.turn == me
            if entering:
                if nodes & 4095 == 0 and stop[0] | halt[0] != 0:
                    break
                f.best = -WIDE if largest else WIDE
                f.choice = -1
                f.next = 0 if d < depth else cells.size
            else:
                # Step 1: a move returns its value.
                taken[f.next - 1] = 0
                value += f.added
                if largest:
                    f.alpha = max(f.alpha, value)
                else:
                    f.beta = min(f.beta, value)
                if value > f.best if largest else value < f.best:
                    f.best = value
                    f.choice = f.next - 1
                if cut(f.alpha, f.beta):
                    f.next = cells.size
            # Step 2: the next cell that is still free and may be used.
            while f.next < cells.size and (taken[f.next] == 1 or not usable(b, s, cells[f.next])):
                f.next += 1
            if f.next == cells.size:
                value = f.best if f.choice >= 0 else 0
                if d == 0:
                    break
                d -= 1
                entering = False
                continue
            # Step 3: descend.
            taken[f.next] = 1
            states[d + 1] = s
            play(b, states[d + 1], cells[f.next])
            after = states[d + 1].score
            f.added = after[me] - after[1 - me]
            f.next += 1
            frames[d + 1].alpha = f.alpha
            frames[d + 1].beta = f.beta
            d += 1
            nodes += 1
            entering = True
        facts[VALUE] = frames[0].best
        facts[NODES] = nodes
        return frames[0].choice

    return seed


def nearby(position: Position, fewest: int = FEW) -> list[int]:
    """The empty cells around the last move, then whole rows from the top until there are nine.

    `fewest` is another number than nine.

    With `checkerboard`, cells of the opponent's colour are listed too, since the opponent plays in
    this list as well; rows are added until the side to move has a cell.
    """
    side = int(position.game.board.side)
    filled = int(position.state.own[0]) | int(position.state.own[1])
    found: list[int] = []

    def add(row: int, col: int) -> None:
        cell = (side - 1 - row) * side + col  # rows from the top
        if 0 <= row < side and 0 <= col < side and not filled >> cell & 1 and cell not in found:
            found.append(cell)

    if position.last is not None:
        row, col = side - 1 - position.last // side, position.last % side
        for down, right in NEIGHBOURS:
            add(row + down, col + right)
    for row in range(side):
        if len(found) >= fewest and not set(found).isdisjoint(position.legal_codes):
            break
        for col in range(side):
            add(row, col)
    return found


def by_rows(position: Position, cell: int) -> tuple[int, int]:
    """The place of a cell if rows are read from the top."""
    row, col = divmod(cell, int(position.game.board.side))
    return -row, col


def by_promise(position: Position, cell: int) -> int:
    """The place of a cell if what scores and gives nothing away comes first."""
    return -int(promise(position.game.board, position.state, cell))


ORDERS: dict[str, Callable[[Position, int], Any] | None] = {
    "near": None,  # as listed
    "rows": by_rows,
    "promise": by_promise,
}


class Seed(GameAgent):
    """The paper's agent; its options leave out or add one part of it each."""

    def __init__(
        self,
        game: Game,
        depth: int | None = None,
        cells: int = FEW,
        order: str = "near",
        search: str = "pruned",
    ) -> None:
        self.game = game
        self.depth, self.cells, self.order, self.tabled = depth, cells, order, search == "table"
        if self.tabled and cells > MOST:
            raise SpecError(f"search=table takes up to {MOST} cells, not {cells}")
        cut = meet if search == "pruned" else never
        self.kernel = (
            table_kernel.build() if self.tabled else seed_kernel.build(game.rules, cut=cut)
        )

    def think(
        self, position: Position, limits: Limits, on_info: OnInfo | None, stop: Stop, lines: bool
    ) -> Analysis:
        """The best cell nearby by the paper's sums; if stopped early, the best so far."""
        cells = nearby(position, self.cells)
        if (place_of := ORDERS[self.order]) is not None:
            cells.sort(key=lambda cell: place_of(position, cell))
        self._call(position, [], Run(NO_LIMITS))  # compile first
        run = Run(limits, stop)
        ((place, facts),) = run.call([lambda: self._call(position, cells, run)])
        mine = [cell for cell in cells if cell in position.legal_codes]
        move = position.text_of(cells[place] if place >= 0 else mine[0])
        seen = estimated(position, UNIT * float(_lead(position)))
        found = analysis_of(
            (move,),
            replace(seen, score=float(facts[VALUE])),
            depth=self._depth(cells),
            nodes=facts[NODES],
            seconds=run.seconds,
        )
        return replace(found, lines=(found.line,)) if lines else found

    def _call(self, position: Position, cells: list[int], run: Run) -> tuple[int, list[int]]:
        boards, listed, depth = self.game.boards, np.array(cells, np.int64), self._depth(cells)
        states, facts = np.zeros(len(cells) + 2, self.game.type.state), np.zeros(2, np.int64)
        states[0] = position.state
        if self.tabled:
            table = np.zeros(1 << len(cells), Entry)
            place = self.kernel(boards, states, listed, depth, table, facts)
            return int(place), facts.tolist()
        frames, taken = np.zeros(len(cells) + 1, Frame), np.zeros(len(cells), np.uint8)
        flags = run.stop, run.halt
        place = self.kernel(boards, states, frames, listed, depth, taken, facts, *flags)
        return int(place), facts.tolist()

    def _depth(self, cells: list[int]) -> int:
        return len(cells) if self.depth is None else min(self.depth, len(cells))


class Mirror(GameAgent):
    """Mirrors every move, left to right: on an even board this wins every game as second player."""

    def __init__(self, game: Game) -> None:
        self.game = game

    def think(
        self, position: Position, limits: Limits, on_info: OnInfo | None, stop: Stop, lines: bool
    ) -> Analysis:
        """The mirror image of the last move; without one, the move that scores most at once."""
        b, s, side = self.game.board, position.state, int(self.game.board.side)
        move = -1
        if position.last is not None:
            row, col = divmod(position.last, side)
            move = row * side + side - 1 - col
        if move not in position.legal_codes:
            move = max(position.legal_codes, key=lambda cell: int(gain(b, s, cell)))
        seen = estimated(position, UNIT * float(_lead(position) + int(gain(b, s, move))))
        found = analysis_of((position.text_of(move),), seen, depth=1, nodes=1)
        return replace(found, lines=(found.line,)) if lines else found


def _lead(position: Position) -> int:
    """The points of the side to move less the opponent's."""
    lead = int(position.state.score[0]) - int(position.state.score[1])
    return lead if position.turn == 0 else -lead


AGENTS = {
    "seed": AgentType(
        Seed,
        (
            Parameter(
                "depth", int, "plies to look ahead; the whole list by default", low=1, high=CELLS
            ),
            Parameter("cells", FEW, "cells to list at least", low=1, high=CELLS),
            Parameter(
                "order",
                "near",
                "which cells come first: next to the last move, from the top, or those that score",
                choices=tuple(ORDERS),
            ),
            Parameter(
                "search",
                "pruned",
                "alpha-beta, the whole tree, or every set of cells once",
                choices=("pruned", "plain", "table"),
            ),
        ),
        "the paper's own: alpha-beta over the cells near the last move",
    ),
    "mirror": AgentType(
        Mirror, (), "mirrors every move, left to right; always wins second on even boards"
    ),
}


# ---- the paper's search with a table -------------------------------------------------------------


FAR = 1 << 40  #: beyond any sum
#: What the table holds for each set of cells; a set has one bit for each place in the list.
Entry = np.dtype(
    (
        np.record,
        [
            ("reached", "i8"),  # 1 if play can get here
            ("worth", "i8"),  # what best play adds to the sum from here, at a lead of 0
            ("plies", "i8"),  # from here to the end of the search
        ],
    )
)


@rule
def usable(b: Record, s: Record, cell: int) -> bool:
    """True if the side to move may use this empty cell."""
    return b.allowed[s.turn] >> np.uint64(cell) & ONE != ZERO


@kernel
def table_kernel() -> Verb:
    """Build the kernel that fills the table."""

    def fill(
        board: Record, states: Record, cells: Record, depth: int, table: Record, facts: Record
    ) -> int:
        """Return the place of the best cell in the list, the first among equals; -1 for none.

        `states` holds the position and room for another. `facts` gets the sum and the number of
        sets.
        """
        b, root, s = board[0], states[0], states[1]
        me = root.turn
        nodes = 0
        best, choice = 0, -1
        # Step 1: the sets that play can reach. A set comes before all larger ones.
        table[0].reached = 1
        for filled in range(table.size):
            if table[filled].reached == 0:
                continue
            nodes += 1
            s.turn = me
            count = 0
            for place in range(cells.size):
                if filled >> place & 1 == 1:
                    s.turn = 1 - s.turn
                    count += 1
            for place in range(cells.size):
                if count < depth and filled >> place & 1 == 0 and usable(b, s, cells[place]):
                    table[filled | 1 << place].reached = 1
        # Step 2: their values, the largest sets first.
        for filled in range(table.size - 1, -1, -1):
            entry = table[filled]
            if entry.reached == 0:
                continue
            states[1] = root
            count = 0
            for place in range(cells.size):
                if filled >> place & 1 == 1:
                    fill_cell(b, s, cells[place], s.turn)
                    s.turn = 1 - s.turn
                    count += 1
            best, choice = -FAR, -1
            sign = 1 if s.turn == me else -1
            for place in range(cells.size):
                if count == depth or filled >> place & 1 == 1 or not usable(b, s, cells[place]):
                    continue
                after = table[filled | 1 << place]
                entry.plies = after.plies + 1
                value = sign * after.worth + gain(b, s, cells[place]) * entry.plies
                if value > best:
                    best, choice = value, place
            entry.worth = sign * best if choice >= 0 else 0
        lead = root.score[me] - root.score[1 - me]
        facts[0] = table[0].worth + lead * table[0].plies
        facts[1] = nodes
        return choice

    return fill
