"""`new` and `check`: a game of your own, written from an example and held against the laws."""

from __future__ import annotations

import keyword
import re
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Annotated

import typer

import plywise
from plywise.cli.console import progress
from plywise.cli.inputs import GameSpec
from plywise.errors import SpecError, suggest
from plywise.games import names
from plywise.kit.commands import Output
from plywise.kit.words import counted

START = "col"  #: the example to start from; its comments explain every part
Name = Annotated[str, typer.Argument(metavar="NAME", help="The name of your game.")]


def new(
    name: Name,
    example: Annotated[
        str, typer.Option("--from", metavar="EXAMPLE", help="Start from one of the examples.")
    ] = START,
) -> Iterator[str]:
    """Write a small game and its test into this folder, as a start for your own.

    The game is complete: play it, then change it. '--from' copies an example under the new name;
    an unknown name lists them.
    """
    files = files_for(name, example)
    for file in files:
        if Path(file).exists():
            raise SpecError(f"{file} already exists: choose another name, or remove the file")
    for file, text in files.items():
        with open(file, "x", encoding="utf-8") as stream:
            stream.write(text)
    game, test = files
    yield f"{game} is a complete game, and {test} tests its rules. Next:"
    yield f"    plywise serve ./{game}    play it in the browser; edit the file while it runs"
    yield f"    plywise play ./{game}     play it in the terminal"
    yield f"    plywise check ./{game}    check the rules; do this after every change"


TAKEN = {*sys.stdlib_module_names, "numba", "numpy", "plywise", "test"}
TEST = '''\
"""The rules of {title}: run it with `python -m pytest {test}`."""

from pathlib import Path

from plywise import check_game


def test_the_rules_keep_every_law():
    check_game(str(Path(__file__).with_name("{file}")))
'''


def folder() -> Path:
    """Return where the examples are: in the package, or beside it in a checkout."""
    package = Path(plywise.__file__).parent
    inside = package / "examples"
    return inside if inside.is_dir() else package.parents[1] / "examples"


def examples() -> list[str]:
    """Return the names of the examples."""
    return sorted(file.stem for file in folder().glob("*.py"))


def files_for(name: str, source: str) -> dict[str, str]:
    """Return the files of a new game by name, or raise a SpecError that says what is wrong."""
    _check(name)
    if source not in examples():
        raise SpecError(f"unknown example {source!r}: {suggest(source, examples())}")
    text = (folder() / f"{source}.py").read_text(encoding="utf-8")
    file, test, title = f"{name}.py", f"test_{name}.py", name.replace("_", " ").capitalize()
    return {file: _renamed(text, name, title), test: TEST.format(title=title, test=test, file=file)}


def _check(name: str) -> None:
    """Refuse names that are not modules, or that hide something else."""
    if re.fullmatch("[a-z][a-z0-9_]{0,39}", name) is None or keyword.iskeyword(name):
        raise SpecError(
            f"{name!r} cannot be the name of a game: use small letters, digits and _, "
            "a letter first, such as my_game"
        )
    if name in names():
        raise SpecError(f"{name} comes with plywise: choose another name")
    if name in TAKEN or name.startswith("test_"):
        raise SpecError(f"{name} is the name of a Python module: choose another name")


def _renamed(text: str, name: str, title: str) -> str:
    """Put the new name and title into a game, and into the first words of its docstring."""
    text = re.sub('^"""[^:]*:', f'"""{title}:', text, count=1)
    before, made, after = text.partition("GameType(\n")
    after = re.sub(r'\bname="[^"]*"', f'name="{name}"', after, count=1)
    return before + made + re.sub(r'\btitle="[^"]*"', f'title="{title}"', after, count=1)


def _laws(wanted: bool) -> None:
    if wanted:
        from plywise.testing import LAWS, explained

        for law in LAWS:
            typer.echo(f"{law}: {explained(law)}")
        raise typer.Exit


def check(
    game: GameSpec,
    games: Annotated[
        int, typer.Option(metavar="N", help="Random games to check the rules on.")
    ] = 20,
    quick: Annotated[
        bool, typer.Option("--quick", help="Check only the laws that need no compiled code.")
    ] = False,
    laws: Annotated[
        bool, typer.Option("--laws", callback=_laws, is_eager=True, help="Explain the laws.")
    ] = False,
) -> Output:
    """Check the rules of a game: play random games and test what must hold for every game.

    Do this first with a game of your own: a search trusts the rules. The first law that is broken
    is named, with the moves that lead there. The laws that need no compiled code come first, so
    most mistakes are found within seconds.
    """
    from plywise.testing import LAWS, LawBroken, check_game

    if games < 1:
        raise SpecError(f"games must be at least 1, not {games}")
    try:
        with progress("playing random games", len(LAWS)) as advance:
            skipped = check_game(game, games, compiled=not quick, on_law=advance)
    except LawBroken as error:
        raise SpecError(f"{error} ('plywise check --laws' explains the laws)") from error
    checked = [law for law in LAWS if law not in skipped]
    yield {"game": game, "checked": checked, "skipped": skipped}
    held = f"{len(checked)} laws hold in {counted(games, 'random game')}"
    yield f"{held}: {', '.join(checked)}"
    for law, reason in skipped.items():
        yield f"not checked: {law}, because {reason}"
