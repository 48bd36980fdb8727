"""Connect-4 as the rest of plywise sees it: parameters, notation, texts, agents."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import numpy as np

from plywise.core.analysis import Outcome, ScoreKind
from plywise.core.game import GameType, Record, Rules
from plywise.core.spec import Parameter
from plywise.errors import SpecError
from plywise.games.connect4 import rules
from plywise.games.connect4.agents import AGENTS, threes
from plywise.games.connect4.expert import EXPERT
from plywise.games.connect4.palette import PALETTE
from plywise.games.connect4.reasons import reasons
from plywise.games.connect4.report import REPORT
from plywise.games.connect4.scene import scene
from plywise.games.connect4.solver import solver
from plywise.kit.grid import draw_grid, grid_text, read_grid


def prepare(b: Record, rows: int, cols: int) -> None:
    """Fill the masks of a board."""
    height = rows + 1
    if cols * height > 64:
        raise SpecError(
            f"rows={rows},cols={cols} is too large: cols x (rows + 1) is {cols * height}, "
            "and the limit is 64"
        )
    b.rows, b.cols = rows, cols
    b.directions = 4 if cols >= 4 else 1
    b.shift[:] = (1, height, height + 1, height - 1) if cols >= 4 else (1, 1, 1, 1)
    for col in range(cols):
        b.bottom[col] = 1 << (col * height)
        b.top[col] = 1 << (col * height + rows - 1)
        b.column[col] = ((1 << rows) - 1) << (col * height)
        b.cells |= b.column[col]
        b.floor |= b.bottom[col]
        b.middle[col] = cols - abs(2 * col + 1 - cols)
        for row in range(rows):
            if row % 2 == 0:
                b.odd |= np.uint64(1 << (col * height + row))
            for dr, dc in ((1, 0), (0, 1), (1, 1), (-1, 1)):
                if 0 <= row + 3 * dr < rows and col + 3 * dc < cols:
                    for i in range(4):
                        b.through[(col + i * dc) * height + row + i * dr] += 1


def read_move(b: Record, text: str) -> int:
    """Read a column number, from 1."""
    if not (text.isascii() and text.isdigit() and 1 <= int(text[:4]) <= b.cols):
        raise ValueError(f"write the number of a column, 1 to {int(b.cols)}")
    return int(text) - 1


def split_moves(b: Record, text: str) -> Sequence[str]:
    """One digit per move; on more than nine columns, numbers with spaces between them."""
    words = text.replace(",", " ").split()
    if b.cols <= 9:
        return list("".join(words))
    for word in words:
        if len(word) > len(str(int(b.cols))):
            raise ValueError(
                f"{word!r} is ambiguous on a board of {int(b.cols)} columns: "
                "put spaces between the moves"
            )
    return words


def join_moves(b: Record, moves: Sequence[str]) -> str:
    """Write a game the usual way: `4453`."""
    return ("" if b.cols <= 9 else " ").join(moves)


def grid(b: Record, s: Record) -> list[list[int]]:
    """The discs, row by row from the bottom."""
    height = int(b.rows) + 1
    own, mask, mover = int(s.own), int(s.mask), int(s.turn) + 1

    def disc(row: int, col: int) -> int:
        bit = 1 << (col * height + row)
        return 0 if not mask & bit else mover if own & bit else 3 - mover

    return [[disc(row, col) for col in range(int(b.cols))] for row in range(int(b.rows))]


def to_text(b: Record, s: Record) -> str:
    """Rows from the top, then the side to move: `7/7/7/7/3o3/3x3 x`."""
    return grid_text(grid(b, s), int(s.turn))


def from_text(b: Record, s: Record, text: str) -> None:
    """Set up a position. Discs must rest on discs, and only one side may have a four."""
    cells, turn = read_grid(text, int(b.rows), int(b.cols))
    height = int(b.rows) + 1
    discs = [0, 0]
    for col in range(int(b.cols)):
        filled = [row for row in range(int(b.rows)) if cells[row][col]]
        if filled != list(range(len(filled))):
            raise ValueError(f"column {col + 1} has a disc above an empty cell")
        for row in filled:
            owner = cells[row][col] - 1
            discs[owner] |= 1 << (col * height + row)
            s.reach += b.through[col * height + row] * (1 if owner == turn else -1)
    s.own, s.mask, s.turn = discs[turn], discs[0] | discs[1], turn
    s.mine, s.theirs = (rules.completing(b, np.uint64(discs[side])) for side in (turn, 1 - turn))
    fours = [rules.aligned(b, np.uint64(side)) for side in discs]
    if all(fours):
        raise ValueError("both players have four in a line")
    s.won = 1 if fours[0] else 2 if fours[1] else 0


def draw(b: Record, s: Record) -> str:
    """The board over its column numbers."""
    return draw_grid(grid(b, s), [str(col + 1) for col in range(int(b.cols))], numbered=False)


def reason(b: Record, s: Record) -> str:
    """Say why the game is over."""
    return "four in a line" if s.won else "the board is full"


def exact(b: Record, s: Record, outcome: Outcome, plies: int | None) -> tuple[int, ScoreKind]:
    """The published score: the winner's discs still unplayed, the winning one included."""
    if outcome == "draw":
        return 0, "connect4"
    if plies is None:
        return (1 if outcome == "win" else -1), "points"
    left = int(b.rows) * int(b.cols) - int(s.mask).bit_count() - plies
    score = left // 2 + 1
    return (score if outcome == "win" else -score), "connect4"


def symmetries(b: Record) -> list[list[int]]:
    """The board itself, and its mirror image."""
    columns = list(range(int(b.cols)))
    return [columns, columns[::-1]]


GAME = GameType(
    name="connect4",
    title="Connect-4",
    summary="Drop discs into columns; the first to get four in a line wins.",
    state=rules.State,
    board=rules.Board,
    parameters=(
        Parameter("rows", 6, "rows of the board", low=1, high=63),
        Parameter("cols", 7, "columns of the board", low=1, high=rules.MAX_COLS),
    ),
    prepare=prepare,
    sizes=lambda b: (b.cols, b.rows * b.cols),
    rules=Rules(
        setup=rules.setup,
        moves=rules.moves,
        play=rules.play,
        turn=rules.turn,
        over=rules.over,
        margin=rules.margin,
        key=rules.key,
        evaluate=rules.evaluate,
        bounds=rules.bounds,
        forced=rules.forced,
        promise=rules.promise,
    ),
    move_text=lambda b, move: str(move + 1),
    read_move=read_move,
    split_moves=split_moves,
    join_moves=join_moves,
    to_text=to_text,
    from_text=from_text,
    draw=draw,
    reason=reason,
    exact=exact,
    symmetries=symmetries,
    guide=Path(__file__).with_name("guide.md"),
    sample="4334334447266346622775565",
    scene=scene,
    palette=PALETTE,
    colours=("red", "yellow"),
    reasons=reasons,
    heuristics={"seed": threes(2)},
    agents={**AGENTS, "expert": EXPERT},
    expert="expert",
    solver=solver,
    report=REPORT,
    scale=60.0,
)
