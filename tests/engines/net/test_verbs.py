"""A net inside the rules: what it says in a search is what the plain formula says."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise

import numpy as np
import pytest

import plywise
from plywise.core.game import Record, Verb
from plywise.core.position import Position
from plywise.engines.alphabeta import AlphaBeta
from plywise.engines.hooks import SearchRules
from plywise.engines.kernels.alphabeta import alphabeta_kernel
from plywise.engines.net import Net
from plywise.engines.net.verbs import SURE, packed
from plywise.engines.net.weights import sight
from plywise.engines.scale import UNIT
from plywise.errors import SpecError, Unsupported
from plywise.jit import kernel, rule
from plywise.kit import Look
from plywise.learn.weights import Weights
from tests.engines.net.nets import (
    GAMES,
    HEX,
    MEASURED,
    output,
    random_line,
    random_net,
    whole_output,
)


@kernel
def replay_kernel(moves: Verb, play: Verb, evaluate: Verb, outlook: Verb) -> Verb:
    """Play moves on one state, and evaluate every position; list the moves of every other one."""

    def replay(board: Record, s: Record, line: Record, out: Record, found: Record) -> None:
        b = board[0]
        for ply in range(line.size):
            if ply % 3 != 1:  # where nobody looks, the sums fall behind
                found[ply, 0] = evaluate(b, s[0])
                found[ply, 1] = outlook(b, s[0])
            if ply % 2 == 0:
                moves(b, s[0], out)
            play(b, s[0], line[ply])

    return replay


#: All games interpreted; in `make test` the compiler has those where the net sees what is playable,
#: where it is a net of points, and where it has measures alone.
NETS = [*((spec, True) for spec in GAMES), (MEASURED, False)]
COMPILED = (("connect4", True), ("examples/othello.py:side=6", True), (MEASURED, False))
SUMS = [
    *(pytest.param(*net, False, id=f"interpreted-{net[0]}-{net[1]}") for net in NETS),
    *(
        pytest.param(
            *net,
            True,
            id=f"compiled-{net[0]}-{net[1]}",
            marks=() if net in COMPILED else pytest.mark.long,
        )
        for net in NETS
    ),
]


@pytest.mark.parametrize(("spec", "patterns", "compiled"), SUMS)
def test_sums_that_follow_the_moves_are_those_of_the_whole_board(
    spec: str, patterns: bool, compiled: bool
) -> None:
    net, _ = random_net(spec, patterns)
    game, stage = net.game, net.stage(net.game.rules)
    make = replay_kernel.build if compiled else replay_kernel.plain
    replay = make(stage.rules)
    for seed in range(20 if compiled else 2):
        line = random_line(game, seed)
        states = stage.lift(line[0].states)
        found = np.zeros((len(line), 2))
        out = np.zeros(game.max_moves, np.int32)
        replay(stage.boards, states, np.array(_codes(line)), out, found)
        for ply, position in enumerate(line):
            if ply % 3 == 1:
                continue
            wanted = whole_output(net, position)
            assert found[ply, 1] == pytest.approx(np.tanh(wanted), abs=1e-9)
            sign = 1 if position.turn == 0 else -1
            assert sign * found[ply, 0] == pytest.approx(_score(net, wanted), abs=1)


@pytest.mark.parametrize("spec", ["connect4", "snails:rows=5,cols=5", "examples/othello.py:side=6"])
def test_a_net_can_be_added_to_the_evaluation_of_the_game(spec: str) -> None:
    alone, _ = random_net(spec)
    net, rules = replace(alone, added=True), alone.game.rules
    stage, own = net.stage(rules), rules.evaluate
    assert own is not None
    assert stage.rules.evaluate is not None
    assert stage.rules.outlook is not None
    for position in random_line(net.game, 3)[::2]:
        sign = 1 if position.turn == 0 else -1
        with np.errstate(over="ignore"):  # compiled words overflow silently
            hand = sign * float(own(net.game.board, position.state.copy()))
            s = stage.lift(position.states)[0]
            seen = sign * float(stage.rules.evaluate(stage.boards[0], s))
            hope = stage.rules.outlook(stage.boards[0], s)
        kind = net.game.type
        if kind.points:
            hand = float(np.arctanh(np.clip(hand / UNIT / kind.points, -SURE, SURE)))
        else:
            hand *= float(np.arctanh(0.5)) / kind.strength.scale
        wanted = whole_output(net, position) + hand
        assert seen == pytest.approx(_score(net, wanted), abs=1)
        assert hope == pytest.approx(np.tanh(wanted), abs=1e-5)


@rule
def weigh(b: Record, s: Record, measures: Record) -> tuple[int, int, int]:
    """Call a place of player 0 a point, and nothing certain."""
    return measures[0], -1, 1


def upright_places(position: Position) -> int:
    """Count the places of player 0's dominoes in the drawing of the board."""
    rows = [line.split()[1:] for line in str(position).splitlines()[:-1]]
    return sum(
        one == two == "."
        for upper, lower in pairwise(rows)
        for one, two in zip(upper, lower, strict=True)
    )


