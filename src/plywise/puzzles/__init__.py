"""Puzzles: for one person, with one solution."""
