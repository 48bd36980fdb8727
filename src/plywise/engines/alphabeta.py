"""Alpha-beta for playing and proving: iterative deepening, a transposition table, threads.

Without `forced` it finds what minimax finds at each depth, only faster; forced replies are
searched beyond the depth. A win or loss in n plies is exact once the depth reaches n, and a draw
or a margin once it does not depend on any estimate.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import cache, partial
from typing import Any, NamedTuple

import numpy as np

from plywise.core.analysis import Analysis, Limits, OnInfo, Stop
from plywise.core.engine import unguarded
from plywise.core.game import AgentType, Game, Record, Rules, Verb
from plywise.core.position import Position, texts
from plywise.core.spec import Parameter
from plywise.engines.driver import NO_BUDGET, NO_LIMITS, GameAgent, Run, first_move
from plywise.engines.hooks import SearchRules
from plywise.engines.kernels.alphabeta import (
    LOOK_UP,
    Common,
    Frame,
    Stack,
    Task,
    alphabeta_kernel,
)
from plywise.engines.kernels.stack import INFINITE, MATE, WON
from plywise.engines.kernels.transpositions import TranspositionTable
from plywise.engines.net import Net
from plywise.engines.net.weights import NET, staged
from plywise.engines.scale import UNIT, Verdict, analysis_of, estimated, line_of, proved
from plywise.errors import SpecError, Unsupported
from plywise.jit import rule
from plywise.jit.bits import random_words
from plywise.jit.kernels import roomy

MEGABYTES = 32  #: the default size of the table
BUSY = 1 << 12  #: slots where threads note the child they are searching; a power of two
FINENESS = 10  #: steps per point of a heuristic with fractions
SECONDS = 1.0  #: the time of a search without any limit
#: As long as a search has had fewer nodes and seconds, the next iteration is short, too: handing it
#: over to another thread would take longer.
BRIEF_NODES, BRIEF_SECONDS = 20_000, 0.005
#: Nodes that are searched regardless of the clock, so that small positions are solved on any
#: machine; they take a few milliseconds.
GRACE = 20_000


class Found(NamedTuple):
    """The result of one search of a position to one depth."""

    score: int
    certain: bool
    move: int
    pv: tuple[int, ...]  #: empty unless the score is within the window
    nodes: int
    aborted: bool


class Worker:
    """One search thread, with its stack and its task."""

    def __init__(self, game: Game, state: np.dtype[Any], number: int = 0) -> None:
        deepest = game.max_plies + 3
        self.stack = Stack(
            states=roomy(deepest, state),
            frames=roomy(deepest, Frame),
            lists=roomy((deepest, game.max_moves), np.int32),
            ranks=roomy((deepest, game.max_moves), np.int64),
            pv=roomy((deepest, deepest + 2), np.int32),
            killers=roomy((deepest, 2), np.int32),
            history=roomy((2, game.max_moves), np.int32),
        )
        self.tasks = np.zeros(1, Task)
        self.number = number
        self.forget()

    def forget(self) -> None:
        """Clear the history and the killer moves."""
        history = self.stack.history
        history[:] = 0
        self.stack.killers[:] = -1
        if self.number:  # helper threads order moves differently, to search different parts
            words = random_words(history.size, self.number).reshape(history.shape)
            history[:] = (words >> np.uint64(51)).astype(np.int32) - 4096


@cache
def difference(rules: Rules, heuristic: Verb) -> Verb:
    """Turn a heuristic into an `evaluate`: the side to move's view minus the opponent's."""
    turn = rules.turn

    @rule
    def evaluate(b: Record, s: Record) -> Any:
        me = turn(b, s)
        return round(FINENESS * (heuristic(b, s, me) - heuristic(b, s, 1 - me)))

    return evaluate


class AlphaBeta(GameAgent):
    """Iterative deepening over the kernel, with one worker per thread and one shared table.

    Experts subclass it, with their own verbs (`rules`) and settings below.
    """

    look_up = LOOK_UP  #: the least remaining depth at which the table is used
    draw = 0  #: the value of a draw for the side to move, in a game without points
    decided = 0  #: how a decided game that is not over is valued, see `Task`

    def __init__(
        self,
        game: Game,
        depth: int | None = None,
        time: float | None = None,
        nodes: int | None = None,
        threads: int = 1,
        memory: float = float(MEGABYTES),
        heuristic: str = "evaluate",
        net: str | Net | None = None,
        rules: Rules | None = None,
    ) -> None:
        self.game = game
        self.limits = Limits(time=time, depth=depth, nodes=nodes)
        rules = SearchRules.extending(rules or game.rules)
        if net is not None and heuristic != "evaluate":
            raise SpecError("a search has either a net or a heuristic: leave one of them out")
        if heuristic == "none":
            rules = replace(rules, evaluate=None, assess=None)
        elif heuristic != "evaluate":
            given = difference(rules, game.heuristic(heuristic).function)
            rules = replace(rules, evaluate=given, assess=None)
        if game.points:  # they count plies to a win, but here the margin counts
            rules = replace(rules, tactics=None, threats=None)
        self.exact = rules.reduction is None and rules.null_move is None and rules.threats is None
        self.stage = staged(game, rules, net)
        self.kernel = alphabeta_kernel.build(self.stage.rules)
        self.table = TranspositionTable(memory)
        self.busy = np.zeros(0 if threads == 1 else BUSY, np.uint64)
        self.barred = np.zeros(0, np.uint8)  # moves to avoid at the root
        self.workers = [Worker(game, self.stage.state, number) for number in range(threads)]
        self.is_warm = False

    def think(
        self,
        position: Position,
        limits: Limits,
        on_info: OnInfo | None,
        stop: Stop,
        lines: bool,
        avoid: Sequence[int] = (),
    ) -> Analysis:
        """Find the best move within the limits, except those in `avoid`; with `lines`, score all.

        The table is kept from one search to the next if time is the only limit; otherwise the
        search starts with an empty table, so that the same limits give the same result.
        """
        if avoid and set(avoid) >= set(position.legal_codes):
            raise Unsupported("avoid contains every legal move: leave at least one")
        self.barred = np.zeros(self.game.max_moves if avoid and not lines else 0, np.uint8)
        if self.barred.size:
            self.barred[list(avoid)] = 1
        limits = limits or Limits(time=SECONDS)
        self.warm(position)
        run = Run(limits, stop, GRACE)
        if limits.depth is None and limits.nodes is None:
            self.table.grow_old()
        else:
            self.table.forget()
        for worker in self.workers:
            worker.forget()
        deepen = self._deepen_lines if lines else self.deepen
        return deepen(position, limits, run, on_info)

    def warm(self, position: Position) -> None:
        """Compile the kernel, or load it from disk, before a clock starts."""
        if not self.is_warm:
            self.table.warm()
            run, none = Run(NO_LIMITS), np.zeros(1, np.uint8)
            call = self.call  # in another thread, so that Ctrl-C does not end in the compiler
            first = self.workers[0]
            run.call([lambda: call(first, position, 1, -INFINITE, INFINITE, run, none, 1)])
            self.is_warm = True

    def deepen(
        self, position: Position, limits: Limits, run: Run, on_info: OnInfo | None
    ) -> Analysis:
        """Search to depth 1, 2, 3, ..., each with a window around the previous score."""
        kept: tuple[Found, int] | None = None  # the last result, and its depth
        score, nodes = 0, 0
        for depth in range(1, min(limits.depth or NO_BUDGET, self.game.max_plies) + 1):
            self._prepare(nodes, run)
            found = self._aspire(position, depth, score, run, (limits.nodes or NO_BUDGET) - nodes)
            nodes += found.nodes
            if found.pv and not (found.aborted and found.score < -WON):
                score = found.score
                kept = found, depth
            if found.aborted:
                break
            if on_info is not None:
                on_info(self._told(position, kept, nodes, run))
            if self.settled(found, depth) or run.stopped or nodes >= (limits.nodes or NO_BUDGET):
                break
        run.brief = False
        return self._told(position, kept, nodes, run)

    def _told(
        self,
        position: Position,
        kept: tuple[Found, int] | None,
        nodes: int,
        run: Run,
        every: Sequence[Found] = (),
    ) -> Analysis:
        """Put a result into words; in Python this takes as long as thousands of nodes."""
        if kept is None:
            return replace(first_move(position), nodes=nodes, seconds=run.seconds)
        best, depth = kept
        (pv, seen), *lines = (
            (texts(position, found.pv), self.verdict(position, found, depth))
            for found in (best, *every)
        )
        lined = tuple(line_of(*line) for line in lines)
        return analysis_of(pv, seen, lines=lined, depth=depth, nodes=nodes, seconds=run.seconds)

    def _prepare(self, nodes: int, run: Run) -> None:
        """Prepare the next iteration; `nodes` is the total so far."""
        self.table.make_room(nodes)
        run.brief = nodes < BRIEF_NODES and run.seconds < BRIEF_SECONDS

    def _aspire(self, position: Position, depth: int, guess: int, run: Run, budget: int) -> Found:
        """Search with an aspiration window; widen it on the side where the score fell outside."""
        margin = max(8, int(self.game.type.strength.scale / 4))
        low, high = -INFINITE, INFINITE
        if depth >= 4 and abs(guess) < WON:
            low, high = guess - margin, guess + margin
        nodes = 0
        while True:
            found = self.dive(position, depth, low, high, run, budget - nodes)
            nodes += found.nodes
            if found.aborted or low < found.score < high:
                return found._replace(nodes=nodes)
            margin *= 8
            if found.score <= low:
                low = -INFINITE if margin > 4096 else found.score - margin
            if found.score >= high:
                high = INFINITE if margin > 4096 else found.score + margin

    def dive(
        self, position: Position, depth: int, low: int, high: int, run: Run, budget: int
    ) -> Found:
        """Search a position to one depth; the clock counts only once the grace is used up."""

        def race(most: int, *, hurry: bool) -> Found:
            """Search on all threads and take the first to finish; only `hurry` obeys the clock."""
            beaten = np.zeros(1, np.uint8)
            self.busy[:] = 0
            order: list[Found] = []

            def work(worker: Worker) -> None:
                found = self.call(worker, position, depth, low, high, run, beaten, most)
                order.append(found)
                if not found.aborted:
                    beaten[0] = 1

            run.call([partial(work, worker) for worker in self.workers], hurry=hurry)
            first = min(order, key=lambda found: found.aborted)
            return first._replace(nodes=sum(found.nodes for found in order))

        spent = 0
        if run.grace > 0:
            found = race(min(budget, run.grace), hurry=False)
            run.grace -= found.nodes
            if not found.aborted or run.stopped or found.nodes >= budget:
                return found
            spent = found.nodes  # their results are in the table
        found = race(budget - spent, hurry=True)
        return found._replace(nodes=spent + found.nodes)

    def call(
        self,
        worker: Worker,
        position: Position,
        depth: int,
        low: int,
        high: int,
        run: Run,
        beaten: np.ndarray[tuple[int], np.dtype[np.uint8]],
        budget: int,
    ) -> Found:
        """Run the kernel once, on one thread."""
        stack, tasks = worker.stack, worker.tasks
        stack.states[0] = self.stage.lift(position.states)[0]
        tasks[0] = (
            *(depth, low, high, budget, self.game.points, self.table.era, self.look_up),
            *(self.draw, self.decided, 0, False, False, 0),
        )
        common = Common(self.table.words, self.busy, self.barred, run.stop, run.halt, beaten)
        self.kernel(self.stage.boards, stack, common, tasks)
        aborted = bool(tasks["aborted"][0])
        # After an abort, the result of the moves searched so far is still valid.
        score = stack.frames["alpha"][0] if aborted else tasks["value"][0]
        pv = tuple(stack.pv[0, 1 : stack.pv[0, 0] + 1].tolist())
        move, nodes = int(stack.frames["move"][0]), int(tasks["nodes"][0])
        return Found(int(score), bool(tasks["certain"][0]), move, pv, nodes, aborted)

    def _deepen_lines(
        self, position: Position, limits: Limits, run: Run, on_info: OnInfo | None
    ) -> Analysis:
        """Search every move separately to depth 1, 2, 3, ..., to get the true score of each."""
        children: list[Position] = []
        every = [Found(0, False, move, (move,), 0, False) for move in position.legal_codes]
        done: list[Found] = []  # at the last complete depth
        kept: tuple[Found, int] | None = None  # the best of them, and the depth
        nodes = 0
        for depth in range(1, min(limits.depth or NO_BUDGET, self.game.max_plies) + 1):
            self._prepare(nodes, run)
            for index, move in enumerate(position.legal_codes):
                if run.stopped:
                    return self._told(position, kept, nodes, run, done)
                if depth == 1:
                    children.append(position.play_code(move))
                elif self.settled(every[index], depth - 1):
                    continue
                budget = (limits.nodes or NO_BUDGET) - nodes
                found = self._line(position, children[index], every[index], depth, run, budget)
                nodes += found.nodes
                if found.aborted:
                    return self._told(position, kept, nodes, run, done)
                every[index] = found
            done = list(every)
            kept = max(done, key=lambda found: found.score), depth
            if on_info is not None:
                on_info(self._told(position, kept, nodes, run, done))
            if all(self.settled(found, depth) for found in every) or run.stopped:
                break
        return self._told(position, kept, nodes, run, done)

    def _line(
        self, position: Position, child: Position, before: Found, depth: int, run: Run, budget: int
    ) -> Found:
        """Search the position after one move, and return the score before it."""
        move = before.move
        if child.margin is not None:
            result = child.margin if position.turn == 0 else -child.margin
            score = UNIT * result if self.game.points else sign(result) * (MATE - 1)
            return Found(score, True, move, (move,), 1, False)
        view = 1 if child.turn == position.turn else -1
        found = self._aspire(child, depth - 1, view * before.score, run, budget)
        score = view * found.score
        if abs(score) > WON:  # one ply further away
            score -= sign(score)
        return found._replace(score=score, move=move, pv=(move, *found.pv))

    def settled(self, found: Found, depth: int) -> bool:
        """Return True if a deeper search cannot change the result, nor find a shorter win."""
        if abs(found.score) > WON:
            return MATE - abs(found.score) <= depth
        return found.certain

    def verdict(self, position: Position, found: Found, depth: int) -> Verdict:
        """Translate a score: beyond WON it is a forced win or loss, exact within the depth.

        With late-move reductions only a win in one is exact: a shorter win may be missed.
        """
        if not self.game.points and abs(found.score) > WON:
            plies = MATE - abs(found.score)
            known = plies <= (depth if self.exact else 1)
            return proved(position, sign(found.score), plies if known else None)
        if found.certain:
            return proved(position, found.score // UNIT if self.game.points else 0, None)
        return estimated(position, found.score)


def sign(number: int) -> int:
    """Return -1, 0 or 1."""
    return (number > 0) - (number < 0)


def search_of(engine: object) -> AlphaBeta | None:
    """Return the alpha-beta search of an engine: itself, or the `estimator` that an expert has."""
    found = getattr(engine, "estimator", unguarded(engine))
    return found if isinstance(found, AlphaBeta) else None


ALPHABETA = AgentType(
    AlphaBeta,
    (
        Parameter("depth", int, "plies to look ahead", low=1, high=999),
        Parameter("time", float, "seconds per move", low=0.0, high=1e6),
        Parameter("nodes", int, "nodes per move", low=1, high=1e15),
        Parameter("threads", 1, "search threads", low=1, high=256),
        Parameter("memory", float(MEGABYTES), "megabytes for the table", low=0.01, high=65536),
        Parameter("heuristic", "evaluate", "how undecided leaves are evaluated, or none"),
        Parameter("net", str, NET),
    ),
    "alpha-beta with iterative deepening and a transposition table",
)
