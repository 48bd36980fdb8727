"""The parts of a puzzle type; the type itself is `plywise.PuzzleType`."""

from __future__ import annotations

from plywise.core.puzzle import (
    NO_MARKS,
    Check,
    Made,
    Mark,
    Marks,
    PuzzleComparison,
    PuzzleHint,
    PuzzleReport,
    PuzzleType,
    Results,
    Span,
    States,
    Timed,
    Verdict,
    Way,
    finished_by_both,
)

__all__ = [
    "NO_MARKS",
    "Check",
    "Made",
    "Mark",
    "Marks",
    "PuzzleComparison",
    "PuzzleHint",
    "PuzzleReport",
    "PuzzleType",
    "Results",
    "Span",
    "States",
    "Timed",
    "Verdict",
    "Way",
    "finished_by_both",
]
