"""A position of Make Way for the searches: with the forests of both players."""

from __future__ import annotations

from typing import Any

import numpy as np

from plywise.core.game import Record
from plywise.games.makeway import rules
from plywise.games.makeway.board import Board, State
from plywise.games.makeway.oracle.forests import (
    Node,
    after_claim,
    after_loss,
    before_claim,
    set_up_forests,
)
from plywise.jit import kernel, rule


@rule
def play(b: Record, s: Record, move: int) -> None:
    """Claim a free line for the mover, and update both players' forests."""
    me = s.turn
    lost = before_claim(b, s, me, move)
    rules.play(b, s, move)
    after_claim(b, s, me, lost)
    after_loss(b, s, 1 - me, move)


@rule
def follow(b: Record, s: Record, player: int, move: int) -> None:
    """Do the same for one player's forests only."""
    if s.turn == player:
        lost = before_claim(b, s, player, move)
        rules.play(b, s, move)
        after_claim(b, s, player, lost)
    else:
        rules.play(b, s, move)
        after_loss(b, s, player, move)


@kernel
def setting_up(set_up_forests: Any) -> Any:
    """Pack the forests of some nodes."""

    def set_up(boards: Record, nodes: Record) -> None:
        for index in range(nodes.size):
            set_up_forests(boards[0], nodes[index])

    return set_up


def nodes_of(b: Record, s: Record) -> Any:
    """An array of one node: the position with its forests."""
    boards, nodes = np.zeros(1, Board), np.zeros(1, Node)
    boards[0] = b
    for name in State.names or ():
        nodes[0][name] = s[name]
    setting_up.build(set_up_forests=set_up_forests)(boards, nodes)
    return nodes
