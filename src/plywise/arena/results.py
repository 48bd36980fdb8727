"""The results of a tournament in one SQLite file: a game is committed before it counts.

A process that is killed loses at most the games that it was playing. Started again with the same
plan, the tournament goes on where it was; no game is in the file twice.

Agents may come, go and change. Each version of an agent, told by what its file contains, is an
agent of its own in the file. A list of versions is an *edition* of the tournament; a new one begins
when the list has changed. The games of old versions stay in the file and count no more.
"""

from __future__ import annotations

import json
import sqlite3
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from contextlib import closing, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Any

from plywise.arena.games import Task
from plywise.arena.plan import Entry, Plan
from plywise.errors import SpecError
from plywise.play.series import Played

VERSION = 1  #: of the tables: a change of a table or a column raises it
_BUSY = 10.0  #: seconds to wait for somebody who writes to the same file
_GAMES = """
create table {} (
    edition integer not null,
    round integer not null,
    "table" integer not null,
    number integer not null,
    first integer not null references agents,
    second integer not null references agents,
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
    primary key (edition, round, "table", number)
) without rowid
"""
RATED, UNRATED = "games", "challenges"  #: the tables of games
_TABLES = (
    "create table plan (version integer not null, plan text not null)",
    "create table agents (id integer primary key, name text, spec text, digest text)",
    "create table editions (number integer primary key, agents text not null)",
    _GAMES.format(RATED),
    _GAMES.format(UNRATED),
)
Key = tuple[int, int, int, int]


@dataclass(frozen=True)
class Row:
    """A game in the file."""

    key: Key  #: edition, round, table, and number in its pairing
    first: int  #: the agent, by its number in the plan, that was player 1
    second: int
    played: Played

    @property
    def round(self) -> int:
        """Its round, counted from 0."""
        return self.key[1]

    @property
    def pair(self) -> Key:
        """Equal for the two games from one opening."""
        edition, round_, table, number = self.key
        return edition, round_, table, number // 2


def read_results(file: Path) -> tuple[Plan, list[Row], list[Row]]:
    """Read the plan, the games that count and the challenges; another process may be writing."""
    with (
        _readable(file),
        closing(
            sqlite3.connect(f"{file.resolve().as_uri()}?mode=ro", uri=True, timeout=_BUSY)
        ) as base,
    ):
        base.execute("begin")  # so that all are of one moment
        settings = _settings(base, file)
        edition, ids = _last_edition(base)
        known = {number: Entry(name, spec) for number, name, spec, _ in _agents(base)}
        plan = Plan.from_json(settings, [known[each] for each in ids])
        rows = _counting(plan, edition, _rows(base, RATED, ids))
        return plan, rows, list(_rows(base, UNRATED, ids))


@contextmanager
def _readable(file: Path) -> Iterator[None]:
    """Say which file it is that SQLite cannot read."""
    try:
        yield
    except (sqlite3.Error, TypeError) as error:
        raise SpecError(f"the results in {file} cannot be used: {error}") from error


