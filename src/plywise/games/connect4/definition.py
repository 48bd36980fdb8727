"""Connect-4 as the rest of plywise sees it: parameters, notation, texts, colours, agents."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from plywise.core.analysis import ScoreKind
from plywise.core.game import GameType, Notation, Record, Rules, Strength, Words
from plywise.core.palette import Palettes, Player
from plywise.core.spec import Parameter
from plywise.errors import SpecError
from plywise.games.connect4 import rules
from plywise.games.connect4.agents import AGENTS, threes
from plywise.games.connect4.expert import EXPERT
from plywise.games.connect4.reasons import reasons
from plywise.games.connect4.solver import Solver
from plywise.jit import rule
from plywise.jit.bits import ONE, ZERO
from plywise.kit import Look, square_board
from plywise.kit.cells import lines_of
from plywise.kit.picture import picture
from plywise.kit.words import number_word

#: A blue frame, and discs in orange and yellow.
PALETTE = Palettes.of(
    "discs",
    board=("#0b4f8f", "#0f4c86"),
    edge=("#07345f", "#2f75b5"),
    cell=("#e9eef3", "#0b0e12"),
    grid=("#07345f", "#2f75b5"),
    last=("#ffffff", "#ffffff"),
    winning=("#ffffff", "#ffffff"),
    light=(
        Player(fill="#e8622a", rim="#8f3207", detail="#b5400f", ink="#d55e00", trail="#f2b48a"),
        Player(fill="#f5d93b", rim="#8a6a00", detail="#bd9400", ink="#8a6a00", trail="#f3e6a0"),
    ),
    dark=(
        Player(fill="#e8622a", rim="#8f3207", detail="#b5400f", ink="#f08a4b", trail="#b86a3a"),
        Player(fill="#f5d93b", rim="#8a6a00", detail="#bd9400", ink="#f5d93b", trail="#a8921f"),
    ),
    choice=("red", "yellow"),
)


def prepare(b: Record, rows: int, cols: int, inarow: int) -> None:
    """Fill the masks of a board."""
    height = rows + 1
    if cols * height > 64:
        raise SpecError(
            f"rows={rows},cols={cols} is too large: cols x (rows + 1) is {cols * height}, "
            "and the limit is 64"
        )
    b.rows, b.cols, b.inarow, b.size = rows, cols, inarow, rows * cols
    b.lanes = -(-cols // 8) * 8
    wide = cols >= inarow
    b.directions = 4 if wide else 1
    b.shift[:] = (1, height, height + 1, height - 1) if wide else (1, 1, 1, 1)
    for rank, col in enumerate(sorted(range(cols), key=lambda col: (abs(2 * col + 1 - cols), col))):
        b.bottom[col] = 1 << (col * height)
        b.top[col] = 1 << (col * height + rows - 1)
        b.column[col] = ((1 << rows) - 1) << (col * height)
        b.cells |= b.column[col]
        b.floor |= b.bottom[col]
        b.roof |= b.bottom[col] << np.uint64(rows)
        b.column_of[col * height : (col + 1) * height] = col
        b.middle[col] = cols - abs(2 * col + 1 - cols)
        b.central[col] = (cols - 1 - rank) * rules.MAX_COLS + col
        for row in range(rows):
            bit = np.uint64(1 << (col * height + row))
            b.mirror[col * height + row] = 1 << ((cols - 1 - col) * height + row)
            if row % 2 == 0:
                b.odd |= bit
            if (rows - 1 - row) % 2 == 0:
                b.upper |= bit
    b.lower = b.cells ^ b.upper
    for row, col, dr, dc in lines_of(rows, cols, inarow):
        for i in range(inarow):
            b.through[(col + i * dc) * height + row + i * dr] += 1


def read_move(b: Record, text: str) -> int:
    """Read a column number, from 1."""
    if not (text.isascii() and text.isdigit() and 1 <= int(text[:4]) <= b.cols):
        raise ValueError(f"write the number of a column, 1 to {int(b.cols)}")
    return int(text) - 1


@rule
def discs(b: Record, s: Record, out: Record) -> None:
    """Write the discs, row by row from the bottom: 0, 1 or 2."""
    mask, cols = s.mask, b.cols
    first = s.own if s.turn == 0 else s.own ^ mask
    for col in range(cols):
        bit = b.bottom[col]
        for cell in range(col, b.rows * cols, cols):
            out[cell] = 0 if mask & bit == ZERO else 1 if first & bit != ZERO else 2
            bit <<= ONE


def put(b: Record, s: Record, cells: Sequence[int]) -> None:
    """Set up a position. Discs must rest on discs, and only one side may have a line."""
    height, cols = int(b.rows) + 1, int(b.cols)
    sides = [0, 0]
    for cell, disc in enumerate(cells):
        row, col = divmod(cell, cols)
        if disc and row and not cells[cell - cols]:
            raise ValueError(f"column {col + 1} has a disc above an empty cell")
        if disc:
            sides[disc - 1] |= 1 << (col * height + row)
            s.reach += b.through[col * height + row] * (1 if disc - 1 == s.turn else -1)
    s.own, s.mask = sides[s.turn], sides[0] | sides[1]
    s.mine = rules.completing(b, np.uint64(sides[s.turn]))
    s.theirs = rules.completing(b, np.uint64(sides[1 - s.turn]))
    lines = [rules.aligned(b, np.uint64(side)) for side in sides]
    if all(lines):
        raise ValueError(f"both players have {in_a_line(b)}")
    s.won = 1 if lines[0] else 2 if lines[1] else 0


def lands(b: Record, s: Record, move: int) -> int:
    """The cell in which a disc in this column comes to rest."""
    return int(s.mask & b.column[move]).bit_count() * int(b.cols) + move


LOOK: Look = Look(
    lambda b: square_board(int(b.rows), int(b.cols), upright=True),
    discs,
    put=put,
    winning=lambda b, s: winning(b, s) if s.won else [],
)


def winning(b: Record, s: Record) -> list[tuple[int, ...]]:
    """The lines that the winner has made."""
    return LOOK.layout_of(b).runs(LOOK.standing(b, s), int(s.won), int(b.inarow))


def in_a_line(b: Record) -> str:
    """Say how many discs in a line win."""
    return f"{number_word(int(b.inarow))} in a line"


def reason(b: Record, s: Record) -> str:
    """Say why the game is over."""
    return in_a_line(b) if s.won else "the board is full"


def ending(b: Record, s: Record) -> str:
    """Say which way the line runs."""
    line = winning(b, s)[0]
    ways = {1: "row", int(b.cols): "column"}
    return ways.get(abs(line[1] - line[0]), "diagonal")


class ConnectFour(GameType):
    """Connect-4 has a score of its own."""

    def exact(self, b: Record, s: Record, margin: int, plies: int | None) -> tuple[int, ScoreKind]:
        """The published score: the winner's discs still unplayed, the winning one included."""
        if margin == 0:
            return 0, "connect4"
        if plies is None:
            return margin, "points"
        left = int(b.rows) * int(b.cols) - int(s.mask).bit_count() - plies
        score = left // 2 + 1
        return (score if margin > 0 else -score), "connect4"


