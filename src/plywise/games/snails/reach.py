"""Which cells a snail can reach: sets of cells that grow by one move at a time.

A move is a step to an empty neighbour, or a slide over the snail's own trail as it is now. Cells
stepped on along the way do not change later slides. So the number of moves is an estimate, but no
cell that the snail can claim in the real game is missed: a slide over newly claimed cells ends
where a slide from the last of them would, and that slide is included.
"""

from __future__ import annotations

from types import ModuleType
from typing import Any

from plywise.core.game import Record, Verb
from plywise.games.snails.board import LEFT, RIGHT, UP
from plywise.games.snails.words import three
from plywise.games.snails.words.three import (
    Words,
    cells_of,
    common,
    count,
    only,
    some,
    union,
    without,
)
from plywise.jit import rule
from plywise.jit.bits import ONE

#: The ends of slides over a trail: up, right, down and left.
Ends = tuple[Any, Any, Any, Any]


def moves_of(words: ModuleType) -> tuple[Verb, Verb, Verb, Verb]:
    """Build the moves from all cells of a set at once, for sets of one word or of three."""
    some, union, common, without = words.some, words.union, words.common, words.without
    raised, lowered, cells_of = words.raised, words.lowered, words.cells_of
    slid_up, slid_down = sliding(words, raised), sliding(words, lowered)

    @rule
    def beside(b: Record, cells: Any) -> Any:
        """The neighbours of a set of cells. Bits beyond the board may be among them."""
        n = b.shift[UP]
        found = union(raised(cells, n), lowered(cells, n))
        found = union(found, raised(common(cells, cells_of(b.leave[RIGHT])), ONE))
        return union(found, lowered(common(cells, cells_of(b.leave[LEFT])), ONE))

    @rule
    def ends_of(b: Record, own: Any) -> Ends:
        """The ends of slides over a trail."""
        n = b.shift[UP]
        return (
            without(own, lowered(own, n)),
            without(own, lowered(common(own, cells_of(b.leave[LEFT])), ONE)),
            without(own, raised(own, n)),
            without(own, raised(common(own, cells_of(b.leave[RIGHT])), ONE)),
        )

    @rule
    def slid(b: Record, own: Any, ends: Ends, cells: Any) -> Any:
        """The cells one slide away from a set, from the given ends of the trail."""
        n = b.shift[UP]
        up, right, down, left = ends
        found = slid_up(common(raised(cells, n), own), up, n)
        rightwards = common(raised(common(cells, cells_of(b.leave[RIGHT])), ONE), own)
        found = union(found, slid_up(rightwards, right, ONE))
        found = union(found, slid_down(common(lowered(cells, n), own), down, n))
        leftwards = common(lowered(common(cells, cells_of(b.leave[LEFT])), ONE), own)
        return union(found, slid_down(leftwards, left, ONE))

    @rule
    def next_stops(b: Record, own: Any, empty: Any, ends: Ends, seen: Any, cells: Any) -> Any:
        """The cells one move away from a set, without those that were seen before."""
        near = beside(b, cells)
        found = common(near, empty)
        up, right, down, left = ends
        every = union(union(up, right), union(down, left))
        if some(common(near, own)) and some(without(every, seen)):
            found = union(found, slid(b, own, ends, cells))
        return without(found, seen)

    return beside, ends_of, slid, next_stops


def sliding(words: ModuleType, shifted: Verb) -> Verb:
    """Build slides towards higher cells or towards lower ones."""
    none, some, union = words.NONE, words.some, words.union
    common, without = words.common, words.without

    @rule
    def slid(cells: Any, stops: Any, n: Any) -> Any:
        """Where slides stop that are on these cells of the trail; the next cell is `n` away."""
        found = none
        while some(cells):
            found = union(found, common(cells, stops))
            cells = shifted(without(cells, stops), n)
        return found

    return slid


beside, ends_of, _, next_stops = moves_of(three)  #: for any board


@rule
def reach(b: Record, s: Record, player: int, enough: int) -> Words:
    """The empty cells a snail can reach, or at least `enough` of them."""
    own, empty = cells_of(s.own[player]), cells_of(s.free)
    ends = ends_of(b, own)
    cells = only(s.at[player])
    seen = cells
    while some(cells):
        cells = next_stops(b, own, empty, ends, seen, cells)
        seen = union(seen, cells)
        if count(common(seen, empty)) >= enough:
            break
    return common(seen, empty)


@rule
def reached_first(b: Record, s: Record) -> int:
    """Empty cells that player 0 reaches in fewer moves than player 1, less the opposite."""
    mine, theirs, empty = cells_of(s.own[0]), cells_of(s.own[1]), cells_of(s.free)
    ends, their_ends = ends_of(b, mine), ends_of(b, theirs)
    here, there = only(s.at[0]), only(s.at[1])
    seen, their_seen = here, there
    lead = 0
    while some(union(here, there)):
        here = next_stops(b, mine, empty, ends, seen, here)
        there = next_stops(b, theirs, empty, their_ends, their_seen, there)
        lead += count(common(without(here, their_seen), empty))
        lead -= count(common(without(there, seen), empty))
        seen, their_seen = union(seen, here), union(their_seen, there)
    return lead
