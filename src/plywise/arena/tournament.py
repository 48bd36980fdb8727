"""A tournament: the rounds of a plan, played by workers, kept in a file, game by game.

Who meets whom in a round depends on the plan and on the rounds before, never on a clock:

- round robin: everybody meets everybody, in rounds in which nobody plays twice;
- gauntlet: the first agent meets all others;
- Swiss: agents with equal points meet, and nobody twice if that can be avoided;
- ladder: neighbours in the ratings meet, so that most games are between equals.
"""

from __future__ import annotations

import shutil
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path

from plywise.arena.games import Task, fault_of, game_of, live_folder, put_away, tasks
from plywise.arena.plan import Entry, Plan
from plywise.arena.results import Results, Row
from plywise.arena.standings import Snapshot, Table, cross_table, points_of, ratings, table_of
from plywise.core.game import need_game
from plywise.core.workers import Workers
from plywise.errors import SpecError
from plywise.play.agents.sandbox import Sandbox
from plywise.play.series import Played

Play = Workers[Task, Played]
Pairing = tuple[int, int]  #: the numbers of two agents in the plan


class Tournament:
    """Plays what is missing in the file of results."""

    def __init__(self, plan: Plan, file: Path, sandbox: Sandbox | None = None) -> None:
        need_game(game_of(plan.game), "tournament")
        self.plan = plan
        self.sandbox = sandbox
        self.results = Results(file, plan)
        self._live = live_folder(file)
        self.rows = self.results.rows()
        self.challenges = self.results.challenges()
        self._carried = [row for row in self.rows if row.key[0] < self.results.edition]

    def faults(self) -> list[tuple[Entry, str]]:
        """The agents without a game so far that do not even start, and why, in a sentence."""
        known = {agent for row in self.rows for agent in (row.first, row.second)}
        new = (entry for number, entry in enumerate(self.plan.agents) if number not in known)
        found = ((entry, fault_of(self.plan, entry, self.sandbox)) for entry in new)
        return [(entry, fault) for entry, fault in found if fault is not None]

    @property
    def games(self) -> int:
        """How many games will have been played at the end."""
        plan, nothing = self.plan, [0.0] * len(self.plan.agents)
        rounds = (pairings(plan, n, nothing, nothing, set()) for n in range(plan.last_round))
        carried = len(self._carried) if plan.format == "ladder" else 0
        return carried + sum(map(len, rounds)) * plan.games

    def table(self) -> Table:
        """The standings by now."""
        return table_of(self.plan, self.rows)

    def snapshot(self) -> Snapshot:
        """What a page shows of it."""
        return Snapshot(self.plan, self.rows, self.challenges)

    def run(self, workers: Play, on_game: Callable[[int], None] | None = None) -> Table:
        """Play all rounds; a game is on the disk before `on_game` is told its round, from 1."""
        live = str(self._live.resolve())
        shutil.rmtree(self._live, ignore_errors=True)  # of a process that was killed
        self._live.mkdir()
        for number in range(self.plan.last_round):
            missing = (replace(task, live=live) for task in self._missing(number))
            for task, played in workers.run(missing):
                self.rows.append(self.results.add(task, played))
                if on_game is not None:
                    on_game(number + 1)
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
            for task in tasks(self.plan, number, paired, self.sandbox, self.results.edition)
            if task.key not in known and task.number >= enough[both(task.first, task.second)]
        ]

    def _pairings(self, number: int) -> list[Pairing]:
        """The pairings of a round: they depend on the rounds before it alone."""
        now = self.results.edition
        before = [row for row in self.rows if row.key[0] < now or row.round < number]
        points = [0.0] * len(self.plan.agents)
        for row in before:
            for agent in (row.first, row.second):
                points[agent] += points_of(row, agent)
        cross = cross_table(before)
        rated = ratings(cross)  # an agent without a game counts as average
        strength = [rated.get(agent, (0.0, 0.0))[0] for agent in range(len(points))]
        return pairings(self.plan, number, points, strength, {both(*pair) for pair in cross})

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
        seed = f"{plan.seed} challenge"
        rows = []
        for task, played in workers.run(
            tasks(plan, 0, [(one, two)], self.sandbox, count, seed=seed)
        ):
            rows.append(self.results.add(task, played, rated=False))
            self.challenges.append(rows[-1])
            if on_game is not None:
                on_game(rows[-1])
        return rows

    def close(self) -> None:
        """Close the file, and end the processes of agents that were kept for more games."""
        put_away()
        shutil.rmtree(self._live, ignore_errors=True)
        self.results.close()


# ---- who meets whom -------------------------------------------------------------------------


def pairings(
    plan: Plan, number: int, points: Sequence[float], ratings: Sequence[float], met: set[Pairing]
) -> list[Pairing]:
    """Return the pairings of round `number`, counted from 0.

    `points` and `ratings` are those after the rounds before, by agent; `met` are the pairs that
    have played, the smaller number first.
    """
    count = len(plan.agents)
    if plan.format == "gauntlet":
        return [(0, other) for other in range(1, count)]
    if plan.format == "round-robin":
        return _circle(count, number)
    if plan.format == "ladder":
        order = sorted(range(count), key=lambda each: (-ratings[each], each))
        return list(zip(order[number % 2 :: 2], order[number % 2 + 1 :: 2], strict=False))
    order = sorted(range(count), key=lambda each: (-points[each], -ratings[each], each))
    return _swiss(order, met)


def _circle(count: int, number: int) -> list[Pairing]:
    """One agent stays, the others move on by one place each round; with an odd one, nobody."""
    even = count + count % 2
    ring = [(each + number) % (even - 1) for each in range(even - 1)]
    pairs = [(even - 1, ring[0])]
    pairs += [(ring[each], ring[even - 1 - each]) for each in range(1, even // 2)]
    # Whoever is named first begins; that changes from round to round.
    turned = [(b, a) if (number + place) % 2 else (a, b) for place, (a, b) in enumerate(pairs)]
    return [pair for pair in turned if max(pair) < count]


def _swiss(order: Sequence[int], met: set[Pairing]) -> list[Pairing]:
    """Pair from the top, each with the next that it has not met; the last odd one has a rest."""
    left, pairs = list(order), []
    while len(left) > 1:
        one = left.pop(0)
        new = (each for each in left if both(one, each) not in met)
        two = next(new, left[0])
        left.remove(two)
        pairs.append((one, two))
    return pairs


def both(one: int, two: int) -> Pairing:
    """Return two agents, the smaller number first."""
    return min(one, two), max(one, two)
