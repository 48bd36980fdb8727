"""The basic types: games, positions, limits, analyses, and the syntax of specs.

Nothing here compiles, draws or depends on a particular game.
"""

__version__ = "0.1.0"
