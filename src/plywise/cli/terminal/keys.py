"""What a terminal sends, made keys: letters, and the names of all others."""

from __future__ import annotations

import codecs
import re
from typing import NamedTuple


class Key(NamedTuple):
    """A key by its name; `text` is what it writes, if anything."""

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
#: The last letter of a sequence says which key it is.
_SEQUENCES = {"A": "up", "B": "down", "C": "right", "D": "left", "Z": "backtab", "M": "enter"}
_WHOLE = re.compile(r"\x1b(?:\[[0-?]*[ -/]*[@-~]|O[@-~])")
_BEGUN = re.compile(r"\x1b(?:\[[0-?]*[ -/]*|O)?\Z")


class Keys:
    """Reads bytes as they come, however they are cut.

    >>> keys = Keys()
    >>> keys.feed(b"a1" + bytes([27])), keys.feed(b"[A")
    ([Key(name='text', text='a'), Key(name='text', text='1')], [Key(name='up', text='')])
    """

    def __init__(self) -> None:
        self._decoder = codecs.getincrementaldecoder("utf-8")("replace")
        self._rest = ""  # a sequence that has begun

    @property
    def waiting(self) -> bool:
        """Has a sequence begun that may also be the key Escape?"""
        return bool(self._rest)

    def feed(self, data: bytes) -> list[Key]:
        """The keys that are certain now."""
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
        """Nothing came for a while: what has begun was Escape, and letters after it."""
        text, self._rest = self._rest, ""
        return [key for letter in text for key in _key(letter)]


def _key(text: str) -> list[Key]:
    if text in _CONTROLS:
        return [Key(_CONTROLS[text])]
    if len(text) > 1:
        return [Key(_SEQUENCES[text[-1]])] if text[-1] in _SEQUENCES else []
    return [Key("text", text)] if text.isprintable() else []
