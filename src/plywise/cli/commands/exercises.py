"""`exercises` and `train`: positions in which only one move is right, made, checked and solved."""

from __future__ import annotations

import random
import sys
from collections import Counter
from collections.abc import Callable, Generator, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from plywise.cli.console import progress, read_line
from plywise.cli.inputs import GameSpec, WorkerCount, game_names, is_saved, read_played
from plywise.errors import PlywiseError, SpecError
from plywise.games import make as game_of

if TYPE_CHECKING:
    from plywise.core.game import Game
    from plywise.core.position import Position
    from plywise.play.exercises.exercise import Exercise

File = Annotated[
    Path | None,
    typer.Option(
        "--file",
        metavar="FILE",
        help="A file of exercises; by default the one beside the rules of the game.",
    ),
]


def exercises(
    game: GameSpec,
    make: Annotated[
        int, typer.Option(metavar="N", min=0, help="Make more, until the file has N of this board.")
    ] = 0,
    check: Annotated[bool, typer.Option("--check", help="Prove every one again.")] = False,
    file: File = None,
    workers: WorkerCount = 1,
) -> Iterator[str]:
    """Show the exercises of a game: positions in which exactly one move wins, or holds the draw.

    With --make they are made: weak players play, and an exact search finds what they missed. Every
    exercise is proved by two methods. Started again after an interruption, it goes on.
    """
    from plywise.kit.words import counted
    from plywise.play.exercises.exercise import exercises_file

    if make:
        made = game_of(game)
        out = file or exercises_file(made.type)
        _collect(made, make, out, workers)
    boards = _read(game, file)
    if check:
        for board, found in boards.items():
            _check(game_of(board), found)
    proved = ", all proved again" if check else ""
    for board, found in boards.items():
        yield f"{board}: {counted(len(found), 'exercise')}{proved}"
        yield from _tally("win in", [e.length for e in found if e.goal == "win"])
        yield from _tally("hold for", [e.length for e in found if e.goal == "draw"])
        themes = Counter(theme for exercise in found for theme in exercise.themes)
        yield "themes: " + ", ".join(f"{theme} {count:,}" for theme, count in themes.most_common())


def train(
    game: Annotated[
        str,
        typer.Argument(
            metavar="GAME|FILE",
            help="A game, or a file saved by 'play', to practise its mistakes.",
            autocompletion=game_names,
        ),
    ],
    rating: Annotated[
        int | None, typer.Option(metavar="R", help="Only exercises near this rating.")
    ] = None,
    theme: Annotated[
        str | None, typer.Option(metavar="THEME", help="Only exercises with this theme.")
    ] = None,
    file: File = None,
) -> Iterator[str]:
    """Solve exercises: find the only move that wins, or the only one that does not lose.

    Type a move, `?` for the answer, or `q` to stop. Those of a saved game are its
    positions before a mistake, where one other move was clearly best.
    """
    if is_saved(game):
        if rating is not None or theme is not None or file is not None:
            raise SpecError("a saved game takes no --rating, --theme or --file")
        asked = _of_mistakes(game)
    else:
        asked = _of_exercises(game, rating, theme, file)
    solved = tried = 0
    for question in asked:
        yield ""
        yield str(question.position)
        yield question.task
        right = yield from _ask(question)
        if right is None:
            break
        tried += 1
        solved += right
    yield f"{solved} of {tried} solved at the first try."


@dataclass(frozen=True)
class _Question:
    """A position with one right answer."""

    position: Position
    task: str
    answer: str
    solution: str
    verdict: str  #: of any other move
    refutation: Callable[[str], Sequence[str]]


