"""The options of the commands, which a stranger has to read: a budget for all of them together."""

from __future__ import annotations

import typer

from plywise.cli.app import app
from plywise.cli.commands import game_commands

MOST = 120  #: options of the top-level commands; --help, --version and --verbose do not count


def test_the_commands_have_few_options() -> None:
    others = {command.__name__ for command in game_commands.added()}  # of other packages, as /lab
    commands = typer.main.get_command(app).commands  # type: ignore[attr-defined]
    options = [
        f"{name} {param.opts[0]}"
        for name, command in commands.items()
        if name not in others
        for param in command.params
        if param.param_type_name == "option"
    ]
    assert len(options) <= MOST, f"take one away before you add one: {options}"
