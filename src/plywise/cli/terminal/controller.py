"""What a player types in the terminal, for games and puzzles: the prompt, commands, files."""

from __future__ import annotations

import shlex
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from difflib import get_close_matches
from pathlib import Path
from typing import Any, Generic, Literal, NamedTuple

from plywise.cli.terminal.ink import Ink, cut
from plywise.cli.terminal.screen import Key, Screen
from plywise.cli.terminal.unfinished import Kept, Place
from plywise.errors import MoveError, SpecError
from plywise.play.session import SessionError

Tone = Literal["plain", "hint", "complaint", "end"]


class Command(NamedTuple):
    """What can be typed besides a move: what it does, in a few words for 40 columns."""

    what: str
    do: Callable[..., list[str]]  #: takes the name of a file if there is an argument
    argument: str = ""


class Controller(Generic[Kept]):
    """Carries out moves and commands; what is played, a subclass knows.

    The screen and the line mode share it. Every answer is a few lines of plain text; what cannot be
    done raises a PlywiseError with a one-line message and changes nothing.
    """

    again: str  #: the shell command that continues it
    commands: Mapping[str, Command]

    def __init__(self, place: Place[Kept]) -> None:
        self.place = place  #: where it is saved
        self.left = False  #: has the player quit?

    # ---- what a subclass knows -----------------------------------------------------------------

    @property
    def saved(self) -> Kept:
        """What a file of it holds."""
        raise NotImplementedError

    @property
    def over(self) -> bool:
        """True if it is won, lost, drawn or solved."""
        raise NotImplementedError

    def play_move(self, text: str) -> list[str]:
        """Play a move; returns what to say about it."""
        raise NotImplementedError

    def ending(self) -> list[str]:
        """Return what to say when it is over."""
        raise NotImplementedError

    # ---- what all of them do -------------------------------------------------------------------

    def is_move(self, text: str) -> bool:
        """Return True for a legal move, which goes before a command of the same name."""
        return False

    def do(self, text: str) -> list[str]:
        """Carry out a move or a command."""
        text = text.strip()
        word, _, rest = text.partition(" ")
        word, rest = word.lower(), rest.strip()
        if self.is_move(text) or word not in self.commands:
            return self.play(text)
        command = self.commands[word]
        if command.argument:
            return command.do(rest)
        if rest:
            raise SpecError(f"{text.partition(' ')[0]!r} takes no argument: leave out {rest!r}")
        return command.do()

    def play(self, text: str) -> list[str]:
        """Play a move, or say which command was meant."""
        try:
            return self.play_move(text)
        except (MoveError, SessionError):
            near = get_close_matches(text.strip().lower(), self.commands, n=1, cutoff=0.7)
            if near:
                raise SpecError(f"unknown command {text!r}: did you mean {near[0]!r}?") from None
            raise

    def file_of(self, rest: str, word: str) -> Path:
        """Return the file that a command names."""
        if not rest:
            example = f"{word} my{self.place.shelf.suffix}"
            raise SpecError(f"{word!r} needs a file name, such as {example!r}")
        return Path(rest).expanduser()

    def save(self, rest: str) -> list[str]:
        """Save it to a file, beside the place where it is kept."""
        file, shelf = self.file_of(rest, "save"), self.place.shelf
        shelf.check_free(file)
        shelf.save(self.saved, file)
        return [f"saved to {file}; continue with: {self.again} --load {shlex.quote(rest)}"]

    def told(self) -> dict[str, str]:
        """Say what can be typed, and what it does."""
        commands = self.commands.items()
        return {f"{word} {each.argument}".rstrip(): each.what for word, each in commands}

    def help(self) -> list[str]:
        """List what can be typed."""
        return listed(self.told())

    def quit(self) -> list[str]:
        """Leave."""
        self.left = True
        return []

    def farewell(self) -> list[str]:
        """Return what to say when the player leaves."""
        if self.over:
            return self.ending()
        if not self.saved.moves:
            return []
        if self.place.chosen:
            file = shlex.quote(str(self.place.file))
            return [f"Saved. Continue with: {self.again} --load {file}"]
        if self.place.file is None:
            what = self.place.shelf.what
            return [f"The {what} could not be saved: the data folder is not writable."]
        return [f"Saved. Continue with: {self.again}"]


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


def listed(told: Mapping[str, str]) -> list[str]:
    """Write what can be typed, and what it does, one below the other."""
    longest = max(map(len, told), default=0)
    return [f"{words.ljust(longest)}  {what}" for words, what in told.items()]


def clock(seconds: float) -> str:
    """Format seconds as minutes and seconds: `3:07`."""
    whole = max(0, int(seconds))
    return f"{whole // 60}:{whole % 60:02}"
