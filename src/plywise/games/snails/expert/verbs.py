"""What the expert's alpha-beta knows about Snails, as verbs of the search loop.

Every node is evaluated, so a decided result ends the line at once; a single legal move costs no
depth; late slides are first searched less deeply (late-move reduction); and if passing would
already be good enough, the node is searched less deeply (null move).
"""

from __future__ import annotations

from plywise.core.game import Record
from plywise.games.snails import rules
from plywise.jit import rule
from plywise.jit.bits import has

LATE = 3  #: with at least so many plies to go, late slides are first searched less deeply
CLAIM = 128  #: the weight of `rules.promise`: more than the history heuristic


@rule
def forced(b: Record, s: Record, out: Record) -> int:
    """List all moves: a single one costs no depth."""
    return rules.moves(b, s, out)


@rule
def promise(b: Record, s: Record, move: int) -> int:
    """Claims first, then slides, ordered by the history heuristic."""
    return CLAIM * rules.promise(b, s, move)


@rule
def reduction(b: Record, s: Record, move: int, tried: int, depth: int) -> int:
    """A slide that is not the first move is searched one ply less deep."""
    return 1 if depth >= LATE and not has(s.free, b.step[move, s.at[s.turn]]) else 0


@rule
def null_move(b: Record, s: Record, depth: int) -> bool:
    """Pass, unless the opponent is stuck or the search may reach the end of the game."""
    if depth > s.left or s.stuck[1 - s.turn] != 0:
        return False
    s.turn = 1 - s.turn
    return True
