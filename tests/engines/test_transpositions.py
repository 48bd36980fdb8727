"""The transposition table: what is kept is what was put in."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from plywise.engines.kernels.transpositions import (
    EXACT,
    LOWER,
    NOTHING,
    PROVED,
    UPPER,
    TranspositionTable,
    bound_in,
    depth_in,
    find,
    keep,
    move_in,
    pack,
    value_in,
)
from plywise.jit.bits import random_words

KEYS = st.integers(0, 2**64 - 1).map(np.uint64)


@given(
    value=st.integers(-1_000_001, 1_000_001),
    move=st.integers(0, 65_535),
    depth=st.integers(0, PROVED),
    bound=st.sampled_from([LOWER, UPPER, EXACT]),
    era=st.integers(0, 65_535),
)
def test_an_entry_is_read_as_it_was_written(
    value: int, move: int, depth: int, bound: int, era: int
) -> None:
    data = pack(value, move, depth, bound, era)
    assert (value_in(data), move_in(data), depth_in(data), bound_in(data)) == (
        value,
        move,
        depth,
        bound,
    )


@given(KEYS, KEYS)
def test_a_key_finds_its_own_entry_only(key: np.uint64, other: np.uint64) -> None:
    table = TranspositionTable(0.001)
    data = pack(7, 3, 5, EXACT, table.era)
    keep(table.words, key, data)
    assert find(table.words, key, table.era) == data
    if other != key:
        assert find(table.words, other, table.era) == NOTHING


def test_the_deepest_stays_and_the_newest_too() -> None:
    table = TranspositionTable(0.0001)
    size = table.words.size // 4
    keys = [np.uint64(1 + size * i) for i in range(4)]  # all in one bucket
    for key, depth in zip(keys, (9, 2, 4, 1), strict=True):
        keep(table.words, key, pack(0, 0, depth, EXACT, table.era))
    depths = [depth_in(find(table.words, key, table.era)) for key in keys]
    assert depths == [9, 0, 0, 1]


def test_a_forgotten_table_is_empty_however_often() -> None:
    table = TranspositionTable(0.001)
    key = np.uint64(12345)
    for _ in range(600):
        assert find(table.words, key, table.era) == NOTHING
        keep(table.words, key, pack(1, 1, 1, EXACT, table.era))
        assert find(table.words, key, table.era) != NOTHING
        table.forget()


def test_old_entries_are_true_but_give_way() -> None:
    table = TranspositionTable(0.0001)
    size = table.words.size // 4
    old, new = np.uint64(1), np.uint64(1 + size)
    keep(table.words, old, pack(5, 0, 200, EXACT, table.era))
    table.grow_old()
    assert value_in(find(table.words, old, table.era)) == 5
    keep(table.words, new, pack(6, 0, 1, EXACT, table.era))
    assert find(table.words, old, table.era) == NOTHING


@pytest.mark.parametrize("nodes", [1, 200_000, 1 << 40])
def test_a_table_that_grows_keeps_its_entries(nodes: int) -> None:
    table = TranspositionTable(8)
    keys = random_words(20_000, 1)
    for age, key in enumerate(keys[:10_000]):
        keep(table.words, key, pack(age, 7, 3, EXACT, table.era))
    table.forget()
    for age, key in enumerate(keys[10_000:]):
        keep(table.words, key, pack(age, 7, 3, EXACT, table.era))
    before = [find(table.words, key, table.era) for key in keys]
    size = table.words.size
    table.make_room(nodes)
    assert (table.words.size > size) == (nodes > 1)
    assert table.words.nbytes <= 8 << 20
    assert [find(table.words, key, table.era) for key in keys] == before
    assert sum(data != NOTHING for data in before) > 9_000
    table.forget()
    assert table.words.size == size
    assert all(find(table.words, key, table.era) == NOTHING for key in keys)


def test_a_bucket_lies_within_one_line_of_the_cache() -> None:
    assert TranspositionTable(1).words.ctypes.data % 64 == 0
