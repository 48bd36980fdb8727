"""Turns what a terminal sends into keys: characters, and names for all other keys."""

from __future__ import annotations

import codecs
import re
from typing import NamedTuple


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
#: The last character of an escape sequence says which key it is.
_SEQUENCES = {
    "A": "up",
    "B": "down",
    "C": "right",
    "D": "left",
    "F": "end",
    "H": "home",
    "M": "enter",
    "Z": "backtab",
}
#: Those that end in a tilde are told apart by their number.
_NUMBERED = {
    "1": "home",
    "4": "end",
    "5": "page-up",
    "6": "page-down",
    "7": "home",
    "8": "end",
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
        number = text[2:-1].partition(";")[0]
        name = _NUMBERED.get(number) if text[-1] == "~" else _SEQUENCES.get(text[-1])
        return [Key(name)] if name else []
    return [Key("text", text)] if text.isprintable() else []
