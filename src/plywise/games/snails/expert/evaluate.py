"""The evaluation: who reaches each cell first, and what each snail can claim whatever happens.

Both snails spread over the board move by move, a step or a slide each. A cell belongs to the snail
that reaches it first; if both need the same number of moves, to the side to move. Cells that only
one of them can ever reach are its own, as far as it can claim them: `filled` claims as many as a
simple rule can. That gives bounds that hold against any play, see `tally`.

What is counted is also what a net learns from, see `measures`. All of it is written once and built
twice: `SMALL` for boards of up to 64 cells, where a set of cells is one word, and `LARGE` for any.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from types import ModuleType
from typing import Any

from plywise.core.game import Game, Record, Verb
from plywise.games.snails.board import QUIET, RIGHT, UP
from plywise.games.snails.reach import moves_of
from plywise.games.snails.rules import sign
from plywise.games.snails.words import one, three
from plywise.jit import rule
from plywise.jit.bits import ONE

#: The weights, tuned by self-play: 3,000 nodes per move, hundreds of games per try.
CELL = 10  #: a cell that a snail has claimed, that only it can reach, or that it reaches first
CLOSE = 4  #: ... and this much less if it is first by only one ply

#: The cells that a snail can reach; those of them that it reaches first; and of these, where it is
#: first by one ply, and by three.
Share = tuple[Any, Any, Any, Any]

#: What a snail has: the cells that it can reach; those of them that it reaches first, and the
#: opponent later; those where it is first by one ply, and by three; the pairs of neighbours among
#: all that it reaches first; the claims that nobody can stop, where they may decide the game.
Tally = tuple[int, int, int, int, int, int]
KINDS = 6

#: Slides between two claims that are always safe. After a claim the opponent may slide, and once
#: more after each slide: 1 + 2 * 9 plies without a claim, and the next move claims.
GAP = (QUIET - 2) // 2


@rule
def gaps(quiet: int, waits: int) -> int:
    """Slides that a snail can afford before its first claim; `waits` is 1 if it is not to move."""
    return (QUIET - 1 - quiet - waits) // 2


# ---- counting, with sets of one word or of three ------------------------------------------------


@dataclass(frozen=True)
class Evaluation:
    """The evaluation for one kind of sets. `shares` and `filled` are what it counts with."""

    shares: Callable[[Record, Record], tuple[Share, Share]]
    filled: Callable[[Record, Any, Any, int, int], int]
    measures: Verb
    assess: Verb


def evaluation(words: ModuleType) -> Evaluation:
    """Build the evaluation for sets of one word or of three."""
    none, only, some, count, lowest = words.NONE, words.only, words.some, words.count, words.lowest
    union, common, without = words.union, words.common, words.without
    raised, cells_of = words.raised, words.cells_of
    beside, ends_of, slid, next_stops = moves_of(words)

    @rule
    def among(empty: Any, reached: Any, first: Any, close: Any, ahead: Any) -> Share:
        """These sets without cells that are not empty."""
        return (
            common(reached, empty),
            common(first, empty),
            common(close, empty),
            common(ahead, empty),
        )

    @rule
    def shares(b: Record, s: Record) -> tuple[Share, Share]:
        """What the mover reaches, and what the opponent does."""
        me = s.turn
        empty = cells_of(s.free)
        mine, theirs = cells_of(s.own[me]), cells_of(s.own[1 - me])
        ends, their_ends = ends_of(b, mine), ends_of(b, theirs)
        here, there = only(s.at[me]), only(s.at[1 - me])
        reached, their_reached = here, there
        first, their_first = none, none
        close, their_close = none, none
        ahead, their_ahead = none, none
        there_before = none
        while some(union(here, there)):
            here_before = here
            if some(here):
                here = next_stops(b, mine, empty, ends, reached, here)
                reached = union(reached, here)
                first = union(first, without(here, their_reached))
                their_close = union(their_close, common(here, there))
                their_ahead = union(their_ahead, common(here, there_before))
            there_before = there
            if some(there):
                there = next_stops(b, theirs, empty, their_ends, their_reached, there)
                their_reached = union(their_reached, there)
                their_first = union(their_first, without(there, reached))
                close = union(close, common(there, here))
                ahead = union(ahead, common(there, here_before))
        return (
            among(empty, reached, first, close, ahead),
            among(empty, their_reached, their_first, their_close, their_ahead),
        )

    @rule
    def filled(b: Record, own: Any, region: Any, at: int, first: int) -> int:
        """How many cells of a region a snail claims by taking the nearest with the fewest exits.

        At most so many slides before the first claim, and GAP before each later one.
        """
        here = only(at)
        seen = here
        limit, slides, claims = first, 0, 0
        while slides <= limit:
            near = common(beside(b, here), region)
            if some(near):
                fewest = 5
                while some(near):
                    cell = lowest(near)
                    near = without(near, cell)
                    ways = count(common(beside(b, cell), region))
                    if ways < fewest:
                        here, fewest = cell, ways
                own = union(own, here)
                region = without(region, here)
                seen = here
                limit = GAP
                slides = 0
                claims += 1
                continue
            here = without(slid(b, own, ends_of(b, own), here), seen)
            if not some(here):
                break
            seen = union(seen, here)
            slides += 1
        return claims

    @rule
    def pairs(b: Record, cells: Any) -> int:
        """Count the pairs of neighbours in a set of cells."""
        right = raised(common(cells, cells_of(b.leave[RIGHT])), ONE)
        return count(common(cells, raised(cells, b.shift[UP]))) + count(common(cells, right))

    @rule
    def tallied(b: Record, most: int, share: Share, their_reached: Any, claims: int) -> Tally:
        """Count what a snail has."""
        _, first, close, ahead = share
        land = count(common(first, their_reached))
        return most, land, count(close), count(ahead), pairs(b, first), claims

    @rule
    def tally(b: Record, s: Record) -> tuple[Tally, Tally]:
        """Count what the mover has, and what the opponent has."""
        me = s.turn
        mine, theirs = shares(b, s)
        reached, their_reached = mine[0], theirs[0]
        lead = s.score[me] - s.score[1 - me]
        most, their_most = count(reached), count(their_reached)
        both = count(common(reached, their_reached))
        claims, their_claims = 0, 0
        if lead + most - both >= their_most:
            safe = without(reached, their_reached)
            claims = filled(b, cells_of(s.own[me]), safe, s.at[me], gaps(s.quiet, 0))
        if lead + most <= their_most - both:
            safe = without(their_reached, reached)
            their_claims = filled(b, cells_of(s.own[1 - me]), safe, s.at[1 - me], gaps(s.quiet, 1))
        return (
            tallied(b, most, mine, their_reached, claims),
            tallied(b, their_most, theirs, reached, their_claims),
        )

    @rule
    def measures(b: Record, s: Record, out: Record) -> None:
        """Write what a net learns from: the lead, the empty cells, what each player has."""
        mine, theirs = tally(b, s)
        out[0] = s.score[0] - s.score[1]
        out[1] = s.left
        for i in range(KINDS):
            out[2 + KINDS * s.turn + i] = mine[i]
            out[2 + KINDS * (1 - s.turn) + i] = theirs[i]

    @rule
    def assess(b: Record, s: Record) -> tuple[int, int, int]:
        """For the mover: an estimate, and the lowest and the highest result still possible."""
        mine, theirs = tally(b, s)
        return judged(b, s, s.score[s.turn] - s.score[1 - s.turn], mine, theirs)

    return Evaluation(shares, filled, measures, assess)


# ---- weighing what was counted ------------------------------------------------------------------


@rule
def judged(b: Record, s: Record, lead: int, mine: Any, theirs: Any) -> tuple[int, int, int]:
    """For the mover: an estimate, and the lowest and the highest result still possible.

    `mine` and `theirs` hold a Tally. A snail can claim no cell that it cannot reach now, see
    `reach`; `most` is what it can. So a player wins whose safe `claims` plus lead exceed everything
    the opponent can still reach: these claims cannot be stopped, not even by sliding until the game
    ends.
    """
    most, land, close, claims = mine[0], mine[1], mine[2], mine[5]
    their_most, their_land, their_close, their_claims = theirs[0], theirs[1], theirs[2], theirs[5]
    low, high = sign(lead + claims - their_most), sign(lead + most - their_claims)
    estimate = CELL * (lead + most - their_most + land - their_land) - CLOSE * (close - their_close)
    taste = b.taste[s.at[s.turn]] - b.taste[s.at[1 - s.turn]]
    return estimate + taste, low, high


@rule
def weigh(b: Record, s: Record, measures: Record) -> tuple[int, int, int]:
    """Return what `assess` does, from the measures."""
    lead = measures[0] if s.turn == 0 else -measures[0]
    at, there = 2 + KINDS * s.turn, 2 + KINDS * (1 - s.turn)
    return judged(b, s, lead, measures[at:], measures[there:])


SMALL, LARGE = evaluation(one), evaluation(three)


def evaluation_for(game: Game) -> Evaluation:
    """The faster evaluation that holds the board."""
    return SMALL if game.board.cells <= 64 else LARGE
