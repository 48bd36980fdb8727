"""The verbs that only `alphabeta` asks for, each against a search that does without it."""

from __future__ import annotations

from dataclasses import replace

import pytest

import plywise
from plywise import Limits
from plywise.core.game import Record, Verb
from plywise.engines.alphabeta import AlphaBeta
from plywise.engines.driver import NO_LIMITS, Run
from plywise.engines.hooks import SearchRules
from plywise.engines.kernels.alphabeta import alphabeta_kernel
from plywise.engines.kernels.transpositions import NOTHING, find
from plywise.errors import Unsupported
from plywise.games.tictactoe import rules as lines
from plywise.jit import rule
from plywise.jit.bits import spread
from tests.awkward.coins import COINS, coin_row
from tests.awkward.nim import NIM, nim
from tests.oracle.minimax import minimax
from tests.positions import random_positions


@rule
def hopeful(b: Record, s: Record) -> int:
    """An estimate that is always wrong: the side to move is well off."""
    return 50


@rule
def tactics(b: Record, s: Record, out: Record) -> tuple[int, int]:
    """Three or fewer are taken at once; four are lost whatever is done."""
    if s.heap <= 3:
        out[0] = s.heap - 1
        return 1, 1
    if s.heap == 4:
        out[0] = 0
        return -2, 1
    return 0, 0


