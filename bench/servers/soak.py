"""A server in use for minutes: memory, descriptors, threads, response times and faults."""

from __future__ import annotations

import asyncio
import os
import sys
from collections.abc import Iterator

from tests.postgres import cluster
from tests.serving import serving
from tests.web.servers.soaking import QUARTERS, Soak, share

from bench.measure import Bench, Quantity, Row

SECONDS = "PLYWISE_SOAK"  #: names how long it runs, in seconds
USUAL, SHORT = 300.0, 60.0


def soaking(quick: bool) -> Iterator[Row]:
    """Use a server for a while, and restart its database four times."""
    seconds = float(os.environ.get(SECONDS, SHORT if quick else USUAL))
    soak = Soak(seconds, seconds / 5)
    with cluster() as database, serving("--db", database.database("soak"), warm=False) as server:
        asyncio.run(soak.run(server, database))
        traces = server.said.count("Traceback")
    for line in soak.faults[:5]:
        print(line, file=sys.stderr)
    done = ", ".join(f"{count:,} {what}" for what, count in sorted(soak.counts.items()))
    print(f"{seconds:.0f} s: {done}", file=sys.stderr)
    first, last = soak.footprints[0], soak.footprints[-1]
    memory = Quantity(first.megabytes, "MB")
    yield Row("memory at the start, and at the end", memory, "", Quantity(last.megabytes, "MB"))
    yield Row("descriptors", str(first.descriptors), "", Quantity(last.descriptors, "descriptors"))
    yield Row("threads", str(first.threads), "", Quantity(last.threads, "threads"))
    for quarter, times in enumerate(soak.latencies, 1):
        half = Quantity(share(times, 0.5), "s")
        what = f"a move confirmed, quarter {quarter} of {QUARTERS}: half, and 95 % within"
        yield Row(what, half, "", Quantity(share(times, 0.95), "s"))
    yield Row("tracebacks in the log", "", "", Quantity(traces, "tracebacks"), at_most=0)
    yield Row("faults", "", "", Quantity(len(soak.faults), "faults"), at_most=0)


SOAKING = Bench(
    "web-soak",
    "A server in use",
    "People play, leave and come back, watch, and have positions analysed and games reviewed, on "
    "one `plywise serve` with a PostgreSQL that is restarted four times. Five minutes, or as many "
    f"seconds as {SECONDS} says.",
    "",
    soaking,
    "websockets",
    only_named=True,
)
