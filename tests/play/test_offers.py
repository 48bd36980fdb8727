"""Two people at a session: offers and their answers, names, clocks that wait, and saved games."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Any

import pytest

from plywise.play.records.files import SaveError
from plywise.play.records.game_record import (
    AGREED,
    MAX_NAME,
    GameRecord,
    Offer,
    Result,
    TimeControl,
    name_of,
)
from plywise.play.records.saves import from_json, from_text, to_json, to_text
from plywise.play.session import Session, SessionError

TWO = GameRecord("tictactoe", ("human", "human"))

Start = Callable[..., Session]


@pytest.fixture
def start() -> Iterator[Start]:
    opened: list[Session] = []

    def make(record: GameRecord = TWO, moves: str = "", **more: Any) -> Session:
        opened.append(Session(record, **more))
        for move in moves.split():
            opened[-1].play(move)
        return opened[-1]

    yield make
    for each in opened:
        each.close()


def texts(one: Session) -> list[str]:
    return [move.text for move in one.record.moves]


# ---- draws -------------------------------------------------------------------------------------


@pytest.mark.parametrize("game", ["tictactoe", "connect4", "align", "snails", "andantino"])
def test_a_draw_is_agreed_in_every_game(start: Start, game: str) -> None:
    one = start(replace(TWO, game=game))
    one.play(one.position.legal[0])
    assert not one.offer(1, "draw")
    assert one.record.offer == Offer("draw", 1)
    assert one.result is None
    one.answer(2, True)
    assert one.result == AGREED
    assert str(one.result) == "draw, agreed: the players agreed on a draw"
    assert one.record.offer is None
    assert from_text(to_text(one.record)) == one.record
    with pytest.raises(SessionError, match="the game is over: draw, agreed"):
        one.play(one.position.legal[0])


def test_two_who_offer_the_same_agree(start: Start) -> None:
    one = start(moves="a1")
    one.offer(2, "draw")
    assert one.offer(1, "draw")
    assert one.result == AGREED


def test_an_offer_is_declined_once_and_a_move_withdraws_it(start: Start) -> None:
    one = start(moves="a1")
    one.offer(1, "draw")
    with pytest.raises(SessionError, match="it is offered already"):
        one.offer(1, "draw")
    one.answer(2, False)
    assert one.record.offer == Offer("draw", 1, declined=True)
    with pytest.raises(SessionError, match="you cannot offer a draw now: it was declined"):
        one.offer(1, "draw")
    for accept in (True, False):
        with pytest.raises(SessionError, match="there is no offer to answer"):
            one.answer(2, accept)
    one.play("b2")
    assert one.record.offer is None
    one.offer(1, "draw")
    one.play("c1")  # whoever moves
    assert one.record.offer is None
    one.offer(2, "draw")
    with pytest.raises(SessionError, match="there is no offer to answer"):
        one.answer(2, True)  # nobody accepts their own offer
    one.answer(2, False)  # but they can take it back
    assert one.record.offer is None


# ---- takebacks ---------------------------------------------------------------------------------


@pytest.mark.parametrize(("by", "left"), [(1, ["a1", "b2"]), (2, ["a1"])])
def test_a_takeback_goes_back_to_before_ones_own_move(
    start: Start, by: int, left: list[str]
) -> None:
    one = start(moves="a1 b2 c3")
    one.offer(by, "takeback")
    assert len(texts(one)) == 3
    one.answer(3 - by, True)
    assert texts(one) == left
    assert one.record.offer is None
    assert one.position.mover == by


def test_there_is_nothing_to_take_back_before_the_first_move(start: Start) -> None:
    one = start(moves="a1")
    with pytest.raises(SessionError, match="there is nothing to take back"):
        one.offer(2, "takeback")
    one.resign(1)
    with pytest.raises(SessionError, match="the game is over"):
        one.offer(1, "takeback")


def test_a_rematch_is_offered_only_after_the_end(start: Start) -> None:
    one = start(moves="a1")
    with pytest.raises(SessionError, match="the game is not over yet"):
        one.offer(1, "rematch")
    one.resign(1)
    assert not one.offer(1, "rematch")
    assert one.offer(2, "rematch")
    assert one.result == Result(2, "resigned", "player 1 resigned")


def test_an_engine_is_offered_nothing(start: Start) -> None:
    one = start(replace(TWO, players=("human", "random")), moves="a1")
    with pytest.raises(SessionError, match="there is nobody to make an offer to"):
        one.offer(1, "draw")


def test_what_cannot_be_stored_is_not_offered(start: Start) -> None:
    def fail(record: GameRecord) -> None:
        raise OSError("the disk is full")

    one = start(moves="a1")
    one.keep = fail
    for work in (lambda: one.offer(1, "draw"), lambda: one.rename(1, "Ann")):
        with pytest.raises(OSError, match="full"):
            work()
    assert (one.record.offer, one.record.names) == (None, ("", ""))


# ---- clocks ------------------------------------------------------------------------------------


def test_a_clock_waits_for_the_second_player(start: Start) -> None:
    now = 0.0
    record = replace(TWO, time=TimeControl.parse("60 + 0"))
    one = start(record, now=lambda: now, waiting=True)
    one.play("a1")
    now = 1000.0
    assert one.clocks == (60, 60)
    assert not one.flag()
    one.all_here()
    now = 1010.0
    assert one.clocks == (60, 50)
    one.all_here()  # a second time starts nothing again
    assert one.clocks == (60, 50)
    now = 1061.0
    assert one.flag()


# ---- names -------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("  Ann \n Lee ", "Ann Lee"),
        ("<b>Bob</b>", "<b>Bob</b>"),  # the page writes it as text
        ("x\u202ey\u200bz\ufeff\x07", "xyz"),
        ("e\u0301", "\u00e9"),
        ("\ud800", "\N{REPLACEMENT CHARACTER}"),
        ("n" * MAX_NAME, "n" * MAX_NAME),
    ],
)
def test_a_name_is_one_short_line(start: Start, text: str, name: str) -> None:
    assert name_of(text) == name
    one = start()
    one.rename(2, text)
    assert one.record.names == ("", name)
    assert from_text(to_text(one.record)) == one.record
    assert from_json(to_json(one.record)) == one.record


def test_a_name_that_is_too_long(start: Start) -> None:
    with pytest.raises(ValueError, match="a name can have at most 24 characters"):
        start().rename(1, "n" * (MAX_NAME + 1))


# ---- files -------------------------------------------------------------------------------------


@pytest.mark.parametrize("text", ["draw, player 1", "takeback, player 2, declined"])
def test_an_offer_is_saved(text: str) -> None:
    record = from_text(to_text(replace(TWO, offer=Offer.parse(text))))
    assert str(record.offer) == text
    assert from_json(to_json(record)) == record


@pytest.mark.parametrize(
    ("record", "complaint"),
    [
        (replace(TWO, offer=Offer("rematch", 1)), "a rematch cannot be offered while"),
        (replace(TWO, offer=Offer("draw", 1), result=AGREED), "a draw cannot be offered while"),
        (replace(TWO, players=("human", "random"), offer=Offer("draw", 1)), "needs two people"),
        (replace(TWO, result=Result(1, "agreed", "so")), "players can only agree on a draw"),
        (replace(TWO, names=("n" * 25, "")), "at most 24 characters"),
    ],
)
def test_a_file_that_cannot_be(record: GameRecord, complaint: str) -> None:
    with pytest.raises(SaveError, match=complaint):
        from_text(to_text(record))
    with pytest.raises(SaveError, match=complaint):
        from_json(to_json(record))


def test_plain_data_with_wrong_names() -> None:
    for names in (["Ann"], [1, 2], "Ann"):
        with pytest.raises(SaveError, match="name"):
            from_json({**to_json(TWO), "names": names})
    with pytest.raises(SaveError, match="is not an offer"):
        from_json({**to_json(TWO), "offer": "a house, player 1"})
