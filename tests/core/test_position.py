"""The checked door to the rules: what it answers, and what it says when something is wrong."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import plywise
from plywise import (
    AmbiguousMove,
    IllegalMove,
    InvalidMove,
    InvalidPosition,
    Limits,
    MoveError,
    Notation,
    PlywiseError,
    RulesError,
    SpecError,
    Stop,
    rule,
)
from plywise.core.spec import Spec
from tests.awkward.book_tree import book_tree
from tests.awkward.coins import coin_row
from tests.core.refusals import one_line

GAMES = [
    plywise.game(spec)
    for spec in ("tictactoe", "connect4", "connect4:rows=3,cols=16", "tictactoe:rows=19,k=5")
]


def test_a_game_from_start_to_end() -> None:
    game = plywise.game("tictactoe")
    position = game.start()
    assert (position.to_move, position.over, position.winner, position.reason) == (
        1,
        False,
        None,
        None,
    )
    for move in ("b2", "a1", "c3", "a2"):
        position = position.play(move)
    assert position.to_move == 1
    assert not position.over
    won = game.position("a1 b1 a2 b2 a3")
    assert (won.to_move, won.over, won.winner, won.reason) == (None, True, 1, "3 in a line")
    assert won.moves == ("a1", "b1", "a2", "b2", "a3")
    assert won.legal == won.legal_codes == ()
    assert won.margin == 1
    assert won.scores is None
    drawn = game.position("b2 a1 c1 a3 a2 c2 b3 b1 c3")
    assert (drawn.winner, drawn.margin, drawn.reason) == (0, 0, "the board is full")


def test_rules_that_forget_the_end_are_told_so() -> None:
    kind = plywise.game("connect4").type
    endless = replace(kind, rules=replace(kind.rules, over=rule(lambda b, s: False)))
    game = endless(Spec("connect4", {"rows": "4", "cols": "1"}))
    with pytest.raises(
        RulesError, match="connect4 has no moves in a game that is not over"
    ) as told:
        _ = game.position("1111").legal
    one_line(told.value)


def test_playing_leaves_the_position_alone() -> None:
    position = plywise.game("connect4").position("44")
    before = position.states.tobytes()
    for move in position.legal:
        position.play(move)
    assert position.states.tobytes() == before
    assert position.moves == ("4", "4")
    with pytest.raises(ValueError, match="read-only"):
        position.state.mask = np.uint64(0)


def test_a_position_knows_the_one_before() -> None:
    position = plywise.game("connect4").position("445")
    assert position.before is not None
    assert position.before == plywise.game("connect4").position("44")
    assert plywise.game("connect4").start().before is None
    assert plywise.game("connect4").from_text(position.text).before is None


def test_the_board_is_read_only() -> None:
    game = plywise.game("connect4")
    with pytest.raises(ValueError, match="read-only"):
        game.board.rows = 7


def test_equal_positions() -> None:
    game = plywise.game("tictactoe")
    one, two = game.position("a1 b2 c3"), game.position("c3 b2 a1")
    assert one == two
    assert hash(one) == hash(two)
    assert one.moves != two.moves
    assert one != game.position("a1 b2")
    assert one != plywise.game("tictactoe:rows=4").position("a1 b2 c3")
    assert one != "a1"


@pytest.mark.parametrize("game", GAMES, ids=str)
def test_its_repr_gives_it_again(game: plywise.Game) -> None:
    position = game.start()
    for _ in range(3):
        position = position.play(position.legal[1])
    read = game.from_text(position.text)
    for known in (position, read):
        assert eval(repr(known), {"plywise": plywise}) == known
    assert repr(read.play(read.legal[0])).startswith(f"<{game.spec} ")


def test_errors_carry_the_input_and_the_position() -> None:
    position = plywise.game("tictactoe").position("b2")
    for text, kind in (("z9", InvalidMove), ("", InvalidMove), ("b2", IllegalMove)):
        with pytest.raises(kind) as caught:
            position.play(text)
        assert isinstance(caught.value, MoveError)
        assert isinstance(caught.value, ValueError)
        assert caught.value.text == text
        assert caught.value.position is position
        assert len(str(caught.value).splitlines()) == 1


def test_a_game_that_is_over_takes_no_move() -> None:
    won = plywise.game("tictactoe").position("a1 b1 a2 b2 a3")
    with pytest.raises(IllegalMove, match=r"the game is over \(3 in a line\)"):
        won.play("c3")


def test_many_choices_are_shortened() -> None:
    position = plywise.game("tictactoe:rows=19").position("a1")
    with pytest.raises(IllegalMove, match=r"the legal moves are b1 c1 .* \.\.\. s19$"):
        position.play("a1")


def test_a_wrong_move_among_many_says_where() -> None:
    with pytest.raises(InvalidMove) as caught:
        plywise.game("tictactoe").position("a1 b1 xx c1")
    assert caught.value.text == "xx"
    assert caught.value.position is not None
    assert caught.value.position.moves == ("a1", "b1")


def test_a_game_without_texts_of_its_own() -> None:
    """Moves are looked up among the legal ones; the moves so far stand for the position."""
    position = book_tree(2, [1, 2, 3, 4])().start().play(" b ")
    assert position.text == str(position) == "b"
    assert position.game.from_text("b") == position
    with pytest.raises(InvalidMove, match="'c' is not a legal move: the legal moves are a b"):
        position.play("c")
    over = position.play("a")
    assert (over.winner, over.reason) == (1, "the game is over")
    assert coin_row(count=6, seed=1).position("left,right left").moves == ("left", "right", "left")


def test_an_unknown_heuristic() -> None:
    with pytest.raises(PlywiseError, match="tictactoe has no heuristic 'sed': did you mean 'seed'"):
        plywise.game("tictactoe").heuristic("sed")


@given(st.sampled_from(GAMES), st.text() | st.text("0123456789abcs ,", max_size=12))
def test_any_text_is_a_move_or_refused(game: plywise.Game, text: str) -> None:
    start = game.start()
    try:
        position = start.play(text)
    except (InvalidMove, IllegalMove) as error:
        one_line(error)
    else:
        assert position.moves[0] in start.legal


@given(st.sampled_from(GAMES), st.text() | st.text("1234567abc ,", max_size=40))
def test_any_text_is_a_game_so_far_or_refused(game: plywise.Game, text: str) -> None:
    try:
        position = game.position(text)
    except (InvalidMove, IllegalMove, AmbiguousMove) as error:
        one_line(error)
    else:
        assert game.position(game.join_moves(position.moves)) == position


@given(st.sampled_from(GAMES), st.text() | st.text("xo.1234567/ ", max_size=40))
def test_any_text_is_a_position_or_refused(game: plywise.Game, text: str) -> None:
    try:
        position = game.from_text(text)
    except InvalidPosition as error:
        one_line(error)
    else:
        assert game.from_text(position.text) == position


@settings(max_examples=20)
@given(st.sampled_from(GAMES[:3]), st.randoms(use_true_random=False))
def test_positions_and_games_round_trip(game: plywise.Game, rng: object) -> None:
    position = game.start()
    while not position.over:
        assert game.from_text(position.text) == position
        assert game.position(game.join_moves(position.moves)) == position
        position = position.play(rng.choice(position.legal))  # type: ignore[attr-defined]
    assert game.from_text(position.text).winner == position.winner


@pytest.mark.parametrize(
    "wrong",
    [
        *({"time": -1.0}, {"time": math.nan}, {"time": math.inf}, {"time": "1"}, {"time": True}),
        *({"depth": 0}, {"depth": 2.5}, {"depth": 2.0}, {"depth": True}),
        *({"nodes": 0}, {"nodes": 1.5}, {"nodes": True}, {"nodes": 2**70}, {"nodes": "9"}),
    ],
)
def test_limits_refused(wrong: dict[str, Any]) -> None:
    (name,) = wrong
    with pytest.raises(SpecError, match=rf"^{name}=.* is not valid: {name} must be a .*number"):
        Limits(**wrong)


@pytest.mark.parametrize("agent", ["alphabeta", "mcts", "proof", "textbook", "auto"])
def test_the_largest_limits_can_be_searched_with(agent: str) -> None:
    game = plywise.game("tictactoe")
    most = Limits(time=1e9, depth=10**15, nodes=10**15)
    assert plywise.engine(agent, game).search(game.position("a1 b2 a2 c1 c3"), most).best == "a3"


def test_limits() -> None:
    assert not Limits()
    assert Limits(time=0.0)
    assert Limits(time=1, nodes=5) & Limits(depth=3, nodes=4) == Limits(time=1, depth=3, nodes=4)


def test_stop() -> None:
    stop = Stop()
    assert not stop.is_set()
    stop.set()
    assert stop.is_set()


def test_games_are_equal_by_type_and_parameters() -> None:
    one = plywise.game("tictactoe:rows=4")
    assert one == plywise.game("tictactoe:rows=4")
    assert one != plywise.game("tictactoe:rows=5")
    assert one != replace(one.type, title="Another")(Spec("", {"rows": "4"}))
    assert repr(one) == "plywise.game('tictactoe:rows=4')"
    assert plywise.game("tictactoe:rows=3").spec == "tictactoe"


def test_moves_are_read_in_any_case_if_that_is_unambiguous() -> None:
    texts = ("Ab", "aB", "Kc", "kd")
    game = replace(
        plywise.game("tictactoe:rows=1,cols=4,k=4").type,
        notation=Notation(move_text=lambda b, move: texts[move]),
    )(Spec("tictactoe", {"rows": "1", "cols": "4", "k": "4"}))
    start = game.start()
    assert [start.code_of(text) for text in ("Ab", "aB", "kC", "KD")] == [0, 1, 2, 3]
    with pytest.raises(InvalidMove, match="'ab' is not a legal move: the legal moves are Ab aB Kc"):
        start.code_of("ab")
