"""Reviews a game: grades each move against the best one.

Every position is searched once, with a score for each legal move, so that the loss of a move
is the difference of two values from the same search. Then proved results are carried along the
game, forwards and backwards, and overrule estimates: a lost position was lost by the move that
led to it, however hopeful the search before that move was. In a game of points a move can also
cost points without changing who wins.

How well a player played is measured by what there was to lose: in many positions all moves are
equally good, and choosing one of them at random proves nothing.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Any

from plywise import engines
from plywise.core.analysis import (
    Analysis,
    Limits,
    Line,
    Stop,
    check_cancelled,
    flip,
    outcome_of,
)
from plywise.core.engine import Engine
from plywise.core.position import Position, need_position
from plywise.core.progress import progress
from plywise.engines.scale import UNIT
from plywise.errors import SpecError, Unsupported
from plywise.play.hints import CLEAR, WORDS, explain, main_reason

SECONDS = 0.5  #: default time per position
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


#: The largest loss of value that still gets a grade. From a win to a draw is 1, and so is a draw
#: to a loss; (1 + value) / 2 is the share of the point a player may expect.
WORST = {
    Grade.BEST: 0.02,  # a hundredth of the point: searches differ by as much from run to run
    Grade.GOOD: 0.1,  # a twentieth of the point: it takes twenty such moves to lose a game
    Grade.INACCURACY: 0.25,  # an eighth of the point
    Grade.MISTAKE: 0.5,  # a quarter of the point, half the way from a win to a draw
    Grade.BLUNDER: 2.0,  # everything there was
}


def grade_of(loss: float) -> Grade:
    """Return the grade for a loss of value.

    >>> grade_of(0.0), grade_of(0.3), grade_of(1.0)
    (<Grade.BEST: 'best'>, <Grade.MISTAKE: 'mistake'>, <Grade.BLUNDER: 'blunder'>)
    """
    return next(grade for grade, worst in WORST.items() if loss <= worst)


@dataclass(frozen=True)
class Judged:
    """One move of the game. Values and outcomes are for the player who made it."""

    ply: int  #: from 1
    player: int  #: 1 or 2
    played: Line
    best: Line
    grade: Grade
    comment: str
    loss: float  #: how much value it gave away
    stake: float  #: how much the worst legal move would have given away

    @property
    def move(self) -> str:
        """The move played."""
        return self.played.move

    def to_json(self) -> dict[str, Any]:
        """Return plain data for `--json`."""
        return {
            "ply": self.ply,
            "player": self.player,
            "move": self.move,
            "best": self.best.move,
            "grade": self.grade.value,
            "loss": round(self.loss, 4),
            "stake": round(self.stake, 4),
            "value_before": round(self.best.value, 4),
            "value_after": round(self.played.value, 4),
            "outcome_before": self.best.outcome,
            "outcome_after": self.played.outcome,
            "comment": self.comment,
        }


@dataclass(frozen=True)
class Summary:
    """One player's accuracy and grades.

    Accuracy is the share of what the player could have lost that they kept, from 0 to 1, so a
    move with nothing to lose does not count. None if there was nothing to lose in the whole game.
    """

    player: int
    moves: int
    accuracy: float | None
    counts: dict[Grade, int]

    def to_json(self) -> dict[str, Any]:
        """Return plain data for `--json`."""
        return {
            "player": self.player,
            "moves": self.moves,
            "accuracy": None if self.accuracy is None else round(self.accuracy, 4),
            **{grade.value: count for grade, count in self.counts.items()},
        }


@dataclass(frozen=True)
class Review:
    """A whole game, move by move.

    Attributes:
        position: the last one.
        moves: what each move was worth.
        values: player 1's, one for each position from the start.
    """

    position: Position
    moves: tuple[Judged, ...]
    values: tuple[float, ...]

    @property
    def summaries(self) -> tuple[Summary, Summary]:
        """The summaries of both players."""
        return self._summary(1), self._summary(2)

    def _summary(self, player: int) -> Summary:
        own = [move for move in self.moves if move.player == player]
        loss, stake = sum(move.loss for move in own), sum(move.stake for move in own)
        accuracy = 1 - loss / stake if stake > WORST[Grade.BEST] else None
        counts = {grade: sum(move.grade == grade for move in own) for grade in Grade}
        return Summary(player, len(own), accuracy, counts)

    def _repr_html_(self) -> str:
        """Return what a notebook shows."""
        from plywise.play.drawn import review_html

        return review_html(self)

    def to_json(self) -> dict[str, Any]:
        """Return plain data for `--json` and the web."""
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
    """Judge the moves that led to a position, with the game's best engine or with `engine`.

    `on_position` is called with the number of positions searched so far.

    >>> import plywise
    >>> judged = review(plywise.game("tictactoe").position("b2 a2 a1")).moves
    >>> [move.grade.value for move in judged]
    ['best', 'blunder', 'best']
    """
    need_position(position, "review")
    positions = position.history
    if len(positions) == 1:
        raise SpecError("there is nothing to review: no move has been played")
    searcher = engine or engines.make("auto", position.game)
    searched: list[Sequence[Line]] = []
    with progress("review", len(positions)) as advance:
        for count, each in enumerate(positions, 1):
            searched.append(_search(each, searcher, limits or Limits(time=SECONDS), stop))
            advance(f"position {count}")
            if on_position is not None:
                on_position(count)

    # Forwards: what is proved about a move is proved about the position it leads to.
    for ply in range(1, len(positions)):
        before, after = positions[ply - 1 : ply + 1]
        searched[ply] = _learnt(before, after, searched[ply - 1], searched[ply])
    # And backwards: what is proved about a position is proved about the move that led to it.
    verdict = _verdict(position, searched[-1])
    values = [_of_player_one(position, verdict.value)]
    moves: list[Judged] = []
    for ply in range(len(positions) - 1, 0, -1):
        check_cancelled()
        before, after = positions[ply - 1], positions[ply]
        lines = _with_played(before, after, searched[ply - 1], verdict)
        played = next(line for line in lines if line.move == after.moves[-1])
        best = max(lines, key=lambda line: (*rank(line), line is played))
        moves.append(_judge(before, lines, played, best))
        verdict = _from_lines(lines, best)
        values.append(_of_player_one(before, verdict.value))
    return Review(position, tuple(reversed(moves)), tuple(reversed(values)))


def rank(line: Line) -> tuple[float, int, float]:
    """Return a sort key: by value, then nearer wins and later losses, then the game's score.

    Of two moves with the same proved result, one whose margin is only estimated comes last.
    """
    plies = FAR if line.plies_to_end is None else line.plies_to_end  # unknown: far off
    guessed = line.outcome is not None and line.score_kind == "estimate"
    return line.value, plies if line.value < 0 else -plies, -math.inf if guessed else line.score


def _search(
    position: Position, engine: Engine, limits: Limits, stop: Stop | None
) -> tuple[Line, ...]:
    if position.over:
        return ()
    for limit in (limits, ONE_PLY):  # a clock may run out before the first ply is done
        analysis: Analysis = engine.search(position, limit, stop=stop, lines=True)
        if analysis.lines:
            return analysis.lines
    raise Unsupported(f"{engine.name} does not score moves: use an agent that does, such as auto")


def _verdict(position: Position, lines: Sequence[Line]) -> Line:
    """Return what is known of a position, for the side to move; proved if it has an outcome."""
    if (margin := position.own_margin) is not None:
        value = float((margin > 0) - (margin < 0))
        plies, kind = (None, "points") if position.game.points else (0, "estimate")
        return Line("", value, margin, outcome_of(margin), plies, score_kind=kind)
    return _from_lines(lines, max(lines, key=rank))


def _from_lines(lines: Sequence[Line], best: Line) -> Line:
    """Judge a position by its moves: a proved win is enough, otherwise all must be proved.

    The margin is known only if that of every move is.
    """
    if best.outcome != "win" and any(line.outcome is None for line in lines):
        return replace(best, outcome=None, score_kind="estimate")
    measured = all(line.margin is not None for line in lines)
    return best if measured else replace(best, score_kind="estimate")


def _with_played(
    before: Position, after: Position, lines: Sequence[Line], verdict: Line
) -> list[Line]:
    """Return the moves of a position, with what later positions proved about the one played."""
    proof = _seen(verdict, before, after)
    plies = None if verdict.plies_to_end is None else verdict.plies_to_end + 1

    def settled(line: Line) -> Line:
        if line.move != after.moves[-1] or proof.outcome is None or line.outcome is not None:
            return line
        return replace(_proved(line, proof), plies_to_end=plies, pv=(line.move, *verdict.pv))

    return [settled(line) for line in lines]


def _learnt(
    before: Position, after: Position, lines: Sequence[Line], next_lines: Sequence[Line]
) -> Sequence[Line]:
    """Return the moves of a position, with what the search before it had proved about them."""
    played = next(line for line in lines if line.move == after.moves[-1])
    if played.outcome is None:
        return next_lines
    proof = _seen(played, after, before)
    reply = played.pv[1] if len(played.pv) > 1 else None

    def known(line: Line) -> Line:
        if line.outcome is not None:
            return line
        if line.move == reply:
            return _proved(line, proof)
        if proof.outcome == "loss":
            return _proved(line, replace(proof, score_kind="estimate"))
        return replace(line, value=min(line.value, proof.value))  # no move beats a proved value

    return [known(line) for line in next_lines]


def _seen(line: Line, here: Position, there: Position) -> Line:
    """Return what is known in one position, for the side to move in the one before or after it."""
    if here.turn == there.turn:
        return line
    outcome = None if line.outcome is None else flip(line.outcome)
    return replace(line, value=0.0 - line.value, score=0.0 - line.score, outcome=outcome)


def _proved(line: Line, proof: Line) -> Line:
    """Return a line with a proved result; without a proved margin its score is an estimate."""
    known = replace(line, value=proof.value, outcome=proof.outcome, plies_to_end=None)
    if proof.margin is None:
        return known
    return replace(known, score=proof.score, score_kind=proof.score_kind)


def _of_player_one(position: Position, value: float) -> float:
    return value if position.mover == 1 else 0.0 - value  # and no -0.0


# Words


def _judge(position: Position, lines: Sequence[Line], played: Line, best: Line) -> Judged:
    loss = _loss(position, played, best)
    grade = grade_of(loss)
    words = _comment(position, lines, played, best, grade)
    player = position.mover
    stake = max(_loss(position, line, best) for line in lines)
    return Judged(len(position.moves) + 1, player, played, best, grade, words, loss, stake)


def _loss(position: Position, played: Line, best: Line) -> float:
    """Return the value that a move gave away; points count as in a level game."""
    loss = max(0.0, best.value - played.value)
    points = _points(position, played, best)
    return min(2.0, max(loss, points * UNIT / (2 * position.game.type.strength.scale)))


def _points(position: Position, played: Line, best: Line) -> float:
    """Return the points that a move is proved to have cost, in a game of points."""
    if not position.game.points or played.margin is None or best.margin is None:
        return 0.0
    return max(0.0, best.margin - played.margin)


def _comment(
    position: Position, lines: Sequence[Line], played: Line, best: Line, grade: Grade
) -> str:
    """Say what the move did or cost, and what the best one would have done."""
    if len(position.legal) == 1:
        return "the only legal move"
    if grade is Grade.BEST:
        if _quicker(best, played):
            return f"wins, but {best.move} was quicker"
        return main_reason(explain(position, played, lines)) or "as good as any"
    cost = _cost(played, best, _points(position, played, best))
    words = f"{cost}; {best.move} was better" if cost else f"{best.move} was better"
    why = explain(position, best, lines)[:1]  # a lesser reason would mislead
    reason = main_reason(why, WORDS - len(words.split()))
    return f"{words}: {reason}" if reason else words


def _quicker(best: Line, played: Line) -> bool:
    both = best.plies_to_end is not None and played.plies_to_end is not None
    return both and best.outcome == "win" and best.plies_to_end != played.plies_to_end


def _cost(played: Line, best: Line, points: float) -> str:
    """Say what the move is proved to have cost, or nothing."""
    if points and played.outcome == best.outcome:
        return f"costs {points:g} {'point' if points == 1 else 'points'}"
    if played.outcome == "loss" and played.plies_to_end == 2:
        return "lets the opponent win at once"
    if played.outcome is not None and best.outcome is not None:
        return f"gives away the {best.outcome}"
    return "loses by force" if played.outcome == "loss" else ""


# ---- mistakes to practise --------------------------------------------------------------------

SHOWN = 3  #: moves of a refutation
RIGHT = (Grade.BEST, Grade.GOOD)  #: grades of moves that are not practised


@dataclass(frozen=True)
class Mistake:
    """The position before a mistake, and what was better."""

    position: Position
    played: str
    line: tuple[str, ...]  #: the best move, and best play after it
    refutations: Mapping[str, tuple[str, ...]]  #: best play after every other move
    comment: str

    @property
    def answer(self) -> str:
        """The best move."""
        return self.line[0]

    def refutation(self, move: str) -> tuple[str, ...]:
        """Return best play after another move."""
        return self.refutations.get(move, ())


def mistakes(
    position: Position,
    engine: Engine,
    limits: Limits,
    on_position: Callable[[int], None] | None = None,
) -> list[Mistake]:
    """Review the game that led to a position, and look at each mistake again.

    Mistakes where several moves were about as good are left out: there is nothing to find.
    """
    found = []
    for judged in review(position, engine, limits, on_position=on_position).moves:
        if judged.grade in RIGHT:
            continue
        before = position.history[judged.ply - 1]
        best, *others = sorted(
            engine.search(before, limits, lines=True).lines, key=rank, reverse=True
        )
        if not others or best.move == judged.move or best.value - others[0].value < CLEAR:
            continue
        refutations = {line.move: line.pv[1 : 1 + SHOWN] for line in others}
        line = best.pv[: 1 + SHOWN] or (best.move,)
        found.append(Mistake(before, judged.move, line, refutations, judged.comment))
    return found
