"""The two shapes of an agent file: a function `get_move`, or a course's class `AIPlayer`."""

from __future__ import annotations

import operator
import re
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any, Protocol

from plywise.core.grid import cell_text, read_grid
from plywise.core.position import Position
from plywise.errors import SpecError, Unsupported
from plywise.games import load_module

SYMBOLS = (None, "X", "O")  #: what stands in a cell of `AIPlayer`'s state: nobody, player 1, 2
Rows = list[list[str | None]]


class Agent(Protocol):
    """An agent file that was loaded."""

    def begin(self, player: int) -> None:
        """A new game, as this player."""
        ...

    def move(self, position: Position) -> str:
        """The text of a move, not checked."""
        ...


class Function:
    """`get_move(state, player)`: the Position, and 1 or 2."""

    def __init__(self, get_move: Callable[[Position, int], object]) -> None:
        self.get_move = get_move
        self.player = 1

    def begin(self, player: int) -> None:
        """A new game."""
        self.player = player

    def move(self, position: Position) -> str:
        """What it answers."""
        return str(self.get_move(position, self.player))


class Course:
    """`AIPlayer(name, symbol, isAI).get_move(state, player)`, made anew for each game.

    The state is a list of rows, the top one first, of None, 'X' and 'O'; the player is a symbol.
    The answer is a pair, row and column, both from 0; the text of a move will do as well.
    """

    def __init__(self, kind: Callable[..., Any], name: str) -> None:
        self.kind = kind
        self.name = name
        self.begin(1)

    def begin(self, player: int) -> None:
        """A new game."""
        self.symbol = SYMBOLS[player]
        self.player = self.kind(self.name, self.symbol, True)

    def move(self, position: Position) -> str:
        """What it answers."""
        rows = rows_of(position)
        return cell_of(self.player.get_move(rows, self.symbol), len(rows), len(rows[0]))


def load(file: Path) -> Agent:
    """Run an agent file. Modules beside it can be imported."""
    sys.path.insert(0, str(file.resolve().parent))
    module = load_module(file, "agent")
    get_move = getattr(module, "get_move", None)
    if callable(get_move):
        return Function(get_move)
    kind = getattr(module, "AIPlayer", None)
    if callable(kind):
        return Course(kind, file.stem)
    raise SpecError(f"the agent file {file} defines no get_move(state, player)")


def rows_of(position: Position) -> Rows:
    """The board as a list of rows, the top one first.

    >>> import plywise
    >>> rows_of(plywise.game("tictactoe").position("a1 b3"))
    [[None, 'O', None], [None, None, None], ['X', None, None]]
    """
    rows = position.text.partition(" ")[0].split("/")
    cells = [int(cell) if cell.isdigit() else 1 for cell in re.findall(r"\d+|\D", rows[0])]
    try:
        grid, _ = read_grid(position.text, len(rows), sum(cells))
    except ValueError as error:
        name = position.game.name
        raise Unsupported(f"AIPlayer is for boards of rows and columns, not {name}") from error
    return [[SYMBOLS[cell] for cell in row] for row in reversed(grid)]


def cell_of(answer: object, rows: int, cols: int) -> str:
    """The text of a cell given as (row from the top, column); other answers as they are.

    >>> cell_of([0, 1], 3, 3), cell_of("b3", 3, 3)
    ('b3', 'b3')
    """
    try:
        row, col = (operator.index(number) for number in answer)  # type: ignore[attr-defined]
    except (TypeError, ValueError):
        return str(answer)
    inside = 0 <= row < rows and 0 <= col < cols
    return cell_text((rows - 1 - row) * cols + col, cols) if inside else str(answer)
