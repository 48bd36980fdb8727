"""A tournament: the rounds of a plan, played by workers, kept in a file, game by game."""

from __future__ import annotations

import shutil
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from plywise.arena.games import Outcome, Task, fault_of, game_of, put_away, tasks
from plywise.arena.live import live_folder
from plywise.arena.pairing import Pairing, both, meetings, pairings
from plywise.arena.plan import Entry, Plan
from plywise.arena.results import Results, Row
from plywise.arena.standings import Table, cross_table, points_of, ratings, table_of
from plywise.core.game import need_game
from plywise.core.workers import Workers
from plywise.errors import SpecError
from plywise.play.agents.shelter import Shelter

Play = Workers[Task, Outcome]


@dataclass(frozen=True)
class Progress:
    """How far a tournament is, after a game."""

    round: int  #: from 1
    rounds: int
    done: int  #: games, all told
    games: int  #: that will be played, all told
    table: Callable[[], Table]  #: gives the standings
    task: Task
    outcome: Outcome


class Tournament:
    """Plays what is missing in the file of results."""

    def __init__(self, plan: Plan, file: Path, shelter: Shelter | None = None) -> None:
        need_game(game_of(plan.game), "tournament")
        self.plan = plan
        self.shelter = shelter
        self.results = Results(file, plan)
        self._live = live_folder(file)
        self.rows = self.results.rows()
        self.challenges = self.results.challenges()
        self._carried = [row for row in self.rows if row.key[0] < self.results.edition]

    def faults(self) -> list[tuple[Entry, str]]:
        """The agents without a game so far that do not even start, and why, in a sentence."""
        game = game_of(self.plan.game)
        known = {agent for row in self.rows for agent in (row.first, row.second)}
        found = (
            (entry, fault_of(entry.spec, game, self.plan.memory, self.shelter))
            for number, entry in enumerate(self.plan.agents)
            if number not in known
        )
        return [(entry, fault) for entry, fault in found if fault is not None]

    @property
    def games(self) -> int:
        """How many games will have been played at the end."""
        plan, count = self.plan, len(self.plan.agents)
        if plan.format == "round-robin":
            tables = count * (count - 1) // 2
        elif plan.format == "gauntlet":
            tables = count - 1
        elif plan.format == "swiss":
            tables = plan.last_round * (count // 2)
        else:
            tables = sum((count - number % 2) // 2 for number in range(plan.last_round))
        carried = len(self._carried) if plan.format == "ladder" else 0
        return carried + tables * plan.games

    def table(self) -> Table:
        """The standings by now."""
        return table_of(self.plan, self.rows)

    def run(self, workers: Play, on_game: Callable[[Progress], None] | None = None) -> Table:
        """Play all rounds; a game is on the disk before `on_game` is called with it."""
        live = str(self._live.resolve())
        shutil.rmtree(self._live, ignore_errors=True)  # of a process that was killed
        self._live.mkdir()
        for number in range(self.plan.last_round):
            missing = (replace(task, live=live) for task in self._missing(number))
            for task, outcome in workers.run(missing):
                self.rows.append(self.results.add(task, outcome))
                if on_game is not None:
                    rounds = number + 1, self.plan.last_round
                    done = len(self.rows), self.games
                    on_game(Progress(*rounds, *done, self.table, task, outcome))
            self.rows.sort(key=lambda row: row.key)  # as if they had been played in order
        return self.table()

    def _missing(self, number: int) -> list[Task]:
        """The games of a round that are to be played.

        Where everybody meets the same opponents whatever happens, pairs of games from earlier
        editions need not be played again.
        """
        known = {row.key for row in self.rows}
        enough: Counter[Pairing] = Counter()
        if self.plan.format in ("round-robin", "gauntlet"):
            enough.update(both(row.first, row.second) for row in self._carried)
        paired = self._pairings(number)
        return [
            task
            for task in tasks(self.plan, number, paired, self.shelter, self.results.edition)
            if task.key not in known and task.number >= enough[both(task.first, task.second)]
        ]

    def _pairings(self, number: int) -> list[Pairing]:
        """The pairings of a round: they depend on the rounds before it alone."""
        now = self.results.edition
        before = [row for row in self.rows if row.key[0] < now or row.round < number]
        points, rated = _so_far(self.plan, before)
        return pairings(self.plan, number, points, rated, meetings(cross_table(before)))

    def challenge(
        self,
        a: str,
        b: str,
        games: int,
        workers: Play,
        on_game: Callable[[Row], None] | None = None,
    ) -> list[Row]:
        """Let two agents play some games that never count, and return them.

        Each challenge has other openings than those before it.
        """
        plan = replace(self.plan, games=games)
        one, two = (plan.number_of(name) for name in (a, b))
        if one == two:
            raise SpecError(f"{a} cannot challenge itself: name two agents")
        count = 1 + max((row.key[0] for row in self.challenges), default=0)
        lot = f"{plan.seed} challenge"
        played = []
        for task, outcome in workers.run(
            tasks(plan, 0, [(one, two)], self.shelter, count, lot=lot)
        ):
            played.append(self.results.add(task, outcome, rated=False))
            self.challenges.append(played[-1])
            if on_game is not None:
                on_game(played[-1])
        return played

    def close(self) -> None:
        """Close the file, and end the processes of agents that were kept for more games."""
        put_away()
        shutil.rmtree(self._live, ignore_errors=True)
        self.results.close()


def _so_far(plan: Plan, rows: Sequence[Row]) -> tuple[list[float], list[float]]:
    """Points and ratings after some games; an agent without a game counts as average."""
    points = [0.0] * len(plan.agents)
    for row in rows:
        for agent in (row.first, row.second):
            points[agent] += points_of(row, agent)
    rated = ratings(plan, cross_table(rows))
    return points, [rated.get(number, (0.0, 0.0))[0] for number in range(len(plan.agents))]
