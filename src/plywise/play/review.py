"""A game looked at afterwards: what each move was worth beside the best one.

Every position is searched once, with a score for each legal move, so that the loss of a move
is the difference of two values from the same search. Then what is proved anywhere is carried
along the game, forwards and backwards, and overrules estimates: a position that is lost was lost
by the move that led to it, however hopeful the search before that move was. In a game of points a
move can also cost points without changing who wins.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Any

from plywise import engines
from plywise.core.analysis import Analysis, Limits, Line, Outcome, Stop, flip, outcome_of
from plywise.core.engine import Engine
from plywise.core.position import Position
from plywise.engines.scale import UNIT
from plywise.errors import SpecError, Unsupported
from plywise.play.hints import explain

SECONDS = 0.5  #: for each position, unless told otherwise
#: For a position that the clock left without any score; the nodes are for agents without a depth.
ONE_PLY = Limits(depth=1, nodes=100_000)
FAR = 1 << 30  #: more plies than any game has


class Grade(StrEnum):
    """How good a move was, from the best down."""

    BEST = "best"
    GOOD = "good"
    INACCURACY = "inaccuracy"
    MISTAKE = "mistake"
    BLUNDER = "blunder"


#: The largest loss of value that still gets a grade. From a win to a draw is 1, a draw to a loss
#: too, and (1 + value) / 2 is the share of the point a player may expect.
WORST = {
    Grade.BEST: 0.02,  # a hundredth of the point: searches differ by as much from run to run
    Grade.GOOD: 0.1,  # a twentieth of the point: it takes twenty such moves to lose a game
    Grade.INACCURACY: 0.25,  # an eighth of the point
    Grade.MISTAKE: 0.5,  # a quarter of the point, half the way from a win to a draw
    Grade.BLUNDER: 2.0,  # everything there was
}


def grade_of(loss: float) -> Grade:
    """The grade for a loss of value.

    >>> grade_of(0.0), grade_of(0.3), grade_of(1.0)
    (<Grade.BEST: 'best'>, <Grade.MISTAKE: 'mistake'>, <Grade.BLUNDER: 'blunder'>)
    """
    return next(grade for grade, worst in WORST.items() if loss <= worst)


@dataclass(frozen=True)
class Verdict:
    """What is thought of a position, seen by the side to move; with an outcome, proved."""

    value: float
    outcome: Outcome | None = None
    plies_to_end: int | None = None
    score: float = 0.0  #: the final margin, in a game of points and if proved


@dataclass(frozen=True)
class Judged:
    """One move of the game. Values and outcomes are those of the player who made it."""

    ply: int  #: from 1
    player: int  #: 1 or 2
    played: Line
    best: Line
    grade: Grade
    comment: str
    loss: float  #: how much value it gave away

    @property
    def move(self) -> str:
        """The move played."""
        return self.played.move

    @property
    def kept(self) -> float:
        """The share of what could be expected that it kept; nothing can be lost of nothing."""
        expected, given = 1 + self.best.value, self.best.value - self.played.value
        if self.loss > max(0.0, given):  # points, which count whoever is ahead
            return max(0.0, 1 - self.loss)
        return 1.0 if expected <= 0 else 1 - self.loss / expected

    def to_json(self) -> dict[str, Any]:
        """Plain data."""
        return {
            "ply": self.ply,
            "player": self.player,
            "move": self.move,
            "best": self.best.move,
            "grade": self.grade.value,
            "loss": round(self.loss, 4),
            "value_before": round(self.best.value, 4),
            "value_after": round(self.played.value, 4),
            "outcome_before": self.best.outcome,
            "outcome_after": self.played.outcome,
            "comment": self.comment,
        }


@dataclass(frozen=True)
class Summary:
    """How one player did."""

    player: int
    moves: int
    accuracy: float | None  #: the share of the expected points kept, on average; 0 to 1
    counts: dict[Grade, int]

    def to_json(self) -> dict[str, Any]:
        """Plain data."""
        return {
            "player": self.player,
            "moves": self.moves,
            "accuracy": None if self.accuracy is None else round(self.accuracy, 4),
            **{grade.value: count for grade, count in self.counts.items()},
        }


@dataclass(frozen=True)
class Review:
    """A whole game. `values` are player 1's, one for each position from the start on."""

    position: Position  #: how it ended, or how far it went
    moves: tuple[Judged, ...]
    values: tuple[float, ...]

    @property
    def summaries(self) -> tuple[Summary, Summary]:
        """How each player did."""
        return self._summary(1), self._summary(2)

    def _summary(self, player: int) -> Summary:
        own = [move for move in self.moves if move.player == player]
        accuracy = sum(move.kept for move in own) / len(own) if own else None
        counts = {grade: sum(move.grade == grade for move in own) for grade in Grade}
        return Summary(player, len(own), accuracy, counts)

    def to_json(self) -> dict[str, Any]:
        """Plain data, for `--json` and the web."""
        position = self.position
        return {
            "game": position.game.spec,
            "start": position.origin,
            "over": position.over,
            "winner": position.winner,
            "players": [summary.to_json() for summary in self.summaries],
            "moves": [move.to_json() for move in self.moves],
            "values": [round(value, 4) for value in self.values],
        }


