"""The nouns: games, positions, limits, analyses, and the grammar that names them.

Nothing here compiles, draws, reads a file or knows a particular game.
"""
