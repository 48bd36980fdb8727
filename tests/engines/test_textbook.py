"""Textbook searches against plain recursion and each other; their trees; the reports' agents."""

from __future__ import annotations

import random
import time
from dataclasses import replace

import numpy as np
import pytest

import plywise
from plywise import Limits, Position, Stop
from plywise.core.engine import unguarded
from plywise.core.game import Heuristic
from plywise.engines.driver import NO_LIMITS, Run
from plywise.engines.kernels.textbook import (
    FINISHED,
    HORIZON,
    INNER,
    LIMIT,
    PRUNED,
    Tree,
    meet,
    never,
)
from plywise.engines.textbook import WIN, Result, Textbook, evaluation_view
from tests.awkward.book_tree import book_tree
from tests.awkward.coins import coin_row
from tests.oracle.references import Board, count_threes

#: Small boards of both games, with every heuristic they have.
SMALL = [
    (spec, heuristic)
    for spec in ("tictactoe", "tictactoe:rows=4,k=3", "connect4:rows=4,cols=4", "connect4")
    for heuristic in ("evaluate", "seed")
]


def random_positions(spec: str, count: int, seed: int) -> list[Position]:
    """Positions that are not over, from random games."""
    rng = random.Random(seed)
    found: list[Position] = []
    while len(found) < count:
        position = plywise.game(spec).start()
        for _ in range(rng.randrange(position.game.max_plies)):
            after = position.play_code(rng.choice(position.legal_codes))
            if after.over:
                break
            position = after
        found.append(position)
    return found


def heuristic_of(position: Position, name: str) -> Heuristic:
    if name == "evaluate":
        points = position.game.points
        return Heuristic(evaluation_view(position.game.rules), 100.0 if points else WIN)
    return position.game.heuristic(name)


def plain(position: Position, depth: int, heuristic: Heuristic, player: int, ply: int = 0) -> float:
    """Minimax as one would write it on a blackboard."""
    if position.margin is not None:
        margin = position.margin if player == 0 else -position.margin
        if position.game.points:
            return heuristic.win * margin
        return 0.0 if margin == 0 else heuristic.win - ply if margin > 0 else ply - heuristic.win
    if depth == 0:
        return float(heuristic.function(position.game.board, position.state, player))
    values = [
        plain(position.play_code(move), depth - 1, heuristic, player, ply + 1)
        for move in position.legal_codes
    ]
    return max(values) if position.turn == player else min(values)


def value_of(engine: Textbook, position: Position, depth: int) -> Result:
    return engine.run(position, depth, Run(NO_LIMITS))


@pytest.mark.parametrize(("spec", "heuristic"), SMALL)
def test_minimax_is_plain_recursion(spec: str, heuristic: str) -> None:
    engine = Textbook(plywise.game(spec), never, heuristic=heuristic)
    for position in random_positions(spec, 12, seed=1):
        view = heuristic_of(position, heuristic)
        for depth in (1, 2, 3) if len(position.legal_codes) < 8 else (1, 2):
            expected = plain(position, depth, view, position.turn)
            assert value_of(engine, position, depth).value == expected, position


@pytest.mark.slow
@pytest.mark.parametrize("count", [30, pytest.param(150, marks=pytest.mark.long)])
@pytest.mark.parametrize(("spec", "heuristic"), SMALL)
def test_alpha_beta_is_minimax(spec: str, heuristic: str, count: int) -> None:
    game = plywise.game(spec)
    minimax = Textbook(game, never, heuristic=heuristic)
    searches = [
        Textbook(game, meet, heuristic=heuristic, order=order) for order in ("rules", "promise")
    ]
    for position in random_positions(spec, count, seed=2):
        for depth in (1, 2, 3, 4, 5):
            full = value_of(minimax, position, depth)
            for engine in searches:
                result = value_of(engine, position, depth)
                assert result.value == full.value, (position, depth)
                assert result.nodes <= full.nodes
                leaf = position
                for move in result.pv:
                    leaf = leaf.play_code(move)
                view = heuristic_of(position, heuristic)
                at_leaf = plain(leaf, 0, view, position.turn, len(result.pv))
                assert at_leaf == result.value, "the principal variation leads to the value"
                if engine is searches[0]:
                    assert result.pv == full.pv, "the first of equals, in the same order"