def review(
    position: Position,
    engine: Engine | None = None,
    limits: Limits | None = None,
    *,
    on_position: Callable[[int], None] | None = None,
    stop: Stop | None = None,
) -> Review:
    """Judge the moves that led to a position, with the best engine the game has, or `engine`.

    `on_position` hears how many positions are searched.

    >>> import plywise
    >>> judged = review(plywise.game("tictactoe").position("b2 a2 a1")).moves
    >>> [move.grade.value for move in judged]
    ['best', 'blunder', 'best']
    """
    positions = history(position)
    if len(positions) == 1:
        raise SpecError("there is nothing to review: no move has been played")
    searcher = engine or engines.make("auto", position.game)
    searched: list[Sequence[Line]] = []
    for count, each in enumerate(positions, 1):
        searched.append(_search(each, searcher, limits or Limits(time=SECONDS), stop))
        if on_position is not None:
            on_position(count)

    # Forwards: what is proved of a move is proved of the position it leads to.
    for ply in range(1, len(positions)):
        before, after = positions[ply - 1 : ply + 1]
        searched[ply] = _learnt(before, after, searched[ply - 1], searched[ply])
    # And backwards: what is proved of a position is proved of the move that led to it.
    verdict = _verdict(position, searched[-1])
    values = [_of_player_one(position, verdict.value)]
    moves: list[Judged] = []
    for ply in range(len(positions) - 1, 0, -1):
        before, after = positions[ply - 1], positions[ply]
        lines = _with_played(before, after, searched[ply - 1], verdict)
        played = next(line for line in lines if line.move == after.moves[-1])
        best = max(lines, key=lambda line: (*rank(line), line is played))
        moves.append(_judge(before, lines, played, best))
        verdict = _from_lines(lines, best)
        values.append(_of_player_one(before, verdict.value))
    return Review(position, tuple(reversed(moves)), tuple(reversed(values)))


def history(position: Position) -> list[Position]:
    """Every position of the game, from the first to this one."""
    game, origin = position.game, position.origin
    positions = [game.start() if origin is None else game.from_text(origin)]
    for move in position.moves:
        positions.append(positions[-1].play(move))
    return positions


def rank(line: Line) -> tuple[float, int, float]:
    """Sorts moves: by value, then the nearer win and the later loss, then by the game's score."""
    plies = FAR if line.plies_to_end is None else line.plies_to_end  # not known: far off
    return line.value, plies if line.value < 0 else -plies, line.score


def _search(
    position: Position, engine: Engine, limits: Limits, stop: Stop | None
) -> tuple[Line, ...]:
    if position.over:
        return ()
    for limit in (limits, ONE_PLY):  # a clock may run out before the first ply is done
        analysis: Analysis = engine.search(position, limit, stop=stop, lines=True)
        if analysis.lines:
            return analysis.lines
    raise Unsupported(f"{engine.name} scores no moves: a review needs an agent that does, as auto")


def _verdict(position: Position, lines: Sequence[Line]) -> Verdict:
    if (margin := position.own_margin) is not None:
        return Verdict(float((margin > 0) - (margin < 0)), outcome_of(margin), 0, margin)
    return _from_lines(lines, max(lines, key=rank))


def _from_lines(lines: Sequence[Line], best: Line) -> Verdict:
    """One proved win proves a position; anything less only if every move is proved."""
    certain = best.outcome == "win" or all(line.outcome is not None for line in lines)
    if not certain:
        return Verdict(best.value)
    return Verdict(best.value, best.outcome, best.plies_to_end, best.score)


