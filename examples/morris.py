"""Nine Men's Morris: form mills, lines of three men, to remove your opponent's men.

Players take turns to place their nine men on free points. After that, a man moves along a line to
the next point; a player who has only three men left may move to any free point. A player who
forms a mill removes one of the opponent's men at once: one that is not in a mill itself, unless
all are. Whoever has fewer than three men or cannot move loses. After 200 turns the game is drawn.
"""

import numpy as np

from plywise import GameType, Rules, rule
from plywise.kit import Look, graph_board
from plywise.kit.bits import ZERO, bit_of, index_of, list_bits, lowest, popcount

# 7  .-----.-----.     The men of each player are a set of points: the bits of one word. Points are
# 6  | .---.---. |     numbered from the top, row by row: a7 is 0, d7 is 1, g7 is 2, b6 is 3 ...
# 5  | | .-.-. | |
# 4  .-.-.   .-.-.     Placing or removing a man is the number of its point; moving a man is
# 3  | | .-.-. | |     24 + 24 * where it comes from + where it goes to.
# 2  | .---.---. |
# 1  .-----.-----.
#    a b c d e f g
ROWS = "a7d7g7 b6d6f6 c5d5e5 a4b4c4 e4f4g4 c3d3e3 b2d2f2 a1d1g1"
COLUMNS = "a7a4a1 b6b4b2 c5c4c3 d7d6d5 d3d2d1 e5e4e3 f6f4f2 g7g4g1"
MILLS = [(mill[:2], mill[2:4], mill[4:]) for mill in f"{ROWS} {COLUMNS}".split()]
NAMES = [name for mill in MILLS[:8] for name in mill]
LAYOUT = graph_board(
    {name: ("abcdefg".index(name[0]), 7 - int(name[1])) for name in NAMES},
    [line for one, two, three in MILLS for line in ((one, two), (two, three))],
    labels=[
        *(("abcdefg"[n], (n, 6.65)) for n in range(7)),
        *((str(7 - n), (-0.65, n)) for n in range(7)),
    ],
)
POINTS = 24
TURNS = 200
ALL = np.uint64(2**POINTS - 1)


def bits(names):
    return sum(1 << NAMES.index(name) for name in names)


NEAR = np.array([sum(1 << int(n) for n in row if n >= 0) for row in LAYOUT.steps], np.uint64)
MILLS_OF = np.array([[bits(m) for m in MILLS if name in m] for name in NAMES], np.uint64)

STATE = [
    ("men", "u8", 2),
    ("hand", "i8", 2),  # men that have not been placed yet
    ("taking", "i8"),  # 1 if the side to move has just formed a mill and removes a man
    ("turns", "i8"),
    ("turn", "i8"),
]


@rule
def setup(b, s):
    for player in range(2):
        s.men[player], s.hand[player] = ZERO, 9
    s.taking, s.turns, s.turn = 0, 0, 0


@rule
def in_mill(men, point):
    """True if a man of this set stands in a mill."""
    one, two = MILLS_OF[point, 0], MILLS_OF[point, 1]
    return men & one == one or men & two == two


@rule
def removable(men):
    """Return the men of this set that may be removed: those in no mill, or else all."""
    found, rest = ZERO, men
    while rest != ZERO:
        if not in_mill(men, index_of(lowest(rest))):
            found |= lowest(rest)
        rest ^= lowest(rest)
    return men if found == ZERO else found


@rule
def free(s):
    """Return the points without a man."""
    return ~(s.men[0] | s.men[1]) & ALL


@rule
def goals(s, player, point):
    """Return the points that a man can move to."""
    return free(s) if popcount(s.men[player]) <= 3 else free(s) & NEAR[point]


@rule
def moves(b, s, out):
    if s.taking:
        return list_bits(removable(s.men[1 - s.turn]), 0, out, 0)
    if s.hand[s.turn]:
        return list_bits(free(s), 0, out, 0)
    n, rest = 0, s.men[s.turn]
    while rest != ZERO:
        point = index_of(lowest(rest))
        n = list_bits(goals(s, s.turn, point), POINTS + POINTS * point, out, n)
        rest ^= lowest(rest)
    return n


@rule
def play(b, s, move):
    if s.taking:
        s.men[1 - s.turn] ^= bit_of(move)
        s.taking = 0
    else:
        if move < POINTS:
            s.hand[s.turn] -= 1
        else:
            s.men[s.turn] ^= bit_of(move // POINTS - 1)
        s.men[s.turn] |= bit_of(move % POINTS)
        s.taking = in_mill(s.men[s.turn], move % POINTS)
    if not s.taking:
        s.turns += 1
        s.turn = 1 - s.turn


@rule
def freedom(s, player):
    """Count the moves that a player has, once all men have been placed."""
    n, rest = 0, s.men[player]
    while rest != ZERO:
        n += popcount(goals(s, player, index_of(lowest(rest))))
        rest ^= lowest(rest)
    return n


@rule
def total(s, player):
    return popcount(s.men[player]) + s.hand[player]


@rule
def lost(s):
    """True if the side to move has lost: by having too few men, or no move."""
    if s.taking:
        return False
    return total(s, s.turn) < 3 or (s.hand[s.turn] == 0 and freedom(s, s.turn) == 0)


@rule
def evaluate(b, s):
    other = 1 - s.turn
    mobility = freedom(s, s.turn) - freedom(s, other)
    return 100 * (total(s, s.turn) - total(s, other)) + 5 * mobility


over = rule(lambda b, s: lost(s) or s.turns == TURNS)
margin = rule(lambda b, s: 2 * s.turn - 1 if lost(s) else 0)


def path(b, move):
    return (move,) if move < POINTS else (move // POINTS - 1, move % POINTS)


GAME = GameType(
    name="morris",
    title="Nine Men's Morris",
    state=STATE,
    rules=Rules(setup, moves, play, over, margin, evaluate=evaluate),
    sizes=lambda b: (POINTS + POINTS * POINTS, TURNS + 14),  # 14 men can be removed
    look=Look(LAYOUT, "men", path=path, also=("hand", "taking", "turns")),
)
