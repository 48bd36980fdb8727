"""What the functions of a game return: of the right type, within its limits, one for each key."""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterable
from typing import Any

import numpy as np

from plywise.errors import RulesError
from plywise.jit.blame import place_of

_WORD = 1 << 64  #: keys are smaller
_WORDS = {
    "turn": "the player to move, 0 or 1",
    "margin": "a whole number: by how much player 0 has won",
    "key": "a whole number of 64 bits, np.uint64(...)",
    "evaluate": "a whole number: an estimate for the side to move",
    "promise": "a whole number: how good the move looks",
    "moves": "the number of moves that it wrote into out",
    "forced": "the number of moves that it wrote into out, 0 for all",
}


def complain(name: str, function: Callable[..., Any], what: str) -> RulesError:
    """Return an error about a function, with its name in front and its line behind."""
    return RulesError(f"`{name}` {what}{place_of(function)}")


def shown(value: Any) -> str:
    """Show what a function returned."""
    if value is None:
        return "nothing (None)"
    if isinstance(value, Generator):
        return "a generator: it contains a yield"
    if isinstance(value, np.generic):
        value = value.item()
    kind = f"the {type(value).__name__} " if isinstance(value, list | tuple | str) else ""
    return f"{kind}{value!r:.40}"


def is_whole(value: Any) -> bool:
    """Return True for a whole number, and not for a truth value."""
    return isinstance(value, int | np.integer) and not isinstance(value, bool | np.bool_)


def whole(name: str, function: Callable[..., Any], value: Any) -> int:
    """Return a whole number, or say what the function must return."""
    if not is_whole(value):
        must = _WORDS[name]
        if isinstance(value, Generator):
            must = "nothing of the kind: write the moves into out, and return how many there are"
        if name == "key" and isinstance(value, np.ndarray):
            must += "; a field with two axes needs .ravel() before it is hashed"
        raise complain(name, function, f"returned {shown(value)}: it must return {must}")
    return int(value)


def truth(name: str, function: Callable[..., Any], value: Any) -> bool:
    """Return a truth value."""
    if not isinstance(value, bool | np.bool_) and not (is_whole(value) and value in (0, 1)):
        raise complain(name, function, f"returned {shown(value)}: it must return True or False")
    return bool(value)


def key(name: str, function: Callable[..., Any], value: Any) -> int:
    """Return a key, which fits into 64 bits."""
    found = whole(name, function, value)
    if found < 0:
        why = f"returned {found}, which is negative: compute it with np.uint64(...)"
        raise complain(name, function, why)
    if found >= _WORD:
        why = f"returned {found}, which does not fit into 64 bits: it would overflow when compiled"
        raise complain(name, function, why)
    return found


def pair(name: str, function: Callable[..., Any], value: Any) -> tuple[int, int]:
    """Return two whole numbers."""
    good = isinstance(value, tuple | list) and len(value) == 2 and all(map(is_whole, value))
    if not good:
        must = "two whole numbers"
        raise complain(name, function, f"returned {shown(value)}: it must return {must}")
    return int(value[0]), int(value[1])


def text(name: str, function: Callable[..., Any], value: Any) -> str:
    """Return a text."""
    if not isinstance(value, str):
        raise complain(name, function, f"returned {shown(value)}: it must return a text")
    return value


def moves(
    name: str, function: Callable[..., Any], value: Any, out: np.ndarray[Any, Any], unwritten: int
) -> list[int]:
    """Return the moves that a function wrote into `out`, which held `unwritten` before."""
    count, most = whole(name, function, value), len(out)
    if not 0 <= count <= most:
        why = f"returned {count}, but there can be 0 to {most} moves: see max_moves in sizes"
        raise complain(name, function, why)
    found = [int(move) for move in out[:count]]
    if unwritten in found:
        wrote = found.index(unwritten)
        why = f"returned {count}, but wrote nothing into out[{wrote}]"
        raise complain(name, function, why)
    for move in found:
        if not 0 <= move < most:
            why = f"wrote the move {move}, but moves are numbers from 0 to {most - 1}: see sizes"
            raise complain(name, function, why)
    if len(set(found)) < count:
        twice = next(move for move in found if found.count(move) > 1)
        raise complain(name, function, f"wrote the move {twice} twice")
    return found


# ---- two positions with one key ------------------------------------------------------------------

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
