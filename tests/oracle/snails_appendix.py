"""The code of the Snails paper's appendix, line by line in Python, to compare with.

A board is the paper's matrix of numbers, rows from the top: 0 empty, 1 and 2 trails, 11 and 22 the
snails, -1 a wall. Only the indices differ: MATLAB counts from 1, and `find` goes column by column.
"""

from __future__ import annotations

from math import sqrt

Matrix = list[list[int]]
Place = tuple[int, int]

DIRECTIONS = {"up": (-1, 0), "right": (0, 1), "down": (1, 0), "left": (0, -1)}


def copy(board: Matrix) -> Matrix:
    return [list(row) for row in board]


def find(board: Matrix, number: int) -> list[Place]:
    places = [(x, y) for y in range(len(board[0])) for x in range(len(board))]
    return [(x, y) for x, y in places if board[x][y] == number]


def is_legal(board: Matrix, x: int, y: int, turn: int) -> tuple[bool, str]:
    if not (0 <= x < len(board) and 0 <= y < len(board[0])):
        return False, "wrongMove"
    ((xx, yy),) = find(board, turn)
    for movement, (down, right) in DIRECTIONS.items():
        if (x, y) == (xx + down, yy + right) and board[x][y] in (0, turn // 10):
            return True, movement
    return False, "wrongMove"


def slide_snail(board: Matrix, x: int, y: int, turn: int, movement: str) -> Place:
    if movement == "wrongMove":
        return x, y
    down, right = DIRECTIONS[movement]
    slid = False
    while board[x][y] == turn // 10:
        slid = True
        x, y = x + down, y + right
        if not (0 <= x < len(board) and 0 <= y < len(board[0])):
            break
    return (x - down, y - right) if slid else (x, y)


def find_step_distance(
    board: Matrix,
    snail: Place,
    free_block: Place,
    turn: int,
    close_list: list[Place],
    steps: int,
    depth: int,
    n: int,
) -> tuple[int, int]:
    """Steps and possibility."""
    if depth == 0 or steps > 20:
        return steps, 0
    open_list: list[Place] = []
    movements: list[str] = []
    for down, right in DIRECTIONS.values():
        x, y = snail[0] + down, snail[1] + right
        legal, movement = is_legal(board, x, y, turn)
        if slide_snail(board, x, y, turn, movement) in close_list:
            legal = False
        if legal:
            if (x, y) == free_block:
                return steps + 1, 1
            if (x, y) not in close_list:
                open_list.append((x, y))
                movements.append(movement)
    if not open_list:
        return steps, 0
    distances: list[float] = []
    stops: list[Place] = []
    for (x, y), movement in zip(open_list, movements, strict=True):
        x, y = slide_snail(board, x, y, turn, movement)
        step_x, step_y = free_block[0] - x, free_block[1] - y
        distances.append(sqrt(step_x * step_x + step_y * step_y))
        stops.append((x, y))
    close_list = [*close_list, snail]
    for i in range(len(distances)):
        for j in range(i + 1, len(distances)):
            if distances[i] > distances[j]:
                distances[i], distances[j] = distances[j], distances[i]
                stops[i], stops[j] = stops[j], stops[i]
    for index, stop in enumerate(stops):
        dummy_board = copy(board)
        row, col = slide_snail(dummy_board, *stop, turn, movements[index])
        dummy_board[row][col] = turn
        dummy_board[snail[0]][snail[1]] = turn // 10
        dummy_steps, possibility = find_step_distance(
            dummy_board, (row, col), free_block, turn, close_list, steps + 1, depth - 1, n + 1
        )
        if possibility == 1:
            return dummy_steps, 1
        if n != 0:
            return dummy_steps, 0
    return steps, 0


def from_both_ends(board: Matrix, block: Place, turn: int) -> tuple[int, int, int]:
    """The steps and possibility from the snail; then the steps from the block, if they counted."""
    (snail,) = find(board, turn)
    steps, possibility = find_step_distance(board, snail, block, turn, [], 0, 500, 0)
    if possibility == 1:
        return steps, 1, 0
    dummy_board = copy(board)
    dummy_board[snail[0]][snail[1]] = 0
    dummy_board[block[0]][block[1]] = turn
    back, possibility = find_step_distance(dummy_board, block, snail, turn, [], 0, 500, 0)
    return steps, possibility, back


def generate_heuristic(board: Matrix, turn: int) -> int:
    board = copy(board)
    max_score = 0
    oppo_turn = 22 if turn == 11 else 11
    for x, y in find(board, 0):
        my_steps, possibility_1, back = from_both_ends(board, (x, y), turn)
        if back or not possibility_1:
            my_steps = back
        oppo_steps, possibility_2, back = from_both_ends(board, (x, y), oppo_turn)
        if back or not possibility_2:
            my_steps = back  # as in the paper
        if possibility_1 == 0 and possibility_2 == 0:
            board[x][y] = -1
        elif possibility_1 == 0 and possibility_2 == 1:
            board[x][y] = oppo_turn // 10
        elif possibility_1 == 1 and possibility_2 == 0:
            board[x][y] = turn // 10
        if my_steps <= oppo_steps and possibility_1 == 1:
            max_score += 1
    return max_score
