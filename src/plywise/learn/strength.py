"""How strong a net is: games against opponents that do not change, from both sides."""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

from plywise.core.analysis import Limits
from plywise.core.game import Game, Rules
from plywise.core.position import Position
from plywise.core.spec import Spec, bind
from plywise.engines import find, make
from plywise.engines.alphabeta import AlphaBeta, search_of
from plywise.engines.net import Net
from plywise.engines.net.finding import NONE
from plywise.play.match import Match
from plywise.play.series import openings, play_series
from plywise.play.statistics import Share

NODES = 2000  #: for a move of a search ...
PLAYOUTS = 200  #: ... and of playouts
PLIES = 4  #: random plies before a game
PAIRS = 8  #: of games against each opponent while it learns
SEED = 7
EVEN = 0.5  #: the most that a search estimates in an even opening, on a scale from -1 to 1
TRIES = 10  #: openings looked at for each that is wanted

#: Opponents while a net is learned: a search that knows the rules alone, and playouts.
OPPONENTS = {
    "search": "alphabeta:heuristic=none",
    "playouts": f"mcts:playouts={PLAYOUTS}",
}


@dataclass(frozen=True)
class Strength:
    """The score of a net against the opponents, and when it was measured."""

    seconds: float
    scores: dict[str, float]


@contextmanager
def filed(net: Net) -> Iterator[Path]:
    """Write a net into a file of its own for a while."""
    with tempfile.TemporaryDirectory(prefix="plywise-") as folder:
        file = Path(folder) / "net.npz"
        file.write_bytes(net.to_bytes())
        yield file


def player_of(game: Game) -> str:
    """Return the agent that plays with a game's net: its expert, if that takes one."""
    name = game.type.expert
    takes = any(each.name == "net" for each in find(name, game).parameters)
    return name if takes else "alphabeta"


class SearchSettings(NamedTuple):
    """How an agent searches: by which rules, and the settings of `AlphaBeta`."""

    rules: Rules
    look_up: int = AlphaBeta.look_up
    decided: int = AlphaBeta.decided


def search_settings(game: Game) -> SearchSettings:
    """Return how that agent searches, without a net."""
    name = player_of(game)
    agent = find(name, game)
    engine = agent.build(game, **bind(Spec.of(name, {"net": NONE}), agent.parameters, name))
    search = search_of(engine)
    assert search is not None, "an agent with a net is a search, or has one as its `estimator`"
    return SearchSettings(search.stage.rules, search.look_up, search.decided)


def measure(net: Net, seconds: float, pairs: int = PAIRS) -> Strength:
    """Play the opponents with equal nodes."""
    game = net.game
    starts = openings(game, pairs, _plies(game), SEED)
    scores, limits = {}, Limits(nodes=NODES)
    with filed(net) as file:
        for name, other in OPPONENTS.items():
            mine = f"{player_of(game)}:net={file}"
            scores[name] = play_series(game, mine, other, starts, limits=limits).share.value
    return Strength(seconds, scores)


def at_equal_time(
    net: Net, other: str, time: float, pairs: int, on_pair: Callable[[Share], None] | None = None
) -> Share:
    """Play an agent with the same time for each move; the points of the net."""
    game = net.game

    def on_game(match: Match) -> None:
        if on_pair is not None and match.games % 2 == 0:
            on_pair(match.share)

    with filed(net) as file:
        return play_series(
            game,
            f"{player_of(game)}:net={file}",
            other,
            even_openings(game, pairs),
            limits=Limits(time=time),
            on_game=on_game,
        ).share


def even_openings(game: Game, count: int) -> list[Position]:
    """Return random openings in which a short search sees no winner; any, if such are rare.

    Where the opening decides the game, both games of a pair end alike, and nothing is learned.
    """
    judge = make(f"{player_of(game)}:net={NONE}", game)
    found: list[Position] = []
    for start in openings(game, TRIES * count, _plies(game), SEED + 1):
        seen = judge.search(start, Limits(nodes=NODES))
        if seen.outcome in (None, "draw") and abs(seen.value) <= EVEN:
            found.append(start)
        if len(found) == count:
            return found
    return openings(game, count, _plies(game), SEED + 1)


def _plies(game: Game) -> int:
    return min(PLIES, max(0, game.max_plies // 4))
