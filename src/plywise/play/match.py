"""A match between two agents: alternating colours, equal openings, and what the result is worth."""

from __future__ import annotations

import math
import random
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

from plywise.core.analysis import Analysis, Limits
from plywise.core.engine import Engine
from plywise.core.game import Game
from plywise.core.position import Position
from plywise.core.spec import Spec
from plywise.engines.driver import NO_LIMITS
from plywise.errors import AgentError, MoveError, PlywiseError, SpecError, Unsupported, describe
from plywise.play.agents import LIMITS, make_agent, parameters

USUAL_TIME = 0.1  #: seconds a move for an agent that knows a clock and was given no limit
_TRIES = 1000  #: random openings looked at before a game counts as too short for them
_SEEDS = 2**31 - 1  #: the largest seed handed to an agent
_95 = 1.96  #: standard deviations either side that hold 95 % of a normal distribution


@dataclass(frozen=True)
class Match:
    """What came of a match, seen by `a`. The sums of seconds and moves are (a's, b's)."""

    game: str
    a: str
    b: str
    seed: int
    wins: int = 0
    draws: int = 0
    losses: int = 0
    seconds: tuple[float, float] = (0.0, 0.0)
    moves: tuple[int, int] = (0, 0)

    @property
    def games(self) -> int:
        """How many were played."""
        return self.wins + self.draws + self.losses

    @property
    def score(self) -> float | None:
        """The share of the points, a draw being half a point; None before the first game."""
        return (self.wins + self.draws / 2) / self.games if self.games else None

    @property
    def elo(self) -> tuple[float | None, float | None, float | None]:
        """The difference in Elo points and both ends of its 95 % interval.

        None is "nothing known on this side", as after wins only. The interval is Wilson's for
        the share of points; many draws make it wider than it need be.

        >>> Match("", "", "", 0, wins=3, draws=2, losses=1).elo
        (120.4, -147.2, 388.0)
        """
        if self.score is None:
            return None, None, None
        share, spread = self.score, _95**2 / self.games
        middle = share + spread / 2
        half = math.sqrt(spread * share * (1 - share) + spread**2 / 4)
        ends = ((middle - half) / (1 + spread), (middle + half) / (1 + spread))
        return _elo(share), _elo(ends[0]), _elo(ends[1])

    @property
    def seconds_per_move(self) -> tuple[float | None, float | None]:
        """The mean thinking time of both; None for one that never had to move."""
        one, two = (
            spent / count if count else None
            for spent, count in zip(self.seconds, self.moves, strict=True)
        )
        return one, two

    def to_json(self) -> dict[str, Any]:
        """Plain data, for `--json` and the web."""
        elo, low, high = self.elo
        of_a, of_b = (None if mean is None else round(mean, 6) for mean in self.seconds_per_move)
        return {
            "game": self.game,
            "a": self.a,
            "b": self.b,
            "games": self.games,
            "wins": self.wins,
            "draws": self.draws,
            "losses": self.losses,
            "score": None if self.score is None else round(self.score, 4),
            "elo": elo,
            "elo_low": low,
            "elo_high": high,
            "seconds_per_move": {"a": of_a, "b": of_b},
            "seed": self.seed,
        }


def play_match(
    game: Game,
    a: str,
    b: str,
    *,
    games: int = 10,
    seed: int | None = None,
    limits: Limits = NO_LIMITS,
    opening_plies: int = 0,
    on_game: Callable[[Match], None] | None = None,
) -> Match:
    """Play `games` games; `a` is player 1 in the first, third, ... of them.

    Games come in pairs that share an opening of random plies. The same seed gives the same
    match if neither agent looks at a clock. `on_game` hears of the match after each game.
    """
    if games < 1:
        raise SpecError(f"games={games} will not do: a match has at least 1 game")
    if opening_plies < 0:
        raise SpecError(f"opening_plies={opening_plies} will not do: it is a number from 0 up")
    seed = random.SystemRandom().randrange(_SEEDS) if seed is None else seed
    seats = (_Seat(a, game, limits), _Seat(b, game, limits))
    match = Match(game.spec, a, b, seed)
    for number in range(games):
        opening = random_opening(game, opening_plies, random.Random(f"{seed} {number // 2}"))
        for index, seat in enumerate(seats):
            seat.sit_down(random.Random(f"{seed} {number} {'ab'[index]}"))
        first = number % 2  # the index of the agent that is player 1
        match = _with(match, first, _play(opening, (seats[first], seats[1 - first])))
        if on_game is not None:
            on_game(match)
    return match


