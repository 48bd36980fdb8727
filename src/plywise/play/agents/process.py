"""A supervised process that reads and writes lines; nothing of it outlives its `Process`."""

from __future__ import annotations

import os
import queue
import select
import signal
import socket
import subprocess
import sys
import threading
import time
import weakref
from collections.abc import Callable, Sequence
from contextlib import suppress
from typing import IO, NamedTuple

from plywise.core.analysis import Stop
from plywise.play.agents import supervisor

OnOutput = Callable[[str], None]  #: called with what an agent prints besides answers, by line

LONGEST = 4096  #: bytes of the longest line that is read as an answer
OUTPUT = 1 << 20  #: bytes of other output that are passed on; the rest is dropped
_UNREAD = 100  #: unread lines after which no more are read
_POLL_SECONDS = 0.02  #: between checks of a stop flag
_WATCH = 0.1  #: seconds between checks of the supervisor
_ANSWER = 60.0  #: seconds for it to answer, on a very busy machine
_PATIENCE = 5.0  #: seconds for the supervisor to clean up
_LAST = 1.0  #: seconds for the last output to be read; somebody else may hold it open
_POSIX = os.name == "posix"


class Ended(Exception):
    """The process has ended or closed its output; the text says how: "exited with code 1"."""


class Stopped(Exception):
    """The caller's stop flag was set during the wait."""


