"""Perft: counts move sequences, the first check of a game's rules."""

from __future__ import annotations

import numpy as np

from plywise.core.game import Record, Verb
from plywise.core.position import Position
from plywise.engines.driver import NO_LIMITS, Run
from plywise.errors import SpecError
from plywise.jit import kernel
from plywise.jit.kernels import roomy
from plywise.trial import ensure_tried


def perft(position: Position, depth: int) -> int:
    """Count the sequences of exactly `depth` moves; games that end earlier do not count."""
    game = position.game
    if depth < 0:
        raise SpecError(f"depth={depth} is not valid: depth must be a whole number, at least 0")
    if depth == 0:
        return 1
    if depth > game.max_plies:
        return 0
    ensure_tried(game)
    loop = perft_kernel.build(game.rules)
    states = position.states.repeat(depth)
    lists = roomy((depth, game.max_moves), np.int32)
    left = np.zeros(depth, np.int32)
    run = Run(NO_LIMITS)
    job = lambda: loop(game.boards, states, lists, left, run.stop, run.halt)  # noqa: E731
    return int(run.call([job])[0])


@kernel
def perft_kernel(moves: Verb, play: Verb, over: Verb) -> Verb:
    """Walk the tree over a stack of `depth` states, starting with the root.

    The moves of the last ply are counted, not played.
    """

    def perft(
        board: Record, states: Record, lists: Record, left: Record, stop: Record, halt: Record
    ) -> int:
        b = board[0]
        last = states.size - 1
        total = 0
        d = 0
        left[0] = 0 if over(b, states[0]) else moves(b, states[0], lists[0])
        while True:
            if d == last:
                total += left[d]
                left[d] = 0
            if left[d] == 0 or stop[0] | halt[0] != 0:
                if d == 0:
                    return total
                d -= 1
                continue
            left[d] -= 1
            states[d + 1] = states[d]
            play(b, states[d + 1], lists[d, left[d]])
            d += 1
            left[d] = 0 if over(b, states[d]) else moves(b, states[d], lists[d])

    return perft
