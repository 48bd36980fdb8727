"""Commands that are found: those of games and puzzles, and those of other packages.

A game's or puzzle's are mounted as `plywise NAME COMMAND`. They are found by name alone; the file
is imported only when one of them is used. Another package has entry points: `NAME = module` for a
game or puzzle, and `NAME = module:function` for a command beside those of plywise itself.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack
from functools import cache
from importlib import import_module
from importlib.metadata import entry_points
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, get_type_hints

import typer
from typer.core import TyperGroup

from plywise.cli.console import Advance, as_json, printing, progress
from plywise.cli.inputs import Ascii, Json, Png, Svg, Theme, write_pictures
from plywise.errors import SpecError
from plywise.kit.commands import Argument, Data, GameCommand, Option, Output, Picture, Progress
from plywise.puzzles import find as find_puzzle
from plywise.puzzles import names as puzzle_names

if TYPE_CHECKING:
    from plywise.core.puzzle import PuzzleType

Item = str | Data | Picture
Parameters = Mapping[str, tuple[Any, Any]]  #: the annotation and the default of each, by name
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
    own = name in modules()
    defined: Sequence[GameCommand] = import_module(modules()[name]).COMMANDS if own else ()
    commands = {command.__name__: _mounted(command) for command in defined}
    app = typer.Typer(name=name, help=about(name), cls=cls, rich_markup_mode=None)
    if name in puzzle_names():
        kind = find_puzzle(name)
        commands = {**commands, **_usual(kind), **commands}  # its own are first, and win
        app.callback(invoke_without_command=True)(_alone(kind))
    else:
        app.callback()(lambda: None)
    for word, command in commands.items():
        app.command(word.replace("_", "-"))(printing(command))
    return typer.main.get_command(app)


def _usual(kind: PuzzleType) -> dict[str, Any]:
    """Make the commands that every puzzle has, by name."""
    from plywise.cli.commands import puzzle_commands as every

    usual = {"solve": _mounted(every.solve, kind), "hint": _mounted(every.hint, kind)}
    if kind.generate is not None:
        usual["generate"] = _mounted(every.generate, kind, more=every.parameters(kind))
        if kind.daily:
            usual["daily"] = _mounted(every.daily, kind)
    return {**usual, "play": every.play_command(kind)}


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


def _mounted(command: GameCommand, *kind: PuzzleType, more: Parameters | None = None) -> Any:
    """Turn a game's command into one for typer that yields lines of text.

    With `--json` it yields one object: the command's data, or else its lines. A command of every
    puzzle takes the type of puzzle first, and may have `more` options, as each type needs them.
    """
    hints = get_type_hints(command, include_extras=True)
    own = list(inspect.signature(command).parameters.values())[len(kind) :]
    parameters = {
        **(more or {}),
        **{each.name: (hints[each.name], each.default) for each in own if each.name != "given"},
    }
    options = {name: (_option(name, hint), default) for name, (hint, default) in parameters.items()}
    if hasattr(command, "pictures"):
        options |= {"svg": (Svg, None), "png": (Png, None), "theme": (Theme, "light")}
    options["json"] = (Json, False)

    def run(
        json: bool = False,
        svg: Path | None = None,
        png: Path | None = None,
        theme: str = "light",
        **given: Any,
    ) -> Iterator[str]:
        lines: list[str] = []
        found = False
        for item in _shown(command(*kind, **given)):
            if isinstance(item, Data):
                found = True
                yield as_json(item.data) if json else item.words
            elif isinstance(item, Picture):
                write_pictures(item.scene, svg, png, theme)
            else:
                if not json:
                    yield item
                lines.append(item)
        if json and not found:
            yield as_json({"lines": lines})

    made: Any = run  # with these options in place of those above, for typer
    keyword = inspect.Parameter.KEYWORD_ONLY
    made.__doc__ = command.__doc__
    made.__signature__ = inspect.Signature(
        [
            inspect.Parameter(name, keyword, default=default, annotation=annotation)
            for name, (annotation, default) in options.items()
        ]
    )
    made.__annotations__ = {name: annotation for name, (annotation, _) in options.items()}
    return made


def _option(name: str, hint: Any) -> Any:
    """Return the annotation that typer needs for an option or an argument."""
    kind, said = hint.__origin__, hint.__metadata__[0]
    if isinstance(said, Argument):
        metavar, text = said.metavar, said.help
        return Annotated[kind, typer.Argument(metavar=metavar, help=text, show_default=False)]
    assert isinstance(said, Option)
    flag = f"--{name.replace('_', '-')}"
    return Annotated[
        kind, typer.Option(flag, metavar=said.metavar, min=said.low, max=said.high, help=said.help)
    ]


def _shown(output: Output) -> Iterator[Item]:
    """Yield a command's items, with a progress bar from the first Progress item on."""
    advance: Advance | None = None
    with ExitStack() as stack:
        for item in output:
            if not isinstance(item, Progress):
                yield item
                continue
            if advance is None:
                advance = stack.enter_context(progress(item.what, item.total))
            advance(item.what, done=item.done)
