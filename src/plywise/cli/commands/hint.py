"""`hint`: give a hint: where to look, which move, and why."""

from __future__ import annotations

from collections.abc import Iterator

from plywise.cli.console import as_json
from plywise.cli.inputs import GameSpec, Json, Moves, Seconds, Text, read_position


def hint(
    game: GameSpec, moves: Moves = "", text: Text = None, time: Seconds = None, json: Json = False
) -> Iterator[str]:
    """Give a hint in three steps: where to look, which move, and why.

    The game's best agent looks at every legal move, for one second by default.
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
