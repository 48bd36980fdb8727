"""Every reason a game gives for a move is true: each kind is checked by playing it out.

The checks know the rules only through `play` and the board only through its text.
"""

from __future__ import annotations

import random
import re
from collections.abc import Callable

import pytest

import plywise
from plywise import Position
from plywise.kit import Look

pytestmark = pytest.mark.slow  # longer than `make quick` has time for

GAMES = [
    ("tictactoe", 30),
    ("tictactoe:rows=4,k=3", 12),
    ("tictactoe:rows=5,k=4", 5),
    ("tictactoe:rows=3,cols=5,k=4", 12),
    ("tictactoe:rows=2,cols=9,k=8", 4),
    ("connect4", 24),
    ("connect4:rows=4,cols=5", 24),
    ("connect4:rows=5,cols=4", 15),
]
NUMBERS = (
    *("no", "one", "two", "three", "four", "five", "six", "seven", "eight"),
    *("nine", "ten", "eleven", "twelve", "thirteen", "fourteen", "fifteen", "sixteen"),
)


class ObservedMove:
    """A move in a position, as a plain observer sees it."""

    def __init__(self, position: Position, move: str) -> None:
        self.position, self.move = position, move
        self.board = position.game.board
        self.rows, self.cols = int(self.board.rows), int(self.board.cols)
        self.drops = position.game.name == "connect4"
        self.length = 4 if self.drops else int(self.board.k)
        self.mover = position.turn + 1
        self.after = position.play(move)
        self.cell = changed(position, self.after)

    def lines(self, position: Position, mark: int) -> set[str]:
        """The names of all complete lines of a player, found cell by cell."""
        grid = cells(position)
        return {
            name
            for name, line in self.every_line()
            if all(grid[row][col] == mark for row, col in line)
        }

    def every_line(self) -> list[tuple[str, list[tuple[int, int]]]]:
        found = []
        for row in range(self.rows):
            for col in range(self.cols):
                for up, right in ((0, 1), (1, 0), (1, 1), (-1, 1)):
                    line = [(row + i * up, col + i * right) for i in range(self.length)]
                    if all(0 <= r < self.rows and 0 <= c < self.cols for r, c in line):
                        found.append((self.line_name(line, up, right), line))
        return found

    def line_name(self, line: list[tuple[int, int]], up: int, right: int) -> str:
        (row, col), (last_row, last_col) = line[0], line[-1]
        if up == 0:
            return f"row {row + 1}"
        if self.drops:
            slope = "rising" if up > 0 else "falling"
            return (
                f"column {col + 1}" if not right else f"the diagonal {slope} from column {col + 1}"
            )
        if right == 0:
            return f"column {'abcdefghi'[col]}"
        return f"the diagonal {'abcdefghi'[col]}{row + 1}-{'abcdefghi'[last_col]}{last_row + 1}"


def cells(position: Position) -> list[list[int]]:
    look, board = position.game.type.look, position.game.board
    assert isinstance(look, Look)
    standing = look.standing(board, position.state)
    return [[standing[cell] for cell in row] for row in reversed(look.layout_of(board).rows)]


def changed(one: Position, two: Position) -> tuple[int, int]:
    before, after = cells(one), cells(two)
    return next(
        (row, col)
        for row, line in enumerate(before)
        for col, mark in enumerate(line)
        if mark != after[row][col]
    )


def passed(position: Position) -> Position:
    """The same board with the other to move."""
    board, mover = position.text.split(" ")
    return position.game.from_text(f"{board} {'o' if mover == 'x' else 'x'}")


def winning(position: Position) -> list[str]:
    """The moves that end the game at once in the mover's favour."""
    return [move for move in position.legal if position.play(move).winner == position.to_move]


def named(text: str) -> list[str]:
    """Taken apart again: 'a, b and c'."""
    return re.split(r", | and ", text)


def always_wins_next(position: Position) -> bool:
    """Whatever the one to move does, the other wins with his next move."""
    return not winning(position) and all(winning(position.play(move)) for move in position.legal)


# ---- one check for each kind of reason -----------------------------------------------------


def wins(seen: ObservedMove, k: str, lines: str) -> bool:
    complete = seen.lines(seen.after, seen.mover)
    return seen.after.winner == seen.mover and set(named(lines)) == complete and k == word(seen)


