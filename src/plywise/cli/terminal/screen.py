"""The full screen of a terminal: taken over, drawn on, read from, and always restored."""

from __future__ import annotations

import codecs
import contextlib
import io
import os
import re
import select
import signal
import sys
from collections.abc import Callable, Sequence
from types import FrameType
from typing import Any, NamedTuple, TypeVar

from plywise.cli.terminal.ink import cut
from plywise.views.text import Terminal, terminal

Result = TypeVar("Result")


class Key(NamedTuple):
    """A key by its name; `text` is the character it types, if any."""

    name: str
    text: str = ""


_CONTROLS = {
    "\r": "enter",
    "\n": "enter",
    "\t": "tab",
    "\x7f": "backspace",
    "\x08": "backspace",
    "\x1b": "escape",
    "\x03": "ctrl-c",
    "\x04": "ctrl-d",
    "\x0c": "ctrl-l",
    "\x15": "ctrl-u",
    "\x1a": "ctrl-z",
}
#: The last character of an escape sequence says which key it is; before a tilde, a number does.
_SEQUENCES = {
    "A": "up",
    "B": "down",
    "C": "right",
    "D": "left",
    "F": "end",
    "H": "home",
    "M": "enter",
    "Z": "backtab",
    "1~": "home",
    "4~": "end",
    "5~": "page-up",
    "6~": "page-down",
    "7~": "home",
    "8~": "end",
}
_WHOLE = re.compile(r"\x1b(?:\[[0-?]*[ -/]*[@-~]|O[@-~])")
_BEGUN = re.compile(r"\x1b(?:\[[0-?]*[ -/]*|O)?\Z")


class Keys:
    """Reads bytes as they come, however they are split.

    >>> keys = Keys()
    >>> keys.feed(b"a1" + bytes([27])), keys.feed(b"[A")
    ([Key(name='text', text='a'), Key(name='text', text='1')], [Key(name='up', text='')])
    """

    def __init__(self) -> None:
        self._decoder = codecs.getincrementaldecoder("utf-8")("replace")
        self._rest = ""  # the start of an incomplete sequence

    @property
    def waiting(self) -> bool:
        """True if a sequence has begun that may also be the Escape key."""
        return bool(self._rest)

    def feed(self, data: bytes) -> list[Key]:
        """Return the keys that are certain now."""
        text = self._rest + self._decoder.decode(data)
        self._rest = ""
        keys: list[Key] = []
        while text:
            if _BEGUN.match(text):
                self._rest = text
                break
            found = _WHOLE.match(text)
            length = found.end() if found else 1
            keys += _key(text[:length])
            text = text[length:]
        return keys

    def flush(self) -> list[Key]:
        """Read an incomplete sequence as Escape and characters: nothing came for a while."""
        text, self._rest = self._rest, ""
        return [key for letter in text for key in _key(letter)]


def _key(text: str) -> list[Key]:
    if text in _CONTROLS:
        return [Key(_CONTROLS[text])]
    if len(text) > 1:
        number = text[2:-1].partition(";")[0] if text[-1] == "~" else ""
        name = _SEQUENCES.get(number + text[-1])
        return [Key(name)] if name else []
    return [Key("text", text)] if text.isprintable() else []


_ENTER = "\x1b[?1049h\x1b[?25l\x1b[2J"  #: the alternate screen, no cursor, cleared
_LEAVE = "\x1b[?25h\x1b[?1049l"
_ESCAPE = 0.05  #: seconds after which an Escape byte was the Escape key


class Hangup(BaseException):
    """The terminal has gone or the process was told to end; `number` is the signal."""

    def __init__(self, number: int) -> None:
        super().__init__(number)
        self.number = number


def usable() -> bool:
    """Return True if there is a terminal for the full screen; otherwise use line mode."""
    if not all(stream is not None and stream.isatty() for stream in (sys.stdin, sys.__stdout__)):
        return False
    if os.environ.get("TERM", "dumb") == "dumb":
        return False
    try:
        import termios  # noqa: F401  (Windows has none)
    except ImportError:
        return False
    return True


def with_screen(ascii: bool, use: Callable[[Screen], Result]) -> Result:
    """Use the full screen; a signal that ends us restores the terminal first."""
    try:
        with Screen(ascii=ascii) as screen:
            return use(screen)
    except Hangup as hangup:
        # The terminal is restored: now end as the signal would have ended us.
        signal.signal(hangup.number, signal.SIG_DFL)
        os.kill(os.getpid(), hangup.number)
        raise


