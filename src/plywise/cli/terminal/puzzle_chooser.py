"""Chooses a puzzle with a few questions: which puzzle, and who solves it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

from plywise.cli.terminal.menu import Asker, Item, Menu
from plywise.cli.terminal.puzzle_controller import PATIENCE, instructions
from plywise.cli.terminal.unfinished import PUZZLES, Place, load_attempt
from plywise.core.puzzle import PuzzleType
from plywise.core.spec import Spec, bind, format_value
from plywise.errors import SpecError
from plywise.kit.words import counted
from plywise.play import puzzle_help
from plywise.play.attempt import HEADER, Attempt
from plywise.puzzles import file_text, is_file, read_source

_FILE, _NEW = "file", "new"  #: answers that need another question
_BACK = Item[Any]("0", "Back", None)

WHO: Menu[bool] = Menu(
    "Who solves it?",
    (
        Item("1", "You", False, "by hand", ("me", "hand")),
        Item(
            "2", "The computer", True, "shows the solution, the moves and the time", ("computer",)
        ),
    ),
)


def choose(kind: PuzzleType, ask: Asker) -> tuple[Attempt, Place[Attempt] | None, bool]:
    """Ask which puzzle, after the rules, and who solves it: True for the computer.

    One that was begun before comes with the place where it is saved.
    """
    place, waiting = PUZZLES.newest(lambda attempt: attempt.kind == kind) or (None, None)
    taken = False
    try:
        attempt = _ask_puzzle(kind, ask, waiting)
        by_computer = ask(WHO)
        taken = attempt is waiting and not by_computer
    finally:
        if place is not None and waiting is not None and not taken:
            place.release(waiting)
    return attempt, place if taken else None, by_computer


def _ask_puzzle(kind: PuzzleType, ask: Asker, waiting: Attempt | None) -> Attempt:
    menu = _puzzle_menu(kind, waiting)
    while True:
        answer = ask(menu)
        if answer == _FILE:
            question = "Which file? Type its name and press Enter."
            answer = ask(Menu(question, (_BACK,), other=lambda text: _from_file(kind, text)))
        elif answer == _NEW:
            answer = _ask_new(kind, ask)
        if isinstance(answer, Attempt):
            return answer
        menu = replace(menu, intro=())  # back again: the rules have been read


def _puzzle_menu(kind: PuzzleType, waiting: Attempt | None) -> Menu[Attempt | str]:
    puzzle = kind.read(kind.default)[0]
    about = ", ".join(filter(None, (kind.heading(puzzle), kind.facts(puzzle))))
    items: list[Item[Attempt | str]] = [
        Item("1", "The default puzzle", Attempt(kind, puzzle), about, ("default",)),
        Item("2", "From a file", _FILE, "", ("file",)),
    ]
    if kind.generate is not None:
        items.append(Item("3", "A new one", _NEW, "made for you", ("new",)))
    if waiting is not None:
        moves = counted(len(waiting.moves), "move")
        items.insert(0, Item("0", "Resume", waiting, f"{kind.heading(waiting.puzzle)}, {moves}"))
    return Menu(
        "Which puzzle?",
        tuple(items),
        other=lambda text: opened(kind, text),
        advice="Or type the name of a file, or the puzzle itself.",
        intro=(kind.title, *instructions(kind, puzzle)),
    )


def opened(kind: PuzzleType, text: str) -> Attempt:
    """Return the puzzle that a file holds, or the text itself."""
    if len(text) == 1:  # a wrong number, or '-' for the standard input, which has the answers
        raise SpecError(f"{text!r} is not one of the answers, nor a file or a puzzle")
    if is_file(Path(text).expanduser()):
        return _from_file(kind, text)
    try:
        return Attempt.of(kind, *read_source(kind, text))
    except OSError as error:
        raise SpecError(f"{text}: {error.strerror}") from None


def _from_file(kind: PuzzleType, name: str) -> Attempt:
    """Read a puzzle in any format, or one that was saved half solved."""
    file = Path(name).expanduser()
    try:
        text = file_text(file)
    except OSError as error:
        raise SpecError(f"{name}: {error.strerror}") from None
    if not text.startswith(HEADER):
        return Attempt.of(kind, *read_source(kind, str(file)))
    attempt = load_attempt(file)
    if attempt.kind != kind:
        raise SpecError(f"{name} is not a {kind.name} puzzle: use plywise {attempt.kind.name}")
    return attempt


def _ask_new(kind: PuzzleType, ask: Asker) -> Attempt | None:
    """Ask for the parameters of a new puzzle and make it; None to go back."""
    params: Mapping[str, str] | None = {}
    menu = _new_menu(kind)
    while True:
        if kind.parameters:
            params = ask(menu)
        if params is None:
            return None
        try:
            return Attempt(kind, puzzle_help.make(kind, params, None, PATIENCE)[0].puzzle)
        except SpecError as error:
            if not kind.parameters:
                raise
            menu = replace(menu, intro=(str(error),))


def _new_menu(kind: PuzzleType) -> Menu[Mapping[str, str] | None]:
    usual = [f"{each.name}={format_value(each.default)}" for each in kind.parameters]
    items = (Item[Any]("1", "Default", {}, ", ".join(usual)), _BACK)

    def read(text: str) -> Mapping[str, str]:
        spec = Spec.parse(f"{kind.name}:{text}")
        bind(spec, kind.parameters, kind.name)  # refuses what cannot be
        return spec.given

    advice = f"Or type parameters, such as {','.join(usual[:2])}."
    return Menu("Which new puzzle?", items, other=read, advice=advice)