def test_measures_are_weighed_instead_of_taken_twice() -> None:
    alone, _ = random_net(MEASURED, patterns=False)
    net = replace(alone, added=True)
    stage = net.stage(SearchRules.extending(net.game.rules, assess=lambda b, s: 1 / 0, weigh=weigh))
    assert stage.rules.assess is not None
    for position in random_line(net.game, 4)[::3]:
        s = stage.lift(position.states)[0]
        with np.errstate(over="ignore"):
            found, least, most = stage.rules.assess(stage.boards[0], s)
        sign = 1 if position.turn == 0 else -1
        hand = (
            sign * upright_places(position) * float(np.arctanh(0.5)) / net.game.type.strength.scale
        )
        wanted = _score(net, whole_output(net, position) + hand)
        assert (sign * found, least, most) == (pytest.approx(wanted, abs=1), -1, 1)


def test_a_net_with_measures_needs_them() -> None:
    net, _ = random_net(MEASURED)
    with pytest.raises(Unsupported, match="needs `measures`"):
        net.stage(replace(net.game.rules, measures=None))


def test_bounds_stay_when_a_net_is_added() -> None:
    net, _ = random_net("snails:rows=5,cols=5")

    @rule
    def assess(b: Record, s: Record) -> tuple[int, int, int]:
        return 30, -1, 0

    rules = SearchRules.extending(net.game.rules, assess=assess)
    position = net.game.start()
    found = []
    for each in (net, replace(net, added=True)):
        stage = each.stage(rules)
        assert stage.rules.assess is not None
        with np.errstate(over="ignore"):
            found.append(stage.rules.assess(stage.boards[0], stage.lift(position.states)[0]))
    (one, *bounds), (two, *same) = found
    assert bounds == same == [-1, 0]
    assert two - one == pytest.approx(30, abs=1)


def test_there_must_be_an_evaluation_to_add_to() -> None:
    net, _ = random_net("tictactoe")
    bare = replace(net.game.rules, evaluate=None)
    with pytest.raises(Unsupported, match="needs an evaluation of the game's own"):
        replace(net, added=True).stage(bare)


def _score(net: Net, wanted: float) -> float:
    """The score that a search sees, for player 0."""
    kind = net.game.type
    if kind.points:
        return UNIT * kind.points * float(np.tanh(wanted))
    return wanted * kind.strength.scale / float(np.arctanh(0.5))


def test_whole_numbers_are_fine_enough() -> None:
    apart = []
    for spec in GAMES:
        net, weights = random_net(spec)
        for position in random_line(net.game, 1):
            one, two = whole_output(net, position), output(weights, net, position)
            apart.append(abs(np.tanh(one) - np.tanh(two)))
    assert np.mean(apart) < 0.02


