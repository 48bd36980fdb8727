"""The expert of Snails: who is where first, bounds that hold, and play as good as minimax."""

from __future__ import annotations

import random
from typing import Any

import numpy as np
import pytest

import plywise
from plywise import Game, Limits, Position
from plywise.core.analysis import Analysis, Stop, outcome_of
from plywise.core.engine import unguarded
from plywise.core.game import Record, Verb
from plywise.engines.eager import Eager
from plywise.errors import Unsupported
from plywise.games.snails.distance import FAR
from plywise.games.snails.expert import Expert
from plywise.games.snails.expert.evaluate import LARGE, SMALL, evaluation_for, weigh
from plywise.games.snails.expert.search import Searcher
from plywise.games.snails.solver import solver
from plywise.jit import kernel, rule
from tests.games.snails.test_distance import breadth_first, grid_of, some_positions
from tests.oracle.minimax import Known, margin_of
from tests.positions import random_positions

SIGN = {"win": 1, "draw": 0, "loss": -1}


@rule
def write_one(cells: Any, out: Record) -> None:
    """Write a set of one word."""
    out[0] = cells


@rule
def write_three(cells: Any, out: Record) -> None:
    """Write a set of three words."""
    for word in range(3):
        out[word] = cells[word]


@kernel
def shares_kernel(turn: Verb, shares: Verb, write: Verb) -> Verb:
    """What both snails reach, and reach first, in many positions."""

    def run(board: Record, states: Record, out: Record) -> None:
        for i in range(states.size):
            mine, theirs = shares(board[0], states[i])
            for index in range(4):
                write(mine[index], out[i, index])
                write(theirs[index], out[i, 4 + index])

    return run


@kernel
def assess_kernel(turn: Verb, assess: Verb) -> Verb:
    """Estimates and bounds of many positions."""

    def run(board: Record, states: Record, out: Record) -> None:
        for i in range(states.size):
            value, low, high = assess(board[0], states[i])
            out[i, 0] = value
            out[i, 1] = low
            out[i, 2] = high

    return run


def expected_shares(position: Position) -> list[int]:
    """By plain breadth-first search; among equals the mover is first."""
    grid = grid_of(position)
    cols = len(grid[0])
    letters = "xo" if position.turn == 0 else "ox"
    known = [breadth_first(grid, letter) for letter in letters]
    sets = [0] * 8
    for row, line in enumerate(grid):
        for col, letter in enumerate(line):
            mine, theirs = (distances.get((row, col), FAR) for distances in known)
            if letter == ".":
                found = [mine < FAR, mine < FAR and mine <= theirs, mine == theirs < FAR]
                found += [mine + 1 == theirs < FAR]
                found += [theirs < FAR, theirs < mine, theirs + 1 == mine < FAR]
                found += [theirs + 2 == mine < FAR]
                for index, there in enumerate(found):
                    sets[index] |= int(there) << row * cols + col
    return sets


def compare_shares(spec: str, count: int, large: bool) -> None:
    game = plywise.game(spec)
    positions = [each for each in some_positions(game, 2 * count, seed=5) if not each.over][:count]
    states = np.concatenate([position.states for position in positions])
    out = np.zeros((len(positions), 8, 3), np.uint64)
    shares, write = (LARGE.shares, write_three) if large else (SMALL.shares, write_one)
    run = shares_kernel.build(game.rules, shares=shares, write=write)
    run(game.boards, states, out)
    for position, words in zip(positions, out, strict=True):
        found = [sum(int(word) << 64 * i for i, word in enumerate(each)) for each in words]
        assert found == expected_shares(position), str(position)


@pytest.mark.parametrize(
    ("spec", "large"),
    [
        ("snails:rows=5,cols=12", False),
        ("snails:rows=5,cols=12", True),
        ("snails:rows=12,cols=12", True),
    ],
)
def test_who_is_where_first(spec: str, large: bool) -> None:
    compare_shares(spec, 60, large)


@pytest.mark.long
@pytest.mark.parametrize(
    ("spec", "count", "large"),
    [
        ("snails", 3000, False),
        ("snails:rows=5,cols=5", 3000, False),
        ("snails:rows=12,cols=5", 1000, False),
        ("snails:rows=7,cols=9", 1000, False),
        ("snails", 1000, True),
        ("snails:rows=12,cols=12", 500, True),
        ("snails:rows=9,cols=8,territory=yes", 500, True),
    ],
)
def test_who_is_where_first_ten_thousand_times(spec: str, count: int, large: bool) -> None:
    compare_shares(spec, count, large)


def assessed(game: Game, positions: list[Position], assess: Verb) -> np.ndarray[Any, Any]:
    out = np.zeros((len(positions), 3), np.int64)
    states = np.concatenate([position.states for position in positions])
    assess_kernel.build(game.rules, assess=assess)(game.boards, states, out)
    return out


