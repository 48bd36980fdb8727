"""What the expert thinks of a quiet position: open windows, stones in a tight corner, patience."""

from __future__ import annotations

from plywise.core.game import Record
from plywise.games.andantino.board import WORDS
from plywise.jit import rule
from plywise.jit.bits import popcount

#: For the side to move and for the other: windows of five with 1 to 4 own stones; the other's
#: stones with 3 and with 4 or more own ones around; cells that make five, but are not yet legal.
#: From self-play, see docs/games/andantino.md.
OWN = (1, 4, 14, 30, 3, 12, 40)
OTHER = (1, 4, 11, 20, 3, 9, 30)


@rule
def side_score(s: Record, player: int, weights: tuple[int, int, int, int, int, int, int]) -> int:
    """The sum of one side."""
    waiting = 0
    for word in range(WORDS):
        waiting += popcount(s.five[player, word] & ~s.legal[word])
    hug = s.hug[player]
    count = s.count[player]
    return (
        weights[0] * count[1]
        + weights[1] * count[2]
        + weights[2] * count[3]
        + weights[3] * count[4]
        + weights[4] * hug[3]
        + weights[5] * (hug[4] + hug[5])
        + weights[6] * waiting
    )


@rule
def judge(b: Record, s: Record) -> int:
    """An estimate for the side to move."""
    return side_score(s, s.turn, OWN) - side_score(s, 1 - s.turn, OTHER)
