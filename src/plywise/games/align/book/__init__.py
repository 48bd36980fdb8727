"""The opening books that come with the package."""

from plywise.games.align.book.opening import STEP, Book, shipped

__all__ = ["STEP", "Book", "shipped"]
