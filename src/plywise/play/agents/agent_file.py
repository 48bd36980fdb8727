"""The forms of an agent file: a function `get_move`, a class `AIPlayer`, an agent of Kaggle.

Of each, `begin` starts a new game as player 1 or 2, and `move` returns the text of a move, which
is not checked; it should take at most so many seconds.
"""

from __future__ import annotations

import operator
import sys
from collections.abc import Callable
from inspect import signature
from pathlib import Path
from types import ModuleType
from typing import Any

from plywise.core.files import load_module
from plywise.core.position import Position
from plywise.errors import SpecError, Unsupported
from plywise.kit.cells import cell_text
from plywise.kit.look import Look

Cell = str | None
SYMBOLS: tuple[Cell, ...] = (None, "X", "O")  #: the contents of a cell of `AIPlayer`'s state


class Rows(list[list[Cell]]):
    """A list of rows that also works like a NumPy array: cells by a pair, deep copies.

    >>> rows = Rows([[None, "X"], [None, None]])
    >>> copy = rows.copy()
    >>> copy[1, 0] = "O"
    >>> rows[1, 0], copy[1][0], copy[0, 1]
    (None, 'O', 'X')
    """

    def copy(self) -> Rows:
        """Return a copy with its own rows, so that an agent can try moves on it."""
        return Rows(row.copy() for row in self)

    def __getitem__(self, at: Any) -> Any:
        return (
            super().__getitem__(at[0])[at[1]] if isinstance(at, tuple) else super().__getitem__(at)
        )

    def __setitem__(self, at: Any, value: Any) -> None:
        if isinstance(at, tuple):
            super().__getitem__(at[0])[at[1]] = value
        else:
            super().__setitem__(at, value)


class Function:
    """`get_move(state, player)`: the Position, and 1 or 2."""

    def __init__(self, get_move: Callable[[Position, int], object]) -> None:
        self.get_move = get_move
        self.player = 1

    def begin(self, player: int) -> None:
        """Start a new game."""
        self.player = player

    def move(self, position: Position, seconds: float) -> str:
        """Return the function's answer."""
        return str(self.get_move(position, self.player))


class Course:
    """`AIPlayer(name, symbol, isAI).get_move(state, player)`, created again for each game.

    The state is a list of rows, the top one first, of None, 'X' and 'O'; the player is a symbol.
    The answer is a pair, row and column, both from 0, or the text of a move. In a game of points
    `add_score(points)`, if defined, is called with what the last answer scored.
    """

    def __init__(self, kind: Callable[..., Any], name: str) -> None:
        self.kind = kind
        self.name = name
        self.begin(1)

    def begin(self, player: int) -> None:
        """Start a new game."""
        self.symbol = SYMBOLS[player]
        self.player = self.kind(self.name, self.symbol, True)
        self.score = 0  # the points passed to add_score so far

    def move(self, position: Position, seconds: float) -> str:
        """Return the player's answer."""
        rows = rows_of(position)
        self._add_score(position)
        return cell_of(self.player.get_move(rows, self.symbol), len(rows), len(rows[0]))

    def _add_score(self, position: Position) -> None:
        """Pass on the points its moves have scored since the last question."""
        add_score = getattr(self.player, "add_score", None)
        if position.game.points and position.scores is not None and callable(add_score):
            score = position.scores[position.turn]
            add_score(score - self.score)
            self.score = score


class Fields(dict[str, Any]):
    """A dictionary whose entries are also attributes, as Kaggle's environments pass them.

    >>> fields = Fields(rows=6)
    >>> fields.rows, fields["rows"]
    (6, 6)
    """

    def __getattr__(self, name: str) -> Any:
        try:
            return self[name]
        except KeyError as error:
            raise AttributeError(name) from error


class Observer:
    """`agent(observation, configuration)` of Kaggle's ConnectX, or with the observation alone.

    `observation.board` is a list of 0, 1 and 2, row by row from the top; `observation.mark` is the
    player. The configuration has the parameters of the game, with `columns` for `cols`, and
    `timeout` in seconds. The answer is a number: the place of the move among all moves there are,
    such as the column, from 0.
    """

    def __init__(self, agent: Callable[..., Any], takes: int) -> None:
        self.agent, self.takes = agent, takes

    def begin(self, player: int) -> None:
        """Start a new game."""
        self.player = player

    def move(self, position: Position, seconds: float) -> str:
        """Return the agent's answer."""
        rows = rows_of(position, "an agent of Kaggle")
        observation = Fields(
            board=[SYMBOLS.index(cell) for row in rows for cell in row],
            mark=self.player,
            step=len(position.moves),
            remainingOverageTime=0.0,
        )
        game = position.game
        configuration = Fields(game.params)
        configuration |= {"rows": len(rows), "columns": len(rows[0])}
        configuration |= {"timeout": seconds, "actTimeout": seconds}
        configuration |= {"episodeSteps": game.max_plies + 1}
        answer = self.agent(*(observation, configuration)[: self.takes])
        try:
            code = operator.index(answer)
        except TypeError:
            return str(answer)
        return position.text_of(code) if code in position.legal_codes else f"number {code}"


Agent = Function | Course | Observer


def observer(module: ModuleType) -> Observer | None:
    """Return the last function of a file, if its first parameter is an observation."""
    functions = [
        value
        for value in vars(module).values()
        if callable(value) and not isinstance(value, type) and not hasattr(value, "__path__")
    ]
    if not functions:
        return None
    try:
        names = list(signature(functions[-1]).parameters)
    except (TypeError, ValueError):
        return None
    if names and names[0].startswith("obs"):
        return Observer(functions[-1], min(2, len(names)))
    return None


def load(file: Path) -> Agent:
    """Run an agent file. It can import modules next to it."""
    sys.path.insert(0, str(file.resolve().parent))
    module = load_module(file, "agent")
    get_move = getattr(module, "get_move", None)
    if callable(get_move):
        return Function(get_move)
    kind = getattr(module, "AIPlayer", None)
    if callable(kind):
        return Course(kind, file.stem)
    found = observer(module)
    if found is not None:
        return found
    raise SpecError(f"the agent file {file} does not define get_move(state, player)")


def rows_of(position: Position, who: str = "AIPlayer") -> Rows:
    """Return the board as a list of rows, the top one first.

    >>> import plywise
    >>> rows_of(plywise.game("tictactoe").position("a1 b3"))
    [[None, 'O', None], [None, None, None], ['X', None, None]]
    """
    game, look = position.game, position.game.type.look
    if isinstance(look, Look) and len(look.kinds) == len(SYMBOLS):
        layout = look.layout_of(game.board)
        if len(layout.shape) == 2 and not layout.slots:
            standing = look.standing(game.board, position.state)
            return Rows([SYMBOLS[standing[place]] for place in row] for row in layout.rows)
    raise Unsupported(f"{who} needs a board of rows and columns, which {game.name} does not have")


def cell_of(answer: object, rows: int, cols: int) -> str:
    """Return the text of a cell given as (row from the top, column); other answers unchanged.

    >>> cell_of([0, 1], 3, 3), cell_of("b3", 3, 3)
    ('b3', 'b3')
    """
    try:
        row, col = (operator.index(number) for number in answer)  # type: ignore[attr-defined]
    except (TypeError, ValueError):
        return str(answer)
    inside = 0 <= row < rows and 0 <= col < cols
    return cell_text((rows - 1 - row) * cols + col, cols) if inside else str(answer)
