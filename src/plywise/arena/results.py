"""The results of a tournament in one SQLite file: a game is committed before it counts.

A process that is killed loses at most the games that it was playing. Started again with the same
plan, the tournament goes on where it was; no game is in the file twice.
"""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from plywise.arena.games import Outcome, Task
from plywise.arena.plan import Plan
from plywise.errors import SpecError

VERSION = 1  #: of the tables
_BUSY = 10.0  #: seconds to wait for somebody who writes to the same file
_TABLES = """
create table plan (version integer not null, plan text not null);
create table games (
    round integer not null,
    "table" integer not null,
    number integer not null,
    first integer not null,
    second integer not null,
    winner integer not null,
    moves text not null,
    plies integer not null,
    seconds_1 real not null,
    seconds_2 real not null,
    count_1 integer not null,
    count_2 integer not null,
    slowest_1 real not null,
    slowest_2 real not null,
    failure text not null,
    reason text not null,
    primary key (round, "table", number)
) without rowid;
"""
_COLUMNS = (
    'round, "table", number, first, second, winner, moves, plies, seconds_1, seconds_2, '
    "count_1, count_2, slowest_1, slowest_2, failure, reason"
)


@dataclass(frozen=True)
class Row:
    """A game in the file."""

    key: tuple[int, int, int]
    first: int
    second: int
    outcome: Outcome

    @property
    def pair(self) -> tuple[int, int, int]:
        """Equal for the two games from one opening."""
        round_, table, number = self.key
        return round_, table, number // 2


def read_results(file: Path) -> tuple[str, list[Row]]:
    """Read the plan and the games of a file that another process may be writing to.

    The games are in the order of the plan.
    """
    try:
        with closing(
            sqlite3.connect(f"{file.resolve().as_uri()}?mode=ro", uri=True, timeout=_BUSY)
        ) as base:
            base.execute("begin")  # so that both are of one moment
            version, plan = base.execute("select version, plan from plan").fetchone()
            if version != VERSION:
                raise SpecError(f"{file} was written by another version of plywise")
            return plan, list(_rows(base))
    except (sqlite3.Error, TypeError) as error:
        raise SpecError(f"the results in {file} cannot be used: {error}") from error


class Results:
    """The games so far. Only one process plays a tournament at a time."""

    def __init__(self, file: Path, plan: Plan) -> None:
        self.file = file
        try:
            self._base = sqlite3.connect(file, timeout=_BUSY, isolation_level=None)
            self._base.execute("pragma synchronous = full")
            self._open(plan)
        except sqlite3.Error as error:
            raise SpecError(f"the results in {file} cannot be used: {error}") from error

    def _open(self, plan: Plan) -> None:
        wanted = json.dumps(plan.to_json(), sort_keys=True)
        self._base.execute("begin immediate")
        try:
            known = self._base.execute("select 1 from sqlite_master where name = 'plan'").fetchone()
            if known is None:
                for statement in filter(str.strip, _TABLES.split(";")):
                    self._base.execute(statement)
                self._base.execute("insert into plan values (?, ?)", (VERSION, wanted))
            version, found = self._base.execute("select version, plan from plan").fetchone()
            if version != VERSION:
                raise SpecError(f"{self.file} was written by another version of plywise")
            if found != wanted:
                changed = ", ".join(_changed(json.loads(found), json.loads(wanted)))
                raise SpecError(
                    f"{self.file} has the games of another plan ({changed}): use another file for "
                    "the results, or remove it"
                )
        except BaseException:
            self._base.execute("rollback")
            raise
        self._base.execute("commit")

    def add(self, task: Task, outcome: Outcome) -> None:
        """Keep a game: when this returns, it is on the disk."""
        values = (
            *task.key,
            task.first,
            task.second,
            outcome.winner,
            outcome.moves,
            outcome.plies,
            *outcome.seconds,
            *outcome.counts,
            *outcome.slowest,
            outcome.failure,
            outcome.reason,
        )
        marks = ", ".join("?" * len(values))
        self._base.execute(f"insert or ignore into games ({_COLUMNS}) values ({marks})", values)

    def rows(self) -> Iterator[Row]:
        """The games in the order of the plan."""
        return _rows(self._base)

    def close(self) -> None:
        """Close the file."""
        self._base.close()


def _rows(base: sqlite3.Connection) -> Iterator[Row]:
    found = base.execute(f'select {_COLUMNS} from games order by round, "table", number')
    return map(_row, found)


def _row(values: tuple[Any, ...]) -> Row:
    a, b, c, first, second, winner, moves, plies, s1, s2, c1, c2, l1, l2, failure, reason = values
    outcome = Outcome(winner, moves, plies, (s1, s2), (c1, c2), (l1, l2), failure, reason)
    return Row((a, b, c), first, second, outcome)


def _changed(old: dict[str, Any], new: dict[str, Any]) -> list[str]:
    """Name the settings in which two plans differ."""
    return [name for name in new if old.get(name) != new[name]] or ["unknown settings"]
