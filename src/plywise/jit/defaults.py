"""The default for each verb that a game does not have."""

from __future__ import annotations

from plywise.core.game import Record

FAR = 1 << 30  #: a margin that no game reaches: no bound is known


def evaluate(b: Record, s: Record) -> int:
    """Call every position even."""
    return 0


def bounds(b: Record, s: Record) -> tuple[int, int]:
    """Exclude no result."""
    return -FAR, FAR


def forced(b: Record, s: Record, out: Record) -> int:
    """Force no move: every move matters."""
    return 0


def promise(b: Record, s: Record, move: int) -> int:
    """Rank all moves the same."""
    return 0


def assess(b: Record, s: Record) -> tuple[int, int, int]:
    """Do nothing: the game has `evaluate` and `bounds` instead."""
    return 0, -FAR, FAR


def tactics(b: Record, s: Record, out: Record) -> tuple[int, int]:
    """Do nothing: the game has `forced` instead."""
    return 0, 0


def threats(
    b: Record, states: Record, at: int, lists: Record, ranks: Record, depth: int
) -> tuple[int, int, int]:
    """Find no win."""
    return 0, -1, 0


def reduction(b: Record, s: Record, move: int, tried: int, depth: int) -> int:
    """Search every move to full depth."""
    return 0


def null_move(b: Record, s: Record, depth: int) -> bool:
    """Try no null move."""
    return False


def outlook(b: Record, s: Record) -> float:
    """Expect nothing: playouts say what a position is worth."""
    return 0.0


#: All of them, by the name of the verb.
VERBS = (evaluate, bounds, assess, forced, tactics, threats, promise, reduction, null_move, outlook)
