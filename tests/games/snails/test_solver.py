"""The solver of Snails: against plain minimax, against the solver for any game, anywhere."""

from __future__ import annotations

import random

import numpy as np
import pytest

import plywise
from plywise import Limits
from plywise.core.analysis import Analysis, Stop
from plywise.engines.driver import Run
from plywise.engines.solve import GameSolver
from plywise.games.snails.solver import SnailsSolver, solver
from plywise.games.snails.solver.board import (
    Node,
    lead_of,
    reach,
    spread_out,
    write_node,
)
from plywise.games.snails.solver.kernel import solving
from plywise.games.snails.solver.race import race
from plywise.games.snails.solver.table import moving
from tests.oracle.snails import Snails
from tests.oracle.snails_outcomes import Outcomes
from tests.positions import random_positions

SIGNS = {"win": 1, "draw": 0, "loss": -1}


def solver_of(rows: int, cols: int, **options: float) -> SnailsSolver:
    return SnailsSolver(plywise.game(f"snails:rows={rows},cols={cols}"), **options)


def random_position(rng: random.Random, rows: int, cols: int, empty: int) -> Snails:
    """A position of a random game with at most so many empty cells, at any count of quiet plies.

    Some games slide a lot, so that the quiet plies matter.
    """
    while True:
        game, claims = Snails(rows, cols), rng.choice((0.3, 0.8, 1.0))
        while not game.over():
            few = len(game.empty()) <= empty
            if few and rng.random() < 0.2:
                return game
            after = [game.play(move) for move in game.legal()]
            claiming = [each for each in after if each.quiet == 0]
            if claiming and (not few or rng.random() < claims):
                after = claiming
            game = rng.choice(after)


def check(own: SnailsSolver, outcomes: Outcomes, plain: Snails) -> None:
    """The outcome is the oracle's, and the move keeps it."""
    sign = 1 if plain.mover == "x" else -1
    found = own.solve(own.game.from_text(plain.text()))
    assert found.outcome is not None
    assert found.best is not None
    assert SIGNS[found.outcome] == sign * outcomes.of(plain), plain.text()
    assert outcomes.of(plain.play(found.best)) == outcomes.of(plain), plain.text()


# ---- plain minimax ---------------------------------------------------------------------------


def test_the_oracle_knows_the_rules() -> None:
    rng = random.Random(2)
    for rows, cols in ((4, 4), (4, 5), (6, 4)) * 10:
        game, outcomes = Snails(rows, cols), Outcomes(rows, cols)
        while not game.over():
            after = [game.play(move) for move in game.legal()]
            assert outcomes.children(outcomes.place(game)) == [outcomes.place(x) for x in after]
            game = rng.choice(after)
            assert outcomes.over(outcomes.place(game)) == game.over()


@pytest.mark.slow
@pytest.mark.parametrize(
    ("rows", "cols", "empty", "count"),
    [(4, 4, 4, 40), (4, 5, 3, 40), (5, 4, 3, 40), (5, 5, 3, 40), (8, 8, 2, 5)],
)
def test_plain_minimax_agrees(rows: int, cols: int, empty: int, count: int) -> None:
    rng, outcomes, own = random.Random(5), Outcomes(rows, cols), solver_of(rows, cols)
    for _ in range(count):
        check(own, outcomes, random_position(rng, rows, cols, empty))


@pytest.mark.long
@pytest.mark.parametrize(
    ("rows", "cols", "empty", "count"),
    [(4, 4, 5, 800), (4, 5, 4, 200), (5, 4, 4, 200), (5, 5, 4, 150), (8, 8, 3, 40)],
)
def test_plain_minimax_agrees_on_thousands(rows: int, cols: int, empty: int, count: int) -> None:
    rng, outcomes, own = random.Random(cols), Outcomes(rows, cols), solver_of(rows, cols)
    for _ in range(count):
        check(own, outcomes, random_position(rng, rows, cols, empty))


