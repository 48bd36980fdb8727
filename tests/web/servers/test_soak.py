"""A server in use for two minutes, with a database that is restarted: it must not grow."""

from __future__ import annotations

import asyncio

import pytest

from tests.postgres import cluster
from tests.serving import serving
from tests.web.servers.soaking import Soak

SECONDS = 120.0


@pytest.mark.long
def test_a_server_in_use() -> None:
    soak = Soak(SECONDS, restart_every=SECONDS / 4)
    with cluster() as database, serving("--db", database.database("soak"), warm=False) as server:
        asyncio.run(soak.run(server, database))
        assert "Traceback" not in server.said, server.said
    assert soak.faults == []
    assert soak.counts["database restarts"] == 3
    assert soak.counts["moves"] > 100
    early, last = soak.footprints[1], soak.footprints[-1]  # when everybody had come, and at the end
    assert last.megabytes < 1.2 * early.megabytes + 50
    assert last.descriptors < early.descriptors + 30
    assert last.threads < early.threads + 60
