"""A hint in three steps, each saying more than the last: where to look, which move, and why.

The reasons come from what the search proved, from the game's own `reasons`, and from comparing
the move with the others. A hint says nothing that the search or the board does not bear out.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from plywise import engines
from plywise.core.analysis import Analysis, Limits, Line, Stop, moves_to_win, plain
from plywise.core.engine import Engine
from plywise.core.position import Position, need_position
from plywise.core.scene import Shape, marks_of, scene_of
from plywise.errors import SpecError
from plywise.jit import defaults
from plywise.kit.words import counted, listing

SECONDS = 1.0  #: default limit of a hint
REASONS = 3  #: the most important of a game's own reasons; nobody reads more than that
WORDS = 15  #: at most, of what is shown to a player
_DETAILS = re.compile(r" \(|[:;] ")  # what comes before them is a reason by itself
CLEAR = 0.2  #: a clear difference in value: a tenth of the way from a loss to a win
EQUAL = 0.01  #: estimates this close are the same to a person


@dataclass(frozen=True)
class Hint:
    """What to tell a player, step by step.

    Attributes:
        where: such as "look at the middle columns".
        move: the text of the move.
        why: such as "blocks a four on row 2", the most important first.
        analysis: what the hint is based on.
        marks: shapes that show the reason on the board.
        words: the move as people say it, if that is not how it is written.
    """

    where: str
    move: str
    why: tuple[str, ...]
    analysis: Analysis = field(repr=False)
    marks: tuple[Shape, ...] = field(default=(), repr=False)
    words: str = ""

    @property
    def steps(self) -> tuple[str, str, str]:
        """The three steps as sentences, with one reason in the last."""
        reason = main_reason(self.why) or "the best move found"
        return (
            f"{self.where[:1].upper()}{self.where[1:]}.",
            f"Play {self.words} ({self.move})." if self.words else f"Play {self.move}.",
            f"{self.words.capitalize() or self.move}: {reason}.",
        )

    def to_json(self) -> dict[str, Any]:
        """Return plain data for `--json` and the web."""
        found = self.analysis.to_json()
        known = {key: found[key] for key in ("value", "outcome", "plies_to_end", "pv")}
        return {"where": self.where, "move": self.move, "why": list(self.why), **known}


def hint(
    position: Position,
    limits: Limits | None = None,
    *,
    engine: Engine | None = None,
    stop: Stop | None = None,
) -> Hint:
    """Find a hint for a position, with the game's best agent or with `engine`.

    >>> import plywise
    >>> hint(plywise.game("tictactoe").position("a1 b2 a2 c1")).steps
    ('Look at the top.', 'Play a3.', 'a3: wins at once, with three on column a.')
    """
    need_position(position, "hint")
    if position.over:
        raise SpecError(f"the game is over ({position.reason}): there are no moves left")
    searcher = engine or engines.make("auto", position.game)
    analysis = searcher.search(position, limits or Limits(time=SECONDS), stop=stop, lines=True)
    best = best_line(position, analysis)
    why = explain(position, best, analysis.lines)
    words = position.words_of(best.move)
    return Hint(
        where_to_look(position, best.move),
        best.move,
        why,
        analysis,
        marks_of(position, best.move),
        words if words != best.move else "",
    )


def best_line(position: Position, analysis: Analysis) -> Line:
    """Return the line of the best move; among equals, the one the game finds most promising."""
    assert analysis.best is not None, "a position that is not over has a best move"
    equals = [line for line in analysis.lines if line.move == analysis.best]
    if not equals:  # the engine does not score moves, or was stopped before it could
        return analysis.line
    equals += [line for line in analysis.lines if line.outcome and as_good(line, equals[0])]
    promise = position.game.rules.promise or defaults.promise
    board, state = position.game.board, position.state
    return max(equals, key=lambda line: promise(board, state, position.code_of(line.move)))


# Why


def explain(position: Position, line: Line, lines: Sequence[Line]) -> tuple[str, ...]:
    """Return why to play a move: what it does, what is proved, how it compares with others.

    It is compared only if `lines` has every legal move: what was not searched may be better.
    """
    own = position.game.type.words.reasons
    does: list[str] = []
    if own is not None:
        found = own(position.game.board, position.state, position.code_of(line.move))
        does = [each for each in found if isinstance(each, str)][:REASONS]
    if line.outcome == "win" and line.plies_to_end == 1:
        return tuple(does) or ("wins at once",)
    return (*does, *_proof(position, line), *_comparison(line, lines, position))


def main_reason(why: Sequence[str], words: int = WORDS) -> str:
    """Return the one reason to show: the first that is short enough, without details if need be.

    >>> main_reason(["makes two threats at once (a1 and c3): only one can be stopped"], 5)
    'makes two threats at once'
    """
    for reason in why:
        for text in (reason, _DETAILS.split(reason)[0]):
            if len(text.split()) <= words:
                return text
    return ""


def _proof(position: Position, line: Line) -> list[str]:
    """Return what the search proved about the move; a loss is left to the comparison."""
    if line.outcome == "win" and position.game.points and line.margin is not None:
        return [f"wins by {counted(plain(line.margin), 'point')} against best play"]
    if line.outcome == "win":
        return [f"wins by force{_in_moves(position, line)}"]
    return ["draws against best play"] if line.outcome == "draw" else []


def _in_moves(position: Position, line: Line) -> str:
    count = moves_to_win(position, line)
    return "" if count is None else f" in {counted(count, 'move')}"


def _comparison(line: Line, lines: Sequence[Line], position: Position) -> list[str]:
    """Compare a move with the others."""
    if len(position.legal) == 1:
        return ["the only legal move"]
    others = [other for other in lines if other.move != line.move]
    if len(others) + 1 < len(position.legal):  # not all moves were scored
        return []
    if line.outcome == "loss":
        return _among_losses(position, line, others)
    if all(other.outcome == "loss" for other in others):
        return ["the only move that does not lose" if line.outcome else "every other move loses"]
    if line.outcome == "win" and all(other.outcome in ("draw", "loss") for other in others):
        return ["the only move that wins"]
    equals = [position.words_of(other.move) for other in others if as_good(other, line)]
    if equals:
        rest = f" and {len(equals) - 3} more" if len(equals) > 4 else ""
        return [f"as good as {', '.join(equals[:3]) + rest if rest else listing(equals)}"]
    next_best = max(others, key=lambda other: other.value)
    if line.outcome is None and line.value - next_best.value >= CLEAR:
        return [f"clearly better than {position.words_of(next_best.move)}, the next best"]
    return []


def _among_losses(position: Position, line: Line, others: Sequence[Line]) -> list[str]:
    least = line.margin
    if (
        position.game.points
        and least is not None
        and all(_loses_by(other, least) for other in others)
    ):
        return [f"every move loses, this one by only {counted(plain(-least), 'point')}"]
    if any(other.outcome != "loss" for other in others):
        return [f"loses against best play{_in_moves(position, line)}"]
    lengths = [other.plies_to_end for other in others]
    longest = line.plies_to_end is not None and all(
        length is not None and length < line.plies_to_end for length in lengths
    )
    if longest:
        count = moves_to_win(position, line)
        length = "" if count is None else f" ({counted(count, 'move')})"
        return [f"every move loses, this one takes longest{length}"]
    return ["every move loses"]


def _loses_by(line: Line, least: float) -> bool:
    """Return True if a move is proved to lose by at least this margin, which is negative."""
    return line.outcome == "loss" and line.margin is not None and line.margin <= least


def as_good(one: Line, two: Line) -> bool:
    """Return True if two moves are equal to a player: proved so, or with close estimates."""
    if one.outcome is not None or two.outcome is not None:
        known = (one.outcome, one.plies_to_end, one.score)
        return known == (two.outcome, two.plies_to_end, two.score)
    return abs(one.value - two.value) <= EQUAL


# Where

#: A side is a third of the board, and so is the middle. A part is (from, to) across and
#: (from, to) upwards, on a board from 0 to 1 each way.
_LOW, _MID, _HIGH, _ALL = (0.0, 1 / 3), (1 / 3, 2 / 3), (2 / 3, 1.0), (0.0, 1.0)
#: Of two parts with the same number of moves, the first is used.
_PARTS = {
    "the left side": (_LOW, _ALL),
    "the middle columns": (_MID, _ALL),
    "the right side": (_HIGH, _ALL),
    "the top": (_ALL, _HIGH),
    "the middle rows": (_ALL, _MID),
    "the bottom": (_ALL, _LOW),
    "the middle": (_MID, _MID),
    "the top left corner": (_LOW, _HIGH),
    "the top right corner": (_HIGH, _HIGH),
    "the bottom left corner": (_LOW, _LOW),
    "the bottom right corner": (_HIGH, _LOW),
    "the middle of the left side": (_LOW, _MID),
    "the middle of the right side": (_HIGH, _MID),
    "the middle of the top": (_MID, _HIGH),
    "the middle of the bottom": (_MID, _LOW),
    "the left half": ((0.0, 0.5), _ALL),
    "the right half": ((0.5, 1.0), _ALL),
}


def where_to_look(position: Position, move: str) -> str:
    """Name the smallest part of the board that holds the move without giving it away."""
    if len(position.legal) == 1:
        return "there is only one move"
    places = _places(position)
    parts = []
    for name, ((left, right), (low, high)) in _PARTS.items():
        inside = [
            text
            for text, (across, up) in places.items()
            if left <= across <= right and low <= up <= high
        ]
        if move in inside and 2 <= len(inside) < len(position.legal):
            parts.append((len(inside), name))
    if parts:
        return f"look at {min(parts, key=lambda part: part[0])[1]}"
    at = position.legal.index(move)
    near = position.legal[max(0, at - 2) : at + 3]
    return f"choose between {listing([position.words_of(text) for text in near])}"


def _places(position: Position) -> dict[str, tuple[float, float]]:
    """Return where each move is on the board, if it has targets: across and up, from 0 to 1."""
    scene = scene_of(position)
    if not scene.targets:
        return {}
    shapes = {shape.id: shape for shape in scene.shapes}
    lefts, tops, rights, bottoms = zip(*(shape.box for shape in scene.shapes), strict=True)
    left, top = min(lefts), min(tops)
    width, height = max(rights) - left, max(bottoms) - top
    places = {}
    for target in scene.targets:
        x, y = shapes[target.shapes[-1]].centre
        places[target.move] = (x - left) / width, 1 - (y - top) / height
    return places
