"""`tree`: what a textbook search looked at, drawn."""

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
        typer.Option("--depth", metavar="N", help="Plies to look ahead; as many as fit."),
    ] = None,
    engine: Annotated[
        str, typer.Option("--engine", metavar="E", help="'textbook' (alpha-beta) or 'minimax'.")
    ] = "textbook",
    heuristic: Annotated[
        str, typer.Option("--heuristic", metavar="H", help="What a leaf counts, as 'seed'.")
    ] = "evaluate",
    order: Annotated[
        str,
        typer.Option(
            "--order", metavar="O", help="Moves in the order of the 'rules' or 'promise'."
        ),
    ] = "rules",
    limit: Annotated[
        int, typer.Option("--limit", metavar="N", help="Nodes that a tree may have.")
    ] = 250,
    svg: Svg = None,
    png: Png = None,
    theme: Theme = "light",
    ascii: Ascii = False,
    json: Json = False,
) -> Iterator[str]:
    """Draw a search tree: values, windows, pruned branches, in the order searched.

    Values are those of the player to move at the root: max. W3 is a game that max has won after
    three plies, L4 one that is lost after four; a star marks the best path.
    """
    from plywise.games import make
    from plywise.play.trees import grow
    from plywise.views import terminal
    from plywise.views.theme import find_theme
    from plywise.views.tree import tree_scene, tree_text

    find_theme(theme)  # a wrong name is refused before anything is searched
    position = read_position(make(game), moves, text)
    grown = grow(position, engine, depth, heuristic, order, limit)
    if svg is not None or png is not None:
        boards = position.game.type.scene is not None
        write_pictures(tree_scene(grown.root, grown.title, boards), svg, png, theme)
    if json:
        yield as_json(grown.to_json())
        return
    yield grown.title
    # While a command runs, sys.stdout stands for stderr.
    place = terminal(sys.__stdout__ or sys.stdout, ascii=ascii)
    yield from tree_text(grown.root, place.unicode)
