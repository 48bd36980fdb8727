"""What a game brings along for `plywise report`, as plain data: who plays, what is compared.

Nothing is measured here; `plywise.play.report` does that, for any game and any agents.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from plywise.core.game import Game

Cell = str | int | float


@dataclass(frozen=True)
class Claim:
    """What somebody wrote about agents, and the pairs of them whose games bear on it."""

    words: str  #: as they were written
    pairs: tuple[tuple[str, str], ...]  #: the one that should do better comes first


@dataclass(frozen=True)
class Series:
    """One way to search, at several steps of the same parameter."""

    label: str
    spec: str  #: of an agent; `{}` stands for the step


@dataclass(frozen=True)
class Comparison:
    """Searches side by side on the same positions: nodes, which are exact, and time."""

    title: str
    claim: str  #: what was written about it
    series: tuple[Series, ...]  #: the others are measured by the first
    axis: str  #: what a step is, as `depth`
    steps: tuple[int, ...]
    plies: tuple[int, ...]  #: the positions are so many random plies from the start, in turn
    positions: int = 40  #: at most; no two are the same up to symmetry


@dataclass(frozen=True)
class Table:
    """What a game counts for itself, row by row."""

    title: str
    columns: tuple[str, ...]  #: the first names the case
    cases: tuple[str, ...]  #: a row each
    #: (game, case, quick) -> what stands beside the case; nothing where there is no such case
    row: Callable[[Game, str, bool], Sequence[Cell]]


@dataclass(frozen=True)
class ReportPlan:
    """A round robin among agents, and what else is to be measured."""

    title: str
    agents: tuple[str, ...]
    opening_plies: int  #: random plies before each game; each opening is played from both sides
    claims: tuple[Claim, ...] = ()
    comparisons: tuple[Comparison, ...] = ()
    tables: tuple[Table, ...] = ()
