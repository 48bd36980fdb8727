"""The two forests of a player: against brute force, and against packing them afresh."""

from __future__ import annotations

import random
from typing import Any

import numpy as np
import pytest

import plywise
from plywise.games.makeway import forests, rules
from plywise.games.makeway.board import WORDS, Board, fill
from plywise.games.makeway.forests import Node, set_up_forests
from plywise.games.makeway.graph import Graph
from plywise.games.makeway.ways import trees_of
from plywise.jit import kernel
from tests.oracle.makeway import joined, short_wins

RULES = plywise.game("makeway:dots=5").rules


@kernel
def walking(setup: Any, follow: Any, set_up_forests: Any) -> Any:
    """Play a game; keep every node, and beside it one whose forests are packed afresh.

    A node follows one player's forests, so there are two.
    """

    def walk(boards: Any, nodes: Any, moves: Any, kept: Any, fresh: Any) -> None:
        setup(boards[0], nodes[0])
        set_up_forests(boards[0], nodes[0])
        nodes[1] = nodes[0]
        for ply in range(moves.size):
            for player in range(2):
                follow(boards[0], nodes[player], player, moves[ply])
            kept[ply] = nodes[0]
            kept[ply].slack[1] = nodes[1].slack[1]
            kept[ply].core[1] = nodes[1].core[1]
            for which in range(2):
                for word in range(WORDS):
                    kept[ply].forest[1, which, word] = nodes[1].forest[1, which, word]
            fresh[ply] = nodes[0]
            set_up_forests(boards[0], fresh[ply])

    return walk


WALK = walking.build(RULES, follow=forests.follow, set_up_forests=set_up_forests)
SET_UP = forests.setting_up.build(RULES, set_up_forests=set_up_forests)


def boards_of(dots: int, lines: list[tuple[int, int]]) -> Any:
    """A board record, which may have several lines between the same dots."""
    boards = np.zeros(1, Board)
    fill(boards[0], Graph(tuple((float(x), 0.0) for x in range(dots)), tuple(lines)))
    return boards


def random_lines(rng: random.Random, dots: int, count: int) -> list[tuple[int, int]]:
    """So many lines, some of them between the same dots."""
    return [tuple(sorted(rng.sample(range(dots), 2))) for _ in range(count)]  # type: ignore[misc]


@pytest.mark.parametrize("seed", range(8))
def test_slack_is_the_switching_game(seed: int) -> None:
    rng = random.Random(seed)
    seen = set()
    for _ in range(250):
        dots = rng.randint(2, 6)
        lines = random_lines(rng, dots, rng.randint(1, 8))
        boards = boards_of(dots, lines)
        nodes = np.zeros(1, Node)
        RULES.setup(boards[0], nodes[0])
        sides = [0, 0]
        for line in range(len(lines)):  # a few are taken before
            player = rng.choice((0, 1, 2, 2, 2, 2))
            if player < 2:
                rules.claim(boards[0], nodes[0], player, line)
                sides[player] |= 1 << line
        SET_UP(boards, nodes)
        for player in range(2):
            own, gone = sides[player], sides[1 - player]
            first = short_wins(lines, dots - 1, own, gone, short_moves=True)
            second = short_wins(lines, dots - 1, own, gone, short_moves=False)
            assert nodes[0].slack[player] == 2 - first - second, (dots, lines, sides)
            seen.add(int(nodes[0].slack[player]))
    assert seen == {0, 1, 2}


@pytest.mark.parametrize("seed", range(40))
def test_kept_forests_are_as_good_as_fresh_ones(seed: int) -> None:
    rng = random.Random(seed)
    dots = rng.randint(3, 27)
    lines = random_lines(rng, dots, min(128, rng.randint(2, 4 * dots)))
    moves = np.array(rng.sample(range(len(lines)), len(lines)), np.int32)
    kept, fresh = (np.zeros(len(lines), Node) for _ in range(2))
    WALK(boards_of(dots, lines), np.zeros(2, Node), moves, kept, fresh)
    assert (kept["slack"] == fresh["slack"]).all()
    for node in (*kept, *fresh):
        for player in range(2):
            forests = [bits_of(node.forest[player, which]) for which in range(2)]
            assert not forests[0] & forests[1]
            part = node.part[player]
            within = [
                {
                    line
                    for line in forest
                    if all(int(node.core[player]) >> int(part[dot]) & 1 for dot in lines[line])
                }
                for forest in forests
            ]
            for forest in forests:
                assert is_forest(
                    [(part[low], part[high]) for low, high in (lines[n] for n in forest)]
                )
            if node.slack[player] == 0:  # both span the core, which holds start and end
                parts = int(node.core[player]).bit_count()
                assert [len(lines) for lines in within] == [parts - 1] * 2
                assert int(node.core[player]) & 1
                assert int(node.core[player]) >> int(part[dots - 1]) & 1


def bits_of(words: Any) -> set[int]:
    """The lines of a set."""
    whole = sum(int(word) << 64 * number for number, word in enumerate(words))
    return {line for line in range(128) if whole >> line & 1}


def is_forest(lines: list[tuple[int, int]]) -> bool:
    """No cycle?"""
    tree = {}
    for low, high in lines:
        trees = [tree.get(dot, {dot}) for dot in (low, high)]
        if trees[0] is trees[1] or low == high:
            return False
        both = trees[0] | trees[1]
        tree.update(dict.fromkeys(both, both))
    return True


def test_two_separate_trees_join_start_and_end() -> None:
    position = plywise.game("makeway:seed=1").start()
    b = position.game.board
    for player in range(2):
        trees = trees_of(b, position.state, player)
        assert trees is not None
        first, second = (set(tree) for tree in trees)
        assert not first & second
        assert len(first) == len(second)
        for tree in (first, second):  # each joins start and end on its own
            lines = [(int(b.ends[line, 0]), int(b.ends[line, 1])) for line in tree]
            assert is_forest(lines)
            assert joined(lines, (1 << len(lines)) - 1, 26)
