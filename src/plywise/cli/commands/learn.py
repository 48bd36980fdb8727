"""`learn`: an evaluation for a game, from games against itself."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from plywise.cli.console import note, progress, table, watched
from plywise.cli.inputs import GameSpec, Seed, WorkerCount
from plywise.core.workers import start_workers
from plywise.errors import SpecError
from plywise.games import make
from plywise.kit.commands import Cluster, Output

if TYPE_CHECKING:
    from plywise.learn.learner import Learner, Round
    from plywise.learn.strength import Curve

MINUTES = 10.0
STEPS = 8  #: how often the strength is measured
PAIRS, MOVE = 20, 0.05  #: games at the end, and seconds for a move in them
SHARES = 1000  #: steps of the progress bar


def learn(
    game: GameSpec,
    minutes: Annotated[float, typer.Option(metavar="M", help="How long to learn.")] = MINUTES,
    rounds: Annotated[
        int | None,
        typer.Option(
            metavar="N",
            help="Learn for N rounds of 20,000 positions, however long that takes: the same seed "
            "then gives the same weights.",
        ),
    ] = None,
    out: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE", help="Write the weights here instead of where auto looks for them."
        ),
    ] = None,
    seed: Seed = 1,
    deeper: Annotated[
        int,
        typer.Option(
            metavar="PLIES",
            help="Plies that the players look ahead after the first quarter of the run; before that"
            " it is 2. With 4 the games are better, but there are fewer.",
        ),
    ] = 2,
    random: Annotated[
        int | None,
        typer.Option(
            metavar="PLIES",
            help="The most random moves before a game; by default the length of a random game.",
        ),
    ] = None,
    added: Annotated[
        bool,
        typer.Option(
            "--added", help="Learn a correction to the game's own evaluation instead of a new one."
        ),
    ] = False,
    patterns: Annotated[
        bool,
        typer.Option(
            "--patterns/--no-patterns",
            help="Learn from patterns of the board and from the measures of the rules, or from "
            "the measures alone.",
        ),
    ] = True,
    workers: WorkerCount = 1,
    ray: Cluster = None,
) -> Output:
    """Learn an evaluation for a game: any game with a look, from its rules alone.

    The game plays against itself with a small net, which learns from their results. A run that is
    stopped resumes when the same command is given again. At the end the net plays against the
    current auto; if it is better, auto uses it from then on, and `alphabeta:net=learned` is the
    same evaluation in a search of your own.
    """
    from contextlib import nullcontext

    from plywise.engines.net.weights import file_of, learned_file
    from plywise.learn.learner import Learner, Settings
    from plywise.learn.selfplay import play_task
    from plywise.learn.strength import Curve
    from plywise.play.records.files import whole_file

    played = make(game)
    counts = {"rounds": rounds, "deeper": deeper, "random": random}
    for name, given in {"minutes": minutes, **counts}.items():
        if given is not None and not given > 0:
            raise SpecError(f"{name} must be more than 0, not {given:g}")
    file = out or learned_file(played)
    checkpoint = file.with_name(f"{file.name}.checkpoint")
    settings = Settings(
        seed=seed, deeper=deeper, random=random or 0, added=added, patterns=patterns
    )
    alone = workers == 1 and ray is None
    with nullcontext() if alone else start_workers(play_task, workers, ray) as players:
        learner = Learner(played, settings, checkpoint=checkpoint, workers=players)
        if learner.rounds:
            note(f"going on after {learner.last.seconds:.0f} s: {checkpoint}")
        curve = Curve(learner)
        _run(learner, curve, None if rounds else 60 * minutes, rounds)
    net = curve.judged(learner.net(), PAIRS, MOVE)
    if not curve.better and file == file_of(played):  # the one that auto has stays
        file = file.with_name(f"{file.stem}-worse.npz")
    file.parent.mkdir(parents=True, exist_ok=True)
    with whole_file(file) as written:
        written.buffer.write(net.to_bytes())
    checkpoint.unlink(missing_ok=True)
    yield {"file": str(file), **curve.to_json()}
    yield from _told(curve, file)


def _run(learner: Learner, curve: Curve, seconds: float | None, rounds: int | None) -> None:
    """Learn, with a bar; measure the strength a few times on the way."""
    with progress(f"learning {learner.game.spec}", SHARES) as advance:
        step = 0

        def on_round(last: Round) -> None:
            nonlocal step
            done = int(SHARES * min(1.0, learner.share))
            advance(f"{last.games} games, error {last.validation_error:.3f}", done=done)
            if int(STEPS * learner.share) > step:
                step = int(STEPS * learner.share)
                curve.measure()
                if not watched():
                    note(curve.line())

        learner.run(seconds, rounds, on_round)
    curve.measure()


def _told(curve: Curve, file: Path) -> Iterator[str]:
    yield from table(curve.rows())
    yield ""
    yield curve.verdict(file)
    yield f"weights: {file} ({file.stat().st_size / 1000:.0f} kB)"
