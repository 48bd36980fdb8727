"""The opening book that comes with the package."""

from plywise.games.connect4.book.opening import Book, Positions, Words, quiet_positions, shipped

__all__ = ["Book", "Positions", "Words", "quiet_positions", "shipped"]
