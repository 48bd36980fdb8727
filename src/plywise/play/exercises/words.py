"""The reason of an answer, in words."""

from __future__ import annotations

from plywise.core.analysis import Line, Outcome
from plywise.core.game import Game
from plywise.core.position import Position
from plywise.play.exercises.exercise import Exercise
from plywise.play.exercises.grading import SHARP
from plywise.play.hints import explain, main_reason


def reason(exercise: Exercise, game: Game) -> str:
    """Return why the answer is right: what it does on the board, or what is proved about it."""
    position = exercise.position(game)
    wins = exercise.goal == "win"
    others: Outcome = "draw" if wins and SHARP not in exercise.themes else "loss"
    lines = [Line(move, -1.0, -1.0, others) for move in position.legal if move != exercise.answer]
    plies = len(exercise.line) if wins else None
    outcome: Outcome = "win" if wins else "draw"
    margin = _margin(exercise, position)
    answer = Line(exercise.answer, 1.0, margin, outcome, plies, score_kind="points")
    return main_reason(explain(position, answer, [answer, *lines]))


def _margin(exercise: Exercise, position: Position) -> int:
    """Return by how much the answer wins."""
    end = position.game.position(exercise.line, start=position)
    margin = end.margin or 0
    return margin if position.turn == 0 else -margin
