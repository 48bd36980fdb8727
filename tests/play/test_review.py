"""Reviews: grades by loss of value, proofs that overrule estimates, sums that add up."""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from contextlib import nullcontext

import pytest

import plywise
from plywise import Analysis, Limits, Line, Position, SpecError, Unsupported
from plywise.core.analysis import Outcome
from plywise.play import review as reviews
from plywise.play.hints import WORDS
from plywise.play.review import WORST, Grade, Review, grade_of, review
from tests.awkward.coins import coin_row
from tests.oracle.minimax import minimax

TICTACTOE = plywise.game("tictactoe")
WHOLE = Limits(depth=9)  #: it has no more plies


def reviewed(moves: str) -> Review:
    return review(TICTACTOE.position(moves), plywise.engine("auto", TICTACTOE), WHOLE)


class Scripted:
    """An engine that thinks what it is told, by the moves so far: (value, outcome, reply)."""

    name = "scripted"

    def __init__(self, thoughts: Mapping[str, Mapping[str, tuple[float, Outcome | None, str]]]):
        self.thoughts = thoughts

    def search(self, position: Position, *_: object, lines: bool = False, **__: object) -> Analysis:
        known = self.thoughts.get(" ".join(position.moves), {})
        every = []
        for move in position.legal:
            value, outcome, reply = known.get(move, (0.0, None, ""))
            pv = (move, reply) if reply else (move,)
            every.append(Line(move, value, value, outcome, None, pv))
        return Analysis(position.legal[0], 0.0, 0.0, lines=tuple(every) if lines else ())


def judged(engine: Scripted, moves: str) -> Sequence[tuple[Grade, float, float]]:
    found = review(TICTACTOE.position(moves), engine).moves
    return [(move.grade, move.best.value, move.played.value) for move in found]


@pytest.mark.parametrize("grade", Grade)
def test_thresholds(grade: Grade) -> None:
    assert grade_of(WORST[grade]) is grade
    if grade is not Grade.BLUNDER:
        assert grade_of(WORST[grade] + 1e-9) is not grade


def test_a_game_with_three_blunders() -> None:
    found = reviewed("b2 a2 a1 c3 a3 c1 b3")
    best, blunder = Grade.BEST, Grade.BLUNDER
    grades = [move.grade for move in found.moves]
    assert grades == [best, blunder, best, best, blunder, best, blunder]
    assert found.values == (0, 0, 1, 1, 1, 0, 0, -1)
    assert [move.comment.partition(";")[0] for move in found.moves] == [
        "keeps eight ways to win",
        "gives away the draw",
        "threatens a three on the diagonal a1-c3: the opponent must answer at c3",
        "blocks a three on the diagonal a1-c3",
        "gives away the win",
        "blocks a three on the diagonal a3-c1",
        "lets the opponent win at once",
    ]
    assert found.moves[-1].comment.endswith("; c2 was better: blocks a three on column c")
    assert all(len(move.comment.split()) <= WORDS for move in found.moves)
    one, two = found.summaries
    assert (one.moves, one.counts[best], one.counts[blunder]) == (4, 2, 2)
    # What the worst moves would have cost: every first move draws, and who has lost loses nothing.
    assert [move.stake for move in found.moves] == [0, 1, 1, 0, 1, 1, 1]
    assert one.accuracy == pytest.approx(1 - (0 + 0 + 1 + 1) / (0 + 1 + 1 + 1))
    assert two.accuracy == pytest.approx(1 - (1 + 0 + 0) / (1 + 0 + 1))


def test_the_last_move_counts_by_the_result() -> None:
    found = reviewed("a1 b1 a2 b2 a3")
    assert found.values[-1] == 1
    assert found.moves[-1].grade is Grade.BEST
    assert found.moves[-1].comment == "wins at once, with three on column a"


def test_a_slower_win_is_best_too() -> None:
    found = reviewed("a1 b1 a2 b2 c2 c1 a3").moves[4]  # a3 was on the board
    assert found.best.move == "a3"
    assert found.grade is not Grade.BEST or "was quicker" in found.comment


def test_a_proof_overrules_the_estimate_before_it() -> None:
    hopeful = Scripted({"": {"a1": (0.5, None, "")}, "a1": {"b2": (1.0, "win", "")}})
    (grade, best, played), *_ = judged(hopeful, "a1")
    assert (grade, best, played) == (Grade.BLUNDER, 0.0, -1.0)


def test_a_proof_overrules_the_estimate_after_it() -> None:
    knowing = Scripted(
        {"": {"a1": (-1.0, "loss", "b2")}, "a1": {"c3": (0.9, None, ""), "b2": (-0.5, None, "")}}
    )
    _, (grade, best, played) = judged(knowing, "a1 c3")
    assert (best, played) == (1.0, 0.9)
    assert grade is Grade.GOOD
    lost = Scripted({"": {"a1": (1.0, "win", "")}, "a1": {"c3": (0.9, None, "")}})
    assert judged(lost, "a1 c3")[1] == (Grade.BEST, -1.0, -1.0)


def test_equal_proofs_are_best() -> None:
    drawn = Scripted({"": dict.fromkeys(TICTACTOE.start().legal, (0.0, "draw", ""))})
    assert judged(drawn, "c2")[0] == (Grade.BEST, 0.0, 0.0)