@pytest.mark.parametrize("spec", ["snails", "snails:rows=7,cols=9,territory=yes"])
def test_both_evaluations_are_one(spec: str) -> None:
    """On boards of one word, that for three words says the same, compiled or not."""
    game = plywise.game(spec)
    positions = [each for each in some_positions(game, 200, seed=6) if not each.over]
    small = assessed(game, positions, SMALL.assess)
    assert (small == assessed(game, positions, LARGE.assess)).all()
    for position, found in zip(positions[:5], small, strict=False):
        assert SMALL.assess(game.board, position.state) == tuple(found)


@pytest.mark.parametrize("spec", ["snails", "snails:rows=12,cols=12"])
def test_measures_are_counted_on_the_board_and_weighed_as_by_hand(spec: str) -> None:
    game = plywise.game(spec)
    parts = evaluation_for(game)
    for position in some_positions(game, 30, seed=8):
        if position.over:
            continue
        out, b, s = np.zeros(16, np.int64), game.board, position.state
        parts.measures(b, s, out)
        assert tuple(parts.assess(b, s)) == tuple(weigh(b, s, out))
        reached, first, close, ahead = range(4)
        sets = expected_shares(position)
        for player in range(2):
            mine = sets[:4] if player == position.turn else sets[4:]
            theirs = sets[4:] if player == position.turn else sets[:4]
            counts = [mine[reached], mine[first] & theirs[reached], mine[close], mine[ahead]]
            found = [int(number) for number in out[2 + 6 * player :][:5]]
            assert found == [*map(int.bit_count, counts), neighbours(game, mine[first])]
        assert out[0] == position.scores[0] - position.scores[1]
        assert out[1] == sum(line.count(".") for line in grid_of(position))


def neighbours(game: Game, cells: int) -> int:
    """Count the pairs of neighbours in a set."""
    rows, cols = int(game.board.rows), int(game.board.cols)
    inside = {divmod(cell, cols) for cell in range(rows * cols) if cells >> cell & 1}
    return sum(((r + 1, c) in inside) + ((r, c + 1) in inside) for r, c in inside)


def late_positions(spec: str, count: int, seed: int) -> list[Position]:
    """Some way into random games, where the end can be searched."""
    return random_positions(plywise.game(spec), count, range(10, 26), seed)


@pytest.mark.parametrize("assess", [SMALL.assess, LARGE.assess])
def test_bounds_hold(assess: Verb) -> None:
    positions = late_positions("snails:rows=4,cols=4", 60, seed=7)
    game = positions[0].game
    own = solver(game)
    decided = 0
    for position, (_, low, high) in zip(positions, assessed(game, positions, assess), strict=True):
        outcome = own.solve(position).outcome
        assert outcome is not None
        assert low <= SIGN[outcome] <= high, f"{position}\n{position.text}"
        decided += low == high
    assert decided > 5


def check_against_solve(spec: str, count: int, seed: int) -> None:
    """Outcomes are true, and the best move keeps what there is."""
    positions = late_positions(spec, count, seed)
    expert, own = plywise.engine("expert", positions[0].game), solver(positions[0].game)
    known = 0
    for position in positions:
        true = own.solve(position).outcome
        found = expert.search(position, Limits(nodes=100_000), lines=True)
        assert true is not None
        assert [line.move for line in found.lines] == list(position.legal)
        for line in found.lines:
            child = position.play(line.move)
            if line.outcome is None:
                continue
            if child.over:
                reached = child.winner == position.turn + 1
                result = 1 if reached else 0 if child.winner == 0 else -1
            else:
                outcome = own.solve(child).outcome
                assert outcome is not None
                result = SIGN[outcome] if child.turn == position.turn else -SIGN[outcome]
            assert SIGN[line.outcome] == result, f"{position}\n{position.text} {line.move}"
        if found.outcome is not None:
            known += 1
            assert found.outcome == true, f"{position}\n{position.text}"
    assert known > 0.9 * count


def test_the_expert_agrees_with_solve() -> None:
    check_against_solve("snails:rows=4,cols=4", 12, seed=8)


@pytest.mark.slow
@pytest.mark.parametrize("spec", ["snails:rows=4,cols=4", "snails:rows=4,cols=5,territory=yes"])
def test_the_expert_agrees_with_solve_many_times(spec: str) -> None:
    check_against_solve(spec, 60, seed=9)


def test_a_seed_is_a_matter_of_taste() -> None:
    """The same seed plays the same game, another one does not; what is proved stays proved."""
    game = plywise.game("snails:rows=6,cols=6")

    def line(seed: int) -> list[str]:
        expert = plywise.engine(f"expert:seed={seed}", game)
        position = game.start()
        while len(position.moves) < 12:
            position = position.play(expert.search(position, Limits(depth=4)).best or "")
        return list(position.moves)

    assert line(1) == line(1)
    assert len({tuple(line(seed)) for seed in range(6)}) > 2
    assert expert_behind("auto:seed=3", game).name == "expert:seed=3"


def test_auto_is_the_expert() -> None:
    game = plywise.game("snails")
    assert expert_behind("auto:time=0.5", game).name == "expert:time=0.5"
    assert isinstance(unguarded(expert_behind("auto", game)), Expert)


