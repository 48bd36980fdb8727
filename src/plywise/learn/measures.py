"""The measures that a game's rules give: how many there are, and how large they usually are."""

from __future__ import annotations

import numpy as np

from plywise.core.game import Game, Record, Rules, Verb
from plywise.core.rules import MEASURES
from plywise.jit import kernel
from plywise.jit.bits import below, generator
from plywise.jit.kernels import roomy

POSITIONS = 4000  #: of random games


def usual_sizes(game: Game, rules: Rules) -> list[float]:
    """Return the size of each measure in random games: the root of its mean square, at least 1.

    Measures behind the last one that is ever different from 0 do not count.
    """
    if rules.measures is None:
        return []
    sample = sample_kernel.build(rules, measures=rules.measures)
    out, found = roomy(game.max_moves, np.int32), roomy((POSITIONS, MEASURES), np.int32)
    sample(game.boards, game.start().states, roomy(1, game.type.state), out, generator(1), found)
    sizes = np.sqrt(np.mean(np.square(found.astype(np.float64)), axis=0))
    count = int(np.flatnonzero(sizes)[-1]) + 1 if sizes.any() else 0
    return [max(1.0, float(size)) for size in sizes[:count]]


@kernel
def sample_kernel(moves: Verb, play: Verb, over: Verb, measures: Verb) -> Verb:
    """Play random games, and take the measures of every position."""

    def sample(
        board: Record, start: Record, games: Record, out: Record, rng: Record, found: Record
    ) -> None:
        b, s = board[0], games[0]
        games[0] = start[0]
        for number in range(found.shape[0]):
            if over(b, s):
                games[0] = start[0]
            measures(b, s, found[number])
            n = moves(b, s, out)
            play(b, s, out[below(rng, n)])

    return sample
