"""What the paper says about minimax and alpha-beta, measured again."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache

from lab.papers.report.plans import Claim, Comparison, Effort, ReportPlan, Row, Series, Table
from plywise import engines
from plywise.core.game import Game
from plywise.core.position import Position
from plywise.play.statistics import Share

DEPTHS = ("seed:depth=2", "seed:depth=4", "seed:depth=6")
FULL = "seed:depth=9"
SMALL = 9  #: plies of a game in which every position can be looked at


def optimal(game: Game, case: str, quick: bool) -> Row:
    """Count the positions in which an agent's move is the best, and in which it wins fastest."""
    if game.max_plies > SMALL:
        return []
    agent = engines.make(case, game)
    kept = fastest = won = 0
    positions = every_position(game)
    for position in positions:
        best = agent.search(position).best
        assert best is not None, "a game that is not over has a move"
        margin, plies = exact(position)
        found, then = exact(position.play(best))
        kept += -found == margin
        if margin > 0:
            won += 1
            fastest += -found == margin and then + 1 == plies
    return [Share(kept, len(positions)), Share(fastest, won)]


@cache
def every_position(game: Game) -> list[Position]:
    """Return all positions that are not over, one of each set of mirror images."""
    found = {game.start().key: game.start()}
    for position in (pending := [game.start()]):
        for move in position.legal_codes:
            after = position.play_code(move)
            if not after.over and after.key not in found:
                found[after.key] = after
                pending.append(after)
    return list(found.values())


_EXACT: dict[tuple[str, int], tuple[int, int]] = {}  # by the game and the key of a position


def exact(position: Position) -> tuple[int, int]:
    """Return the result for the side to move, and how many plies it takes; by plain recursion."""
    if position.margin is not None:
        return (position.margin if position.turn == 0 else -position.margin), 0
    name = position.game.spec, position.key
    if name not in _EXACT:
        results = [exact(position.play_code(move)) for move in position.legal_codes]
        best = max(-margin for margin, _ in results)
        plies = [plies + 1 for margin, plies in results if -margin == best]
        _EXACT[name] = best, min(plies) if best > 0 else max(plies)
    return _EXACT[name]


def always(rows: Sequence[Row]) -> str:
    """Say whether the whole search always finds the optimal move."""
    kept, fastest = (cell for cell in rows[-1][1:] if isinstance(cell, Share))
    if kept.points == kept.count and fastest.points == fastest.count:
        return f"confirmed: to the end of the game, all {kept.count} moves are optimal"
    return f"refuted: {kept.count - round(kept.points)} of {kept.count} moves are not optimal"


OPTIMAL = Table(
    title="every position of the game: the best move, and the fastest win",
    claim="The goal of the algorithm is to find the optimal next move ... a victory with less "
    "moves will be favored more",
    columns=("agent", "keeps the result", "wins as fast as possible"),
    cases=(*DEPTHS, FULL),
    row=optimal,
    drawn={"keeps the result": "share", "wins as fast as possible": "share"},
    verdict=always,
)


def pruning(efforts: Mapping[int, Sequence[Effort]]) -> str:
    """Say whether alpha-beta chose the same moves, with how many fewer nodes."""
    same = all(minimax.same == cut.same for cut, minimax in efforts.values())
    depth, (cut, minimax) = max(efforts.items())
    saved = f"{minimax.nodes / cut.nodes:.1f} times fewer nodes at depth {depth}"
    return f"{'confirmed: the same moves' if same else 'refuted: other moves'}, with {saved}"


REPORT = ReportPlan(
    title="the paper's agent at several depths, and ours",
    agents=("random", *DEPTHS, FULL, "auto:level=5", "auto"),
    opening_plies=2,
    claims=(
        Claim(
            "For each move, we can look ahead as many moves as our computing power allows",
            tuple((FULL, agent) for agent in (*DEPTHS[::-1], "random")),
        ),
    ),
    comparisons=(
        Comparison(
            title="minimax and alpha-beta",
            claim="Alpha-beta pruning returns the same move as the standard one, but it removes "
            "(prunes) all the nodes that are possibly not affecting the final decision.",
            series=(
                Series("alpha-beta", "textbook:heuristic=seed,depth={}"),
                Series("minimax", "minimax:heuristic=seed,depth={}"),
            ),
            axis="depth",
            steps=(1, 2, 3, 4, 5, 6, 7, 8, 9),
            plies=(0, 1, 2, 3),
            positions=24,
            verdict=pruning,
        ),
    ),
    tables=(OPTIMAL,),
)
