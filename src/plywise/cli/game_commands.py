"""The commands that games bring along, mounted as `plywise NAME COMMAND`.

Found by their names alone; the file of a game is imported when one of its commands is asked for.
"""

from __future__ import annotations

import inspect
from collections.abc import Iterator, Sequence
from functools import cache
from importlib import import_module
from importlib.metadata import entry_points
from pathlib import Path
from typing import Annotated, Any, get_type_hints

import typer

from plywise.cli.console import as_json, printing, progress
from plywise.cli.inputs import Json
from plywise.core.command import Argument, Data, GameCommand, Option, Output, Progress

GROUP = "plywise.commands"  #: the entry points of packages that bring games along
_HOME = Path(__file__).parents[1] / "games"


@cache
def modules() -> dict[str, str]:
    """The games with commands of their own, and the modules these are in."""
    own = {file.parent.name: file for file in sorted(_HOME.glob("*/commands.py"))}
    found = {name: f"plywise.games.{name}.commands" for name in own}
    return {**found, **{entry.name: entry.value for entry in entry_points(group=GROUP)}}


def commands_of(name: str, cls: type[Any]) -> Any:
    """The group of commands of one game, in the form that the command line takes."""
    commands: Sequence[GameCommand] = import_module(modules()[name]).COMMANDS
    app = typer.Typer(name=name, help=about(name), cls=cls, rich_markup_mode=None)
    app.callback()(lambda: None)
    for command in commands:
        app.command(command.__name__.replace("_", "-"))(printing(_mounted(command)))
    return typer.main.get_command(app)


def about(name: str) -> str:
    """The line of a game in the list of all commands."""
    return f"Commands for {name} only."


def _mounted(command: GameCommand) -> Any:
    """A game's command as one of the command line's: typer's options, lines of text.

    With `--json` there is one object: its data, or else its lines.
    """
    plain = inspect.signature(command)
    hints = get_type_hints(command, include_extras=True)
    parameters = [
        each.replace(annotation=_option(name, hints[name]))
        for name, each in plain.parameters.items()
    ]
    json = inspect.Parameter("json", inspect.Parameter.KEYWORD_ONLY, default=False, annotation=Json)

    def run(json: bool = False, **given: Any) -> Iterator[str]:
        lines: list[str] = []
        for item in _shown(command(**given)):
            if isinstance(item, Data):
                yield as_json(item.data) if json else item.words
                return
            if not json:
                yield item
            lines.append(item)
        if json:
            yield as_json({"lines": lines})

    run.__doc__ = command.__doc__
    run.__signature__ = inspect.Signature([*parameters, json])  # type: ignore[attr-defined]
    run.__annotations__ = {each.name: each.annotation for each in [*parameters, json]}
    return run


def _option(name: str, hint: Any) -> Any:
    """An annotation with typer's word for an option or an argument."""
    kind, said = hint.__origin__, hint.__metadata__[0]
    if isinstance(said, Argument):
        return Annotated[kind, typer.Argument(metavar=said.metavar, help=said.help)]
    assert isinstance(said, Option)
    flag = f"--{name.replace('_', '-')}"
    return Annotated[kind, typer.Option(flag, metavar=said.metavar, min=said.low, help=said.help)]


def _shown(output: Output) -> Iterator[str | Data]:
    """What a command yields, with its progress shown on the way."""
    for item in output:
        if not isinstance(item, Progress):
            yield item
            continue
        with progress(item.what, item.total) as move_on:
            rest = _progressing(output, item, move_on)
            last = next(rest, None)
        if last is not None:
            yield last


def _progressing(output: Output, first: Progress, move_on: Any) -> Iterator[str | Data]:
    """Move the bar on until something else comes."""
    for _ in range(first.done):
        move_on(first.what)
    for item in output:
        if not isinstance(item, Progress):
            yield item
            return
        move_on(item.what)