class Results:
    """The games so far. Only one process plays a tournament at a time."""

    def __init__(self, file: Path, plan: Plan) -> None:
        self.file = file
        self._plan = plan
        self.edition = 0
        self.new: list[str] = []  #: agents that were not in the edition before, or have changed
        self._ids: list[int] = []
        self._lock: IO[str] | None = None
        with _readable(file):
            self._base = sqlite3.connect(file, timeout=_BUSY, isolation_level=None)
            try:
                self._lock = _locked(file)
                self._base.execute("pragma synchronous = full")
                self._open(plan)
            except BaseException:
                self.close()
                raise

    def _open(self, plan: Plan) -> None:
        settings = plan.to_json()
        agents = settings.pop("agents")
        wanted = json.dumps(settings, sort_keys=True)
        self._base.execute("begin immediate")
        with self._base:  # committed, or rolled back
            known = self._base.execute("select 1 from sqlite_master where name = 'plan'").fetchone()
            if known is None:
                for statement in _TABLES:
                    self._base.execute(statement)
                self._base.execute("insert into plan values (?, ?)", (VERSION, wanted))
            found = _settings(self._base, self.file)
            if found != wanted:
                changed = ", ".join(_changed(json.loads(found), settings))
                raise SpecError(
                    f"{self.file} has the games of another plan ({changed}): use another file for "
                    "the results, or remove it"
                )
            self._enter(agents)

    def _enter(self, agents: Sequence[Sequence[str]]) -> None:
        """Find the versions of the agents, and begin an edition if they are not the last ones."""
        known = {_version(*each): number for number, *each in _agents(self._base)}
        for name, spec, digest in agents:
            version = _version(name, spec, digest)
            if version not in known:
                values = name, spec, digest
                into = "insert into agents (name, spec, digest) values (?, ?, ?)"
                known[version] = self._base.execute(into, values).lastrowid or 0
            self._ids.append(known[version])
        self.edition, before = _last_edition(self._base)
        if self._ids != before:
            self.edition += 1
            if before:
                names = (name for name, _, _ in agents)
                both = zip(names, self._ids, strict=True)
                self.new = [name for name, number in both if number not in before]
            self._base.execute(
                "insert into editions values (?, ?)", (self.edition, json.dumps(self._ids))
            )

    def add(self, task: Task, played: Played, *, rated: bool = True) -> Row:
        """Keep a game: when this returns, it is on the disk."""
        values = (
            *task.key,
            self._ids[task.first],
            self._ids[task.second],
            played.winner,
            played.moves,
            played.plies,
            *played.seconds,
            *played.counts,
            *played.slowest,
            played.failure or "",
            played.reason,
        )
        marks = ", ".join("?" * len(values))
        table = RATED if rated else UNRATED
        self._base.execute(f"insert or ignore into {table} values ({marks})", values)
        return Row(task.key, task.first, task.second, played)

    def rows(self) -> list[Row]:
        """The games that count, in their order."""
        return _counting(self._plan, self.edition, _rows(self._base, RATED, self._ids))

    def challenges(self) -> list[Row]:
        """Games that never count."""
        return list(_rows(self._base, UNRATED, self._ids))

    def close(self) -> None:
        """Close the file."""
        self._base.close()
        if self._lock is not None:
            self._lock.close()


def _locked(file: Path) -> IO[str] | None:
    """Hold a lock while a tournament is played; SpecError if another process holds it."""
    try:
        import fcntl
    except ImportError:  # not on Windows
        return None
    lock = open(f"{file}.lock", "w")  # noqa: SIM115 - it stays open
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        lock.close()
        raise SpecError(
            f"another process is playing the tournament in {file}: wait until it has ended"
        ) from None
    except OSError:  # a file system without locks
        lock.close()
        return None
    return lock


def _settings(base: sqlite3.Connection, file: Path) -> str:
    version, settings = base.execute("select version, plan from plan").fetchone()
    if version != VERSION:
        raise SpecError(
            f"{file} was made by another version of plywise (its tables have version {version},"
            f" this one has {VERSION}): use that version, or another file"
        )
    return str(settings)


def _version(name: str, spec: str, digest: str) -> tuple[str, str]:
    """What tells versions of agents apart: the contents of a file, wherever it lies."""
    return name, digest or spec


def _agents(base: sqlite3.Connection) -> list[tuple[int, str, str, str]]:
    return base.execute("select id, name, spec, digest from agents").fetchall()


def _last_edition(base: sqlite3.Connection) -> tuple[int, list[int]]:
    found = base.execute("select number, agents from editions order by number desc").fetchone()
    return (-1, []) if found is None else (found[0], json.loads(found[1]))


def _rows(base: sqlite3.Connection, table: str, ids: Sequence[int]) -> Iterator[Row]:
    place = {number: index for index, number in enumerate(ids)}
    order = 'edition, round, "table", number'
    for row in base.execute(f"select * from {table} order by {order}"):
        *key, first, second, winner, moves, plies, s1, s2, c1, c2, l1, l2, failure, reason = row
        if first in place and second in place:
            pairs = (s1, s2), (c1, c2), (l1, l2)
            played = Played(winner, moves, plies, *pairs, failure or None, reason)
            edition, round_, board, number = key
            yield Row((edition, round_, board, number), place[first], place[second], played)


def _counting(plan: Plan, edition: int, rows: Iterable[Row]) -> list[Row]:
    """The games that count: those of this edition, and whole pairs of games from earlier ones.

    A Swiss tournament starts again with each edition.
    """
    found = list(rows)
    halves = Counter(row.pair for row in found)
    return [
        row
        for row in found
        if row.key[0] == edition or (halves[row.pair] == 2 and plan.format != "swiss")
    ]


def _changed(old: dict[str, Any], new: dict[str, Any]) -> list[str]:
    """Name the settings in which two plans differ."""
    return [name for name in new if old.get(name) != new[name]] or ["unknown settings"]
