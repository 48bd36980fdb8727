"""All commands, put together into one application."""

from __future__ import annotations

import os
from collections.abc import Sequence
from contextlib import suppress
from typing import Annotated, Any

import typer
from typer.core import TyperGroup

from plywise import __version__
from plywise.cli.commands import (
    arena,
    author,
    exercises,
    explain,
    learn,
    match,
    play,
    positions,
    searches,
    serve,
    warmup,
)
from plywise.cli.console import printing
from plywise.errors import SpecError, suggest

NAME = "plywise"
COMPLETE = "_PLYWISE_COMPLETE"  #: the variable with which a shell asks what may come next


class Commands(TyperGroup):
    """Lists commands in the order they were added; suggests the nearest for an unknown one."""

    def resolve_command(self, ctx: Any, args: list[str]) -> Any:
        """Find the command that the first argument names."""
        if args[0] not in self.commands and not ctx.resilient_parsing:
            hint = suggest(args[0], self.commands)
            raise SpecError(f"unknown command {args[0]!r}: {hint}")
        return super().resolve_command(ctx, args)


class AllCommands(Commands):
    """The commands of plywise; those of games and of other packages are found when needed."""

    def find(self) -> None:
        """Add the commands that are found, once."""
        from plywise.cli.commands import game_commands

        for name, command in game_commands.found().items():
            self.commands.setdefault(name, command)

    def resolve_command(self, ctx: Any, args: list[str]) -> Any:
        """Find the command that the first argument names; the file of a game is imported now."""
        from plywise.cli.commands import game_commands

        if args[0] not in self.commands:
            self.find()
            if args[0] in game_commands.names():
                self.commands[args[0]] = game_commands.commands_of(args[0], Commands)
        return super().resolve_command(ctx, args)

    def list_commands(self, ctx: Any) -> list[str]:
        """List all of them."""
        self.find()
        return super().list_commands(ctx)


app = typer.Typer(
    cls=AllCommands,
    rich_markup_mode=None,
    no_args_is_help=False,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
)
for command in (
    play.play,
    serve.serve,
    serve.backup,
    serve.restore,
    positions.games,
    positions.show,
    positions.perft,
    author.check,
    author.new,
    searches.analyze,
    searches.solve,
    explain.hint,
    explain.tree,
    explain.review,
    exercises.exercises,
    exercises.train,
    match.match,
    arena.arena,
    arena.openings,
    match.grade,
    learn.learn,
    play.ugi,
    warmup.warmup,
):
    app.command()(printing(command))


def _version(wanted: bool) -> None:
    if wanted:
        typer.echo(f"plywise {__version__}")
        raise typer.Exit


@app.callback(invoke_without_command=True)
def _plywise(
    context: typer.Context,
    version: Annotated[
        bool, typer.Option("--version", callback=_version, is_eager=True, help="Print the version.")
    ] = False,
) -> None:
    """Play, analyze and solve board games and puzzles.

    GAME and AGENT are names with optional parameters, such as 'connect4:rows=7,cols=8' or
    'auto:level=3', or Python files, such as './mygame.py'. 'plywise games' lists all games and
    agents; 'plywise COMMAND --help' explains a command. With --verbose, an error is shown with
    everything that led to it.
    """
    if context.invoked_subcommand is None:
        typer.echo(context.get_help())


def run(arguments: Sequence[str]) -> None:
    """Parse the arguments and run the command; errors are left to `main`, not to typer."""
    command: Any = typer.main.get_command(app)
    if COMPLETE in os.environ:
        with suppress(SystemExit):  # how typer ends once it has answered the shell
            command.main(prog_name=NAME)
        return
    try:
        with command.make_context(NAME, list(arguments)) as context:
            command.invoke(context)
    except typer.Exit:
        pass  # after --help and --version
