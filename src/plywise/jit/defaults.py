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


def assess(b: Record, s: Record) -> tuple[int, int, int]:
    """The game has `evaluate` and `bounds` instead."""
    return 0, -FAR, FAR


def tactics(b: Record, s: Record, out: Record) -> tuple[int, int]:
    """The game has `forced` instead."""
    return 0, 0


def threats(
    b: Record, states: Record, at: int, lists: Record, ranks: Record, depth: int
) -> tuple[int, int, int]:
    """No win is seen."""
    return 0, -1, 0


def reduction(b: Record, s: Record, move: int, tried: int, depth: int) -> int:
    """Every move is searched to the full depth."""
    return 0


def null_move(b: Record, s: Record, depth: int) -> bool:
    """Passing is not tried."""
    return False


#: All of them, by the name of the verb.
VERBS = (evaluate, bounds, assess, forced, tactics, threats, promise, reduction, null_move)
