"""`tree`: draw the tree that a textbook search looked at."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from typing import Annotated

import typer

from plywise.cli.console import as_json
from plywise.cli.inputs import GameSpec, Json, Moves, Text, read_position
from plywise.cli.pictures import Ascii, Png, Svg, Theme, write_pictures


def tree(
    game: GameSpec,
    moves: Moves = "",
    text: Text = None,
    depth: Annotated[
        int | None,
        typer.Option(
            "--depth", metavar="N", help="Search depth in plies; by default as deep as fits."
        ),
    ] = None,
    engine: Annotated[
        str, typer.Option("--engine", metavar="E", help="'textbook' (alpha-beta) or 'minimax'.")
    ] = "textbook",
    heuristic: Annotated[
        str,
        typer.Option("--heuristic", metavar="H", help="How leaves are scored, such as 'seed'."),
    ] = "evaluate",
    order: Annotated[
        str,
        typer.Option(
            "--order", metavar="O", help="Move order: as in the 'rules', or by 'promise'."
        ),
    ] = "rules",
    limit: Annotated[
        int, typer.Option("--limit", metavar="N", help="Maximum number of nodes.")
    ] = 250,
    svg: Svg = None,
    png: Png = None,
    theme: Theme = "light",
    ascii: Ascii = False,
    json: Json = False,
) -> Iterator[str]:
    """Draw a search tree with values, windows and pruned branches.

    Branches are in the order searched. Values are for max, the player to move at the root: W3 is
    a win for max after three plies, L4 a loss after four. A star marks the best path.
    """
    from plywise.games import make
    from plywise.play.trees import grow
    from plywise.views import terminal
    from plywise.views.theme import find_theme
    from plywise.views.tree import tree_scene, tree_text

    find_theme(theme)  # refuses an unknown theme before anything is searched
    position = read_position(make(game), moves, text)
    grown = grow(position, engine, depth, heuristic, order, limit)
    if svg is not None or png is not None:
        boards = position.game.type.scene is not None
        write_pictures(tree_scene(grown.root, grown.title, boards), svg, png, theme)
    if json:
        yield as_json(grown.to_json())
        return
    yield grown.title
    # While a command runs, sys.stdout is redirected to stderr.
    place = terminal(sys.__stdout__ or sys.stdout, ascii=ascii)
    yield from tree_text(grown.root, place.unicode)
