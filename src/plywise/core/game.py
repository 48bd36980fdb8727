"""A game: its rules as plain functions, its parameters, and the facts an engine needs.

`GameType` is what an author writes ("Connect-4, any size"); `Game` is one with its parameters
fixed ("Connect-4 on 7 x 6"), and creates positions.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from operator import index
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Protocol

import numpy as np

from plywise.core import services
from plywise.core.analysis import Outcome, ScoreKind
from plywise.core.palette import INK, Palettes, check_palette
from plywise.core.record import quick, record_type
from plywise.core.rules import Heuristic, Record, Rules, Verb
from plywise.core.spec import Parameter, Spec, Unchanging, Value, bind, format_spec
from plywise.errors import InvalidMove, MoveError, RulesError, SpecError, Unsupported, suggest

if TYPE_CHECKING:
    from plywise.core.engine import Engine, Solver
    from plywise.core.position import Position
    from plywise.core.scene import Scene, Shape
    from plywise.engines.net import shape

__all__ = [
    "AgentType",
    "Game",
    "GameType",
    "Heuristic",
    "Look",
    "Record",
    "Rules",
    "Verb",
    "need_game",
]


@dataclass(frozen=True)
class AgentType(Unchanging):
    """A kind of agent: its parameters, and how to make one for a game.

    Attributes:
        build: (game, **parameters) -> Engine.
        parameters: what may stand behind its name in a spec.
        help: what it is, in one line.
    """

    build: Callable[..., Engine]
    parameters: tuple[Parameter, ...] = ()
    help: str = ""


class Planes(Protocol):
    """Writes states as planes of bytes, seen by a player."""

    @property
    def shape(self) -> tuple[int, ...]:
        """The shape of the planes of one state."""
        ...

    @property
    def high(self) -> Any:
        """The largest number on each place of the planes, as an array of bytes."""
        ...

    def write(self, states: Any, players: Any, out: Any) -> None:
        """Write the planes of each state, seen by player 0 or 1, into a row of `out`."""
        ...


class Look(Protocol):
    """What a game looks like, described once; `plywise.kit.Look` is one."""

    def fields(self, kind: GameType) -> Mapping[str, Any]:
        """Return the fields of a GameType to fill in where its author left them out."""
        ...

    def planes(self, game: Game) -> Planes:
        """Return what writes the planes of many states at once."""
        ...

    def sight(self, game: Game) -> shape.Sight:
        """Return what a net sees: the contents of the places, and patterns of them."""
        ...


def _no_parameters(b: Record) -> None:
    """Leave the board record as it is."""


def _no_text(b: Record, move: int) -> str:
    """Stand for a `move_text` that was left out."""
    raise NotImplementedError


@dataclass(frozen=True)
class GameType(Unchanging):
    """A game as its author defines it: `name`, `state`, `rules`, `sizes` and a `look` are enough.

    All fields are keyword arguments of one class, so that an author needs no further imports.

    Attributes:
        name: what it is called in specs, such as `mygame`.
        state: the type of its record, or the list of its fields.
        rules: its functions.
        sizes: (b) -> (max_moves, max_plies): moves are 0 .. max_moves - 1; no game lasts longer.
        move_text: (b, move) -> text; needed only without a look.
        look: the board and what stands on it: fills in the notation, the drawing and the picture.
        board: the type of the record that never changes, or the list of its fields.
        parameters: what may stand behind the name in a spec, such as `rows`.
        prepare: (b, **parameters): write the board record; raise a SpecError if that is impossible.
        settle: (parameters) -> the parameters to keep, with every file replaced by its contents.
        whole: (b) -> parameters that contain the board itself, if the usual ones only say how to
            make it.
        points: whether the margin is a number of points; otherwise it is 1, 0 or -1.
        toss: whether a coin toss decides who starts, by default.
        max_margin: the largest possible margin.
        scores: (b, s) -> the points of both players.
        symmetries: (b) -> the symmetries of the board, each as a list of the image of every move.
        read_move: (b, text) -> move; ValueError if it cannot be read. By default the text is looked
            up among the legal moves.
        split_moves: (b, text) -> texts: split a string of moves.
        join_moves: (b, texts) -> text: join moves into one string.
        to_text: (b, s) -> the canonical text of a position; by default the moves from the start.
        from_text: (b, s, text) -> None: set up the position of such a text; ValueError if it cannot
            be read.
        draw: (b, s) -> the board in plain text.
        reason: (b, s) -> why the game is over, in words; called only when it is over.
        ending: (b, s) -> how the game was won, in a word or two, if there are several ways: the
            themes of exercises.
        exact: (b, s, outcome, plies_to_end) -> the game's own exact score and its kind.
        title: by default its name with a capital letter.
        summary: the rules in one line.
        guide: a Markdown file with the rules for players, see `plywise.core.guide`.
        sample: the moves of a good game on the default board, for pictures.
        scene: (position) -> its picture; by default the text board is drawn.
        palette: the colours of its scenes.
        colours: the names of the players' colours, if a person may choose between them; a game
            whose words or rules speak of its colours leaves this out.
        move_words: (b, move) -> the move as people say it, if its text is short for something.
        reasons: (b, s, move) -> why the move is good, in words, the most important reason first.
        marks: (position, move) -> shapes over its scene that show why the move is good.
        scale: the estimate at which the chances are about 3 : 1 (value 0.5).
        heuristics: evaluations for the textbook searches, by name.
        agents: agents for this game alone, by name.
        expert: the agent that `auto` uses at full strength.
        nets: a folder with learned evaluations that ship with the game, see `plywise.engines.net`.
        solver: (game, book) -> something with `solve(position, limits, on_info, stop)`, if the game
            has a better solver than the general one.
    """

    name: str
    state: np.dtype[Any]
    rules: Rules
    sizes: Callable[[Record], tuple[int, int]]
    move_text: Callable[[Record, int], str] = _no_text
    look: Look | None = None

    # ---- the board: its parameters and the points ----------------------------------------------

    board: np.dtype[Any] = field(default_factory=lambda: np.dtype((np.record, [("unused", "i1")])))
    parameters: tuple[Parameter, ...] = ()
    prepare: Callable[..., None] = _no_parameters
    settle: Callable[[Mapping[str, Value]], Mapping[str, Value]] | None = None
    whole: Callable[[Record], Mapping[str, Value]] | None = None
    points: bool = False
    toss: bool = False
    max_margin: int = 1
    scores: Callable[[Record, Record], tuple[int, int]] | None = None
    symmetries: Callable[[Record], Sequence[Sequence[int]]] | None = None

    # ---- notation: moves and positions as text -------------------------------------------------

    read_move: Callable[[Record, str], int] | None = None
    split_moves: Callable[[Record, str], Sequence[str]] | None = None
    join_moves: Callable[[Record, Sequence[str]], str] | None = None
    to_text: Callable[[Record, Record], str] | None = None
    from_text: Callable[[Record, Record, str], None] | None = None
    draw: Callable[[Record, Record], str] | None = None
    reason: Callable[[Record, Record], str] | None = None
    ending: Callable[[Record, Record], str] | None = None
    exact: Callable[[Record, Record, Outcome, int | None], tuple[int, ScoreKind]] | None = None

    # ---- look: what people see and read --------------------------------------------------------

    title: str = ""
    summary: str = ""
    guide: Path | None = None
    sample: str = ""
    scene: Callable[[Position], Scene] | None = None
    palette: Palettes = INK
    colours: tuple[str, str] | None = None
    move_words: Callable[[Record, int], str] | None = None
    reasons: Callable[[Record, Record, int], Sequence[str]] | None = None
    marks: Callable[[Position, int], Sequence[Shape]] | None = None

    # ---- strength: agents and solver -----------------------------------------------------------

    scale: float = 100.0
    heuristics: Mapping[str, Heuristic] = field(default_factory=dict)
    agents: Mapping[str, AgentType] = field(default_factory=dict)
    expert: str = "alphabeta"
    nets: Path | None = None
    solver: Callable[[Game, bool], Solver] | None = None

    def __post_init__(self) -> None:
        check_palette(self.palette, self.name)
        if not self.title:
            object.__setattr__(self, "title", self.name.capitalize())
        for part in ("state", "board"):
            kind = record_type(getattr(self, part), f"the {part} of {self.name}")
            object.__setattr__(self, part, quick(kind))
        given = {} if self.look is None else dict(self.look.fields(self))
        if self.move_text not in (_no_text, given.get("move_text")):
            given.pop("read_move", None)  # the look cannot read texts that the author writes
        for name, value in given.items():
            if getattr(self, name) in (None, _no_text):
                object.__setattr__(self, name, value)
        if self.move_text is _no_text:
            raise SpecError(
                f"{self.name} does not say how its moves are written: give it a look, "
                "such as Look(square_board(8), 'cells'), or move_text"
            )

    def __call__(self, spec: Spec | None = None) -> Game:
        """Return the game with these parameters, under the name in the spec."""
        spec = spec or Spec(self.name)
        params = bind(spec, self.parameters, self.name)
        return Game(self, params if self.settle is None else self.settle(params), spec.name)

    def __reduce__(self) -> tuple[Any, ...]:
        """Pickle where it is found: rules are functions, and pickles hold no code."""
        return services.games().reference(self)


class Game(Unchanging):
    """A game with its parameters fixed. Games are equal if their type and parameters are.

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
        self.params = MappingProxyType(dict(params))
        self.called = called or kind.name  # its registered name, or the file it came from
        self.boards = np.zeros(1, kind.board)
        kind.prepare(self.boards[0], **params)
        self.boards.flags.writeable = False
        self.board = self.boards[0]
        self.max_moves, self.max_plies = _sizes(kind, self.board)

    @property
    def name(self) -> str:
        """The name it is registered under."""
        return self.type.name

    @property
    def rules(self) -> Rules:
        """The functions that define the rules."""
        return self.type.rules

    @property
    def points(self) -> bool:
        """True if the game is won by points."""
        return self.type.points

    @cached_property
    def spec(self) -> str:
        """The shortest spec that makes this game again."""
        return format_spec(self.called, self.changed)

    @cached_property
    def whole_spec(self) -> str:
        """A spec that contains the whole board, so that it never depends on how boards are made."""
        whole = {} if self.type.whole is None else self.type.whole(self.board)
        return format_spec(self.called, {**self.changed, **whole})

    @property
    def changed(self) -> dict[str, Value]:
        """The parameters that are not the usual ones."""
        defaults = {parameter.name: parameter.default for parameter in self.type.parameters}
        return {key: value for key, value in self.params.items() if value != defaults[key]}

    def start(self) -> Position:
        """Return the position before the first move."""
        from plywise.core.position import Position

        states = np.zeros(1, self.type.state)
        self.rules.setup(self.board, states[0])
        return Position(self, states)

    def position(
        self, moves: str | Sequence[str] = (), *, start: Position | None = None
    ) -> Position:
        """Return the position after these moves, given as one text or one text per move.

        They are played from the start of the game, or from the position `start`.
        """
        position = self.start() if start is None else start
        if not isinstance(moves, Iterable):
            raise InvalidMove(f"{moves!r} is not a text of moves: put it in quotes", str(moves))
        texts = self.split_moves(moves, position) if isinstance(moves, str) else tuple(moves)
        for number, text in enumerate(texts, 1):
            try:
                position = position.play(text)
            except MoveError as error:
                if len(texts) == 1:
                    raise
                kind, words = type(error), f"move {number} of {len(texts)}: {error}"
                raise kind(words, error.text, error.position) from error
        return position

    def from_text(self, text: str) -> Position:
        """Return the position of a canonical text."""
        from plywise.core.position import Position
        from plywise.errors import InvalidPosition

        if self.type.from_text is None:
            return self.position(text)
        states = np.zeros(1, self.type.state)
        self.rules.setup(self.board, states[0])
        try:
            self.type.from_text(self.board, states[0], text)
        except ValueError as error:
            raise InvalidPosition(f"{text!r} is not a position of {self.spec}: {error}") from error
        return Position(self, states, origin=text)

    def split_moves(self, text: str, position: Position | None = None) -> tuple[str, ...]:
        """Split a text into moves, without checking them."""
        if self.type.split_moves is None:
            return tuple(text.replace(",", " ").split())
        from plywise.errors import AmbiguousMove

        try:
            return tuple(self.type.split_moves(self.board, text))
        except ValueError as error:
            raise AmbiguousMove(str(error), text, position) from error

    def join_moves(self, moves: Sequence[str]) -> str:
        """Join moves into one text, in the game's usual notation."""
        if self.type.join_moves is None:
            return " ".join(moves)
        return self.type.join_moves(self.board, moves)

    def heuristic(self, name: str) -> Heuristic:
        """Return a heuristic by name."""
        if name in self.type.heuristics:
            return self.type.heuristics[name]
        known = suggest(name, self.type.heuristics)
        raise Unsupported(f"{self.name} has no heuristic {name!r}: {known}")

    def same_board(self, other: Game) -> bool:
        """Return True if the rules and the board are the same, however the board was named."""
        same = self.type is other.type or self.type == other.type
        return same and bool(self.boards.tobytes() == other.boards.tobytes())

    def __reduce__(self) -> tuple[Any, ...]:
        return Game, (self.type, dict(self.params), self.called)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Game) and (self.type, self.params) == (other.type, other.params)

    def __hash__(self) -> int:
        return hash(self.spec)

    def __repr__(self) -> str:
        return f"plywise.game({self.spec!r})"


def _sizes(kind: GameType, board: Record) -> tuple[int, int]:
    """Return the largest number of moves and of plies, or say what is wrong with `sizes`."""
    right = "it must return two whole numbers, max_moves (1 or more) and max_plies"
    if not callable(kind.sizes):
        raise RulesError(f"sizes of {kind.name} is {kind.sizes!r:.60}, not a function: {right}")
    found = kind.sizes(board)
    try:
        moves, plies = (index(size) for size in found)
    except (TypeError, ValueError) as error:
        raise RulesError(f"sizes of {kind.name} returned {found!r:.60}: {right}") from error
    if moves < 1 or plies < 0:
        raise RulesError(f"sizes of {kind.name} returned {(moves, plies)}: {right}")
    return moves, plies


def need_game(thing: object, what: str) -> None:
    """Raise a TypeError that says how to make a game, unless this is one."""
    if not isinstance(thing, Game):
        raise TypeError(f"{what} needs a game, such as plywise.game('NAME'), not {thing!r:.60}")
