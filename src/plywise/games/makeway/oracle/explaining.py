"""The switching game in words: which lines guarantee a connection, and why.

`explanation(position)` is for hints and pictures. What it says about a player holds unless the
opponent joins the big dots first: in the switching game the opponent can only cut.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from plywise.core.game import Record
from plywise.core.position import Position
from plywise.games.makeway.boards.graph import LINES
from plywise.games.makeway.oracle import network
from plywise.games.makeway.oracle.forests import list_restoring
from plywise.jit import kernel


@dataclass(frozen=True)
class Explanation:
    """Two separate trees of free lines that, with a player's own lines, join the big dots."""

    player: int  #: 1 or 2
    trees: tuple[tuple[str, ...], tuple[str, ...]]
    claim: str | None  #: the line to claim first, if one is needed

    @property
    def words(self) -> str:
        """The explanation in a sentence."""
        if not self.trees[0]:
            return f"player {self.player} has joined the big dots"
        first = "" if self.claim is None else f"once {self.claim} is claimed, "
        return (
            f"{first}these two separate trees guarantee player {self.player} the connection: "
            "if the opponent takes a line of one, a line of the other replaces it"
        )


def explanation(position: Position) -> tuple[Explanation, ...]:
    """Explain each player who is sure to connect unless the opponent does so first."""
    found = []
    for player in range(2):
        claim, after = None, position
        if not position.over and position.turn == player and standing(position, player) == 1:
            claim = _restoring(position, player)[0]
            after = position.play_code(claim)
        trees = trees_of(position.game.board, after.state, player)
        if trees is not None:
            first, second = (tuple(position.text_of(line) for line in tree) for tree in trees)
            text = None if claim is None else position.text_of(claim)
            found.append(Explanation(player + 1, (first, second), text))
    return tuple(found)


def standing(position: Position, player: int) -> int:
    """A player's slack: 0, sure to connect; 1, connects by moving first; 2, can be cut off."""
    return slacks(position.game.board, position.state)[player]


def slacks(b: Record, s: Record) -> tuple[int, int]:
    """The slack of both players."""
    first, second = network.nodes_of(b, s)[0].slack
    return int(first), int(second)


def trees_of(b: Record, s: Record, player: int) -> tuple[list[int], list[int]] | None:
    """Two trees of free lines that join the big dots for a player, whoever moves; or None.

    They have no line in common, and with the player's own lines they span the same dots.
    """
    node = network.nodes_of(b, s)[0]
    if node.slack[player] > 0:
        return None
    core = int(node.core[player])

    def inside(line: int) -> bool:
        return all(core >> int(node.part[player, dot]) & 1 for dot in b.ends[line])

    def tree(which: int) -> list[int]:
        words = [int(word) for word in node.forest[player, which]]
        lines = (line for line in range(int(b.lines)) if words[line >> 6] >> (line & 63) & 1)
        return [line for line in lines if inside(line)]

    return tree(0), tree(1)


@kernel
def restoring(list_restoring: Any) -> Any:
    """List the lines that take a slack from 1 to 0."""

    def restore(boards: Any, nodes: Any, player: int, out: Any, before: Any) -> Any:
        return list_restoring(boards[0], nodes[0], player, out, before)

    return restore


def _restoring(position: Position, player: int) -> list[int]:
    game = position.game
    out, before = np.zeros(LINES, np.int32), np.zeros(LINES, np.int32)
    kernel = restoring.build(game.rules, list_restoring=list_restoring)
    nodes = network.nodes_of(game.board, position.state)
    count = kernel(game.boards, nodes, player, out, before)
    return [int(line) for line in out[:count]]
