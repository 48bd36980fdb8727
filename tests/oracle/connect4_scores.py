"""Exact scores of Connect-4 in the plainest way: try every move, remember what was seen.

Columns are texts of "x" and "o" from the bottom. No code or idea is shared with the solver.
"""

from __future__ import annotations

Columns = tuple[str, ...]


class Scores:
    """Scores of one size of board, with the meaning that published tests give them."""

    def __init__(self, rows: int, cols: int, inarow: int = 4) -> None:
        self.rows, self.cols, self.inarow = rows, cols, inarow
        self.known: dict[Columns, int] = {}

    def columns(self, moves: str) -> Columns:
        """The board after these columns, counted from 1, were played."""
        board = [""] * self.cols
        for number, move in enumerate(moves):
            board[int(move) - 1] += "xo"[number % 2]
        return tuple(board)

    def wins(self, board: Columns, col: int) -> bool:
        """Does the topmost disc of a column complete a line?"""
        row = len(board[col]) - 1
        mark = board[col][row]

        def owned(c: int, r: int) -> bool:
            return 0 <= c < self.cols and 0 <= r < len(board[c]) and board[c][r] == mark

        for right, up in ((1, 0), (0, 1), (1, 1), (1, -1)):
            count = 1
            for way in (1, -1):
                c, r = col + way * right, row + way * up
                while owned(c, r):
                    count += 1
                    c, r = c + way * right, r + way * up
            if count >= self.inarow:
                return True
        return False

    def after(self, board: Columns, col: int) -> Columns:
        """The board after the side to move has played a column."""
        mark = "xo"[sum(map(len, board)) % 2]
        return (*board[:col], board[col] + mark, *board[col + 1 :])

    def move_score(self, board: Columns, col: int) -> int:
        """What a move is worth to the side that plays it."""
        child = self.after(board, col)
        if self.wins(child, col):
            empty = self.rows * self.cols - sum(map(len, board))
            return (empty + 1) // 2  # own discs not played yet, the winning one included
        return -self.score(child)

    def score(self, board: Columns) -> int:
        """The score of a position in which nobody has won."""
        if board not in self.known:
            moves = [col for col in range(self.cols) if len(board[col]) < self.rows]
            self.known[board] = max((self.move_score(board, col) for col in moves), default=0)
        return self.known[board]
