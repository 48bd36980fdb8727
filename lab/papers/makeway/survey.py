"""The results of many boards: how many the first player wins, by the number of lines.

The second player can never force a win, so a board is a first player's win or a draw. A board is
fair in play if the first player's share of the points is near a half *and* games are still won.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any

from plywise.core.analysis import Limits, Outcome
from plywise.core.game import Game
from plywise.games.makeway.solver.engine import Solver
from plywise.games.makeway.ways import slacks

Told = Callable[[str], None]


@dataclass(frozen=True)
class Board:
    """One board: its type in the switching game, and its result if it was proved in time."""

    spec: str
    lines: int
    slack: int  #: 0 Short wins, 1 whoever begins wins, 2 Cut wins
    outcome: Outcome | None  #: for the first player
    nodes: int
    seconds: float


@dataclass(frozen=True)
class Survey:
    """Boards of one kind."""

    kind: str
    boards: tuple[Board, ...]

    def share(self, outcome: Outcome | None) -> float:
        """The share of boards with this result; None: undecided."""
        return sum(board.outcome == outcome for board in self.boards) / len(self.boards)

    @property
    def proved(self) -> float:
        """The share of boards whose result is known."""
        return 1.0 - self.share(None)

    @property
    def types(self) -> tuple[int, int, int]:
        """How many boards Short wins, whoever begins wins, and Cut wins."""
        counts = [sum(board.slack == slack for board in self.boards) for slack in range(3)]
        return counts[0], counts[1], counts[2]

    def to_json(self) -> dict[str, Any]:
        """Plain data."""
        return {
            "kind": self.kind,
            "boards": len(self.boards),
            "short": self.types[0],
            "neutral": self.types[1],
            "cut": self.types[2],
            "wins": round(self.share("win"), 4),
            "draws": round(self.share("draw"), 4),
            "undecided": round(self.share(None), 4),
        }


def survey(
    kind: str, games: Iterable[Game], limits: Limits, told: Told = lambda text: None
) -> Survey:
    """Try to prove the result of every board within the limits."""
    found = []
    for game in games:
        start = game.start()
        analysis = Solver(game).solve(start, limits)
        board = Board(
            game.spec,
            int(game.board.lines),
            slacks(start.game.board, start.state)[0],
            analysis.outcome,
            analysis.nodes,
            analysis.seconds,
        )
        told(f"{board.spec}: {board.outcome or 'undecided'}")
        found.append(board)
    return Survey(kind, tuple(found))
