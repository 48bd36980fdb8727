"""Exact results: who wins, on boards of up to 64 cells."""

from plywise.games.snails.solver.engine import SnailsSolver, solvable, solver

__all__ = ["SnailsSolver", "solvable", "solver"]