def expert_behind(spec: str, game: plywise.Game) -> plywise.Engine:
    auto = unguarded(plywise.engine(spec, game))
    assert isinstance(auto, Eager)
    return auto.engine


def test_limits_and_the_end() -> None:
    game = plywise.game("snails")
    expert = plywise.engine("expert", game)
    one, two = (expert.search(game.start(), Limits(depth=5)) for _ in range(2))
    assert one.depth == 5
    assert (one.best, one.nodes, one.pv) == (two.best, two.nodes, two.pv)
    assert expert.search(game.start(), Limits(nodes=1000)).nodes <= 1000
    stop = Stop()
    stop.set()
    assert expert.search(game.start(), stop=stop).best in game.start().legal
    small = plywise.game("snails:rows=4,cols=4")
    with pytest.raises(Unsupported, match="the game is over"):
        plywise.engine("expert", small).search(small.from_text("xxxO/xxx1/xxx1/X3 0 x"))


def test_it_says_what_it_thinks_meanwhile() -> None:
    game = plywise.game("snails")
    heard: list[Analysis] = []
    found = plywise.engine("expert", game).search(game.start(), Limits(depth=6), heard.append)
    assert [each.depth for each in heard] == [1, 2, 3, 4, 5, 6]
    assert heard[-1].best == found.best
    assert game.position(list(found.pv))


@pytest.mark.parametrize("spec", ["snails:rows=4,cols=4", "snails:rows=5,cols=5"])
def test_on_the_clock_no_proved_result_is_given_away(spec: str) -> None:
    """Small proofs are made even without any time: what there is to win or to hold is kept."""
    positions = late_positions(spec, 20, seed=10)
    expert, own = plywise.engine("expert", positions[0].game), solver(positions[0].game)
    for position in positions:
        true = own.solve(position).outcome
        found = expert.search(position, Limits(time=0.0))
        child = position.play(found.best or "")
        assert true is not None
        assert found.outcome in (true, None)
        assert true != "win" or found.outcome == "win", f"{position}\n{position.text}"
        if child.over:
            kept = 0 if child.winner == 0 else 1 if child.winner == position.to_move else -1
        else:
            outcome = own.solve(child).outcome
            assert outcome is not None
            kept = SIGN[outcome] if child.turn == position.turn else -SIGN[outcome]
        assert kept == SIGN[true], f"{position}\n{position.text} {found.best}"


def test_a_move_that_is_to_be_avoided_is_not_played() -> None:
    game = plywise.game("snails:rows=5,cols=5")
    searcher = Searcher(game, 1.0)
    for position in random_positions(game, 10, range(4, 14), seed=3):
        every = set(position.legal_codes)
        for move in every:
            avoid = sorted(every - {move})
            found = searcher.search(position, Limits(depth=3), avoid=avoid)
            assert found.best == position.text_of(move)


PARTED = "6oo/o5oo/o5Oo/ooooooox/xxxxxxxx/x4xxx/x4xxx/x3Xxxx 1 x"


def test_a_parted_board_is_filled() -> None:
    """What is announced is what comes, by its own line and move by move."""
    game = plywise.game("snails")
    position = game.from_text(PARTED)
    expert = plywise.engine("expert", game)
    found = expert.search(position, Limits(time=1.0), lines=True)
    assert found.outcome is not None
    assert [line.move for line in found.lines] == list(position.legal)
    after = position
    for move in found.pv:
        after = after.play(move)
    true = {"win": 1, "draw": 0, "loss": 2}[found.outcome]
    assert after.over
    assert after.winner == true
    while not position.over:
        position = position.play(expert.search(position, Limits(time=0.1)).best or "")
    assert position.winner == true


@pytest.mark.slow
def test_a_plan_is_not_continued_without_the_slides_for_it() -> None:
    """The snails come back to the same cells, with fewer plies left before the game ends."""
    game = plywise.game("snails:rows=4,cols=4")
    last = game.position("rllduruurllldlurrldrlldruddurdrdrulrdudududududududu")
    expert = plywise.engine("expert", game)
    known: Known = {}
    for position in last.history[-8:]:
        found = expert.search(position, Limits(nodes=100_000))
        assert found.outcome == outcome_of(margin_of(position, known))
    assert found.outcome == "loss"


def test_a_game_without_memory_growth() -> None:
    """The plans kept are those under way, and the arrays stay as they are."""
    game = plywise.game("snails:rows=5,cols=5")
    expert = unguarded(plywise.engine("expert", game))
    assert isinstance(expert, Expert)
    rng = random.Random(1)
    sizes = set()
    for _ in range(6):
        position = game.start()
        while not position.over:
            if rng.random() < 0.2:
                position = position.play_code(rng.choice(position.legal_codes))
            else:
                best = expert.search(position, Limits(time=0.002)).best
                assert best is not None
                position = position.play(best)
        assert all(len(way) <= 25 * 20 for way in expert.filling.ways)
        sizes.add(expert.estimator.table.words.nbytes)
    assert len(sizes) == 1
