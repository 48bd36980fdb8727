"""An exercise for tests that need just one."""

from __future__ import annotations

from plywise.play.exercises.exercise import Exercise

ONE = Exercise(
    game="tictactoe",
    moves=("a1", "b2", "a2", "c1"),
    goal="win",
    length=1,
    line=("a3",),
    usual=("a3",),
    themes=("win at once", "all or nothing"),
    rating=600,
)
