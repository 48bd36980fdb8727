"""Numbers and lists in plain text."""

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


def counted(number: float, word: str, words: str | None = None) -> str:
    """Write a number with its noun; `words` is a plural that does not just add an s.

    >>> counted(1, "game"), counted(2500, "node"), counted(0, "ply", "plies")
    ('1 game', '2,500 nodes', '0 plies')
    """
    return f"{number:,} {word if number == 1 else words or f'{word}s'}"