def _of_exercises(
    game: str, rating: int | None, theme: str | None, file: Path | None
) -> Iterator[_Question]:
    """Choose exercises, in the order in which they are asked."""
    from plywise.core.scene import standing
    from plywise.play.exercises.exercise import reason

    every = [exercise for exercises in _read(game, file).values() for exercise in exercises]
    found = [exercise for exercise in every if theme is None or theme in exercise.themes]
    if not found:
        themes = sorted({each for exercise in every for each in exercise.themes})
        raise SpecError(f"there is no theme {theme!r}: choose from {', '.join(themes)}")
    random.shuffle(found)
    if rating is not None:
        found.sort(key=lambda exercise: abs(exercise.rating - rating))
    for exercise in found:
        position = exercise.position(game_of(exercise.game))
        task = f"{standing(position).capitalize()}: {exercise.task(position.game)}."
        yield _Question(
            position,
            f"{task} (Rating {exercise.rating}.)",
            exercise.answer,
            f"{reason(exercise, position.game)}. Best play: {' '.join(exercise.line)}",
            "does not win" if exercise.goal == "win" else "loses",
            exercise.refutation,
        )


def _of_mistakes(file: str) -> Iterator[_Question]:
    """Review a saved game, and ask for what was better."""
    from plywise.core.analysis import Limits
    from plywise.core.scene import standing
    from plywise.engines import make
    from plywise.play.review import SECONDS, mistakes

    last, _ = read_played(file, "", None)
    with progress("review", len(last.moves) + 1) as advance:
        found = mistakes(
            last,
            make("auto", last.game),
            Limits(time=SECONDS),
            lambda count: advance(f"position {count}"),
        )
    if not found:
        raise SpecError(f"in no position of {file} was one move clearly best and another played")
    for each in found:
        task = f"find the best move ({each.played} was played)"
        yield _Question(
            each.position,
            f"{standing(each.position).capitalize()}: {task}.",
            each.answer,
            f"{each.comment}. Best play: {' '.join(each.line)}",
            "is not the best",
            each.refutation,
        )


def _ask(question: _Question) -> Generator[str, None, bool | None]:
    """Take tries until one is right; return whether the first was, or None to stop."""
    first, position = True, question.position
    while True:
        print("move> ", end="", file=sys.stderr, flush=True)
        typed = read_line()
        if typed is None or typed in ("q", "quit"):
            return None
        if typed == "?":
            yield f"The answer is {question.answer}: {question.solution}"
            return False
        try:
            move = position.text_of(position.code_of(typed))
        except PlywiseError as error:
            yield str(error)
            continue
        if move == question.answer:
            yield f"Right: {question.solution}"
            return first
        first = False
        after = "" if position.play(move).over else " ".join(question.refutation(move))
        yield f"{move} {question.verdict}" + (f": {after}" if after else "") + ". Try another move."


def _read(game: str, file: Path | None) -> dict[str, Sequence[Exercise]]:
    """Read the exercises of a game by board; of one board if the spec says which."""
    from plywise.play.exercises.exercise import exercises_file, read_exercises

    asked = game_of(game)
    path = file or exercises_file(asked.type)
    none = f"{game} has no exercises: make some with plywise exercises {game} --make 50"
    if file is None and not path.exists():
        raise SpecError(none)
    boards: dict[str, list[Exercise]] = {}
    for exercise in read_exercises(path):
        boards.setdefault(exercise.game, []).append(exercise)
    if file is None and ":" in asked.spec:
        boards = {board: found for board, found in boards.items() if board == asked.spec}
        if not boards:
            raise SpecError(none)
    return dict(boards)


def _collect(game: Game, count: int, out: Path, workers: int) -> None:
    from plywise.play.exercises.collecting import collect

    with progress(f"{game.spec}: exercises", count) as advance:
        collect(game, count, out, workers=workers, on_made=lambda found: advance(found.themes[0]))


def _check(game: Game, found: Sequence[Exercise]) -> None:
    from plywise.play.exercises.checking import Checker

    checker = Checker(game)
    with progress(f"{game.spec}: proving", len(found)) as advance:
        for exercise in found:
            fault = checker.fault(exercise)
            if fault is not None:
                raise SpecError(f"the exercise after {' '.join(exercise.moves)} is wrong: {fault}")
            advance(exercise.themes[0] if exercise.themes else "")


def _tally(what: str, lengths: list[int]) -> Iterator[str]:
    counts = sorted(Counter(lengths).items())
    if counts:
        yield f"{what} " + ", ".join(f"{length}: {count:,}" for length, count in counts)