def check_tree(tree: Tree, pruning: bool, rng: random.Random) -> None:
    """Values come from the children, windows from above and from earlier siblings."""
    nodes = tree.nodes
    assert tree.complete
    assert (nodes["parent"][0], nodes["alpha"][0], nodes["beta"][0]) == (-1, -LIMIT, LIMIT)
    children: list[list[int]] = [[] for _ in nodes]
    for number, node in enumerate(nodes[1:], start=1):
        assert node["parent"] < number
        assert nodes[node["parent"]]["state"] == INNER
        children[node["parent"]].append(number)
    arbitrary = nodes["value"].copy()  # the same tree with anything in the pruned places
    for number in reversed(range(len(nodes))):
        node = nodes[number]
        if node["state"] == PRUNED:
            assert pruning
            arbitrary[number] = rng.uniform(-LIMIT, LIMIT)
        if node["state"] != INNER:
            assert children[number] == []
            continue
        best = max if node["maximizes"] else min
        searched = [child for child in children[number] if nodes[child]["state"] != PRUNED]
        assert searched == children[number][: len(searched)], "pruned ones come last"
        alpha, beta, seen = node["alpha"], node["beta"], []
        for child in searched:
            assert (nodes[child]["alpha"], nodes[child]["beta"]) == (alpha, beta)
            assert alpha < beta or not pruning
            seen.append(nodes[child]["value"])
            alpha = max(alpha, *seen, alpha) if node["maximizes"] else alpha
            beta = beta if node["maximizes"] else min(beta, *seen, beta)
        assert node["value"] == best(seen)
        if len(searched) < len(children[number]):
            assert alpha >= beta, "pruned without a reason"
        arbitrary[number] = best(arbitrary[child] for child in children[number])
    assert arbitrary[0] == nodes["value"][0], "a pruned branch mattered"


@pytest.mark.parametrize(("spec", "heuristic"), SMALL)
@pytest.mark.parametrize("cut", [meet, never])
def test_recorded_trees(spec: str, heuristic: str, cut: object) -> None:
    game = plywise.game(spec)
    engine = Textbook(game, cut, heuristic=heuristic)  # type: ignore[arg-type]
    rng = random.Random(3)
    for position in random_positions(spec, 8, seed=4):
        for depth in (1, 2, 3):
            result = engine.run(position, depth, Run(NO_LIMITS), record=20_000)
            assert result.tree is not None
            check_tree(result.tree, cut is meet, rng)
            states = result.tree.nodes["state"]
            assert len(states) - (states == PRUNED).sum() == result.nodes
            assert result.complete == (not (states == HORIZON).any())
            assert result.tree.nodes["value"][0] == result.value
            root = result.tree.children(0)
            moves = [int(move) for move in result.tree.nodes["move"][root]]
            assert moves == list(position.legal_codes)


def test_a_tree_too_large_for_its_room() -> None:
    position = plywise.game("tictactoe").start()
    analysis = plywise.engine("minimax:depth=3", position.game).search(position, record=100)
    assert analysis.nodes == 1 + 9 + 72 + 504
    assert len(analysis.tree.nodes) == 100
    assert not analysis.tree.complete


