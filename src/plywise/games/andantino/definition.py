"""Andantino as the rest of plywise sees it: parameters, notation, texts, agents."""

from __future__ import annotations

import numpy as np

from plywise.core.game import GameType, Notation, Record, Rules, Strength, Words
from plywise.core.spec import Parameter
from plywise.engines.book import shipped
from plywise.games.andantino import look, rules
from plywise.games.andantino.agents import AGENTS, HEURISTICS
from plywise.games.andantino.board import (
    CELLS,
    IMAGES,
    OUT,
    REACH,
    SIDE,
    Board,
    State,
    run_starts,
)
from plywise.games.andantino.expert import EXPERT
from plywise.games.andantino.reasons import reasons
from plywise.games.andantino.solver import Solver
from plywise.jit.bits import random_words
from plywise.kit import hexagon_board


def prepare(b: Record, side: int) -> None:
    """Fill the tables of a board."""
    layout = hexagon_board(side)
    cells = len(layout)
    b.side, b.cells, b.middle = side, cells, cells // 2
    rows, cols = np.divmod(layout.slots, 2 * side - 1)
    b.q[:cells], b.r[:cells] = cols - side + 1, rows - side + 1
    b.step[:], b.line[:] = OUT, OUT
    b.step[:cells] = np.where(layout.steps < 0, OUT, layout.steps)
    b.line[:cells, :, REACH] = np.arange(cells)[:, None]
    for axis in range(3):
        for i in range(REACH):
            b.line[:, axis, REACH + i + 1] = b.step[b.line[:, axis, REACH + i], axis]
            b.line[:, axis, REACH - i - 1] = b.step[b.line[:, axis, REACH - i], axis + 3]
    b.bits[:] = [mask.bit_count() for mask in range(64)]
    b.runs[:] = [int(run_starts(mask)).bit_count() for mask in range(64)]
    words = random_words(2 * CELLS + 1, seed=9)
    b.tempo = words[-1]
    images = np.array(symmetries(b)).T
    for player in range(2):
        b.hash[player, :cells] = words[player * CELLS + images]


def symmetries(b: Record) -> list[list[int]]:
    """Where every cell goes under the twelve rotations and reflections of the board."""
    cells = [(int(b.q[cell]), int(b.r[cell])) for cell in range(b.cells)]
    number = {place: cell for cell, place in enumerate(cells)}
    found: list[list[int]] = []
    for mirrored in (False, True):
        seen = [(r, q) if mirrored else (q, r) for q, r in cells]
        for _ in range(IMAGES // 2):
            found.append([number[place] for place in seen])
            seen = [(-r, q + r) for q, r in seen]
    return found


GAME = GameType(
    name="andantino",
    title="Andantino",
    state=State,
    board=Board,
    parameters=(Parameter("side", SIDE, "cells along an edge of the hexagon", low=4, high=SIDE),),
    prepare=prepare,
    sizes=lambda b: (b.cells, b.cells),
    rules=Rules.of(rules),
    look=look.LOOK,
    scene=look.scene,
    palette=look.PALETTE,
    notation=Notation(read_move=look.read_move),
    words=Words(
        summary="Place stones next to two others; five in a line or a ring around an enemy "
        "stone wins.",
        reason=look.reason,
        ending=look.ending,
        reasons=reasons,
        sample="j10 i10 j9 k9 i9 k8 h10 h11 i11 j8 h12 i8 g12 j11 g11",
    ),
    strength=Strength(
        symmetries=symmetries,
        heuristics=HEURISTICS,
        agents={**AGENTS, "expert": EXPERT},
        solver=lambda game, book: Solver(game, book=shipped(game) if book else None),
        scale=60.0,
    ),
)
