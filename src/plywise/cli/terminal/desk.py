"""A puzzle and the person in front of it: what can be said to it, and what it answers.

The screen and the line mode share this, as they share a game's Controller.
"""

from __future__ import annotations

import shlex
import time
from collections.abc import Callable
from dataclasses import replace
from difflib import get_close_matches
from pathlib import Path

from plywise.cli.terminal.kept import Place, Shelf
from plywise.errors import MoveError, SpecError
from plywise.play.saves import read_whole, write_whole
from plywise.puzzles.slither.attempt import HEADER, Attempt, moves_between
from plywise.puzzles.slither.grid import Drawing
from plywise.puzzles.slither.hints import Hint, check, hint
from plywise.puzzles.slither.scene import Marks

#: What can be typed besides a move, and what it does: short enough for 40 columns.
COMMANDS = {
    "2 1 t": "row, column, side: a line or none",
    "x 2 1 t": "a cross or none",
    "check": "is it right so far?",
    "hint": "where, how, the move in turn",
    "colour": "inside and outside, on or off",
    "undo": "take back the last move",
    "redo": "play it again",
    "clear": "begin again",
    "moves": "those played so far",
    "save FILE": "write it to a file",
    "help": "this list",
    "quit": "leave; the puzzle is kept",
}


def load_attempt(file: Path) -> Attempt:
    """The attempt in a file."""
    return Attempt.from_text(read_whole(file), str(file))


def save_attempt(attempt: Attempt, file: Path) -> None:
    """Write an attempt to a file, in one step."""
    write_whole(attempt.to_text(), file)


#: Puzzles under way in the user's data folder.
PUZZLES = Shelf(
    ".puzzle",
    HEADER,
    load_attempt,
    save_attempt,
    lambda attempt: bool(attempt.moves or attempt.undone) and not attempt.solved,
)


