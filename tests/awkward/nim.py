"""Nim with one heap: take one, two or three; the last one wins, and multiples of four lose."""

from __future__ import annotations

import numpy as np

from plywise.core.game import Game, GameType, Notation, Record, Rules
from plywise.core.spec import Parameter, Spec
from plywise.jit import rule

Heap = np.dtype((np.record, [("heap", "i4"), ("turn", "i4")]))


def prepare(b: Record, heap: int) -> None:
    b.heap = heap


@rule
def setup(b: Record, s: Record) -> None:
    s.heap = b.heap
    s.turn = 0


@rule
def moves(b: Record, s: Record, out: Record) -> int:
    count = min(3, s.heap)
    for i in range(count):
        out[i] = i
    return count


@rule
def play(b: Record, s: Record, move: int) -> None:
    s.heap -= move + 1
    s.turn = 1 - s.turn


@rule
def turn(b: Record, s: Record) -> int:
    return s.turn


@rule
def over(b: Record, s: Record) -> bool:
    return s.heap == 0


@rule
def margin(b: Record, s: Record) -> int:
    return 1 if s.turn == 1 else -1


@rule
def key(b: Record, s: Record) -> int:
    return np.uint64(2 * s.heap + s.turn)


NIM = GameType(
    name="nim",
    state=Heap,
    board=np.dtype((np.record, [("heap", "i4")])),
    parameters=(Parameter("heap", 9, "what lies there", low=1, high=99),),
    prepare=prepare,
    rules=Rules(setup, moves, play, over, margin, turn, key),
    sizes=lambda b: (3, int(b.heap)),
    notation=Notation(move_text=lambda b, move: str(move + 1)),
)


def nim(heap: int, kind: GameType = NIM) -> Game:
    return kind(Spec("nim", {"heap": str(heap)}))
