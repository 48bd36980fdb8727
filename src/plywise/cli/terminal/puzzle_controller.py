"""A puzzle in the terminal: the attempt, its clock, help with it, and what is marked on it."""

from __future__ import annotations

import time
from dataclasses import replace

from plywise.cli.terminal.controller import Command, Controller, clock, listed
from plywise.cli.terminal.unfinished import Place
from plywise.core.puzzle import NO_MARKS, Marks, Puzzle, PuzzleHint, PuzzleType, States
from plywise.errors import SpecError
from plywise.kit.words import counted
from plywise.play import puzzle_help
from plywise.play.attempt import Attempt

MOST_MOVES = 8  #: moves of a hint that are listed
PATIENCE = 20.0  #: seconds for a check, a hint or a solution


class PuzzleController(Controller[Attempt]):
    """The attempt, where it is saved, its clock, and what is marked on it."""

    def __init__(self, attempt: Attempt, place: Place[Attempt]) -> None:
        super().__init__(place)
        self.attempt = attempt
        self.kind, self.puzzle = kind, puzzle = attempt.kind, attempt.puzzle
        self.coloured = False
        self.checking = True  #: are complete clues and broken rules marked?
        self._points: list[Attempt] = []  # save points, the last one at the end
        self.wrong: tuple[int, ...] = ()
        self._hint: PuzzleHint | None = None
        self._told = 0  # steps of the hint shown so far
        self._since = time.monotonic() - attempt.seconds
        self.again = f"plywise {kind.name} play"
        commands = {
            "check": Command("look for mistakes", self._check),
            "hint": Command("a hint, step by step", self._tell),
            "colour": Command(f"{kind.sides}, on or off", self._colour),
            "undo": Command("take back the last move", lambda: self._become(self.attempt.undo())),
            "redo": Command("replay it", lambda: self._become(self.attempt.redo())),
            "rewind": Command("undo to the first mistake", self._rewind),
            "point": Command("set a save point", self._point),
            "back": Command("return to the save point", self._back),
            "autocheck": Command("mark what breaks a rule, or not", self._autocheck),
            "clear": Command("start over", self._clear),
            "solve": Command("let the computer solve it", self._solve),
            "moves": Command("the moves so far", self._moves),
            "rules": Command("the rules of the puzzle", lambda: instructions(kind, puzzle)),
            "save": Command("save the puzzle to a file", self.save, "FILE"),
            "help": Command("this list", self.help),
            "quit": Command("leave; the puzzle is saved", self.quit),
        }
        missing = {"colour": not kind.sides, "autocheck": kind.progress is None}
        self.commands = {word: each for word, each in commands.items() if not missing.get(word)}
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
        progress = self.kind.progress or (lambda puzzle, states: NO_MARKS)
        plain = progress(self.puzzle, self.attempt.states)
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
    def over(self) -> bool:
        """True if the puzzle is solved."""
        return self.attempt.solved

    def play_move(self, text: str) -> list[str]:
        """Play a move; returns the closing lines if it solves the puzzle."""
        return self._become(self.attempt.play(text))

    def turn(self, place: int) -> list[str]:
        """Cycle a place from nothing through each mark and back, as a click does."""
        state = (self.attempt.states[place] + 1) % (len(self.kind.marks) + 1)
        return self._become(self.attempt.change([(place, state)]))

    def _become(self, attempt: Attempt) -> list[str]:
        """Switch to another state of the attempt, saved before anything else."""
        attempt = replace(attempt, seconds=self.seconds)
        self.place.keep(attempt)
        self.attempt, self.wrong, self._hint, self._told = attempt, (), None, 0
        return self.ending() if attempt.solved else []

    def _check(self) -> list[str]:
        found = puzzle_help.check(self.kind, self.puzzle, self.attempt.states, PATIENCE)
        self._hint, self._told, self.wrong = None, 0, found.wrong
        return [found.words]

    def _tell(self) -> list[str]:
        if self._hint is None:
            self._hint = puzzle_help.hint(self.kind, self.puzzle, self.attempt.states, PATIENCE)
        self.wrong = ()
        steps = self._hint.steps
        self._told = min(self._told + 1, len(steps))
        if not self._all_told:
            return [f"{steps[self._told - 1]} ('hint' again for more)"]
        return [steps[self._told - 1], *self._moves_told(self._hint)]

    def _moves_told(self, found: PuzzleHint) -> list[str]:
        """What to type for the next step, unless that is long."""
        changes = found.changes if found.kind == "step" else ()
        moves = self.kind.moves_between(self.puzzle, self.attempt.states, changes)
        return [f"Moves: {', '.join(moves)}"] if 0 < len(moves) <= MOST_MOVES else []

    def _rewind(self) -> list[str]:
        attempt, found = puzzle_help.rewind(self.attempt, PATIENCE)
        count = len(self.attempt.moves) - len(attempt.moves)
        if count == 0:
            return [found.words]
        return [*self._become(attempt), f"undone: {counted(count, 'move')}", found.words]

    def _point(self) -> list[str]:
        self._points.append(self.attempt)
        told = self.kind.count(self.attempt.states)
        return [f"save point {len(self._points)}, {told}; 'back' returns to it"]

    def _back(self) -> list[str]:
        if not self._points:
            raise SpecError("there is no save point: 'point' sets one")
        saved = self._points[-1].states
        if self.attempt.states == saved and len(self._points) > 1:
            self._points.pop()  # we are there: on to the one before
            saved = self._points[-1].states
        self._become(self.attempt.change(list(enumerate(saved))))
        return [f"back at save point {len(self._points)}; 'undo' goes forward move by move"]

    def _moves(self) -> list[str]:
        return [f"moves: {', '.join(self.attempt.single_moves) or 'none yet'}"]

    def _autocheck(self) -> list[str]:
        self.checking = not self.checking
        return [f"auto-check is {'on' if self.checking else 'off'}"]

    def _colour(self) -> list[str]:
        self.coloured = not self.coloured
        return []

    def _clear(self) -> list[str]:
        nothing = [(place, 0) for place, state in enumerate(self.attempt.states) if state]
        attempt = self.attempt.change(nothing)
        return [*self._become(attempt), "cleared; 'undo' restores it move by move"]

    def _solve(self) -> list[str]:
        if self.attempt.solved:
            raise SpecError("the puzzle is already solved")
        found = puzzle_help.solve(self.kind, self.puzzle, PATIENCE)
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
        computer = self.attempt.by_computer
        if computer is None:
            return [f"{self.kind.done}, in {clock(self.seconds)}.", *self._moves()]
        took = puzzle_help.duration(computer.seconds)
        drawn = self.kind.needed(self.puzzle, self.attempt.states)
        moves = self.kind.moves_of(self.puzzle, drawn)  # from an empty board
        return [f"Solved by the computer in {took}.", f"moves: {', '.join(moves)}"]

    def told(self) -> dict[str, str]:
        """Say what can be typed, moves before commands."""
        return _sample_moves(self.kind, self.puzzle) | super().told()


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