def _with_played(
    before: Position, after: Position, lines: Sequence[Line], verdict: Verdict
) -> list[Line]:
    """The moves of a position, with what the game went on to prove about the one played."""

    def settled(line: Line) -> Line:
        if line.move != after.moves[-1] or verdict.outcome is None or line.outcome is not None:
            return line
        same = before.turn == after.turn
        plies = None if verdict.plies_to_end is None else verdict.plies_to_end + 1
        return replace(
            line,
            value=verdict.value if same else 0.0 - verdict.value,
            outcome=verdict.outcome if same else flip(verdict.outcome),
            plies_to_end=plies,
            score=_carried(before, line.score, verdict.score, same),
            pv=(line.move,),
        )

    return [settled(line) for line in lines]


def _learnt(
    before: Position, after: Position, lines: Sequence[Line], next_lines: Sequence[Line]
) -> Sequence[Line]:
    """The moves of a position, with what the search before it had proved about them."""
    played = next(line for line in lines if line.move == after.moves[-1])
    if played.outcome is None:
        return next_lines
    same = before.turn == after.turn
    outcome = played.outcome if same else flip(played.outcome)
    value = played.value if same else 0.0 - played.value
    proof = played.pv[1] if len(played.pv) > 1 else None

    def known(line: Line) -> Line:
        if line.outcome is not None:
            return line
        if outcome == "loss" or line.move == proof:
            score = _carried(after, line.score, played.score, same)
            return replace(line, value=value, outcome=outcome, plies_to_end=None, score=score)
        return replace(line, value=min(line.value, value))  # no move beats what is proved

    return [known(line) for line in next_lines]


def _carried(position: Position, own: float, proved: float, same: bool) -> float:
    """The score of a line once its outcome comes from the next position, or the one before.

    In a game of points that is a margin, in place of an estimate.
    """
    if not position.game.points:
        return own
    return proved if same else 0.0 - proved


def _of_player_one(position: Position, value: float) -> float:
    return value if position.turn == 0 else 0.0 - value  # and no -0.0


# Words


def _judge(position: Position, lines: Sequence[Line], played: Line, best: Line) -> Judged:
    loss = _loss(position, played, best)
    grade = grade_of(loss)
    words = "; ".join(_comment(position, lines, played, best, grade))
    player = position.mover
    return Judged(len(position.moves) + 1, player, played, best, grade, words, loss)


def _loss(position: Position, played: Line, best: Line) -> float:
    """The value that a move gave away; points count as near a level game, whoever is ahead."""
    loss = max(0.0, best.value - played.value)
    points = _points(position, played, best)
    return min(2.0, max(loss, points * UNIT / (2 * position.game.type.scale)))


def _points(position: Position, played: Line, best: Line) -> float:
    """The points that a move is proved to have cost, in a game of points."""
    proved = played.outcome is not None and best.outcome is not None
    return max(0.0, best.score - played.score) if proved and position.game.points else 0.0


def _comment(
    position: Position, lines: Sequence[Line], played: Line, best: Line, grade: Grade
) -> Iterator[str]:
    """What the move did, and what the best one would have done."""
    if len(lines) == 1:
        yield "the only legal move"
    elif grade is Grade.BEST:
        why = explain(position, played, lines) or ("as good as any",)
        # That it draws says less than what it does.
        yield why[1] if played.outcome == "draw" and len(why) > 1 else why[0]
        if _quicker(best, played):
            yield f"{best.move} was quicker ({best.plies_to_end} plies, not {played.plies_to_end})"
    else:
        yield from _thrown_away(played, best, _points(position, played, best))
        why = explain(position, best, lines)[:2]
        yield f"{best.move} was better" + (f": {'; '.join(why)}" if why else "")


def _quicker(best: Line, played: Line) -> bool:
    both = best.plies_to_end is not None and played.plies_to_end is not None
    return both and best.outcome == "win" and best.plies_to_end != played.plies_to_end


def _thrown_away(played: Line, best: Line, points: float) -> Iterator[str]:
    """What the move is proved to have cost."""
    if points and played.outcome == best.outcome:
        yield f"costs {points:g} {'point' if points == 1 else 'points'}"
        return
    if played.outcome is not None and best.outcome is not None:
        yield f"gives away the {best.outcome}"
    if played.outcome == "loss":
        yield "the other can win at once" if played.plies_to_end == 2 else "loses by force"