@pytest.mark.slow
def test_a_longer_clock_never_hurts_the_chaser() -> None:
    """What the table is built on, see solver/kernel.py: with every count of quiet plies."""
    rng, outcomes, own = random.Random(8), Outcomes(4, 4), solver_of(4, 4)
    changes = 0
    for _ in range(25):
        plain = random_position(rng, 4, 4, 4)
        lead = plain.score("x") - plain.score("o")
        found = []
        for plain.quiet in range(20):
            check(own, outcomes, plain)
            found.append(outcomes.of(plain))
        for goal in (0, 1):
            chaser_fails = [(result >= goal) == (lead >= goal) for result in found]
            assert chaser_fails == sorted(chaser_fails)
        changes += len(set(found)) > 1
    assert changes > 0  # there are positions where the clock decides


def test_a_race_is_never_more_than_there_is() -> None:
    rng, outcomes, own = random.Random(3), Outcomes(4, 5), solver_of(4, 5)
    decided = 0
    for _ in range(60):
        plain = random_position(rng, 4, 5, 3)
        plain.quiet = rng.choice((0, plain.quiet, 18, 19))
        node = np.zeros(1, Node).view(np.recarray)[0]
        write_node(own.tables, own.game.from_text(plain.text()).state, node)
        for player in range(2):
            spread_out(own.tables, node, player)
        for player in range(2):
            won, needs = race(own.tables, node, player)
            if int(won) == 0:
                continue
            assert needs <= node.clock
            other = 1 - player
            rest = reach(own.tables, node.own[other], node.free & ~won, node.at[other])
            sure = int(won).bit_count() - int(rest).bit_count() + lead_of(node) * (1, -1)[player]
            if sure >= 0:
                decided += 1
                assert outcomes.of(plain) * (1, -1)[player] >= min(sure, 1), plain.text()
    assert decided > 10


# ---- the solver for any game -----------------------------------------------------------------


@pytest.mark.slow
@pytest.mark.parametrize(
    ("rows", "cols", "plies", "count"),
    [(4, 4, range(24), 200), (4, 5, range(8, 30), 300), (5, 5, range(20, 40), 150)],
)
def test_the_solver_for_any_game_agrees(rows: int, cols: int, plies: range, count: int) -> None:
    own = solver_of(rows, cols)
    other = GameSolver(own.game)
    for position in random_positions(own.game, count, plies, seed=rows + cols):
        found = own.solve(position)
        assert found.outcome == other.solve(position).outcome, position.text
        after = position.play(str(found.best))
        known = after.winner if after.over else None
        if known is None:
            same_side = after.to_move == position.to_move
            sign = SIGNS[str(own.solve(after).outcome)] * (1 if same_side else -1)
        else:
            sign = 0 if known == 0 else 1 if known == position.to_move else -1
        assert sign == SIGNS[str(found.outcome)], position.text


def test_walls() -> None:
    """A set-up may have walls. They turn nothing and mirror nothing, and need their own table."""
    game = plywise.game("snails:rows=4,cols=4")
    own, other = SnailsSolver(game), GameSolver(game)
    for text in (
        "1ooO/#2o/x1#1/Xxx1 0 x",
        "1ooO/3o/x##1/Xxx1 0 o",
        "##oO/2oo/xx1o/Xxxx 0 x",
        "1ooO/2oo/xx1o/Xxxx 0 x",
        "1#1O/1#oo/x1#1/Xx#1 3 o",
    ):
        position = game.from_text(text)
        assert own.solve(position).outcome == other.solve(position).outcome, text


# ---- whole boards ----------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("rows", "cols", "outcome"),
    [
        (4, 4, "draw"),
        (4, 5, "draw"),
        (5, 4, "draw"),
        (4, 6, "draw"),
        (5, 5, "win"),
        (5, 6, "draw"),
        (6, 6, "draw"),
    ],
)
def test_whole_boards(rows: int, cols: int, outcome: str) -> None:
    start = plywise.game(f"snails:rows={rows},cols={cols}").start()
    assert plywise.solve(start).outcome == outcome


@pytest.mark.slow
@pytest.mark.parametrize(("rows", "cols", "outcome"), [(6, 7, "draw"), (7, 7, "win")])
def test_larger_boards(rows: int, cols: int, outcome: str) -> None:
    start = plywise.game(f"snails:rows={rows},cols={cols}").start()
    assert plywise.solve(start).outcome == outcome


