"""The perft table: how many sequences of moves there are from a position."""

from __future__ import annotations

from pathlib import Path
from typing import NamedTuple


class Counts(NamedTuple):
    """A row of the table."""

    spec: str
    moves: str
    counts: list[int]  #: sequences of exactly 1, 2, 3, ... moves


def perft_table() -> list[Counts]:
    """Return all rows."""
    lines = Path(__file__).with_name("perft.txt").read_text(encoding="utf-8").splitlines()
    rows = [line.split(" | ") for line in lines if not line.startswith("#")]
    return [Counts(spec, moves, [int(count) for count in row.split()]) for spec, moves, row in rows]
