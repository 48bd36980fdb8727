"""The tables of the report: what they count, and what their verdicts say."""

from __future__ import annotations

from collections import Counter

import plywise
from lab.papers.report.plans import Effort, Row
from lab.papers.snails import judge_depths, judge_leaves
from lab.papers.snails.tables import (
    FIRST,
    THIRD,
    judge_following,
    judge_misses,
    openings,
    steps_apart,
    turn_of,
)
from plywise.play.statistics import Share

GAME = plywise.game("snails:rows=5,cols=5")


def test_a_turn_is_counted() -> None:
    """From c3 the snail can claim b3 or c4, or slide down to c1; the opponent is on e5.

    5  . . . . O
    4  . . . . .
    3  . . X # .
    2  . # x # .
    1  . . x . .
    """
    position = GAME.from_text("4O/5/2X#1/1#x#1/2x2 0 x")
    assert steps_apart(position) == 4
    seen: Counter[str] = Counter()
    turn_of(position, position.code_of("u"), seen)
    assert seen == {
        "turns": 1, "apart": 3, "choices": 1, "nearest": 1, "could claim": 1, "slid": 0
    }  # fmt: skip
    turn_of(position, position.code_of("d"), seen)
    assert seen == {
        "turns": 2, "apart": 9, "choices": 2, "nearest": 1, "could claim": 2, "slid": 1
    }  # fmt: skip


def test_openings_are_the_same_every_time() -> None:
    first, again = (list(openings(plywise.game("snails"), 5)) for _ in range(2))
    assert first == again
    assert len({position.text for position in first}) > 3


def test_the_verdict_on_following() -> None:
    third: Row = (THIRD, Share(50, 100), "5.0", Share(5, 100), Share(20, 40), Share(30, 40))
    follows: Row = (Share(90, 100), "3.0", Share(5, 100), Share(0, 40), Share(4, 40))
    alike: Row = (Share(52, 100), "5.0", Share(5, 100), Share(20, 40), Share(29, 40))
    rows = [(agent, *(follows if agent == FIRST[0] else alike)) for agent in FIRST]
    said = judge_following([*rows, third])
    assert said.startswith("at 1 of 5 depths the first approach goes to the nearest")
    assert said.endswith("it traps less often at 1 and never at 1, and scores less at 1")


def test_the_verdict_on_distances() -> None:
    none, some, move = Share(0, 100), Share(5, 100), Share(2, 10)
    right: Row = ("4", 10, none, none, none, none, Share(0, 10))
    wrong: Row = ("12", 10, none, some, some, none, move)
    assert judge_misses([right]) == "confirmed: every distance was the shortest"
    said = judge_misses([right, wrong])
    assert "not the shortest for 0% to 10% of the cells, and 0% to 20% of the moves" in said


def test_the_verdicts_on_time() -> None:
    """4 s for 1,000 nodes: 200,000 nodes take 800 s, and a million more than half an hour."""
    eight, few, many = (Effort(nodes, 0.01, 1) for nodes in (1_000, 200_000, 1_000_000))
    assert "half an hour does not fit" in judge_depths({8: [eight], 15: [few]})
    assert "half an hour fits" in judge_depths({8: [eight], 15: [many]})
    base, slower, slow = (Effort(9, seconds, 1) for seconds in (1.0, 3.5, 20.0))
    said = judge_leaves({1: [base, slower], 2: [base, slow]})
    assert said == "true at depth 1 only: 3.5, 20 times as long at depths 1, 2"
    assert judge_leaves({2: [base, slow]}).startswith("refuted at every depth")