def turned(text: str) -> str:
    """A position after half a turn, with the players swapped."""
    board, quiet, mover = text.split()
    swap = str.maketrans("xXoO", "oOxX")
    return f"{board[::-1].translate(swap)} {quiet} {mover.translate(swap)}"


def test_views_have_the_same_outcome_and_share_the_table() -> None:
    own = solver_of(4, 5)
    for position in random_positions(own.game, 40, range(4, 16), seed=4):
        other = own.game.from_text(turned(position.text))
        assert (
            own.solve(position).outcome
            == own.solve(other).outcome
            == (solver_of(4, 5).solve(other).outcome)
        )


def test_a_table_too_small_changes_nothing() -> None:
    own = solver_of(4, 6, memory=0.02)
    assert own.solve(own.game.start()).outcome == "draw"
    assert own.table.nbytes <= 20_000


def test_the_table_grows_and_keeps_what_it_has() -> None:
    own = solver_of(6, 6)
    before = own.table.size
    assert own.solve(own.game.start()).outcome == "draw"
    assert own.table.size > before
    taken = int(np.count_nonzero(own.table.reshape(-1, 4)[:, 0]))
    assert own.filled == taken
    again = own.solve(own.game.start())
    assert (again.outcome, again.nodes) == ("draw", 3)  # nothing but the first moves


def test_interpreted_and_compiled_do_the_same() -> None:
    compiled, plain = solver_of(4, 4), solver_of(4, 4)
    plain.kernel = solving.plain(plain.game.rules)
    plain.move_entries = moving.plain(plain.game.rules)
    for position in random_positions(plain.game, 3, range(6, 14), seed=1):
        found, expected = plain.solve(position), compiled.solve(position)
        assert (found.outcome, found.best, found.nodes) == (
            expected.outcome,
            expected.best,
            expected.nodes,
        )


# ---- limits ----------------------------------------------------------------------------------


def test_limits() -> None:
    own = solver_of(8, 8)
    found = own.solve(own.game.start(), Limits(nodes=5000))
    assert found.outcome is None
    assert found.best == "u"
    assert 5000 <= found.nodes < 5010
    assert own.solve(own.game.start(), Limits(time=0.05)).outcome is None


def test_who_wins() -> None:
    """One question at a time, for either player, whoever is to move."""
    own = solver_of(4, 5)
    for position in random_positions(own.game, 30, range(4, 16), seed=6):
        outcome = SIGNS[str(own.solve(position).outcome)]
        run = Run(Limits())
        assert own.wins(position, position.turn, run)[0] is (outcome > 0)
        assert own.wins(position, 1 - position.turn, run)[0] is (outcome < 0)
    over = own.game.from_text("xxOoo/xxooo/xxooo/xXooo 0 x")
    assert [own.wins(over, player, Run(Limits()))[0] for player in range(2)] == [False, True]
    large = solver_of(8, 8, memory=1.0, grown=True)
    assert large.wins(large.game.start(), 0, Run(Limits(time=0.02)))[0] is None
    assert large.table.nbytes <= 1_000_000


def test_stop_and_progress() -> None:
    own, stop, heard = solver_of(8, 8), Stop(), list[Analysis]()

    def listen(analysis: Analysis) -> None:
        heard.append(analysis)
        if len(heard) == 2:
            stop.set()

    found = own.solve(own.game.start(), on_info=listen, stop=stop)
    assert found.outcome is None
    assert heard[0].nodes < heard[1].nodes
    assert heard[2:] == [found]
    assert found.nodes == heard[1].nodes


def test_a_finished_game() -> None:
    own = solver_of(4, 4)
    over = own.game.from_text("xxOo/xxoo/xxoo/xXoo 0 x")
    assert over.over
    found = own.solve(over)
    assert found.best is None
    assert found.outcome == "draw"


def test_what_it_is_not_for_goes_to_the_solver_for_any_game() -> None:
    assert isinstance(solver(plywise.game("snails:rows=4,cols=4,territory=yes")), GameSolver)
    assert isinstance(solver(plywise.game("snails:rows=8,cols=9")), GameSolver)
    assert isinstance(solver(plywise.game("snails")), SnailsSolver)
