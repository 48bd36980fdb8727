"""The paper's own agents: two minimax agents with different evaluations, and one without a tree.

Both minimax agents use alpha-beta pruning, so they find the moves of plain minimax sooner;
`minimax:heuristic=euclid,depth=5` is the plain one. The two that count cells find distances by
exact A*, or with `search=paper` as the paper's program did.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from math import sqrt

import numpy as np

from plywise.core.analysis import Analysis, Limits, OnInfo, Stop
from plywise.core.game import AgentType, Game, Heuristic, Record, Verb
from plywise.core.position import Position
from plywise.core.spec import Parameter, Value, format_spec
from plywise.engines.driver import GameAgent, Run
from plywise.engines.kernels.textbook import meet
from plywise.engines.scale import Verdict, analysis_of, estimated, line_of
from plywise.engines.textbook import Textbook
from plywise.games.snails import appendix
from plywise.games.snails.distance import in_time
from plywise.games.snails.rules import CELL
from plywise.jit import kernel, rule

WIN = 1e6  #: the value of a won game, less its plies; no other leaf comes near


@rule
def euclid(b: Record, s: Record, player: int) -> float:
    """Own score less the paper's distance to the opponent: the nearer, the better."""
    mine, other = s.at[player], s.at[1 - player]
    across, up = abs(mine % b.cols - other % b.cols), abs(mine // b.cols - other // b.cols)
    return float(s.score[player]) - sqrt(float(across + up))


@rule
def score_and_reach(b: Record, s: Record, player: int) -> float:
    """Own score plus the empty cells reached in no more moves than the opponent needs."""
    return float(s.score[player]) + float(in_time(b, s, player))


@rule
def score_and_appendix(b: Record, s: Record, player: int) -> float:
    """Own score plus the empty cells that the paper's search counts."""
    return float(s.score[player]) + float(appendix.in_time(b, s, player))


EXACT, PAPER = "exact", "paper"
COUNTS = {EXACT: "minimax-astar", PAPER: "minimax-astar-paper"}  #: the heuristic of each search
SEARCH = Parameter(
    "search",
    EXACT,
    "how distances are found: by exact A*, or by the paper's search with its faults",
    choices=(EXACT, PAPER),
)

HEURISTICS = {
    "euclid": Heuristic(euclid, WIN, "the paper's: own score, close to the opponent"),
    COUNTS[EXACT]: Heuristic(
        score_and_reach, WIN, "the paper's: own score and cells reached no later than the opponent"
    ),
    COUNTS[PAPER]: Heuristic(
        score_and_appendix, WIN, "the same with the paper's search for distances, faults included"
    ),
}


def build(game: Game, name: str, depth: int, search: str = EXACT) -> Textbook:
    """Make a fixed-depth minimax agent with one of the heuristics."""
    agent = Textbook(game, meet, depth, name if search == EXACT else COUNTS[search])
    agent.name = format_spec(name, {"depth": depth, **named(search)})
    return agent


def minimax(name: str, usual: int, *more: Parameter) -> AgentType:
    """Return the agent type of a heuristic, with its default depth."""
    return AgentType(
        partial(build, name=name),
        (Parameter("depth", usual, "plies to look ahead", low=1, high=20), *more),
        f"the paper's: minimax, {HEURISTICS[name].help.partition(': ')[2]}",
    )


def named(search: str) -> dict[str, Value]:
    """The search as a parameter in an agent's name, unless it is the default."""
    return {} if search == EXACT else {"search": search}


@kernel
def child_kernel(play: Verb, turn: Verb, heuristic: Verb) -> Verb:
    """Value each child of a position for the side to move, with that player's score."""

    def children(
        board: Record, states: Record, moves: Record, counts: Record, scores: Record
    ) -> None:
        b = board[0]
        player = turn(b, states[0])
        for i in range(moves.size):
            states[1] = states[0]
            play(b, states[1], moves[i])
            counts[i] = heuristic(b, states[1], player)
            scores[i] = states[1].score[player]

    return children


class AStar(GameAgent):
    """No tree: each move is evaluated directly, and the best one is played."""

    def __init__(self, game: Game, search: str = EXACT) -> None:
        self.game = game
        self.name = format_spec("astar", named(search))
        heuristic = game.heuristic(COUNTS[search]).function
        self.kernel = child_kernel.build(game.rules, heuristic=heuristic)

    def think(
        self, position: Position, limits: Limits, on_info: OnInfo | None, stop: Stop, lines: bool
    ) -> Analysis:
        """The move with the most score and cells reached; among equals, the larger score."""
        states = np.zeros(2, self.game.type.state)
        states[0] = position.state
        moves = np.array(position.legal_codes, np.int32)
        counts, scores = np.zeros(len(moves)), np.zeros(len(moves), np.int64)
        self.kernel(self.game.boards, states, moves[:0], counts, scores)  # compile first
        run = Run(limits, stop)
        run.call([lambda: self.kernel(self.game.boards, states, moves, counts, scores)])
        seen = [self._verdict(position, count) for count in counts.tolist()]
        found = [line_of((text,), each) for text, each in zip(position.legal, seen, strict=True)]
        best = self.pick(counts.tolist(), scores.tolist())
        return analysis_of(
            found[best].pv,
            seen[best],
            lines=tuple(found) if lines else (),
            depth=1,
            nodes=1 + len(found),
            seconds=run.seconds,
        )

    @staticmethod
    def _verdict(position: Position, count: float) -> Verdict:
        """The count; its value on the common scale, if all other cells went to the opponent."""
        lead = 2 * count - int(position.game.board.cells)
        return replace(estimated(position, CELL * lead), score=count)

    @staticmethod
    def pick(counts: Sequence[float], scores: Sequence[int]) -> int:
        """The first of the best moves; if all are equal, of those with the larger score."""
        ranks = scores if len(set(counts)) == 1 else counts
        return list(ranks).index(max(ranks))


AGENTS = {
    "euclid": minimax("euclid", 3),
    "minimax-astar": minimax("minimax-astar", 2, SEARCH),
    "astar": AgentType(
        AStar, (SEARCH,), "the paper's final one: no tree, counts cells reached no later"
    ),
}
