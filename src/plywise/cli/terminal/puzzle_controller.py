"""A puzzle in the terminal: the attempt, its clock, help with it, and what is marked on it."""

from __future__ import annotations

import time
from dataclasses import replace
from pathlib import Path

from plywise.cli.terminal.controller import Controller, clock, listed
from plywise.cli.terminal.unfinished import Place, Shelf
from plywise.core.puzzle import NO_MARKS, Marks, Puzzle, PuzzleHint, PuzzleType, States
from plywise.errors import SpecError
from plywise.kit.words import counted
from plywise.play import puzzle_help
from plywise.play.attempt import HEADER, Attempt
from plywise.play.records.files import read_whole, write_whole

MOST_MOVES = 8  #: moves of a hint that are listed
PATIENCE = 20.0  #: seconds for a check, a hint or a solution
#: What can be typed besides a move, and what it does: short enough for 40 columns.
COMMANDS = {
    "check": "look for mistakes",
    "hint": "a hint, step by step",
    "colour": "{sides}, on or off",
    "undo": "take back the last move",
    "redo": "replay it",
    "rewind": "undo to the first mistake",
    "point": "set a save point",
    "back": "return to the save point",
    "autocheck": "mark what breaks a rule, or not",
    "clear": "start over",
    "solve": "let the computer solve it",
    "moves": "the moves so far",
    "rules": "the rules of the puzzle",
    "save FILE": "save the puzzle to a file",
    "help": "this list",
    "quit": "leave; the puzzle is saved",
}


def load_attempt(file: Path) -> Attempt:
    """Load an attempt from a file."""
    return Attempt.from_text(read_whole(file), str(file))


def save_attempt(attempt: Attempt, file: Path) -> None:
    """Write an attempt to a file, in one step."""
    write_whole(attempt.to_text(), file)


#: Unfinished puzzles in the user's data folder.
PUZZLES = Shelf(
    ".puzzle",
    HEADER,
    load_attempt,
    save_attempt,
    lambda attempt: bool(attempt.moves or attempt.undone) and not attempt.solved,
)


