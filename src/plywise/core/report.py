"""What `plywise report` should measure for a game, as plain data.

The measuring itself is done by `plywise.play.report`, for any game and any agents.
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
    """A published statement about agents, and the pairs of agents whose games test it."""

    words: str  #: as published
    pairs: tuple[tuple[str, str], ...]  #: the agent expected to do better comes first


@dataclass(frozen=True)
class Series:
    """One search, run with several values of the same parameter."""

    label: str
    spec: str  #: of an agent; `{}` stands for the step


@dataclass(frozen=True)
class Comparison:
    """Compares searches on the same positions by nodes, which are exact, and by time."""

    title: str
    claim: str  #: what was published about it
    series: tuple[Series, ...]  #: the first is the baseline for the others
    axis: str  #: what a step is, such as `depth`
    steps: tuple[int, ...]
    plies: tuple[int, ...]  #: random plies from the start to each position, used in turn
    positions: int = 40  #: at most; no two are the same up to symmetry


@dataclass(frozen=True)
class Table:
    """A table that the game fills in itself, row by row."""

    title: str
    columns: tuple[str, ...]  #: the first names the case
    cases: tuple[str, ...]  #: one row each
    #: (game, case, quick) -> the other cells of the row; empty if the case does not apply
    row: Callable[[Game, str, bool], Sequence[Cell]]


@dataclass(frozen=True)
class ReportPlan:
    """A round robin among agents, and everything else to measure."""

    title: str
    agents: tuple[str, ...]
    opening_plies: int  #: random plies before each game; each opening is played from both sides
    claims: tuple[Claim, ...] = ()
    comparisons: tuple[Comparison, ...] = ()
    tables: tuple[Table, ...] = ()
