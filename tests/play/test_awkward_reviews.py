"""Hints and reviews in every awkward game, held against plain minimax.

The engine behind them is an oracle that knows the truth, all of it or a share. So what is wrong
here is the fault of what is said about a search, and not of the search.
"""

from __future__ import annotations

import random
import re
from functools import partial

import pytest

import plywise
from plywise import Game, Position
from plywise.core.analysis import outcome_of
from plywise.engines.scale import UNIT
from plywise.play.hints import Hint, hint
from plywise.play.review import Judged, Review, review
from tests.awkward import LIST, SHIPPED
from tests.oracle.engine import Oracle
from tests.oracle.minimax import Known, margin_of, margins, sign
from tests.positions import endings

GAMES = [
    *(pytest.param(each.make, each.most, id=each.name) for each in LIST),
    *(pytest.param(partial(plywise.game, spec), most, id=spec) for spec, most in SHIPPED.items()),
]
every_game = pytest.mark.parametrize(("make", "most"), GAMES)
#: How much of the truth the engine knows: all, so little that few positions are proved, or nothing.
SHARES = (1.0, 0.7, 0.0)


def afresh(position: Position) -> Position:
    """The same position as the first of a game."""
    return Position(position.game, position.states.copy(), origin="late")


def late_games(game: Game, most: int, count: int = 2) -> list[tuple[Position, Known]]:
    """Ends of random games that begin where the truth about everything is known."""
    rng, found = random.Random(1), []
    for position, known in endings(game, count, 1, most, share=0.0):
        position = afresh(min(_ongoing(known), key=lambda each: len(each.moves)))
        while not position.over:
            position = position.play(rng.choice(position.legal))
        found.append((position, known))
    return found


def _ongoing(known: Known) -> list[Position]:
    return [position for position in known if not position.over]


@pytest.mark.parametrize("share", SHARES)
@every_game
def test_what_a_review_says_is_true(make, most: int, share: float) -> None:  # type: ignore[no-untyped-def]
    for seed, (end, known) in enumerate(late_games(make(), min(most, 100))):
        found = review(end, Oracle(known, share, seed))
        assert [move.move for move in found.moves] == list(end.moves)
        for before, move in zip(end.history, found.moves, strict=False):
            check_claims(before, move, known)
            if share == 1.0:
                check_losses(before, move, known)
        check_values(end, found, known, whole=share == 1.0)


@every_game
def test_the_end_of_a_game_settles_what_the_engine_left_open(make, most: int) -> None:  # type: ignore[no-untyped-def]
    """It knows nothing about the moves that were played, but the result, carried back, does."""
    for end, known in late_games(make(), min(most, 100)):
        hidden = set(zip(end.history, end.moves, strict=False))
        found = review(end, Oracle(known, hidden=hidden))
        for before, move in zip(end.history, found.moves, strict=False):
            check_claims(before, move, known)
            check_losses(before, move, known)
        check_values(end, found, known, whole=True)


def check_claims(before: Position, move: Judged, known: Known) -> None:
    """Whatever is said to be proved is true."""
    each = margins(before, known)
    where = f"{before!r} {each} {move}"
    assert move.player == before.to_move, where
    assert move.played.outcome in (None, outcome_of(each[move.move])), where
    assert move.best.outcome in (None, outcome_of(each[move.best.move])), where
    for line in (move.played, move.best):
        if line.outcome is not None:
            assert line.value == sign(each[line.move]), where
        if line.margin is not None and before.game.points:
            assert line.margin == each[line.move], where
    assert 0 <= move.loss <= move.stake <= 2, where


def check_losses(before: Position, move: Judged, known: Known) -> None:
    """An engine that knows everything leaves nothing open."""
    best, each = margin_of(before, known), margins(before, known)
    scale = before.game.type.strength.scale

    def loss(margin: int) -> float:
        points = (best - margin) * UNIT / (2 * scale) if before.game.points else 0.0
        return min(2.0, max(sign(best) - sign(margin), points))

    where = f"{before!r} {each} {move}"
    assert move.played.outcome == outcome_of(each[move.move]), where
    assert move.best.outcome == outcome_of(best), where
    assert move.loss == pytest.approx(loss(each[move.move])), where
    assert move.stake == pytest.approx(loss(min(each.values()))), where


def check_values(end: Position, found: Review, known: Known, whole: bool) -> None:
    """The curve is that of player 1, and only what is proved is at its very ends."""
    for position, value in zip(end.history, found.values, strict=True):
        truth = sign(known[position].margin)
        if whole or abs(value) == 1.0:
            assert value == truth, position
    assert found.values[-1] == sign(end.margin or 0)


@pytest.mark.parametrize("share", SHARES)
@every_game
def test_what_a_hint_says_is_true(make, most: int, share: float) -> None:  # type: ignore[no-untyped-def]
    for seed, (position, known) in enumerate(endings(make(), 8, 2, min(most, 60))):
        found = hint(position, engine=Oracle(known, share, seed))
        each = margins(position, known)
        check_words(position, found, each)
        if share == 1.0:
            best = max(each.values())
            assert sign(each[found.move]) == sign(best), position
            if position.game.points:
                assert each[found.move] == best, position


def check_words(position: Position, found: Hint, each: dict[str, int]) -> None:
    """What is said about the move and the others is so."""
    own = each[found.move]
    others = [margin for move, margin in each.items() if move != found.move]
    where = f"{position!r} {each} {found}"
    for text in found.why:
        if points := re.fullmatch(r"wins by (\d+) points? against best play", text):
            assert own == int(points[1]), where
        if text.startswith("wins by force"):
            assert own > 0, where
        if text == "draws against best play":
            assert own == 0, where
        if text == "the only legal move":
            assert others == [], where
        if text == "the only move that does not lose":
            assert own >= 0 > max(others), where
        if text == "the only move that wins":
            assert own > 0 >= max(others), where
        if text.startswith(("every move loses", "loses against best play")):
            assert own < 0, where
        if text.startswith("every"):
            assert max(others) < 0, where
        if points := re.fullmatch(r"every move loses, this one by only (\d+) points?", text):
            assert max(others) <= own == -int(points[1]), where
