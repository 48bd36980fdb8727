"""A position: the checked interface to a game's rules. Immutable: `play` returns a new one."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

import plywise
from plywise.core.game import Game
from plywise.core.scene import Scene, scene_of
from plywise.core.spec import Immutable
from plywise.errors import IllegalMove, InvalidMove, RulesError

if TYPE_CHECKING:
    from plywise.core.analysis import Analysis

States = np.ndarray[Any, Any]


def opponent(player: int) -> int:
    """Return the opponent of player 1 or 2."""
    return 3 - player


class Position(Immutable):
    """A position of a game, with the moves that led to it.

    `states` is an array of one state record and belongs to the position; kernels get copies.

    >>> import plywise
    >>> position = plywise.game("connect4").position("4453")
    >>> position.text
    '7/7/7/7/3o3/2oxx2 x'
    >>> position.play("2").to_move
    2
    """

    def __init__(
        self,
        game: Game,
        states: States,
        moves: tuple[str, ...] = (),
        origin: str | None = None,
        last: int | None = None,
        before: Position | None = None,
    ) -> None:
        self.game = game
        self.states = states
        states.flags.writeable = False
        self.state = states[0]
        self.moves = moves
        self.origin = origin  # the text it was set up from; None if from the start of a game
        self.last = last  # the move that led here, as its integer; None if there was none
        self.before = before  # the position it was played in; None if there was none

    @cached_property
    def over(self) -> bool:
        """True if the game is over."""
        return bool(self.game.rules.over(self.game.board, self.state))

    @cached_property
    def turn(self) -> int:
        """The player to move as an index, 0 or 1, as in the rules."""
        return int(self.game.rules.turn(self.game.board, self.state))

    @property
    def to_move(self) -> int | None:
        """The player to move, 1 or 2; None when the game is over."""
        return None if self.over else self.mover

    @property
    def mover(self) -> int:
        """`turn` as player 1 or 2, even when the game is over."""
        return self.turn + 1

    @property
    def history(self) -> list[Position]:
        """Every position of the game, from the first to this one."""
        positions = [self]
        while (before := positions[-1].before) is not None:
            positions.append(before)
        return positions[::-1]

    @cached_property
    def legal_codes(self) -> tuple[int, ...]:
        """The legal moves as the integers that kernels use."""
        if self.over:
            return ()
        out = np.zeros(self.game.max_moves, np.int32)
        count = self.game.rules.moves(self.game.board, self.state, out)
        if count == 0:
            raise RulesError(
                f"{self.game.type.name} has no moves in a game that is not over: `over` must return"
                " True there, or `moves` write a pass"
            )
        return tuple(int(move) for move in out[:count])

    @cached_property
    def legal(self) -> tuple[str, ...]:
        """The legal moves, in the rules' order."""
        return tuple(self.text_of(move) for move in self.legal_codes)

    @cached_property
    def margin(self) -> int | None:
        """By how much player 1 won; None during the game."""
        return int(self.game.rules.margin(self.game.board, self.state)) if self.over else None

    @property
    def own_margin(self) -> int | None:
        """The margin from the point of view of the side to move."""
        return self.margin if self.margin is None or self.turn == 0 else -self.margin

    def to_json(self) -> dict[str, Any]:
        """Return plain data, as `plywise show --json` prints it."""
        return {
            "game": self.game.spec,
            "moves": list(self.moves),
            "to_move": self.to_move,
            "legal": list(self.legal),
            "over": self.over,
            "winner": self.winner,
            "scores": None if self.scores is None else [int(score) for score in self.scores],
            "reason": self.reason,
            "text": self.text,
        }

    @property
    def winner(self) -> int | None:
        """1, 2, 0 for a draw, None during the game."""
        if self.margin is None:
            return None
        return 1 if self.margin > 0 else 2 if self.margin < 0 else 0

    @property
    def scores(self) -> tuple[int, int] | None:
        """The points of both players, in a game that has points."""
        scores = self.game.type.scores
        return None if scores is None else scores(self.game.board, self.state)

    @property
    def gained(self) -> int:
        """The points that the last move scored, in a game that is won by points."""
        if not self.game.points or self.before is None:
            return 0
        mover = self.before.turn
        after, before = self.scores or (0, 0), self.before.scores or (0, 0)
        return after[mover] - before[mover]

    @property
    def reason(self) -> str | None:
        """Why the game is over, in words; None during the game."""
        if not self.over:
            return None
        if self.game.type.words.reason is not None:
            return self.game.type.words.reason(self.game.board, self.state)
        return "the game is over"

    @property
    def key(self) -> int:
        """Equal for positions with the same future."""
        with np.errstate(over="ignore"):  # a key may overflow on purpose
            return int(self.game.rules.key(self.game.board, self.state))

    @property
    def text(self) -> str:
        """The canonical text of the position; `game.from_text` reads it."""
        to_text = self.game.type.notation.to_text
        if to_text is None:
            return self.game.join_moves(self.moves)
        return to_text(self.game.board, self.state)

    def text_of(self, move: int) -> str:
        """Return the text of a move."""
        return self.game.type.notation.move_text(self.game.board, move)

    def words_of(self, text: str) -> str:
        """Return a legal move as people say it: "up" for `u`; by default its text."""
        said = {target.move: target.words for target in scene_of(self).targets}
        return said.get(text) or text

    def code_of(self, text: str) -> int:
        """Return the legal move of a text, or raise InvalidMove or IllegalMove."""
        if not isinstance(text, str):
            example = f", such as {self.legal[0]!r}" if self.legal else ""
            raise InvalidMove(f"{text!r} is not a move: moves are texts{example}", str(text), self)
        word = text.strip()
        if self.over:
            raise IllegalMove(f"{word!r} cannot be played: {self._ended}", text, self)
        if self.game.type.notation.read_move is None:
            if word in self.legal:
                return self.legal_codes[self.legal.index(word)]
            alike = [move for move, legal in zip(self.legal_codes, self.legal, strict=True)
                     if legal.lower() == word.lower()]  # fmt: skip
            if len(alike) == 1:
                return alike[0]
            raise InvalidMove(f"{word!r} is not a legal move: {self._choices}", text, self)
        try:
            move = self.game.type.notation.read_move(self.game.board, word)
        except ValueError as error:
            raise InvalidMove(f"{word!r} is not a move: {error}", text, self) from error
        if move not in self.legal_codes:
            raise IllegalMove(f"{word!r} is not legal here: {self._choices}", text, self)
        return move

    def play(self, text: str) -> Position:
        """Return the position after a move given as text."""
        return self.play_code(self.code_of(text))

    def play_code(self, move: int) -> Position:
        """Return the position after a legal move given as its integer, without checking it."""
        states = self.states.copy()
        with np.errstate(over="ignore"):  # as above: it may keep the key up to date
            self.game.rules.play(self.game.board, states[0], move)
        moves = (*self.moves, self.text_of(move))
        return Position(self.game, states, moves, self.origin, move, self)

    def svg(
        self, theme: str = "light", *, analysis: Analysis | None = None, legal: bool = False
    ) -> str:
        """Return the picture as SVG, with the legal moves and the lines of an analysis marked."""
        return plywise.views.draw_svg(self._marked(analysis, legal), theme)

    def png(
        self, theme: str = "light", *, analysis: Analysis | None = None, legal: bool = False
    ) -> bytes:
        """Return the same picture as the bytes of a PNG file."""
        return plywise.views.draw_png(self._marked(analysis, legal), theme)

    def apng(self, theme: str = "light", *, pace: float = 0.8) -> bytes:
        """Return the game so far as the bytes of an animated PNG file, `pace` seconds a move."""
        return plywise.views.draw_apng(map(scene_of, self.history), theme, pace)

    def _marked(self, analysis: Analysis | None, legal: bool) -> Scene:
        return plywise.views.marked(self, analysis, legal=legal)

    def _repr_svg_(self) -> str:
        """Return the picture that a notebook shows."""
        return self.svg()

    @property
    def _ended(self) -> str:
        return f"the game is over ({self.reason})"

    @property
    def _choices(self) -> str:
        some = self.legal if len(self.legal) <= 12 else (*self.legal[:10], "...", self.legal[-1])
        return "the legal moves are " + " ".join(some)

    def __str__(self) -> str:
        draw = self.game.type.notation.draw
        return self.text if draw is None else draw(self.game.board, self.state)

    def __reduce__(self) -> tuple[Any, ...]:
        """Pickle the first position of the game and the moves from there."""
        first, *later = self.history
        start = first.moves, first.origin, first.last
        return _replay, (self.game, first.states.tobytes(), start, [each.last for each in later])

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Position) or self.game != other.game:
            return False
        return bool(self.states.tobytes() == other.states.tobytes())

    def __hash__(self) -> int:
        return hash((self.game, self.states.tobytes()))

    def __repr__(self) -> str:
        if self.origin is not None and not self.moves:
            return f"{self.game!r}.from_text({self.origin!r})"
        if self.origin is not None:
            return f"<{self.game.spec} {self.text}>"
        return f"{self.game!r}.position({self.game.join_moves(self.moves)!r})"


def texts(position: Position, moves: Sequence[int]) -> tuple[str, ...]:
    """Return moves from `position` as texts."""
    return tuple(position.text_of(int(move)) for move in moves)


def need_position(thing: object, what: str) -> None:
    """Raise a TypeError that says how to make a position, unless this is one."""
    if not isinstance(thing, Position):
        raise TypeError(
            f"{what} needs a position, such as game.start() or game.position('...'),"
            f" not {thing!r:.60}"
        )


def _replay(game: Game, state: bytes, start: tuple[Any, ...], codes: Sequence[int]) -> Position:
    """Make a pickled position again."""
    position = Position(game, np.frombuffer(state, game.type.state).copy(), *start)
    for code in codes:
        position = position.play_code(code)
    return position
