"""Small games for tests: a tree out of a book, and a row of numbers with points and extra turns."""

from __future__ import annotations

import numpy as np

from plywise import GameType, Heuristic, Parameter, Rules, SpecError, rule
from plywise.core.game import Record

# ---- A tree given by its leaves: every inner node has the same number of children, and the
# ---- margin of the first player stands at the leaves. Nothing but the required parts.

LEAVES = 64
TreeBoard = np.dtype((np.record, [("width", "i4"), ("depth", "i4"), ("leaf", "i4", (LEAVES,))]))
TreeState = np.dtype((np.record, [("depth", "i4"), ("index", "i4")]))


@rule
def tree_setup(b: Record, s: Record) -> None:
    s.depth = 0
    s.index = 0


@rule
def tree_moves(b: Record, s: Record, out: Record) -> int:
    for child in range(b.width):
        out[child] = child
    return b.width


@rule
def tree_play(b: Record, s: Record, move: int) -> None:
    s.depth += 1
    s.index = s.index * b.width + move


@rule
def tree_turn(b: Record, s: Record) -> int:
    return s.depth % 2


@rule
def tree_over(b: Record, s: Record) -> bool:
    return s.depth == b.depth


@rule
def tree_margin(b: Record, s: Record) -> int:
    return b.leaf[s.index]


@rule
def tree_key(b: Record, s: Record) -> int:
    return np.uint64(s.depth * 1000 + s.index)


@rule
def tree_nothing(b: Record, s: Record, player: int) -> float:
    return 0.0


def book_tree(width: int, leaves: list[int]) -> GameType:
    """The game whose tree has these leaves, from left to right."""
    depth = round(np.log(len(leaves)) / np.log(width))
    assert width**depth == len(leaves) <= LEAVES

    def prepare(b: Record) -> None:
        b.width, b.depth = width, depth
        b.leaf[: len(leaves)] = leaves

    return GameType(
        name="book",
        board=TreeBoard,
        state=TreeState,
        prepare=prepare,
        sizes=lambda b: (b.width, b.depth),
        rules=Rules(
            setup=tree_setup,
            moves=tree_moves,
            play=tree_play,
            turn=tree_turn,
            over=tree_over,
            margin=tree_margin,
            key=tree_key,
        ),
        move_text=lambda b, move: "abcdefgh"[move],
        points=True,
        max_margin=max(abs(leaf) for leaf in leaves),
        heuristics={"nothing": Heuristic(tree_nothing, win=1.0)},
    )


# ---- A row of numbers: take one from either end and keep it as points. Who takes an even one
# ---- moves again.

LONGEST = 16
RowBoard = np.dtype((np.record, [("length", "i4"), ("number", "i4", (LONGEST,))]))
RowState = np.dtype(
    (
        np.record,
        [("left", "i4"), ("right", "i4"), ("turn", "i4"), ("points", "i4", (2,))],
    )
)


@rule
def row_setup(b: Record, s: Record) -> None:
    s.left = 0
    s.right = b.length
    s.turn = 0
    s.points[0] = 0
    s.points[1] = 0


@rule
def row_moves(b: Record, s: Record, out: Record) -> int:
    out[0] = 0
    out[1] = 1
    return 2 if s.right - s.left > 1 else 1


@rule
def row_play(b: Record, s: Record, move: int) -> None:
    if move == 0:
        taken = b.number[s.left]
        s.left += 1
    else:
        s.right -= 1
        taken = b.number[s.right]
    s.points[s.turn] += taken
    if taken % 2 == 1:
        s.turn = 1 - s.turn


@rule
def row_turn(b: Record, s: Record) -> int:
    return s.turn


@rule
def row_over(b: Record, s: Record) -> bool:
    return s.left == s.right


@rule
def row_margin(b: Record, s: Record) -> int:
    return s.points[0] - s.points[1]


@rule
def row_key(b: Record, s: Record) -> int:
    place = (s.left * 64 + s.right) * 2 + s.turn
    return np.uint64((place * 1024 + s.points[0]) * 1024 + s.points[1])


@rule
def row_evaluate(b: Record, s: Record) -> int:
    ahead = 100 * (s.points[0] - s.points[1])
    return ahead if s.turn == 0 else -ahead


@rule
def row_bounds(b: Record, s: Record) -> tuple[int, int]:
    rest = 0
    for place in range(s.left, s.right):
        rest += b.number[place]
    ahead = s.points[0] - s.points[1]
    return ahead - rest, ahead + rest


def row_prepare(b: Record, length: int) -> None:
    if length > LONGEST:
        raise SpecError(f"length={length} will not do: at most {LONGEST}")
    b.length = length
    b.number[:length] = [(7 * place * place + 4 * place + 3) % 10 for place in range(length)]


def row_to_text(b: Record, s: Record) -> str:
    return f"{s.left}-{s.right} {s.points[0]}:{s.points[1]} {'xo'[s.turn]}"


def row_from_text(b: Record, s: Record, text: str) -> None:
    place, points, mover = text.split()
    s.left, s.right = (int(word) for word in place.split("-"))
    s.points[:] = [int(word) for word in points.split(":")]
    if not 0 <= s.left <= s.right <= b.length:
        raise ValueError("that is no part of the row")
    s.turn = "xo".index(mover)


ROW = GameType(
    name="row",
    board=RowBoard,
    state=RowState,
    parameters=(Parameter("length", 8, low=1, high=LONGEST),),
    prepare=row_prepare,
    sizes=lambda b: (2, b.length),
    rules=Rules(
        setup=row_setup,
        moves=row_moves,
        play=row_play,
        turn=row_turn,
        over=row_over,
        margin=row_margin,
        key=row_key,
        evaluate=row_evaluate,
        bounds=row_bounds,
    ),
    move_text=lambda b, move: ("left", "right")[move],
    to_text=row_to_text,
    from_text=row_from_text,
    points=True,
    max_margin=100,
    scores=lambda b, s: (int(s.points[0]), int(s.points[1])),
)
