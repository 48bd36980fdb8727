"""Minimax and alpha-beta as in the textbooks, with leaves evaluated for one player.

The maximizer is the player to move at the root. An undecided leaf has the value of the heuristic,
a finished game that of its result (faster wins are better, see `Heuristic`). `minimax` searches the
whole tree down to the depth; `textbook` cuts a node off as soon as alpha meets beta. Both can
record their tree, in search order, for drawing. Tests compare the other engines with them.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cache, partial

import numpy as np

from plywise.core.analysis import Analysis, Limits, OnInfo, Stop
from plywise.core.game import AgentType, Game, Heuristic, Record, Rules, Verb
from plywise.core.position import Position, texts
from plywise.core.spec import Parameter
from plywise.engines.driver import NO_BUDGET, NO_LIMITS, GameAgent, Run, TwoSpeeds, first_move
from plywise.engines.kernels.textbook import (
    ABORTED,
    HORIZONS,
    NODES,
    RECORDED,
    Frame,
    Node,
    Tree,
    meet,
    never,
    textbook_kernel,
)
from plywise.engines.scale import UNIT, Verdict, analysis_of, estimated, line_of, proved
from plywise.jit import defaults, rule
from plywise.jit.kernels import roomy

WIN = 1e9  #: the value of a win when leaves have the game's own `evaluate`


@cache
def evaluation_view(rules: Rules) -> Verb:
    """Turn a game's own `evaluate` into a heuristic for one player."""
    evaluate, turn = rules.evaluate or defaults.evaluate, rules.turn

    @rule
    def view(b: Record, s: Record, player: int) -> float:
        estimate = evaluate(b, s)
        return float(estimate) if turn(b, s) == player else -float(estimate)

    return view


@dataclass(frozen=True)
class Result:
    """The result of one run of the kernel."""

    value: float
    pv: tuple[int, ...]
    nodes: int
    complete: bool  #: no leaf was at the horizon: the value is exact
    aborted: bool
    tree: Tree | None


