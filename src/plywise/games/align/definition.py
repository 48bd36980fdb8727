"""Align as the rest of plywise sees it: parameters, notation, texts, agents."""

from __future__ import annotations

from plywise.core.game import GameType, Notation, Record, Rules, Strength, Words
from plywise.core.spec import Parameter
from plywise.engines.scale import UNIT
from plywise.games.align import look, rules
from plywise.games.align.agents import AGENTS
from plywise.games.align.expert import EXPERT
from plywise.games.align.reasons import reasons
from plywise.games.align.solver import Solver
from plywise.jit.bits import random_words
from plywise.kit.cells import square_images


def prepare(b: Record, size: int, checkerboard: bool) -> None:
    """Fill the tables of a board."""
    b.side, b.cells, b.checkerboard = size, size * size, checkerboard
    dark = sum(1 << cell for cell in range(size * size) if is_dark(cell, size))
    everywhere = (1 << size * size) - 1
    b.allowed[:] = (dark, everywhere ^ dark) if checkerboard else (everywhere, everywhere)
    images = symmetries(b)
    b.symmetries = len(images)
    words = random_words(rules.CELLS, seed=4)
    for number, image in enumerate(images):
        for cell, goes_to in enumerate(image):
            b.hash[number, cell] = words[goes_to]
    # Backwards from the full line: every pattern comes after those with one more cell.
    for pattern in range((1 << size) - 1, -1, -1):
        for bit in range(size):
            after = pattern | 1 << bit
            if pattern >> bit & 1:
                b.pay[pattern, bit] = look.payment(pattern, bit, size)
            else:
                paid = look.payment(after, bit, size)
                b.offer[pattern] = max(b.offer[pattern], paid)
                b.room[pattern] = max(b.room[pattern], paid + b.room[after])


def is_dark(cell: int, size: int) -> bool:
    """True if this cell has the colour of a1 on a chess board."""
    row, col = divmod(cell, size)
    return (row + col) % 2 == 0


def symmetries(b: Record) -> list[list[int]]:
    """The rotations and reflections of the board; with colours, those that keep them."""
    size = int(b.side)
    every = square_images(size, size)
    return [image for image in every if not b.checkerboard or is_dark(image[0], size)]


GAME = GameType(
    name="align",
    title="Align",
    state=rules.State,
    board=rules.Board,
    parameters=(
        Parameter("size", 6, "rows and columns of the board", low=3, high=rules.SIDE),
        Parameter(
            "checkerboard", False, "each player fills cells of one colour only; X has that of a1"
        ),
    ),
    prepare=prepare,
    points=rules.MOST,
    sizes=lambda b: (b.cells, b.cells),
    rules=Rules.of(rules),
    look=look.LOOK,
    scores=lambda b, s: (int(s.score[0]), int(s.score[1])),
    scene=look.scene,
    notation=Notation(to_text=look.to_text, from_text=look.from_text, draw=look.draw),
    words=Words(
        summary="Fill cells and score for runs of three and full lines; whoever scores more wins.",
        reason=look.reason,
        sample="a1 d1 c2 f2 b3 d5 a6 b5 b4 c5 f1 e1 f3 b6 c6 c4 a4 a5 "
        "e4 f6 e2 d2 c3 d3 c1 b1 b2 a2 d6 e6 a3 d4 e3 f4 e5 f5",
        reasons=reasons,
    ),
    strength=Strength(
        symmetries=symmetries,
        agents={**AGENTS, "expert": EXPERT},
        solver=lambda game, book: Solver(game, book=book),
        scale=6.0 * UNIT,
    ),
)
