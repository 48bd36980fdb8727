"""Snails as the rest of plywise sees it: parameters, notation, texts, agents."""

from __future__ import annotations

from plywise.core.game import GameType, Notation, Record, Rules, Strength, Words
from plywise.core.spec import Parameter
from plywise.games.snails import look, rules
from plywise.games.snails.agents import AGENTS, HEURISTICS
from plywise.games.snails.board import CELLS, DOWN, LEFT, QUIET, RIGHT, SIDE, UP, Board, State
from plywise.games.snails.expert import EXPERT
from plywise.games.snails.reasons import reasons
from plywise.games.snails.solver import solver
from plywise.jit.bits import include, random_words

STEPS = {UP: (1, 0), RIGHT: (0, 1), DOWN: (-1, 0), LEFT: (0, -1)}


def prepare(b: Record, rows: int, cols: int, territory: bool) -> None:
    """Fill the tables of a board."""
    b.rows, b.cols, b.cells, b.territory = rows, cols, rows * cols, territory
    b.symmetries = 2 if rows == cols else 1
    b.shift[:] = (cols, 1, cols, 1)
    b.step[:] = -1
    words = random_words(5 * CELLS + 2 * (QUIET + 1), seed=3)
    claims, places = words[: 3 * CELLS].reshape(3, CELLS), words[3 * CELLS : 5 * CELLS]
    places = places.reshape(2, CELLS)
    b.clock[:] = words[5 * CELLS :].reshape(2, QUIET + 1)
    for row in range(rows):
        for col in range(cols):
            cell = row * cols + col
            include(b.full, cell)
            for direction, (dr, dc) in STEPS.items():
                if 0 <= row + dr < rows and 0 <= col + dc < cols:
                    b.step[direction, cell] = cell + dr * cols + dc
                    include(b.leave[direction], cell)
            mirrored = col * cols + row if rows == cols else cell
            for symmetry, image in enumerate((cell, mirrored)):
                b.hash[symmetry, :, cell] = claims[:, image]
                b.place[symmetry, :, cell] = places[:, image]


def longest(b: Record) -> int:
    """The longest game: up to 20 plies for every claim except each first, and 20 at the end."""
    return QUIET * (int(b.cells) - 2) + QUIET


def symmetries(b: Record) -> list[list[int]]:
    """The board itself; on a square board also mirrored, up for right and down for left."""
    same = [UP, RIGHT, DOWN, LEFT]
    return [same, [RIGHT, UP, LEFT, DOWN]] if b.symmetries == 2 else [same]


GAME = GameType(
    name="snails",
    title="Snails",
    state=State,
    board=Board,
    parameters=(
        Parameter("rows", 8, "rows of the board", low=4, high=SIDE),
        Parameter("cols", 8, "columns of the board", low=4, high=SIDE),
        Parameter("territory", False, "cells that only one snail can reach become its own at once"),
    ),
    prepare=prepare,
    sizes=lambda b: (4, longest(b)),
    rules=Rules.of(rules),
    look=look.LOOK,
    scores=lambda b, s: (int(s.score[0]), int(s.score[1])),
    scene=look.scene,
    palette=look.PALETTE,
    notation=Notation(
        move_text=lambda b, move: look.MOVES[move],
        read_move=look.read_move,
        to_text=look.to_text,
        from_text=look.from_text,
    ),
    words=Words(
        summary="Claim cells by crawling over them and slide along your trail; the most cells win.",
        reason=look.reason,
        ending=look.ending,
        sample="ududulrdrlrlrlrlrlrluudddududdlruuuuludrddlluludlududlldluuduurud",
        reasons=reasons,
    ),
    strength=Strength(
        symmetries=symmetries,
        heuristics=HEURISTICS,
        agents={**AGENTS, "expert": EXPERT},
        solver=solver,
        scale=60.0,
    ),
)
