"""The paper's own agent, alpha-beta on chains, and the improvement its author proposed."""

from __future__ import annotations

from functools import partial

from plywise.core.game import AgentType, Heuristic, Record
from plywise.core.spec import Parameter
from plywise.engines.kernels.textbook import meet
from plywise.engines.textbook import Textbook
from plywise.games.andantino.board import EMPTY, FIVE, WORDS
from plywise.games.andantino.rules import closes
from plywise.jit import rule
from plywise.jit.bits import ZERO, index_of, lowest

WIN = 1e6  #: the paper's infinity: the value of a won game, less its plies

#: Rows of two, three and four, for each the open, half-open and broken ones; then a ring's cell.
Weights = tuple[float, float, float, float, float, float, float, float, float, float]
#: The paper's weights: own chains of two, three and four, open or not, without gaps.
PAPER = (1.0, 1.0, 0.0, 10.0, 10.0, 0.0, 100.0, 100.0, 0.0, 0.0)
#: These weights of `seed-tuned`, own and the opponent's, come from self-play, see
#: docs/games/andantino.md.
OWN = (1.0, 1.0, 0.0, 10.0, 10.0, 0.0, 100.0, 50.0, 0.0, 100.0)
OTHER = (0.5, 0.5, 0.0, 10.0, 0.0, 40.0, 100.0, 50.0, 0.0, 100.0)


@rule
def run(b: Record, s: Record, cell: int, axis: int, mine: int) -> tuple[int, int]:
    """Count the stones of a row from its first one on; also returns the cell behind the last."""
    stones = 1
    beside = b.step[cell, axis]
    while s.mark[beside] == mine:
        stones += 1
        beside = b.step[beside, axis]
    return stones, beside


@rule
def room(b: Record, s: Record, axis: int, before: int, after: int, stones: int, mine: int) -> int:
    """Count the cells of a row and around it that are empty or own, up to five."""
    cells = stones
    while cells < FIVE and s.mark[after] in (mine, EMPTY):
        cells += 1
        after = b.step[after, axis]
    while cells < FIVE and s.mark[before] in (mine, EMPTY):
        cells += 1
        before = b.step[before, axis + 3]
    return cells


@rule
def ring_cells(b: Record, s: Record, player: int) -> int:
    """Count the legal cells where this player would enclose a stone."""
    number = 0
    for word in range(WORDS):
        rest = s.legal[word] & s.joint[player, word]
        while rest != ZERO:
            bit = lowest(rest)
            rest ^= bit
            if closes(b, s, player, 64 * word + index_of(bit)):
                number += 1
    return number


@rule
def patterns(b: Record, s: Record, player: int, weights: Weights) -> float:
    """Score rows of two to four stones: open or half-open ones, and those with a gap in them.

    All have room for five. A gap is one empty cell; two rows of five or more stones with a gap
    between them count like four, since a stone in the gap wins.
    """
    mine = player + 1
    score = 0.0
    for cell in range(b.cells):
        if s.mark[cell] != mine:
            continue
        for axis in range(3):
            before = b.step[cell, axis + 3]
            if s.mark[before] == mine:
                continue  # not the first stone of its row
            # Step 1: the row, and the row behind a gap.
            stones, after = run(b, s, cell, axis, mine)
            broken = 0
            beyond = b.step[after, axis]
            if s.mark[after] == EMPTY and s.mark[beyond] == mine:
                broken = min(FIVE - 1, stones + run(b, s, beyond, axis, mine)[0])
            if stones + broken == 1 or stones >= FIVE:
                continue
            # Step 2: the room for five.
            if room(b, s, axis, before, after, stones, mine) < FIVE:
                continue
            if stones > 1:
                half = 0 if s.mark[before] == EMPTY and s.mark[after] == EMPTY else 1
                score += weights[3 * (stones - 2) + half]
            if broken > 1:
                score += weights[3 * (broken - 2) + 2]
    return score


@rule
def own_chains(b: Record, s: Record, player: int) -> float:
    """The paper's evaluation: only own chains, with its weights, and no rings."""
    return patterns(b, s, player, PAPER)


@rule
def side(b: Record, s: Record, player: int, weights: Weights) -> float:
    """Score the rows and nearly closed rings of one player."""
    score = patterns(b, s, player, weights)
    return score if weights[9] == 0.0 else score + weights[9] * ring_cells(b, s, player)


@rule
def tuned(b: Record, s: Record, player: int) -> float:
    """Rows of both players, open, half-open and broken, and rings; weights from self-play."""
    return side(b, s, player, OWN) - side(b, s, 1 - player, OTHER)


HEURISTICS = {
    "seed": Heuristic(own_chains, WIN, "the paper's: own chains of two, three and four"),
    "seed-tuned": Heuristic(tuned, WIN, "open, half-open and broken rows of both, and rings"),
}


def agent(name: str) -> AgentType:
    """Return the agent type of a heuristic."""
    help = HEURISTICS[name].help.removeprefix("the paper's: ")
    return AgentType(
        partial(Textbook, cut=meet, heuristic=name),
        (Parameter("depth", 2, "plies to look ahead", low=1, high=20),),
        f"the paper's: alpha-beta on {help}" if name == "seed" else f"alpha-beta on {help}",
    )


AGENTS = {name: agent(name) for name in HEURISTICS}