def symmetries(b: Record) -> list[list[int]]:
    """The board itself, and its mirror image."""
    columns = list(range(int(b.cols)))
    return [columns, columns[::-1]]


GAME = ConnectFour(
    name="connect4",
    title="Connect-4",
    state=rules.State,
    board=rules.Board,
    parameters=(
        Parameter("rows", 6, "rows of the board", low=1, high=63),
        Parameter("cols", 7, "columns of the board", low=1, high=rules.MAX_COLS),
        Parameter("inarow", 4, "how many discs in a line win", low=3, high=6),
    ),
    prepare=prepare,
    sizes=lambda b: (b.cols, b.rows * b.cols),
    rules=Rules.of(rules),
    look=LOOK,
    scene=lambda position: picture(LOOK, position, lands=lands),
    palette=PALETTE,
    notation=Notation(move_text=lambda b, move: str(move + 1), read_move=read_move),
    words=Words(
        summary="Drop discs into columns; the first to get four in a line wins.",
        reason=reason,
        ending=ending,
        sample="4334334447266346622775565",
        reasons=reasons,
    ),
    strength=Strength(
        symmetries=symmetries,
        heuristics={"seed": threes(2)},
        agents={**AGENTS, "expert": EXPERT},
        solver=lambda game, book: Solver(game, book=book),
        scale=60.0,
    ),
)