def blocks(seen: ObservedMove, k: str, lines: str) -> bool:
    instead = passed(seen.position).play(seen.move)
    return (
        instead.winner == 3 - seen.mover
        and set(named(lines)) == seen.lines(instead, 3 - seen.mover)
        and k == word(seen)
    )


def threatens(seen: ObservedMove, k: str, lines: str, answer: str) -> bool:
    wanted = passed(seen.after)
    others = [move for move in seen.after.legal if move != answer]
    return (
        winning(wanted) == [answer]
        and set(named(lines)) == seen.lines(wanted.play(answer), seen.mover)
        and not winning(seen.after)
        and all(winning(seen.after.play(move)) for move in others)
    )


def threats(seen: ObservedMove, count: str, where: str | None) -> bool:
    found = winning(passed(seen.after))
    told = named(where) if where else found
    return (
        NUMBERS.index(count) == len(found)
        and set(told) == set(found)
        and always_wins_next(seen.after)
    )


def on_top(seen: ObservedMove, column: str) -> bool:
    after = seen.after.play(column)
    return winning(passed(seen.after)) == [column] == winning(after) and always_wins_next(
        seen.after
    )


def forestalls(seen: ObservedMove) -> bool:
    instead = passed(seen.position).play(seen.move)
    return len(winning(passed(instead))) >= 1 and always_wins_next(instead)


def sets_up(seen: ObservedMove, lines: str, must: str | None, column: str) -> bool:
    """Put the disc where it cannot be dropped yet; then fill the board up around it."""
    col, grid = int(column) - 1, cells(seen.after)
    landing = next(row for row in range(seen.rows) if not grid[row][col])
    for row in range(landing + 1, seen.rows):
        completed = [
            (name, line)
            for name, line in seen.every_line()
            if (row, col) in line
            and all(cell == (row, col) or grid[cell[0]][cell[1]] == seen.mover for cell in line)
        ]
        new = bool(completed) and all(seen.cell in line for _, line in completed)
        if new and {name for name, _ in completed} == set(named(lines)):
            return last_below(grid, row, col, 3 - seen.mover) == (
                3 - seen.mover if must else seen.mover
            )
    return False


def last_below(grid: list[list[int]], row: int, col: int, turn: int) -> int:
    """Who has to play right below a cell, if both fill everything else first."""
    heights = [sum(bool(line[c]) for line in grid) for c in range(len(grid[0]))]
    while True:
        room = [
            c for c, height in enumerate(heights) if height < (row - 1 if c == col else len(grid))
        ]
        if not room:
            return turn
        heights[random.Random(sum(heights)).choice(room)] += 1
        turn = 3 - turn


def keeps_out(seen: ObservedMove, columns: str, lines: str) -> bool:
    found = set()
    for column in named(columns):
        fallen = seen.position.play(column)
        if fallen.over or column not in winning(fallen):
            return False
        found |= seen.lines(fallen.play(column), 3 - seen.mover)
    return found == set(named(lines))


def leaves_none(seen: ObservedMove) -> bool:
    """The other never wins, in random games to the end in which the mover makes no line first."""
    rng = random.Random(seen.position.text)
    for _ in range(20):
        position = seen.after
        while not position.over:
            position = position.play(rng.choice(position.legal))
        if position.winner == 3 - seen.mover:
            return False
    return open_lines(seen, 3 - seen.mover) == 0


def keeps_ways(seen: ObservedMove, count: str) -> bool:
    return NUMBERS.index(count) == open_lines(seen, seen.mover)


def open_lines(seen: ObservedMove, player: int) -> int:
    """Lines without a disc of the other's that the player has moves enough left to fill."""
    grid = cells(seen.after)
    empty = sum(not mark for line in grid for mark in line)
    left = empty // 2 if player == seen.mover else (empty + 1) // 2
    count = 0
    for _, line in seen.every_line():
        marks = [grid[row][col] for row, col in line]
        count += 3 - player not in marks and marks.count(0) <= left
    return count


def lies_on(seen: ObservedMove, count: str) -> bool:
    def crossing(move: str) -> int:
        at = changed(seen.position, seen.position.play(move))
        grid = cells(seen.position)
        return sum(
            at in line and all(grid[row][col] != 3 - seen.mover for row, col in line)
            for _, line in seen.every_line()
        )

    own = crossing(seen.move)
    others = [crossing(move) for move in seen.position.legal if move != seen.move]
    return NUMBERS.index(count) == own > max(others, default=0)


