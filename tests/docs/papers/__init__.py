"""What the rows of docs/papers.md must show, paper by paper."""

from tests.docs.papers import align, andantino, connect4, makeway, slither, snails, tictactoe

__all__ = ["align", "andantino", "connect4", "makeway", "slither", "snails", "tictactoe"]
