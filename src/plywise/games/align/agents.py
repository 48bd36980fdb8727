"""The paper's own agent, which looks only near the last move, and the one that mirrors.

Both need the last move, which `Position` knows; a position that was set up has none.
"""

from __future__ import annotations

import numpy as np

from plywise.core.analysis import Analysis, Limits, OnInfo, Stop
from plywise.core.analysis import Line as ScoredMove
from plywise.core.game import AgentType, Game, Record, Verb
from plywise.core.position import Position
from plywise.engines.driver import NO_LIMITS, Run, first_move
from plywise.engines.scale import UNIT, estimated
from plywise.games.align.rules import gain
from plywise.jit import kernel, rule
from plywise.jit.bits import ONE, ZERO

FEW = 9  #: the paper's agent looks at least at this many cells
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


@rule
def usable(b: Record, s: Record, cell: int) -> bool:
    """True if the side to move may use this empty cell."""
    return b.allowed[s.turn] >> np.uint64(cell) & ONE != ZERO


@kernel
def seed_kernel(play: Verb) -> Verb:
    """The paper's search over a list of cells; returns the index of its choice, -1 for none yet.

    The side to move at the root maximises. The value of a move is the value below it plus both
    totals after it, own less the opponent's, so the totals count once for every ply; an empty list
    is 0. Bounds are passed down unchanged. All this is as in the paper. `facts` gets the value and
    the nodes.
    """

    def seed(
        board: Record,
        states: Record,
        frames: Record,
        cells: Record,
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
                f.next = 0
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
                if f.beta <= f.alpha:
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


def nearby(position: Position) -> list[int]:
    """The empty cells around the last move, then whole rows from the top until there are nine.

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
        if len(found) >= FEW and not set(found).isdisjoint(position.legal_codes):
            break
        for col in range(side):
            add(row, col)
    return found


class Seed:
    """The paper's agent."""

    name = "seed"

    def __init__(self, game: Game) -> None:
        self.game = game
        self.kernel = seed_kernel.build(game.rules)

    def search(
        self,
        position: Position,
        limits: Limits = NO_LIMITS,
        on_info: OnInfo | None = None,
        stop: Stop | None = None,
        *,
        lines: bool = False,
    ) -> Analysis:
        """The best cell nearby by the paper's sums; if stopped early, the best so far."""
        first_move(position)  # raises if the game is over
        cells = nearby(position)
        self._call(position, [], Run(NO_LIMITS))  # compile first
        run = Run(limits, stop)
        ((place, facts),) = run.call([lambda: self._call(position, cells, run)])
        mine = [cell for cell in cells if cell in position.legal_codes]
        move = position.text_of(cells[place] if place >= 0 else mine[0])
        seen = estimated(position, UNIT * float(_lead(position)))
        best = ScoredMove(move, seen.value, float(facts[VALUE]), pv=(move,))
        return Analysis(
            move,
            seen.value,
            best.score,
            pv=best.pv,
            lines=(best,) if lines else (),
            depth=len(cells),
            nodes=facts[NODES],
            seconds=run.seconds,
        )

    def _call(self, position: Position, cells: list[int], run: Run) -> tuple[int, list[int]]:
        states = np.zeros(len(cells) + 1, self.game.type.state)
        states[0] = position.state
        frames, facts = np.zeros(len(cells) + 1, Frame), np.zeros(2, np.int64)
        listed, taken = np.array(cells, np.int64), np.zeros(len(cells), np.uint8)
        boards = self.game.boards
        place = self.kernel(boards, states, frames, listed, taken, facts, run.stop, run.halt)
        return int(place), facts.tolist()


class Mirror:
    """Mirrors every move, left to right: on an even board this wins every game as second player."""

    name = "mirror"

    def __init__(self, game: Game) -> None:
        self.game = game

    def search(
        self,
        position: Position,
        limits: Limits = NO_LIMITS,
        on_info: OnInfo | None = None,
        stop: Stop | None = None,
        *,
        lines: bool = False,
    ) -> Analysis:
        """The mirror image of the last move; without one, the move that scores most at once."""
        first_move(position)  # raises if the game is over
        b, s, side = self.game.board, position.state, int(self.game.board.side)
        move = -1
        if position.last is not None:
            row, col = divmod(position.last, side)
            move = row * side + side - 1 - col
        if move not in position.legal_codes:
            move = max(position.legal_codes, key=lambda cell: int(gain(b, s, cell)))
        text = position.text_of(move)
        score = UNIT * float(_lead(position) + int(gain(b, s, move)))
        seen = estimated(position, score)
        line = ScoredMove(text, seen.value, seen.score, pv=(text,))
        return Analysis(
            text,
            seen.value,
            seen.score,
            pv=(text,),
            lines=(line,) if lines else (),
            depth=1,
            nodes=1,
        )


def _lead(position: Position) -> int:
    """The points of the side to move less the opponent's."""
    lead = int(position.state.score[0]) - int(position.state.score[1])
    return lead if position.turn == 0 else -lead


AGENTS = {
    "seed": AgentType(Seed, (), "the paper's own: alpha-beta over the cells near the last move"),
    "mirror": AgentType(
        Mirror, (), "mirrors every move, left to right; always wins second on even boards"
    ),
}