def test_the_example_of_the_books() -> None:
    """Three choices, three answers each. After the 2, the second choice is worse than the first.

    MAX               3
    MIN       3       2       2
            3 12 8  2 . .  14 5 2
    """
    position = book_tree(3, [3, 12, 8, 2, 4, 6, 14, 5, 2])().start()
    full = plywise.engine("minimax", position.game).search(position, record=50)
    cut = plywise.engine("textbook", position.game).search(position, record=50)
    for analysis in (full, cut):
        assert (analysis.score, analysis.score_kind, analysis.outcome) == (3, "points", "win")
        assert analysis.pv == ("a", "a")
    assert (full.nodes, cut.nodes) == (13, 11)
    nodes = cut.tree.nodes
    _, second, _ = cut.tree.children(0)
    assert [int(nodes[child]["state"]) for child in cut.tree.children(second)] == [
        FINISHED,
        PRUNED,
        PRUNED,
    ]
    values = [float(nodes[child]["value"]) / 100 for child in cut.tree.children(0)]
    assert values == [3, 2, 2]


def test_deep_cuts() -> None:
    """Four plies of two moves: alpha travels down past a MIN node to cut two plies below."""
    leaves = [8, 7, 3, 9, 9, 8, 2, 4, 1, 8, 8, 9, 9, 9, 3, 4]
    position = book_tree(2, leaves)().start()
    engine = plywise.engine("textbook", position.game)
    analysis = engine.search(position, record=64)
    check_tree(analysis.tree, True, random.Random(0))
    view = heuristic_of(position, "evaluate")
    assert analysis.score == plain(position, 4, view, 0) / view.win
    full = plywise.engine("minimax", position.game).search(position)
    assert (full.score, full.pv) == (analysis.score, analysis.pv)
    assert analysis.nodes < full.nodes == 31


def test_the_same_player_may_move_twice() -> None:
    """Signs follow the turn, not the ply."""
    game = coin_row(count=9, seed=5)
    position = game.start()
    engine, minimax = (Textbook(game, cut) for cut in (meet, never))
    rng = random.Random(7)
    while not position.over:
        for depth in range(1, 9):
            expected = plain(position, depth, heuristic_of(position, "evaluate"), position.turn)
            assert value_of(engine, position, depth).value == expected
            assert value_of(minimax, position, depth).value == expected
        position = position.play_code(rng.choice(position.legal_codes))


@pytest.mark.parametrize("spec", ["tictactoe", "connect4"])
def test_lines_score_every_move(spec: str) -> None:
    game = plywise.game(spec)
    engine = Textbook(game, meet, 3)
    for position in random_positions(spec, 10, seed=8):
        analysis = engine.search(position, lines=True)
        assert tuple(line.move for line in analysis.lines) == position.legal
        view = heuristic_of(position, "evaluate")
        for line, move in zip(analysis.lines, position.legal_codes, strict=True):
            expected = plain(position.play_code(move), 2, view, position.turn, ply=1)
            won = abs(expected) > WIN / 2
            assert line.outcome == ("win" if expected > 0 else "loss") if won else True
            assert won or line.outcome == "draw" or line.score == expected
            assert line.pv[0] == line.move
        top = max(line.value for line in analysis.lines)
        assert analysis.value == top
        assert analysis.value == engine.search(position).value


def test_limits_are_kept() -> None:
    position = plywise.game("connect4").start()
    engine = plywise.engine("textbook", position.game)
    depths: list[int] = []
    analysis = engine.search(
        position, Limits(nodes=5_000), on_info=lambda info: depths.append(info.depth)
    )
    assert analysis.nodes <= 5_000
    assert depths == list(range(1, analysis.depth + 1))
    again = engine.search(position, Limits(nodes=5_000))
    assert replace(again, seconds=analysis.seconds) == analysis
    deep = engine.search(position, Limits(depth=3))
    assert deep.depth == 3
    began = time.process_time()
    quick = engine.search(position, Limits(time=0.1))
    assert time.process_time() - began < 1  # of the processor: others may keep it busy
    assert quick.best in position.legal
    assert quick.outcome is None


def test_a_search_stopped_before_it_began_still_moves() -> None:
    position = plywise.game("connect4").start()
    stop = Stop()
    stop.set()
    analysis = plywise.engine("minimax:depth=12", position.game).search(position, stop=stop)
    assert analysis.best in position.legal
    assert analysis.nodes < 1000


