"""How good an agent is, exactly: the share of its moves that keep the value of a solved position.

The positions come from random play, the same number for each ply, and only those count in which
some move is worse than another. A solver says what every move is worth. All of it depends on the
random seed alone, and is kept in the cache, so the next agent is graded on the same positions.
"""

from __future__ import annotations

import hashlib
import json
import random
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import cached_property
from math import gcd
from pathlib import Path
from typing import Any

from plywise.core.analysis import Limits
from plywise.core.engine import Solver
from plywise.core.files import cache_folder
from plywise.core.game import Game
from plywise.core.position import Position
from plywise.engines.random import playouts
from plywise.engines.solve import solver
from plywise.errors import SpecError, Unsupported
from plywise.play.players import make_agent

NODES = 3_000_000  #: for one move; a position in which a solver needs more is left out
LONGEST = 10.0  #: ... and seconds, for solvers that count nodes in another way
TRIES = 1000  #: random games for one position; a ply without one is not tried again
UNSOLVED = 5  #: ... that may take too long; earlier plies are then not tried at all
GAMES = 200  #: random games that say how long a game lasts
SHARE = 0.75  #: plies up to this share of a random game, unless others are given
PHASES = ("early", "middle", "late")  #: thirds of the plies
#: How many moves keep the value.
DIFFICULTIES = ("one move", "under half", "half or more")

Plies = tuple[int, int]
OnMade = Callable[[], None]


@dataclass(frozen=True)
class Labelled:
    """A position and what every legal move is worth to the side that moves."""

    moves: tuple[str, ...]
    values: tuple[float, ...]

    @property
    def best(self) -> float:
        """What the best move is worth."""
        return max(self.values)

    @property
    def keeping(self) -> float:
        """The share of moves that keep the value: how often a random mover is right."""
        return self.values.count(self.best) / len(self.values)

    @property
    def difficulty(self) -> str:
        """How many moves keep the value."""
        if self.values.count(self.best) == 1:
            return DIFFICULTIES[0]
        return DIFFICULTIES[1 if self.keeping < 0.5 else 2]


@dataclass(frozen=True)
class GradedMove:
    """What an agent did in a position."""

    asked: Labelled
    value: float  #: of its move

    @property
    def kept(self) -> bool:
        """True if no move is better."""
        return self.value == self.asked.best


@dataclass(frozen=True)
class Row:
    """Some of the positions together."""

    positions: str  #: which ones
    count: int
    kept: float  #: the share of moves that keep the value
    loss: float  #: the mean loss of a move
    random: float  #: the share that a random mover keeps

    @classmethod
    def of(cls, positions: str, answers: Sequence[GradedMove]) -> Row:
        """Sum up; there must be one at least."""
        count = len(answers)
        return cls(
            positions,
            count,
            sum(answer.kept for answer in answers) / count,
            sum(answer.asked.best - answer.value for answer in answers) / count,
            sum(answer.asked.keeping for answer in answers) / count,
        )


