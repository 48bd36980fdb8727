"""Numbers and lists in words."""

from __future__ import annotations

from collections.abc import Sequence

_NUMBERS = (
    *("no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten"),
    *("eleven", "twelve", "thirteen", "fourteen", "fifteen", "sixteen", "seventeen", "eighteen"),
    "nineteen",
)


def number_word(number: int) -> str:
    """Write a small number as a word.

    >>> number_word(0), number_word(3), number_word(40)
    ('no', 'three', '40')
    """
    return _NUMBERS[number] if number < len(_NUMBERS) else str(number)


def listing(words: Sequence[str]) -> str:
    """Join words with commas and "and".

    >>> listing(["a"]), listing(["a", "b", "c"])
    ('a', 'a, b and c')
    """
    return words[0] if len(words) == 1 else f"{', '.join(words[:-1])} and {words[-1]}"
