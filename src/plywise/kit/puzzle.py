"""The parts of a puzzle type; the type itself is `plywise.PuzzleType`."""

from __future__ import annotations

from plywise.core.puzzle import (
    NO_MARKS,
    Check,
    Mark,
    Marks,
    NewPuzzle,
    PuzzleHint,
    PuzzleType,
    Size,
    Span,
    States,
    Verdict,
)

__all__ = [
    "NO_MARKS",
    "Check",
    "Mark",
    "Marks",
    "NewPuzzle",
    "PuzzleHint",
    "PuzzleType",
    "Size",
    "Span",
    "States",
    "Verdict",
]
