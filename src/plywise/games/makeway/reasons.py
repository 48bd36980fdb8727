"""Why a line is good, in words. Everything said here is true on the board, not an opinion."""

from __future__ import annotations

import numpy as np

from plywise.core.game import Record
from plywise.games.makeway import oracle, rules, ways
from plywise.games.makeway.board import State
from plywise.games.makeway.texts import line_text
from plywise.kit.words import listing, number_word

TOLD = 6  #: lines of a tree that are named; larger trees are only marked on the board


def reasons(b: Record, s: Record, move: int) -> list[str]:
    """What a legal move does, the weightiest first."""
    me, other = int(s.turn), 1 - int(s.turn)
    after = _claimed(b, s, me, move)

    # Step 1: a win, a block, the end of the other's hopes.
    if after.winner:
        return ["joins the two big dots and wins"]
    if rules.over(b, after):
        return ["ends the game in a draw: nobody can join the big dots any more"]
    found = []
    danger = ways.threats(b, s, other)
    if move in danger:
        found.append("takes the line with which the other would have won")
    if ways.threats(b, s, me) or len(danger) > (move in danger):
        return found  # one of the two wins elsewhere, whatever else this does
    if after.cut[other] and not s.cut[other]:
        found.append("cuts the other off: only you can still win")

    # Step 2: threats made and threats forestalled.
    made = [line_text(b, line) for line in ways.threats(b, after, me)]
    if len(made) > 1:
        found.append(
            f"threatens to win with {number_word(len(made))} lines at once "
            f"({listing(made)}): only one can be taken"
        )
    elif made:
        found.append(f"threatens to win with {made[0]}, so the other must take it")
    if not danger and not made and len(ways.threats(b, _claimed(b, s, other, move), other)) > 1:
        found.append("takes the line with which the other would make two threats at once")

    # Step 3: what is sure by now, whatever the other does.
    found += _sure(b, s, after, me)

    # Step 4: how far it is for both, then the line itself.
    if not s.cut[me]:
        found += _distances(b, s, after, me)
        found += _itself(b, s, me, move)
    return found


def _sure(b: Record, s: Record, after: Record, me: int) -> list[str]:
    """What the switching game says: who is sure to connect, and who cannot force it."""
    found = []
    other = 1 - me
    trees = oracle.trees_of(b, after, me)
    if trees is not None:
        first, second = (" ".join(line_text(b, line) for line in tree) for tree in trees)
        lines = f"{first} and {second}" if len(trees[0]) <= TOLD else f"{len(trees[0])} lines each"
        unless = "" if after.cut[other] else " unless the other joins first"
        found.append(
            f"two separate trees guarantee your connection{unless} ({lines}): "
            "what is cut from one, a line of the other mends"
        )
    if not after.cut[other] and oracle.slacks(b, s)[other] < oracle.slacks(b, after)[other] == 2:
        found.append("leaves the other too few lines for two separate trees: it cannot force a win")
    return found


def _distances(b: Record, s: Record, after: Record, me: int) -> list[str]:
    found = []
    other = 1 - me
    before, now = (int(rules.distance(b, state, other)) for state in (s, after))
    if before < now < rules.FAR:
        found.append(f"makes the other need {_lines(now)} in place of {number_word(before)}")
    before, now = (int(rules.distance(b, state, me)) for state in (s, after))
    if now < before:
        found.append(f"leaves you {_lines(now)} to go")
    return found


def _itself(b: Record, s: Record, me: int, move: int) -> list[str]:
    """What a line touches."""
    ends = [int(dot) for dot in b.ends[move]]
    big = {0: "the start", int(b.dots) - 1: "the end"}
    own = {int(dot) for line in ways.own_lines(b, s, me) for dot in b.ends[line]}
    for dot, name in big.items():
        if dot in ends and dot not in own:
            return [f"is your first line at {name}"]
    parts = {int(s.part[me, dot]) for dot in ends}
    if len(parts) == 2 and all(dot in own for dot in ends):
        return ["joins two series of your lines"]
    return ["goes on with your lines"] if own & set(ends) and len(parts) == 2 else []


def _claimed(b: Record, s: Record, player: int, move: int) -> Record:
    """The position after a player has claimed a line, whoever's turn it was."""
    states = np.zeros(1, State)
    states[0] = s
    states[0].turn = player
    rules.play(b, states[0], move)
    return states[0]


def _lines(count: int) -> str:
    return "one line" if count == 1 else f"{number_word(count)} lines"
