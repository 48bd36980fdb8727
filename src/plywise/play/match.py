"""A match between two agents: games in pairs from one opening, and confidence intervals."""

from __future__ import annotations

import random
from collections.abc import Callable
from contextlib import ExitStack
from dataclasses import dataclass, replace
from typing import Any, Literal

from plywise.core.analysis import Analysis, Limits
from plywise.core.game import Game, need_game
from plywise.core.position import Position
from plywise.core.progress import progress
from plywise.engines.driver import NO_LIMITS
from plywise.errors import AgentError, SpecError
from plywise.kit.duels import random_opening
from plywise.kit.intervals import Mean, wilson
from plywise.play.agents.process import OnOutput
from plywise.play.agents.program import GRACE, MEMORY, PATIENCE, InvalidAnswer, Overtime
from plywise.play.pairs import Pairs
from plywise.play.players import HUMAN, Player
from plywise.play.ratings import elo
from plywise.play.records.game_record import TimeControl

USUAL_TIME = 0.1  #: default seconds per move for an agent that takes a time limit
_SEEDS = 2**31 - 1  #: random seeds of matches are below this

OnMove = Callable[[str, Analysis], None]


@dataclass(frozen=True)
class Forfeit:
    """A game lost by breaking the rules of the match: an illegal move, a crash, a timeout."""

    game: int  #: counted from 1
    by: str  #: a or b
    after: str  #: the moves before
    reason: str  #: in words, with the name of the agent

    def to_json(self) -> dict[str, Any]:
        """Return plain data for `--json` and the web."""
        return {"game": self.game, "by": self.by, "after": self.after, "reason": self.reason}


