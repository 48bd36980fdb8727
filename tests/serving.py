"""A `plywise serve` of its own for tests: a process that can be killed and started again."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import httpx

PATIENCE = 120.0  #: seconds for a start; the first one of all may have to compile
SAYS = "plywise is running at "
UNWARMED = Path(__file__).with_name("unwarmed.py")


class Server:
    """A server over a folder with its games; the port stays the same from one start to the next.

    `warm=False` leaves out what it compiles in the background, 15 seconds of a processor.
    """

    def __init__(self, folder: Path, *options: str, warm: bool = True, **environment: str) -> None:
        self.folder = folder
        self.program = ["-m", "plywise"] if warm else ["-P", str(UNWARMED)]
        self.port = 0
        self.took = 0.0
        self._options = options
        self._environment = {**os.environ, "PLYWISE_DATA": str(folder), **environment}
        self._process: subprocess.Popen[str] | None = None

    @property
    def url(self) -> str:
        """Its address, without a slash at the end."""
        return f"http://127.0.0.1:{self.port}"

    @property
    def live(self) -> str:
        """The address of its socket."""
        return f"ws://127.0.0.1:{self.port}/api/live"

    def start(self, first: str = "/api/kinds") -> None:
        """Start it and wait for its first answer; `took` says how many seconds that were."""
        command = [sys.executable, *self.program, "serve", "--port", str(self.port)]
        started = time.perf_counter()
        with open(self._log, "a") as log:
            self._process = subprocess.Popen(
                [*command, *self._options],
                stdout=subprocess.PIPE,
                stderr=log,
                text=True,
                env=self._environment,
            )
        assert self._process.stdout is not None
        for line in self._process.stdout:
            if line.startswith(SAYS):
                self.port = int(line.removeprefix(SAYS).split()[0].rpartition(":")[2])
                break
        else:
            raise AssertionError(f"the server did not start: {self.said}")
        # Without certificates, which take a tenth of a second to read.
        answer = httpx.get(f"{self.url}{first}", timeout=PATIENCE, trust_env=False, verify=False)
        assert answer.status_code == 200, answer.text
        self.took = time.perf_counter() - started

    def kill(self) -> None:
        """As when the power goes: nothing is written or closed any more."""
        self._end(signal.SIGKILL)

    def stop(self) -> int:
        """As Ctrl-C does; gives the exit status."""
        return self._end(signal.SIGINT)

    def terminate(self) -> int:
        """As a service manager does; gives the exit status."""
        return self._end(signal.SIGTERM)

    def _end(self, number: int) -> int:
        process = self._process
        if process is None:
            return 0
        self._process = None
        process.send_signal(number)
        assert process.stdout is not None
        with process.stdout:
            try:
                return process.wait(PATIENCE)
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()
                raise

    @property
    def _log(self) -> Path:
        return self.folder / "stderr.txt"

    @property
    def said(self) -> str:
        """What all its processes have written to stderr."""
        return self._log.read_text(errors="replace")

    @property
    def facts(self) -> dict[str, int]:
        """What Linux says of the process, as `VmRSS` in kB or `Threads`."""
        assert self._process is not None
        text = Path(f"/proc/{self._process.pid}/status").read_text()
        pairs = (line.split(":", 1) for line in text.splitlines())
        found = ((name, value.split()) for name, value in pairs)
        return {name: int(value[0]) for name, value in found if value and value[0].isdigit()}

    @property
    def descriptors(self) -> int:
        """How many files and connections it has open."""
        assert self._process is not None
        return len(os.listdir(f"/proc/{self._process.pid}/fd"))

    def settle(self, pause: float = 0.5) -> None:
        """Wait until it has got ready in the background and does nothing any more."""
        before = -pause
        while (used := self.used) - before > pause / 10:
            before = used
            time.sleep(pause)

    @property
    def used(self) -> float:
        """Seconds of the processors that it has had."""
        assert self._process is not None
        fields = Path(f"/proc/{self._process.pid}/stat").read_text().rpartition(")")[2].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


@contextmanager
def serving(*options: str, warm: bool = True, **environment: str) -> Iterator[Server]:
    """A server that runs, on a free port, with a data folder that goes when it does."""
    with tempfile.TemporaryDirectory(prefix="plywise-") as folder:
        server = Server(Path(folder), *options, warm=warm, **environment)
        try:
            server.start()
            yield server
        finally:
            server.stop()


def new_game(server: Server, client: httpx.Client, **asked: Any) -> dict[str, Any]:
    """A game of this client, through the door that the page uses; if need be, after a while."""
    while (answer := client.post(f"{server.url}/api/games", json=asked)).status_code == 429:
        time.sleep(1.0)
    assert answer.status_code == 201, answer.text
    found: dict[str, Any] = answer.json()
    return found
