"""The defaults of `turn` and `key`: interpreted and compiled they say the same."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import plywise
from plywise.core.rules import Rules, hash_fields, key_of, quick
from plywise.jit import kernel


def nothing(b: Any, s: Any, *more: Any) -> Any:
    return 0


def kind(fields: list[Any], **rules: Any) -> plywise.GameType:
    return plywise.GameType(
        name="fields",
        state=fields,
        rules=Rules(nothing, nothing, nothing, nothing, nothing, **rules),
        sizes=lambda b: (1, 1),
        notation=plywise.Notation(move_text=lambda b, move: "a"),
    )


FIELDS = [
    [("turn", "i8")],
    [("cells", "i1", 9), ("turn", "i1")],
    [("flag", "?"), ("cells", "u1", (3, 7)), ("count", "i4"), ("turn", "i8")],
    [("sets", "u8", (3, 2)), ("short", "i2", 3), ("share", "f4"), ("turn", "i8")],
]


@kernel
def reading(key: Any, turn: Any) -> Any:
    def read(states: Any, keys: Any, turns: Any) -> None:
        for index in range(states.size):
            keys[index] = key(states[index], states[index])
            turns[index] = turn(states[index], states[index])

    return read


def filled(dtype: np.dtype[Any], count: int, seed: int = 1) -> Any:
    """States with random fields, and random bytes between them."""
    rng = np.random.default_rng(seed)
    states = np.frombuffer(rng.bytes(count * dtype.itemsize), dtype).copy()
    for name in dtype.names or ():
        states[name] = rng.integers(0, 2, states[name].shape)
    return states


def asked(rules: Rules, states: Any) -> tuple[list[int], list[int]]:
    """What compiled rules say about states."""
    keys, turns = np.zeros(states.size, np.uint64), np.zeros(states.size, np.int64)
    reading.build(rules)(states, keys, turns)
    return keys.tolist(), turns.tolist()


@pytest.mark.parametrize("fields", FIELDS)
@pytest.mark.parametrize("aligned", [False, True])
def test_keys_of_fields_are_the_same_compiled_and_interpreted(fields: Any, aligned: bool) -> None:
    game = kind(fields)
    dtype = quick(np.dtype([tuple(each) for each in fields], align=aligned))
    states = filled(dtype, 50)
    keys, turns = asked(game.rules, states)
    assert keys == [int(game.rules.key(None, s)) for s in states]
    assert turns == [int(s["turn"]) for s in states]


def test_padding_and_what_a_net_adds_do_not_count() -> None:
    fields = [("flag", "i1"), ("cells", "i2", 5), ("turn", "i8")]
    plain = np.dtype(fields)
    game = kind(fields)
    states = filled(plain, 20)
    wider = np.dtype([("net_sums", "u8", 4), *fields], align=True)
    keys = []
    for seed in (1, 2):
        wide = filled(quick(wider), 20, seed)
        for name in plain.names or ():
            wide[name] = states[name]
        keys.append(asked(game.rules, wide)[0])
    assert keys[0] == keys[1] == asked(game.rules, states.astype(quick(plain)))[0]


def test_every_byte_of_a_field_counts() -> None:
    dtype = np.dtype([("cells", "u1", 13), ("turn", "i8")])
    states = np.zeros(14, quick(dtype))
    for place in range(13):
        states[place]["cells"][place] = 1
    keys = asked(kind([("cells", "u1", 13), ("turn", "i8")]).rules, states)[0]
    assert len(set(keys)) == 14


def test_named_fields_are_the_whole_key() -> None:
    game = kind([("cells", "i1", 9), ("links", "i1", 9), ("turn", "i8")], key=("cells", "turn"))
    one, two = np.zeros(2, game.state)
    two.links[3] = 1
    assert game.rules.key(None, one) == game.rules.key(None, two)
    two.cells[3] = 1
    assert game.rules.key(None, one) != game.rules.key(None, two)
    assert kind([("x", "i8"), ("turn", "i8")], key="x").rules.key is key_of(("x",))


def test_a_function_stays_as_it_is() -> None:
    assert kind([("turn", "i8")], key=nothing, turn=nothing).rules.key is nothing


def test_a_field_that_does_not_exist_is_refused() -> None:
    with pytest.raises(plywise.SpecError, match=r"the key of fields names 'stone': .*stones"):
        kind([("stones", "i1", 9), ("turn", "i8")], key=("stone", "turn"))
    with pytest.raises(plywise.SpecError, match="does not say whose turn it is"):
        kind([("stones", "i1", 9)])


def test_the_rules_of_a_module_are_found_by_their_names() -> None:
    from plywise.games.tictactoe import rules

    found = Rules.of(rules)
    assert (found.setup, found.promise) == (rules.setup, rules.promise)
    assert found.measures is None


def test_a_hash_depends_on_where_a_byte_is() -> None:
    dtype = [("cells", "u1", 16)]
    one, two = np.zeros(2, dtype)
    one["cells"][0], two["cells"][8] = 1, 1
    assert hash_fields(one, "cells") != hash_fields(two, "cells")
