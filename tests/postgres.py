"""A scratch PostgreSQL for tests: a cluster in a folder of its own, gone when they are done."""

from __future__ import annotations

import glob
import itertools
import os
import pwd
import shutil
import subprocess
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import pytest

MISSING = "PostgreSQL is not installed: on Debian, apt-get install postgresql"


def binaries() -> Path | None:
    """The folder of `initdb` and `pg_ctl`, the newest where there are several."""
    found = [Path(each).parent for each in glob.glob("/usr/lib/postgresql/*/bin/initdb")]
    if found:
        return max(found, key=lambda folder: float(folder.parent.name))
    initdb = shutil.which("initdb")
    return None if initdb is None else Path(initdb).resolve().parent


@dataclass
class Cluster:
    """A running server."""

    url: str
    control: Callable[..., None]  #: `pg_ctl` with these arguments

    def database(self, name: str) -> str:
        """Make an empty database and return its URL."""
        import psycopg

        with psycopg.connect(self.url, autocommit=True) as server:
            server.execute(f"CREATE DATABASE {name}")
        return self.url.replace("/postgres?", f"/{name}?")

    def stop(self) -> None:
        """Stop it as a crash would; nothing that was committed is lost."""
        self.control("-m", "immediate", "stop")

    def start(self) -> None:
        """Start it again."""
        self.control("start")


@contextmanager
def cluster() -> Iterator[Cluster]:
    """A running server, on a socket that nobody else knows; skips where there is none.

    PostgreSQL refuses to run as root, so root runs it as the user `postgres`.
    """
    tools = binaries()
    if tools is None:
        pytest.skip(MISSING)
    user = {}
    if os.geteuid() == 0:
        try:
            group = pwd.getpwnam("postgres").pw_gid
        except KeyError:
            pytest.skip("PostgreSQL does not run as root, and there is no user 'postgres'")
        user = {"user": "postgres", "group": group, "extra_groups": []}

    def call(*command: str) -> None:
        log = Path(folder, "log")
        with open(log, "ab") as out:
            done = subprocess.run(command, stdout=out, stderr=out, cwd=folder, **user)
        assert done.returncode == 0, log.read_text(errors="replace")

    folder = tempfile.mkdtemp(prefix="plywise-")
    try:
        if user:
            shutil.chown(folder, "postgres")
        data = f"{folder}/data"
        call(
            *(f"{tools}/initdb", "-D", data, "-U", "postgres", "--auth=trust"),
            *("--no-sync", "--encoding=UTF8", "--locale=C"),
        )
        options = f"-c listen_addresses='' -c unix_socket_directories='{folder}' -c fsync=off"
        log = f"{folder}/server"

        def control(*arguments: str) -> None:
            call(f"{tools}/pg_ctl", "-D", data, "-w", "-o", options, "-l", log, *arguments)

        running = Cluster(f"postgresql://postgres@/postgres?host={folder}", control)
        running.start()
        try:
            yield running
        finally:
            running.stop()
    finally:
        shutil.rmtree(folder, ignore_errors=True)


@pytest.fixture(scope="session")
def postgres() -> Iterator[Callable[[], str]]:
    """Makes an empty database at each call, and gives its URL."""
    with cluster() as running:
        names = itertools.count(1)
        yield lambda: running.database(f"test{next(names)}")
