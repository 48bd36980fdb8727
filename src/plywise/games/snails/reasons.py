"""Why a direction is good, in words. Each reason is a fact of the board, not an opinion."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from plywise.core.game import Record
from plywise.games.snails import rules
from plywise.games.snails.reach import reach, reached_first
from plywise.games.snails.words.three import Words, cells_of, common, count, some, without
from plywise.jit.bits import has
from plywise.kit.cells import cell_text
from plywise.kit.words import listing, number_word


@dataclass(frozen=True)
class View:
    """A position as one player sees it."""

    mine: Words  #: empty cells that this player can reach
    theirs: Words  #: ... and those that the opponent can reach
    nearer: int  #: empty cells that this player reaches first, less those the opponent does

    @property
    def parted(self) -> bool:
        """True if no empty cell is left that both can reach."""
        return not some(common(self.mine, self.theirs))


def reasons(b: Record, s: Record, move: int) -> list[str]:
    """Return what a legal move does, most important first."""
    me = int(s.turn)
    other = 1 - me
    after = _after(b, s, move)
    before_view, view = _view(b, s, me), _view(b, after, me)
    score = [int(after.score[player]) for player in (me, other)]

    # Step 1: the end of the game, or of the opponent's claims.
    if rules.over(b, after):
        if score[0] > score[1]:
            return [f"wins at once, {score[0]} cells to {score[1]}"]
        return [f"ends the game in a draw, {score[0]} cells each"] if score[0] == score[1] else []
    found = []
    room = count(view.mine)
    if after.stuck[other] and not s.stuck[other]:
        found.append(f"traps the opponent for good, with {_cells(room)} left for you")

    # Step 2: what it takes from the opponent.
    elif view.parted and not before_view.parted:
        found.append(
            f"splits the board: {_cells(room)} for you, "
            f"{number_word(count(view.theirs))} for the opponent"
        )
    else:
        lost = count(common(without(before_view.theirs, view.theirs), cells_of(after.free)))
        if lost:
            found.append(f"puts {_cells(lost)} out of the opponent's reach")

    # Step 3: how it compares with the other moves, then the move itself.
    rivals = [_view(b, _after(b, s, rival), me) for rival in _moves(b, s) if rival != move]
    if rivals and not view.parted and all(rival.nearer < view.nearer for rival in rivals):
        found.append("reaches more empty cells first than any other move")
    if rivals and view.parted and all(count(rival.mine) < room for rival in rivals):
        found.append(f"keeps {_cells(room)} within reach, more than any other move")
    found.append(_itself(b, s, after, me))
    return found


def _itself(b: Record, s: Record, after: Record, me: int) -> str:
    """Say which cell is claimed, or where the slide leads."""
    cols = int(b.cols)
    here = int(after.at[me])
    name = cell_text(here, cols)
    if has(s.free, here):
        return f"claims {name}"
    beside = [int(b.step[direction, here]) for direction in range(4)]
    near = [cell_text(cell, cols) for cell in beside if cell >= 0 and has(after.free, cell)]
    return f"slides to {name}, next to {listing(near)}" if near else f"slides to {name}"


def _after(b: Record, s: Record, move: int) -> Record:
    after = s.copy()
    rules.play(b, after, move)
    return after


def _moves(b: Record, s: Record) -> list[int]:
    out = np.zeros(4, np.int32)
    return [int(move) for move in out[: rules.moves(b, s, out)]]


def _view(b: Record, s: Record, me: int) -> View:
    mine, theirs = (reach(b, s, player, rules.EVERY) for player in (me, 1 - me))
    nearer = int(reached_first(b, s))
    return View(mine, theirs, nearer if me == 0 else -nearer)


def _cells(number: int) -> str:
    return "one empty cell" if number == 1 else f"{number_word(number)} empty cells"
