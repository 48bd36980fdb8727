"""The paper's own agent, alpha-beta on chains, and the improvement its author proposed."""

from __future__ import annotations

from functools import partial

from plywise.core.game import AgentType, Game, Heuristic, Record
from plywise.core.spec import Parameter, format_spec
from plywise.engines.kernels.textbook import meet
from plywise.engines.textbook import Textbook
from plywise.games.andantino.board import EMPTY, FIVE, WORDS
from plywise.games.andantino.rules import closes
from plywise.jit import rule
from plywise.jit.bits import ZERO, index_of, lowest

WIN = 1e6  #: the paper's infinity: the value of a won game, less its plies

#: The paper's weights for chains of 2, 3 and 4.
TWO, THREE, FOUR = 1.0, 10.0, 100.0
#: The same for `seed-tuned`, own and the opponent's, and for a cell that would close a ring. They
#: come from self-play, see docs/games/andantino.md.
OWN = (1.0, 10.0, 100.0, 100.0)
OTHER = (2.0, 0.0, 40.0, 0.0)


@rule
def chains(b: Record, s: Record, player: int) -> tuple[int, int, int]:
    """Count unbroken rows of exactly two, three and four stones that can still become five."""
    mine = player + 1
    twos, threes, fours = 0, 0, 0
    for cell in range(b.cells):
        if s.mark[cell] != mine:
            continue
        for axis in range(3):
            if s.mark[b.step[cell, axis + 3]] == mine:
                continue  # not the first stone of its row
            stones = 1
            beside = b.step[cell, axis]
            while s.mark[beside] == mine:
                stones += 1
                beside = b.step[beside, axis]
            room = stones
            while room < FIVE and s.mark[beside] in (mine, EMPTY):
                room += 1
                beside = b.step[beside, axis]
            beside = b.step[cell, axis + 3]
            while room < FIVE and s.mark[beside] in (mine, EMPTY):
                room += 1
                beside = b.step[beside, axis + 3]
            if room == FIVE:
                twos += stones == 2
                threes += stones == 3
                fours += stones == 4
    return twos, threes, fours


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
def own_chains(b: Record, s: Record, player: int) -> float:
    """The paper's evaluation: only own chains, with its weights, and no rings."""
    twos, threes, fours = chains(b, s, player)
    return TWO * twos + THREE * threes + FOUR * fours


@rule
def side(b: Record, s: Record, player: int, weights: tuple[float, float, float, float]) -> float:
    """Score the chains and nearly closed rings of one player."""
    twos, threes, fours = chains(b, s, player)
    rings = ring_cells(b, s, player)
    return weights[0] * twos + weights[1] * threes + weights[2] * fours + weights[3] * rings


@rule
def tuned(b: Record, s: Record, player: int) -> float:
    """The paper's evaluation for both players, with rings and weights from self-play."""
    return side(b, s, player, OWN) - side(b, s, 1 - player, OTHER)


HEURISTICS = {
    "seed": Heuristic(own_chains, WIN, "the paper's: own chains of two, three and four"),
    "seed-tuned": Heuristic(tuned, WIN, "chains of both sides and rings, with tuned weights"),
}


def build(game: Game, name: str, depth: int) -> Textbook:
    """Make a fixed-depth alpha-beta agent with one of the heuristics."""
    engine = Textbook(game, meet, depth, name)
    engine.name = format_spec(name, {"depth": None if depth == 2 else depth})
    return engine


def agent(name: str) -> AgentType:
    """Return the agent type of a heuristic."""
    help = HEURISTICS[name].help.removeprefix("the paper's: ")
    return AgentType(
        partial(build, name=name),
        (Parameter("depth", 2, "plies to look ahead", low=1, high=20),),
        f"the paper's: alpha-beta on {help}" if name == "seed" else f"alpha-beta on {help}",
    )


AGENTS = {name: agent(name) for name in HEURISTICS}
