"""How input is refused: in one line."""

from __future__ import annotations


def one_line(error: Exception) -> None:
    """The message is there and is a single line."""
    assert len(str(error).splitlines()) == 1
