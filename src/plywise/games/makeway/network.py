"""A position of Make Way as the searches keep it: with its forests, and what they say.

A player is *cutting* when the other is to join: whoever moves may be Short or Cut. What the
slack of a player says is sure in one direction only, for in Make Way the other joins too:

- who moves and has slack 2, or does not move and has slack 1 or 2, cannot force a win;
- who is alone, the other being cut off, wins if he moves with slack 0 or 1, or waits with 0;
- who has slack 0 and needs fewer moves for his two trees than the other for any way at all wins.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from plywise.core.game import Record
from plywise.core.position import Position
from plywise.games.makeway import rules
from plywise.games.makeway.oracle_forests import (
    Node,
    after_claim,
    after_loss,
    before_claim,
    set_up_forests,
)
from plywise.jit import kernel, rule
from plywise.jit.bits import popcount


@rule
def play(b: Record, s: Record, move: int) -> None:
    """The mover claims a free line, and both players' forests follow."""
    me = s.turn
    lost = before_claim(b, s, me, move)
    rules.play(b, s, move)
    after_claim(b, s, me, lost)
    after_loss(b, s, 1 - me, move)


@rule
def follow(b: Record, s: Record, player: int, move: int) -> None:
    """The same where only one player's forests are asked for."""
    if s.turn == player:
        lost = before_claim(b, s, player, move)
        rules.play(b, s, move)
        after_claim(b, s, player, lost)
    else:
        rules.play(b, s, move)
        after_loss(b, s, player, move)


@rule
def may_win(b: Record, s: Record, player: int) -> bool:
    """Can this player still force a win, as far as the switching game tells?"""
    return s.slack[player] <= (1 if s.turn == player else 0)


@rule
def surely_wins(b: Record, s: Record, player: int) -> bool:
    """Does this player win whatever the other does, as far as the switching game tells?"""
    waits = 0 if s.turn == player else 1
    if s.slack[player] > 1 - waits:
        return False
    if s.cut[1 - player] == 1:
        return True
    if s.slack[player] == 1:
        return False
    # He needs a move less than his two trees have parts, the other as many as the way is long.
    return popcount(s.core[player]) - 1 < rules.distance(b, s, 1 - player) + 1 - waits


@rule
def bounds(b: Record, s: Record) -> Any:
    """The lowest and the highest margin of player 0 that best play can still bring."""
    low, high = -1, 1
    if not may_win(b, s, 0):
        high = 0
    elif surely_wins(b, s, 0):
        low = 1
    if not may_win(b, s, 1):
        low = max(low, 0)
    elif surely_wins(b, s, 1):
        high = -1
    return low, high


@kernel
def setting_up(set_up_forests: Any) -> Any:
    """Pack the forests of some nodes."""

    def set_up(boards: Record, nodes: Record) -> None:
        for index in range(nodes.size):
            set_up_forests(boards[0], nodes[index])

    return set_up


def nodes_of(position: Position) -> Any:
    """An array of one node: the position with its forests."""
    nodes = np.zeros(1, Node)
    for name in position.game.type.state.names or ():
        nodes[name] = position.states[name]
    setting_up.build(position.game.rules, set_up_forests=set_up_forests)(
        position.game.boards, nodes
    )
    return nodes