# ---- The papers' own agents


@pytest.mark.parametrize(
    ("moves", "value"),
    [
        ("a1 b1 a2 b2", 19),  # a3 wins now
        ("a1 b2 c3 a3", 17),  # c1 stops O and makes two threats: won with the third ply
        ("a1 b1 a2 c3 b2", -18),  # a3 and c2 both threaten: lost in two plies
        ("b2 a1", 0),
        ("", 0),
    ],
)
def test_tictactoe_seed_counts_the_depth(moves: str, value: int) -> None:
    """Win 20, loss -20, less the plies it takes."""
    game = plywise.game("tictactoe")
    position = game.position(moves)
    engine = unguarded(plywise.engine("seed", game))
    assert isinstance(engine, Textbook)
    assert value_of(engine, position, 9).value == value
    analysis = engine.search(position)
    if value:
        assert analysis.plies_to_end == 20 - abs(value)
    else:
        assert analysis.outcome == "draw"


def test_tictactoe_seed_prefers_the_nearer_win_and_the_later_loss() -> None:
    game = plywise.game("tictactoe")
    engine = plywise.engine("seed", game)
    nearer = engine.search(game.position("a1 b1 a2 b2"))
    assert (nearer.best, nearer.plies_to_end) == ("a3", 1)
    # O is lost. Only c3 stops the line at hand; X then makes two threats with a2.
    later = engine.search(game.position("a1 b1 b2"), lines=True)
    assert (later.best, later.outcome, later.plies_to_end) == ("c3", "loss", 4)
    assert {line.plies_to_end for line in later.lines if line.move != "c3"} == {2}


def test_tictactoe_seed_depths() -> None:
    three, four = plywise.game("tictactoe"), plywise.game("tictactoe:rows=4")
    assert plywise.engine("seed", three).search(three.start()).depth == 9
    open_game = plywise.engine("seed", four).search(four.start())
    assert (open_game.depth, open_game.score, open_game.outcome) == (4, 0, None)
    assert plywise.engine("seed:depth=2", four).search(four.start()).depth == 2


@pytest.mark.parametrize(
    "spec", ["connect4", "connect4:rows=4,cols=4", "connect4:rows=5,cols=3", "connect4:rows=3"]
)
def test_connect4_seed_counts_active_threes(spec: str) -> None:
    """Ten for each own active three, less twice ten for each of the other's."""
    game = plywise.game(spec)
    view = game.heuristic("seed")
    for position in random_positions(spec, 120, seed=9):
        board: Board = [list(row) for row in _rows(position)]
        counts = [count_threes(board, mark) for mark in "xo"]
        for player in (0, 1):
            expected = 10 * counts[player] - 20 * counts[1 - player]
            assert view.function(game.board, position.state, player) == expected, position


def _rows(position: Position) -> list[str]:
    """The rows from the bottom, read off the drawing."""
    lines = str(position).lower().splitlines()[:-1]
    return [line.replace(" ", "") for line in reversed(lines)]


@pytest.mark.parametrize(
    ("text", "threes"),
    [
        ("7/7/7/7/7/xxx4 o", (1, 0)),
        ("7/7/7/7/7/1xxx3 o", (2, 0)),
        ("7/7/7/7/7/xx1x3 o", (1, 0)),
        ("7/7/7/7/7/oxxxo2 o", (0, 0)),  # closed at both ends
        ("7/7/7/x6/x2o3/x2o3 o", (1, 0)),
        ("7/7/7/3x3/2xo3/1xoo3 x", (1, 0)),  # a slope, and the floor at its lower end
        ("7/7/7/7/ooo4/xxx4 o", (1, 1)),
    ],
)
def test_connect4_seed_on_drawn_positions(text: str, threes: tuple[int, int]) -> None:
    position = plywise.game("connect4").from_text(text)
    view = position.game.heuristic("seed").function
    first, second = threes
    assert view(position.game.board, position.state, 0) == 10 * first - 20 * second
    assert view(position.game.board, position.state, 1) == 10 * second - 20 * first


