"""Solving Connect-4: exact scores, against bitbully (C++)."""

from __future__ import annotations

import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import plywise
from bench.measure import Bench, Quantity, Row
from plywise.core.game import Verb
from plywise.core.position import Position
from plywise.engines.driver import NO_BUDGET, NO_LIMITS, Run
from plywise.games.connect4.solver import IDEAS, Solver

DATA = Path(__file__).parents[1] / "tests" / "data" / "connect4"

#: Sets of positions, and how many of each are solved in a quick run.
SETS = {"end-easy": 1000, "middle-easy": 1000, "begin-easy": 200, "begin-far": 5}
TURN = 50  #: positions each program solves before the next one takes over
EMPTY = {"": 1}  #: the score of the empty board
FIRST_MOVES = [-2, -1, 0, 1, 0, -1, -2]


def read(name: str, quick: bool) -> dict[str, int]:
    """Read the moves and scores of a set."""
    lines = (DATA / f"{name}.txt").read_text().splitlines()[: SETS[name] if quick else None]
    return {moves: int(score) for moves, score in (line.split("\t") for line in lines)}


class Ours:
    """A solver with its own table, and the work it has done."""

    def __init__(self, ideas: dict[str, Verb]) -> None:
        self.solver = Solver(plywise.game("connect4"), ideas)
        self.nodes, self.seconds = 0, 0.0

    def scores(self, positions: list[Position]) -> list[int]:
        """Return the scores, timed by our clock."""
        tasks = self.solver.tasks_of(positions)
        self.solver.run_tasks(tasks, NO_BUDGET, Run(NO_LIMITS))
        self.nodes += int(tasks.nodes.sum())
        self.seconds += int(tasks.nanoseconds.sum()) / 1e9
        return [int(low) for low in tasks.low]


class Theirs:
    """One of bitbully's two searches, without a book."""

    def __init__(self, search: str) -> None:
        from bitbully import bitbully_core

        self.board = bitbully_core.BoardCore
        self.core = bitbully_core.BitBullyCore()
        self.search = search
        self.seconds = 0.0

    def scores(self, games: list[str]) -> list[int]:
        """Return the scores, timed without the set-up of the boards."""
        boards: list[Any] = []
        for moves in games:
            board = self.board()
            board.setBoard([int(move) - 1 for move in moves])
            boards.append(board)
        core, mtdf = self.core, self.search == "mtdf"
        started = time.thread_time()
        found = [core.mtdf(b, 0) if mtdf else core.nullWindow(b) for b in boards]
        self.seconds += time.thread_time() - started
        return [int(score) for score in found]


def race(what: str, known: dict[str, int], searches: tuple[str, ...], at_least: float) -> Row:
    """Run both programs on the same positions, in turns."""
    game = plywise.game("connect4")
    ours, theirs = Ours(dict(IDEAS)), [Theirs(search) for search in searches]
    games = list(known)
    positions = [game.position(moves) for moves in games]
    right = True
    for start in range(0, len(games), TURN):
        part = games[start : start + TURN]
        scores = [known[moves] for moves in part]
        right &= ours.scores(positions[start : start + TURN]) == scores
        for peer in theirs:
            right &= peer.scores(part) == scores
    best = min(theirs, key=lambda peer: peer.seconds)
    count = len(games)
    return Row(
        f"{what}, {ours.nodes / count:,.1f} nodes",
        Quantity(ours.seconds / count, "s"),
        f"{Quantity(best.seconds / count, 's')} ({best.search})",
        Quantity(best.seconds / ours.seconds, "x"),
        at_least=at_least,
        right=right,
    )


def solve_sets(quick: bool) -> Iterator[Row]:
    """Solve each set, and the empty board."""
    for name in SETS:
        known = read(name, quick)
        yield race(f"{name} ({len(known):,})", known, ("mtdf", "null window"), 1)
    if not quick:
        yield race("empty board", EMPTY, ("mtdf",), 4)
        yield first_moves()


def first_moves() -> Row:
    """Solve all seven first moves in one call, with an empty table."""
    game = plywise.game("connect4")
    ours = Ours(dict(IDEAS))
    scores = [-score for score in ours.scores([game.position(move) for move in "1234567"])]
    return Row(
        f"all first moves, {ours.nodes / 1e6:,.0f} M nodes",
        " ".join(map(str, scores)),
        "",
        Quantity(ours.seconds, "s"),
        right=scores == FIRST_MOVES,
    )


CONNECT4 = Bench(
    "connect4",
    "Exact scores of Connect-4, against bitbully (C++)",
    "Average thread time per position; one thread, no book, tables kept from one position to "
    "the next; the better of bitbully's two searches. The programs take turns, and both must find "
    "the known scores.",
    "bitbully",
    solve_sets,
    needs="bitbully",
)
