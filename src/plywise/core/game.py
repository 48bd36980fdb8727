"""A game: its rules as plain functions, its parameters, and the facts an engine needs.

`GameType` is what an author writes ("Connect-4, any size"); `Game` is one of them with its
parameters settled ("Connect-4 on 7 x 6") and is where positions come from.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from plywise.core.analysis import Outcome, ScoreKind
from plywise.core.palette import INK, Palettes
from plywise.core.record import quick
from plywise.core.spec import Parameter, Spec, Value, bind, format_spec
from plywise.errors import Unsupported, suggest

if TYPE_CHECKING:
    from plywise.core.engine import Engine, Solver
    from plywise.core.position import Position
    from plywise.core.report import ReportPlan
    from plywise.core.scene import Scene, Shape

#: A board or a state: one NumPy record. Rules get it as `b` (read only) and `s`.
Record = Any
#: A rule: a plain function over records that also compiles.
Verb = Callable[..., Any]


@dataclass(frozen=True)
class Rules:
    """The verbs of a game. Kernels ask for them by these names; None is "the game has none".

    Moves are integers from 0 up to the game's `max_moves`. Kernels trust their input:
    legality is the business of whoever calls `play`.
    """

    setup: Verb  #: (b, s) -> None: write the start position
    moves: Verb  #: (b, s, out) -> n: the legal moves, in a stable order
    play: Verb  #: (b, s, move) -> None: change s in place; the caller copied it
    turn: Verb  #: (b, s) -> 0 or 1: who moves (either, once the game is over)
    over: Verb  #: (b, s) -> bool: finished?
    margin: Verb  #: (b, s) -> int: by how much player 0 won; asked only when it is over
    key: Verb  #: (b, s) -> uint64: equal for equal futures
    evaluate: Verb | None = None  #: (b, s) -> int: estimate for the side to move
    #: (b, s) -> (lowest, highest) margin of player 0 that best play can still bring
    bounds: Verb | None = None
    forced: Verb | None = None  #: (b, s, out) -> n: the only moves that matter; 0 for all of them
    promise: Verb | None = None  #: (b, s, move) -> int: how good a move looks, to be tried first

    # What only `alphabeta` asks for; docs/engines.md shows how each is used.
    #: (b, s) -> (estimate, lowest, highest), all for the side to move: in place of `evaluate` and
    #: `bounds`, where one computation gives both. It is asked after the transposition table.
    assess: Verb | None = None
    #: (b, s, out) -> (plies, n): in place of `forced`; it also sees that the side to move wins in
    #: so many plies, or loses (a negative number), and by which move, out[0]; else 0 plies
    tactics: Verb | None = None
    #: (b, states, at, lists, ranks, depth) -> (plies, move, nodes): a win by threats alone, or 0
    #: plies; the rows of the arrays above `at` are scratch, `depth` is 0 at the horizon
    threats: Verb | None = None
    #: (b, s, move, tried, depth) -> plies by which a late move is first searched less deep
    reduction: Verb | None = None
    #: (b, s, depth) -> bool: pass, if that is worth trying; s is changed in place
    null_move: Verb | None = None


@dataclass(frozen=True)
class Heuristic:
    """One player's view of an undecided position, for the textbook searches.

    `function(b, s, player) -> float` need not be the negative of the other player's view.
    A won game counts `win` less the plies it took, a lost one the negative; in a game of
    points a finished game counts its margin times `win`.
    """

    function: Verb
    win: float = 1000.0
    help: str = ""


@dataclass(frozen=True)
class AgentType:
    """A way to play, by name: its parameters and how to make one for a game."""

    build: Callable[..., Engine]  #: (game, **parameters) -> Engine
    parameters: tuple[Parameter, ...] = ()
    help: str = ""


def _no_parameters(b: Record) -> None:
    """A board record that needs nothing written into it."""


@dataclass(frozen=True)
class GameType:
    """A game as its author writes it down. Only the first block is needed.

    The rest is grouped, but flat: an author writes keyword arguments and imports nothing for them.
    """

    name: str
    state: np.dtype[Any]
    rules: Rules
    #: (b) -> (max_moves, max_plies): moves are 0 .. max_moves - 1; no game lasts longer
    sizes: Callable[[Record], tuple[int, int]]
    #: (b, move) -> text
    move_text: Callable[[Record, int], str]

    # ---- the board: what can be set about it, and what it is worth -----------------------------

    board: np.dtype[Any] = field(default_factory=lambda: np.dtype((np.record, [("unused", "i1")])))
    parameters: tuple[Parameter, ...] = ()
    #: (b, **parameters): write the board record; a SpecError for what cannot be
    prepare: Callable[..., None] = _no_parameters
    #: (parameters) -> those by which the game is known from then on, none of them a file
    settle: Callable[[Mapping[str, Value]], Mapping[str, Value]] | None = None
    #: (b) -> parameters that hold the board itself, where the usual ones only say how to make it
    whole: Callable[[Record], Mapping[str, Value]] | None = None
    points: bool = False  #: is the margin a number of points? Otherwise it is 1, 0 or -1
    toss: bool = False  #: does a toss decide who begins, unless people say who does?
    max_margin: int = 1  #: the largest margin there can be
    #: (b, s) -> the points of both players
    scores: Callable[[Record, Record], tuple[int, int]] | None = None
    #: (b) -> the symmetries of the board, each as the list of where every move goes
    symmetries: Callable[[Record], Sequence[Sequence[int]]] | None = None

    # ---- notation: moves and positions as texts ------------------------------------------------

    #: (b, text) -> move; ValueError if it cannot be read. Without it a text is looked up
    #: among those of the legal moves.
    read_move: Callable[[Record, str], int] | None = None
    #: (b, text) -> texts: a game's moves in one string
    split_moves: Callable[[Record, str], Sequence[str]] | None = None
    #: (b, texts) -> the same in one string
    join_moves: Callable[[Record, Sequence[str]], str] | None = None
    #: (b, s) -> text and (b, s, text) -> None: the canonical text of a position, and back.
    #: from_text raises ValueError. Without them the moves from the start stand for it.
    to_text: Callable[[Record, Record], str] | None = None
    from_text: Callable[[Record, Record, str], None] | None = None
    #: (b, s) -> the board in plain text
    draw: Callable[[Record, Record], str] | None = None
    #: (b, s) -> why the game is over, in words; asked only when it is
    reason: Callable[[Record, Record], str] | None = None
    #: (b, s, outcome, plies_to_end) -> the game's own exact figure and its kind
    exact: Callable[[Record, Record, Outcome, int | None], tuple[int, ScoreKind]] | None = None

    # ---- look: what people see and read --------------------------------------------------------

    title: str = ""
    summary: str = ""  #: the rules in one line
    #: a file beside the rules that tells them to people: Markdown, see `plywise.web.api.guides`
    guide: Path | None = None
    sample: str = ""  #: the moves of a good game on the usual board, for pictures
    #: (position) -> what it looks like; without it a board is drawn as its text
    scene: Callable[[Position], Scene] | None = None
    palette: Palettes = INK  #: the colours of its scenes
    #: (b, s, move) -> why the move is good, in words, the weightiest first
    reasons: Callable[[Record, Record, int], Sequence[str]] | None = None
    #: (position, move) -> what shows on the board why the move is good, laid over its scene
    marks: Callable[[Position, int], Sequence[Shape]] | None = None

    # ---- strength: who plays it well -----------------------------------------------------------

    scale: float = 100.0  #: the estimate that makes a position about 3 : 1 (value 0.5)
    heuristics: Mapping[str, Heuristic] = field(default_factory=dict)
    agents: Mapping[str, AgentType] = field(default_factory=dict)
    expert: str = "alphabeta"  #: the agent that `auto` is at full strength
    #: (game, book) -> something with `solve(position, limits, on_info, stop)`, where the game
    #: has a better way to exact results than the searches that know no game
    solver: Callable[[Game, bool], Solver] | None = None
    report: ReportPlan | None = None  #: what `plywise report` measures unless told otherwise

    def __post_init__(self) -> None:
        object.__setattr__(self, "state", quick(self.state))
        object.__setattr__(self, "board", quick(self.board))

    def __call__(self, spec: Spec | None = None) -> Game:
        """The game with these parameters, under the name by which it was asked for."""
        spec = spec or Spec(self.name)
        params = bind(spec, self.parameters, self.name)
        return Game(self, params if self.settle is None else self.settle(params), spec.name)


class Game:
    """A game with its parameters settled. Two are equal if type and parameters are.

    >>> import plywise
    >>> game = plywise.game("tictactoe:rows=4,k=3")
    >>> game.spec, game.max_plies
    ('tictactoe:rows=4,k=3', 16)
    >>> game.position("b2 c2 b3").legal[:3]
    ('a1', 'b1', 'c1')
    """

    def __init__(
        self, kind: GameType, params: Mapping[str, Value], called: str | None = None
    ) -> None:
        self.type = kind
        self.params = params
        self.called = called or kind.name  # its registered name, or the file it came from
        self.boards = np.zeros(1, kind.board)
        kind.prepare(self.boards[0], **params)
        self.boards.flags.writeable = False
        self.board = self.boards[0]
        self.max_moves, self.max_plies = (int(size) for size in kind.sizes(self.board))

    @property
    def name(self) -> str:
        """The name it is registered under."""
        return self.type.name

    @property
    def rules(self) -> Rules:
        """The verbs."""
        return self.type.rules

    @property
    def points(self) -> bool:
        """Is it won by points?"""
        return self.type.points

    @cached_property
    def spec(self) -> str:
        """The shortest spec that gives this game again."""
        return format_spec(self.called, self._changed)

    @cached_property
    def whole_spec(self) -> str:
        """A spec that gives this game again even if boards are made in another way by then."""
        whole = {} if self.type.whole is None else self.type.whole(self.board)
        return format_spec(self.called, {**self._changed, **whole})

    @property
    def _changed(self) -> dict[str, Value]:
        defaults = {parameter.name: parameter.default for parameter in self.type.parameters}
        return {key: value for key, value in self.params.items() if value != defaults[key]}

    def start(self) -> Position:
        """The position before the first move."""
        from plywise.core.position import Position

        states = np.zeros(1, self.type.state)
        self.rules.setup(self.board, states[0])
        return Position(self, states)

    def position(self, moves: str | Sequence[str] = ()) -> Position:
        """The position after these moves: one text, or one for each move."""
        position = self.start()
        for text in self.split_moves(moves, position) if isinstance(moves, str) else moves:
            position = position.play(text)
        return position

    def from_text(self, text: str) -> Position:
        """The position that a canonical text means."""
        from plywise.core.position import Position
        from plywise.errors import InvalidPosition

        if self.type.from_text is None:
            return self.position(text)
        states = np.zeros(1, self.type.state)
        self.rules.setup(self.board, states[0])
        try:
            self.type.from_text(self.board, states[0], text)
        except ValueError as error:
            raise InvalidPosition(f"{text!r} is no position of {self.spec}: {error}") from error
        return Position(self, states, origin=text)

    def split_moves(self, text: str, position: Position | None = None) -> tuple[str, ...]:
        """The moves written in one text, one by one, not yet checked."""
        if self.type.split_moves is None:
            return tuple(text.replace(",", " ").split())
        from plywise.errors import AmbiguousMove

        try:
            return tuple(self.type.split_moves(self.board, text))
        except ValueError as error:
            raise AmbiguousMove(str(error), text, position) from error

    def join_moves(self, moves: Sequence[str]) -> str:
        """The moves in one text, as people write them."""
        if self.type.join_moves is None:
            return " ".join(moves)
        return self.type.join_moves(self.board, moves)

    def heuristic(self, name: str) -> Heuristic:
        """A heuristic by name; `evaluate` is there wherever the game has an evaluation."""
        if name in self.type.heuristics:
            return self.type.heuristics[name]
        known = suggest(name, self.type.heuristics)
        raise Unsupported(f"{self.name} has no heuristic {name!r}: {known}")

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Game) and (self.type, self.params) == (other.type, other.params)

    def __hash__(self) -> int:
        return hash(self.spec)

    def __repr__(self) -> str:
        return f"plywise.game({self.spec!r})"