@rule
def threats(
    b: Record, states: Record, at: int, lists: Record, ranks: Record, depth: int
) -> tuple[int, int, int]:
    """What the theory says, as if seven nodes had been searched for it."""
    heap = states[at].heap
    if heap % 4 == 0:
        return 0, -1, 7
    return 2 * (heap // 4) + 1, heap % 4 - 1, 7


@rule
def slow_threats(
    b: Record, states: Record, at: int, lists: Record, ranks: Record, depth: int
) -> tuple[int, int, int]:
    """A true win, told two plies too long."""
    plies, move, nodes = threats(b, states, at, lists, ranks, depth)
    return (plies + 2 if plies > 0 else 0), move, nodes


@rule
def one_by_one(b: Record, s: Record, out: Record) -> int:
    """Only one move counts."""
    out[0] = 0
    return 1


@rule
def tactics_of_coins(b: Record, s: Record, out: Record) -> tuple[int, int]:
    """Claims a win at once with the last coin."""
    out[0] = 0
    return (1, 1) if s.right - s.left == 1 else (0, 0)


@rule
def null_move(b: Record, s: Record, depth: int) -> bool:
    """Passing: in this game the best there could be, so it proves nothing."""
    s.turn = 1 - s.turn
    return True


@pytest.fixture(
    params=[
        pytest.param(False, id="interpreted"),
        pytest.param(True, id="compiled", marks=pytest.mark.long),
    ]
)
def few_nodes(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """Searches of a few nodes are interpreted: the compiler takes seconds for each set of verbs."""
    if not request.param:
        monkeypatch.setattr(alphabeta_kernel, "build", alphabeta_kernel.plain)


@rule
def assess(b: Record, s: Record) -> tuple[int, int, int]:
    """`evaluate` and `bounds` of Tic-Tac-Toe in one."""
    low, high = lines.bounds(b, s)
    if s.turn == 1:
        low, high = -high, -low
    return lines.evaluate(b, s), low, high


@rule
def reduction(b: Record, s: Record, move: int, tried: int, depth: int) -> int:
    return 2 if tried >= 2 and depth >= 3 else 0


@rule
def skip(b: Record, s: Record, depth: int) -> bool:
    """Leave one's turn out; in Tic-Tac-Toe a stone more is never bad."""
    s.turn = 1 - s.turn
    return True


SPEC = "tictactoe:rows=4,cols=4,k=4"


def test_assess_is_evaluate_and_bounds() -> None:
    game = plywise.game(SPEC)
    plain = AlphaBeta(game)
    at_once = AlphaBeta(game, rules=SearchRules.extending(game.rules, assess=assess))
    for position in random_positions(game, 40, range(3, 11), seed=5):
        for depth in (2, 5):
            a, b = (e.search(position, Limits(depth=depth)) for e in (plain, at_once))
            assert (a.score, a.outcome) == (b.score, b.outcome)


@pytest.mark.usefixtures("few_nodes")
@pytest.mark.parametrize("heap", range(1, 14))
def test_tactics_see_the_end(heap: int) -> None:
    """The same result as without, with its exact length, and in fewer nodes."""
    game = nim(heap)
    plain = AlphaBeta(game, depth=heap)
    seeing = AlphaBeta(game, depth=heap, rules=SearchRules.extending(NIM.rules, tactics=tactics))
    a, b = plain.search(game.start()), seeing.search(game.start())
    assert (a.outcome, a.plies_to_end) == (b.outcome, b.plies_to_end)
    assert a.outcome == ("loss" if heap % 4 == 0 else "win")
    assert b.nodes < a.nodes or heap <= 3


@pytest.mark.usefixtures("few_nodes")
@pytest.mark.parametrize("heap", range(5, 14))
def test_threats_win_at_the_horizon(heap: int) -> None:
    """Two plies are enough, for the child sees it; its work counts as nodes."""
    game = nim(heap)
    engine = AlphaBeta(game, depth=2, rules=SearchRules.extending(NIM.rules, threats=threats))
    found = engine.search(game.start())
    assert found.outcome == ("loss" if heap % 4 == 0 else "win")
    assert found.nodes > 7
    if found.outcome == "win":
        assert found.best == str(heap % 4)


def test_what_a_reduced_search_proves_is_true() -> None:
    """But of lengths it claims none beyond a win in one."""
    game = plywise.game(SPEC)
    plain = AlphaBeta(game, depth=16)
    reduced = AlphaBeta(
        game, depth=16, rules=SearchRules.extending(game.rules, reduction=reduction)
    )
    proofs = 0
    for position in random_positions(game, 30, range(6, 11), seed=6):
        a, b = plain.search(position), reduced.search(position)
        assert a.outcome is not None
        if b.outcome is not None:
            assert a.outcome == b.outcome
            assert b.plies_to_end in (None, 1)
            proofs += 1
    assert proofs > 20


@pytest.mark.parametrize(
    "verb", [{"reduction": reduction}, {"null_move": skip}], ids=["reduction", "null move"]
)
def test_the_search_becomes_smaller(verb: dict[str, Verb]) -> None:
    """Fewer nodes for the same depth, and nothing wrong is proved."""
    game = plywise.game("tictactoe:rows=6,cols=6,k=4")
    plain = AlphaBeta(game, depth=6)
    saving = AlphaBeta(game, depth=6, rules=SearchRules.extending(game.rules, **verb))
    nodes, fewer = 0, 0
    for position in random_positions(game, 20, range(4, 9), seed=7):
        a, b = plain.search(position), saving.search(position)
        nodes, fewer = nodes + a.nodes, fewer + b.nodes
        if b.outcome is not None:
            assert plywise.solve(position, Limits(nodes=500_000)).outcome in (b.outcome, None)
    assert fewer < nodes


def test_a_draw_counts_what_it_is_said_to_count() -> None:
    """Where all is drawn the score is that of the draw, and it is called a draw."""
    game = plywise.game("tictactoe")
    engine = AlphaBeta(game, depth=9)
    engine.draw = -30
    for moves in ("", "b2", "a1 b2"):
        found = engine.search(game.position(moves))
        assert found.outcome == "draw"
        assert found.value == 0


def test_moves_to_avoid_are_not_played() -> None:
    """Not even where one of them is forced. Where every move is to be avoided, it says so."""
    game = plywise.game("connect4")
    engine = AlphaBeta(game, depth=3)
    for position in random_positions(game, 10, range(2, 14), seed=8):
        for move in position.legal_codes:
            others = [other for other in position.legal_codes if other != move]
            assert engine.search(position, avoid=others).best == position.text_of(move)
        with pytest.raises(Unsupported, match="leave at least one"):
            engine.search(position, avoid=position.legal_codes)


def test_points_are_not_counted_in_plies() -> None:
    """A verb that tells when a game is won has no say where points count."""
    rules = SearchRules.extending(COINS.rules, tactics=tactics_of_coins)
    for seed in range(4):
        start = coin_row(8, seed).start()
        found = AlphaBeta(start.game, depth=8, rules=rules).search(start)
        assert found.score == minimax(start).margin


@pytest.mark.usefixtures("few_nodes")
def test_a_win_by_threats_has_no_length() -> None:
    """Threats may take longer than they need to, so the length is not claimed."""
    for heap in (5, 6, 7, 9):
        rules = SearchRules.extending(NIM.rules, threats=slow_threats)
        found = AlphaBeta(nim(heap), depth=2, rules=rules).search(nim(heap).start())
        assert (found.outcome, found.plies_to_end) == ("win", None)
        solved = plywise.solve(nim(heap, replace(NIM, rules=rules)).start())
        assert solved.outcome == "win"
        assert solved.plies_to_end in (None, 2 * (heap // 4) + 1)


def test_a_heuristic_counts_where_there_is_an_assessment() -> None:
    game = plywise.game(SPEC)
    engine = AlphaBeta(
        game, depth=2, heuristic="seed", rules=SearchRules.extending(game.rules, assess=assess)
    )
    plain = AlphaBeta(game, depth=2, heuristic="seed")
    for position in random_positions(game, 10, range(2, 6), seed=9):
        assert engine.search(position).score == plain.search(position).score


def test_what_holds_without_some_moves_is_not_kept() -> None:
    """The search without them is forgotten, though the table is kept from search to search."""
    game = plywise.game("tictactoe")
    position = game.position("a1 c3")
    engine = AlphaBeta(game)
    others = [code for code in position.legal_codes if position.text_of(code) != "a2"]
    engine.search(position, Limits(time=5), avoid=others)
    key = spread(game.rules.key(game.board, position.state))
    assert find(engine.table.words, key, engine.table.era) == NOTHING
    before = game.position("a1")
    assert engine.search(before, Limits(time=5)).outcome == plywise.solve(before).outcome
    assert engine.search(position, Limits(time=5)).outcome == "win"


@pytest.mark.parametrize("length", [12, 20])
def test_null_moves_stay_on_the_stack(length: int) -> None:
    """They are not plies of the game, and forced moves cost no depth: the rows may run out.

    Interpreted, since there an index too large is an error.
    """
    rules = SearchRules.extending(
        NIM.rules, evaluate=hopeful, null_move=null_move, forced=one_by_one
    )
    game = nim(length, replace(NIM, rules=rules))
    engine = AlphaBeta(game)
    engine.look_up = 99
    engine.kernel = alphabeta_kernel.plain(rules)
    found = engine.dive(game.start(), 12, 0, 1, Run(NO_LIMITS), 1_000_000)
    assert found.nodes > length
