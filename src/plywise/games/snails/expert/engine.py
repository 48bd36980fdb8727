"""The expert: its book, proofs where there is time, its own search, exact filling at the end.

On boards that the solver can handle, it is asked first. If there is a win, the search chooses among
the moves that are proved to win. If not, it chooses among the moves that do not lose. Once all
moves are solved, it keeps to those that are proved not to lose: nothing can go wrong any more, so
it avoids a draw at any price.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import replace

from plywise.core.analysis import Analysis, Limits, Line, OnInfo, Outcome, Stop
from plywise.core.game import AgentType, Game
from plywise.core.position import Position, texts
from plywise.core.spec import Parameter
from plywise.engines.alphabeta import MEGABYTES, SECONDS
from plywise.engines.book import WON, shipped
from plywise.engines.driver import GameAgent, Run
from plywise.engines.net.weights import EXPERT_NET
from plywise.engines.scale import Verdict, analysis_of, estimated, led_by, line_of, proved
from plywise.games.snails.expert.evaluate import CELL
from plywise.games.snails.expert.filling import Filling, FillingPlan
from plywise.games.snails.expert.search import CONTEMPT, Searcher
from plywise.games.snails.solver import SnailsSolver, solvable
from plywise.games.snails.solver.kernel import NO_MOVE

#: Of the time, to ask if there is a win; and if there was one at the previous move.
WIN_SHARE, WINNING_SHARE = 0.2, 0.8
#: Of the rest, to ask the same about each move; and if the previous move was proved not to lose.
MOVES_SHARE, HOLDING_SHARE = 0.35, 0.7
GOOD = 0.9  #: of the best chance in the book: such a move is played now and then
PROOFS = 4  #: how much more memory proofs may take than estimates
GRACE = 5_000  #: nodes of each proof without a time limit, so that small ones are always solved
RISK = -300  #: the score of a proved draw: less than any estimate of an even game


class Expert(GameAgent):
    """Proves or searches until the board is split, then fills its land as planned."""

    def __init__(
        self, game: Game, time: float | None, memory: float, seed: int, net: str | None = None
    ) -> None:
        self.game = game
        self.limits = Limits(time)
        self.book = shipped(game)
        self.rng = random.Random(seed) if seed else None
        self.estimator = Searcher(game, memory, seed, net)
        self.filling = Filling(game)
        self.solver = SnailsSolver(game, PROOFS * memory, grown=True) if solvable(game) else None
        self.kept: Outcome | None = None  #: what the last move is proved to bring at least
        self.warm = False

    def think(
        self, position: Position, limits: Limits, on_info: OnInfo | None, stop: Stop, lines: bool
    ) -> Analysis:
        """The best move within the limits; on a split board the next one of the plan."""
        limits = limits or Limits(time=SECONDS)
        if not self.warm:
            self.estimator.warm(position)
            self.filling.warm()
            if self.solver is not None:
                self.solver.warm(position)
            self.warm = True
        run = Run(limits, stop)
        # With a depth or node limit the result must be reproducible, so the solver is not used.
        timed = limits.depth is None and limits.nodes is None and not lines
        proving = self.solver if timed else None
        known = self.book.moves(position) if proving and self.book is not None else {}
        if len(known) == 1 or any(known.values()):
            return self._known(position, known, run, on_info)
        winning = NO_MOVE
        if proving is not None:
            share = run.left(WINNING_SHARE if self.kept == "win" else WIN_SHARE)
            _, winning = proving.wins(position, position.turn, Run(share, stop, GRACE))
        if self.filling.parted(position):
            found = self._fill(position, run, lines)
            if found is not None and (winning == NO_MOVE or found.outcome == "win"):
                if on_info is not None:
                    on_info(found)
                return found
        if proving is None:
            return self.estimator.search(position, limits, on_info, stop, lines=lines)
        codes = list(known) or position.legal_codes
        return self._choose(proving, position, codes, winning, run, on_info, stop)

    def _known(
        self, position: Position, known: dict[int, int], run: Run, on_info: OnInfo | None
    ) -> Analysis:
        """The book move with the best chances; with a seed, one that is nearly as good."""
        best = max(known.values())
        good = [move for move, chance in known.items() if chance >= GOOD * best]
        if self.rng is None or best == WON:
            good = [move for move in good if known[move] == best]
        move = good[0] if self.rng is None else self.rng.choice(good)
        self.kept = "win" if best == WON else None
        seen = proved(position, int(best == WON), None)
        found = analysis_of((position.text_of(move),), seen, seconds=run.seconds)
        if on_info is not None:
            on_info(found)
        return found

    def _choose(
        self,
        proving: SnailsSolver,
        position: Position,
        codes: Sequence[int],
        winning: int,
        run: Run,
        on_info: OnInfo | None,
        stop: Stop | None,
    ) -> Analysis:
        """The search's choice among moves that win, if any is known, or that may not lose."""
        won = winning != NO_MOVE
        player = position.turn if won else 1 - position.turn
        share = MOVES_SHARE if self.kept is None else HOLDING_SHARE
        part = Run(run.left(share), stop)
        answers: dict[int, bool | None] = {}
        for index, move in enumerate(codes):
            turn = Run(part.left(1 / (len(codes) - index)), stop, GRACE)
            answers[move] = proving.wins(position.play_code(move), player, turn)[0]
        # Moves that are proved to keep the result; until all are solved, those that may.
        good = [move for move in codes if answers[move] is won or move == winning]
        known = won or self.kept is not None or None not in answers.values()
        self.kept = ("win" if won else "draw") if good and known else None
        if self.kept is None:
            good = [move for move in codes if not answers[move]] or list(codes)
        found = self.estimator.search(
            position,
            run.left(),
            on_info,
            stop,
            contempt=CONTEMPT if self.kept is None else RISK,
            avoid=[move for move in position.legal_codes if move not in good],
        )
        if position.code_of(found.best or "") not in good:  # there was no time to search
            (best,) = texts(position, good[:1])
            found = replace(found, best=best, pv=(best,))
        if won:
            found = replace(found, **vars(proved(position, 1, found.plies_to_end)))
        return replace(found, seconds=run.seconds)

    def _fill(self, position: Position, run: Run, lines: bool) -> Analysis | None:
        """The result of both plans; None if the mover has none."""
        me = position.turn
        mine = self.filling.plan(position, me, run)
        theirs = self.filling.plan(position, 1 - me, run)
        if not mine.moves:
            return None
        plans = [mine, theirs] if me == 0 else [theirs, mine]
        pv = texts(position, self.filling.together(position, plans))
        seen = _verdict(position, me, mine, theirs)
        nodes = sum(plan.nodes for plan in plans)
        found = analysis_of(pv, seen, depth=len(pv), nodes=nodes, seconds=run.seconds)
        if not lines:
            return found
        every = tuple(self._line(position, move, run) for move in position.legal_codes)
        best = max(every, key=lambda line: (line.value, line.move == pv[0]))
        return led_by(best, found, lines=every, seconds=run.seconds)

    def _line(self, position: Position, move: int, run: Run) -> Line:
        """The line after a move: the plans of both."""
        child = position.play_code(move)
        me = position.turn
        (text,) = texts(position, (move,))
        if child.margin is not None:
            seen = proved(position, child.margin if me == 0 else -child.margin, 1)
            return line_of((text,), seen)
        filling = Filling(self.game)  # so that the current plan is kept
        plans = [filling.plan(child, player, run) for player in range(2)]
        seen = _verdict(child, me, plans[me], plans[1 - me])
        pv = texts(child, filling.together(child, plans))
        return line_of((text, *pv), seen)


def _verdict(position: Position, me: int, mine: FillingPlan, theirs: FillingPlan) -> Verdict:
    """The verdict for a player: proved if one plan beats the other's best."""
    score = position.state.score
    lead = int(score[me]) - int(score[1 - me])
    low, high = lead + mine.claims - theirs.most, lead + mine.most - theirs.claims
    if low > 0 or high < 0 or low == high == 0:
        return proved(position, (low > 0) - (high < 0), None)
    return estimated(position, CELL * (lead + mine.claims - theirs.claims))


EXPERT = AgentType(
    Expert,
    (
        Parameter("time", float, "seconds per move", low=0.0, high=1e6),
        Parameter(
            "memory",
            float(MEGABYTES),
            "megabytes for estimates; proofs take up to 4 times that",
            low=0.01,
            high=65536,
        ),
        Parameter("seed", 0, "random seed, so that games differ a little; 0 for none"),
        Parameter("net", str, EXPERT_NET),
    ),
    "searches who reaches each cell first, with proofs; fills exactly once the board is split",
)