@dataclass(frozen=True)
class Grade:
    """An agent's answers, and tables of them."""

    game: str
    agent: str
    plies: Plies
    answers: tuple[GradedMove, ...]

    @cached_property
    def total(self) -> Row:
        """All positions."""
        return Row.of("all", self.answers)

    @property
    def rows(self) -> list[Row]:
        """All positions, then by phase and by difficulty."""
        parts: dict[str, list[GradedMove]] = {name: [] for name in (*PHASES, *DIFFICULTIES)}
        for answer in self.answers:
            parts[self._phase(answer)].append(answer)
            parts[answer.asked.difficulty].append(answer)
        return [self.total, *(Row.of(name, part) for name, part in parts.items() if part)]

    def _phase(self, answer: GradedMove) -> str:
        low, high = self.plies
        return PHASES[min(2, 3 * (len(answer.asked.moves) - low) // (high - low + 1))]

    def to_json(self) -> dict[str, Any]:
        """Return plain data for `--json`."""
        rows = [vars(row) for row in self.rows]
        return {"game": self.game, "agent": self.agent, "plies": list(self.plies), "rows": rows}


def usual_plies(game: Game) -> Plies:
    """The plies to take positions from: up to three quarters of a random game."""
    found = playouts(game.start(), GAMES, seed=1)
    return 1, max(1, int(SHARE * found.plies / GAMES))


def labelled(
    game: Game, count: int, seed: int, plies: Plies, on_made: OnMade | None = None
) -> list[Labelled]:
    """Return positions, fewer than asked for if some plies have none; each is made only once."""
    low, high = plies
    if not 0 <= low <= high < game.max_plies:
        raise SpecError(
            f"plies {low} to {high} are not possible: a game has 0 to {game.max_plies - 1}"
        )
    file = _file(game, seed, plies)
    known = dict(_kept(file))
    wanted = [(_ply(number, low, high), number) for number in range(count)]
    maker: _Labeller | None = None
    for ply, number in sorted(
        wanted, reverse=True
    ):  # the last plies first: they are solved soonest
        if number not in known:
            maker = maker or _Labeller(game)
            known[number] = maker.made(seed, number, ply)
            _keep(file, number, known[number])
        if on_made is not None:
            on_made()
    found = [one for number in range(count) if (one := known[number]) is not None]
    if not found:
        raise Unsupported(
            f"no position of {game.spec} was solved in which the choice of a move matters: "
            "try later plies, or a smaller board"
        )
    return found


def _ply(number: int, low: int, high: int) -> int:
    """The ply of a position, so that any number of them is spread evenly.

    >>> [_ply(number, 4, 8) for number in range(7)]
    [4, 7, 5, 8, 6, 4, 7]
    """
    span = high - low + 1
    step = next(each for each in range(max(1, int(0.618 * span)), 0, -1) if gcd(each, span) == 1)
    return low + number * step % span


class _Labeller:
    """Makes positions with the solver of a game, the last plies first."""

    def __init__(self, game: Game) -> None:
        self.game = game
        self.solver: Solver = solver(game)
        self.barren: set[int] = set()  # plies without a position in which the choice matters
        self.horizon = 0  # earlier plies are too hard to solve

    def made(self, seed: int, number: int, ply: int) -> Labelled | None:
        """Return a position of this ply, or None if none is found."""
        if ply in self.barren or ply < self.horizon:
            return None
        unsolved = 0
        for attempt in range(TRIES):
            rng = random.Random(f"grade {seed} {number} {attempt}")
            position = self.game.start()
            while not position.over and len(position.moves) < ply:
                position = position.play(rng.choice(position.legal))
            if position.over:
                continue
            values = self._values(position)
            if values is None:
                unsolved += 1
                if unsolved > UNSOLVED:
                    break
            elif min(values) < max(values):
                return Labelled(position.moves, values)
        self.barren.add(ply)
        if unsolved > UNSOLVED:
            self.horizon = max(self.horizon, ply + 1)
        return None

    def _values(self, position: Position) -> tuple[float, ...] | None:
        values = []
        for move in position.legal:
            value = self._value(position.play(move), position.turn)
            if value is None:
                return None
            values.append(value)
        return tuple(values)

    def _value(self, after: Position, mover: int) -> float | None:
        """What a position is worth to a player: points where they are exact, or 1, 0 and -1."""
        if after.margin is not None:
            margin = float(after.margin if mover == 0 else -after.margin)
            return margin if self.by_points else float((margin > 0) - (margin < 0))
        found = self.solver.solve(after, Limits(nodes=NODES, time=LONGEST))
        if found.outcome is None or (self.by_points and found.score_kind != "points"):
            return None
        worth = found.score if self.by_points else {"win": 1, "draw": 0, "loss": -1}[found.outcome]
        return float(worth if after.turn == mover else -worth)

    @cached_property
    def by_points(self) -> bool:
        """True if the solver gives exact margins; others say who wins."""
        return self.game.points and not self.game.type.has_own_score


def _file(game: Game, seed: int, plies: Plies) -> Path:
    about = f"{game.whole_spec} {seed} {plies} {NODES} {TRIES}"
    digest = hashlib.sha256(about.encode()).hexdigest()[:16]
    return cache_folder() / "grades" / f"{game.name}-{digest}.jsonl"


def _kept(file: Path) -> Iterator[tuple[int, Labelled | None]]:
    """What earlier runs have made; a line that a killed one has left half written is skipped."""
    lines: list[str] = []
    with suppress(OSError, UnicodeError):
        lines = file.read_text(encoding="utf-8").splitlines()
    for line in lines:
        with suppress(ValueError, KeyError, TypeError):
            found = json.loads(line)
            made = found["moves"]
            one = None if made is None else Labelled(tuple(made), tuple(found["values"]))
            yield int(found["number"]), one


def _keep(file: Path, number: int, made: Labelled | None) -> None:
    line: dict[str, Any] = {"number": number, "moves": None}
    if made is not None:
        line |= {"moves": made.moves, "values": made.values}
    with suppress(OSError):  # a cache that cannot be written is only slower
        file.parent.mkdir(parents=True, exist_ok=True)
        with file.open("a", encoding="utf-8") as out:
            out.write(f"\n{json.dumps(line)}")  # after what a killed process has left


def grade(
    game: Game,
    agent: str,
    positions: Iterable[Labelled],
    plies: Plies,
    limits: Limits | None = None,
    on_asked: OnMade | None = None,
) -> Grade:
    """Ask an agent for its move in every position."""
    engine = make_agent(agent, game)
    answers = []
    for asked in positions:
        position = game.position(list(asked.moves))
        best = engine.search(position, limits or Limits()).best
        assert best is not None
        answers.append(GradedMove(asked, asked.values[position.legal.index(best)]))
        if on_asked is not None:
            on_asked()
    return Grade(game.spec, agent, plies, tuple(answers))
