"""Connected groups, for rules that compile: which stones are connected, also with the edges.

A game of connection keeps an array `group` in its state, with a number for every place and one more
for each edge. Stones that are connected lead to the same number:

    setup(group)           everything stands alone
    join(group, a, b)      a and b are connected from now on
    find(group, a)         equal for all that is connected with a
"""

from __future__ import annotations

from typing import Any

from plywise.jit import rule


@rule
def setup(group: Any) -> None:
    """Let every place stand alone."""
    for place in range(len(group)):
        group[place] = place


@rule
def find(group: Any, place: int) -> int:
    """Return the number of the group that a place belongs to."""
    while group[place] != place:
        place = group[place]
    return place


@rule
def join(group: Any, one: int, two: int) -> None:
    """Connect two places, and all that is connected with them."""
    one, two = find(group, one), find(group, two)
    if one != two:  # the larger number leads, so that edges, which come last, stay near
        low, high = (one, two) if one < two else (two, one)
        group[low] = high
