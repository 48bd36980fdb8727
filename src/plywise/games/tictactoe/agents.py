"""The paper's own agent: plain alpha-beta that evaluates only finished games."""

from __future__ import annotations

from plywise.core.game import AgentType, Game, Record
from plywise.core.spec import Parameter
from plywise.engines.kernels.textbook import meet
from plywise.engines.textbook import Textbook, usual_depth
from plywise.jit import rule


@rule
def undecided(b: Record, s: Record, player: int) -> float:
    """Return 0: on larger boards the search stops before the end of the game."""
    return 0.0


def seed(game: Game, depth: int | None) -> Textbook:
    """Make the agent: a win is 20 less its plies, a draw 0; depth 9 on 3 x 3, else 4."""
    engine = Textbook(game, meet, usual_depth(game) if depth is None else depth, "seed")
    engine.name = "seed" if depth is None else f"seed:depth={depth}"
    return engine


AGENTS = {
    "seed": AgentType(
        seed,
        (Parameter("depth", int, "plies to look ahead", low=1, high=999),),
        "the paper's own: fixed-depth alpha-beta, unfinished games count 0",
    )
}
