"""The result of a series of games between two agents, with intervals that respect pairs."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Literal

from plywise.play.statistics import Mean, Pairs, Share, elo, wilson

if TYPE_CHECKING:
    from plywise.play.series import Played

By = Literal["a", "b"]  #: one of the two agents


@dataclass(frozen=True)
class Forfeit:
    """A game lost by breaking the rules of the match: an illegal move, a crash, a timeout."""

    game: int  #: counted from 1
    by: By
    after: str  #: the moves before
    reason: str  #: in words, with the name of the agent


@dataclass(frozen=True)
class Match:
    """The result of a series, from `a`'s side.

    Attributes:
        game: its spec.
        a: the spec of the first agent.
        b: the spec of the second.
        seed: the random seed; None if the agents have no seeds but their own.
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
    seed: int | None = None
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
    def share(self) -> Share:
        """The share of the points after at least one game, with the interval of single games."""
        return Share(self.wins + self.draws / 2, self.games)

    @property
    def pairs(self) -> Pairs:
        """The games in pairs that share an opening; a single last game is left out."""
        return Pairs.of(map(sum, zip(self.points[::2], self.points[1::2], strict=False)))

    @property
    def interval(self) -> tuple[float, float]:
        """Both ends of the 95 % interval of the score; anything from 0 to 1 before a game.

        It is that of the pairs as soon as there are some, see `plywise.play.statistics`.
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

    def after(self, played: Played, first: int) -> Match:
        """Add a game in which agent number `first`, 0 for `a`, was player 1."""
        a, b = first, 1 - first  # where their figures are
        won, drawn = played.winner == 1 + a, played.winner == 0
        failed, margin = played.failure is not None, played.margin
        lost = Forfeit(1, "b" if won else "a", played.moves, played.reason)
        return self + replace(
            self,
            wins=int(won),
            draws=int(drawn),
            losses=int(not won and not drawn),
            points=(0.5 if drawn else float(won),),
            seconds=(played.seconds[a], played.seconds[b]),
            moves=(played.counts[a], played.counts[b]),
            forfeits=(lost,) if failed else (),
            margins=(None,) if failed else () if margin is None else (margin * (1 - 2 * first),),
        )

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
            "forfeits": [dict(vars(forfeit)) for forfeit in self.forfeits],
            "seed": self.seed,
        }
