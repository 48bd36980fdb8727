"""Boards in Jupyter notebooks: play, step through a game, analyse and review, by clicking.

The board is the one of the web app. There is no server: the kernel of the notebook answers.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from plywise.errors import Unsupported, to_install

if TYPE_CHECKING:
    from collections.abc import Sequence

    from plywise.adapters.notebook.backend import Showable
    from plywise.adapters.notebook.widget import Board

__all__ = ["board"]


def board(
    what: Showable,
    first: str | None = None,
    second: str | None = None,
    *,
    moves: str | Sequence[str] = (),
    analysis: bool = False,
    flipped: bool = False,
) -> Board:
    """Return an interactive board for a notebook cell.

    A game, or its spec, is played: by default you are player 1 and `auto` is player 2. `first` and
    `second` are agents such as `auto:level=3`, or `human`. A position, a game record or a review is
    a board to study: you can move both sides and step through the moves. Name a player to play on
    from there instead.

    `moves` are played before the board is shown. With `analysis` the engine runs at once; `flipped`
    shows the board mirrored. `position` of the board is the position that it shows.
    """
    try:
        import anywidget  # noqa: F401
    except ImportError:
        raise Unsupported(f"boards in notebooks need anywidget: {to_install('notebook')}") from None
    from plywise.adapters.notebook.backend import set_up
    from plywise.adapters.notebook.widget import Board

    return Board(set_up(what, first, second, moves), analysis=analysis, flipped=flipped)