@dataclass(frozen=True)
class Match:
    """The result of a match, from `a`'s side.

    Attributes:
        game: its spec.
        a: the spec of the first agent.
        b: the spec of the second.
        seed: the random seed.
        wins: games that `a` won.
        draws: drawn games.
        losses: games that `b` won.
        points: what `a` got in each game: 1, 0.5 or 0.
        seconds: the time that `a` and `b` took in all.
        moves: how many moves `a` and `b` made in all.
        forfeits: games lost by an illegal move, a crash or the clock.
        margins: in a game of points, a's lead at the end of each game; None after a forfeit.
    """

    game: str
    a: str
    b: str
    seed: int
    wins: int = 0
    draws: int = 0
    losses: int = 0
    points: tuple[float, ...] = ()
    seconds: tuple[float, float] = (0.0, 0.0)
    moves: tuple[int, int] = (0, 0)
    forfeits: tuple[Forfeit, ...] = ()
    margins: tuple[int | None, ...] = ()

    @property
    def games(self) -> int:
        """The number of games played."""
        return self.wins + self.draws + self.losses

    @property
    def score(self) -> float | None:
        """The share of the points, a draw being half a point; None before the first game."""
        return (self.wins + self.draws / 2) / self.games if self.games else None

    @property
    def pairs(self) -> Pairs:
        """The games in pairs that share an opening; a single last game is left out."""
        return Pairs.of(map(sum, zip(self.points[::2], self.points[1::2], strict=False)))

    @property
    def interval(self) -> tuple[float, float]:
        """Both ends of the 95 % interval of the score; anything from 0 to 1 before a game.

        It is that of the pairs as soon as there are some, see `plywise.play.pairs`.
        """
        if self.score is None:
            return 0.0, 1.0
        if not self.pairs.count:
            return wilson(self.score, self.games)
        return wilson(self.score, self.pairs.worth + self.games % 2)

    @property
    def elo(self) -> tuple[float | None, float | None, float | None]:
        """The difference in Elo points and both ends of its 95 % interval.

        None means unbounded on this side, such as after wins only.

        >>> Match("", "", "", 0, wins=3, draws=2, losses=1).elo
        (120.4, -147.2, 388.0)
        """
        if self.score is None:
            return None, None, None
        low, high = self.interval
        return elo(self.score), elo(low), elo(high)

    @property
    def lead(self) -> Mean | None:
        """The mean lead in points, over openings that were played from both sides.

        Whoever has the better side of an opening has it once each. None if there is no such
        opening, or if the game has no points.
        """
        pairs = zip(self.margins[::2], self.margins[1::2], strict=False)
        whole = [(one + two) / 2 for one, two in pairs if one is not None and two is not None]
        return Mean.of(whole) if whole else None

    @property
    def seconds_per_move(self) -> tuple[float | None, float | None]:
        """The mean thinking time of both; None for an agent that never had to move."""
        one, two = (
            spent / count if count else None
            for spent, count in zip(self.seconds, self.moves, strict=True)
        )
        return one, two

    def __add__(self, other: Match) -> Match:
        """Join two parts of one match; those of `other` were played later."""
        moved = (replace(each, game=each.game + self.games) for each in other.forfeits)
        return replace(
            self,
            wins=self.wins + other.wins,
            draws=self.draws + other.draws,
            losses=self.losses + other.losses,
            points=self.points + other.points,
            seconds=(self.seconds[0] + other.seconds[0], self.seconds[1] + other.seconds[1]),
            moves=(self.moves[0] + other.moves[0], self.moves[1] + other.moves[1]),
            forfeits=(*self.forfeits, *moved),
            margins=self.margins + other.margins,
        )

    def reversed(self) -> Match:
        """Return the same match from `b`'s side."""
        return replace(
            self,
            a=self.b,
            b=self.a,
            wins=self.losses,
            losses=self.wins,
            points=tuple(1 - each for each in self.points),
            seconds=self.seconds[::-1],
            moves=self.moves[::-1],
            margins=tuple(None if margin is None else -margin for margin in self.margins),
            forfeits=tuple(
                replace(forfeit, by="b" if forfeit.by == "a" else "a") for forfeit in self.forfeits
            ),
        )

    def _repr_html_(self) -> str:
        """Return what a notebook shows."""
        from plywise.play.drawn import match_html

        return match_html(self)

    def to_json(self) -> dict[str, Any]:
        """Return plain data for `--json` and the web."""
        difference, low, high = self.elo
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
            "elo": difference,
            "elo_low": low,
            "elo_high": high,
            "pairs": list(self.pairs.counts),
            "superiority": round(self.pairs.superiority, 4) if self.pairs.count else None,
            "lead": None if self.lead is None else self.lead.to_json(),
            "seconds_per_move": {"a": of_a, "b": of_b},
            "forfeits": [forfeit.to_json() for forfeit in self.forfeits],
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
    time: float | None = None,
    opening_plies: int = 0,
    memory: int = MEMORY,
    first: int = 0,
    so_far: Match | None = None,
    on_game: Callable[[Match], None] | None = None,
    on_move: OnMove | None = None,
    on_output: OnOutput | None = None,
    until: Callable[[Match], bool] | None = None,
) -> Match:
    """Play `games` games; `a` is player 1 in the first, third, ... of them.

    Games come in pairs that share an opening of random plies. The same seed gives the same
    match if neither agent uses a clock. `limits` apply to all moves of both. `time` is for agents
    without another limit: engines that take a time limit (default 0.1 s), agent files and
    programs (default 10 s). `on_game` is called with the match after each game, `on_move` with
    the agent's spec and its analysis after each move. `until` is asked after each pair of games
    and ends the match when it returns True, as a sequential test does. `first` is the number of the
    first game: a match of 4 games from number 6 on has the games 6 to 9 of a longer one.
    `so_far` is a match to continue: the same seed gives the games that would have followed.

    An agent file or a program that fails loses that game and the match continues; one that
    cannot even start is refused before the first game. `memory` is the limit for each, in
    megabytes; `on_output` gets what they print besides their moves.
    """
    need_game(game, "match")
    if games < 1:
        raise SpecError(f"games must be at least 1, not {games}")
    if opening_plies < 0:
        raise SpecError(f"opening_plies must be at least 0, not {opening_plies}")
    if memory < 1:
        raise SpecError(f"memory must be at least 1 megabyte, not {memory}")
    seed = random.SystemRandom().randrange(_SEEDS) if seed is None else seed
    match = so_far or Match(game.spec, a, b, seed)
    if (match.game, match.a, match.b) != (game.spec, a, b):
        raise SpecError(
            f"so_far is a match of {match.game} between {match.a} and {match.b},"
            f" not of {game.spec} between {a} and {b}"
        )
    first += match.games
    with ExitStack() as table:
        advance = table.enter_context(progress(f"{a} - {b}", games))
        seats = []
        for spec in (a, b):
            seats.append(
                Player(
                    spec,
                    game,
                    usual=USUAL_TIME if time is None else time,
                    patience=PATIENCE if time is None else time,
                    memory=memory,
                    on_output=on_output,
                )
            )
            table.callback(seats[-1].close)
            if seats[-1].person:
                raise SpecError(f"{HUMAN} is not an agent: a match is between agents")
        for seat in seats:
            if seat.program is not None:
                seat.program.get_ready()
        for number in range(first, first + games):
            opening = random_opening(game, opening_plies, random.Random(f"{seed} {number // 2}"))
            starts = number % 2  # the index of the agent that is player 1
            for index, seat in enumerate(seats):
                lot = random.Random(f"{seed} {number} {'ab'[index]}")
                seat.sit_down(1 if index == starts else 2, lot)
            both = seats[starts], seats[1 - starts]
            match = _with(match, starts, game, play_game(opening, both, limits, on_move=on_move))
            advance(f"{a} +{match.wins} ={match.draws} -{match.losses} {b}")
            if on_game is not None:
                on_game(match)
            if until is not None and match.games % 2 == 0 and until(match):
                break
    return match


