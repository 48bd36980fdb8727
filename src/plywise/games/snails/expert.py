"""The expert: its own search while the snails can meet, exact filling once they cannot."""

from __future__ import annotations

from dataclasses import replace

from plywise.core.analysis import Analysis, Limits, Line, OnInfo, Stop
from plywise.core.game import AgentType, Game
from plywise.core.position import Position, texts
from plywise.core.spec import Parameter, format_spec
from plywise.engines.alphabeta import MEGABYTES, SECONDS
from plywise.engines.driver import NO_LIMITS, Run, first_move
from plywise.engines.scale import Verdict, estimated, proved
from plywise.games.snails.evaluate import CELL
from plywise.games.snails.expert_search import Searcher
from plywise.games.snails.filling import Filling, Plan


class Expert:
    """Searches until the board is parted, then fills its land as planned."""

    def __init__(self, game: Game, time: float | None, memory: float, seed: int) -> None:
        self.game = game
        self.limits = Limits(time)
        self.searcher = Searcher(game, memory, seed)
        self.filling = Filling(game)
        self.warm = False
        given = {
            "time": time,
            "memory": None if memory == MEGABYTES else memory,
            "seed": seed or None,
        }
        self.name = format_spec("expert", given)

    def search(
        self,
        position: Position,
        limits: Limits = NO_LIMITS,
        on_info: OnInfo | None = None,
        stop: Stop | None = None,
        *,
        lines: bool = False,
    ) -> Analysis:
        """The best move within the limits; on a parted board the next one of the plan."""
        first_move(position)  # refuses a finished game
        limits = self.limits & limits or Limits(time=SECONDS)
        if not self.warm:
            self.searcher.warm(position)
            self.filling.warm()
            self.warm = True
        if self.filling.parted(position):
            found = self._fill(position, Run(limits, stop), lines)
            if found is not None:
                if on_info is not None:
                    on_info(found)
                return found
        return self.searcher.search(position, limits, on_info, stop, lines=lines)

    def _fill(self, position: Position, run: Run, lines: bool) -> Analysis | None:
        """What the plans of both come to; None where the mover has none."""
        me = position.turn
        mine = self.filling.plan(position, me, run)
        theirs = self.filling.plan(position, 1 - me, run)
        if not mine.moves:
            return None
        plans = [mine, theirs] if me == 0 else [theirs, mine]
        pv = self._together(position, plans)
        seen = _verdict(position, mine, theirs)
        found = Analysis(
            pv[0], seen.value, seen.score, seen.score_kind, seen.outcome, pv=pv,
            depth=len(pv), nodes=sum(plan.nodes for plan in plans), seconds=run.seconds,
        )  # fmt: skip
        if not lines:
            return found
        every = tuple(self._line(position, move, run) for move in position.codes)
        best = max(every, key=lambda line: (line.value, line.move == pv[0]))
        return replace(
            found,
            best=best.move,
            value=best.value,
            score=best.score,
            score_kind="estimate" if best.outcome is None else "points",
            outcome=best.outcome,
            pv=best.pv,
            lines=every,
            seconds=run.seconds,
        )

    def _line(self, position: Position, move: int, run: Run) -> Line:
        """What a move leads to: the plans of both after it."""
        child = position.after(move)
        me = position.turn
        (text,) = texts(position, (move,))
        if child.margin is not None:
            seen = proved(position, child.margin if me == 0 else -child.margin, 1)
            return Line(text, seen.value, seen.score, seen.outcome, 1, (text,))
        filling = Filling(self.game)  # so that the plan under way is not forgotten
        plans = [filling.plan(child, player, run) for player in range(2)]
        seen = _verdict(child, plans[me], plans[1 - me], me)
        pv = self._together(child, plans)
        return Line(text, seen.value, seen.score, seen.outcome, pv=(text, *pv))

    def _together(self, position: Position, plans: list[Plan]) -> tuple[str, ...]:
        """Both plans, move by move, until the game is over or one has to move without a plan."""
        moves: list[str] = []
        taken = [0, 0]
        while not position.over and taken[position.turn] < len(plans[position.turn].moves):
            player = position.turn
            move = plans[player].moves[taken[player]]
            moves += texts(position, (move,))
            taken[player] += 1
            position = position.after(move)
        return tuple(moves)


def _verdict(position: Position, mine: Plan, theirs: Plan, me: int | None = None) -> Verdict:
    """Seen by the mover, or by `me`: proved where what is sure of one is beyond the other."""
    me = position.turn if me is None else me
    score = position.state.score
    lead = int(score[me]) - int(score[1 - me])
    low, high = lead + mine.claims - theirs.most, lead + mine.most - theirs.claims
    if low > 0 or high < 0 or low == high == 0:
        return proved(position, (low > 0) - (high < 0), None)
    return estimated(position, CELL * (lead + mine.claims - theirs.claims))


EXPERT = AgentType(
    Expert,
    (
        Parameter("time", None, "seconds a move", low=0.0, high=1e6, kind=float),
        Parameter("memory", float(MEGABYTES), "megabytes of the table", low=0.01, high=65536),
        Parameter("seed", 0, "for a little taste of its own, so that games differ; 0 is none"),
    ),
    "who gets to which cell first, searched; exact filling once the board is parted",
)
