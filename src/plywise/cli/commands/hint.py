"""`hint`: where to look, which move, and why."""

from __future__ import annotations

from collections.abc import Iterator

from plywise.cli.console import as_json
from plywise.cli.inputs import GameSpec, Json, Moves, Seconds, Text, read_position


def hint(
    game: GameSpec, moves: Moves = "", text: Text = None, time: Seconds = None, json: Json = False
) -> Iterator[str]:
    """Give a hint in three steps: where to look, which move, and why.

    The best the game has thinks about every legal move, for a second unless told otherwise.
    """
    from plywise.core.analysis import Limits
    from plywise.games import make
    from plywise.play import hints

    limits = Limits(time=hints.SECONDS if time is None else time)
    found = hints.hint(read_position(make(game), moves, text), limits)
    if json:
        yield as_json(found.to_json())
    else:
        yield from found.steps
