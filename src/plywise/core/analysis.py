"""The input and output of a search: `Limits`, `Stop`, `Analysis`; and work that is cancelled."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field, fields
from functools import lru_cache
from numbers import Integral, Real
from typing import TYPE_CHECKING, Any, Literal

import numpy as np

import plywise
from plywise.errors import PlywiseError, SpecError

if TYPE_CHECKING:
    from plywise.core.position import Position

Outcome = Literal["win", "draw", "loss"]

#: The kind of `Analysis.score`: "estimate" for an evaluation, "points" for a final margin, or
#: the name of a game's own exact score.
ScoreKind = str


#: What each limit can be: 30 years, and counts that fit into 64 bits.
_RANGES = (
    ("time", Real, "a number", 0, 1e9),
    ("depth", Integral, "a whole number", 1, 1e15),
    ("nodes", Integral, "a whole number", 1, 1e15),
)


@dataclass(frozen=True)
class Limits:
    """Limits of a search; None means no limit. For mcts a playout counts as a node.

    >>> Limits(time=2.0) & Limits(time=0.5, depth=8)
    Limits(time=0.5, depth=8, nodes=None)

    Attributes:
        time: seconds.
        depth: plies.
        nodes: positions; for mcts, playouts.
    """

    time: float | None = None
    depth: int | None = None
    nodes: int | None = None

    def __post_init__(self) -> None:
        for name, kind, words, least, most in _RANGES:
            limit = getattr(self, name)
            if limit is None:
                continue
            number = isinstance(limit, kind) and not isinstance(limit, bool)
            if not (number and least <= limit <= most):
                right = f"{name} must be {words} from {least} to {most:g}"
                raise SpecError(f"{name}={limit!r} is not valid: {right}")

    def __and__(self, other: Limits) -> Limits:
        """Combine two limits: the tighter of each."""
        pairs = zip(vars(self).values(), vars(other).values(), strict=True)
        given = ([limit for limit in pair if limit is not None] for pair in pairs)
        return Limits(*(min(limits, default=None) for limits in given))

    def __bool__(self) -> bool:
        return self != Limits()


class Stop:
    """A flag that stops a running search within a millisecond or so; set it from any thread."""

    def __init__(self) -> None:
        self.flag = np.zeros(1, np.uint8)  # kernels read this array without holding the GIL

    def set(self) -> None:
        """Make every search with this flag return what it has."""
        self.flag[0] = 1

    def is_set(self) -> bool:
        """Return True once `set` was called."""
        return bool(self.flag[0])


@dataclass(frozen=True)
class Line:
    """One legal move and its score, from the point of view of the side that plays it.

    Attributes:
        move: its text.
        value: from -1 to 1, on the same scale for all games.
        score: the game's own score.
        outcome: `win`, `draw` or `loss`, if that is proved.
        plies_to_end: how long it takes, if that is proved.
        pv: the principal variation, beginning with the move.
        score_kind: what `score` is, as in an Analysis. A search may know the margin of one move
            and only estimate that of another.
    """

    move: str
    value: float
    score: float
    outcome: Outcome | None = None
    plies_to_end: int | None = None
    pv: tuple[str, ...] = ()
    score_kind: ScoreKind = "estimate"

    @property
    def margin(self) -> float | None:
        """The final margin, if it is proved."""
        return self.score if self.score_kind == "points" else None

    def to_json(self) -> dict[str, Any]:
        """Return plain data, for `--json` and the web."""
        return {"move": self.move, **_plain_verdict(self)}


@dataclass(frozen=True)
class Analysis:
    """The result of a search, from the point of view of the side to move.

    Attributes:
        best: the best move; None if the game is over.
        value: from -1 to 1, on the same scale for all games; exactly -1, 0 or 1 by proof.
        score: the game's own score.
        score_kind: what `score` is: `estimate`, `points`, or the name of the game's own exact
            score.
        outcome: `win`, `draw` or `loss`, if that is proved.
        plies_to_end: how long it takes, if that is proved.
        pv: the principal variation: best play from here.
        lines: a Line for every legal move, if they were asked for.
        depth: how many plies ahead it searched.
        nodes: how many positions it looked at; for mcts, playouts.
        seconds: how long it took.
        tree: the recorded tree of `minimax` and `textbook`, if requested.
    """

    best: str | None
    value: float
    score: float
    score_kind: ScoreKind = "estimate"
    outcome: Outcome | None = None
    plies_to_end: int | None = None
    pv: tuple[str, ...] = ()
    lines: tuple[Line, ...] = ()
    depth: int = 0
    nodes: int = 0
    seconds: float = 0.0
    tree: Any = field(default=None, repr=False, compare=False)

    @property
    def line(self) -> Line:
        """The best move as a Line."""
        facts = vars(self)
        shared = {each.name: facts[each.name] for each in fields(Line) if each.name in facts}
        return Line(self.best or "", **shared)

    @property
    def best_moves(self) -> tuple[str, ...]:
        """All moves as good as the best; empty unless the result is proved and has lines."""
        if self.outcome is None:
            return ()
        return tuple(line.move for line in self.lines if line.score == self.score)

    def _repr_html_(self) -> str:
        """Return what a notebook shows."""
        return plywise.views.analysis_html(self)

    def to_json(self) -> dict[str, Any]:
        """Return plain data, for `--json` and the web."""
        return {
            "best": self.best,
            **_plain_verdict(self),
            "depth": self.depth,
            "nodes": self.nodes,
            "seconds": round(self.seconds, 6),
        }


def _plain_verdict(found: Line | Analysis) -> dict[str, Any]:
    """Return what a Line and an Analysis have in common, as plain data."""
    return {
        "value": round(found.value, 4),
        "score": plain(found.score),
        "score_kind": found.score_kind,
        "outcome": found.outcome,
        "plies_to_end": found.plies_to_end,
        "pv": list(found.pv),
    }


#: Called with what is known so far, between iterations.
OnInfo = Callable[[Analysis], None]


@lru_cache(1024)  # a position is drawn again and again, with the same lines
def own_moves(position: Position, line: tuple[str, ...]) -> int:
    """Return how many moves of a line the side to move plays.

    >>> import plywise
    >>> own_moves(plywise.game("tictactoe").start(), ("b2", "a1", "c3"))
    2
    """
    me, count = position.turn, 0
    for move in line:
        count += position.turn == me
        position = position.play(move)
    return count


def moves_to_win(position: Position, found: Analysis | Line) -> int | None:
    """Return in how many moves of their own the winner wins; None if that is not known.

    They are counted along the proved line, since a player may move twice in a row: a line that
    stops before the end of the game tells nothing.
    """
    if found.outcome not in ("win", "loss") or len(found.pv) != found.plies_to_end:
        return None
    own = own_moves(position, found.pv)
    return (own if found.outcome == "win" else len(found.pv) - own) or None


def own_figure(kind: ScoreKind) -> bool:
    """Return True for a game's own exact score.

    >>> own_figure("points")
    False
    """
    return kind not in ("estimate", "points")


def plain(score: float) -> int | float:
    """Return a score as a plain Python number, an int if it is whole.

    >>> plain(3.0), plain(0.5)
    (3, 0.5)
    """
    number = round(float(score), 4)
    return int(number) if number == int(number) else number


def flip(outcome: Outcome) -> Outcome:
    """Return the outcome from the opponent's point of view.

    >>> flip("win"), flip("draw")
    ('loss', 'draw')
    """
    return {"win": "loss", "draw": "draw", "loss": "win"}[outcome]  # type: ignore[return-value]


def outcome_of(margin: float) -> Outcome:
    """Return the outcome for the side whose margin this is.

    >>> outcome_of(-18)
    'loss'
    """
    return "win" if margin > 0 else "loss" if margin < 0 else "draw"


# ---- cancelling ----------------------------------------------------------------------------------

# Searches of games have a `Stop`. Other work, such as the solver of a puzzle, may be deep inside
# plain functions: it calls `check_cancelled`, which costs next to nothing and raises if the caller
# has gone. Whoever runs the work may also use these moments to let others go first.

OnCheck = Callable[[], None]

_running: ContextVar[tuple[Stop, OnCheck | None] | None] = ContextVar("running", default=None)


class Cancelled(PlywiseError):
    """The work was cancelled: its client has gone."""


@contextmanager
def cancellable(stop: Stop, on_check: OnCheck | None = None) -> Iterator[None]:
    """Let `stop` cancel what runs here, in this thread; `on_check` is called where it asks."""
    before = _running.set((stop, on_check))
    try:
        yield
    finally:
        _running.reset(before)


def check_cancelled() -> None:
    """Raise Cancelled if the work that this thread does was cancelled."""
    running = _running.get()
    if running is None:
        return
    stop, on_check = running
    if on_check is not None:
        on_check()
    if stop.is_set():
        raise Cancelled("cancelled: the client has gone")
