"""Bits, keys and random numbers: what they should be, and the same interpreted and compiled."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from plywise.core.game import Record
from plywise.core.spec import Spec
from plywise.engines.alphabeta import AlphaBeta
from plywise.engines.kernels.alphabeta import alphabeta_kernel
from plywise.games.tictactoe import GAME
from plywise.jit import kernel
from plywise.jit.bits import below, generator, index_of, lowest, popcount, random_words, spread
from plywise.jit.machine import copy_own
from tests.awkward.coins import COINS
from tests.oracle.minimax import margin_of

WORDS = st.lists(st.integers(1, 2**64 - 1), min_size=1, max_size=20)


@kernel
def bits_kernel() -> Any:
    """All functions of a word, for many words."""

    def bits(words: Record, out: Record) -> None:
        for i in range(words.size):
            out[i, 0] = popcount(words[i])
            out[i, 1] = lowest(words[i])
            out[i, 2] = index_of(lowest(words[i]))

    return bits


@kernel
def spread_kernel() -> Any:
    """Many keys spread."""

    def spread_all(keys: Record, out: Record) -> None:
        for i in range(keys.size):
            out[i] = spread(keys[i])

    return spread_all


@kernel
def random_kernel() -> Any:
    """Many throws."""

    def throw(rng: Record, sides: int, out: Record) -> None:
        for i in range(out.size):
            out[i] = below(rng, sides)

    return throw


@kernel
def copy_kernel() -> Any:
    """Copies one state's own fields to another."""

    def copy(states: Record) -> None:
        copy_own(states[1], states[0])

    return copy


def both(factory: Any) -> list[Any]:
    return [factory.plain(GAME.rules), factory.build(GAME.rules)]


@given(WORDS)
def test_bits(words: list[int]) -> None:
    results = []
    for bits in both(bits_kernel):
        out = np.zeros((len(words), 3), np.uint64)
        bits(np.array(words, np.uint64), out)
        results.append(out)
    assert (results[0] == results[1]).all()
    for word, (count, low, index) in zip(words, results[0].tolist(), strict=True):
        assert count == word.bit_count()
        assert low == word & -word
        assert index == (word & -word).bit_length() - 1


def test_no_bits() -> None:
    assert popcount(np.uint64(0)) == 0
    assert popcount(np.uint64(2**64 - 1)) == 64
    assert index_of(np.uint64(2**63)) == 63


@pytest.mark.parametrize("sides", [1, 2, 7, 361, 65_535])
@pytest.mark.parametrize("seed", [0, 1, 12345])
def test_random_numbers_are_the_same(sides: int, seed: int) -> None:
    throws = []
    for throw in both(random_kernel):
        out = np.zeros(500, np.int64)
        throw(generator(seed), sides, out)
        throws.append(out)
    assert (throws[0] == throws[1]).all()
    assert throws[0].min() >= 0
    assert throws[0].max() < sides


def test_random_numbers_are_fair() -> None:
    throw = random_kernel.build(GAME.rules)
    for seed in range(5):
        out = np.zeros(60_000, np.int64)
        throw(generator(seed), 6, out)
        counts = np.bincount(out, minlength=6)
        assert abs(counts - 10_000).max() < 500  # five standard deviations are 456
    assert (out[:-1] != out[1:]).any()


def test_random_words() -> None:
    words = random_words(1000, seed=1)
    assert len(set(words.tolist())) == 1000
    assert (words[:10] == random_words(10, seed=1)).all()
    assert (words[:10] != random_words(10, seed=2)).all()
    assert words[0] == 0x910A2DEC89025CC1, "splitmix64 after one step from 1"


@given(WORDS)
def test_spread_is_the_same(words: list[int]) -> None:
    results = []
    for spread_all in both(spread_kernel):
        out = np.zeros(len(words), np.uint64)
        spread_all(np.array(words, np.uint64), out)
        results.append(out)
    assert (results[0] == results[1]).all()


def test_spread_fills_the_top_bits() -> None:
    """Keys that differ in one bit anywhere land all over a table of 4096."""
    keys = np.array([1 << bit for bit in range(64)], np.uint64)
    out = np.zeros_like(keys)
    spread_kernel.build(GAME.rules)(keys, out)
    assert len({int(word) >> 52 for word in out}) > 60


def test_the_same_rules_give_the_same_kernel() -> None:
    assert bits_kernel.build(GAME.rules) is bits_kernel.build(GAME.rules)


@pytest.mark.parametrize("fields", [[], [("net_sums", "u8", (3,)), ("net_seen", "u1", (5,))]])
def test_a_state_is_copied_without_what_a_net_keeps_in_front_of_it(fields: list[Any]) -> None:
    own = [("cells", "i1", (7,)), ("score", "f8"), ("turn", "i2")]
    kind = np.dtype((np.record, np.dtype([*fields, *own], align=True)))
    for copy in both(copy_kernel):
        states = np.zeros(2, kind)
        for name in kind.names or ():
            states[name][0] = 7
        copy(states)
        for name, *_ in own:
            assert (states[name][1] == 7).all()
        for name, *_ in fields:
            assert (states[name][1] == 0).all()


def test_an_interpreted_kernel_counts_in_64_bits(monkeypatch: pytest.MonkeyPatch) -> None:
    """A margin may come from a field of one byte, and its score is a hundred times as much."""
    monkeypatch.setattr(alphabeta_kernel, "build", alphabeta_kernel.plain)
    rules = replace(COINS.rules, margin=lambda b, s: np.int8(s.margin), bounds=small_bounds)
    start = replace(COINS, rules=rules)(Spec("coins", {"coins": "7", "seed": "2"})).start()
    vars(start.game)["tried"] = True
    found = AlphaBeta(start.game, depth=7).search(start)
    assert abs(found.score) > 1
    assert found.score == margin_of(start)


def small_bounds(b: Record, s: Record) -> tuple[np.int8, np.int8]:
    least, most = COINS.rules.bounds(b, s)
    return np.int8(least), np.int8(most)
