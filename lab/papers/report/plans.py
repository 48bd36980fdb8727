"""What `plywise report` should measure for a game, as plain data.

The measuring itself is done by `lab.papers.report.measuring`, for any game and any agents.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal

from plywise.core.game import Game
from plywise.play.statistics import Mean, Share

Cell = str | int | float | Share | Mean
Row = Sequence[Cell]


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
class Effort:
    """The nodes and time of one series at one step, over all positions."""

    nodes: int
    seconds: float
    same: int  #: how often it chose the move that the first series chose

    def to_json(self) -> dict[str, Any]:
        """Return plain data for `--json` and the web."""
        return {"nodes": self.nodes, "seconds": round(self.seconds, 6), "same_move": self.same}


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
    #: what was published for a step, such as {8: "more than 4 s"}; a column of its own
    published: Mapping[int, str] = field(default_factory=dict)
    #: (step -> the effort of each series) -> whether the claim holds, in a sentence
    verdict: Callable[[Mapping[int, Sequence[Effort]]], str] | None = None


@dataclass(frozen=True)
class Table:
    """A table that the game fills in itself, row by row."""

    title: str
    columns: tuple[str, ...]  #: the first names the case
    cases: tuple[str, ...]  #: one row each
    #: (game, case, quick) -> the other cells of the row; empty if the case does not apply
    row: Callable[[Game, str, bool], Row]
    claim: str = ""  #: what was published about it
    #: the columns to draw: a `Share` as a bar, a number or `Mean` on a logarithmic axis
    drawn: Mapping[str, Literal["share", "log"]] = field(default_factory=dict)
    #: (the rows, each with its case) -> whether the claim holds, in a sentence
    verdict: Callable[[Sequence[Row]], str] | None = None


@dataclass(frozen=True)
class ReportPlan:
    """A round robin among agents, and everything else to measure."""

    title: str
    agents: tuple[str, ...]
    opening_plies: int  #: random plies before each game; each opening is played from both sides
    claims: tuple[Claim, ...] = ()
    comparisons: tuple[Comparison, ...] = ()
    tables: tuple[Table, ...] = ()
