"""How long the perfect player of Connect-4 takes to answer, over whole games."""

from __future__ import annotations

import random
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field

import numpy as np

import plywise
from bench.measure import Bench, Quantity, Row
from plywise.core.engine import unguarded
from plywise.core.position import Position
from plywise.games.connect4.book import shipped
from plywise.games.connect4.expert import Expert
from plywise.games.connect4.solver import IDEAS, Solver

GAMES, QUICK = 334, 2  #: games of each kind: normally, and in a quick run
SEED = 1

#: Chooses the move to play, from the position, the expert's answer and a random generator.
Chooser = Callable[[Position, str, random.Random], str]


@dataclass
class Answers:
    """The times measured over the games of one kind."""

    seconds: list[float] = field(default_factory=list)
    games: list[float] = field(default_factory=list)  #: all answers of a game together

    def at(self, percent: float) -> float:
        """Return the answer time at this percentile."""
        return float(np.percentile(self.seconds, percent))


class Table:
    """Plays the games. Each starts with an empty transposition table and keeps it to the end."""

    def __init__(self) -> None:
        self.game = plywise.game("connect4")
        self.equals = Solver(self.game, dict(IDEAS), book=True)  # with its own table
        self.expert().search(self.game.start(), plywise.Limits(time=0.1))  # compiles

    def expert(self) -> Expert:
        """Return the expert, which `auto` at level 10 is, with an empty table."""
        engine = unguarded(plywise.engine("expert", self.game))
        assert isinstance(engine, Expert)
        engine.solver.words[:] = 0
        return engine

    def play(self, first: Chooser, second: Chooser, rng: random.Random, answers: Answers) -> None:
        """Play one game; the expert is asked at every position, whoever moves."""
        expert, position = self.expert(), self.game.start()
        total = 0.0
        while not position.over:
            started = time.perf_counter()
            best = expert.search(position).best
            answers.seconds.append(time.perf_counter() - started)
            total += answers.seconds[-1]
            assert best is not None
            chooser = first if position.turn == 0 else second
            position = position.play(chooser(position, best, rng))
        answers.games.append(total)

    def perfect(self, position: Position, best: str, rng: random.Random) -> str:
        """Return one of the best moves at random."""
        lines = self.equals.solve(position, lines=True).lines
        top = max(line.score for line in lines)
        return rng.choice([line.move for line in lines if line.score == top])


def expert_move(position: Position, best: str, rng: random.Random) -> str:
    """Return the expert's own move."""
    return best


def random_move(position: Position, best: str, rng: random.Random) -> str:
    """Return a random legal move."""
    return rng.choice(position.legal)


def rows(quick: bool) -> Iterator[Row]:
    """Measure each kind of game, then all together."""
    table, rng = Table(), random.Random(SEED)
    kinds: dict[str, list[tuple[Chooser, Chooser]]] = {
        "perfect against random": [(expert_move, random_move), (random_move, expert_move)],
        "perfect against itself": [(table.perfect, table.perfect)],
        "random against random": [(random_move, random_move)],
    }
    known = None if shipped() is None else True  # without a book there is no claim
    every = Answers()
    for name, seats in kinds.items():
        answers = Answers()
        for number in range(QUICK if quick else GAMES):
            table.play(*seats[number % len(seats)], rng, answers)
        every.seconds += answers.seconds
        yield _row(f"{name}, {len(answers.games)} games", answers, 99, 0.05, known)
        if table.perfect in seats[0]:
            yield Row(
                "... all answers of such a game",
                f"mean {Quantity(float(np.mean(answers.games)), 's')}",
                "the longest",
                Quantity(max(answers.games), "s"),
                at_most=2.0,
                right=known,
            )
    yield _row("all of them", every, 99, 0.05, known)
    yield _row("... the longest", every, 100, 1.0, known)


def _row(what: str, answers: Answers, percent: float, most: float, known: bool | None) -> Row:
    return Row(
        f"{what}, {len(answers.seconds):,} answers",
        f"half of them within {Quantity(answers.at(50), 's')}",
        f"{percent:g} in 100 within",
        Quantity(answers.at(percent), "s"),
        at_most=most,
        right=known,
    )


ANSWERS = Bench(
    "connect4-answers",
    "Connect-4: how fast the perfect player answers",
    "`auto` at level 10 without a time limit, so that every answer is exact. It is asked at "
    "every position of the games. A game starts with an empty table and keeps it to the end.",
    "",
    rows,
)
