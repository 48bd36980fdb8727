"""Andantino as the rest of plywise sees it: parameters, notation, texts, agents."""

from __future__ import annotations

from pathlib import Path

from plywise.core.game import GameType, Record, Rules
from plywise.core.spec import Parameter
from plywise.games.andantino import rules, texts
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
from plywise.games.andantino.palette import PALETTE
from plywise.games.andantino.reasons import reasons
from plywise.games.andantino.scene import scene
from plywise.games.andantino.solver import solver
from plywise.jit.hashing import random_words


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
    summary="Place stones next to two others; five in a line or a ring around an enemy stone wins.",
    state=State,
    board=Board,
    parameters=(Parameter("side", SIDE, "cells along an edge of the hexagon", low=4, high=SIDE),),
    prepare=prepare,
    sizes=lambda b: (b.cells, b.cells),
    rules=Rules(
        setup=rules.setup,
        moves=rules.moves,
        play=rules.play,
        turn=rules.turn,
        over=rules.over,
        margin=rules.margin,
        key=rules.key,
        evaluate=rules.evaluate,
        forced=rules.forced,
        promise=rules.promise,
    ),
    look=texts.LOOK,
    read_move=texts.read_move,
    reason=texts.reason,
    ending=texts.ending,
    symmetries=lambda b: images(int(b.side)),
    guide=Path(__file__).with_name("guide.md"),
    scene=scene,
    palette=PALETTE,
    reasons=reasons,
    heuristics=HEURISTICS,
    agents={**AGENTS, "expert": EXPERT},
    expert="expert",
    nets=Path(__file__).parent / "nets",
    solver=solver,
    scale=60.0,
    sample="j10 i10 j9 k9 i9 k8 h10 h11 i11 j8 h12 i8 g12 j11 g11",
)
