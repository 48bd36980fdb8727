"""Make Way against the slow reference: random games on random boards and on any small graph."""

from __future__ import annotations

import random
from itertools import combinations, pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import plywise
from plywise import Game, Position
from plywise.games.makeway import rules, ways
from plywise.games.makeway.board import graph_of
from tests.oracle.makeway_rules import Line, MakeWay


def reference(game: Game) -> MakeWay:
    graph = graph_of(game.board)
    return MakeWay(len(graph.dots), list(graph.lines))


def name(line: Line) -> str:
    return f"{line[0]}-{line[1]}"


def agree(position: Position, slow: MakeWay) -> None:
    over = slow.over()
    assert position.over == over
    assert position.text == slow.text()
    assert list(position.legal) == ([] if over else [name(line) for line in slow.legal()])
    assert position.to_move == (None if over else "xo".index(slow.mover) + 1)
    assert position.winner == (slow.winner() if over else None)
    b, s = position.game.board, position.state
    for player, letter in enumerate("xo"):
        assert bool(s.cut[player]) == (not slow.can_join(letter))
        if not over:
            fewest = slow.fewest(letter)
            assert int(rules.distance(b, s, player)) == (rules.FAR if fewest is None else fewest)


def play_out(game: Game, rng: random.Random) -> None:
    position, slow = game.start(), reference(game)
    agree(position, slow)
    while not position.over:
        line = rng.choice(slow.legal())
        position, slow = position.play(name(line)), slow.play(line)
        agree(position, slow)


@pytest.mark.parametrize(
    ("spec", "count"),
    [
        ("makeway:dots=3,lines=5", 30),
        ("makeway:dots=4,lines=8", 20),
        ("makeway:dots=6,lines=11", 10),
        ("makeway:dots=10,lines=20", 4),
        ("makeway", 1),
        pytest.param("makeway:lines=45", 2, marks=pytest.mark.slow),
        pytest.param("makeway:dots=62", 1, marks=pytest.mark.slow),
    ],
)
def test_random_games(spec: str, count: int) -> None:
    rng = random.Random(spec)
    game = plywise.game(spec)
    for _ in range(count):
        play_out(game, rng)


@st.composite
def words(draw: st.DrawFn, most: int = 9) -> str:
    """Any small graph that joins the big dots, in one word."""
    dots = draw(st.integers(2, 7))
    pairs = list(combinations(range(dots), 2))
    way = [0, *draw(st.permutations(range(1, dots - 1)))[: draw(st.integers(0, 3))], dots - 1]
    joined = {tuple(sorted(step)) for step in pairwise(way)}
    rest = draw(st.sets(st.sampled_from(pairs), max_size=most - len(joined)))
    places = "_".join(f"{dot}/{dot * dot % 5}" for dot in range(dots))
    return f"{places}:{'_'.join(f'{low}-{high}' for low, high in sorted(joined | rest))}"


@given(words(), st.randoms(use_true_random=False))
@settings(max_examples=60, deadline=None)
def test_any_small_graph(word: str, rng: random.Random) -> None:
    play_out(plywise.game(f"makeway:board={word}"), rng)


@given(words(most=12), st.randoms(use_true_random=False))
@settings(max_examples=60, deadline=None)
def test_lines_of_use(word: str, rng: random.Random) -> None:
    """Leaving out one dot after the other finds the lines that lie on any way at all."""
    game = plywise.game(f"makeway:board={word}")
    position, slow = game.start(), reference(game)
    while not position.over:
        for player, letter in enumerate("xo"):
            if not position.state.cut[player]:
                found = ways.useful(game.board, position.state, player)
                assert {slow.lines[line] for line in found} == slow.useful(letter)
        line = rng.choice(slow.legal())
        position, slow = position.play(name(line)), slow.play(line)
