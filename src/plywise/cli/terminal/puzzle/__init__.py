"""Puzzles in the terminal: the questions, the desk that carries out moves, and its screen."""
