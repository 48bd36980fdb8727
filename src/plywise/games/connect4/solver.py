"""Exact results of Connect-4: the Python side of the compiled search, and its techniques."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import lru_cache, partial
from typing import Any

import numpy as np

from plywise.core.analysis import Analysis
from plywise.core.game import Game, Verb
from plywise.core.position import Position
from plywise.engines.driver import NO_BUDGET, NO_LIMITS, Run, first_move
from plywise.engines.scale import Verdict, analysis_of, line_of, proved
from plywise.engines.solve import ExactSolver, Search
from plywise.games.connect4 import kernel, table
from plywise.games.connect4.book import pages_of, shipped
from plywise.games.connect4.bounds import bounds_by
from plywise.games.connect4.rules import (
    FOUR,
    any_lines,
    completing_any,
    completing_four,
    four_lines,
)
from plywise.jit import rule
from plywise.jit.bits import popcount

FIRST_NODES = 5_000  #: nodes before a thread is started: less than a millisecond
FAR = 99  #: beyond any score
REMEMBERED = 64  #: interrupted searches that are kept, to be continued
STEP = 8  #: scores this near to 0 are found step by step from 0, others by bisection
QUIET = 3  #: up to this score forcing moves are tried later, above it sooner


@rule
def yes() -> bool:
    """The technique is used."""
    return True


@rule
def next_question(low: int, high: int) -> int:
    """The next alpha: bisection for large scores, cheap ones first; from 0 outwards near 0."""
    if low >= -STEP and high <= STEP:
        return 0 if low <= 0 < high else low if low > 0 else high - 1
    return halve(low, high)


@rule
def halve(low: int, high: int) -> int:
    """The middle, or halfway from 0 to the farther end."""
    middle = low + (high - low) // 2
    if middle <= 0 and -(-low // 2) < middle:
        return -(-low // 2)
    if middle >= 0 and high // 2 > middle:
        return high // 2
    return middle


@rule
def threats_first(threats: Any, near: Any, now: Any, alpha: int) -> int:
    """Rate a move by the threats it makes and by how soon they can be played."""
    urge = -1 if -QUIET <= alpha <= QUIET else 1
    return 2 * popcount(threats) + popcount(threats & near) + urge * popcount(now)


#: The techniques of the search; `python -m bench connect4-ideas` measures each one.
IDEAS: dict[str, Verb] = {
    "chain": yes,
    "no_line": yes,
    "claim": yes,
    "threat": yes,
    "double": yes,
    "children": yes,
    "probe": yes,
    "mirror": yes,
    "order": threats_first,
    "keep": table.keep_two,
    "question": next_question,
}


def by_length(inarow: int) -> dict[str, Verb]:
    """The techniques that depend on how many discs in a line win; for four they are faster."""
    if inarow == FOUR:
        return {"completing": completing_four, "lines": four_lines, **bounds_by(four_lines)}
    return {"completing": completing_any, "lines": any_lines, **bounds_by(any_lines)}


class Solver(ExactSolver):
    """Exact scores for one board and number in a line, with a transposition table of 16 MB."""

    grace = FIRST_NODES

    def __init__(
        self, game: Game, ideas: dict[str, Verb] | None = None, *, book: bool = False
    ) -> None:
        self.game = game
        rows, cols, inarow = (int(game.board[name]) for name in ("rows", "cols", "inarow"))
        self.kernel = kernel.solving.build(game.rules, **(ideas or IDEAS), **by_length(inarow))
        self.words = _words(rows, cols, inarow) if ideas is None else table.new_table()
        self.book = pages_of(rows, cols, plies=0)
        known = shipped() if book and inarow == FOUR else None
        if known is not None and (known.rows, known.cols) == (rows, cols):
            self.book = known.pages
        self._broken_off: OrderedDict[tuple[int, int, bool, bool], Any] = OrderedDict()
        self.scores([])  # compiles, before any clock starts

    def find(self, search: Search, *, weak: bool = False, lines: bool = False) -> Analysis:
        """Find the exact score, or only win, draw or loss (`weak`, faster); `lines`: of every move.

        An interrupted search continues where it stopped. `on_info` is called after each move.
        """
        if lines:
            return self._every_move(search, weak)
        position = search.position
        tasks = self._go_on(position, [position], weak, lines)
        self._work(search, tasks)
        self._keep(position, tasks, weak, lines)
        return _result(position, tasks[0], weak)

    def solve_many(self, positions: Sequence[Position]) -> Iterator[Analysis]:
        """Yield exact results in few runs: easy positions are solved together."""
        tasks = self.tasks_of([position for position in positions if position.margin is None])
        at = 0
        for position in positions:
            if position.margin is not None:
                yield self.solve(position)
                continue
            if not tasks[at].done:
                self.run_tasks(tasks[at:], FIRST_NODES, Run(NO_LIMITS))
                self.run_tasks(tasks[at : at + 1], NO_BUDGET, Run(NO_LIMITS))
            task = tasks[at]
            at += 1
            found, seconds = _result(position, task, weak=False), int(task.nanoseconds) / 1e9
            yield replace(found, nodes=int(task.nodes), seconds=seconds)

    def scores(self, positions: Sequence[Position], weak: bool = False) -> list[int]:
        """The scores of many positions, in one run. None may be a finished game."""
        tasks = self.tasks_of(positions, weak)
        self.run_tasks(tasks, NO_BUDGET, Run(NO_LIMITS))
        return [int(low) for low in tasks.low]

    def tasks_of(self, positions: Sequence[Position], weak: bool = False) -> Any:
        """Make a task of each position."""
        states = [position.state for position in positions]
        return self.tasks([state.own for state in states], [state.mask for state in states], weak)

    def tasks(self, own: Any, mask: Any, weak: bool = False) -> Any:
        """Make tasks for the kernel from the discs of the side to move and all discs."""
        tasks = np.zeros(len(own), kernel.Task).view(np.recarray)
        tasks.own, tasks.mask, tasks.move = own, mask, table.NO_MOVE
        tasks.high = 1 if weak else FAR
        tasks.low = -tasks.high
        return tasks

    def run_tasks(self, tasks: Any, budget: int, run: Run) -> int:
        """Work on tasks until all are done or a limit is reached; return the nodes.

        Easy ones are done in this thread, others in another.
        """
        plain = tasks.view(np.ndarray).view(kernel.Task)
        frames = np.zeros(kernel.DEPTH, kernel.Frame)
        made = np.zeros(kernel.LANES, np.uint64)
        scratch = frames, made, plain

        def job(most: int) -> int:
            given = self.game.boards, self.words, self.book, *scratch
            return int(self.kernel(*given, run.halt, run.stop, most))

        nodes = job(min(budget, FIRST_NODES))
        if not tasks.done.all() and nodes < budget:
            (more,) = run.call([partial(job, budget - nodes)])
            nodes += more
        return nodes

    def _work(self, search: Search, tasks: Any) -> None:
        """Work on tasks within the limits of a search."""
        nodes = self.run_tasks(tasks, search.left, search.run)
        search.count(nodes, int(tasks.nanoseconds.sum()))

    def _every_move(self, search: Search, weak: bool) -> Analysis:
        """Search every move by itself, from the middle out; the best one is the result."""
        position = search.position
        middle = position.game.board.middle
        codes = sorted(position.legal_codes, key=lambda code: -int(middle[code]))
        children = {code: position.play_code(code) for code in codes}
        seen = {code: _ended(position, child) for code, child in children.items() if child.over}
        asked = [code for code in codes if code not in seen]
        tasks = self._go_on(position, [children[code] for code in asked], weak, lines=True)

        def known() -> Analysis:
            for code, task in zip(asked, tasks, strict=True):
                seen[code] = _after(position, task, weak)
            analysis = first_move(position)
            if tasks.done.all():
                best = max(codes, key=lambda code: seen[code].score)
                analysis = analysis_of((position.text_of(best),), seen[best])
            lines = tuple(
                line_of((position.text_of(code),), seen[code]) for code in position.legal_codes
            )
            return replace(analysis, lines=lines)

        for index in range(len(asked)):
            if tasks[index].done or search.ended:
                continue
            before = search.nodes
            self._work(search, tasks[index : index + 1])
            search.run.grace -= search.nodes - before
            search.tell(known())
        self._keep(position, tasks, weak, lines=True)
        return known()

    def _go_on(self, position: Position, asked: Sequence[Position], weak: bool, lines: bool) -> Any:
        """The tasks of an interrupted search, or new ones."""
        state = position.state
        tasks = self._broken_off.pop((int(state.own), int(state.mask), weak, lines), None)
        if tasks is None:
            return self.tasks_of(asked, weak)
        tasks.nodes = tasks.nanoseconds = 0
        return tasks

    def _keep(self, position: Position, tasks: Any, weak: bool, lines: bool) -> None:
        """Remember the progress of an unfinished search."""
        if not tasks.done.all():
            state = position.state
            self._broken_off[int(state.own), int(state.mask), weak, lines] = tasks
            if len(self._broken_off) > REMEMBERED:
                self._broken_off.popitem(last=False)


@lru_cache(maxsize=1)
def _words(rows: int, cols: int, inarow: int) -> Any:
    """The table, shared by all solvers of a game: each entry is one word, so threads may race."""
    return table.new_table()


def _result(position: Position, task: Any, weak: bool) -> Analysis:
    """Return what a search found out about a position, finished or not."""
    seen = _verdict(position, int(task.low), int(task.high), weak)
    if seen.outcome is None:
        return first_move(position)
    return analysis_of((position.text_of(int(task.move)),), seen)


def _after(position: Position, task: Any, weak: bool) -> Verdict:
    """Value a move by what was found about the position after it."""
    return _verdict(position, -int(task.high), -int(task.low), weak)


def _ended(position: Position, child: Position) -> Verdict:
    """Value a move that ends the game."""
    return proved(position, 0 if child.winner == 0 else 1, 1)


def _verdict(position: Position, low: int, high: int, weak: bool) -> Verdict:
    """Turn a range of scores into a verdict for the side to move."""
    if low < high and low <= 0 <= high:
        return Verdict(0.0, 0.0, "estimate")
    margin = (low > 0) - (high < 0)
    return proved(position, margin, None if weak or low < high else plies_to_end(position, low))


def plies_to_end(position: Position, score: int) -> int | None:
    """How many plies a game with this score still lasts; None for a draw."""
    left = position.game.max_plies - int(position.state.mask).bit_count()
    if score == 0:
        return None
    return 2 * ((left + 1) // 2 - score) + 1 if score > 0 else 2 * (left // 2 + score + 1)
