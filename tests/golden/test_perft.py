"""Perft tables, by the compiled kernel and by a slow reference."""

from __future__ import annotations

from pathlib import Path

import pytest

import plywise
from plywise.engines.perft import perft
from tests.oracle.andantino import Andantino
from tests.oracle.references import Board, Connect4, Reference, TicTacToe
from tests.oracle.snails import Snails

SLOW = 1_000  #: as many leaves the slow reference may count


def table() -> list[tuple[str, str, list[int]]]:
    lines = (Path(__file__).parent / "perft.txt").read_text().splitlines()
    rows = [line.split(" | ") for line in lines if not line.startswith("#")]
    return [(spec, moves, [int(count) for count in counts.split()]) for spec, moves, counts in rows]


@pytest.mark.parametrize(("spec", "moves", "counts"), table())
def test_counts(spec: str, moves: str, counts: list[int]) -> None:
    position = plywise.game(spec).position(moves)
    assert [perft(position, depth) for depth in range(1, len(counts) + 1)] == counts


@pytest.mark.parametrize(("spec", "moves", "counts"), table())
def test_the_reference_counts_the_same(spec: str, moves: str, counts: list[int]) -> None:
    position = plywise.game(spec).position(moves)
    size = position.game.board
    if position.game.name == "snails":
        snails = Snails(int(size.rows), int(size.cols), bool(size.territory))
        for move in position.moves:
            snails = snails.play(move)
        for depth, count in enumerate(counts, start=1):
            if max(counts[:depth]) <= SLOW:
                assert count_snails(snails, depth) == count
        return
    if position.game.name == "andantino":
        stones = Andantino(int(size.side))
        for move in position.moves:
            stones = stones.play((ord(move[0]) - ord("j"), int(move[1:]) - 10))
        for depth, count in enumerate(counts, start=1):
            if max(counts[:depth]) <= SLOW:
                assert count_stones(stones, depth) == count
        return
    reference: Reference = (
        Connect4(int(size.rows), int(size.cols))
        if position.game.name == "connect4"
        else TicTacToe(int(size.rows), int(size.cols), int(size.k))
    )
    board, marks = reference.empty(), "xo"
    for move in position.moves:
        board, marks = reference.play(board, move, marks[0]), marks[::-1]
    for depth, count in enumerate(counts, start=1):
        if max(counts[:depth]) <= SLOW:
            assert count_slowly(reference, board, marks, depth) == count


def count_snails(snails: Snails, depth: int) -> int:
    if depth == 0:
        return 1
    if snails.over():
        return 0
    return sum(count_snails(snails.play(move), depth - 1) for move in snails.legal())


def count_stones(stones: Andantino, depth: int) -> int:
    if depth == 0:
        return 1
    if stones.over():
        return 0
    return sum(count_stones(stones.play(cell), depth - 1) for cell in stones.legal())


def count_slowly(reference: Reference, board: Board, marks: str, depth: int) -> int:
    if depth == 0:
        return 1
    if reference.over(board):
        return 0
    children = (reference.play(board, move, marks[0]) for move in reference.legal(board))
    return sum(count_slowly(reference, child, marks[::-1], depth - 1) for child in children)
