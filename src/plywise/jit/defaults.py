"""What a kernel uses for a verb that a game does not have."""

from __future__ import annotations

from plywise.core.game import Record

FAR = 1 << 30  #: a margin no game reaches: "no bound known"


def evaluate(b: Record, s: Record) -> int:
    """Nothing is known: a level position."""
    return 0


def bounds(b: Record, s: Record) -> tuple[int, int]:
    """Anything can still happen."""
    return -FAR, FAR


def forced(b: Record, s: Record, out: Record) -> int:
    """Every move matters."""
    return 0


def promise(b: Record, s: Record, move: int) -> int:
    """No move looks better than another."""
    return 0
