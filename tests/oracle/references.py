"""Tic-Tac-Toe and Connect-4 in the plainest Python there is, to compare with. No code shared.

A board is a list of rows from the bottom, each a list of "x", "o" and ".".
"""

from __future__ import annotations

from collections.abc import Callable

Board = list[list[str]]
#: (value for the player to move, plies until the end): 1 win, 0 draw, -1 loss
Verdict = tuple[int, int]


def has_line(board: Board, mark: str, length: int) -> bool:
    """Look from every cell in every direction, one cell after the other."""
    for row in range(len(board)):
        for col in range(len(board[0])):
            for up, right in [(0, 1), (1, 0), (1, 1), (1, -1)]:
                seen = 0
                r, c = row, col
                while 0 <= r < len(board) and 0 <= c < len(board[0]) and board[r][c] == mark:
                    seen += 1
                    r, c = r + up, c + right
                if seen >= length:
                    return True
    return False


def is_full(board: Board) -> bool:
    return all(cell != "." for row in board for cell in row)


class Reference:
    """What both games have in common: marks, turns, results, and plain recursive minimax."""

    def __init__(self, rows: int, cols: int, length: int) -> None:
        self.rows, self.cols, self.length = rows, cols, length
        self.known: dict[str, Verdict] = {}

    def empty(self) -> Board:
        return [["."] * self.cols for _ in range(self.rows)]

    def winner(self, board: Board) -> str | None:
        for mark in "xo":
            if has_line(board, mark, self.length):
                return mark
        return None

    def over(self, board: Board) -> bool:
        return self.winner(board) is not None or is_full(board)

    def legal(self, board: Board) -> list[str]:
        raise NotImplementedError

    def play(self, board: Board, move: str, mark: str) -> Board:
        raise NotImplementedError

    def solve(self, board: Board, mark: str) -> Verdict:
        """The exact result for `mark`, who moves: fastest win, else draw, else slowest loss."""
        name = mark + "".join(cell for row in board for cell in row)
        if name not in self.known:
            self.known[name] = self._solve(board, mark)
        return self.known[name]

    def _solve(self, board: Board, mark: str) -> Verdict:
        other = "o" if mark == "x" else "x"
        if self.winner(board) is not None:
            return (1 if self.winner(board) == mark else -1), 0
        if is_full(board):
            return 0, 0
        results = []
        for move in self.legal(board):
            value, plies = self.solve(self.play(board, move, mark), other)
            results.append((-value, plies + 1))
        wins = [plies for value, plies in results if value == 1]
        losses = [plies for value, plies in results if value == -1]
        if wins:
            return 1, min(wins)
        if len(losses) == len(results):
            return -1, max(losses)
        return 0, max(plies for value, plies in results if value == 0)

    def text(self, board: Board, mark: str) -> str:
        """The position as plywise reads it, every empty cell as a dot."""
        return "/".join("".join(row) for row in reversed(board)) + " " + mark


class TicTacToe(Reference):
    def legal(self, board: Board) -> list[str]:
        return [
            "abcdefghijklmnopqrs"[col] + str(row + 1)
            for row in range(self.rows)
            for col in range(self.cols)
            if board[row][col] == "."
        ]

    def play(self, board: Board, move: str, mark: str) -> Board:
        after = [list(row) for row in board]
        after[int(move[1:]) - 1]["abcdefghijklmnopqrs".index(move[0])] = mark
        return after


class Connect4(Reference):
    def __init__(self, rows: int, cols: int, inarow: int = 4) -> None:
        super().__init__(rows, cols, inarow)

    def legal(self, board: Board) -> list[str]:
        return [str(col + 1) for col in range(self.cols) if board[self.rows - 1][col] == "."]

    def play(self, board: Board, move: str, mark: str) -> Board:
        after = [list(row) for row in board]
        for row in after:
            if row[int(move) - 1] == ".":
                row[int(move) - 1] = mark
                return after
        raise AssertionError(f"column {move} is full")


def count_threes(board: Board, mark: str) -> int:
    """Lines of four cells with three of this mark and one empty cell, by looking at each."""
    cells: Callable[[int, int, int, int], list[str]] = lambda row, col, up, right: [  # noqa: E731
        board[row + i * up][col + i * right]
        for i in range(4)
        if 0 <= row + i * up < len(board) and 0 <= col + i * right < len(board[0])
    ]
    return sum(
        sorted(cells(row, col, up, right)) == sorted([mark] * 3 + ["."])
        for row in range(len(board))
        for col in range(len(board[0]))
        for up, right in [(0, 1), (1, 0), (1, 1), (1, -1)]
    )
