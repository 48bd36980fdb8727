"""A game: its rules as plain functions, its parameters, and the facts an engine needs.

`GameType` is what an author writes ("Connect-4, any size"); `Game` is one with its parameters
fixed ("Connect-4 on 7 x 6"), and creates positions.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from operator import index
from pathlib import Path
from random import Random
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

import numpy as np

import plywise
from plywise.core.analysis import ScoreKind
from plywise.core.palette import INK, Palettes
from plywise.core.rules import Heuristic, Record, Rules, Verb, completed, quick, record_type
from plywise.core.spec import Immutable, Parameter, Spec, Value, bind, changed, format_spec
from plywise.errors import (
    AmbiguousMove,
    InvalidMove,
    MoveError,
    RulesError,
    SpecError,
    Unsupported,
    suggest,
)

if TYPE_CHECKING:
    from plywise.core.engine import Engine, Solver
    from plywise.core.position import Position
    from plywise.core.scene import Scene, Shape
    from plywise.kit.look import Look

__all__ = [
    "AgentType",
    "Game",
    "GameType",
    "Heuristic",
    "Record",
    "Rules",
    "Verb",
    "need_game",
]


@dataclass(frozen=True)
class AgentType(Immutable):
    """A kind of agent: its parameters, and how to make one for a game.

    Attributes:
        build: (game, **parameters) -> Engine.
        parameters: what may stand behind its name in a spec.
        help: what it is, in one line.
    """

    build: Callable[..., Engine]
    parameters: tuple[Parameter, ...] = ()
    help: str = ""


def _no_parameters(b: Record) -> None:
    """Leave the board record as it is."""


def no_text(b: Record, move: int) -> str:
    """Stand for a `move_text` that was left out."""
    raise NotImplementedError


@dataclass(frozen=True)
class Notation(Immutable):
    """How moves and positions are written, where it is not as the look writes them.

    Attributes:
        move_text: (b, move) -> text; needed only without a look. If every move is one character,
            moves may be written without spaces between them.
        read_move: (b, text) -> move; ValueError if it cannot be read. By default the text is looked
            up among the legal moves.
        to_text: (b, s) -> the canonical text of a position; by default the moves from the start.
        from_text: (b, s, text) -> None: set up the position of such a text; ValueError if it cannot
            be read.
        draw: (b, s) -> the board in plain text.
    """

    move_text: Callable[[Record, int], str] = no_text
    read_move: Callable[[Record, str], int] | None = None
    to_text: Callable[[Record, Record], str] | None = None
    from_text: Callable[[Record, Record, str], None] | None = None
    draw: Callable[[Record, Record], str] | None = None


@dataclass(frozen=True)
class Words(Immutable):
    """What people read about a game.

    Attributes:
        summary: the rules in one line.
        sample: the moves of a good game on the default board, for pictures.
        reason: (b, s) -> why the game is over, in words; called only when it is over.
        ending: (b, s) -> how the game was won, in a word or two, if there are several ways: the
            themes of exercises.
        reasons: (b, s, move) -> why the move is good, in words, the most important reason first;
            and shapes over its scene that show this, if there are any.
    """

    summary: str = ""
    sample: str = ""
    reason: Callable[[Record, Record], str] | None = None
    ending: Callable[[Record, Record], str] | None = None
    reasons: Callable[[Record, Record, int], Sequence[str | Shape]] | None = None


@dataclass(frozen=True)
class Strength(Immutable):
    """What engines know about a game besides its rules.

    Attributes:
        scale: the estimate at which the chances are about 3 : 1 (value 0.5).
        symmetries: (b) -> the symmetries of the board, each as a list of the image of every move;
            with the one that leaves all as it is, and all that follow from each other.
        heuristics: evaluations for the textbook searches, by name.
        agents: agents for this game alone, by name; `auto` at full strength is the one that is
            called `expert`.
        solver: (game, book) -> something with `solve(position, limits, on_info, stop)`, if the game
            has a better solver than the general one.
    """

    scale: float = 100.0
    symmetries: Callable[[Record], Sequence[Sequence[int]]] | None = None
    heuristics: Mapping[str, Heuristic] = field(default_factory=dict)
    agents: Mapping[str, AgentType] = field(default_factory=dict)
    solver: Callable[[Game, bool], Solver] | None = None


@dataclass(frozen=True)
class GameType(Immutable):
    """A game as its author defines it: `name`, `state`, `rules`, `sizes` and a `look` are enough.

    What only one game needs, it provides as a subclass: see the methods `bind`, `whole` and
    `exact`. Beside the rules may be a file `guide.md` with the rules for players, see
    `plywise.views.guide`, and a folder `nets` with the learned evaluations that ship with the game.

    Attributes:
        name: what it is called in specs, such as `mygame`.
        state: the type of its record, or the list of its fields.
        rules: its functions.
        sizes: (b) -> (max_moves, max_plies): moves are 0 .. max_moves - 1; no game lasts longer.
        look: the board and what stands on it: fills in the notation, the drawing and the picture.
        board: the type of the record that never changes, or the list of its fields.
        parameters: what may stand behind the name in a spec, such as `rows`.
        prepare: (b, **parameters): write the board record; raise a SpecError if that is impossible.
        title: by default its name with a capital letter.
        points: the largest possible margin of a game of points; 0 if games are won, lost or drawn.
        scores: (b, s) -> the points of both players.
        scene: (position) -> its picture; by default that of the look, or the text board.
        palette: the colours of its scenes.
        notation: how moves and positions are written, where it is not as the look writes them.
        words: what people read about it.
        strength: what engines know about it.
    """

    name: str
    state: np.dtype[Any]
    rules: Rules
    sizes: Callable[[Record], tuple[int, int]]
    look: Look | None = None
    board: np.dtype[Any] = field(default_factory=lambda: np.dtype((np.record, [("unused", "i1")])))
    parameters: tuple[Parameter, ...] = ()
    prepare: Callable[..., None] = _no_parameters
    title: str = ""
    points: int = 0
    scores: Callable[[Record, Record], tuple[int, int]] | None = None
    scene: Callable[[Position], Scene] | None = None
    palette: Palettes = INK
    notation: Notation = Notation()
    words: Words = Words()
    strength: Strength = Strength()

    def __post_init__(self) -> None:
        if not isinstance(self.palette, Palettes):
            right = "it must be Palettes(...), or INK"
            raise SpecError(f"{self.name} has the palette {self.palette!r:.60}: {right}")
        if not self.title:
            object.__setattr__(self, "title", self.name.capitalize())
        for part in ("state", "board"):
            kind = record_type(getattr(self, part), f"the {part} of {self.name}")
            object.__setattr__(self, part, quick(kind))
        object.__setattr__(self, "rules", completed(self.rules, self.state, self.name))
        self._complete({} if self.look is None else dict(self.look.fields(self)))
        if self.notation.move_text is no_text:
            raise SpecError(
                f"{self.name} does not say how its moves are written: give it a look, "
                "such as Look(square_board(8), 'cells'), or Notation(move_text=...)"
            )

    def _complete(self, given: dict[str, Any]) -> None:
        """Take from the look what the author left out."""
        own = self.notation
        if own.move_text not in (no_text, given.get("move_text")):
            given.pop("read_move", None)  # the look cannot read texts that the author writes
        scene = given.pop("scene", None)
        left_out = (None, no_text)
        missing = {name: each for name, each in given.items() if getattr(own, name) in left_out}
        object.__setattr__(self, "notation", replace(own, **missing))
        object.__setattr__(self, "scene", self.scene or scene)

    def __call__(self, spec: Spec | None = None) -> Game:
        """Return the game with these parameters, under the name in the spec."""
        spec = spec or Spec(self.name)
        return Game(self, self.bind(spec), spec.name)

    def bind(self, spec: Spec, rng: Random | None = None) -> Mapping[str, Value]:
        """Return the parameters of a spec; `rng`, for a new game, draws what it leaves open.

        A game overrides this if it draws anything, or replaces a file by what is in it.
        """
        return bind(spec, self.parameters, self.name)

    def whole(self, b: Record) -> Mapping[str, Value]:
        """Return parameters that hold the board itself, if the usual ones only say how to make it.

        A game whose boards are made by an algorithm overrides this.
        """
        return {}

    def exact(self, b: Record, s: Record, margin: int, plies: int | None) -> tuple[int, ScoreKind]:
        """Return the exact score of a proved margin of the side to move, and its kind.

        A game overrides this if it has a score of its own, which may depend on the plies that are
        left to the end; these are None as long as they are not known.
        """
        return margin, "points"

    @property
    def has_own_score(self) -> bool:
        """True if the game has an exact score of its own."""
        return type(self).exact is not GameType.exact

    @cached_property
    def folder(self) -> Path | None:
        """The folder of the rules; None for rules that are in no file."""
        try:
            file = Path(inspect.getfile(self.rules.setup))
        except TypeError:
            return None
        return file.parent if file.is_file() else None

    @property
    def guide(self) -> Path | None:
        """The file with the rules for players, if there is one."""
        file = None if self.folder is None else self.folder / "guide.md"
        return file if file is not None and file.is_file() else None

    @property
    def expert(self) -> str:
        """The name of the agent that `auto` uses at full strength."""
        return "expert" if "expert" in self.strength.agents else "alphabeta"

    def __reduce__(self) -> tuple[Any, ...]:
        """Pickle where it is found: rules are functions, and pickles hold no code."""
        return plywise.games.reference(self)


class Game(Immutable):
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
        return self.type.points > 0

    @property
    def max_margin(self) -> int:
        """The largest possible margin."""
        return self.type.points or 1

    @cached_property
    def spec(self) -> str:
        """The shortest spec that makes this game again."""
        return format_spec(self.called, self.changed)

    @cached_property
    def whole_spec(self) -> str:
        """A spec that contains the whole board, so that it never depends on how boards are made."""
        return format_spec(self.called, {**self.changed, **self.type.whole(self.board)})

    @property
    def changed(self) -> dict[str, Value]:
        """The parameters that are not the usual ones."""
        return changed(self.params, self.type.parameters)

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
        texts = self.split_moves(moves) if isinstance(moves, str) else tuple(moves)
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

        read = self.type.notation.from_text
        if read is None:
            return self.position(text)
        states = np.zeros(1, self.type.state)
        self.rules.setup(self.board, states[0])
        try:
            read(self.board, states[0], text)
        except ValueError as error:
            raise InvalidPosition(f"{text!r} is not a position of {self.spec}: {error}") from error
        return Position(self, states, origin=text)

    def split_moves(self, text: str) -> tuple[str, ...]:
        """Split a text into moves, without checking them."""
        words = text.replace(",", " ").split()
        if self._longest_text == 1:
            return tuple("".join(words))
        for word in words:
            if 0 < self._longest_text < len(word):
                raise AmbiguousMove(f"{word!r} is ambiguous: put spaces between the moves", text)
        return tuple(words)

    def join_moves(self, moves: Sequence[str]) -> str:
        """Join moves into one text."""
        return ("" if self._longest_text == 1 else " ").join(moves)

    @cached_property
    def _longest_text(self) -> int:
        """How long the texts of moves are, if the first is one character; else 0."""
        write = self.type.notation.move_text
        try:
            if len(write(self.board, 0)) != 1:
                return 0
            return max(len(write(self.board, move)) for move in range(self.max_moves))
        except Exception:  # not every number need be a move
            return 0

    def heuristic(self, name: str) -> Heuristic:
        """Return a heuristic by name."""
        heuristics = self.type.strength.heuristics
        if name in heuristics:
            return heuristics[name]
        known = suggest(name, heuristics)
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
