"""Two positions with one key: how they differ, and which fields the key leaves out."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

import numpy as np

FEW = 4  #: differences that are told

States = np.ndarray[Any, Any]


def deciding(one: States, two: States, answer: Callable[[States], object]) -> list[str]:
    """Return the fields that two states differ in: if possible those that change an answer.

    Each of them is tried on its own, taken from one state into the other.
    """
    unequal = [name for name in one.dtype.names or () if np.any(one[name] != two[name])]
    expected, found = answer(one.copy()), []
    for name in unequal:
        mixed = one.copy()
        mixed[name] = two[name]
        try:
            changed = answer(mixed) != expected
        except Exception:  # the mixture of two states need not make sense
            continue
        if changed:
            found.append(name)
    return found or unequal


def unlike(one: States, two: States, names: list[str]) -> str:
    """Describe how two states differ in these fields: some of the differences."""
    told = []
    for name in names:
        there, here = np.ravel(one[name][0]), np.ravel(two[name][0])
        for index in np.flatnonzero(there != here):
            place = f"s.{name}" if there.size == 1 else f"s.{name}[{index}]"
            told.append(f"{place} is {there[index]} there and {here[index]} here")
    return ", ".join([*told[:FEW], "..."] if len(told) > FEW else told)


def different(words: Iterable[str], one: Iterable[object], two: Iterable[object]) -> list[str]:
    """Describe how answers about two positions differ.

    >>> different(["margin", "player to move"], [3, 1], [1, 1])
    ['the margin is 3 there and 1 here']
    """
    both = zip(words, one, two, strict=True)
    return [f"the {word} is {there} there and {here} here" for word, there, here in both
            if there != here]  # fmt: skip


def question(names: list[str]) -> str:
    """Ask about the likely mistake in a key.

    >>> question(["score"])
    'is s.score missing from `key`, or wrong, or does `key` overflow?'
    """
    which = " or ".join(f"s.{name}" for name in names)
    return f"is {which} missing from `key`, or wrong, or does `key` overflow?"
