"""How strong a net is: games against opponents that do not change, and how it learned over time."""

from __future__ import annotations

import tempfile
from collections.abc import Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from plywise.core.analysis import Limits
from plywise.core.game import Game, Rules
from plywise.core.position import Position
from plywise.core.spec import Spec, bind
from plywise.engines import find, make
from plywise.engines.alphabeta import AlphaBeta, search_of
from plywise.engines.net import Net
from plywise.engines.net.weights import NONE, file_of, learned_file
from plywise.play.series import openings, play_series
from plywise.play.statistics import Share

if TYPE_CHECKING:
    from plywise.learn.learner import Learner

NODES = 2000  #: for a move of a search ...
PLAYOUTS = 200  #: ... and of playouts
PLIES = 4  #: random plies before a game
PAIRS = 8  #: of games against each opponent while it learns
SEED = 7
EVEN = 0.5  #: the most that a search estimates in an even opening, on a scale from -1 to 1
TRIES = 10  #: openings looked at for each that is wanted

#: Opponents while a net is learned, and what to call them.
OPPONENTS = {
    "search": ("alphabeta:heuristic=none", "a search that knows the rules alone"),
    "playouts": (f"mcts:playouts={PLAYOUTS}", "playouts"),
}


@dataclass(frozen=True)
class Strength:
    """The score of a net against the opponents, and when it was measured."""

    seconds: float
    scores: dict[str, float]


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
    starts = openings(net.game, pairs, _plies(net.game), SEED)
    limits = Limits(nodes=NODES)
    scores = {
        name: played(net, other, starts, limits).value for name, (other, _) in OPPONENTS.items()
    }
    return Strength(seconds, scores)


def at_equal_time(net: Net, other: str, time: float, pairs: int) -> Share:
    """Play an agent with the same time for each move; the points of the net."""
    return played(net, other, even_openings(net.game, pairs), Limits(time=time))


def played(net: Net, other: str, starts: Sequence[Position], limits: Limits) -> Share:
    """Play an agent from both sides of each opening; the points of the net."""
    with tempfile.TemporaryDirectory(prefix="plywise-") as folder:
        file = Path(folder) / "net.npz"
        file.write_bytes(net.to_bytes())
        mine = f"{player_of(net.game)}:net={file}"
        return play_series(net.game, mine, other, starts, limits=limits).share


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


# ---- the course of learning ----------------------------------------------------------------------


class Curve:
    """What was measured while a net was learned."""

    def __init__(self, learner: Learner) -> None:
        self.learner = learner
        self.measured: list[Strength] = []
        self.final: Share | None = None

    def measure(self) -> None:
        """Let the present net play the opponents."""
        last = self.learner.last
        if not self.measured or self.measured[-1].seconds < last.seconds:
            self.measured.append(measure(self.learner.net(), last.seconds))

    def judged(self, net: Net, pairs: int, time: float) -> Net:
        """Let a net play `auto` as it is now, with its net if it has one; note the result in it."""
        self.time = time
        self.final = at_equal_time(net, f"auto:net={file_of(net.game) or NONE}", time, pairs)
        return replace(net, about={**net.about, "better": self.better, "score": self.final.value})

    @property
    def better(self) -> bool:
        """True if the net beat `auto`."""
        return self.final is not None and self.final.value > 0.5

    def line(self) -> str:
        """The last measurement, in words."""
        last, found = self.learner.last, self.measured[-1]
        scores = ", ".join(
            f"{found.scores[name]:.0%} against {words}" for name, (_, words) in OPPONENTS.items()
        )
        error = f"error {last.validation_error:.3f}"
        return f"{last.seconds:.0f} s, {last.games} games, {error}: {scores}"

    def verdict(self, file: Path) -> str:
        """What the net in a file is worth, in words."""
        use = "auto uses it from now on" if self.better else "so auto does not use it"
        if self.better and file != learned_file(self.learner.game):
            use = f"auto:net={file} plays with it"
        if player_of(self.learner.game) != self.learner.game.type.expert:
            use = "the game's expert takes no net, but alphabeta does"
        return f"At {self.time:g} s a move it scores {self.final} against auto as it was: {use}."

    def rows(self) -> list[list[str]]:
        """A table: a row for each measurement."""
        rows = [["seconds", "games", "error", *OPPONENTS]]
        for each in self.measured:
            at = [known for known in self.learner.rounds if known.seconds <= each.seconds][-1]
            scores = [f"{each.scores[name]:.0%}" for name in OPPONENTS]
            error = f"{at.validation_error:.3f}"
            rows.append([f"{each.seconds:.0f}", str(at.games), error, *scores])
        return rows

    def to_json(self) -> dict[str, Any]:
        """Return plain data for `--json`."""
        return {
            "game": self.learner.game.spec,
            "rounds": [asdict(each) for each in self.learner.rounds],
            "measured": [asdict(each) for each in self.measured],
            "final": None if self.final is None else self.final.to_json(),
        }
