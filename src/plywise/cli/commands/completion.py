"""`completion`: game, agent and option names in the shell, with the Tab key."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Annotated

import typer


def completion(
    context: typer.Context,
    shell: Annotated[str, typer.Argument(metavar="SHELL", help="bash, zsh or fish.")],
    words: Annotated[
        list[str] | None, typer.Argument(metavar="[WORD]...", help="What is typed so far.")
    ] = None,
) -> Iterator[str]:
    """Print a script that completes commands, games and agents with the Tab key.

    The last line of the script says where to put it.
    """
    from plywise.cli.completing import PLACES, SCRIPTS, fitting
    from plywise.errors import SpecError, suggest

    if shell not in SCRIPTS:
        raise SpecError(f"there is no completion for {shell!r}: {suggest(shell, SCRIPTS)}")
    if words is None:
        yield SCRIPTS[shell].rstrip("\n")
        yield f"# {PLACES[shell]}"
    else:
        yield from fitting(context.find_root().command, words)
