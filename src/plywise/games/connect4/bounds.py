"""Bounds on the score of a Connect-4 position without searching it.

The cells of a column are paired from the top: each pair has a lower and an upper cell. A player who
answers every disc in a lower cell with one in the upper cell above it gets all upper cells (the
claimeven strategy). Upper cells that are playable at once are free: either side may take them, one
after the other. With an even number of empty cells the opponent can always answer: the number of
free cells is then even too, so one free cell answers another.
"""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np

from plywise.core.game import Record, Verb
from plywise.jit import rule
from plywise.jit.bits import ONE, ZERO, index_of, lowest, popcount

NO_BOUND = 99  #: larger than any score


@rule
def image_of(b: Record, word: Any) -> Any:
    """Mirror a key. `word` may be an array."""
    height = np.uint64(b.rows + 1)
    strip = (b.column[0] << ONE) | ONE  # the first column with the cell above the board
    image = ZERO
    for _ in range(b.cols):
        image = (image << height) | (word & strip)
        word = word >> height
    return image


@rule
def from_here_up(b: Record, cells: Any) -> Any:
    """These cells and all above them in their columns."""
    return ((b.roof - cells) | cells) & b.cells


@rule
def reach_against_answers(b: Record, own: Any, empty: Any, playable: Any, theirs: Any) -> Any:
    """Every cell the side to move may get while the opponent answers above each of its discs.

    `theirs` are the cells that would complete a line for the opponent. In a column with such an
    upper cell the side to move gets nothing from there on: playing below it loses.
    """
    closed = from_here_up(b, theirs & b.upper & ~playable)
    return own | (empty & (b.lower | playable) & ~closed)


@cache
def bounds_by(lines: Verb) -> dict[str, Verb]:
    """The bounds by name, for lines of one length: `four_lines` or `any_lines`."""

    @rule
    def claim_bound(b: Record, own: Any, other: Any, empty: Any, playable: Any, theirs: Any) -> int:
        """Upper bound for the side to move if the opponent answers; the empty cells are even."""
        reach = reach_against_answers(b, own, empty, playable, theirs)
        if lines(b, reach) != ZERO:
            free = playable & b.upper & reach
            if popcount(free) != 2:
                return NO_BOUND
            one = lowest(free)
            two = free ^ one
            # Two free cells: each side gets one of them.
            if lines(b, reach ^ one) | lines(b, reach ^ two) != ZERO:
                return NO_BOUND
        return answered_score(b, other, empty, playable, theirs)

    @rule
    def answered_score(b: Record, other: Any, empty: Any, playable: Any, theirs: Any) -> int:
        """The score of a side that cannot win against answers: 0, or how late the opponent wins.

        Columns with a threat of the opponent's are left until everything else is full. Then the
        side to move has to play below a threat, and the score counts what is left of these columns.
        """
        threats = theirs & b.upper & ~playable
        if threats != ZERO:
            closed = from_here_up(b, threats)
            return -((popcount(closed) + popcount(closed & ~(closed << ONE))) // 2)
        claimed = empty & b.upper & ~playable
        score = 0
        rows = b.cells
        # A line of claimed cells is complete when its last column is filled up to its highest row.
        while lines(b, other | (claimed & rows)) != ZERO:
            score -= 1
            top = rows & ~(rows >> ONE)
            rows = rows & ~top
            top = rows & ~(rows >> ONE)
            rows = rows & ~top
        return score

    @rule
    def threat_bound(b: Record, own: Any, empty: Any, playable: Any, theirs: Any) -> int:
        """Upper bound against a threat in a lower cell; the number of empty cells is odd.

        The opponent stays out of that column from the cell below the threat upwards. The number of
        cells left is even, so the opponent can answer there, and in the end the side to move has to
        play below the threat.
        """
        threats = theirs & b.lower & ~playable
        best = NO_BOUND
        if threats == ZERO:
            return best
        closed = from_here_up(b, theirs & b.upper & ~playable)
        reach = own | (empty & (b.lower | playable) & ~closed)
        threats &= ~closed
        while threats != ZERO:
            threat = lowest(threats)
            threats ^= threat
            from_threat = from_here_up(b, threat)
            column = b.column[b.column_of[index_of(threat)]]
            below = column & empty & ~from_threat
            mine = (reach & ~(column & empty)) | (below & (b.upper | playable))
            if lines(b, mine) == ZERO:
                elsewhere = closed & ~column
                left = popcount(elsewhere) + popcount(elsewhere & ~(elsewhere << ONE))
                best = min(best, -((popcount(from_threat) - 1) // 2 + 1 + left // 2))
        return best

    @rule
    def claims_after(
        b: Record, own: Any, other: Any, empty: Any, playable: Any, moves: Any, made: Any
    ) -> int:
        """The opponent's lowest score after any of the moves, if the mover answers from then on.

        `made` holds the cells that complete a line for the mover after a move in each column.
        """
        good = ZERO
        for column in range(b.lanes):
            move = moves & b.column[column]
            threats = made[column]
            after = ((playable ^ move) | (move << ONE)) & b.cells
            reach = reach_against_answers(b, other, empty ^ move, after, threats)
            good |= move if lines(b, reach) | (threats & after) == ZERO else ZERO
        best = NO_BOUND
        while good != ZERO:
            move = lowest(good)
            good ^= move
            threats = made[b.column_of[index_of(move)]]
            after = ((playable ^ move) | (move << ONE)) & b.cells
            best = min(best, answered_score(b, own | move, empty ^ move, after, threats))
        return best

    @rule
    def threats_after(
        b: Record, own: Any, other: Any, empty: Any, playable: Any, moves: Any, made: Any
    ) -> int:
        """The opponent's lowest bound after any of the moves that threatens in a lower cell."""
        good = ZERO
        for column in range(b.lanes):
            move = moves & b.column[column]
            threats = made[column]
            after = (playable ^ move) | (move << ONE)
            useful = threats & after == ZERO and threats & b.lower & ~after != ZERO
            good |= move if useful else ZERO
        best = NO_BOUND
        while good != ZERO:
            move = lowest(good)
            good ^= move
            threats = made[b.column_of[index_of(move)]]
            after = ((playable ^ move) | (move << ONE)) & b.cells
            best = min(best, threat_bound(b, other, empty ^ move, after, threats))
        return best

    found = (claim_bound, threat_bound, claims_after, threats_after)
    return {bound.__name__: bound for bound in found}
