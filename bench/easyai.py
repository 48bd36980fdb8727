"""easyAI, used as its documentation shows: Negamax on the Connect-4 it comes with."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

from easyAI import AI_Player, Negamax
from easyAI.games.ConnectFour import ConnectFour


def negamax(depth: int) -> Callable[[], Any]:
    """Return its search of the empty board to a depth, ready to run."""
    searcher = Negamax(depth)
    return partial(searcher, ConnectFour([AI_Player(searcher), AI_Player(searcher)]))
