"""Why a move is good, in words. Each reason is a fact of the board, not an opinion."""

from __future__ import annotations

import numpy as np

from plywise.core.game import Record
from plywise.games.andantino import rules
from plywise.games.andantino.board import FIVE
from plywise.games.andantino.look import LOOK, enclosed
from plywise.jit.bits import has
from plywise.kit.words import listing, number_word


def reasons(b: Record, s: Record, move: int) -> list[str]:
    """Return what a legal move does, most important first."""
    me = int(s.turn)
    after = _after(b, s, move)

    # Step 1: a win, a blunder, and a win of the opponent's that is stopped.
    if after.won == me + 1:
        if after.count[me, FIVE]:
            return ["wins at once, with five in a line"]
        caught = listing([LOOK.move_text(b, cell) for cell in sorted(enclosed(b, after, me)[1])])
        return [f"wins at once, with a ring round {caught}"]
    if after.won:
        return ["plays inside the opponent's ring, which loses at once"]
    found = []
    danger = _wins(b, s, 1 - me)
    if move in danger:
        found.append(f"stops {danger[move]}")
    if danger.keys() - {move} or _wins(b, s, me):
        return found  # somebody wins elsewhere next, so nothing else matters

    # Step 2: threats made, and threats that a stone here prevents.
    threats = _wins(b, after, me)
    names = [LOOK.move_text(b, cell) for cell in sorted(threats)]
    if len(names) > 1:
        found.append(
            f"makes {number_word(len(names))} threats at once ({listing(names)}): "
            "only one can be stopped"
        )
    elif names:
        (what,) = threats.values()
        found.append(f"threatens {what}, which the opponent must stop")
    if not danger and len(_wins(b, _after(b, s, move, 1 - me), 1 - me)) > 1:
        found.append("takes the cell where the opponent would make two threats at once")

    # Step 3: what it builds and what it blocks.
    mine = _gain(s, after, me, 3)
    if mine > 0 and not names:
        found.append(f"builds {_lines(mine)} with three stones that can still become five")
    closed = -_gain(s, after, 1 - me, 2) - _gain(s, after, 1 - me, 3)
    if closed > 0:
        found.append(f"blocks {_lines(closed)} where the opponent has two stones or more")
    pockets = int(sum(int(word).bit_count() for word in after.pocket[me]))
    if pockets > int(sum(int(word).bit_count() for word in s.pocket[me])):
        found.append("closes a ring: the opponent loses by playing inside it")
    return found


def _wins(b: Record, s: Record, player: int) -> dict[int, str]:
    """Return the cells where a player would win at once, and with what."""
    found = {}
    out = np.zeros(int(b.cells), np.int32)
    for cell in map(int, out[: rules.moves(b, s, out)]):
        if has(s.five[player], cell):
            found[cell] = f"five in a line at {LOOK.move_text(b, cell)}"
        elif rules.closes(b, s, player, cell):
            found[cell] = f"a ring at {LOOK.move_text(b, cell)}"
    return found


def _after(b: Record, s: Record, move: int, player: int | None = None) -> Record:
    """Return the position after a move of `player`, by default the side to move."""
    after = s.copy()
    if player is not None:
        after.turn = player
    rules.play(b, after, move)
    return after


def _gain(s: Record, after: Record, player: int, stones: int) -> int:
    """Return how many windows with so many stones a player has gained."""
    return int(after.count[player, stones]) - int(s.count[player, stones])


def _lines(count: int) -> str:
    return "a line" if count == 1 else f"{number_word(count)} lines"
