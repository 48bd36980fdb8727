"""The expert's evaluation of a quiet position: lines that can become five, stones hemmed in."""

from __future__ import annotations

from plywise.core.game import Record
from plywise.jit import rule

#: For the side to move and for the opponent: windows of five with only 2, 3 and 4 own stones (the
#: fifth cell of a four is not legal yet, or the position would not be quiet); the opponent's
#: stones with 3 and with 4 or 5 own ones around them. From self-play, see docs/games/andantino.md.
OWN = (6, 23, 50, 11, 22)
OTHER = (4, 19, 64, 10, 22)


@rule
def side_score(s: Record, player: int, weights: tuple[int, int, int, int, int]) -> int:
    """The score of one side."""
    count, hug = s.count[player], s.hug[player]
    return (
        weights[0] * count[2]
        + weights[1] * count[3]
        + weights[2] * count[4]
        + weights[3] * hug[3]
        + weights[4] * (hug[4] + hug[5])
    )


@rule
def judge(b: Record, s: Record) -> int:
    """An estimate for the side to move."""
    return side_score(s, s.turn, OWN) - side_score(s, 1 - s.turn, OTHER)
