"""Who meets whom in each round. It depends on the plan and on the rounds before, never on a clock.

- round robin: everybody meets everybody, in rounds in which nobody plays twice;
- gauntlet: the first agent meets all others;
- Swiss: agents with equal points meet, and nobody twice if that can be avoided;
- ladder: neighbours in the ratings meet, so that most games are between equals.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from plywise.arena.plan import Plan

Pairing = tuple[int, int]  #: the numbers of two agents in the plan


def pairings(
    plan: Plan, number: int, points: Sequence[float], ratings: Sequence[float], met: set[Pairing]
) -> list[Pairing]:
    """Return the pairings of round `number`, counted from 0.

    `points` and `ratings` are those after the rounds before, by agent; `met` are the pairs that
    have played, the smaller number first.
    """
    count = len(plan.agents)
    if plan.format == "gauntlet":
        return [(0, other) for other in range(1, count)]
    if plan.format == "round-robin":
        return _circle(count, number)
    if plan.format == "ladder":
        order = sorted(range(count), key=lambda each: (-ratings[each], each))
        return list(zip(order[number % 2 :: 2], order[number % 2 + 1 :: 2], strict=False))
    order = sorted(range(count), key=lambda each: (-points[each], -ratings[each], each))
    return _swiss(order, met)


def _circle(count: int, number: int) -> list[Pairing]:
    """One agent stays, the others move on by one place each round; with an odd one, nobody."""
    even = count + count % 2
    ring = [(each + number) % (even - 1) for each in range(even - 1)]
    pairs = [(even - 1, ring[0])]
    pairs += [(ring[each], ring[even - 1 - each]) for each in range(1, even // 2)]
    # Whoever is named first begins; that changes from round to round.
    turned = [(b, a) if (number + place) % 2 else (a, b) for place, (a, b) in enumerate(pairs)]
    return [pair for pair in turned if max(pair) < count]


def _swiss(order: Sequence[int], met: set[Pairing]) -> list[Pairing]:
    """Pair from the top, each with the next that it has not met; the last odd one has a rest."""
    left, pairs = list(order), []
    while len(left) > 1:
        one = left.pop(0)
        new = (each for each in left if both(one, each) not in met)
        two = next(new, left[0])
        left.remove(two)
        pairs.append((one, two))
    return pairs


def both(one: int, two: int) -> Pairing:
    """Return two agents, the smaller number first."""
    return min(one, two), max(one, two)


def meetings(pairs: Mapping[Pairing, object]) -> set[Pairing]:
    """Return pairs with the smaller number first.

    >>> sorted(meetings({(2, 1): 0, (0, 3): 0}))
    [(0, 3), (1, 2)]
    """
    return {both(*pair) for pair in pairs}