def middle(seen: ObservedMove) -> bool:
    row, col = seen.cell
    across = abs(col - (seen.cols - 1) / 2) < 1
    return across if seen.drops else across and abs(row - (seen.rows - 1) / 2) < 1


def corner(seen: ObservedMove) -> bool:
    return seen.cell in [(r, c) for r in (0, seen.rows - 1) for c in (0, seen.cols - 1)]


def word(seen: ObservedMove) -> str:
    return NUMBERS[seen.length]


CHECKS: list[tuple[str, Callable[..., bool]]] = [
    (r"wins at once, with (\w+) on (.+)", wins),
    (r"blocks an? (\w+) on (.+)", blocks),
    (r"threatens an? (\w+) on (.+): the opponent must answer (?:at|in column) (\w+)", threatens),
    (r"makes (\w+) threats at once(?: \((?:columns )?(.+)\))?: only one can be stopped", threats),
    (r"makes two threats, one on top of the other, in column (\d+)", on_top),
    (r"takes the cell where the opponent would make two threats at once", forestalls),
    (r"takes the place where the opponent would make two threats at once", forestalls),
    (
        r"sets up a four on (.+?)(?:, once the opponent opens it|( that the opponent must finally "
        r"open)) in column (\d+)",
        sets_up,
    ),
    (r"avoids columns? (.+), which would give the opponent a four on (.+)", keeps_out),
    (r"leaves the opponent no way to win", leaves_none),
    (r"keeps (\w+) ways? to win", keeps_ways),
    (r"lies on (\w+) open lines, more than any other (?:cell|column)", lies_on),
    (r"takes the middle", middle),
    (r"takes a corner", corner),
]


@pytest.mark.parametrize(("spec", "games"), GAMES)
def test_every_reason_is_true(spec: str, games: int) -> None:
    game = plywise.game(spec)
    rng = random.Random(spec)
    for _ in range(games):
        position = game.start()
        while not position.over:
            move = rng.choice(position.legal)
            check(position, move)
            for win in winning(position):  # a win is never left unsaid
                assert reasons(position, win)[0].startswith("wins at once")
            position = position.play(move)


def test_every_kind_of_reason_occurs() -> None:
    kinds = set()
    for spec, games in GAMES:
        game, rng = plywise.game(spec), random.Random(spec)
        for _ in range(games):
            position = game.start()
            while not position.over:
                for move in position.legal:
                    kinds |= {kind(text) for text in reasons(position, move)}
                position = position.play(rng.choice(position.legal))
    assert kinds == {pattern for pattern, _ in CHECKS}


def reasons(position: Position, move: str) -> list[str]:
    of_game = position.game.type.words.reasons
    assert of_game is not None
    return list(of_game(position.game.board, position.state, position.code_of(move)))


def kind(reason: str) -> str:
    return next(pattern for pattern, _ in CHECKS if re.fullmatch(pattern, reason))


def check(position: Position, move: str) -> None:
    seen = ObservedMove(position, move)
    for reason in reasons(position, move):
        for pattern, holds in CHECKS:
            found = re.fullmatch(pattern, reason)
            if found is not None:
                assert holds(seen, *found.groups()), (position, move, reason)
                break
        else:
            pytest.fail(f"nothing checks {reason!r}")
    if passed(position).play(move).winner == 3 - seen.mover and not seen.after.over:
        assert reasons(position, move)[0].startswith("blocks")


@pytest.mark.parametrize(
    ("spec", "moves", "move", "expected"),
    [
        ("tictactoe", "a1 b2 a2 c1", "a3", ["wins at once, with three on column a"]),
        ("tictactoe", "a1 b2 c3 c1", "a3", ["blocks a three on the diagonal a3-c1"]),
        ("connect4", "414141", "4", ["wins at once, with four on column 4"]),
        ("connect4", "41414", "4", ["blocks a four on column 4"]),
        ("connect4", "4455", "6", ["makes two threats at once (columns 3 and 7)"]),
    ],
)
def test_examples(spec: str, moves: str, move: str, expected: list[str]) -> None:
    found = reasons(plywise.game(spec).position(moves), move)
    assert [text.partition(":")[0] for text in found[: len(expected)]] == expected
