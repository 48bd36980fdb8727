"""Perft tables, by the compiled kernel and by a slow reference."""

from __future__ import annotations

from typing import Any

import pytest

import plywise
from plywise.core.position import Position
from plywise.engines.perft import perft
from plywise.games.makeway.board import graph_of
from tests.golden.perft import perft_table
from tests.oracle.align import Align
from tests.oracle.andantino import Andantino
from tests.oracle.makeway_rules import MakeWay
from tests.oracle.references import Board, Connect4, Reference, TicTacToe
from tests.oracle.snails import Snails

SLOW = 1_000  #: as many leaves the slow reference may count


@pytest.mark.parametrize(("spec", "moves", "counts"), perft_table())
def test_counts(spec: str, moves: str, counts: list[int]) -> None:
    position = plywise.game(spec).position(moves)
    assert [perft(position, depth) for depth in range(1, len(counts) + 1)] == counts


@pytest.mark.slow
@pytest.mark.parametrize(("spec", "moves", "counts"), perft_table())
def test_the_reference_counts_the_same(spec: str, moves: str, counts: list[int]) -> None:
    position = plywise.game(spec).position(moves)
    count_slowly = COUNTS[position.game.name]
    for depth, count in enumerate(counts, start=1):
        if max(counts[:depth]) <= SLOW:
            assert count_slowly(position, depth) == count


def count_snails(position: Position, depth: int) -> int:
    size = position.game.board
    snails = Snails(int(size.rows), int(size.cols), bool(size.territory))
    for move in position.moves:
        snails = snails.play(move)
    return count_after(snails, depth)


def count_net(position: Position, depth: int) -> int:
    graph = graph_of(position.game.board)
    return count_after(MakeWay(len(graph.dots), list(graph.lines)), depth)


def count_hexagons(position: Position, depth: int) -> int:
    stones = Andantino(int(position.game.board.side))
    for move in position.moves:
        stones = stones.play((ord(move[0]) - ord("j"), int(move[1:]) - 10))
    return count_after(stones, depth)


def count_after(state: Any, depth: int) -> int:
    if depth == 0:
        return 1
    if state.over():
        return 0
    return sum(count_after(state.play(move), depth - 1) for move in state.legal())


def count_align(position: Position, depth: int) -> int:
    size = position.game.board

    def count(moves: list[str], depth: int) -> int:
        align = Align(int(size.side), bool(size.checkerboard))
        for move in moves:
            align.play(move)
        if depth == 0:
            return 1
        return sum(count([*moves, move], depth - 1) for move in align.legal())

    return count(list(position.moves), depth)


def count_stones(position: Position, depth: int) -> int:
    size = position.game.board
    reference: Reference = (
        Connect4(int(size.rows), int(size.cols), int(size.inarow))
        if position.game.name == "connect4"
        else TicTacToe(int(size.rows), int(size.cols), int(size.k))
    )

    def count(board: Board, marks: str, depth: int) -> int:
        if depth == 0:
            return 1
        if reference.over(board):
            return 0
        children = (reference.play(board, move, marks[0]) for move in reference.legal(board))
        return sum(count(child, marks[::-1], depth - 1) for child in children)

    board, marks = reference.empty(), "xo"
    for move in position.moves:
        board, marks = reference.play(board, move, marks[0]), marks[::-1]
    return count(board, marks, depth)


COUNTS = {
    "align": count_align,
    "andantino": count_hexagons,
    "connect4": count_stones,
    "makeway": count_net,
    "snails": count_snails,
    "tictactoe": count_stones,
}
