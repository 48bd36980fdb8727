"""What the expert's alpha-beta knows of Snails, as verbs of the one search loop.

Every node is assessed, so a result that nobody can change any more ends the line at once; a snail
with one move only costs no depth; late slides are first searched less deep; and who would be well
off without a move is not searched deeply.
"""

from __future__ import annotations

from plywise.core.game import Record
from plywise.games.snails import rules
from plywise.games.snails.expert import evaluate, evaluate_large
from plywise.jit import rule

LATE = 3  #: plies to go from which on late slides are first searched less deep
CLAIM = 128  #: what a step of `rules.promise` counts: more than all history


@rule
def taste(b: Record, s: Record) -> int:
    """How much better the mover likes where it stands."""
    return b.taste[s.at[s.turn]] - b.taste[s.at[1 - s.turn]]


@rule
def assess(b: Record, s: Record) -> tuple[int, int, int]:
    """An estimate and the results that can still come, on boards of up to 64 cells."""
    estimate, low, high = evaluate.assess(b, s)
    return estimate + taste(b, s), low, high


@rule
def assess_large(b: Record, s: Record) -> tuple[int, int, int]:
    """The same on larger boards."""
    estimate, low, high = evaluate_large.assess(b, s)
    return estimate + taste(b, s), low, high


@rule
def forced(b: Record, s: Record, out: Record) -> int:
    """All moves: where there is only one, it costs no depth."""
    return rules.moves(b, s, out)


@rule
def promise(b: Record, s: Record, move: int) -> int:
    """Claims first, then slides, in the order of history."""
    return CLAIM * rules.promise(b, s, move)


@rule
def reduction(b: Record, s: Record, move: int, tried: int, depth: int) -> int:
    """A slide that is not the first move is searched one ply less deep."""
    return 1 if depth >= LATE and rules.promise(b, s, move) == 0 else 0


@rule
def null_move(b: Record, s: Record, depth: int) -> bool:
    """Pass, unless the other is stuck or the search may see the end of the game."""
    if depth > s.left or s.stuck[1 - s.turn] != 0:
        return False
    s.turn = 1 - s.turn
    return True
