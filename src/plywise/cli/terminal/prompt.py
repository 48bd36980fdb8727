"""The line at the bottom of the screen, in which the player types, and the message above it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal

from plywise.cli.terminal.controller import Controller
from plywise.cli.terminal.ink import Ink, cut
from plywise.cli.terminal.screen import Key, Screen

Tone = Literal["plain", "hint", "complaint", "end"]


@dataclass
class Prompt:
    """What is typed so far, and the last message."""

    typed: str = ""
    message: tuple[str, ...] = ()
    tone: Tone = "plain"

    def say(self, *lines: str, tone: Tone = "plain") -> None:
        """Replace the last message."""
        self.message, self.tone = lines, tone

    def press(self, key: Key, controller: Controller[Any], screen: Screen) -> bool:
        """Edit what is typed, leave or redraw; returns False for a key that has another meaning."""
        if key.name == "text":
            self.typed += key.text
        elif key.name == "backspace":
            self.typed = self.typed[:-1]
        elif key.name in ("escape", "ctrl-u"):
            self.typed = ""
        elif key.name == "ctrl-d" and not self.typed:
            controller.left = True
        elif key.name == "ctrl-l":
            screen.forget()
        elif key.name == "ctrl-z":
            screen.suspend()
        else:
            return False
        return True

    def taken(self) -> str:
        """Return what was typed, and begin a new line."""
        text, self.typed = self.typed.strip(), ""
        return text

    def line(self, keys: str, ink: Ink, columns: int) -> str:
        """Draw the line; as long as nothing is typed, with the keys that can be pressed."""
        if self.typed:
            return f"> {self.typed[-(columns - 4) :]}{ink(' ', 'reverse')}"
        return "> " + ink(cut(keys, columns - 2), "dim")
