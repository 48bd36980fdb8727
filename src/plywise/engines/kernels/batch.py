"""The loops of a batch: many games of one kind, each a row of every array.

states    n records            legal     n x max_moves, True where a move is legal
chosen    n moves to play      allowed   n sets of legal moves, which nobody else writes to
turns     n times 0 or 1       sample    n random legal moves; -1 where the game is over
ended     n truth values       margins   n results of the games that ended last
                               rewards   n x 2, of this step
"""

from __future__ import annotations

from plywise.core.game import Record, Verb
from plywise.jit import kernel
from plywise.jit.bits import ZERO, below, has, include


@kernel
def step_kernel(moves: Verb, play: Verb, turn: Verb, over: Verb, margin: Verb) -> Verb:
    """Play `chosen` in games `first` to `last`, `steps` times; with `sample` for it, at random.

    With `restart` a game that ends begins again at once: `ended`, `margins` and `rewards` tell of
    the game that ended, everything else of the new one. With 0 steps only the arrays are written.
    Returns the number of moves played, or -1 if the rules wrote a move that does not exist.
    """

    def step(
        board: Record,
        start: Record,
        states: Record,
        chosen: Record,
        sample: Record,
        legal: Record,
        allowed: Record,
        turns: Record,
        ended: Record,
        margins: Record,
        rewards: Record,
        rng: Record,
        out: Record,
        first: int,
        last: int,
        steps: int,
        restart: bool,
        stop: Record,
        halt: Record,
    ) -> int:
        b = board[0]
        played = 0
        for _ in range(max(steps, 1)):
            if stop[0] | halt[0] != 0:
                break
            for i in range(first, last):
                s = states[i]
                rewards[i, 0] = 0
                rewards[i, 1] = 0
                # Step 1: play, unless the game has ended and stays so.
                if steps > 0:
                    if ended[i] and not restart:
                        continue
                    play(b, s, chosen[i])
                    played += 1
                # Step 2: the result.
                ended[i] = over(b, s)
                row, bits = legal[i], allowed[i]
                row[:] = False
                bits[:] = ZERO
                if ended[i]:
                    result = margin(b, s)
                    margins[i] = result
                    sign = 1 if result > 0 else -1 if result < 0 else 0
                    rewards[i, 0] = sign
                    rewards[i, 1] = -sign
                    if not restart:
                        turns[i] = turn(b, s)
                        sample[i] = -1
                        continue
                    states[i] = start[0]
                # Step 3: the position to move in.
                turns[i] = turn(b, s)
                count = moves(b, s, out)
                for k in range(count):
                    move = out[k]
                    if move < 0 or move >= row.size:
                        return -1
                    row[move] = True
                    include(bits, move)
                sample[i] = out[below(rng[i : i + 1], count)]
        return played

    return step


@kernel
def check_kernel() -> Verb:
    """Return the first game whose move is not legal, or -1; a finished game takes any move."""

    def check(chosen: Record, allowed: Record, most: int, ended: Record, restart: bool) -> int:
        for i in range(chosen.size):
            if ended[i] and not restart:
                continue
            move = chosen[i]
            if move < 0 or move >= most or not has(allowed[i], move):
                return i
        return -1

    return check