class Process:
    """A running command. Every wait is bounded, by a point in time or by a stop flag."""

    def __init__(self, command: Sequence[str], memory: int, on_output: OnOutput | None) -> None:
        self._output = _Output(on_output)
        self._writing = threading.Lock()
        mark = supervisor.new_mark()
        self._process, ours = _start(command, memory, mark)
        self._questions = ours.questions
        if _POSIX:
            os.set_blocking(self._questions, False)
        self._answers = _Answers(ours.answers)
        self._lifeline = ours.lifeline
        self._asleep: list[int] | None = None  # its processes, if they are stopped
        readers = [  # without a reference to self, or it could never be garbage collected
            threading.Thread(target=self._answers.read, daemon=True),
            threading.Thread(target=self._output.read, args=(self._process.stderr,), daemon=True),
        ]
        for reader in readers:
            reader.start()
        self._release = weakref.finalize(
            self, _release, self._process, ours, readers, self._writing, mark
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
                    if not self._release.alive:
                        return
                    data = data[os.write(self._questions, data) :]
            except BlockingIOError:
                if time.monotonic() > until:
                    raise TimeoutError from None
                time.sleep(_POLL_SECONDS)
            except OSError:  # the process has ended, which `receive` will notice
                return

    def receive(self, until: float, stop: Stop | None = None) -> str:
        """Return the next line; TimeoutError, Stopped or Ended if there is none."""
        while True:
            left = until - time.monotonic()
            wait = min(left, _WATCH if stop is None else _POLL_SECONDS)
            try:
                line = self._answers.lines.get(timeout=max(0.0, wait))
            except queue.Empty:
                if left <= 0:
                    raise TimeoutError from None
                if stop is not None and stop.is_set():
                    raise Stopped from None
                self._check_supervisor()
                continue
            if line is None:
                raise Ended(self.close())
            return line.decode(errors="replace").rstrip("\r\n")

    def _check_supervisor(self) -> None:
        """Raise Ended if the supervisor was killed; continue it if it was stopped."""
        if not _POSIX:
            return
        if self._process.poll() is not None:
            raise Ended(self.close())
        supervisor.send(self.pid, signal.SIGCONT)

    @property
    def _supervised(self) -> bool:
        """True if the supervisor is alive, also if somebody has just tried to kill it.

        A process that was sent a SIGKILL may exist for a while, but it never answers again.
        """
        supervisor.send(self.pid, signal.SIGCONT)
        with suppress(OSError):
            os.write(self._lifeline, b"?")
            for _ in range(round(_ANSWER / _WATCH)):
                if select.select([self._lifeline], [], [], _WATCH)[0]:
                    return os.read(self._lifeline, 1) == b"?"
                if self._process.poll() is not None:
                    return False
        return False

    @property
    def unread(self) -> bool:
        """True if it has written something that nobody asked for, if only a part of a line."""
        return self._answers.unread

    def sleep(self) -> None:
        """Stop everything that it has started, so that it cannot disturb others; on Linux only."""
        if not _POSIX:
            return
        self._asleep = supervisor.sleep(self.pid)
        if not self._supervised:
            raise Ended(self.close())
        if self._asleep:  # what is written now is not its own
            self._answers.listen(False)

    @property
    def harmed(self) -> bool:
        """True if somebody has killed it, or a part of it, while it was stopped."""
        if not self._asleep:
            return False
        return not (self._supervised and all(map(supervisor.asleep, self._asleep)))

    def wake(self) -> None:
        """Let it go on; what others have written to its output in the meantime is dropped."""
        if self._asleep:
            self._answers.listen(True)
            supervisor.wake(self.pid)
        self._asleep = None

    def close(self) -> str:
        """End the process and all it started, and say how it ended."""
        self._release()
        code = self._process.wait()  # in case another thread is closing it
        if code < 0:
            how = f"lost the process that supervises it ({_SIGNALS.get(-code, -code)})"
        elif code > 128 and code - 128 in _SIGNALS:
            how = f"was killed by {_SIGNALS[code - 128]}"
        else:
            how = f"exited with code {code}"
        last = self._output.last
        return f"{how}: {last}" if last else how


_SIGNALS = {int(each): each.name for each in signal.Signals}


class _Ours(NamedTuple):
    """Our ends of what connects us with an agent."""

    questions: int
    answers: int
    lifeline: int


def _start(
    command: Sequence[str], memory: int, mark: supervisor.Mark
) -> tuple[subprocess.Popen[bytes], _Ours]:
    """Start the process; return it and our ends of its streams. Supervisors need POSIX."""
    questions, answers = channel(), channel()[::-1]
    lifeline = [end.detach() for end in socket.socketpair()]
    theirs, ours = zip(questions, answers, lifeline, strict=True)
    limits = [str(theirs[2]), str(memory), f"{mark[0]},{mark[1]}"]
    supervised = [sys.executable, "-I", "-S", supervisor.__file__, *limits, *command]
    try:
        process = subprocess.Popen(
            supervised if _POSIX else command,
            stdin=theirs[0],
            stdout=theirs[1],
            stderr=subprocess.PIPE,
            pass_fds=(theirs[2],) if _POSIX else (),
            start_new_session=_POSIX,  # Ctrl-C goes to plywise, which then ends its agents
        )
    except BaseException:
        for end in ours:
            os.close(end)
        raise
    finally:
        for end in theirs:
            os.close(end)
    return process, _Ours(*ours)


def channel() -> tuple[int, int]:
    """Return the reading and the writing end of a channel.

    Sockets, because other processes of the same user can open a pipe again, through /proc.
    """
    if not _POSIX:
        return os.pipe()
    ends = socket.socketpair()
    ends[0].shutdown(socket.SHUT_WR)
    return ends[0].detach(), ends[1].detach()


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


class _Answers:
    """What an agent writes to its standard output, by line; None at its end."""

    def __init__(self, file: int) -> None:
        self.lines: queue.SimpleQueue[bytes | None] = queue.SimpleQueue()
        self._file = file
        self._part = b""  # the beginning of a line
        self._deaf = False
        self._ended = False
        self._reading = threading.Lock()
        if _POSIX:
            os.set_blocking(self._file, False)

    def read(self) -> None:
        """Read to the end, in a thread of its own. A flood blocks the agent: its pipe is full."""
        with suppress(OSError, ValueError):
            while not self._ended and self.lines.qsize() <= _UNREAD:
                if _POSIX:
                    ready = select.poll()
                    ready.register(self._file, select.POLLIN)
                    ready.poll()
                with self._reading:
                    self._read_some()

    @property
    def unread(self) -> bool:
        """True if there is something that nobody has taken yet, if only a part of a line."""
        return bool(self._part) or self.lines.qsize() > self._ended  # its end is not a line

    def listen(self, on: bool) -> None:
        """Drop what is written from now on, or stop doing so."""
        with self._reading:
            while self._read_some():  # what is still in the pipe was written before
                pass
            self._deaf = not on

    def _read_some(self) -> bool:
        """Read a piece of the output; False if there is none yet, or no more."""
        try:
            data = os.read(self._file, LONGEST)
        except BlockingIOError:
            return False
        except ConnectionError:  # it ended without reading everything
            data = b""
        if not self._deaf:
            self._part += data
        while (end := self._part.find(b"\n") + 1) or len(self._part) >= LONGEST:
            self.lines.put(self._part[: end or LONGEST])
            self._part = self._part[end or LONGEST :]
        if not data and not self._ended:
            self._ended = True
            if self._part:
                self.lines.put(self._part)
                self._part = b""
            self.lines.put(None)
        return bool(data)


def _release(
    process: subprocess.Popen[bytes],
    ours: _Ours,
    readers: list[threading.Thread],
    writing: threading.Lock,
    mark: supervisor.Mark,
) -> None:
    """End a process. Not a method, as it may run when the `Process` object is gone."""
    with writing:
        os.close(ours.questions)
    os.close(ours.lifeline)
    if _POSIX:
        supervisor.send(process.pid, signal.SIGCONT)  # the agent may have stopped it
    else:
        process.kill()
    try:
        process.wait(_PATIENCE)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()
    if process.returncode < 0:  # the supervisor could not finish
        supervisor.sweep(mark)
    for reader in readers:
        if reader is not threading.current_thread():
            reader.join(_LAST)
    if not any(reader.is_alive() for reader in readers):  # otherwise something holds the streams
        os.close(ours.answers)
        assert process.stderr is not None
        process.stderr.close()
