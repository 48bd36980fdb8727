"""A supervised process that reads and writes lines; nothing of it outlives its `Process`."""

from __future__ import annotations

import os
import queue
import signal
import subprocess
import sys
import threading
import time
import weakref
from collections.abc import Callable, Sequence
from contextlib import suppress
from pathlib import Path
from typing import IO

from plywise.core.analysis import Stop

OnOutput = Callable[[str], None]  #: called with what an agent prints besides answers, by line

LONGEST = 4096  #: bytes of the longest line that is read as an answer
OUTPUT = 1 << 20  #: bytes of other output that are passed on; the rest is dropped
_UNREAD = 100  #: unread lines after which no more are read
_LOOK = 0.02  #: seconds between checks of a stop flag
_PATIENCE = 5.0  #: seconds for the supervisor to clean up, and for the last output to be read
_POSIX = os.name == "posix"
_SUPERVISOR = Path(__file__).with_name("supervisor.py")


class Ended(Exception):
    """The process has ended or closed its output; the text says how: "exited with code 1"."""


class Stopped(Exception):
    """The caller's stop flag was set during the wait."""


class Process:
    """A running command. Every wait is bounded, by a point in time or by a stop flag."""

    def __init__(self, command: Sequence[str], memory: int, on_output: OnOutput | None) -> None:
        self._lines: queue.SimpleQueue[bytes | None] = queue.SimpleQueue()
        self._output = _Output(on_output)
        self._writing = threading.Lock()
        self._process, lifeline = _start(command, memory)
        assert self._process.stdin is not None
        self._stdin = self._process.stdin
        if _POSIX:
            os.set_blocking(self._stdin.fileno(), False)
        readers = [  # without a reference to self, or it could never be garbage collected
            threading.Thread(
                target=_read_lines, args=(self._process.stdout, self._lines), daemon=True
            ),
            threading.Thread(target=self._output.read, args=(self._process.stderr,), daemon=True),
        ]
        for reader in readers:
            reader.start()
        self._release = weakref.finalize(
            self, _release, self._process, lifeline, readers, self._writing
        )

    @property
    def pid(self) -> int:
        """The process id of the supervisor, which ends after everything it supervises."""
        return self._process.pid

    def send(self, text: str, until: float) -> None:
        """Write lines; TimeoutError if they are not read in time. A closed pipe is ignored."""
        data = text.encode()
        while data:
            try:
                with self._writing:
                    if self._stdin.closed:
                        return
                    data = data[os.write(self._stdin.fileno(), data) :]
            except BlockingIOError:
                if time.monotonic() > until:
                    raise TimeoutError from None
                time.sleep(_LOOK)
            except OSError:  # the process has ended, which `receive` will notice
                return

    def receive(self, until: float, stop: Stop | None = None) -> str:
        """Return the next line; TimeoutError, Stopped or Ended if there is none."""
        while True:
            left = until - time.monotonic()
            wait = left if stop is None else min(left, _LOOK)
            try:
                line = self._lines.get(timeout=max(0.0, wait))
            except queue.Empty:
                if left <= 0:
                    raise TimeoutError from None
                if stop is not None and stop.is_set():
                    raise Stopped from None
                continue
            if line is None:
                raise Ended(self.close())
            return line.decode(errors="replace").rstrip("\r\n")

    @property
    def unread(self) -> bool:
        """True if it has written a line that nobody asked for."""
        return not self._lines.empty()

    def close(self) -> str:
        """End the process and all it started, and say how it ended."""
        self._release()
        code = self._process.wait()  # in case another thread is closing it
        if code > 128 and code - 128 in _SIGNALS:
            how = f"was killed by {_SIGNALS[code - 128]}"
        else:
            how = f"exited with code {code}"
        last = self._output.last
        return f"{how}: {last}" if last else how


_SIGNALS = {int(each): each.name for each in signal.Signals}


def _start(command: Sequence[str], memory: int) -> tuple[subprocess.Popen[bytes], int]:
    """Start the process; return it and our end of its lifeline. Supervisors need POSIX."""
    theirs, ours = os.pipe()
    supervisor = [sys.executable, "-I", "-S", str(_SUPERVISOR), str(theirs), str(memory)]
    try:
        process = subprocess.Popen(
            [*supervisor, *command] if _POSIX else command,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            pass_fds=(theirs,) if _POSIX else (),
            start_new_session=_POSIX,  # Ctrl-C goes to plywise, which then ends its agents
        )
    except BaseException:
        os.close(ours)
        raise
    finally:
        os.close(theirs)
    return process, ours


class _Output:
    """What an agent prints besides its answers: passed on up to a limit, last line kept."""

    def __init__(self, on_output: OnOutput | None) -> None:
        self.on_output = on_output
        self.last = ""

    def read(self, stream: IO[bytes]) -> None:
        left = OUTPUT
        with suppress(OSError, ValueError):  # closed during the read
            while line := stream.readline(LONGEST):
                text = line.decode(errors="replace").rstrip()
                self.last = " ".join(text.split())[:200] or self.last
                left -= len(line)
                if self.on_output is not None and left > 0:
                    with suppress(Exception):  # a listener's error must not block the agent
                        self.on_output(text)


def _read_lines(stream: IO[bytes], lines: queue.SimpleQueue[bytes | None]) -> None:
    with suppress(OSError, ValueError):
        while line := stream.readline(LONGEST):
            lines.put(line)
            if lines.qsize() > _UNREAD:  # a flood: the pipe fills up and blocks the agent
                return
    lines.put(None)


def _release(
    process: subprocess.Popen[bytes],
    lifeline: int,
    readers: list[threading.Thread],
    writing: threading.Lock,
) -> None:
    """End a process. Not a method, as it may run when the `Process` object is gone."""
    assert process.stdin is not None
    with writing:
        process.stdin.close()
    os.close(lifeline)
    if not _POSIX:
        process.kill()
    try:
        process.wait(_PATIENCE)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()
    for reader in readers:
        if reader is not threading.current_thread():
            reader.join(_PATIENCE)
    if not any(reader.is_alive() for reader in readers):  # otherwise something holds the pipes
        for stream in (process.stdout, process.stderr):
            assert stream is not None
            stream.close()
