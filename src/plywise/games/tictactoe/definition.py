"""Tic-Tac-Toe as the rest of plywise sees it: parameters, notation, texts, agents."""

from __future__ import annotations

from collections.abc import Sequence

from plywise.core.game import AgentType, Game, GameType, Heuristic, Record, Rules, Strength, Words
from plywise.core.spec import Parameter
from plywise.engines.kernels.textbook import meet
from plywise.engines.textbook import Textbook, usual_depth
from plywise.errors import SpecError
from plywise.games.tictactoe import rules
from plywise.games.tictactoe.reasons import reasons
from plywise.jit import rule
from plywise.jit.bits import random_words
from plywise.kit.cells import lines_of, square_images
from plywise.kit.layouts import Layout, square_board
from plywise.kit.look import STYLES, Look

LARGE = 6  #: from this side on, lines surround the board


def prepare(b: Record, rows: int, cols: int | None, k: int | None, marks: str) -> None:
    """Set the defaults and fill the tables of a board."""
    b.rows = rows
    b.style = STYLES.index(marks)
    b.cols = cols = rows if cols is None else cols
    k = min(rows, cols) if k is None else k
    b.cells = rows * cols
    if k > max(rows, cols):
        raise SpecError(
            f"k={k} is too long: a line on a {rows} x {cols} board has at most {max(rows, cols)}"
        )
    b.k = k
    images = symmetries(b)
    b.symmetries = len(images)
    words = random_words(2 * rules.CELLS, seed=1).reshape(2, rules.CELLS)
    for number, image in enumerate(images):
        for cell, goes_to in enumerate(image):
            b.hash[number, :, cell] = words[:, goes_to]
    for row, col, dr, dc in lines_of(rows, cols, k):
        b.windows += 1
        for i in range(k):
            b.through[(row + i * dr) * cols + col + i * dc] += 1
    # An open window is worth four times as much for each further mark in it, up to 4^7.
    b.weight[1 : k + 1] = [4 ** min(j, 7) for j in range(k)]


def symmetries(b: Record) -> list[list[int]]:
    """Return where each cell goes under the rotations and reflections of the board."""
    return square_images(int(b.rows), int(b.cols))


def put(b: Record, s: Record, marks: Sequence[int]) -> None:
    """Set up a position. Any number of marks is allowed, but not two winners."""
    for cell, mark in enumerate(marks):
        if mark:
            rules.place(b, s, cell, mark - 1)
    if s.count[0, b.k] > 0 and s.count[1, b.k] > 0:
        raise ValueError(f"both players have {int(b.k)} in a line")


def layout(b: Record) -> Layout:
    """Lines on paper; on a large board also around it, as on squared paper."""
    rows, cols = int(b.rows), int(b.cols)
    return square_board(rows, cols, edge=max(rows, cols) >= LARGE)


LOOK: Look = Look(
    layout,
    "marks",
    put=put,
    style="style",
    winning=lambda b, s: LOOK.layout_of(b).runs(s.marks, int(s.winner), int(b.k)),
)


def reason(b: Record, s: Record) -> str:
    """Say why the game is over."""
    return "the board is full" if s.winner == 0 else f"{int(b.k)} in a line"


# ---- the paper's own agent: plain alpha-beta that evaluates only finished games ----------------


@rule
def undecided(b: Record, s: Record, player: int) -> float:
    """Return 0: on larger boards the search stops before the end of the game."""
    return 0.0


def seed(game: Game, depth: int | None) -> Textbook:
    """Make the agent: a win is 20 less its plies, a draw 0; depth 9 on 3 x 3, else 4."""
    return Textbook(game, meet, usual_depth(game) if depth is None else depth, "seed")


AGENTS = {
    "seed": AgentType(
        seed,
        (Parameter("depth", int, "plies to look ahead", low=1, high=999),),
        "the paper's own: fixed-depth alpha-beta, unfinished games count 0",
    )
}

GAME = GameType(
    name="tictactoe",
    title="Tic-Tac-Toe",
    state=rules.State,
    board=rules.Board,
    parameters=(
        Parameter("rows", 3, "rows of the board", low=1, high=rules.SIDE),
        Parameter("cols", int, "columns; as many as rows by default", 1, rules.SIDE),
        Parameter("k", int, "marks in a line that win; by default the shorter side", 1),
        Parameter(
            "marks",
            "crosses",
            "marks of the players; crosses and noughts, or the digits 1 and 0",
            choices=("crosses", "digits"),
        ),
    ),
    prepare=prepare,
    sizes=lambda b: (b.cells, b.cells),
    rules=Rules.of(rules),
    look=LOOK,
    words=Words(
        summary="Take turns marking cells; the first with k marks in a line wins.",
        reason=reason,
        sample="b2 a2 a1 c3 c1 b1 a3",
        reasons=reasons,
    ),
    strength=Strength(
        symmetries=symmetries,
        heuristics={
            "seed": Heuristic(undecided, win=20.0, help="the paper's: unfinished games are 0")
        },
        agents=AGENTS,
        scale=64.0,
    ),
)
