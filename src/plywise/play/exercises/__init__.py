"""Exercises: positions in which exactly one move wins, or exactly one holds the draw.

`making` finds them by exact search, `checking` proves them by another.
"""
