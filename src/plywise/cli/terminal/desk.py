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
from plywise.core.puzzle import Marks, PuzzleHint, States
from plywise.errors import MoveError, SpecError
from plywise.play import puzzle_help
from plywise.play.attempt import HEADER, Attempt
from plywise.play.records.saves import read_whole, write_whole

PATIENCE = 20.0  #: seconds for a check or a hint
#: What can be typed besides a move, and what it does: short enough for 40 columns.
COMMANDS = {
    "check": "is it right so far?",
    "hint": "where, how, the move in turn",
    "colour": "{sides}, on or off",
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
        self._hint: PuzzleHint | None = None
        self._told = 0  # how much of the hint
        self._since = time.monotonic() - attempt.seconds
        self._answers: dict[str, Callable[[str], list[str]]] = {
            "check": self._check,
            "hint": self._tell,
            **({"colour": self._colour} if attempt.kind.sides is not None else {}),
            "undo": lambda rest: self._become(self.attempt.undo()),
            "redo": lambda rest: self._become(self.attempt.redo()),
            "clear": self._clear,
            "moves": lambda rest: [moves_of(self.attempt)],
            "save": self._save,
            "help": lambda rest: self.help_lines(),
            "quit": self._quit,
        }
        place.keep(attempt)

    @property
    def seconds(self) -> float:
        """How long it has taken so far."""
        solved = self.attempt.solved
        return self.attempt.seconds if solved else time.monotonic() - self._since

    @property
    def shown(self) -> States:
        """What is drawn, with the move that a hint has told."""
        states = self.attempt.states
        return states if self._hint is None or not self._all_told else self._hint.shown(states)

    @property
    def marks(self) -> Marks:
        """What is to be shown beside what is drawn."""
        kind, puzzle = self.attempt.kind, self.attempt.puzzle
        coloured = self.coloured and kind.sides is not None
        sides = kind.sides(puzzle, self.attempt.states) if coloured and kind.sides else {}
        if self._hint is None or self._told == 0:
            return Marks(wrong=frozenset(self.wrong), sides=sides)
        found = self._hint.marks
        if self._all_told:
            return replace(found, sides={**sides, **found.sides})
        return Marks(cells=frozenset(found.cells), dots=frozenset(found.dots), sides=sides)

    @property
    def _all_told(self) -> bool:
        return self._hint is not None and self._told >= len(self._hint.steps)

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

    def turn(self, place: int) -> list[str]:
        """From nothing to each mark in turn, and back to nothing: what a click does."""
        state = (self.attempt.states[place] + 1) % (len(self.attempt.kind.marks) + 1)
        return self._become(self.attempt.change([(place, state)]))

    def _become(self, attempt: Attempt) -> list[str]:
        """Another state of things, written down before anything else."""
        attempt = replace(attempt, seconds=self.seconds)
        self.place.keep(attempt)
        self.attempt, self.wrong, self._hint, self._told = attempt, (), None, 0
        return self.ending() if attempt.solved else []

    def _check(self, rest: str) -> list[str]:
        attempt = self.attempt
        found = puzzle_help.check(attempt.kind, attempt.puzzle, attempt.states, PATIENCE)
        self._hint, self._told, self.wrong = None, 0, found.wrong
        return [found.words]

    def _tell(self, rest: str) -> list[str]:
        if self._hint is None:
            attempt = self.attempt
            self._hint = puzzle_help.hint(attempt.kind, attempt.puzzle, attempt.states, PATIENCE)
            self._told = 0
        self.wrong = ()
        steps = self._hint.steps
        self._told = min(self._told + 1, len(steps))
        more = "" if self._all_told else " 'hint' again: more."
        return [steps[self._told - 1] + more]

    def _colour(self, rest: str) -> list[str]:
        self.coloured = not self.coloured
        return []

    def _clear(self, rest: str) -> list[str]:
        nothing = [(place, 0) for place, state in enumerate(self.attempt.states) if state]
        attempt = self.attempt.change(nothing)
        return [*self._become(attempt), "cleared; 'undo' brings it back, move by move"]

    def _save(self, rest: str) -> list[str]:
        if not rest:
            raise SpecError("write the name of a file after 'save', as 'save my.puzzle'")
        file = Path(rest).expanduser()
        PUZZLES.check_free(file)
        save_attempt(replace(self.attempt, seconds=self.seconds), file)
        return [f"saved to {file}; {self._again} --load {shlex.quote(rest)} goes on with it"]

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
        """What to say of a solution."""
        return [f"{self.attempt.kind.done}, in {clock(self.seconds)}.", moves_of(self.attempt)]

    def farewell(self) -> list[str]:
        """What to say when the person leaves."""
        if self.attempt.solved:
            return self.ending()
        if not self.attempt.moves:
            return []
        if self.place.chosen:
            return [f"Kept: {self._again} --load {shlex.quote(str(self.place.file))} goes on."]
        if self.place.file is None:
            return ["The puzzle could not be kept: the data folder cannot be written."]
        return [f"Kept: {self._again} goes on with it."]

    @property
    def _again(self) -> str:
        """The command that goes on with it."""
        return f"plywise {self.attempt.kind.name} play"

    def help_lines(self) -> list[str]:
        """What can be typed, one a line."""
        kind, puzzle = self.attempt.kind, self.attempt.puzzle
        place = len(kind.places(puzzle)) // 2
        moves = {
            kind.move_text(puzzle, place, state): f"{mark.words} or none"
            for state, mark in enumerate(kind.marks, 1)
        }
        commands = {
            words: what.format(sides=kind.sides_words or "two colours")
            for words, what in COMMANDS.items()
            if words != "colour" or kind.sides is not None
        }
        told = {**moves, **commands}
        longest = max(map(len, told))
        return [f"{words.ljust(longest)}  {what}" for words, what in told.items()]


def clock(seconds: float) -> str:
    """Minutes and seconds: `3:07`."""
    whole = int(seconds)
    return f"{whole // 60}:{whole % 60:02}"


def moves_of(attempt: Attempt) -> str:
    """The list of moves."""
    return f"moves: {', '.join(attempt.moves) or 'none yet'}"
