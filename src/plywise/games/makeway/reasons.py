"""Why a line is good, in words. Each reason is a fact of the board, not an opinion."""

from __future__ import annotations

from plywise.core.game import Record
from plywise.core.scene import Shape
from plywise.games.makeway import rules, ways
from plywise.games.makeway.look import line_text, marks
from plywise.kit.words import listing, number_word

TOLD = 6  #: lines of a tree that are named; larger trees are only marked on the board


def reasons(b: Record, s: Record, move: int) -> list[str | Shape]:
    """Return what a legal move does, most important first, and the lines that are named."""
    after = _claimed(b, s, int(s.turn), move)
    return [*_does(b, s, after, move), *marks(b, after, int(s.turn))]


def _does(b: Record, s: Record, after: Record, move: int) -> list[str]:
    """Say what a move does."""
    me, other = int(s.turn), 1 - int(s.turn)

    # Step 1: a win, a block, or the opponent cut off.
    if after.winner:
        return ["joins the two big dots and wins"]
    if rules.over(b, after):
        return ["ends the game in a draw: nobody can join the big dots any more"]
    found = []
    danger = ways.threats(b, s, other)
    if move in danger:
        found.append("takes the line that would win for the opponent")
    if ways.threats(b, s, me) or len(danger) > (move in danger):
        return found  # somebody wins elsewhere next, so nothing else matters
    if after.cut[other] and not s.cut[other]:
        found.append("cuts the opponent off: only you can still win")

    # Step 2: threats made, and threats prevented.
    made = [line_text(b, line) for line in ways.threats(b, after, me)]
    if len(made) > 1:
        found.append(
            f"threatens to win with {number_word(len(made))} lines at once "
            f"({listing(made)}): only one can be blocked"
        )
    elif made:
        found.append(f"threatens to win with {made[0]}, so the opponent must take it")
    if not danger and not made and len(ways.threats(b, _claimed(b, s, other, move), other)) > 1:
        found.append("takes the line that would give the opponent two threats at once")

    # Step 3: what is certain from now on, whatever the opponent does.
    found += _sure(b, s, after, me)

    # Step 4: how many lines both still need, then the line itself.
    if not s.cut[me]:
        found += _distances(b, s, after, me)
        found += _itself(b, s, me, move)
    return found


def _sure(b: Record, s: Record, after: Record, me: int) -> list[str]:
    """Say what the switching game proves: who is sure to connect, and who cannot force it."""
    found = []
    other = 1 - me
    trees = ways.trees_of(b, after, me)
    if trees is not None:
        first, second = (" ".join(line_text(b, line) for line in tree) for tree in trees)
        lines = f"{first} and {second}" if len(trees[0]) <= TOLD else f"{len(trees[0])} each"
        unless = "" if after.cut[other] else " unless the opponent wins first"
        found.append(f"two separate sets of lines guarantee your connection{unless} ({lines})")
    if not after.cut[other] and ways.slacks(b, s)[other] < ways.slacks(b, after)[other] == 2:
        found.append("leaves the opponent too few lines to force a win")
    return found


def _distances(b: Record, s: Record, after: Record, me: int) -> list[str]:
    found = []
    other = 1 - me
    before, now = (int(rules.distance(b, state, other)) for state in (s, after))
    if before < now < rules.FAR:
        found.append(f"makes the opponent need {_lines(now)} instead of {number_word(before)}")
    before, now = (int(rules.distance(b, state, me)) for state in (s, after))
    if now < before:
        found.append(f"leaves you with {_lines(now)} to go")
    return found


def _itself(b: Record, s: Record, me: int, move: int) -> list[str]:
    """Say what a line touches."""
    ends = [int(dot) for dot in b.ends[move]]
    big = {0: "the start", int(b.dots) - 1: "the end"}
    own = {int(dot) for line in ways.own_lines(b, s, me) for dot in b.ends[line]}
    for dot, name in big.items():
        if dot in ends and dot not in own:
            return [f"is your first line at {name}"]
    parts = {int(s.part[me, dot]) for dot in ends}
    if len(parts) == 2 and all(dot in own for dot in ends):
        return ["joins two groups of your lines"]
    return ["extends your lines"] if own & set(ends) and len(parts) == 2 else []


def _claimed(b: Record, s: Record, player: int, move: int) -> Record:
    """Return the position after a player has claimed a line, whoever's turn it was."""
    after = s.copy()
    after.turn = player
    rules.play(b, after, move)
    return after


def _lines(count: int) -> str:
    return "one line" if count == 1 else f"{number_word(count)} lines"