def threes_view(position: Position, factor: int) -> Heuristic:
    """The paper's count on the drawing of a position, with any factor."""

    def view(b: object, s: object, player: int) -> float:
        there = Position(position.game, np.array([s], position.game.type.state))
        board: Board = [list(row) for row in _rows(there)]
        mine, theirs = (count_threes(board, mark) for mark in ("xo", "ox")[player])
        return 10.0 * mine - factor * 10.0 * theirs

    return Heuristic(view, 1000.0)


@pytest.mark.parametrize(
    ("level", "options"),
    [
        (1, ""),
        (2, ""),
        (1, ",factor=1"),
        (2, ",factor=1"),
        (1, ",row=no"),
        (1, ",ties=left"),
        (1, ",ties=random"),
        (1, ",factor=1,row=no,ties=left"),
    ],
)
def test_connect4_seed_plays_as_the_report_says(level: int, options: str) -> None:
    """Every column by plain minimax, half a point for a good row, then the middle; or without."""
    game = plywise.game("connect4:rows=4,cols=5" if level == 2 else "connect4")
    engine = plywise.engine(f"seed:level={level}{options}", game)
    assert engine.name == f"seed:level={level}{options}"
    for position in random_positions(game.spec, 6 if level == 1 else 2, seed=10):
        view = threes_view(position, 1 if "factor=1" in options else 2)
        marks = _rows(position)
        ranks = {}
        for move, text in zip(position.legal_codes, position.legal, strict=True):
            value = plain(position.play_code(move), 2 * level - 1, view, position.turn, ply=1)
            row = 1 + sum(line[move] != "." for line in marks)
            good = row % 2 == 1 if position.turn == 0 else row % 2 == 0
            bonus = 0.5 if good and "row=no" not in options else 0.0
            last = -abs(move - (len(marks[0]) - 1) / 2)
            if "ties" in options:
                last = -move if "left" in options else 0
            ranks[text] = (value + bonus, last)
        best = {text for text, rank in ranks.items() if rank == max(ranks.values())}
        assert engine.search(position).best in best, position


def test_connect4_seed_ties() -> None:
    game = plywise.game("connect4")
    # The empty board: all columns are worth the same, so the middle.
    assert plywise.engine("seed:level=1", game).search(game.start()).best == "4"
    # X took the middle; O likes even rows, so he sits on top of it.
    assert plywise.engine("seed:level=1", game).search(game.position("4")).best == "4"
    # Without a middle column two are equally near: the seed decides.
    even = plywise.game("connect4:cols=6")
    chosen = {
        plywise.engine(f"seed:level=1,seed={seed}", even).search(even.start()).best
        for seed in range(12)
    }
    assert chosen == {"3", "4"}
    # Or the first column, or any.
    assert plywise.engine("seed:level=1,row=no,ties=left", game).search(game.start()).best == "1"
    anywhere = {
        plywise.engine(f"seed:level=1,ties=random,seed={seed}", game).search(game.start()).best
        for seed in range(40)
    }
    assert anywhere == set("1234567")


def test_connect4_seed_searches_from_the_middle_out() -> None:
    game = plywise.game("connect4")
    engine = Textbook(game, meet, 1, heuristic="seed", order="promise")
    result = engine.run(game.start(), 1, Run(NO_LIMITS), record=10)
    assert result.tree is not None
    moves = result.tree.nodes["move"][result.tree.children(0)]
    assert [int(move) + 1 for move in moves] == [4, 3, 5, 2, 6, 1, 7]


def test_connect4_seed_takes_a_win_and_stops_one() -> None:
    game = plywise.game("connect4")
    for level in (1, 2, 3, 4):
        engine = plywise.engine(f"seed:level={level}", game)
        assert engine.search(game.position("112233")).best == "4"
        assert engine.search(game.position("1122337")).best == "4"
        assert engine.name == f"seed:level={level}"
