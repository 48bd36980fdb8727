"""`analyze` and `solve`: search a position for the best move, or for its proved result."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import nullcontext
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from plywise.cli.console import note, table, watched, working
from plywise.cli.inputs import (
    Agent,
    GameSpec,
    Moves,
    Seconds,
    Text,
    read_position,
    usual_limits,
)
from plywise.errors import PlywiseError, SpecError
from plywise.games import make
from plywise.kit.commands import Output
from plywise.kit.words import counted

if TYPE_CHECKING:
    from plywise.core.analysis import Analysis, Line, OnInfo
    from plywise.core.game import Game
    from plywise.core.position import Position

BATCH = 64  #: lines of a file that `solve` reads at a time; from a pipe it reads one
USUAL_TIME = 1.0  #: seconds for `analyze` when nothing else sets a limit


def analyze(
    game: GameSpec,
    moves: Moves = "",
    text: Text = None,
    agent: Agent = "auto",
    time: Seconds = None,
    depth: Annotated[int | None, typer.Option(metavar="N", help="Search depth in plies.")] = None,
    all: Annotated[bool, typer.Option("--all", help="Score every legal move.")] = False,
) -> Output:
    """Search a position: best move, score and expected line.

    Without a limit, here or in the agent's spec, it thinks for one second.
    """
    from plywise.core.analysis import Limits
    from plywise.play.players import make_agent

    played = make(game)
    position = read_position(played, moves, text)
    limits = Limits(time, depth) or usual_limits(agent, USUAL_TIME)
    engine = make_agent(agent, played)
    if position.over:
        raise SpecError(f"the game is over ({position.reason}): there are no moves left")
    with working(f"searching {played.spec}"):
        analysis = engine.search(position, limits, _telling(note, position), lines=all)
    lines = {"lines": [line.to_json() for line in analysis.lines]} if all else {}
    yield {**analysis.to_json(), **lines}
    yield str(position)
    yield ""
    yield f"best {analysis.best}: {_judgement(position, analysis)}"
    yield f"line {' '.join(analysis.pv)}"
    yield f"depth {analysis.depth}, {counted(analysis.nodes, 'node')}, {analysis.seconds:.2f} s"
    if all:
        yield ""
        best_first = sorted(analysis.lines, key=lambda line: (-line.value, -line.score))
        rows = [_row(position, line) for line in best_first]
        yield from table([["move", "value", "score", "proved", "line"], *rows])


def solve(
    game: GameSpec,
    moves: Moves = "",
    text: Text = None,
    positions: Annotated[
        str | None,
        typer.Option(
            metavar="FILE",
            help="Solve many: one game per line, its moves before any TAB; '-' for stdin.",
        ),
    ] = None,
    time: Seconds = None,
    no_book: Annotated[
        bool, typer.Option("--no-book", help="Do not use the opening book.")
    ] = False,
) -> Output:
    """Solve a position: win, draw or loss, and the best move.

    The result is exact, for the side to move; with --time there may be none. If the game's
    solver scores every move, as Align's does, all best moves are listed.
    """
    from plywise.core.analysis import Limits
    from plywise.core.engine import unguarded
    from plywise.engines.solve import solver as make_solver

    limits = Limits(time=time)
    played = make(game)
    if positions is not None and moves:
        raise SpecError("give --moves or --positions, not both: the file has the moves")
    if positions is None:
        wanted = iter([read_position(played, moves, text)])
    else:
        wanted = read_positions(played, positions, text)
    solver = make_solver(played, book=not no_book)
    batches = time is None and hasattr(unguarded(solver), "solve_many")
    together = solver.solve_many if batches else None
    at_hand = positions is not None and Path(positions).is_file()  # and not a pipe
    for batch in _batches(wanted, BATCH if together and at_hand else 1):
        results = iter(together(batch)) if together else None
        for position in batch:
            with working(f"solving {played.join_moves(position.moves) or played.spec}") as say:
                tell = _telling(say, position)
                analysis = next(results) if results else solver.solve(position, limits, tell)
            yield _solved_json(position, analysis)
            yield _solved(position, analysis)


def _batches(positions: Iterator[Position], size: int) -> Iterator[list[Position]]:
    """Group positions into batches; those before a bad line are answered first."""
    while True:
        batch: list[Position] = []
        try:
            for position in islice(positions, size):
                batch.append(position)
        except PlywiseError:
            if batch:
                yield batch
            raise
        if not batch:
            return
        yield batch


def read_positions(game: Game, file: str, text: str | None) -> Iterator[Position]:
    """Yield the position of each line, read lazily so that answers come in between."""
    with nullcontext(sys.stdin) if file == "-" else open(file, encoding="utf-8-sig") as lines:
        number = 0
        try:
            for number, line in enumerate(lines, 1):  # noqa: B007  (the number is for the message)
                if line.strip():
                    yield read_position(game, line.partition("\t")[0], text)
        except PlywiseError as error:
            raise SpecError(f"{file}, line {number}: {error}") from error
        except UnicodeDecodeError as error:
            raise SpecError(f"{file} is not a text file: {error.reason}") from error


def _solved_json(position: Position, analysis: Analysis) -> dict[str, Any]:
    data = analysis.to_json()
    keys = ("outcome", "score", "score_kind", "best", "plies_to_end", "pv", "nodes", "seconds")
    every = {"best_moves": list(analysis.best_moves)} if analysis.lines else {}
    return {"moves": list(position.moves), **{key: data[key] for key in keys}, **every}


def _solved(position: Position, analysis: Analysis) -> str:
    name = position.game.join_moves(position.moves) or "start"
    moves = " ".join(analysis.best_moves) or analysis.best
    best = "" if moves is None else f", best {moves}"
    whole = analysis.plies_to_end is not None and len(analysis.pv) == analysis.plies_to_end > 1
    line = f", line {' '.join(analysis.pv)}" if whole else ""
    work = f"{counted(analysis.nodes, 'node')}, {analysis.seconds:.2f} s"
    return f"{name}: {_judgement(position, analysis)}{best}{line} ({work})"


def _judgement(position: Position, analysis: Analysis) -> str:
    """Return the outcome if it is proved, otherwise the estimate; with its margin in points."""
    from plywise.core.analysis import own_figure, plain

    if analysis.outcome is None:
        return f"not proved, {_estimate(analysis)}"
    words = _proof(position, analysis)
    if position.game.points and analysis.score_kind == "points" and analysis.score:
        return f"{words} by {plain(abs(analysis.score))}"
    exact = own_figure(analysis.score_kind)
    return f"{words}, score {plain(analysis.score)}" if exact else words


def _proof(position: Position, found: Analysis | Line) -> str:
    from plywise.core.analysis import moves_to_win

    count = moves_to_win(position, found)
    return found.outcome or "" if count is None else f"{found.outcome} in {counted(count, 'move')}"


def _estimate(found: Analysis | Line) -> str:
    from plywise.core.analysis import plain

    return f"score {plain(found.score)}, value {found.value:+.2f}"


def _row(position: Position, line: Line) -> list[str]:
    from plywise.core.analysis import plain

    score, proof = str(plain(line.score)), _proof(position, line)
    return [line.move, f"{line.value:+.2f}", score, proof, " ".join(line.pv)]


def _telling(say: Callable[[str], None], position: Position) -> OnInfo | None:
    """Return a listener that says what is known so far, in one line; only on a terminal."""

    def tell(found: Analysis) -> None:
        nodes, best = counted(found.nodes, "node"), " ".join(found.pv[:8])
        say(f"depth {found.depth:>2}  {_judgement(position, found)}  {nodes}  {best}")

    return tell if watched() else None
