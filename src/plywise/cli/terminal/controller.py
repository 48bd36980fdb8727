"""What a player types in the terminal, for games and puzzles: commands, files and the farewell."""

from __future__ import annotations

import shlex
from collections.abc import Callable, Mapping
from difflib import get_close_matches
from pathlib import Path
from typing import Generic, TypeVar

from plywise.cli.terminal.unfinished import Place
from plywise.errors import MoveError, PlywiseError, SpecError
from plywise.play.session import SessionError

Kept = TypeVar("Kept")
Answers = Mapping[str, Callable[[str], list[str]]]
_WITH_FILE = ("save", "load")  #: commands that take the name of a file


class Controller(Generic[Kept]):
    """Carries out moves and commands; what is played, a subclass knows.

    The screen and the line mode share it. Every answer is a few lines of plain text; what cannot be
    done raises a PlywiseError with a one-line message and changes nothing.
    """

    def __init__(self, place: Place[Kept]) -> None:
        self.place = place  #: where it is saved
        self.left = False  #: has the player quit?
        self.answers: Answers = {}  #: what each command does with the rest of the line

    # ---- what a subclass knows -----------------------------------------------------------------

    @property
    def saved(self) -> Kept:
        """What a file of it holds."""
        raise NotImplementedError

    @property
    def moved(self) -> bool:
        """True if there is a move worth keeping."""
        raise NotImplementedError

    @property
    def over(self) -> bool:
        """True if it is won, lost, drawn or solved."""
        raise NotImplementedError

    @property
    def again(self) -> str:
        """The command that continues it."""
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
        if self.is_move(text) or word not in self.answers:
            return self.play(text)
        if rest and word not in _WITH_FILE:
            raise SpecError(f"{text.partition(' ')[0]!r} takes no argument: leave out {rest!r}")
        return self.answers[word](rest)

    def play(self, text: str) -> list[str]:
        """Play a move, or say which command was meant."""
        try:
            return self.play_move(text)
        except (MoveError, SessionError):
            near = get_close_matches(text.strip().lower(), self.answers, n=1, cutoff=0.7)
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

    def quit(self, rest: str) -> list[str]:
        """Leave."""
        self.left = True
        return []

    def farewell(self) -> list[str]:
        """Return what to say when the player leaves."""
        if self.over:
            return self.ending()
        if not self.moved:
            return []
        if self.place.chosen:
            file = shlex.quote(str(self.place.file))
            return [f"Saved. Continue with: {self.again} --load {file}"]
        if self.place.file is None:
            what = self.place.shelf.what
            return [f"The {what} could not be saved: the data folder is not writable."]
        return [f"Saved. Continue with: {self.again}"]


def listed(told: Mapping[str, str]) -> list[str]:
    """Write what can be typed, and what it does, one below the other."""
    longest = max(map(len, told), default=0)
    return [f"{words.ljust(longest)}  {what}" for words, what in told.items()]


def complaint(error: PlywiseError | OSError) -> str:
    """Return the line that says why something could not be done."""
    if isinstance(error, PlywiseError):
        return str(error)
    return f"{error.filename}: {error.strerror}"


def clock(seconds: float) -> str:
    """Format seconds as minutes and seconds: `3:07`."""
    whole = max(0, int(seconds))
    return f"{whole // 60}:{whole % 60:02}"