def _codes(line: list[plywise.Position]) -> list[int]:
    """The moves of a game, by their numbers."""
    found = []
    for before, after in pairwise(line):
        text = after.moves[-1]
        found.append(before.legal_codes[before.legal.index(text)])
    last = line[-1]
    return [*found, last.legal_codes[0]]


def without_the_compiler(compiled: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    """A search of a few nodes is quicker so: with a net the compiler takes six seconds."""
    if not compiled:
        monkeypatch.setattr(alphabeta_kernel, "build", alphabeta_kernel.plain)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("spec", "compiled"),
    [
        (HEX, True),
        ("connect4:rows=5,cols=5", False),
        pytest.param("connect4:rows=5,cols=5", True, marks=pytest.mark.long),
        ("examples/othello.py:side=6", False),
        pytest.param("examples/othello.py:side=6", True, marks=pytest.mark.long),
    ],
)
def test_alphabeta_with_a_net_finds_what_plain_minimax_finds(
    spec: str, compiled: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    without_the_compiler(compiled, monkeypatch)
    net, _ = random_net(spec)
    rules = SearchRules.extending(
        net.game.rules, forced=None, tactics=None
    )  # these look beyond the depth
    engine = AlphaBeta(net.game, depth=2, net=net, rules=rules)
    stage = net.stage(rules)
    evaluate = stage.rules.evaluate
    assert evaluate is not None

    def minimax(position: plywise.Position, depth: int) -> float:
        if position.over:
            margin = position.margin or 0
            unit = UNIT if position.game.points else 10**6
            return unit * float(margin if position.turn == 0 else -margin)
        if depth == 0:
            s = stage.lift(position.states)[0]
            with np.errstate(over="ignore"):  # compiled words overflow silently
                return float(evaluate(stage.boards[0], s))
        best = -1e9
        for move in position.legal:
            after = position.play(move)
            value = minimax(after, depth - 1)
            best = max(best, value if after.turn == position.turn else -value)
        return best

    checked = 0
    for seed in range(6):
        for position in random_line(net.game, seed)[2:14:4]:
            found = engine.search(position)
            wanted = minimax(position, 2)
            if found.outcome is None and abs(wanted) < 1e5:
                assert found.score == wanted
                checked += 1
    assert checked >= 8


def test_words_hold_four_sums() -> None:
    rows = np.array([[-1, 2, -3, 4], [100, -200, 300, -400]])
    total = sum(int(word) for word in packed(rows, 4)[:, 0]) + 0x8000_8000_8000_8000
    lanes = [(total >> 16 * lane & 0xFFFF) - 0x8000 for lane in range(4)]
    assert lanes == rows.sum(0).tolist()


def test_a_search_has_a_net_or_a_heuristic_but_not_both() -> None:
    net, _ = random_net("tictactoe")
    with pytest.raises(SpecError, match="either a net or a heuristic"):
        AlphaBeta(net.game, net=net, heuristic="none")


@rule
def wild(b: Record, s: Record, out: Record) -> None:
    """Write large numbers once the cell in the middle is taken."""
    for place in range(out.size):
        out[place] = s.marks[place] if s.marks[4] == 0 else 17 * place + 3


@pytest.mark.parametrize("compiled", [False, pytest.param(True, marks=pytest.mark.long)])
def test_contents_that_nobody_expected_do_no_harm(
    compiled: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Compiled code checks no index, so a net must not believe what a rule writes.

    Interpreted, an index that is too large is an error.
    """
    without_the_compiler(compiled, monkeypatch)
    kind = plywise.game("tictactoe").type
    assert isinstance(kind.look, Look)
    game = replace(kind, look=replace(kind.look, contents=wild))()
    inputs = sight(game).inputs
    weights = Weights(inputs, hidden=8, seed=3)
    net = weights.net(game)
    found = AlphaBeta(game, depth=9, net=net).search(game.start())
    assert found.outcome == "draw"
