"""Andantino as the rest of plywise sees it: parameters, notation, texts, agents."""

from __future__ import annotations

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
    STEPS,
    Board,
    State,
    run_starts,
)
from plywise.games.andantino.expert import EXPERT
from plywise.games.andantino.reasons import reasons
from plywise.games.andantino.solver import Solver
from plywise.jit.bits import random_words


def prepare(b: Record, side: int) -> None:
    """Fill the tables of a board."""
    cells = places(side)
    number = {place: cell for cell, place in enumerate(cells)}
    b.side, b.cells, b.middle = side, len(cells), number[0, 0]
    b.q[:], b.r[:], b.step[:], b.line[:] = 0, 0, OUT, OUT
    b.bits[:] = [mask.bit_count() for mask in range(64)]
    b.runs[:] = [int(run_starts(mask)).bit_count() for mask in range(64)]
    words = random_words(2 * CELLS + 1, seed=9)
    b.tempo = words[-1]
    turned = images(side)
    for cell, (q, r) in enumerate(cells):
        b.q[cell], b.r[cell] = q, r
        b.step[cell] = [number.get((q + dq, r + dr), OUT) for dq, dr in STEPS]
        for axis, (dq, dr) in enumerate(STEPS[:3]):
            way = range(-REACH, REACH + 1)
            b.line[cell, axis] = [number.get((q + i * dq, r + i * dr), OUT) for i in way]
        for player in range(2):
            seen = [words[player * CELLS + image[cell]] for image in turned]
            b.hash[player, cell] = seen


def places(side: int) -> list[tuple[int, int]]:
    """The coordinates of all cells, in the order of their numbers."""
    reach = range(1 - side, side)
    return [(q, r) for r in reach for q in reach if abs(q + r) < side]


def images(side: int) -> list[list[int]]:
    """Where every cell goes under the twelve rotations and reflections of the board."""
    cells = places(side)
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
        symmetries=lambda b: images(int(b.side)),
        heuristics=HEURISTICS,
        agents={**AGENTS, "expert": EXPERT},
        solver=lambda game, book: Solver(game, book=shipped(game) if book else None),
        scale=60.0,
    ),
)