def test_random_games_against_the_solver() -> None:
    rng, rank = random.Random(3), {"win": 1, "draw": 0, "loss": -1}
    for _ in range(6):
        position = TICTACTOE.start()
        while not position.over:
            position = position.play(rng.choice(position.legal))
        found = review(position, plywise.engine("auto", TICTACTOE), WHOLE)
        before = TICTACTOE.start()
        for move in found.moves:
            outcome = plywise.solve(before).outcome
            assert outcome is not None
            assert move.best.value == rank[outcome]
            after = before.play(move.move)
            reply = plywise.solve(after).outcome
            assert reply is not None
            assert move.played.value == -rank[reply]
            assert (move.grade is Grade.BEST) == (move.loss == 0)
            assert 0 <= move.loss <= move.stake <= 2
            before = after


def test_a_player_who_moves_twice() -> None:
    """Values follow the turn and not the ply; every value is that of best play."""
    rng = random.Random(4)
    for seed in range(8):
        position = coin_row(8, seed).start()
        positions = [position]
        while not position.over:
            position = position.play(rng.choice(position.legal))
            positions.append(position)
        found = review(position, plywise.engine("auto", position.game), WHOLE)
        margins = [minimax(each).margin for each in positions]
        assert found.values == tuple((margin > 0) - (margin < 0) for margin in margins)
        for move, before in zip(found.moves, positions, strict=False):
            assert move.player == before.to_move


def test_a_game_from_a_position() -> None:
    start = TICTACTOE.from_text("xx1/oo1/3 x")
    found = review(start.play("c2"), plywise.engine("auto", TICTACTOE), WHOLE)
    assert found.moves[0].ply == 1
    assert found.moves[0].best.move == "c3"
    assert found.to_json()["start"] == "xx1/oo1/3 x"


def test_json() -> None:
    data = reviewed("b2 a2").to_json()
    assert data["game"] == "tictactoe"
    assert (data["over"], data["winner"]) == (False, None)
    assert data["values"] == [0, 0, 1]
    assert data["moves"][1] == {
        "ply": 2,
        "player": 2,
        "move": "a2",
        "best": "a1",
        "grade": "blunder",
        "loss": 1.0,
        "stake": 1.0,
        "value_before": 0.0,
        "value_after": -1.0,
        "outcome_before": "draw",
        "outcome_after": "loss",
        "comment": data["moves"][1]["comment"],
    }
    assert data["players"][0]["accuracy"] is None  # every first move draws
    assert data["players"][1]["blunder"] == 1


def test_nothing_to_review() -> None:
    with pytest.raises(SpecError, match="no move has been played"):
        review(TICTACTOE.start(), plywise.engine("auto", TICTACTOE))


def test_an_engine_that_scores_no_moves() -> None:
    with pytest.raises(Unsupported, match="use an agent that does"):
        review(TICTACTOE.position("a1"), plywise.engine("proof", TICTACTOE))


def test_progress() -> None:
    heard: list[int] = []
    review(TICTACTOE.position("a1 b2"), plywise.engine("auto", TICTACTOE), on_position=heard.append)
    assert heard == [1, 2, 3]


def test_a_bar_advances_with_every_position(monkeypatch: pytest.MonkeyPatch) -> None:
    told: list[str] = []
    monkeypatch.setattr(reviews, "progress", lambda what, total: nullcontext(told.append))
    review(TICTACTOE.position("a1 b2"), plywise.engine("auto", TICTACTOE))
    assert told == ["position 1", "position 2", "position 3"]


@pytest.mark.slow
def test_points_count_whoever_wins() -> None:
    """The first player of 4 x 4 loses by 8 with best play; a move can still cost him more."""
    game = plywise.game("align:size=4")
    engine = plywise.engine("alphabeta", game)
    found = review(game.position("b1 c1 a1 d4 d1 a4 b4"), engine, plywise.Limits(depth=16))
    assert [(move.grade.value, move.best.score - move.played.score) for move in found.moves] == [
        ("best", 0),
        ("best", 0),
        ("inaccuracy", 2),
        ("inaccuracy", 2),
        ("best", 0),
        ("best", 0),
        ("mistake", 5),
    ]
    assert found.moves[2].comment == "costs 2 points; b2 was better"
    assert found.moves[3].comment == "costs 2 points; d1 was better: scores 4 for all of row 1"
    first, second = found.summaries
    assert first.accuracy is not None
    assert second.accuracy is not None
    assert first.accuracy < second.accuracy < 1


#: Small boards, so that the review knows all or nearly all.
SMALL = ("tictactoe", "connect4:rows=4,cols=5", "snails:rows=4,cols=4", "align:size=3")
DEEP = Limits(nodes=4000)


@pytest.mark.slow
@pytest.mark.parametrize("spec", SMALL)
def test_a_random_mover_is_told_from_a_strong_one(spec: str) -> None:
    """A random mover keeps about half of what there is to lose, whatever the game is like."""
    game, rng = plywise.game(spec), random.Random(spec)
    strong = plywise.engine("alphabeta", game)
    lost, at_stake = [0.0, 0.0], [0.0, 0.0]  # of the random player, and of the strong one
    for number in range(8):
        position = game.start()
        while not position.over:
            if position.turn == number % 2:
                position = position.play(rng.choice(position.legal))
            else:
                best = strong.search(position, DEEP).best
                assert best is not None
                position = position.play(best)
        for move in review(position, strong, DEEP).moves:
            who = int(move.player - 1 != number % 2)
            lost[who] += move.loss
            at_stake[who] += move.stake
    random_one, strong_one = (1 - loss / stake for loss, stake in zip(lost, at_stake, strict=True))
    assert random_one < 0.75
    assert strong_one > 0.9


def test_a_move_with_nothing_to_lose_does_not_count() -> None:
    """Player 2 has lost after a2: what follows is neither good nor bad."""
    found = reviewed("b2 a2 a1 c3")
    assert [move.stake for move in found.moves][3] == 0
    assert found.summaries[1].accuracy == 0
    assert found.summaries[1].counts[Grade.BEST] == 1
