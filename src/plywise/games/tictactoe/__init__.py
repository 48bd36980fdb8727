"""Tic-Tac-Toe on n x n boards, and m,n,k games in general."""

from plywise.games.tictactoe.definition import GAME

__all__ = ["GAME"]