class PuzzleController(Controller[Attempt]):
    """The attempt, where it is saved, its clock, and what is marked on it."""

    def __init__(self, attempt: Attempt, place: Place[Attempt]) -> None:
        super().__init__(place)
        self.attempt = attempt
        self.coloured = False
        self.checking = True  #: are complete clues and broken rules marked?
        self._points: list[Attempt] = []  # save points, the last one at the end
        self.wrong: tuple[int, ...] = ()
        self._hint: PuzzleHint | None = None
        self._told = 0  # steps of the hint shown so far
        self._since = time.monotonic() - attempt.seconds
        self.answers = {
            "check": self._check,
            "hint": self._tell,
            **({"colour": self._colour} if attempt.kind.sides else {}),
            "undo": lambda rest: self._become(self.attempt.undo()),
            "redo": lambda rest: self._become(self.attempt.redo()),
            "rewind": self._rewind,
            "point": self._point,
            "back": self._back,
            **({"autocheck": self._autocheck} if attempt.kind.progress is not None else {}),
            "clear": self._clear,
            "solve": self._solve,
            "moves": lambda rest: [moves_of(self.attempt)],
            "rules": lambda rest: instructions(self.attempt.kind, self.attempt.puzzle),
            "save": self.save,
            "help": lambda rest: self.help_lines(),
            "quit": self.quit,
        }
        place.keep(attempt)

    @property
    def seconds(self) -> float:
        """The time spent so far."""
        solved = self.attempt.solved
        return self.attempt.seconds if solved else time.monotonic() - self._since

    @property
    def shown(self) -> States:
        """What is drawn, with the move of a hint once it has been shown."""
        states = self.attempt.states
        return states if self._hint is None or not self._all_told else self._hint.shown(states)

    @property
    def marks(self) -> Marks:
        """The marks of checks, hints and colours to show on the board."""
        kind, puzzle = self.attempt.kind, self.attempt.puzzle
        progress = kind.progress or (lambda puzzle, states: NO_MARKS)
        plain = progress(puzzle, self.attempt.states)
        sides = plain.sides if self.coloured else {}
        checked = self.checking and not self.attempt.solved
        plain = replace(plain if checked else NO_MARKS, sides=sides)
        if self._hint is None or self._told == 0:
            return replace(plain, wrong=plain.wrong | frozenset(self.wrong))
        found = self._hint.marks
        if self._all_told:
            return replace(found, sides={**sides, **found.sides})
        return replace(plain, cells=frozenset(found.cells), dots=frozenset(found.dots))

    @property
    def _all_told(self) -> bool:
        return self._hint is not None and self._told >= len(self._hint.steps)

    @property
    def saved(self) -> Attempt:
        """The attempt, with the time spent."""
        return replace(self.attempt, seconds=self.seconds)

    @property
    def moved(self) -> bool:
        """True if a move has been made."""
        return bool(self.attempt.moves)

    @property
    def over(self) -> bool:
        """True if the puzzle is solved."""
        return self.attempt.solved

    @property
    def again(self) -> str:
        """The command that continues the puzzle."""
        return f"plywise {self.attempt.kind.name} play"

    def play_move(self, text: str) -> list[str]:
        """Play a move; returns the closing lines if it solves the puzzle."""
        return self._become(self.attempt.play(text))

    def turn(self, place: int) -> list[str]:
        """Cycle a place from nothing through each mark and back, as a click does."""
        state = (self.attempt.states[place] + 1) % (len(self.attempt.kind.marks) + 1)
        return self._become(self.attempt.change([(place, state)]))

    def _become(self, attempt: Attempt) -> list[str]:
        """Switch to another state of the attempt, saved before anything else."""
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
        if not self._all_told:
            return [f"{steps[self._told - 1]} ('hint' again for more)"]
        return [steps[self._told - 1], *self._moves_told(self._hint)]

    def _moves_told(self, found: PuzzleHint) -> list[str]:
        """What to type for the next step, unless that is long."""
        attempt = self.attempt
        changes = found.changes if found.kind == "step" else ()
        moves = attempt.kind.moves_between(attempt.puzzle, attempt.states, changes)
        return [f"Moves: {', '.join(moves)}"] if 0 < len(moves) <= MOST_MOVES else []

    def _rewind(self, rest: str) -> list[str]:
        attempt, found = puzzle_help.rewind(self.attempt, PATIENCE)
        count = len(self.attempt.moves) - len(attempt.moves)
        if count == 0:
            return [found.words]
        return [*self._become(attempt), f"undone: {counted(count, 'move')}", found.words]

    def _point(self, rest: str) -> list[str]:
        self._points.append(self.attempt)
        kind, count = self.attempt.kind, len(self._points)
        return [f"save point {count}, {kind.count(self.attempt.states)}; 'back' returns to it"]

    def _back(self, rest: str) -> list[str]:
        if not self._points:
            raise SpecError("there is no save point: 'point' sets one")
        saved = self._points[-1].states
        if self.attempt.states == saved and len(self._points) > 1:
            self._points.pop()  # we are there: on to the one before
            saved = self._points[-1].states
        self._become(self.attempt.change(list(enumerate(saved))))
        return [f"back at save point {len(self._points)}; 'undo' goes forward move by move"]

    def _autocheck(self, rest: str) -> list[str]:
        self.checking = not self.checking
        return [f"auto-check is {'on' if self.checking else 'off'}"]

    def _colour(self, rest: str) -> list[str]:
        self.coloured = not self.coloured
        return []

    def _clear(self, rest: str) -> list[str]:
        nothing = [(place, 0) for place, state in enumerate(self.attempt.states) if state]
        attempt = self.attempt.change(nothing)
        return [*self._become(attempt), "cleared; 'undo' restores it move by move"]

    def _solve(self, rest: str) -> list[str]:
        kind, puzzle = self.attempt.kind, self.attempt.puzzle
        if self.attempt.solved:
            raise SpecError("the puzzle is already solved")
        found = puzzle_help.solve(kind, puzzle, PATIENCE)
        if found.solution is None:
            return [found.words]
        result, moves = self._become(self.attempt.solve(found.solution, found.seconds))
        more = [] if found.status == "unique" else [found.words]
        return [f"{result} 'undo' takes it back.", *more, moves]

    def close(self) -> None:
        """Leave the puzzle and save the time spent."""
        self.attempt = self.saved
        if self.attempt.moves or self.place.chosen:
            self.place.keep(self.attempt)
        self.place.release(self.attempt)

    def ending(self) -> list[str]:
        """Return what to say when the puzzle is solved."""
        attempt = self.attempt
        if attempt.by_computer is None:
            return [f"{attempt.kind.done}, in {clock(self.seconds)}.", moves_of(attempt)]
        took = puzzle_help.duration(attempt.by_computer.seconds)
        return [f"Solved by the computer in {took}.", solution_of(attempt)]

    def help_lines(self) -> list[str]:
        """List what can be typed, one command per line."""
        kind, puzzle = self.attempt.kind, self.attempt.puzzle
        commands = {
            words: what.format(sides=kind.sides)
            for words, what in COMMANDS.items()
            if (words != "colour" or kind.sides)
            and (words != "autocheck" or kind.progress is not None)
        }
        return listed({**_sample_moves(kind, puzzle), **commands})


def instructions(kind: PuzzleType, puzzle: Puzzle) -> list[str]:
    """Return the rules of a puzzle, and how to write moves."""
    lines = [*kind.rules] or [kind.summary or kind.heading(puzzle)]
    lines += [kind.notation] if kind.notation else []
    return [*lines, *listed(_sample_moves(kind, puzzle))]


def _sample_moves(kind: PuzzleType, puzzle: Puzzle) -> dict[str, str]:
    """Return a move for each mark, and what it does."""
    names = kind.places(puzzle)
    if not names:
        return {}
    place = len(names) // 2
    return {
        kind.move_text(puzzle, place, state): f"{mark.words} or none"
        for state, mark in enumerate(kind.marks, 1)
    }


def moves_of(attempt: Attempt) -> str:
    """List the moves of an attempt in one line, the computer's among them."""
    return f"moves: {', '.join(attempt.single_moves) or 'none yet'}"


def solution_of(attempt: Attempt) -> str:
    """List the moves that lead from an empty board to what is drawn, in one line."""
    kind, puzzle = attempt.kind, attempt.puzzle
    drawn = kind.needed(puzzle, attempt.states)
    return f"moves: {', '.join(kind.moves_of(puzzle, drawn))}"
