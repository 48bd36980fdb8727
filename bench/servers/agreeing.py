"""Two servers on one database: do both show every move, and how soon?"""

from __future__ import annotations

import asyncio
import sys
import tempfile
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

from tests.postgres import cluster
from tests.serving import Server, serving
from tests.web.servers.crossing import cross
from tests.web.servers.soaking import share

from bench.measure import Bench, Quantity, Row

GAMES, FILE_GAMES = 200, 20  #: on PostgreSQL, and on one SQLite file


def agreeing(quick: bool) -> Iterator[Row]:
    """Play on PostgreSQL, then on a file."""
    with cluster() as running:
        yield from _rows(
            "PostgreSQL", running.database("crossing"), GAMES // 10 if quick else GAMES
        )
    with tempfile.TemporaryDirectory() as folder:
        url = f"sqlite:///{Path(folder, 'games.db')}"
        yield from _rows("one SQLite file", url, FILE_GAMES // 5 if quick else FILE_GAMES)


@contextmanager
def two_servers(url: str) -> Iterator[list[Server]]:
    """Two servers on one database."""
    with ExitStack() as stack:
        yield [stack.enter_context(serving("--db", url, warm=False)) for _ in range(2)]


def _rows(where: str, url: str, games: int) -> Iterator[Row]:
    with two_servers(url) as servers:
        found = asyncio.run(cross(servers, games))
        faults = found.faults + [line for server in servers for line in server.said.splitlines()]
    for fault in faults[:5]:
        print(fault, file=sys.stderr)
    yield Row(f"{where}: games", "", "", Quantity(found.games, "games"), at_least=games)
    yield Row("... moves shown by both servers", "", "", Quantity(found.moves, "moves"))
    yield Row("... at the other server, half within", "", "", Quantity(share(found.lags, 0.5), "s"))
    yield Row("... 95 % within", "", "", Quantity(share(found.lags, 0.95), "s"), at_most=1.0)
    yield Row("... the slowest", "", "", Quantity(share(found.lags, 1.0), "s"))
    yield Row("... faults", "", "", Quantity(len(faults), "faults"), at_most=0)


AGREEING = Bench(
    "web-servers",
    "Two servers on one database",
    "Two `plywise serve` on one database. In three of four games a person is at each server; in "
    "the others a person plays the computer at one, and somebody watches at the other. Times run "
    "from the confirmation of a move at one server until a page of the other one shows it.",
    "",
    agreeing,
    "websockets",
)