class Desk:
    """The attempt, where it is kept, its clock, and what is marked on it."""

    def __init__(self, attempt: Attempt, place: Place[Attempt]) -> None:
        self.place = place
        self.attempt = attempt
        self.left = False  #: has the person said goodbye?
        self.coloured = False
        self.wrong: tuple[int, ...] = ()
        self._hint: Hint | None = None
        self._told = 0  # how much of the hint
        self._since = time.monotonic() - attempt.seconds
        self._answers: dict[str, Callable[[str], list[str]]] = {
            "check": self._check,
            "hint": self._tell,
            "colour": self._colour,
            "undo": lambda rest: self._become(self.attempt.undo()),
            "redo": lambda rest: self._become(self.attempt.redo()),
            "clear": self._clear,
            "moves": lambda rest: [moves_of(self.attempt)],
            "save": self._save,
            "help": lambda rest: help_lines(),
            "quit": self._quit,
        }
        place.keep(attempt)

    @property
    def seconds(self) -> float:
        """How long it has taken so far."""
        solved = self.attempt.solved
        return self.attempt.seconds if solved else time.monotonic() - self._since

    @property
    def shown(self) -> Drawing:
        """What is drawn, with the move that a hint has told."""
        if self._hint is None or self._told < 3:
            return self.attempt.drawing
        return self._hint.drawing

    @property
    def marks(self) -> Marks:
        """What is to be shown beside the lines."""
        sides = self.attempt.drawing.sides if self.coloured else {}
        if self._hint is None or self._told == 0:
            return Marks(wrong=frozenset(self.wrong), sides=sides)
        found = self._hint.marks
        if self._told == 3:
            return replace(found, sides={**sides, **found.sides})
        return Marks(cells=frozenset(found.cells), dots=frozenset(found.dots), sides=sides)

    def do(self, text: str) -> list[str]:
        """Carry out a move or a command."""
        word, _, rest = text.strip().partition(" ")
        if word.lower() not in self._answers:
            return self.play(text)
        if rest.strip() and word.lower() != "save":
            raise SpecError(f"{word!r} stands alone: leave out {rest.strip()!r}")
        return self._answers[word.lower()](rest.strip())

    def play(self, text: str) -> list[str]:
        """A move; the end of it all is told."""
        try:
            return self._become(self.attempt.play(text))
        except MoveError:
            near = get_close_matches(text.strip().lower(), self._answers, n=1, cutoff=0.7)
            if near:
                raise SpecError(f"{text!r} is no command: did you mean {near[0]!r}?") from None
            raise

    def turn(self, line: int) -> list[str]:
        """From nothing to a line, to a cross, to nothing: what a click does."""
        state = self.attempt.drawing.states[line]
        attempt = self.attempt
        for move in moves_between(attempt.drawing, [(line, (state + 1) % 3)]):
            attempt = attempt.play(move)
        return self._become(attempt)

    def _become(self, attempt: Attempt) -> list[str]:
        """Another state of things, written down before anything else."""
        attempt = replace(attempt, seconds=self.seconds)
        self.place.keep(attempt)
        self.attempt, self.wrong, self._hint, self._told = attempt, (), None, 0
        return self.ending() if attempt.solved else []

    def _check(self, rest: str) -> list[str]:
        found = check(self.attempt.drawing)
        self._hint, self._told, self.wrong = None, 0, found.wrong
        return [found.words]

    def _tell(self, rest: str) -> list[str]:
        if self._hint is None:
            self._hint, self._told = hint(self.attempt.drawing), 0
        self.wrong = ()
        lines = self._hint.lines()
        self._told = min(self._told + 1, 3)
        more = "" if self._told >= len(lines) else " 'hint' again: more."
        return [lines[min(self._told, len(lines)) - 1] + more]

    def _colour(self, rest: str) -> list[str]:
        self.coloured = not self.coloured
        return []

    def _clear(self, rest: str) -> list[str]:
        nothing = [(line, 0) for line, state in enumerate(self.attempt.drawing.states) if state]
        attempt = self.attempt
        for move in moves_between(attempt.drawing, nothing):
            attempt = attempt.play(move)
        return [*self._become(attempt), "cleared; 'undo' brings it back, move by move"]

    def _save(self, rest: str) -> list[str]:
        if not rest:
            raise SpecError("write the name of a file after 'save', as 'save my.puzzle'")
        file = Path(rest).expanduser()
        PUZZLES.check_free(file)
        save_attempt(replace(self.attempt, seconds=self.seconds), file)
        return [f"saved to {file}; plywise slither play --load {shlex.quote(rest)} goes on with it"]

    def _quit(self, rest: str) -> list[str]:
        self.left = True
        return []

    def close(self) -> None:
        """Leave the puzzle; the time is written down."""
        self.attempt = replace(self.attempt, seconds=self.seconds)
        if self.attempt.moves or self.place.chosen:
            self.place.keep(self.attempt)
        self.place.release(self.attempt)

    def ending(self) -> list[str]:
        """What to say when the loop is right."""
        return [f"The loop is right, in {clock(self.seconds)}.", moves_of(self.attempt)]

    def farewell(self) -> list[str]:
        """What to say when the person leaves."""
        if self.attempt.solved:
            return self.ending()
        if not self.attempt.moves:
            return []
        if self.place.chosen:
            return [
                f"Kept: plywise slither play --load {shlex.quote(str(self.place.file))} goes on."
            ]
        if self.place.file is None:
            return ["The puzzle could not be kept: the data folder cannot be written."]
        return ["Kept: plywise slither play goes on with it."]


def clock(seconds: float) -> str:
    """Minutes and seconds: `3:07`."""
    whole = int(seconds)
    return f"{whole // 60}:{whole % 60:02}"


def moves_of(attempt: Attempt) -> str:
    """The list of moves."""
    return f"moves: {', '.join(attempt.moves) or 'none yet'}"


def help_lines() -> list[str]:
    """What can be typed, one a line."""
    longest = max(map(len, COMMANDS))
    return [f"{words.ljust(longest)}  {what}" for words, what in COMMANDS.items()]