class Textbook(TwoSpeeds, GameAgent):
    """Both searches; `cut` is the only difference."""

    weighs_all = False  #: does `pick` need the score of every move?

    def __init__(
        self,
        game: Game,
        cut: Verb,
        depth: int | None = None,
        heuristic: str | Heuristic = "evaluate",
        order: str = "rules",
        promise: Verb | None = None,
    ) -> None:
        self.game = game
        self.limits = Limits(depth=depth)
        self.ordered = order == "promise"
        if isinstance(heuristic, Heuristic):
            self.heuristic = heuristic
        elif heuristic == "evaluate" and heuristic not in game.type.strength.heuristics:
            win = float(UNIT if game.points else WIN)
            self.heuristic = Heuristic(evaluation_view(game.rules), win)
        else:
            self.heuristic = game.heuristic(heuristic)
        rules = game.rules if promise is None else replace(game.rules, promise=promise)
        verbs = {"heuristic": self.heuristic.function, "cut": cut}
        self.kernel = textbook_kernel.build(rules, **verbs)
        self.interpreted = textbook_kernel.plain(rules, **verbs)

    def think(
        self,
        position: Position,
        limits: Limits,
        on_info: OnInfo | None,
        stop: Stop,
        lines: bool,
        record: int = 0,
    ) -> Analysis:
        """Search to the depth; with a time or node limit, to depth 1, 2, 3, ... within it.

        The first of these is finished however late it is, so that every move has been looked at.
        `record` is how many nodes of the tree to keep in `Analysis.tree`.
        """
        self.run(position, 1, Run(NO_LIMITS), budget=1)  # compile before the clock starts
        run = Run(limits, stop)
        limited = limits.time is not None or limits.nodes is not None
        usual = self.game.max_plies if limited else usual_depth(self.game)
        deepest = min(limits.depth or usual, self.game.max_plies)
        first = 1 if limited else deepest
        analysis = first_move(position)
        nodes = 0
        search = self._every_move if lines or self.weighs_all else self._best_move
        for depth in range(first, deepest + 1):
            budget = (limits.nodes or NO_BUDGET) - nodes
            clock = Run(NO_LIMITS, stop) if limited and depth == 1 else run
            found, spent = search(position, depth, clock, budget, record)
            nodes += spent
            if found is None:
                break
            analysis = replace(found, depth=depth, nodes=nodes, seconds=run.seconds)
            if on_info is not None:
                on_info(analysis)
            if analysis.outcome is not None or run.stopped:
                break
        analysis = analysis if lines else replace(analysis, lines=())
        return replace(analysis, nodes=nodes, seconds=run.seconds)

    def compile(self) -> None:
        """Compile the kernel in this thread, or load it from the disk."""
        self._searched(self.game.start(), 1, Run(NO_LIMITS), 1)

    def run(
        self, position: Position, depth: int, run: Run, budget: int = NO_BUDGET, record: int = 0
    ) -> Result:
        """Search once to a depth; `record` is how many nodes of the tree to keep."""
        search = partial(self._searched, position, depth, run, budget, record)
        result: Result = run.call([search])[0]
        return result

    def _searched(
        self,
        position: Position,
        depth: int,
        run: Run,
        budget: int,
        record: int = 0,
        player: int | None = None,
        base: int = 0,
    ) -> Result:
        """Search once, in this thread, for `player`: by default the one to move.

        `base` is the number of plies between the root of the whole search and `position`.
        """
        game = self.game
        states = np.zeros(depth + 2, game.type.state)
        states[0] = position.state
        pv = np.zeros((depth + 2, depth + 3), np.int32)
        tree = np.zeros(record + 1 if record else 0, Node)  # one extra, to notice a larger tree
        counts = np.array([budget, 0, 0, 0], np.int64)
        stack = states, np.zeros(depth + 2, Frame), roomy((depth + 2, game.max_moves), np.int32)
        seen_by = position.turn if player is None else player
        asked = depth, self.heuristic.win, game.points, self.ordered, base, seen_by
        value = self.kernel(game.boards, *stack, *asked, pv, tree, counts, run.stop, run.halt)
        kept = int(counts[RECORDED])
        return Result(
            value=float(value),
            pv=tuple(int(move) for move in pv[0, 1 : pv[0, 0] + 1]),
            nodes=int(counts[NODES]),
            complete=counts[HORIZONS] == 0,
            aborted=bool(counts[ABORTED]),
            tree=Tree(tree[: min(kept, record)], kept <= record) if record else None,
        )

    def _best_move(
        self, position: Position, depth: int, run: Run, budget: int, record: int
    ) -> tuple[Analysis | None, int]:
        result = self.run(position, depth, run, budget, record)
        if result.aborted:
            return None, result.nodes
        pv = texts(position, result.pv)
        seen = self._verdict(position, result)
        return analysis_of(pv, seen, tree=result.tree), result.nodes

    def _every_move(
        self, position: Position, depth: int, run: Run, budget: int, record: int
    ) -> tuple[Analysis | None, int]:
        def search_all() -> list[tuple[int, Result]]:  # in one thread: starting each takes longer
            scored: list[tuple[int, Result]] = []
            spent = 1
            for move in position.legal_codes:
                if run.stopped:
                    break
                child = position.play_code(move)
                result = self._searched(
                    child, depth - 1, run, budget - spent, player=position.turn, base=1
                )
                spent += result.nodes
                if result.aborted:
                    break
                scored.append((move, result))
            return scored

        scored: list[tuple[int, Result]] = run.call([search_all])[0]
        nodes = 1 + sum(result.nodes for _, result in scored)
        if len(scored) < len(position.legal_codes):
            return None, nodes
        lines = []
        for (_, result), text in zip(scored, position.legal, strict=True):
            seen = self._verdict(position, result)
            pv = (text, *texts(position, result.pv))
            lines.append(line_of(pv, seen))
        best = self.pick(position, scored)
        seen = self._verdict(position, scored[best][1])
        return analysis_of(lines[best].pv, seen, lines=tuple(lines)), nodes

    def pick(self, position: Position, scored: Sequence[tuple[int, Result]]) -> int:
        """Choose which of the scored moves to play: the first of the best."""
        values = [result.value for _, result in scored]
        return values.index(max(values))

    def _verdict(self, position: Position, result: Result) -> Verdict:
        """Translate a value: proved if only a finished game can have it, or if complete."""
        value, win = result.value, self.heuristic.win
        if self.game.points:
            if result.complete:
                return proved(position, round(value / win), None)
            return estimated(position, value)
        plies = win - abs(value)
        if 0 <= plies <= self.game.max_plies and value != 0 and plies == round(plies):
            return proved(position, 1 if value > 0 else -1, round(plies))
        return proved(position, 0, None) if result.complete else estimated(position, value)


def usual_depth(game: Game) -> int:
    """Return the default depth: to the end of a game as short as Tic-Tac-Toe, else four plies."""
    return game.max_plies if game.max_plies <= 9 else 4


PARAMETERS = (
    Parameter("depth", int, "plies to look ahead", low=1, high=999),
    Parameter("heuristic", "evaluate", "how undecided leaves are evaluated"),
    Parameter("order", "rules", "move order", choices=("rules", "promise")),
)


TEXTBOOK = AgentType(
    partial(Textbook, cut=meet), PARAMETERS, "alpha-beta as in the textbooks, with a tree to draw"
)
MINIMAX = AgentType(
    partial(Textbook, cut=never),
    PARAMETERS,
    "the whole tree to a fixed depth: slow, simple and correct",
)
