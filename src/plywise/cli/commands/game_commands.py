"""Commands that are found: those of games and puzzles, and those of other packages.

A game's or puzzle's are mounted as `plywise NAME COMMAND`. They are found by name alone; the file
is imported only when one of them is used. Another package has entry points: `NAME = module` for a
game or puzzle, and `NAME = module:function` for a command beside those of plywise itself.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from importlib import import_module
from importlib.metadata import entry_points
from pathlib import Path
from typing import TYPE_CHECKING, Any

import typer
from typer.core import TyperGroup

from plywise.cli.console import printing
from plywise.cli.inputs import Ascii, Theme
from plywise.errors import SpecError
from plywise.puzzles import find as find_puzzle
from plywise.puzzles import names as puzzle_names

if TYPE_CHECKING:
    from plywise.core.puzzle import PuzzleType

GROUP = "plywise.commands"  #: the entry points of packages that add commands
_HOME = Path(__file__).parents[2]


@cache
def modules() -> dict[str, str]:
    """Return the games and puzzles with commands of their own, and the modules of these."""
    found = {}
    for folder in ("games", "puzzles"):
        for file in sorted((_HOME / folder).glob("*/commands.py")):
            found[file.parent.name] = f"plywise.{folder}.{file.parent.name}.commands"
    return found | {each.name: each.value for each in entry_points(group=GROUP) if not each.attr}


def added() -> list[Any]:
    """Return the commands that other packages put beside those of plywise, as typer takes them."""
    return [entry.load() for entry in entry_points(group=GROUP) if entry.attr]


def names() -> list[str]:
    """Return the names of everything with commands: every puzzle, and games that define some."""
    return sorted({*modules(), *puzzle_names()})


def found() -> dict[str, Any]:
    """Return the commands of other packages, and an empty group for everything with commands."""
    app = typer.Typer(rich_markup_mode=None)
    for command in added():
        app.command()(printing(command))
    commands = dict(typer.main.get_group(app).commands)
    for name in names():
        commands[name] = TyperGroup(name=name, help=about(name), rich_markup_mode=None)
    return commands


def commands_of(name: str, cls: type[TyperGroup]) -> Any:
    """Make the command group of one game or puzzle for the command line."""
    defined = import_module(modules()[name]).COMMANDS if name in modules() else ()
    commands = {command.__name__: printing(command) for command in defined}
    app = typer.Typer(name=name, help=about(name), cls=cls, rich_markup_mode=None)
    if name in puzzle_names():
        from plywise.cli.commands.puzzle_commands import commands_for

        kind = find_puzzle(name)
        for command in commands_for(kind):
            commands.setdefault(command.__name__, command)
        app.callback(invoke_without_command=True)(_alone(kind))
    else:
        app.callback()(lambda: None)
    for command in commands.values():
        app.command()(command)
    return typer.main.get_command(app)


def _alone(kind: PuzzleType) -> Callable[..., None]:
    """Make what `plywise PUZZLE` does without a command: show the rules, and offer puzzles."""

    def alone(context: typer.Context, theme: Theme = "light", ascii: Ascii = False) -> None:
        if context.invoked_subcommand is None:
            from plywise.cli.terminal.puzzle_loop import offer

            printing(offer)(kind=kind, save=None, theme=theme, ascii=ascii)
        elif theme != "light" or ascii:
            raise SpecError(f"write --theme and --ascii after {context.invoked_subcommand!r}")

    return alone


def about(name: str) -> str:
    """Return a game's or puzzle's line in the list of all commands."""
    if name in puzzle_names():
        return f"The puzzle {name}: solve, hint, play and more."
    return f"More commands for {name}."