class Screen:
    """A context in which the terminal is ours. Anything printed meanwhile goes to `on_print`."""

    def __init__(self, *, ascii: bool = False) -> None:
        assert sys.__stdout__ is not None
        self.stream = sys.__stdout__
        self.ascii = ascii
        self.on_print: Callable[[str], None] = lambda line: None
        self._input, self._output = sys.stdin.fileno(), self.stream.fileno()
        self._keys = Keys()
        self._shown: list[str] = []
        self._stack = contextlib.ExitStack()
        self._wake_read, self._wake_write = -1, -1

    # ---- taking over and restoring -------------------------------------------------------------

    def __enter__(self) -> Screen:
        with contextlib.ExitStack() as stack:  # if anything fails, undoes what was done so far
            self._wake_read, self._wake_write = os.pipe()
            os.set_blocking(self._wake_write, False)
            stack.callback(os.close, self._wake_read)
            stack.callback(os.close, self._wake_write)
            for number in (signal.SIGTERM, signal.SIGHUP):
                stack.callback(signal.signal, number, signal.signal(number, _hang_up))
            resized = signal.signal(signal.SIGWINCH, lambda number, frame: None)
            stack.callback(signal.signal, signal.SIGWINCH, resized)
            # Every signal wakes us through the pipe: one sent to another thread ends no wait.
            heard = signal.set_wakeup_fd(self._wake_write, warn_on_full_buffer=False)
            stack.callback(signal.set_wakeup_fd, heard)
            side = _Side(self)
            stack.enter_context(contextlib.redirect_stdout(side))
            stack.enter_context(contextlib.redirect_stderr(side))
            stack.callback(self._leave, self._mode())
            self._take()
            self._stack = stack.pop_all()
        return self

    def __exit__(self, *error: object) -> None:
        self._stack.close()

    def _mode(self) -> list[Any]:
        import termios

        return termios.tcgetattr(self._input)

    def _take(self) -> None:
        """Read keys one by one and without echo, Ctrl-C among them."""
        import termios

        mode = self._mode()
        mode[0] &= ~termios.IXON
        mode[3] &= ~(termios.ECHO | termios.ICANON | termios.ISIG | termios.IEXTEN)
        termios.tcsetattr(self._input, termios.TCSADRAIN, mode)
        self._write(_ENTER)
        self._shown = []

    def _leave(self, before: list[Any]) -> None:
        import termios

        with contextlib.suppress(OSError, termios.error):  # the terminal may have gone
            self._write(_LEAVE)
        with contextlib.suppress(OSError, termios.error):
            termios.tcsetattr(self._input, termios.TCSADRAIN, before)

    def suspend(self) -> None:
        """Return to the shell until `fg`, as Ctrl-Z does elsewhere."""
        self._stack.close()
        os.kill(0, signal.SIGTSTP)  # the whole job: `make` may be waiting for us
        self.__enter__()

    # ---- drawing -------------------------------------------------------------------------------

    @property
    def place(self) -> Terminal:
        """What the terminal can show right now; its size may change."""
        return terminal(self.stream, ascii=self.ascii)

    def draw(self, lines: Sequence[str]) -> None:
        """Show these lines from the top, writing only what has changed."""
        place = self.place
        columns, rows = place.width or 80, place.height or 24
        wanted = [cut(line, columns) for line in lines[:rows]]
        wanted += [""] * (rows - len(wanted))
        if len(wanted) != len(self._shown):
            self._write("\x1b[2J")
            self._shown = [""] * rows
        changed = [
            f"\x1b[{row};1H\x1b[2K{line}"
            for row, (line, shown) in enumerate(zip(wanted, self._shown, strict=True), 1)
            if line != shown
        ]
        self._write("".join(changed))
        self._shown = wanted

    def forget(self) -> None:
        """Redraw everything next time: something else may have written on the screen."""
        self._shown = []

    def _write(self, text: str) -> None:
        data = text.encode(self.stream.encoding or "utf-8", "replace")
        while data:
            data = data[os.write(self._output, data) :]

    # ---- reading keys --------------------------------------------------------------------------

    def keys(self, timeout: float | None) -> list[Key]:
        """Wait for keys and return them; a timeout, `wake` and a new size end the wait too."""
        patience = _ESCAPE if self._keys.waiting else timeout
        ready, _, _ = select.select([self._input, self._wake_read], [], [], patience)
        if self._wake_read in ready:
            os.read(self._wake_read, 4096)
        if self._input in ready:
            try:
                data = os.read(self._input, 4096)
            except OSError:  # the other side of the terminal was closed
                data = b""
            if not data:
                raise Hangup(signal.SIGHUP)
            return self._keys.feed(data)
        return self._keys.flush() if not ready else []

    def wake(self) -> None:
        """End a wait for keys; from any thread."""
        with contextlib.suppress(OSError):  # full, so it will wake up anyway, or closed
            os.write(self._wake_write, b".")


def _hang_up(number: int, frame: FrameType | None) -> None:
    raise Hangup(number)


class _Side(io.TextIOBase):
    """Replaces stdout and stderr meanwhile and passes on whole lines."""

    def __init__(self, screen: Screen) -> None:
        self.screen = screen
        self.begun = ""

    def write(self, text: str) -> int:
        *lines, self.begun = (self.begun + text).split("\n")
        for line in lines:
            self.screen.on_print(line)
        return len(text)

    def writable(self) -> bool:
        return True
