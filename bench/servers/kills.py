"""A server that is killed at random moments, many times: is every confirmed move there?"""

from __future__ import annotations

import asyncio
import os
import random
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

from tests.serving import Server
from tests.web.servers.killing import Siege

from bench.measure import Bench, Quantity, Row

KILLS = 1000
PEOPLE = 6
FOLDER = "PLYWISE_KILLS"  #: names a folder in which a run that was stopped goes on


def kills(quick: bool) -> Iterator[Row]:
    """Kill a server again and again."""
    with tempfile.TemporaryDirectory() as usual:
        folder = Path(os.environ.get(FOLDER, usual))
        folder.mkdir(parents=True, exist_ok=True)
        siege = Siege.resume(folder)
        started, before = time.perf_counter(), siege.kills
        asyncio.run(_besiege(siege, folder, KILLS // 100 if quick else KILLS))
        seconds = time.perf_counter() - started
    for line in siege.lost[:5]:
        print(line, file=sys.stderr)
    wanted = None if quick else KILLS
    yield Row("kills of the server", "", "", Quantity(siege.kills, "kills"), at_least=wanted)
    yield Row("... moves confirmed", "", "", Quantity(siege.confirmed, "moves"))
    yield Row("... moves lost", "", "", Quantity(len(siege.lost), "moves"), at_most=0)
    each = seconds / max(1, siege.kills - before)
    yield Row("... seconds each", "", "", Quantity(each, "s"))


async def _besiege(siege: Siege, folder: Path, kills: int) -> None:
    server = Server(folder, warm=False)
    await asyncio.to_thread(server.start, "/health")
    try:
        while siege.kills < kills:
            await siege.kill(server, PEOPLE, random.Random(siege.kills))
            siege.save(folder)
            if siege.kills % 50 == 0:
                line = f"{siege.kills} kills, {siege.confirmed} moves confirmed"
                print(f"{line}, {len(siege.lost)} lost", file=sys.stderr, flush=True)
    finally:
        await asyncio.to_thread(server.stop)


KILLING = Bench(
    "web-kills",
    "A server that is killed",
    f"{PEOPLE} people play as fast as the server confirms. At a random moment it is killed with "
    "SIGKILL, started again, and every game compared with what had been confirmed. With "
    f"{FOLDER}=FOLDER, a run that was stopped goes on.",
    "",
    kills,
    "websockets",
    only_named=True,
)
