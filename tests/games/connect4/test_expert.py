"""The expert of Connect-4: exact where time allows, an estimate before that."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from itertools import pairwise
from pathlib import Path

import pytest

import plywise
from plywise import Limits
from plywise.core.analysis import Analysis, Line, Stop
from plywise.core.engine import unguarded
from plywise.errors import Unsupported
from plywise.games.connect4.expert import Expert, exact, together
from plywise.games.connect4.solver import FIRST_NODES, IDEAS, Solver

pytestmark = pytest.mark.slow  # longer than `make quick` has time for

DATA = Path(__file__).parents[2] / "data" / "connect4"
HARD = "17212462"  #: takes the solver 1.6 million nodes, and 7.6 for all moves


def test_the_expert_is_exact() -> None:
    game = plywise.game("connect4")
    expert = plywise.engine("expert", game)
    position = game.position("32164625")
    analysis = expert.search(position, lines=True)
    assert (analysis.outcome, analysis.score, analysis.plies_to_end) == ("win", 11, 13)
    assert len(analysis.lines) == 7
    assert all(line.outcome is not None for line in analysis.lines)
    assert game.position([*position.moves, *analysis.pv[:3]])
    assert plywise.engine("auto", game).search(position).score == 11


def test_the_expert_with_little_time() -> None:
    """A move all the same, and an estimate; and none for a finished game."""
    game = plywise.game("connect4:rows=7,cols=8")
    expert = plywise.engine("expert:time=0.1", game)
    assert expert.search(game.start()).best in game.start().legal
    assert expert.search(game.start(), Limits(depth=3)).depth == 3
    with pytest.raises(Unsupported, match="the game is over"):
        expert.search(game.position("1212121"))


def test_the_book_needs_no_time() -> None:
    game = plywise.game("connect4")
    found = plywise.engine("expert", game).search(game.start(), Limits(time=0.0), lines=True)
    assert (found.best, found.outcome) == ("4", "win")
    assert [line.score for line in found.lines] == [-2, -1, 0, 1, 0, -1, -2]


def fresh_expert() -> Expert:
    """One with nothing in its table, and no book."""
    expert = unguarded(plywise.engine("expert:book=no", plywise.game("connect4")))
    assert isinstance(expert, Expert)
    expert.solver.words[:] = 0
    return expert


def test_it_says_something_before_it_is_exact() -> None:
    expert = fresh_expert()
    position = expert.game.position(HARD)
    heard: list[Analysis] = []
    found = expert.search(position, on_info=heard.append, lines=True)
    assert heard[0].outcome is None
    assert heard[0].depth > 0
    assert [line.move for line in heard[0].lines] == list(position.legal)
    assert exact(found)
    assert all(map(exact, found.lines))
    assert heard[-1] == replace(found, seconds=heard[-1].seconds)
    for one, two in pairwise(heard):  # nothing that is known is lost again
        assert {line.move for line in one.lines if exact(line)} <= {
            line.move for line in two.lines if exact(line)
        }
        assert one.depth <= two.depth
        assert one.nodes <= two.nodes


@pytest.mark.parametrize("lines", [False, True])
def test_slices_come_to_the_same_end(lines: bool) -> None:
    """Asked again and again for a moment, it goes on where it stopped."""
    whole = fresh_expert()
    position = whole.game.position(HARD + "44")  # 0.3 million nodes, and 1.0 for all moves
    known = whole.search(position, lines=lines)
    sliced = fresh_expert()
    count, found = 0, sliced.search(position, Limits(time=0.01), lines=lines)
    while not exact(found):
        assert count < 2 * known.nodes // FIRST_NODES  # each has at least a first look
        count, found = count + 1, sliced.search(position, Limits(time=0.01), lines=lines)
    assert count > 0
    assert found.score == known.score
    assert [line.score for line in found.lines] == [line.score for line in known.lines]


def test_a_search_that_was_broken_off_goes_on() -> None:
    """What was proved of a position and of its moves is not proved again."""
    game = plywise.game("connect4")
    position = game.position(HARD + "44")
    whole = Solver(game, dict(IDEAS)).solve(position, lines=True)
    solver = Solver(game, dict(IDEAS))
    nodes, bounds = 0, set()
    while True:
        found = solver.solve(position, Limits(nodes=whole.nodes // 10), lines=True)
        nodes += found.nodes
        known = {line.move for line in found.lines if line.outcome is not None}
        assert bounds <= known
        bounds = known
        if found.outcome is not None:
            break
    assert found.lines == whole.lines
    assert nodes < 1.5 * whole.nodes


def test_what_was_proved_of_a_position_is_kept() -> None:
    game = plywise.game("connect4")
    solver = Solver(game, dict(IDEAS))
    assert solver.solve(game.start(), Limits(nodes=6000)).outcome is None
    (tasks,) = solver._broken_off.values()
    tasks.low, tasks.high, tasks.move, tasks.done = 3, 3, 0, 1  # as if it had been proved
    found = solver.solve(game.start())
    assert (found.score, found.best, found.nodes) == (3, "1", 0)


def test_stopped_at_once_it_still_has_a_move() -> None:
    expert = fresh_expert()
    stop = Stop()
    stop.set()
    found = expert.search(expert.game.start(), stop=stop, lines=True)
    assert found.best in expert.game.start().legal
    assert found.outcome is None


def test_two_threads_share_the_table() -> None:
    """Words are written whole: whoever reads one gets bounds that hold."""
    game = plywise.game("connect4")

    def wrong(name: str) -> int:
        solver = Solver(game)  # all of them have the one table of this size
        lines = [line.split("\t") for line in (DATA / f"{name}.txt").read_text().splitlines()[:500]]
        positions = [game.position(moves) for moves, _ in lines]
        found = [solver.solve(position).score for position in positions]
        return sum(a != int(b) for a, (_, b) in zip(found, lines, strict=True))

    Solver(game).words[:] = 0
    with ThreadPoolExecutor(3) as threads:
        assert list(threads.map(wrong, ["begin-easy", "middle-easy", "begin-easy"])) == [0, 0, 0]


def line(move: str, value: float, score: float, *known: object) -> Line:
    outcome, plies = known or (None, None)
    return Line(move, value, score, outcome, plies, (move,))  # type: ignore[arg-type]


ALL_LOSE = [
    line("1", -1.0, -9, "loss", 4),
    line("2", -1.0, -4, "loss", 14),
    line("3", -1.0, -6, "loss", 10),
]


@pytest.mark.parametrize(
    ("solved", "best", "outcome", "kind"),
    [
        ([], "2", None, "estimate"),
        ([line("2", -1.0, -4, "loss", 10)], "1", None, "estimate"),  # the favourite loses
        ([line("3", 0.0, 0, "draw", None)], "2", None, "estimate"),
        ([line("3", 1.0, 4, "win", 9)], "3", "win", "points"),  # perhaps another wins sooner
        (ALL_LOSE, "2", "loss", "connect4"),
    ],
)
def test_what_is_exact_replaces_estimates(
    solved: list[Line], best: str, outcome: str | None, kind: str
) -> None:
    guesses = (line("1", 0.1, 9.0), line("2", 0.3, 30.0), line("3", -0.1, -9.0))
    guess = Analysis("2", 0.3, 30.0, pv=("2",), lines=guesses, depth=6)
    position = plywise.game("connect4:rows=6,cols=3").start()
    found = together(position, Analysis("1", 0.0, 0.0, lines=tuple(solved)), guess)
    assert (found.best, found.outcome, found.score_kind) == (best, outcome, kind)
    assert {each.move: each for each in found.lines} == {
        each.move: each for each in [*guesses, *solved]
    }