def random_opening(game: Game, plies: int, rng: random.Random) -> Position:
    """A position after so many random plies, not yet over."""
    for _ in range(_TRIES if plies < game.max_plies else 0):
        position = game.start()
        while len(position.moves) < plies and not position.over:
            position = position.after(rng.choice(position.codes))
        if not position.over:
            return position
    raise Unsupported(f"no game of {game.spec} goes on after {plies} random plies: take fewer")


class _Seat:
    """One side of a match: an agent, made anew for each game if it takes a seed."""

    def __init__(self, text: str, game: Game, limits: Limits) -> None:
        self.spec = Spec.parse(text)
        self.game = game
        known = parameters(self.spec, game)
        self.limits = limits
        if not limits and "time" in known and not set(LIMITS) & set(self.spec.given):
            self.limits = Limits(time=USUAL_TIME)
        self.seeded = "seed" in known and "seed" not in self.spec.given
        self.agent: Engine = make_agent(self.spec, game)

    def sit_down(self, rng: random.Random) -> None:
        """Before each game: a seed of its own, where the spec gives none."""
        if self.seeded:
            given = {**self.spec.given, "seed": str(rng.randrange(_SEEDS))}
            self.agent = make_agent(Spec(self.spec.name, given), self.game)

    def move(self, position: Position) -> tuple[int, Analysis]:
        """The agent's move, checked; an AgentError that names it for anything else."""
        where = f"after {self.game.join_moves(position.moves)!r}"
        try:
            analysis = self.agent.search(position, self.limits)
        except PlywiseError:
            raise
        except Exception as error:
            raise AgentError(f"{self.spec} raised {describe(error)} {where}") from error
        if analysis.best is None:
            raise AgentError(f"{self.spec} gave no move {where}")
        try:
            return position.parse(analysis.best), analysis
        except MoveError as error:
            raise AgentError(f"{self.spec} broke the rules {where}: {error}") from error


@dataclass(frozen=True)
class _Played:
    """One game: its winner (1, 2, 0) and what each player spent on it."""

    winner: int
    seconds: tuple[float, float]
    moves: tuple[int, int]


def _play(position: Position, players: tuple[_Seat, _Seat]) -> _Played:
    seconds, moves = [0.0, 0.0], [0, 0]
    while not position.over:
        turn = position.turn
        move, analysis = players[turn].move(position)
        seconds[turn] += analysis.seconds
        moves[turn] += 1
        position = position.after(move)
    assert position.winner is not None
    return _Played(position.winner, (seconds[0], seconds[1]), (moves[0], moves[1]))


def _with(match: Match, first: int, played: _Played) -> Match:
    """The match with one more game, in which agent number `first` was player 1."""
    won = played.winner == 1 + first  # a is player 1 if first is 0, player 2 if it is 1
    drawn = played.winner == 0
    second = 1 - first
    return replace(
        match,
        wins=match.wins + won,
        draws=match.draws + drawn,
        losses=match.losses + (not won and not drawn),
        seconds=(
            match.seconds[0] + played.seconds[first],
            match.seconds[1] + played.seconds[second],
        ),
        moves=(match.moves[0] + played.moves[first], match.moves[1] + played.moves[second]),
    )


def _elo(share: float) -> float | None:
    """The Elo difference that gives this share of the points on average."""
    if not 1e-9 < share < 1 - 1e-9:
        return None
    return round(400 * math.log10(share / (1 - share)), 1) + 0.0  # no -0.0
