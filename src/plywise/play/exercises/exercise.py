"""An exercise: a position, what is to be reached, and the only move that does.

The exercises of a game are one file, one exercise in a line of JSON. Before those of each board
there is a line with the spec of the game.
"""

from __future__ import annotations

import gzip
import inspect
import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from hashlib import blake2b
from pathlib import Path
from typing import Any, Literal

from plywise import games
from plywise.core.analysis import Line, Outcome
from plywise.core.game import Game, GameType
from plywise.core.position import Position
from plywise.errors import SpecError
from plywise.play.hints import explain, main_reason

Goal = Literal["win", "draw"]
Moves = tuple[str, ...]

NAME = "exercises.jsonl.gz"  #: of a file of exercises
SHARP = "all or nothing"  #: the theme of exercises where every wrong move loses
EASIEST, HARDEST = 600, 2400  #: the rating of what every level finds, and of what none does


@dataclass(frozen=True)
class Exercise:
    """A position in which one move reaches the goal, and every other one is refuted.

    Attributes:
        game: the spec of the game.
        moves: the moves so far.
        goal: what the side to move can reach: a win, or a draw where every other move loses.
        length: moves of your own to the end with best play: to the win, or until the wrong move
            that lasts longest has lost. In a game of points: to the end of the game.
        line: best play, beginning with the answer, the only move that reaches the goal.
        usual: how the opponent answers a wrong move, beginning with the reply.
        refutations: the wrong moves that are answered by another line, and that line.
        themes: what it is about, in a word or two each, the main one first.
        rating: how hard it is, from 600 (every level finds the answer) to 2400 (none does).
    """

    game: str
    moves: Moves
    goal: Goal
    length: int
    line: Moves
    usual: Moves = ()
    refutations: Mapping[str, Moves] = field(default_factory=dict)
    themes: Moves = ()
    rating: int = EASIEST

    @cached_property
    def name(self) -> str:
        """A short name that stays the same as long as the position does."""
        text = " ".join((self.game, *self.moves))
        return blake2b(text.encode(), digest_size=5).hexdigest()

    @property
    def answer(self) -> str:
        """The only move that reaches the goal."""
        return self.line[0]

    def refutation(self, move: str) -> Moves:
        """Return how a wrong move is answered."""
        return self.refutations.get(move, self.usual)

    def task(self, game: Game) -> str:
        """Return what to do, as a sentence without its end."""
        if self.goal == "draw":
            return "find the only move that does not lose"
        if game.points:
            return "find the only move that wins"
        return "win at once" if self.length == 1 else f"win in {self.length} moves"

    def position(self, game: Game) -> Position:
        """Return the position to solve."""
        return game.position(list(self.moves))

    def to_json(self) -> dict[str, Any]:
        """Return plain data without the game; wrong moves answered alike are listed together."""
        alike: dict[str, list[str]] = {}
        for move, line in self.refutations.items():
            alike.setdefault(" ".join(line), []).append(move)
        return {
            "moves": " ".join(self.moves),
            "goal": self.goal,
            "length": self.length,
            "line": " ".join(self.line),
            "usual": " ".join(self.usual),
            "refutations": {line: " ".join(moves) for line, moves in alike.items()},
            "themes": list(self.themes),
            "rating": self.rating,
        }

    @classmethod
    def from_json(cls, game: str, found: Any) -> Exercise:
        """Read plain data; SpecError if something is missing or of the wrong kind."""
        try:
            if found["goal"] not in ("win", "draw"):
                raise ValueError(f"its goal is {found['goal']!r}, not win or draw")
            if not found["line"].split():
                raise ValueError("its line is empty")
            return cls(
                game=game,
                moves=tuple(found["moves"].split()),
                goal=found["goal"],
                length=int(found["length"]),
                line=tuple(found["line"].split()),
                usual=tuple(found["usual"].split()),
                refutations={
                    move: tuple(line.split())
                    for line, moves in found["refutations"].items()
                    for move in moves.split()
                },
                themes=tuple(map(str, found["themes"])),
                rating=int(found["rating"]),
            )
        except KeyError as error:
            raise SpecError(f"this is not an exercise: it has no {error.args[0]}") from error
        except (TypeError, AttributeError, ValueError) as error:
            raise SpecError(f"this is not an exercise: {error}") from error


def reason(exercise: Exercise, game: Game) -> str:
    """Return why the answer is right: what it does on the board, or what is proved about it."""
    position = exercise.position(game)
    wins = exercise.goal == "win"
    others: Outcome = "draw" if wins and SHARP not in exercise.themes else "loss"
    lines = [Line(move, -1.0, -1.0, others) for move in position.legal if move != exercise.answer]
    plies = len(exercise.line) if wins else None
    outcome: Outcome = "win" if wins else "draw"
    margin = _margin(exercise, position)
    answer = Line(exercise.answer, 1.0, margin, outcome, plies, exercise.line, "points")
    return main_reason(explain(position, answer, [answer, *lines]))


def _margin(exercise: Exercise, position: Position) -> int:
    """Return by how much the answer wins."""
    end = position.game.position(exercise.line, start=position)
    margin = end.margin or 0
    return margin if position.mover == 1 else -margin


# ---- files -----------------------------------------------------------------------------------


def exercises_file(kind: GameType) -> Path:
    """Return where the exercises of a game are: beside its rules."""
    own = games.file_of(kind)
    if own is not None:
        return own.with_suffix(f".{NAME}")
    return Path(inspect.getfile(kind.rules.setup)).with_name(NAME)


def read_exercises(path: Path) -> tuple[Exercise, ...]:
    """Read all exercises of a file."""
    found: list[Exercise] = []
    game = None
    for line in _lines(path):
        if isinstance(line, dict) and "game" in line:
            game = str(line["game"])
        elif game is None:
            break
        else:
            found.append(Exercise.from_json(game, line))
    if game is None:
        raise SpecError(f"{path.name} is not a file of exercises: make one with plywise exercises")
    return tuple(found)


def write_exercises(path: Path, exercises: Iterable[Exercise]) -> None:
    """Write a file, board by board; the same exercises give the same bytes."""
    boards: dict[str, list[Exercise]] = {}
    for exercise in exercises:
        boards.setdefault(exercise.game, []).append(exercise)
    lines: list[dict[str, Any]] = []
    for game, every in boards.items():
        lines.append({"game": game})
        every.sort(key=lambda exercise: exercise.moves)  # those of one game are alike: less to keep
        lines += [exercise.to_json() for exercise in every]
    text = "".join(f"{json.dumps(line, separators=(',', ':'))}\n" for line in lines)
    beside = path.with_name(f"{path.name}.new")
    beside.write_bytes(gzip.compress(text.encode(), mtime=0))
    beside.replace(path)


def replace_exercises(path: Path, game: str, exercises: Iterable[Exercise]) -> None:
    """Write the exercises of one board into a file, and keep those of other boards."""
    kept = [each for each in read_exercises(path) if each.game != game] if path.exists() else []
    write_exercises(path, [*kept, *exercises])


def _lines(path: Path) -> Iterator[object]:
    try:
        text = gzip.decompress(path.read_bytes()).decode()
    except FileNotFoundError:
        raise SpecError(f"there is no file {path.name}") from None
    except (OSError, EOFError, UnicodeDecodeError) as error:
        raise SpecError(f"{path.name} cannot be read: {error}") from error
    for number, line in enumerate(text.splitlines(), 1):
        try:
            yield json.loads(line)
        except ValueError as error:
            raise SpecError(f"line {number} of {path.name} is not JSON: {error}") from error