#: How a game can be lost otherwise than on the board.
Failure = Literal["time", "illegal", "crash"]


@dataclass(frozen=True)
class Played:
    """One game: its winner (1, 2, 0), its moves with what each took, and any failure."""

    winner: int
    moves: tuple[str, ...]  #: all of them, those of the opening too
    seconds: tuple[float, ...]  #: of each move after the opening
    turns: tuple[int, ...]  #: 0 or 1: who made these moves
    margin: int | None = None  #: player 1's lead, if the game has points and ended on the board
    failure: Failure | None = None  #: if the game did not end on the board
    reason: str = ""  #: what the loser did wrong then, or why the game is over

    def spent(self, turn: int) -> list[float]:
        """The seconds of each move of player 0 or 1."""
        return [each for each, who in zip(self.seconds, self.turns, strict=True) if who == turn]


def play_game(
    position: Position,
    players: tuple[Player, Player],
    limits: Limits = NO_LIMITS,
    *,
    clock: TimeControl | None = None,
    on_move: OnMove | None = None,
) -> Played:
    """Play one game from a position. Getting ready and compiling are not on the clock."""
    seconds: list[float] = []
    turns: list[int] = []
    spent: tuple[list[float], list[float]] = ([], [])
    winner, failure, reason = position.winner, None, ""
    while winner is None:
        turn, allowed, limit = position.turn, None, limits
        if clock is not None:
            allowed = max(0.0, clock.left(spent[turn]))
            limit = limits & Limits(time=clock.share(allowed))
        try:
            move, analysis = players[turn].choose(position, limit, allowed=allowed)
            if allowed is not None and analysis.seconds > allowed + GRACE:
                raise Overtime(f"{players[turn].spec} took more than {allowed:g} s for a move")
        except AgentError as error:
            failure = _failure(error)
            if players[turn].program is None and failure != "time":
                raise  # a bug in an engine: its author should see it
            winner, reason = 2 - turn, str(error)
            break
        for each in (seconds, spent[turn]):
            each.append(analysis.seconds)
        turns.append(turn)
        if on_move is not None:
            on_move(str(players[turn].spec), analysis)
        position = position.play_code(move)
        winner = position.winner
    return Played(
        winner,
        tuple(position.moves),
        tuple(seconds),
        tuple(turns),
        position.margin if position.game.points and failure is None else None,
        failure,
        reason or position.reason or "",
    )


def _failure(error: AgentError) -> Failure:
    if isinstance(error, Overtime):
        return "time"
    return "illegal" if isinstance(error, InvalidAnswer) else "crash"


def _with(match: Match, first: int, game: Game, played: Played) -> Match:
    """Add one more game to a match; agent number `first` was player 1."""
    won = played.winner == 1 + first  # a is player 1 if first is 0, player 2 if it is 1
    drawn = played.winner == 0
    of_a, of_b = played.spent(first), played.spent(1 - first)
    forfeits = match.forfeits
    if played.failure is not None:
        loser = "b" if won else "a"
        after = game.join_moves(played.moves)
        forfeits += (Forfeit(match.games + 1, loser, after, played.reason),)
    margins = match.margins
    if played.margin is not None:
        margins += (played.margin if first == 0 else -played.margin,)
    elif played.failure is not None:
        margins += (None,)
    return replace(
        match,
        wins=match.wins + won,
        draws=match.draws + drawn,
        losses=match.losses + (not won and not drawn),
        points=(*match.points, 0.5 if drawn else float(won)),
        seconds=(match.seconds[0] + sum(of_a), match.seconds[1] + sum(of_b)),
        moves=(match.moves[0] + len(of_a), match.moves[1] + len(of_b)),
        forfeits=forfeits,
        margins=margins,
    )
