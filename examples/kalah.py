"""Kalah: sow seeds around the board, and collect more of them in your store.

The lower pits and the store on the right belong to player 1, the upper pits and the store on the
left to player 2. Take all seeds out of one of your pits and sow them one by one into the next pits,
counterclockwise, also into your own store but not into your opponent's. If the last seed falls
into your store, you move again. If it falls into an empty pit of yours and the pit opposite is not
empty, you store both. When a player has no seeds left, the game is over, and the other player
stores the rest. The player with more seeds wins.
"""

from plywise import GameType, Parameter, Rules, Strength, rule
from plywise.kit import Look, graph_board

# The pits are numbered as the seeds are sown:      12 11 10  9  8  7
# player 1 owns 0 to 6, player 2 owns 7 to 13.   13                    6
# Pits 6 and 13 are the stores.                      0  1  2  3  4  5
STORE = 6
PITS = 14
STATE = [("pits", "i1", PITS), ("turn", "i8")]
POINTS = {
    **{f"{letter}1": (column, 1) for column, letter in enumerate("abcdef", 1)},
    "store1": (7.2, 0.5),
    **{f"{letter}2": (6 - column, 0) for column, letter in enumerate("fedcba")},
    "store2": (-0.2, 0.5),
}
LAYOUT = graph_board(
    POINTS,
    cells=True,
    owners={name: int(name[-1]) - 1 for name in POINTS},
    radius={"store1": 0.65, "store2": 0.65},
    labels=[(letter, (column, 1.75)) for column, letter in enumerate("abcdef", 1)],
)


def prepare(b, seeds):
    b.seeds = seeds


@rule
def setup(b, s):
    for pit in range(PITS):
        s.pits[pit] = 0 if pit % 7 == STORE else b.seeds
    s.turn = 0


@rule
def moves(b, s, out):
    n = 0
    for pit in range(7 * s.turn, 7 * s.turn + STORE):
        if s.pits[pit]:
            out[n] = pit
            n += 1
    return n


@rule
def play(b, s, move):
    store, other = 7 * s.turn + STORE, 7 * (1 - s.turn) + STORE
    seeds, pit = s.pits[move], move
    s.pits[move] = 0
    while seeds:
        pit = (pit + 1) % PITS
        if pit != other:
            s.pits[pit] += 1
            seeds -= 1
    across = 12 - pit  # the pit opposite
    if pit // 7 == s.turn and pit != store and s.pits[pit] == 1 and s.pits[across]:
        s.pits[store] += 1 + s.pits[across]
        s.pits[pit], s.pits[across] = 0, 0
    if pit != store:
        s.turn = 1 - s.turn
    if in_pits(s, 0) == 0 or in_pits(s, 1) == 0:
        for each in range(PITS):
            if each % 7 != STORE:
                s.pits[7 * (each // 7) + STORE] += s.pits[each]
                s.pits[each] = 0


@rule
def in_pits(s, player):
    """Count the seeds that a player has outside the store."""
    seeds = 0
    for pit in range(7 * player, 7 * player + STORE):
        seeds += s.pits[pit]
    return seeds


over = rule(lambda b, s: in_pits(s, 0) == 0)  # at the end of the game all seeds are in the stores
margin = rule(lambda b, s: s.pits[6] - s.pits[13])
evaluate = rule(lambda b, s: 100 * (1 - 2 * s.turn) * (s.pits[6] - s.pits[13]))

GAME = GameType(
    name="kalah",
    title="Kalah",
    board=[("seeds", "i8")],
    state=STATE,
    parameters=(Parameter("seeds", 4, "seeds in each pit", low=1, high=6),),
    prepare=prepare,
    rules=Rules(setup, moves, play, over, margin, evaluate=evaluate),
    # Seeds only move on, at most once around the board for each that is stored: no game is longer.
    sizes=lambda b: (PITS, 50 * 12 * b.seeds),
    points=72,
    scores=lambda b, s: (int(s.pits[6]), int(s.pits[13])),
    look=Look(LAYOUT, "pits", None),
    strength=Strength(scale=500),
)
